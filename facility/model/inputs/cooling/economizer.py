"""The economizer of the project: kind, exchanger, fans, and the limits of outdoor air."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import PRACTICE, UNSTATED
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Section, problem, quantity

_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.98)]
_Drop = Annotated[Measured, quantity("pressure", maximum=5e5)]
_Fans = Annotated[Measured, quantity("specific_fan_power", maximum=5e3)]
_Cycles = Annotated[Measured, quantity("ratio", minimum=1.2, maximum=30.0)]
_Dew = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=40.0)]

_OF_KIND = {
    "effectiveness": ("integrated-water-side", "air-side-indirect"),
    "pressure_drop": ("integrated-water-side",),
    "evaporative_effectiveness": ("air-side-direct", "air-side-indirect"),
    "pad_cycles": ("air-side-direct", "air-side-indirect"),
    "fan_power": ("air-side-direct", "air-side-indirect"),
    "dew_point_min": ("air-side-direct",),
    "dew_point_max": ("air-side-direct",),
}


class EconomizerSection(Section):
    """Cooling by outdoor air without compressors, where the weather permits.

    The plant is sized without it, and it is disregarded at the design hour. An air-side economizer
    serves only the halls, not the electrical rooms.
    """

    kind: (
        Literal["none", "integrated-water-side", "air-side-direct", "air-side-indirect"] | None
    ) = optional(
        "Economizer type", Default("none", "all heat is removed by the chillers", UNSTATED)
    )
    effectiveness: _Part | None = optional(
        "Effectiveness of the exchanger (chilled water, or air-to-air on the return air)",
        Default(None, "plate exchanger 80 %, free-cooling coil 70 %, air-to-air 65 %", PRACTICE),
        symbol=r"\varepsilon",
    )
    pressure_drop: _Drop | None = optional(
        "Chilled-water pressure drop of the exchanger",
        Default(60e3, "added to the head of the chilled-water pumps at all hours", PRACTICE),
    )
    evaporative_effectiveness: _Part | None = optional(
        "Saturation effectiveness of wetted pads on the outdoor air"
    )
    pad_cycles: _Cycles | None = optional(
        "Cycles of concentration of the pad water",
        Default(5.0, "same as open towers: evaporation concentrates dissolved salts", PRACTICE),
    )
    fan_power: _Fans | None = optional(
        "Specific fan power of the outdoor or scavenger fans",
        Default(400.0, "relief, filters and dampers, or scavenger fans", PRACTICE),
    )
    dew_point_min: _Dew | None = optional(
        "Minimum dew point of admitted outdoor air", Default(None, "recommended minimum dew point")
    )
    dew_point_max: _Dew | None = optional(
        "Maximum dew point of admitted outdoor air", Default(None, "recommended maximum dew point")
    )

    @model_validator(mode="after")
    def _of_its_kind(self) -> EconomizerSection:
        kind = self.kind or "none"
        for name, kinds in _OF_KIND.items():
            if getattr(self, name) is not None and kind not in kinds:
                raise problem(
                    "ECONOMIZER_CONTRADICTION",
                    f"{name} does not apply to the economizer type {kind!r}.",
                    f"Valid for {' and '.join(kinds)}.",
                    at=name,
                )
        if self.pad_cycles is not None and self.evaporative_effectiveness is None:
            raise problem(
                "ECONOMIZER_CONTRADICTION",
                "pad_cycles is specified without pads.",
                "Enter evaporative_effectiveness, or remove pad_cycles.",
                at="pad_cycles",
            )
        low, high = self.dew_point_min, self.dew_point_max
        if low is not None and high is not None and low.si >= high.si:
            raise problem(
                "OUT_OF_RANGE",
                "dew_point_min is not below dew_point_max.",
                "Enter a minimum dew point below the maximum.",
                at="dew_point_min",
            )
        return self
