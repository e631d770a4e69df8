"""Design criteria, and the loads of the house that are neither IT nor cooling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.errors import near_matches
from facility.core.parse import Measured
from facility.model.inputs.scalars import Count, Name, Section, problem, quantity

_ContinuousFactor = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=2.0)]
_Growth = Annotated[Measured, quantity("fraction", maximum=2.0)]
_DropLimit = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.2)]
_Power = Annotated[Measured, quantity("active_power")]
_Density = Annotated[Measured, quantity("power_density", maximum=1000.0)]
_Heat = Annotated[Measured, quantity("heat_flow")]
_Metabolism = Annotated[Measured, quantity("heat_flow", maximum=1000.0)]

CODE_EDITIONS = {"NEC": ("2023", "2020", "2017"), "IEC": ("2009",)}
DEFAULT_CODE = "NEC"


class CriteriaSection(Section):
    """Code basis and margins.

    `edition` is the year of the NEC, or of IEC 60364-5-52. `continuous_factor` multiplies
    continuous load for overcurrent devices; `growth` is the part of the IT load kept spare in
    the shared plant.
    """

    code: Literal["NEC", "IEC"] | None = None
    edition: Name | None = None
    continuous_factor: _ContinuousFactor | None = None
    growth: _Growth | None = None
    voltage_drop_branch: _DropLimit | None = None
    voltage_drop_feeder: _DropLimit | None = None
    voltage_drop_total: _DropLimit | None = None
    air_class: Literal["A1", "A2", "A3", "A4", "H1"] | None = None
    liquid_class: Literal["W17", "W27", "W32", "W40", "W45"] | None = None

    @model_validator(mode="after")
    def _edition_of_the_code(self) -> CriteriaSection:
        code = self.code or DEFAULT_CODE
        if self.edition is not None and self.edition not in CODE_EDITIONS[code]:
            raise problem(
                "NOT_ONE_OF",
                f"{self.edition!r} is no known edition of the {code}.",
                near_matches(self.edition, CODE_EDITIONS[code]),
                at="edition",
            )
        return self


class HouseSection(Section):
    """Loads of the building: lights, controls, security, people, envelope.

    Lighting is given as power, or as power per floor area of the halls. `people` is the number
    at work in the halls; `envelope` the heat that enters the halls through walls and roof.
    """

    lighting: _Power | None = None
    lighting_density: _Density | None = None
    controls: _Power | None = None
    security: _Power | None = None
    other: _Power | None = None
    people: Count | None = None
    heat_per_person: _Metabolism | None = None
    envelope: _Heat | None = None

    @model_validator(mode="after")
    def _one_lighting(self) -> HouseSection:
        if self.lighting is not None and self.lighting_density is not None:
            raise problem(
                "CONTRADICTION",
                "lighting is given as power and as power per area.",
                "Remove house.lighting or house.lighting_density.",
            )
        return self
