"""The cooling section of the project: method, supply air, containment, and its parts together."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import PRACTICE, UNSTATED, Source
from facility.model.inputs.cooling.air import AirPathSection, CrahSection
from facility.model.inputs.cooling.economizer import EconomizerSection
from facility.model.inputs.cooling.hydraulics import HydraulicsSection
from facility.model.inputs.cooling.liquid import CduSection, FacilityWaterSection, LiquidPathSection
from facility.model.inputs.cooling.plant import (
    HeatReuseSection,
    MakeupWaterSection,
    PlantSection,
    StorageSection,
)
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Section, problem, quantity

_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=70.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]
_Margin = Annotated[Measured, quantity("temperature_difference", maximum=10.0)]
_Reserve = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=3.0)]
_FanPower = Annotated[Measured, quantity("specific_fan_power", maximum=5e3)]
_SERVER_AIR = Source("nvidia-dgx-h100-user-guide", "1,105 cfm at 80 % fan PWM", "", "read")
_SERVER_FANS = Source("class-fan-array", "", "", "memory")
_Leak = Annotated[Measured, quantity("fraction", maximum=0.9)]


class CoolingSection(Section):
    """The cooling chain; every field left out is designed."""

    method: Literal["air", "liquid", "hybrid"] | None = optional(
        "How the equipment is cooled",
        Default(None, "by air, or hybrid where equipment gives heat to coolant", UNSTATED),
    )
    supply_air: _Temperature | None = optional(
        "Air supplied to the halls",
        Default(None, "supply air at the rating of the units, warmer with warmer water"),
    )
    server_delta_t: _Difference | None = optional(
        "Rise of the air through the servers",
        Default(None, "by their published flow; else the drop across the air handlers"),
    )
    server_airflow_reserve: _Reserve | None = optional(
        "Maximum air flow of servers over that of their data sheets",
        Default(1.25, "data-sheet flow at 80 % fan speed, as for the DGX H100", _SERVER_AIR),
    )
    server_fan_power: _FanPower | None = optional(
        "Power of server fans over the air flow of the data sheet",
        Default(1667.0, "750 Pa at 45 % efficiency", _SERVER_FANS),
    )
    containment: Literal["hot-aisle", "cold-aisle", "none"] | None = optional(
        "Which aisles are contained",
        Default(None, "contained hot aisles; with rear doors open ones", UNSTATED),
    )
    bypass: _Leak | None = optional(
        "Part of the supply air that returns unused", Default(None, "by the containment", PRACTICE)
    )
    recirculation: _Leak | None = optional(
        "Part of the exhaust that enters inlets again",
        Default(None, "by the containment", PRACTICE),
    )
    worst_recirculation: _Leak | None = optional(
        "Part of the exhaust that enters the inlet of the worst rack again",
        Default(None, "the worst rack takes in twice the mean", PRACTICE),
    )
    room_dew_point: _Temperature | None = optional(
        "Dew point of the air of the halls",
        Default(
            None, "highest recommended dew point: the worst for condensation on coils and pipes"
        ),
    )
    outdoor_recirculation: _Margin | None = optional(
        "How much warmer than the weather the air is that heat rejection takes in",
        Default(1.0, "rise of the air that heat rejection takes in by its own", PRACTICE),
    )
    on_ups: (
        tuple[Literal["crah_fans", "cdu_pumps", "water_pumps", "crac_compressors"], ...] | None
    ) = optional(
        "Parts of the cooling that the UPS supplies",
        Default(None, "all of them, each with its reason"),
        most=4,
    )
    air: AirPathSection | None = None
    crah: CrahSection | None = None
    cdu: CduSection | None = None
    facility_water: FacilityWaterSection | None = None
    liquid: LiquidPathSection | None = None
    hydraulics: HydraulicsSection | None = None
    plant: PlantSection | None = None
    economizer: EconomizerSection | None = None
    heat_reuse: HeatReuseSection | None = None
    makeup_water: MakeupWaterSection | None = None
    storage: StorageSection | None = None
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
