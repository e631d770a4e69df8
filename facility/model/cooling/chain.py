"""The cooling chain in SI: specified values and design variables.

None marks a design variable. Powers and heats are in W, temperatures in degC, volume flows
in m3/s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from facility.model.cooling.air import AirPath
from facility.model.cooling.economizer import EconomizerPlan
from facility.model.cooling.liquid import LiquidPlan
from facility.model.cooling.plant import NO_PUMPING, HeatReusePlan, PumpingPlan
from facility.model.cooling.thermal import StoragePlan
from facility.model.cooling.units import (
    CduUnit,
    CrahUnit,
    Curve,
    DryCoolerUnit,
    Fluid,
    HydraulicsPlan,
    Pads,
    Pump,
    SinkKind,
    Spares,
    WaterSource,
)

Method = Literal["air", "liquid", "hybrid"]


@dataclass(frozen=True)
class CrahPlan:
    """Air side of the halls and of the electrical rooms.

    `unit` is the hall unit, `path` its type. `halls` holds (name, share of the air
    heat). `sizing_factor` multiplies the IT air heat for unit sizing. `film_ratio` is
    air-side over water-side hA of the coil at its rating, `water_film` the film of the fluid of the
    chilled water over that of water.
    """

    unit: CrahUnit
    count: int | None
    electrical_count: int | None
    spares: Spares
    supply_air_c: float
    containment: str
    bypass: float
    recirculation: float
    worst_recirculation: float
    server_rise_k: float
    inlet_limit_c: float | None
    halls: tuple[tuple[str, float], ...]
    sizing_factor: float
    fan_curve: Curve
    factors: Mapping[str, float] = field(hash=False)  # Of `CrahSection`, by name
    film_ratio: float
    on_ups: bool
    path: AirPath
    water_film: float = 1.0

    @property
    def contained(self) -> bool:
        """Whether the aisles are contained."""
        return self.containment != "none"


@dataclass(frozen=True)
class CduPlan:
    """Liquid side of the halls: units, and the coolant the racks need at full IT load.

    `rack_flow_m3_s` is the flow required by the rack data; `tcs_flow_m3_s` the pumped flow.
    """

    unit: CduUnit
    count: int | None
    spares: Spares
    fluid: Fluid
    tcs_supply_c: float
    tcs_supply_max_c: float | None
    tcs_flow_m3_s: float
    rack_flow_m3_s: float
    sizing_factor: float
    pump_curve: Curve
    on_ups: bool


@dataclass(frozen=True)
class SinkPlan:
    """Heat rejection of one loop."""

    kind: SinkKind  # Open tower, dry cooler, or the condenser coils of air-cooled chillers
    fluid: Fluid  # Circulating fluid
    # Dedicated pumps; None where the pumps belong to the served loop, and for air-cooled chillers.
    pump: Pump | None
    count: int | None  # Units as built
    spares: Spares
    unit: DryCoolerUnit  # Dry-cooler rating, used for dry coolers only
    cell_w: float  # Largest heat of one tower cell
    fan_w_per_kg_s: float  # Fan power of a tower cell for each kg/s of water
    # Dry cooler: leaving fluid above the entering air at design. Air-cooled chiller: condensing
    # temperature above the entering air.
    approach_k: float
    fan_curve: Curve  # Part-load curve of the fans
    cycles: float  # Cycles of concentration of open towers
    drift: float  # Of open towers at full fan speed, over their water
    least_air: float  # Air flow with the fan off, over air flow at full speed
    pads: Pads | None = None  # Of dry coolers
    # Water flow of tower cells at their rating, over the correlation's flow at the same approach.
    water_ratio: float = 1.0
    cell_kg_s: float | None = None  # Water flow of a tower cell with a stated rating
    tower: str = ""  # Model of a tower with a stated rating
    film: float = (
        1.0  # Film coefficient of the fluid in dry coolers, over its value at their rating
    )

    @property
    def unit_name(self) -> str:
        """Model of the units, if any."""
        return self.unit.model if self.kind == "dry_cooler" else self.tower or "units"


@dataclass(frozen=True)
class ChillerPlan:
    """Chillers: performance model and number.

    `curves` is the catalogue curve set, None for the lift model only; `rated_w` is
    the capacity of the machine at its rating, scaled to each chiller, and
    `altitude_k` the temperature penalty of air-cooled condensers from altitude, or of condensers
    rated with water from glycol; `glycol_k` the penalty of glycol in the evaporator. `min_w` is
    the minimum capacity of a chiller.

    `rated_lift_k` is the lift at the point the Carnot fraction is from, None where there is none.
    `warmest_chw_c` is the warmest leaving chilled water of the rating curves, None without curves.
    """

    model: str
    capacity_w: float | None
    largest_w: float
    count: int | None
    spares: Spares
    carnot_fraction: float
    rated_lift_k: float | None
    warmest_chw_c: float | None
    evaporator_approach_k: float
    condenser_approach_k: float
    min_lift_k: float
    factors: Mapping[str, float] = field(hash=False)  # Of `ChillerSection`, by name
    from_memory: bool
    curves: str | None = None
    rated_w: float = 0.0
    altitude_k: float = 0.0
    glycol_k: float = 0.0
    min_w: float = 0.0


@dataclass(frozen=True)
class ChilledWaterPlan:
    """Chilled-water loop of the air handlers.

    `direct`: direct expansion without water; the chillers represent the CRAC compressors, and the
    supply represents the refrigerant plus the evaporator approach. Towers are controlled to the
    wet bulb plus `setpoint_approach_k` (None: as cold as reduces chiller power), and to at most
    `setpoint_max_c` (None: the design water temperature). `condenser_flow_m3_s` is a constant
    condenser water flow through the duty chillers, so that the range follows from the heat; None
    where units are staged to maintain the range. `outdoors`: evaporators and free-cooling coils of
    air-cooled chillers are outdoors, with their water.
    """

    supply_c: float
    rise_k: float
    fluid: Fluid
    pump: Pump
    chiller: ChillerPlan
    sink: SinkPlan
    condenser_range_k: float
    min_water_c: float  # Minimum condenser water or air temperature
    pumps_on_ups: bool
    direct: bool = False
    compressors_on_ups: bool = False  # CRAC compressors
    pumping: PumpingPlan = NO_PUMPING
    setpoint_approach_k: float | None = None
    setpoint_max_c: float | None = None
    condenser_flow_m3_s: float | None = None
    outdoors: bool = False
    # Temperature rise at the unit rating, with the fluid of the loop; infinite for CRACs.
    usual_rise_k: float = inf

    @property
    def return_c(self) -> float:
        """Return water temperature; the coil valves maintain the rise."""
        return self.supply_c + self.rise_k


@dataclass(frozen=True)
class FacilityWaterPlan:
    """Facility water of the CDUs.

    `rise_k` None: the flow equals the coolant flow. `exchanger_approach_k` is the approach of the
    plate exchanger that isolates it from an open tower or from the chilled water. `trim`:
    downstream of towers or dry coolers chilled water removes the remaining heat. `liquid_class` and
    `class_max_c` are its class, as stated or the coolest class that covers it. `tower_range_k` is
    the range of the tower water, at most the facility water rise.
    """

    source: WaterSource
    supply_c: float
    rise_k: float | None
    fluid: Fluid
    pump: Pump
    sink: SinkPlan | None
    exchanger_approach_k: float
    trim: bool
    liquid_class: str = field(compare=False)  # Name of the class of `class_max_c`
    class_max_c: float
    tower_range_k: float = inf


@dataclass(frozen=True)
class RackAir:
    """Air-cooled heat of one rack of a type, and its air flow at the site.

    `hall` is the location of the racks, `rise_k` the rise of the air across their equipment;
    `drawn_m3_s` is the flow from equipment data where a rise is stated instead, else None.
    `sea_level_m3_s` is the fan flow for the same heat at sea level with `fans_w`, `max_m3_s`
    the flow at full speed, `standard_m3_s` the volume at sea level of the air at the site.
    """

    name: str
    count: int
    air_w: float
    airflow_m3_s: float
    hall: str
    rise_k: float
    drawn_m3_s: float | None = None
    standard_m3_s: float = 0.0
    sea_level_m3_s: float = 0.0
    max_m3_s: float = 0.0
    fans_w: float = 0.0


_TCS_OVER_DEW_POINT_K = 2.0
TOLERANT_STORAGE_S = 43_200.0
"""Twelve hours of make-up water, which fault tolerance of the cooling requires."""


@dataclass(frozen=True)
class CoolingChain:
    """All heat removal equipment; `cdu`, `facility_water`, `liquid` are None without liquid.

    `hydraulics` and `liquid` describe pipes, racks and CDUs for the studies of the loops.
    """

    method: Method
    crah: CrahPlan
    cdu: CduPlan | None
    facility_water: FacilityWaterPlan | None
    chilled_water: ChilledWaterPlan
    racks: tuple[RackAir, ...]
    room_dew_point_c: float
    recirculation_k: float
    hydraulics: HydraulicsPlan
    liquid: LiquidPlan | None
    economizer: EconomizerPlan
    heat_reuse: HeatReusePlan | None = None
    storage: StoragePlan | None = None
    makeup_storage_s: float | None = (
        None  # Stored make-up water at the water use of the design hour
    )

    @property
    def wetted_sinks(self) -> tuple[SinkPlan, ...]:
        """Towers, and dry coolers with pads, which depend on make-up water."""
        of_water = self.facility_water.sink if self.facility_water is not None else None
        sinks = (self.chilled_water.sink, *([of_water] if of_water is not None else []))
        return tuple(one for one in sinks if one.kind == "tower" or one.pads is not None)

    @property
    def rejects_outdoors(self) -> bool:
        """Whether there are towers or dry coolers, of the chillers or of the facility water."""
        of_water = self.facility_water.sink if self.facility_water is not None else None
        return of_water is not None or self.chilled_water.sink.kind != "air_cooled"

    @property
    def hall_dew_points_c(self) -> tuple[float, float]:
        """Driest and dampest dew point of the halls: room air and outdoor air supply."""
        low_c = high_c = self.room_dew_point_c
        if self.economizer.kind == "air-side-direct":
            low_c = min(low_c, self.economizer.dew_point_min_c)
            high_c = max(high_c, self.economizer.dew_point_max_c)
        return low_c, high_c

    @property
    def coolant_min_c(self) -> float:
        """Coldest coolant; for coils and doors the surface temperature decides, not the water."""
        return self.hall_dew_points_c[1] + _TCS_OVER_DEW_POINT_K
