"""Machines of the plant: pumps, towers and dry coolers, chillers, and redundancy."""

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
_MinAir = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=0.5)]
_Pad = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.98)]
_PadDrop = Annotated[Measured, quantity("pressure", maximum=300.0)]
_Wetted = Annotated[Measured, quantity("temperature", minimum=5.0, maximum=50.0)]
"""Minimum air temperature for wetted pads, a few kelvins above freezing."""
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
        "Redundancy: N, N+1 to N+9, or 2N",
        Default(
            "N+1",
            "one spare unit; with a cooling availability goal, the units of one mechanical board",
            UNSTATED,
        ),
    )

    @field_validator("redundancy")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None and not _SPARES.fullmatch(value):
            raise problem(
                "UNKNOWN_REDUNDANCY",
                f"{value!r} is not a valid redundancy.",
                "Known: N, N+1, N+2, ... N+9, 2N.",
            )
        return value


class PumpSection(Section):
    """Pumps of a loop."""

    head: _Head | None = optional(
        "Pump head at design flow",
        Default(
            "as laid out", "pipes, fittings and components of the loop at design flow", DERIVED
        ),
    )
    efficiency: _Efficiency | None = optional(
        "Wire-to-water efficiency",
        Default(None, "64 % for closed loops; for condenser water from its power per flow"),
        symbol=r"\eta",
    )


class RejectionSection(RedundantSection):
    """Towers or dry coolers of one plant: count, and user rating of a dry cooler."""

    count: PositiveCount | None = optional(
        "Towers or dry coolers, including spares", max_count=10_000
    )
    dry_cooler: DryCoolerRatingSection | None = None
    tower: TowerRatingSection | None = None
    fan_curve: Name | None = optional(
        "Fan part-load curve of towers or dry coolers",
        Default("variable speed", "fans on speed control; other curves selectable", _FAN_CURVES),
    )
    least_air: _MinAir | None = optional(
        "Fans-off air flow over full-speed air flow, towers or dry coolers",
        Default(0.125, "natural convection of towers", _TOWERS),
    )
    largest_cell: _Heat | None = optional(
        "Maximum heat of one tower cell without stated rating",
        Default(None, "tower cell size of a built plant"),
    )
    tower_fan: _TowerFan | None = optional(
        "Fan power of tower cells at full speed, W per kg/s of water",
        Default(340.0, "full speed", _TEMPLATES),
    )
    pump: PumpSection | None = None
    pad_effectiveness: _Pad | None = optional(
        "Saturation effectiveness of wetted pads on dry coolers", symbol=r"\varepsilon"
    )
    pad_drop: _PadDrop | None = optional(
        "Air pressure drop of the pads, wetted or dry",
        Default(40.0, "pads 300 mm deep at about 2 m/s", PRACTICE),
    )
    pad_wet_above: _Wetted | None = optional(
        "Entering air temperature above which the pads may be wetted",
        Default("air behind the pads at design", "dry coils are sufficient below it", DERIVED),
    )
    cycles: _Cycles | None = optional(
        "Cycles of concentration, open towers or pads", Default(5.0, "3 to 15 at large sites", _LEI)
    )
    drift: _Drift | None = optional(
        "Drift of open towers over circulating water, at full fan speed",
        Default(8e-5, "0.005 to 0.02 % with drift eliminators", PRACTICE),
    )

    @model_validator(mode="after")
    def _of_pads(self) -> RejectionSection:
        for name in ("pad_wet_above", "pad_drop"):
            if getattr(self, name) is not None and self.pad_effectiveness is None:
                raise problem(
                    "COOLING_CONTRADICTION",
                    f"{name} is specified without pads.",
                    "Enter pad_effectiveness (0.6 to 0.85 of the wet-bulb depression), or remove "
                    "it.",
                    at=name,
                )
        if self.pad_drop is not None and self.dry_cooler is not None:
            raise problem(
                "COOLING_CONTRADICTION",
                "the stated fan power of a dry cooler already includes its pads.",
                "Omit pad_drop, and enter dry_cooler.fan_power with pads in place.",
                at="pad_drop",
            )
        return self


class ChillerSection(RedundantSection):
    """Chillers: catalogue model or curve set, or capacity, and count.

    With a curve set, power follows temperatures and part load within the valid range of the curves,
    and the lift outside it; the curve set is scaled to the capacity.
    """

    model: Name | None = optional(
        "Catalogue chiller or curve set",
        Default(None, "source of the Carnot fraction only, not of the capacity", UNSTATED),
    )
    capacity: _Heat | None = optional("Capacity of one chiller")
    largest: _Heat | None = optional(
        "Maximum chiller capacity at site conditions, if no capacity is specified",
        Default(None, "catalogue maximum; required capacity is load over count"),
    )
    count: PositiveCount | None = optional("Chillers, including spares", max_count=1000)
    carnot_fraction: Number | None = optional("COP over the Carnot COP at the same temperatures")
    evaporator_approach: _Approach | None = optional(
        "Evaporator approach: leaving chilled water minus evaporating temperature",
        Default(2.0, "refrigerant to leaving water", PRACTICE),
    )
    condenser_approach: _Approach | None = optional(
        "Condenser approach: condensing temperature minus leaving condenser water",
        Default(2.0, "refrigerant to leaving water", PRACTICE),
    )
    least_lift: _Difference | None = optional(
        "Minimum compressor lift", Default(5.0, "minimum compressor lift", _TEMPLATES)
    )
    cop_limit: _Cop | None = factor(
        "Maximum COP", Default(14.0, "upper limit at small lift", PRACTICE)
    )
    performance: Literal["lift", "curves"] | None = optional(
        "Chiller performance model: lift, or EIR curve set of the machine",
        Default(
            "lift",
            "power from lift at the rated Carnot fraction; also valid for water warmer than the "
            "curve sets (12.8 degC and below)",
            UNSTATED,
        ),
    )

    @model_validator(mode="after")
    def _one_size(self) -> ChillerSection:
        if self.largest is not None and (self.capacity is not None or self.model is not None):
            raise problem(
                "COOLING_CONTRADICTION",
                "the largest chiller is specified together with a capacity or a model.",
                "Omit largest: it limits only a capacity selected by the design.",
                at="largest",
            )
        return self

    @model_validator(mode="after")
    def _plausible(self) -> ChillerSection:
        fraction = self.carnot_fraction
        if fraction is not None and not 0.2 <= fraction.si <= 0.9:
            raise problem(
                "OUT_OF_RANGE",
                "the Carnot fraction must be from 0.2 to 0.9.",
                "Typical chillers: 0.45 to 0.75.",
                at="carnot_fraction",
            )
        return self


def refuse_both(model: object, rating: object, code: str) -> None:
    """Reject a catalogue model combined with a user rating, with `code`."""
    if model is not None and rating is not None:
        raise problem(
            code,
            "a catalogue model and a rating are both specified.",
            "Enter the model, or the rating point of the unit.",
            at="model",
        )
