"""The cooling chain in SI: what is given and what is left to be designed.

None means that the design chooses. Powers and heats are in W, temperatures in degC, volume flows
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

    `unit` stands in the halls, `path` says what it is. `halls` holds (name, share of the air
    heat). `sizing_factor` multiplies the IT air heat the units are sized for. `film_ratio` is
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

    `rack_flow_m3_s` is what the racks' own data demand; `tcs_flow_m3_s` what is pumped.
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
    fluid: Fluid  # What circulates
    # Pumps of its own; None where the loop it serves has them, and for air-cooled chillers.
    pump: Pump | None
    count: int | None  # Units as built
    spares: Spares
    unit: DryCoolerUnit  # Dry-cooler rating, used by that kind
    cell_w: float  # Largest heat of one tower cell
    fan_w_per_kg_s: float  # Fan power of a tower cell for each kg/s of water
    # Dry cooler: leaving fluid above the entering air at design. Air-cooled chiller: condensing
    # temperature above the entering air.
    approach_k: float
    fan_curve: Curve  # Part-load curve of the fans
    cycles: float  # Cycles of concentration of open towers
    drift: float  # Of open towers at full fan speed, over their water
    least_air: float  # Air flow of a unit with its fan off, over that at full speed
    pads: Pads | None = None  # Of dry coolers
    # Water of tower cells at their rating, over that of the correlation with its approach.
    water_ratio: float = 1.0
    cell_kg_s: float | None = None  # Water of a tower cell whose rating is given
    tower: str = ""  # Model of a tower whose rating is given
    film: float = 1.0  # Of the fluid in dry coolers, over that of their rating

    @property
    def unit_name(self) -> str:
        """Model of its units, where they have one."""
        return self.unit.model if self.kind == "dry_cooler" else self.tower or "units"


@dataclass(frozen=True)
class ChillerPlan:
    """Chillers: what their power follows, and their number.

    `curves` is the curve set of the catalogue they run by, None for the lift alone; `rated_w` is
    the capacity of the machine at its rating, of which each is made in proportion, and
    `thin_air_k` by how much the air seems warmer to air-cooled condensers at the place, or glycol
    to condensers rated with water; `glycol_k` by how much chilled glycol seems colder. None is made
    smaller than `least_w`.

    `rated_lift_k` is the lift at the point the Carnot fraction is from, None where there is none.
    `warmest_chw_c` is the warmest leaving chilled water of the curves it is from, None without.
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
    least_lift_k: float
    factors: Mapping[str, float] = field(hash=False)  # Of `ChillerSection`, by name
    from_memory: bool
    curves: str | None = None
    rated_w: float = 0.0
    thin_air_k: float = 0.0
    glycol_k: float = 0.0
    least_w: float = 0.0


@dataclass(frozen=True)
class ChilledWaterPlan:
    """Chilled-water loop of the air handlers.

    `direct`: there is no water; the chillers stand for the compressors of CRACs, and the supply
    for the refrigerant, warmer than it evaporates by the evaporator's approach. Towers are held to
    the wet bulb and `setpoint_approach_k`, None for as cold as the chillers gain by, and to
    `setpoint_most_c` at the warmest, None for the water at design. `condenser_flow_m3_s` is a
    constant flow of the condenser water through the chillers on duty, with which the range
    follows from the heat; None where units are staged to keep the range. `outdoors`: evaporators,
    and coils for free cooling, of air-cooled chillers stand in the weather with the water in them.
    """

    supply_c: float
    rise_k: float
    fluid: Fluid
    pump: Pump
    chiller: ChillerPlan
    sink: SinkPlan
    condenser_range_k: float
    least_water_c: float  # Coldest water or air that the condensers are given
    pumps_on_ups: bool
    direct: bool = False
    compressors_on_ups: bool = False  # Those of CRACs
    pumping: PumpingPlan = NO_PUMPING
    setpoint_approach_k: float | None = None
    setpoint_most_c: float | None = None
    condenser_flow_m3_s: float | None = None
    outdoors: bool = False
    # Rise at the rating of the units, with the fluid of the loop; without bound for CRACs.
    usual_rise_k: float = inf

    @property
    def return_c(self) -> float:
        """Water that comes back; the valves of the coils keep the rise."""
        return self.supply_c + self.rise_k


@dataclass(frozen=True)
class FacilityWaterPlan:
    """Facility water of the CDUs.

    `rise_k` None: the flow equals the coolant flow. `exchanger_approach_k` is the approach of the
    plate exchanger that parts it from an open tower or from the chilled water. `trim`: behind
    towers or dry coolers chilled water takes what these cannot bring down to the supply.
    `liquid_class` and `class_max_c` are the class it keeps, as stated or the coolest that holds it.
    `tower_range_k` is the range of the tower water, never above that of the facility water.
    """

    source: WaterSource
    supply_c: float
    rise_k: float | None
    fluid: Fluid
    pump: Pump
    sink: SinkPlan | None
    exchanger_approach_k: float
    trim: bool
    liquid_class: str = field(compare=False)  # Name of what `class_max_c` says
    class_max_c: float
    tower_range_k: float = inf


@dataclass(frozen=True)
class RackAir:
    """Air heat of one rack of a kind, and the air it takes in at the site.

    `hall` is where such racks stand, `rise_k` the rise of the air across their equipment;
    `drawn_m3_s` is what that draws by its data where a rise is stated in its place, None elsewhere.
    `sea_level_m3_s` is what its fans move for the same heat at sea level with `fans_w`, `max_m3_s`
    what they move at full speed, `standard_m3_s` the volume at sea level of the air at the site.
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
    """Everything that takes heat out; `cdu`, `facility_water`, `liquid` are None without liquid.

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
    makeup_storage_s: float | None = None  # Stored make-up water at the use of the design hour

    @property
    def wetted_sinks(self) -> tuple[SinkPlan, ...]:
        """Towers, and dry coolers with pads: they miss their temperatures without make-up water."""
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
        """Driest and dampest dew point of the halls: their own, and of outdoor air let in."""
        low_c = high_c = self.room_dew_point_c
        if self.economizer.kind == "air-side-direct":
            low_c = min(low_c, self.economizer.dew_point_min_c)
            high_c = max(high_c, self.economizer.dew_point_max_c)
        return low_c, high_c

    @property
    def coolant_min_c(self) -> float:
        """Coldest coolant; for coils and doors their surface decides, not the water."""
        return self.hall_dew_points_c[1] + _TCS_OVER_DEW_POINT_K
