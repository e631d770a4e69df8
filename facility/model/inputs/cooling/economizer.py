"""The economizer of the project: kind, exchanger, fans, and the limits of outdoor air."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import Section, problem, quantity

_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.98)]
_Drop = Annotated[Measured, quantity("pressure", maximum=5e5)]
_Fans = Annotated[Measured, quantity("specific_fan_power", maximum=5e3)]
_Dew = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=40.0)]

_OF_KIND = {
    "effectiveness": ("integrated-water-side", "air-side-indirect"),
    "pressure_drop": ("integrated-water-side",),
    "evaporative_effectiveness": ("air-side-direct", "air-side-indirect"),
    "fan_power": ("air-side-direct", "air-side-indirect"),
    "dew_point_min": ("air-side-direct",),
    "dew_point_max": ("air-side-direct",),
}


class EconomizerSection(Section):
    """Cooling by outdoor air without compressors, where the weather lets it.

    The plant is sized without it, and at the design hour it counts for nothing. An air side serves
    the halls alone, not the electrical rooms.

    `effectiveness` is that of the plate exchanger on the chilled water, or of the air-to-air
    exchanger on the return air. `evaporative_effectiveness` says that pads wet the outdoor air,
    and how much of the wet-bulb depression they take off. `fan_power` is that of the outdoor or
    scavenger fans for each flow of air. Direct air is let in between the two dew points alone.
    """

    kind: (
        Literal["none", "integrated-water-side", "air-side-direct", "air-side-indirect"] | None
    ) = None
    effectiveness: _Part | None = None
    pressure_drop: _Drop | None = None
    evaporative_effectiveness: _Part | None = None
    fan_power: _Fans | None = None
    dew_point_min: _Dew | None = None
    dew_point_max: _Dew | None = None

    @model_validator(mode="after")
    def _of_its_kind(self) -> EconomizerSection:
        kind = self.kind or "none"
        for name, kinds in _OF_KIND.items():
            if getattr(self, name) is not None and kind not in kinds:
                raise problem(
                    "ECONOMIZER_CONTRADICTION",
                    f"{name} is given for the kind {kind!r}.",
                    f"It belongs to {' and '.join(kinds)}.",
                    at=name,
                )
        low, high = self.dew_point_min, self.dew_point_max
        if low is not None and high is not None and low.si >= high.si:
            raise problem(
                "OUT_OF_RANGE",
                "dew_point_min is not below dew_point_max.",
                "Give the driest and the most humid outdoor air let in.",
                at="dew_point_min",
            )
        return self
