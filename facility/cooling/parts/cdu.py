"""Coolant distribution units: exchanger rated once, sized at the flows of the racks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.parts.counting import fewest_units
from facility.cooling.parts.exchanger import PLATE_FILM_RATIO, Exchanger, rated
from facility.cooling.parts.fluids import Liquid, film_ratio, liquid_at, liquid_rising
from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.core.rounding import whole_units
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.chain import CduPlan, FacilityWaterPlan
from facility.model.cooling.units import CduUnit
from facility.physics.elementwise import plain
from facility.physics.liquids.coolant import coolant_temperature_rise
from facility.physics.plant.fans_pumps import part_load_power_ratio, running_pumps_power, to_one

_MAX_UNITS_OVER_FLOW = 16
"""Units over those for the coolant flow at which the search ends: the water is too warm."""
MIN_PLATE_FLOW = 0.2
"""Minimum flow over rated flow that prevents fouling and maintains the rating."""


def rated_exchanger(unit: CduUnit) -> Exchanger:
    """Return the exchanger of a unit from its capacity, approach and flows.

    Raises ``OUT_OF_RANGE`` for a rating that counterflow cannot reach.
    """
    where = "cooling.cdu.rating"
    supply_c, capacity_w = unit.tcs_supply_c, unit.capacity_w
    tcs = liquid_rising(unit.tcs_fluid, supply_c, capacity_w, unit.tcs_flow_m3_s, where)
    fws = liquid_rising(
        unit.fws_fluid, supply_c - unit.approach_k, capacity_w, unit.fws_flow_m3_s, where
    )
    tcs_w_k, fws_w_k = tcs.rate_w_k(unit.tcs_flow_m3_s), fws.rate_w_k(unit.fws_flow_m3_s)
    unreachable = (
        f"{unit.model!r}: no exchanger transfers {unit.capacity_w / 1e3:,.0f} kW at "
        f"{unit.approach_k:g} K approach with these flows.",
        "Check capacity, approach, tcs_flow and fws_flow of the rating.",
    )
    span_k = unit.approach_k + capacity_w / tcs_w_k
    return rated(
        "plate", capacity_w, tcs_w_k, fws_w_k, span_k, PLATE_FILM_RATIO, where, unreachable
    )


@dataclass(frozen=True)
class CduDesign:
    """CDUs designed: counts, sizing heat and flows, the liquids in both loops, the exchanger.

    `approach_k` is the approach required by the duty units at the sizing heat `design_w`.
    """

    plan: CduPlan
    duty: int
    installed: int
    design_w: float
    tcs_flow_m3_s: float
    fws_flow_m3_s: float
    tcs: Liquid
    fws: Liquid
    exchanger: Exchanger
    approach_k: float

    def with_inputs(self, plan: CduPlan, water: FacilityWaterPlan) -> CduDesign:
        """Return the same units and design flows under other inputs."""
        found = _at_flows(plan, water, self.design_w, self.tcs_flow_m3_s, self.fws_flow_m3_s)
        duty, installed, approach_k = self.duty, self.installed, self.approach_k
        return replace(found, duty=duty, installed=installed, approach_k=approach_k)

    @property
    def on_duty(self) -> int:
        """Duty units that are installed: as-built counts may be below the requirement."""
        return min(self.duty, self.installed)

    @property
    def remaining(self) -> int:
        """Units in service after the loss that the redundancy covers."""
        return self.plan.spares.remaining(self.installed, self.duty)

    @property
    def remaining_approach_k(self) -> float | None:
        """Approach of the remaining units at the sizing heat; None without any."""
        return self.sizing_approach(self.remaining) if self.remaining else None

    @property
    def remaining_tcs_flow_m3_s(self) -> float:
        """Rated coolant flow of the remaining units."""
        return self.remaining * self.plan.unit.tcs_flow_m3_s

    @property
    def remaining_fws_flow_m3_s(self) -> float:
        """Rated facility-water flow of the remaining units."""
        return self.remaining * self.plan.unit.fws_flow_m3_s

    def approach_with(
        self, units: int, heat_w: float, tcs_flow_m3_s: float, fws_flow_m3_s: float
    ) -> float:
        """Return the approach required by `units` for `heat_w` at these total flows."""
        tcs_w_k = self.tcs.rate_w_k(tcs_flow_m3_s / units)
        fws_w_k = self.fws.rate_w_k(fws_flow_m3_s / units)
        return self.exchanger.approach(heat_w / units, tcs_w_k, fws_w_k)

    def sizing_approach(self, units: int) -> float:
        """Return the approach required by `units` at sizing heat, including pumps."""
        heat_w = self.sizing_heat(units)
        return self.approach_with(units, heat_w, self.tcs_flow_m3_s, self.fws_flow_m3_s)

    def sizing_heat(self, units: int) -> float:
        """Return the facility water heat of `units` at sizing, including pumps."""
        return self.design_w + float(self.pumps_w(float(units), self.tcs_flow_m3_s))

    def pumps_w(self, units: Numeric, tcs_flow_m3_s: Numeric) -> Numeric:
        """Return the power of the pumps of `units` sharing a flow, which is heat in the coolant.

        From the part-load curve, limited to rated flow. `liquid_side` has no such limit.
        """
        unit = self.plan.unit
        ratio = np.minimum(tcs_flow_m3_s / (units * unit.tcs_flow_m3_s), 1.0)
        part = part_load_power_ratio.si(ratio, **to_one(self.plan.pump_curve))
        return running_pumps_power.si(units, unit.pump_w, part)


def exchanger_of(plan: CduPlan, water: FacilityWaterPlan) -> Exchanger:
    """Return the exchanger of the CDUs with the fluids of their loops.

    A better film coefficient than rated is disregarded: few data sheets state their
    test fluid.
    """
    unit, at_c = plan.unit, water.supply_c
    return replace(
        rated_exchanger(unit),
        first_fluid=min(film_ratio(plan.fluid, unit.tcs_fluid, at_c), 1.0),
        second_fluid=film_ratio(water.fluid, unit.fws_fluid, at_c),
    )


@dataclass(frozen=True)
class LiquidSide:
    """The coolant loop in operation: pumps, heat to the facility water, return temperature."""

    pumps_w: float
    heat_w: float
    return_c: float


def size_cdus(
    plan: CduPlan, water: FacilityWaterPlan, heat_w: float, flow_m3_s: float, floor: int
) -> CduDesign:
    """Return the CDUs for `heat_w` and `flow_m3_s`.

    The count follows from the pumped flow, the rated facility water flow and the required
    approach, never from the number of racks.

    Raises ``CDU_INFEASIBLE`` when the facility water is too warm for the coolant required.
    """
    unit, (design, lower) = plan.unit, _by_flow(plan, water, heat_w, flow_m3_s)
    available_k = plan.tcs_supply_c - water.supply_c

    def short(units: int) -> bool:
        return design.sizing_approach(units) > available_k + 1e-9

    lower = max(lower, floor)
    duty = fewest_units(lower, short, _MAX_UNITS_OVER_FLOW * lower)
    if duty == 0:
        rise_k = water.rise_k
        warms = "" if rise_k is None else f"  with a {rise_k:g} K rise"
        raise FacilityError(
            "CDU_INFEASIBLE",
            "cooling.cdu.tcs_supply" if rise_k is None else "cooling.facility_water.delta_t",
            f"no number of {unit.model!r} units supplies {plan.tcs_supply_c:g} degC coolant from "
            f"{water.supply_c:g} degC facility water ({water.fluid.name}){warms}.",
            "Lower the facility water temperature or its rise, raise the coolant temperature, or "
            "select a larger unit.",
        )
    installed = plan.count if plan.count is not None else plan.spares.installed(duty)
    return replace(design, duty=duty, installed=installed, approach_k=design.sizing_approach(duty))


def approach_by_flow(
    plan: CduPlan, water: FacilityWaterPlan, heat_w: float, flow_m3_s: float
) -> float:
    """Return the approach of the CDUs required by the flows, or of stated CDUs without spares."""
    design, lower = _by_flow(plan, water, heat_w, flow_m3_s)
    return design.sizing_approach(max(lower, plan.spares.left(plan.count or 0)))


def approach_of_max_count(
    plan: CduPlan, water: FacilityWaterPlan, heat_w: float, flow_m3_s: float
) -> float:
    """Return the approach of the maximum CDU count with minimum heat exchanger flow."""
    design, lower = _by_flow(plan, water, heat_w, flow_m3_s)
    return design.sizing_approach(max(lower, plan.spares.left(_max_with_plate_flow(plan))))


def meets_minimum_plate_flow(
    plan: CduPlan, water: FacilityWaterPlan, heat_w: float, flow_m3_s: float
) -> bool:
    """Return whether the minimum CDU count, with spares, maintains the minimum flow."""
    _, lower = _by_flow(plan, water, heat_w, flow_m3_s)
    return plan.spares.installed(lower) <= _max_with_plate_flow(plan)


def _max_with_plate_flow(plan: CduPlan) -> int:
    return int(plan.tcs_flow_m3_s / (MIN_PLATE_FLOW * plan.unit.tcs_flow_m3_s))


def _by_flow(
    plan: CduPlan, water: FacilityWaterPlan, heat_w: float, flow_m3_s: float
) -> tuple[CduDesign, int]:
    """Return the CDUs, not yet counted, and the number required by both flows."""
    unit, rise_k = plan.unit, water.rise_k
    fws_flow = flow_m3_s * unit.fws_flow_m3_s / unit.tcs_flow_m3_s
    if rise_k is not None:
        fws_flow = heat_w / _facility_water(water, heat_w, fws_flow).rate_w_k(rise_k)
    required = max(flow_m3_s / unit.tcs_flow_m3_s, fws_flow / unit.fws_flow_m3_s)
    return _at_flows(plan, water, heat_w, flow_m3_s, fws_flow), whole_units(required, minimum=1)


def _at_flows(
    plan: CduPlan, water: FacilityWaterPlan, heat_w: float, tcs_m3_s: float, fws_m3_s: float
) -> CduDesign:
    """Return the CDUs at their design flows, not yet counted."""
    tcs = liquid_rising(plan.fluid, plan.tcs_supply_c, heat_w, tcs_m3_s, "cooling.cdu.tcs_supply")
    fws, exchanger = _facility_water(water, heat_w, fws_m3_s), exchanger_of(plan, water)
    return CduDesign(plan, 0, 0, heat_w, tcs_m3_s, fws_m3_s, tcs, fws, exchanger, 0.0)


def _facility_water(water: FacilityWaterPlan, heat_w: float, flow_m3_s: float) -> Liquid:
    """Return the facility water at its mean temperature: by its rise, else by heat and flow."""
    where = "cooling.facility_water.supply"
    if water.rise_k is None:
        return liquid_rising(water.fluid, water.supply_c, heat_w, flow_m3_s, where)
    return liquid_at(water.fluid, water.supply_c + 0.5 * water.rise_k, where)


def liquid_side(design: CduDesign, trace: Trace) -> LiquidSide:
    """Return the coolant loop in operation with constant pump flow; pump power is heat in it.

    All installed units run and share the flow, each at most at rated pump flow.
    """
    plan = design.plan
    ratio = plan.tcs_flow_m3_s / (design.installed * plan.unit.tcs_flow_m3_s)
    above = "" if ratio <= 1.0 else "; above rated flow, power is limited to rated"
    trace.given("cdu.flow", plan.tcs_flow_m3_s, "liquid_flow", DERIVED, "flow of the racks")
    trace.do(
        "cdu.pump_power_ratio",
        part_load_power_ratio,
        f"all units run and share the flow{above}",
        flow_ratio=min(ratio, 1.0),
        **to_one(plan.pump_curve),
    )
    pumps_w = trace.do(
        "cdu.pump_power",
        running_pumps_power,
        units=float(design.installed),
        rated_power_w=plan.unit.pump_w,
        power_ratio="cdu.pump_power_ratio",
    )
    heat_w = trace.sum(
        "heat.cdu",
        "heat_flow",
        "pump power is heat in the coolant",
        "heat.liquid",
        "cdu.pump_power",
    )
    rise_k = trace.do(
        "cdu.rise",
        coolant_temperature_rise,
        heat_w="heat.cdu",
        flow_m3_s="cdu.flow",
        **design.tcs.properties,
    )
    return LiquidSide(float(pumps_w), heat_w, plan.tcs_supply_c + plain(rise_k))
