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
    """Cooling by outdoor air without compressors, where the weather lets it.

    The plant is sized without it, and at the design hour it counts for nothing. An air side serves
    the halls alone, not the electrical rooms.
    """

    kind: (
        Literal["none", "integrated-water-side", "air-side-direct", "air-side-indirect"] | None
    ) = optional(
        "Kind of economizer", Default("none", "all heat goes through the chillers", UNSTATED)
    )
    effectiveness: _Part | None = optional(
        "Effectiveness of the exchanger: on the chilled water, or air to air on the return air",
        Default(None, "80 % of plates, 70 % of a free-cooling coil, 65 % air to air", PRACTICE),
        symbol=r"\varepsilon",
    )
    pressure_drop: _Drop | None = optional(
        "Pressure drop of the exchanger on the chilled water",
        Default(
            60e3,
            "of the exchanger; added to the head of the chilled-water pumps at all hours",
            PRACTICE,
        ),
    )
    evaporative_effectiveness: _Part | None = optional(
        "Part of the wet-bulb depression that wetted pads take off the outdoor air"
    )
    pad_cycles: _Cycles | None = optional(
        "Cycles of concentration of the water of the pads",
        Default(5.0, "as of open towers: what evaporates leaves its salts behind", PRACTICE),
    )
    fan_power: _Fans | None = optional(
        "Power of the outdoor or scavenger fans for each flow of air",
        Default(400.0, "relief, filters and dampers, or scavenger fans", PRACTICE),
    )
    dew_point_min: _Dew | None = optional(
        "Driest outdoor air that is let in, by its dew point",
        Default(None, "outdoor air let in: recommended dew point, minimum"),
    )
    dew_point_max: _Dew | None = optional(
        "Most humid outdoor air that is let in, by its dew point",
        Default(None, "outdoor air let in: recommended dew point, maximum"),
    )

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
        if self.pad_cycles is not None and self.evaporative_effectiveness is None:
            raise problem(
                "ECONOMIZER_CONTRADICTION",
                "pad_cycles is given without pads.",
                "Give evaporative_effectiveness, or remove pad_cycles.",
                at="pad_cycles",
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
