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
    """The cooling chain; omitted fields are designed."""

    method: Literal["air", "liquid", "hybrid"] | None = optional(
        "Cooling method of the equipment",
        Default(None, "air, or hybrid where equipment rejects heat to coolant", UNSTATED),
    )
    supply_air: _Temperature | None = optional(
        "Supply air temperature",
        Default(None, "rated supply air of the units, warmer with warmer water"),
    )
    server_delta_t: _Difference | None = optional(
        "Air temperature rise through the servers",
        Default(None, "from published server air flow; else the air handler temperature drop"),
    )
    server_airflow_reserve: _Reserve | None = optional(
        "Maximum server air flow over data-sheet air flow",
        Default(1.25, "data-sheet flow at 80 % fan speed, as for the DGX H100", _SERVER_AIR),
    )
    server_fan_power: _FanPower | None = optional(
        "Server fan power over data-sheet air flow",
        Default(1667.0, "750 Pa at 45 % efficiency", _SERVER_FANS),
    )
    containment: Literal["hot-aisle", "cold-aisle", "none"] | None = optional(
        "Aisle containment", Default(None, "hot-aisle containment; none with rear doors", UNSTATED)
    )
    bypass: _Leak | None = optional(
        "Supply air bypass fraction", Default(None, "by containment", PRACTICE)
    )
    recirculation: _Leak | None = optional(
        "Mean exhaust recirculation fraction at the inlets",
        Default(None, "by containment", PRACTICE),
    )
    worst_recirculation: _Leak | None = optional(
        "Exhaust recirculation fraction at the worst rack inlet",
        Default(None, "twice the mean recirculation", PRACTICE),
    )
    room_dew_point: _Temperature | None = optional(
        "Room dew point",
        Default(
            None, "maximum recommended dew point: worst case for condensation on coils and pipes"
        ),
    )
    outdoor_recirculation: _Margin | None = optional(
        "Temperature rise of heat rejection intake air over ambient",
        Default(1.0, "recirculation of discharge air", PRACTICE),
    )
    on_ups: (
        tuple[Literal["crah_fans", "cdu_pumps", "water_pumps", "crac_compressors"], ...] | None
    ) = optional(
        "Cooling equipment on UPS", Default(None, "all, each with its reason"), max_count=4
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
                "CDUs or facility water are specified with air cooling.",
                "Set the method to hybrid, or omit them.",
                at="method",
            )
        return self
