"""The lumped model of a design: stores, set points, and unit capacities."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.air.air_side import SupplyAir, supply_air
from facility.cooling.air.crah import coil_temperature, doors_of
from facility.cooling.air.terminals import Doors
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.chain.installed import installed_units
from facility.cooling.hydraulics.headers import STATED, HeaderLoss, coolant_header_loss, header_loss
from facility.cooling.hydraulics.study import study_hydraulics
from facility.cooling.loops.loop import LoopRow
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.parts.loads import HeatLoad
from facility.cooling.plant.makeup import DrySink, without_makeup
from facility.cooling.plant.pumping import secondary_head
from facility.cooling.ride_through.schedule import Bank, Part
from facility.cooling.ride_through.stores import Settings
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray, Numeric
from facility.core.trace import Quiet, Trace
from facility.core.views import show
from facility.model.cooling.thermal import Restart, ThermalBasis
from facility.model.facility import Weather
from facility.physics.plant.thermal_transient import stored_heat_capacity, time_to_rise
from facility.physics.plant.tower.yorkcalc import yorkcalc_approach

_VALVE_S = 10.0
"""Time constant of a valve controlling its coil to set point."""


@dataclass(frozen=True, eq=False)
class RidePlant:
    """Lumped model of a design."""

    design: CoolingDesign  # The cooling
    flow: CoolingFlow  # Operating point at the heat of the design hour
    heat: HeatLoad  # Heat of the design hour
    thermal: ThermalBasis  # Masses of the cooling
    air: SupplyAir  # Supply air at site pressure
    settings: Settings  # Constants
    coil_j_k: float  # Heat capacity of hall coils including water
    door_j_k: float  # Heat capacity of rear doors
    doors: Doors | None  # Rear doors in operation
    banks: dict[Part, Bank]  # Units of every part; empty if absent
    # Capacity rates of the streams in normal operation [W/K], before the failure.
    it_air_w_k: float
    supply_air_w_k: float
    tcs_w_k: float
    fws_w_k: float
    chw_w_k: float
    sink_w_k: float  # Facility-water heat rejection with its duty units [W/K]
    dry: DrySink | None  # The same without make-up water; None if it uses none
    exchanger_w_k: float  # Its exchanger to the chilled water [W/K]
    tank_j_m3k: float  # Volumetric heat capacity of chilled water [J/(m3 K)]
    fws_j_m3k: float  # Volumetric heat capacity of facility water [J/(m3 K)]
    # Water of the loops of coolant, facility water and chilled water, without a buffer.
    tcs_m3: float
    fws_m3: float
    chw_m3: float
    chw_min_m3: float  # Loop volume required for chiller control
    coolant: LoopRow | None  # Loop of the coolant as laid out

    @property
    def has_liquid(self) -> bool:
        """Whether there are CDUs in operation."""
        return self.design.cdus is not None and self.heat.liquid_it_w > 0.0

    @property
    def direct(self) -> bool:
        """Whether the hall units have their own compressors."""
        return self.settings.direct

    def has(self, part: Part) -> bool:
        """Return whether this part of the cooling exists."""
        if part in ("cdus", "fws_pumps") and not self.has_liquid:
            return False
        return self.banks[part].installed > 0 and not (part == "chw_pumps" and self.direct)

    def header(self, part: Part) -> HeaderLoss:
        """Return the remaining flow in the headers supplied by `part`, worst section isolated."""
        design, chain = self.design, self.design.chain
        if part == "cdus":
            return self._coolant_header
        row, spares = design.chilled.loop, chain.crah.spares
        if part == "fws_pumps" and design.water is not None:
            row, spares = design.water.loop, design.water.cdus.plan.spares
        if row is None:
            raise ValueError(part)
        stated = self.thermal.restart.header_flow
        if stated is not None:
            return HeaderLoss(STATED, 0, 0, 0, stated, stated)
        if part == "fws_pumps":
            return header_loss(row, chain.hydraulics, spares.spare)
        head_pa = secondary_head(design.chilled.plan.pumping, design.chilled.pump)
        return header_loss(
            row, chain.hydraulics, spares.spare, doors=self.door_count, head_pa=head_pa
        )

    @property
    def door_count(self) -> int:
        """Rear doors on the chilled water, one at each rack with heat in air."""
        return 0 if self.doors is None else round(sum(kind.count for kind in self.doors.kinds))

    @property
    def has_coolant_header(self) -> bool:
        """Whether CDUs supply racks through headers, not in-rack."""
        return self.has_liquid and self.coolant is not None and len(self.coolant.stretches) > 1

    @property
    def _coolant_header(self) -> HeaderLoss:
        loss = None
        if self.coolant is not None:
            loss = coolant_header_loss(self.coolant, self.design.chain.hydraulics)
        if loss is None:
            raise ValueError("cdus")
        return loss

    @property
    def racks(self) -> int:
        """Racks cooled by liquid."""
        liquid = self.design.chain.liquid
        return sum(rack.count for rack in liquid.racks) if liquid is not None else 0

    @property
    def time_without_flow_s(self) -> tuple[float, float]:
        """Time from the loss of all coolant flow to the chip limit [s], minimum and maximum.

        With heat capacity of chips and cold plates only, or including all rack coolant.
        """
        design, loops, liquid = self.design, self.thermal.loops, self.design.chain.liquid
        rise_k = loops.plate_limit_c - self.settings.tcs_c - loops.plate_rise_k
        heat_w, coolant_j_k = self.heat.liquid_it_w, 0.0
        if liquid is not None and design.cdus is not None:
            volume_m3 = sum(rack.count for rack in liquid.racks) * liquid.rack_volume_m3
            properties = design.cdus.tcs.properties
            coolant_j_k = float(stored_heat_capacity.si(volume_m3, **properties))
        shortest, longest = (
            float(time_to_rise.si(capacity_j_k, max(rise_k, 0.0), heat_w))
            for capacity_j_k in (loops.plate_j_k, loops.plate_j_k + coolant_j_k)
        )
        return shortest, longest

    @property
    def not_counted(self) -> dict[str, str]:
        """Equipment with unknown, excluded water volume, by loop; coil mass includes water."""
        design = self.design
        found: dict[str, str] = {}
        if not self.direct and self.thermal.loops.chw_m3 is None:
            found["chw"] = f"evaporators ({design.chilled.plan.chiller.model})"
        water, loops = design.water, self.thermal.loops
        if self.has_liquid and water is not None and loops.fws_m3 is None:
            cooler = "dry coolers" if water.loop.outdoors else "plate exchangers"
            found["fws"] = f"CDUs ({water.cdus.plan.unit.model}), {cooler}"
        if self.has_liquid and design.cdus is not None and loops.tcs_m3 is None:
            found["tcs"] = f"CDUs ({design.cdus.plan.unit.model})"
        return found

    @property
    def chw_short_m3(self) -> float:
        """Shortfall of the chilled-water loop volume for chiller control [m3]."""
        return max(self.chw_min_m3 - self.chw_m3, 0.0)

    @property
    def coils_heat_w(self) -> float:
        """Heat of the halls in normal operation, without heat removed by rear doors."""
        fans_w = self.doors.fans_w if self.doors is not None else 0.0
        return self.flow.room_w + fans_w - self.flow.doors_w

    @property
    def return_air_c(self) -> float:
        """Air handler return air in normal operation."""
        return self.settings.air_c + self.coils_heat_w / self.supply_air_w_k

    @property
    def cold_air_c(self) -> float:
        """Supply-side air in normal operation, with hot air for any shortfall."""
        drawn_w_k = self.it_air_w_k * (1.0 - self.settings.recirculation)
        share = min(1.0, self.supply_air_w_k / drawn_w_k) if drawn_w_k > 0.0 else 1.0
        return share * self.settings.air_c + (1.0 - share) * self.return_air_c

    @property
    def exhaust_c(self) -> float:
        """Equipment exhaust air in normal operation."""
        drawn_w_k = self.it_air_w_k * (1.0 - self.settings.recirculation)
        return self.cold_air_c + (self.heat.air_it_w / drawn_w_k if drawn_w_k > 0.0 else 0.0)

    @property
    def chilled_w(self) -> float:
        """Heat into the chilled water in normal operation; into the refrigerant for CRACs."""
        flow = self.flow
        if self.direct:
            return flow.coils_w
        coils_w = flow.coils_w + flow.doors_w + flow.electrical_coils_w + flow.fresh_w
        return coils_w + flow.fws_chilled_w + flow.power.chw_pumps_w

    @property
    def fan_w(self) -> float:
        """Power of the fans of the halls in normal operation; heat in the air."""
        return self.flow.coils_w - self.coils_heat_w


def ride_plant(
    design: CoolingDesign, flow: CoolingFlow, heat: HeatLoad, thermal: ThermalBasis,
    weather: Weather,
) -> RidePlant:  # fmt: skip
    """Return the lumped model of a design in operation.

    Facility water and chilled water flow as designed, all valves open; at design-hour heat
    returns are slightly colder than in `flow`.

    flow, heat: Operating point, and its heat.

    Raises ``RIDE_THROUGH_SHORT`` where fewer units are installed than the heat requires:
    temperatures then rise before any failure.
    """
    for one in installed_units(design, flow):
        if one.shortfall.any():
            raise FacilityError(
                "RIDE_THROUGH_SHORT",
                one.field,
                f"{one.name}: {one.installed} installed with "
                f"{show(float(one.capacity), one.kind)}, {show(float(one.required), one.kind)} "
                "required at the design hour; temperatures rise before any failure.",
                "Add units, or reduce the load; a tank cannot replace them.",
            )
    chain, crah = design.chain, design.chain.crah
    air = supply_air(chain, weather.pressure_pa, Quiet())
    per_m3 = air.specific_heat_j_kgk / air.volume_m3_kg
    chilled = design.chilled
    cdus = design.cdus if heat.liquid_it_w > 0.0 else None
    loops = {row.name: row for row in study_hydraulics(design, flow, None, Trace()).loops}
    sink_c, sink_w_k = _sink(design, flow, weather)
    sink = design.water.sink if design.water is not None else None
    dry = without_makeup(sink, weather, chain.recirculation_k)
    doors = doors_of(chain, heat.air_it_w, air)
    supply_m3_s = flow.crah_airflow_m3_s * (1.0 if doors is None else 1.0 - crah.bypass)
    taken_w = flow.coils_w + flow.doors_w
    # Metal mass follows installed units with a coil rating, else the heat.
    rated_w = crah.unit.net_sensible_w + crah.unit.fan_w if chilled.plan.direct else 0.0
    whole_w = max(taken_w, design.counts.crah * rated_w)
    mass_j_k = thermal.room.coil_j_k or thermal.room.coil_s_k * whole_w
    coil_j_k, door_j_k = (mass_j_k * w / taken_w for w in (flow.coils_w, flow.doors_w))
    return RidePlant(
        design=design, flow=flow, heat=heat, thermal=thermal, air=air,
        settings=Settings(
            air_c=flow.supply_air_c, tcs_c=flow.tcs_supply_c, fws_c=flow.fws_supply_c,
            chw_c=coil_temperature(chain), sink_c=sink_c,
            recirculation=0.0 if doors is not None else crah.recirculation,
            server_effectiveness=thermal.room.server_effectiveness,
            structure_w_k=thermal.room.structure_w_k,
            valve_w_k=coil_j_k / _VALVE_S, door_valve_w_k=door_j_k / _VALVE_S,
            shutdown_c=thermal.room.shutdown_c,
            plate_limit_c=thermal.loops.plate_limit_c, direct=chilled.plan.direct,
        ),
        coil_j_k=coil_j_k, door_j_k=door_j_k, doors=doors,
        banks=_banks(design, flow.coolant_of_chilled, thermal.restart),
        it_air_w_k=heat.air_it_w / crah.server_rise_k, supply_air_w_k=supply_m3_s * per_m3,
        tcs_w_k=cdus.tcs.rate_w_k(flow.tcs_flow_m3_s) if cdus is not None else 0.0,
        fws_w_k=cdus.fws.rate_w_k(cdus.fws_flow_m3_s) if cdus is not None else 0.0,
        chw_w_k=0.0 if chilled.plan.direct else chilled.liquid.rate_w_k(
            max(chilled.pump.flow_m3_s, flow.chw_flow_m3_s)
        ),
        sink_w_k=sink_w_k, dry=dry, exchanger_w_k=_exchanger(design, flow),
        tank_j_m3k=float(stored_heat_capacity.si(1.0, **chilled.liquid.properties)),
        fws_j_m3k=float(stored_heat_capacity.si(1.0, **cdus.fws.properties)) if cdus else 0.0,
        **_volumes(design, flow, thermal, loops), coolant=loops.get("tcs"),
    )  # fmt: skip


def _banks(design: CoolingDesign, chilled: float, restart: Restart) -> dict[Part, Bank]:
    """Return the units: all running, except spare chillers and standby heat rejection.

    The share `chilled` of chilled-water heat is from coolant.
    """
    counts = design.counts
    if design.chilled.plan.direct:
        counts = replace(counts, chillers=counts.crah, chillers_duty=counts.crah)

    def duty(installed: int, required: int) -> Bank:
        running = min(installed, required)
        return Bank(installed, running, running, chilled)

    def rejection(installed: int, required: int, coolant: float) -> Bank:
        running = min(installed, required)
        standing_by = restart.standby_rejection
        return Bank(installed, running if standing_by else installed, running, coolant)

    return {
        "fans": Bank(counts.crah, counts.crah),
        "cdus": Bank(counts.cdu, counts.cdu, coolant=1.0),
        "fws_pumps": Bank(1, 1, coolant=1.0),
        "chw_pumps": Bank(1, 1, coolant=chilled),
        "chillers": duty(counts.chillers, counts.chillers_duty),
        "rejection": rejection(counts.rejection, counts.rejection_duty, chilled),
        "fws_rejection": rejection(counts.fws_rejection, counts.fws_rejection_duty, 1.0),
    }


def _volumes(
    design: CoolingDesign, flow: CoolingFlow, thermal: ThermalBasis, laid_out: dict[str, LoopRow]
) -> dict[str, float]:
    """Return the loop volumes, stated or calculated, and the minimum of the chillers."""
    loops, direct = thermal.loops, design.chilled.plan.direct

    def volume_of(name: str, given_m3: float | None) -> float:
        if given_m3 is not None:
            return given_m3
        return laid_out[name].volume_m3 if name in laid_out else 0.0

    return {
        "tcs_m3": volume_of("tcs", loops.tcs_m3),
        "fws_m3": volume_of("fws", loops.fws_m3),
        "chw_m3": 0.0 if direct else volume_of("chw", loops.chw_m3),
        "chw_min_m3": 0.0 if direct else loops.chw_min_m3_per_w * flow.chiller_load_w,
    }


def _sink(design: CoolingDesign, flow: CoolingFlow, weather: Weather) -> tuple[float, float]:
    """Return the minimum supply of the facility water heat rejection, and its conductance.

    With the fans of all duty units at full speed the water leaves at the approach of the tower
    above the wet bulb, or follows the cooler effectiveness; both are constant off design.
    With supplementary chilled water it is the conductance for their share.
    """
    water = design.water
    if water is None or water.sink is None:
        return 0.0, 0.0
    sink, recirculation_k = water.sink, design.chain.recirculation_k
    range_k = sink.range_k / water.tower_part
    rate_w_k = sink.heat_w / range_k
    if sink.plan.kind == "tower":
        wet_c = weather.wet_bulb_c + recirculation_k
        approach_k = float(yorkcalc_approach.si(wet_c, sink.range_k, sink.plan.water_ratio, 1.0))
        part = range_k / (range_k + approach_k)
        cold_c = wet_c + water.plan.exchanger_approach_k
    else:
        cold_c = sink.coldest_air(weather, recirculation_k)
        part = sink.fluid_effectiveness(1.0, cold_c, weather.pressure_pa)
    if flow.fws_chilled_w > 0.0:
        return_c = flow.fws_supply_c + flow.facility_water_w / water.cdus.fws.rate_w_k(
            water.cdus.fws_flow_m3_s
        )
        taken_w = flow.facility_water_w - flow.fws_chilled_w
        return cold_c, taken_w / max(return_c - cold_c, 1e-6)
    return cold_c, rate_w_k * part


def _exchanger(design: CoolingDesign, flow: CoolingFlow) -> float:
    """Return the conductance of the exchanger to the chilled water, sized for its design heat."""
    water = design.water
    if water is None or water.chilled_w <= 0.0:
        return 0.0
    hot_c = water.plan.supply_c + water.rise_k
    return water.chilled_w / (hot_c - flow.chw_supply_c)


def cdu_conductance(
    cdus: CduDesign, units: Numeric, tcs_w_k: Numeric, fws_w_k: Numeric
) -> FloatArray:
    """Return eps Cmin of all CDUs in operation [W/K].

    units, tcs_w_k, fws_w_k: Units in operation and the capacity rates of both loops over all of
        them.
    """
    n = np.maximum(units, 1e-9)
    tcs, fws = np.maximum(tcs_w_k, 1e-9) / n, np.maximum(fws_w_k, 1e-9) / n
    works = (np.asarray(units) > 0.0) & (np.asarray(tcs_w_k) > 0.0) & (np.asarray(fws_w_k) > 0.0)
    found = n * np.minimum(tcs, fws) * cdus.exchanger.effectiveness(tcs, fws)
    return np.where(works, found, 0.0)
