"""Design criteria, findings accepted against them, and loads that are neither IT nor cooling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.errors import FacilityError, near_matches
from facility.core.parse import Measured
from facility.core.sources import UNSTATED, Source
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Count, Name, Section, Text, problem, quantity
from facility.model.power.redundancy import scheme_name

_CIRCUIT = Source("derivation", "one 20 A 120 V circuit loaded to 80 %: 1.92 kW")
_SPACE_TYPES = Source("revit-space-types", "250 Btu/h sensible", "2014 and 2019")


_ContinuousFactor = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=2.0)]
_Growth = Annotated[Measured, quantity("fraction", maximum=2.0)]
_DropLimit = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.2)]
_ComponentLimit = Annotated[Measured, quantity("fraction", above=0.0, maximum=2.0)]
_Power = Annotated[Measured, quantity("active_power")]
_Share = Annotated[Measured, quantity("fraction", maximum=0.5)]
_Density = Annotated[Measured, quantity("power_density", maximum=1000.0)]
_Heat = Annotated[Measured, quantity("heat_flow")]
_Metabolism = Annotated[Measured, quantity("heat_flow", maximum=1000.0)]

CODE_EDITIONS = {"NEC": ("2023", "2020", "2017"), "IEC": ("2009",)}
DEFAULT_CODE = "NEC"


def code_of_edition(edition: str) -> str:
    """Return the code that an edition is of, empty where it is of none."""
    return next((code for code, known in CODE_EDITIONS.items() if edition in known), "")


MOST_WAIVERS = 200
MOST_OVERRIDES = 500
MOST_CONFIRMED = 10_000
"""Over twice what the ledger of a project with 200 halls and 500 devices holds."""
USUAL_AIR_CLASS, USUAL_LIQUID_CLASS = "A2", "W32"


class CriteriaSection(Section):
    """Code basis and margins."""

    code: Literal["NEC", "IEC"] | None = optional(
        "Electrical code: NEC or IEC", Default(None, "that of the country", UNSTATED)
    )
    edition: Name | None = optional(
        "Year of the NEC, or of IEC 60364-5-52",
        Default(None, "latest edition whose tables are carried", UNSTATED),
    )
    continuous_factor: _ContinuousFactor | None = optional(
        "Factor on continuous load for overcurrent devices",
        Default(None, "1.25 under the NEC, 1 under the IEC"),
    )
    growth: _Growth | None = optional(
        "Part of the IT load that is kept spare in the shared plant",
        Default(0.0, "no spare for growth is asked for", UNSTATED),
    )
    voltage_drop_branch: _DropLimit | None = optional(
        "Highest voltage drop from panel to rack", Default(None, "recommended by the code")
    )
    voltage_drop_feeder: _DropLimit | None = optional(
        "Highest voltage drop from the LV board to the panel",
        Default(None, "recommended by the code"),
    )
    voltage_drop_total: _DropLimit | None = optional(
        "Highest voltage drop from the LV board to the rack",
        Default(None, "recommended by the code"),
    )
    air_class: Literal["A1", "A2", "A3", "A4", "H1"] | None = optional(
        "ASHRAE class of the air-cooled equipment",
        Default(
            USUAL_AIR_CLASS,
            "class of volume servers; the recommended range is the same for A1 to A4",
        ),
    )
    liquid_class: Literal["W17", "W27", "W32", "W40", "W45"] | None = optional(
        "ASHRAE class of the liquid-cooled equipment: its warmest facility water",
        Default(
            USUAL_LIQUID_CLASS,
            "facility water up to 32 degC: with a CDU approach of 3 to 5 K the racks get "
            "35 to 37 degC, the low end of usual liquid set points",
        ),
    )
    mlc_limit: _ComponentLimit | None = optional(
        "Highest mechanical load component, the mean over 100, 75, 50 and 25 % IT load"
    )
    elc_limit: _ComponentLimit | None = optional(
        "Highest electrical loss component at any of these loads"
    )
    component_limits_edition: Text | None = optional(
        "Standard and edition that the two limits are taken from"
    )
    redundancy_goal: Name | None = optional(
        "Redundancy that the UPS systems must have at least: N, N+1, N+2, 2N, 2(N+1), 3N/2, 4N/3,"
        " 5N/4, 6N/5, block-redundant; with N+1 and N+2 the generator sets, transformers and"
        " cooling units too"
    )
    availability_goal: Literal["none", "concurrently_maintainable", "fault_tolerant"] | None = (
        optional(
            "Availability that the design must reach: concurrently maintainable (no planned outage"
            " of one component stops IT load), fault tolerant (nor the failure of one component)"
        )
    )
    availability_scope: Literal["electrical", "electrical_and_cooling"] | None = optional(
        "Systems that the availability goal covers",
        Default(
            "electrical_and_cooling",
            "the published classes rate the power supply and the environmental control",
            UNSTATED,
        ),
    )

    @field_validator("redundancy_goal")
    @classmethod
    def _known_scheme(cls, value: str | None) -> str | None:
        try:
            return value if value is None else scheme_name(value, "")
        except FacilityError as error:
            raise problem(error.code, error.message, error.hint) from None

    @model_validator(mode="after")
    def _limits_are_from_somewhere(self) -> CriteriaSection:
        stated = self.mlc_limit is not None or self.elc_limit is not None
        if stated != (self.component_limits_edition is not None):
            raise problem(
                "LIMITS_EDITION",
                "limits of load components and their edition belong together.",
                "Give criteria.component_limits_edition, and mlc_limit or elc_limit.",
                at="component_limits_edition",
            )
        return self

    @model_validator(mode="after")
    def _edition_of_the_code(self) -> CriteriaSection:
        codes = CODE_EDITIONS if self.code is None else (self.code,)
        known = [edition for code in codes for edition in CODE_EDITIONS[code]]
        if self.edition is None or self.edition in known:
            return self
        owner = code_of_edition(self.edition)
        raise problem(
            "NOT_ONE_OF",
            f"{self.edition!r} is no known edition of the {self.code or 'NEC or the IEC'}"
            + (f": it is one of the {owner}." if owner else "."),
            near_matches(self.edition, known),
            at="edition",
        )


class WaiverSection(Section):
    """One finding that is accepted: counted and printed as waived, apart from what passed."""

    rule: Name = required("Id of the rule, e.g. `SPOF`")
    subject: Text | None = optional("Subject of the check, as it is printed; every one where open")
    reason: Text = required("Why the finding is accepted")
    by: Text = required("Who accepts it")


class OverrideSection(Section):
    """One assumption in whose place the project gives a value, and why."""

    assumption: Name = required("Id of the assumption, e.g. `panels.fill_limit`")
    reason: Text = required("Why the value stands in its place")
    by: Text = required("Who decided it")


class ChecksSection(Section):
    """What is decided about the checks."""

    waived: tuple[WaiverSection, ...] | None = optional(
        "Findings that are accepted", most=MOST_WAIVERS
    )


class HouseSection(Section):
    """Loads of the building: lights, controls, security, people, envelope."""

    lighting: _Power | None = optional(
        "Power of the lights of the halls", Default(None, "lights in use, as a part of the IT load")
    )
    lighting_density: _Density | None = optional(
        "Power of the lights for each floor area of the halls, in place of their power"
    )
    lighting_share: _Share | None = optional(
        "Power of the lights over that of the IT, in place of their power",
        Default(None, "lights in use, as a part of the IT load"),
    )
    controls: _Power | None = optional(
        "Power of building and power monitoring",
        Default(
            None,
            "building and power monitoring: one circuit per hall, 1 % of the IT load at most",
            _CIRCUIT,
        ),
    )
    security: _Power | None = optional(
        "Power of access control and cameras",
        Default(
            None,
            "access control and cameras: one circuit per hall, 1 % of the IT load at most",
            _CIRCUIT,
        ),
    )
    other: _Power | None = optional(
        "Power of other loads of the building",
        Default(0.0, "no other load of the building is stated", UNSTATED),
    )
    generator_heaters: _Power | None = optional(
        "Mean power of the jacket-water heaters and starter chargers of all generator sets",
        Default(0.0, "no heater is stated; the data sheet of a set gives its rating", UNSTATED),
    )
    people: Count | None = optional(
        "People at work in the halls",
        Default(None, "two at work in each hall", UNSTATED),
        most=100_000,
    )
    heat_per_person: _Metabolism | None = optional(
        "Sensible heat of one person",
        Default(
            250.0 * 1055.05585262 / 3600.0, "sensible heat of a person at light work", _SPACE_TYPES
        ),
    )
    envelope: _Heat | None = optional(
        "Heat that enters the halls through walls and roof",
        Default(
            0.0,
            "halls inside the building: no sun, neighbours at about the same temperature",
            UNSTATED,
        ),
    )

    @model_validator(mode="after")
    def _one_lighting(self) -> HouseSection:
        ways = ("lighting", "lighting_density", "lighting_share")
        stated = [f"house.{name}" for name in ways if getattr(self, name) is not None]
        if len(stated) > 1:
            raise problem(
                "CONTRADICTION",
                f"the lights are given more than once: {' and '.join(stated)}.",
                f"Remove {' or '.join(stated)}.",
            )
        return self
