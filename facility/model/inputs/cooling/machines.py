"""Machines of the plant: pumps, towers and dry coolers, chillers, and their spares."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import DERIVED, PRACTICE, UNSTATED, Source
from facility.model.inputs.cooling.ratings import DryCoolerRatingSection, TowerRatingSection
from facility.model.inputs.declare import Default, factor, optional
from facility.model.inputs.scalars import Name, Number, PositiveCount, Section, problem, quantity

_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]
_Heat = Annotated[Measured, quantity("heat_flow", above=0.0)]
_Efficiency = Annotated[Measured, quantity("fraction", minimum=0.1, maximum=0.95)]
_Head = Annotated[Measured, quantity("pressure", maximum=2e6)]
_Cycles = Annotated[Measured, quantity("ratio", minimum=1.2, maximum=30.0)]
_LeastAir = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=0.5)]
_Pad = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.98)]
_PadDrop = Annotated[Measured, quantity("pressure", maximum=300.0)]
_Wetted = Annotated[Measured, quantity("temperature", minimum=5.0, maximum=50.0)]
"""Pads are wetted where the air is some kelvins above freezing."""
_Approach = Annotated[Measured, quantity("temperature_difference", minimum=0.2, maximum=10.0)]
_Cop = Annotated[Measured, quantity("ratio", minimum=3.0, maximum=30.0)]
_TEMPLATES = Source("modelica-buildings-templates")
_TowerFan = Annotated[Measured, quantity("ratio", minimum=20.0, maximum=2000.0)]
_Drift = Annotated[Measured, quantity("fraction", maximum=0.01)]
_TOWERS = Source("energyplus-towers")
_FAN_CURVES = Source("energyplus-fan-curves")
_LEI = Source("lei-masanet-2022", "Table 3", verified="secondary")
_SPARES = re.compile(r"N(\+[1-9])?|2N", re.ASCII)


class RedundantSection(Section):
    """Equal units with a redundancy: N, N+1 to N+9, or 2N."""

    redundancy: Name | None = optional(
        "Spare units: N, N+1 to N+9, or 2N",
        Default(
            "N+1",
            "one spare unit; with an availability goal of the cooling those of a mechanical board",
            UNSTATED,
        ),
    )

    @field_validator("redundancy")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None and not _SPARES.fullmatch(value):
            raise problem(
                "UNKNOWN_REDUNDANCY",
                f"{value!r} is not a redundancy of equal units.",
                "Known: N, N+1, N+2, ... N+9, 2N.",
            )
        return value


class PumpSection(Section):
    """Pumps of a loop."""

    head: _Head | None = optional(
        "Head at design flow",
        Default(
            "as laid out", "pipes, fittings and components of the loop at design flow", DERIVED
        ),
    )
    efficiency: _Efficiency | None = optional(
        "Wire-to-water efficiency of pump and motor",
        Default(None, "of closed loops 64 %, of condenser water by its power for each flow"),
        symbol=r"\eta",
    )


class RejectionSection(RedundantSection):
    """Towers or dry coolers of one plant: how many, and the rating of your own dry cooler."""

    count: PositiveCount | None = optional(
        "Towers or dry coolers, spare ones included", most=10_000
    )
    dry_cooler: DryCoolerRatingSection | None = None
    tower: TowerRatingSection | None = None
    fan_curve: Name | None = optional(
        "Part-load curve of the fans of towers or dry coolers",
        Default("variable speed", "fans on speed control; other curves by name", _FAN_CURVES),
    )
    least_air: _LeastAir | None = optional(
        "Air flow of towers or dry coolers with the fans off, over that at full speed",
        Default(0.125, "natural convection of towers", _TOWERS),
    )
    largest_cell: _Heat | None = optional(
        "Largest heat of one cell of towers that no rating is given of",
        Default(None, "size of one tower cell of a built plant"),
    )
    tower_fan: _TowerFan | None = optional(
        "Fan power of such cells at full speed, in W for each kg/s of water",
        Default(340.0, "fan power at full speed, W for each kg/s of water", _TEMPLATES),
    )
    pump: PumpSection | None = None
    pad_effectiveness: _Pad | None = optional(
        "Part of the wet-bulb depression that wetted pads take off the air of dry coolers",
        symbol=r"\varepsilon",
    )
    pad_drop: _PadDrop | None = optional(
        "Pressure drop of the air in the pads, wetted or dry",
        Default(40.0, "pads 300 mm deep at about 2 m/s", PRACTICE),
    )
    pad_wet_above: _Wetted | None = optional(
        "Entering air above which the pads may be wetted",
        Default("air behind the pads at design", "dry coils suffice below it", DERIVED),
    )
    cycles: _Cycles | None = optional(
        "Cycles of concentration of the water of open towers, or of pads",
        Default(5.0, "cycles of concentration, 3 to 15 at large sites", _LEI),
    )
    drift: _Drift | None = optional(
        "Drift of open towers over their water, at full fan speed",
        Default(8e-5, "drift over the water, 0.005 to 0.02 % with eliminators", PRACTICE),
    )

    @model_validator(mode="after")
    def _of_pads(self) -> RejectionSection:
        for name in ("pad_wet_above", "pad_drop"):
            if getattr(self, name) is not None and self.pad_effectiveness is None:
                raise problem(
                    "COOLING_CONTRADICTION",
                    f"{name} is given without pads.",
                    "Give pad_effectiveness (0.6 to 0.85 of the wet-bulb depression), or remove "
                    "it.",
                    at=name,
                )
        if self.pad_drop is not None and self.dry_cooler is not None:
            raise problem(
                "COOLING_CONTRADICTION",
                "the fan power of a stated dry cooler has the drop of its pads in it.",
                "Leave pad_drop out, and give dry_cooler.fan_power with pads in place.",
                at="pad_drop",
            )
        return self


class ChillerSection(RedundantSection):
    """Chillers: a catalogue model or curve set, or a capacity, and how many.

    By its curves a chiller follows the temperatures and its part load inside the box of its set,
    and the lift beyond it; a set is taken in proportion to the capacity.
    """

    model: Name | None = optional(
        "Chiller or curve set of the catalogue",
        Default(None, "machine whose Carnot fraction is taken; its capacity is not", UNSTATED),
    )
    capacity: _Heat | None = optional("Capacity of one chiller")
    largest: _Heat | None = optional(
        "Largest chiller where no capacity is given, as it is at the site",
        Default(None, "that of the catalogue; the capacity asked for is the load over the count"),
    )
    count: PositiveCount | None = optional("Chillers, spare ones included", most=1000)
    carnot_fraction: Number | None = optional(
        "COP over that of a Carnot machine between the same temperatures"
    )
    evaporator_approach: _Approach | None = optional(
        "Leaving chilled water above the evaporating temperature",
        Default(2.0, "refrigerant to leaving water of the evaporator", PRACTICE),
    )
    condenser_approach: _Approach | None = optional(
        "Condensing temperature above the leaving condenser water",
        Default(2.0, "refrigerant to leaving water of the condenser", PRACTICE),
    )
    least_lift: _Difference | None = optional(
        "Least lift of a compressor", Default(5.0, "least lift of a compressor", _TEMPLATES)
    )
    cop_limit: _Cop | None = factor(
        "Highest COP counted on", Default(14.0, "highest COP counted on at small lift", PRACTICE)
    )
    performance: Literal["lift", "curves"] | None = optional(
        "What the power follows: the lift alone, or the EIR curve set of the machine",
        Default(
            "lift",
            "power by the lift at the Carnot fraction of the rating, also at water warmer than the "
            "curve sets reach (12.8 degC and less)",
            UNSTATED,
        ),
    )

    @model_validator(mode="after")
    def _one_size(self) -> ChillerSection:
        if self.largest is not None and (self.capacity is not None or self.model is not None):
            raise problem(
                "COOLING_CONTRADICTION",
                "the largest chiller is given beside a capacity or a model.",
                "Leave largest out: it bounds the capacity that the design chooses.",
                at="largest",
            )
        return self

    @model_validator(mode="after")
    def _plausible(self) -> ChillerSection:
        fraction = self.carnot_fraction
        if fraction is not None and not 0.2 <= fraction.si <= 0.9:
            raise problem(
                "OUT_OF_RANGE",
                "the Carnot fraction must lie from 0.2 to 0.9.",
                "Chillers reach 0.45 to 0.75.",
                at="carnot_fraction",
            )
        return self


def refuse_both(model: object, rating: object, code: str) -> None:
    """Refuse a catalogue model beside a rating of one's own, by `code`."""
    if model is not None and rating is not None:
        raise problem(
            code,
            "a catalogue model and a rating are both given.",
            "Give the model, or the rating point of your own unit.",
            at="model",
        )
