"""The cooling section of the project: method, air handlers, CDUs, facility water, plant."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.model.inputs.cooling.air import AirPathSection
from facility.model.inputs.cooling.economizer import EconomizerSection
from facility.model.inputs.cooling.hydraulics import HydraulicsSection
from facility.model.inputs.cooling.liquid import LiquidPathSection
from facility.model.inputs.cooling.plant import HeatReuseSection, PumpingSection
from facility.model.inputs.cooling.ratings import (
    CduRatingSection,
    CrahRatingSection,
    DryCoolerRatingSection,
)
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.model.inputs.scalars import (
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)

_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=70.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]
_Margin = Annotated[Measured, quantity("temperature_difference", maximum=10.0)]
_Leak = Annotated[Measured, quantity("fraction", maximum=0.9)]
_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Heat = Annotated[Measured, quantity("heat_flow", above=0.0)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0)]
_Efficiency = Annotated[Measured, quantity("fraction", minimum=0.1, maximum=0.95)]
_Head = Annotated[Measured, quantity("pressure", maximum=2e6)]

_SPARES = re.compile(r"N(\+[1-9])?|2N", re.ASCII)


class _Redundant(Section):
    """Equal units with a redundancy: N, N+1 to N+9, or 2N."""

    redundancy: Name | None = None

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
    """Pumps of a loop: head at design flow, and wire-to-water efficiency, 10 to 95 %."""

    head: _Head | None = None
    efficiency: _Efficiency | None = None


class CrahSection(_Redundant):
    """Air handlers: a catalogue model or a rating of your own, and how many.

    `count` is the total of the halls, `electrical_count` that of the electrical rooms.
    `design_fraction` is the part of the IT heat of liquid-cooled racks to size for in air.
    """

    model: Name | None = None
    rating: CrahRatingSection | None = None
    count: PositiveCount | None = None
    electrical_count: PositiveCount | None = None
    fan_curve: Name | None = None
    design_fraction: _Part | None = None

    @model_validator(mode="after")
    def _one_basis(self) -> CrahSection:
        _refuse_both(self.model, self.rating, "CRAH_CONTRADICTION")
        return self


class CduSection(_Redundant):
    """CDUs: a catalogue model or a rating of your own, how many, and the coolant loop.

    `tcs_flow` is the flow of all racks together. `design_fraction` is the part of the IT heat of
    liquid-cooled racks to size for in coolant.
    """

    model: Name | None = None
    rating: CduRatingSection | None = None
    count: PositiveCount | None = None
    tcs_supply: _Temperature | None = None
    tcs_delta_t: _Difference | None = None
    tcs_flow: _Flow | None = None
    fluid: Name | None = None
    design_fraction: _Part | None = None

    @model_validator(mode="after")
    def _one_basis(self) -> CduSection:
        _refuse_both(self.model, self.rating, "CDU_CONTRADICTION")
        if self.tcs_flow is not None and self.tcs_delta_t is not None:
            raise problem(
                "CDU_CONTRADICTION",
                "tcs_flow and tcs_delta_t are both given.",
                "Give one; the other follows from the heat.",
                at="tcs_flow",
            )
        return self


class RejectionSection(_Redundant):
    """Towers or dry coolers of one plant: how many, and the rating of your own dry cooler."""

    count: PositiveCount | None = None
    dry_cooler: DryCoolerRatingSection | None = None
    pump: PumpSection | None = None


class FacilityWaterSection(Section):
    """Facility water of the CDUs: where it is cooled, and at which temperatures.

    With `_and_chiller` chilled water takes the rest where dry coolers or towers cannot reach the
    supply; without it they work alone.
    """

    source: (
        Literal[
            "dry_cooler", "tower", "chilled_water", "dry_cooler_and_chiller", "tower_and_chiller"
        ]
        | None
    ) = None
    supply: _Temperature | None = None
    delta_t: _Difference | None = None
    fluid: Name | None = None
    pump: PumpSection | None = None
    rejection: RejectionSection | None = None


class ChillerSection(_Redundant):
    """Chillers: a catalogue model or curve set, or a capacity, and how many."""

    model: Name | None = None
    capacity: _Heat | None = None
    count: PositiveCount | None = None
    carnot_fraction: Number | None = None

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


class PlantSection(Section):
    """Chilled-water plant and its heat rejection."""

    chilled_water_supply: _Temperature | None = None
    delta_t: _Difference | None = None
    pump: PumpSection | None = None
    chiller: ChillerSection | None = None
    heat_rejection: Literal["tower", "dry_cooler", "air_cooled"] | None = None
    rejection: RejectionSection | None = None
    condenser_range: _Difference | None = None
    pumping: PumpingSection | None = None


class CoolingSection(Section):
    """The cooling chain; every field left out is designed.

    `on_ups` lists the parts the UPS supplies: crah_fans, cdu_pumps, water_pumps.
    """

    method: Literal["air", "liquid", "hybrid"] | None = None
    supply_air: _Temperature | None = None
    server_delta_t: _Difference | None = None
    containment: Literal["hot-aisle", "cold-aisle", "none"] | None = None
    bypass: _Leak | None = None
    recirculation: _Leak | None = None
    room_dew_point: _Temperature | None = None
    outdoor_recirculation: _Margin | None = None
    on_ups: tuple[Literal["crah_fans", "cdu_pumps", "water_pumps"], ...] | None = None
    air: AirPathSection | None = None
    crah: CrahSection | None = None
    cdu: CduSection | None = None
    facility_water: FacilityWaterSection | None = None
    liquid: LiquidPathSection | None = None
    hydraulics: HydraulicsSection | None = None
    plant: PlantSection | None = None
    economizer: EconomizerSection | None = None
    heat_reuse: HeatReuseSection | None = None
    thermal: ThermalSection | None = None

    @model_validator(mode="after")
    def _air_has_no_liquid(self) -> CoolingSection:
        liquid = (self.cdu, self.facility_water, self.liquid)
        if self.method == "air" and any(part is not None for part in liquid):
            raise problem(
                "COOLING_CONTRADICTION",
                "CDUs or facility water are given for cooling by air.",
                "Set the method to hybrid, or leave them out.",
                at="method",
            )
        return self


def _refuse_both(model: object, rating: object, code: str) -> None:
    if model is not None and rating is not None:
        raise problem(
            code,
            "a catalogue model and a rating are both given.",
            "Give the model, or the rating point of your own unit.",
            at="model",
        )
