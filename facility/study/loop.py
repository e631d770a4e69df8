"""Balance of power and cooling: losses are heat, heat is cooling load, cooling is electrical load.

While integer counts are sized they may only grow, so the iteration cannot oscillate; with fixed
counts the remaining loop is a contraction (each watt of cooling adds a few hundredths of a watt of
heat) and is solved to a relative change below 1e-12.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from facility.cooling.air.ventilation import ventilation_heat
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.chain.sizing import (
    check_cooling,
    check_operation,
    size_cooling_unchecked,
    solve_cooling_unchecked,
)
from facility.cooling.parts.loads import NO_TANK, CoolingCounts, HeatLoad, TankFlow
from facility.core.errors import FacilityError
from facility.core.trace import SILENT, Quiet, Trace
from facility.model.facility import Facility, Weather
from facility.physics.elementwise import where
from facility.power.chain.sizing import check_chain, size_chain_unchecked, solve_chain
from facility.power.chain.solve import solve_normal
from facility.power.choices import PowerChoices
from facility.power.it.load import ItLoad
from facility.power.train.results import ChainFlow, PowerFlow
from facility.power.train.schemes import feed_groups
from facility.power.train.types import ChainDemand, ChainDesign

MAX_SIZINGS = 40
_PASSES_TO_REST = 12
"""Sizings after which pipe flow gets a 1 % margin: a pipe at its limit alternates with pump
heat."""
MAX_ITERATIONS = 200
SETTLED = 1e-12
"""Relative change of the facility load below which the frozen loop is solved."""

_ALTERNATING = 60
"""Passes after which an unsettled hour is taken to alternate; others settle within about 20."""
_STAGE_LOSS = 1e-4
"""Fraction of the heat by which losses may alternate with one more stage of pumps or chillers."""
RUNAWAY_W = 1e14
"""Cooling power above which the loop has no solution, over 10,000 times that of any site."""

_SIZING_SETTLED = 1e-4
_HINT = "Check the as-built cooling equipment for units loaded above their capacity."


@dataclass(frozen=True)
class Sized:
    """Designs of power and cooling, with their counts."""

    chain: ChainDesign
    cooling: CoolingDesign


@dataclass(frozen=True)
class WingsBalance:
    """Power and cooling with all equipment in service, at one IT load and weather, or hourly."""

    demand: ChainDemand  # Demand on the power chain
    flow: PowerFlow  # Operating power chain
    heat: HeatLoad  # Heat removed by the cooling
    cooling: CoolingFlow  # Operating cooling
    iterations: int  # Iterations to the balance

    @cached_property
    def facility_w(self) -> float:
        """Sum of IT, losses, cooling and building load."""
        return self.facility()

    def facility(
        self, at: str = "load", because: str = "at the utility meter", trace: Trace = SILENT
    ) -> float:
        """Return `facility_w`, recorded as ``<at>.facility``, the sum of its four parts."""
        parts = {
            f"{at}.it": self.demand.it_w,
            f"{at}.losses": self.flow.losses_w,
            f"{at}.cooling": self.cooling.power.total_w,
            "load.house": self.demand.house_w,
        }
        return trace.add(f"{at}.facility", "active_power", because, parts)


@dataclass(frozen=True)
class OperatingPoint(WingsBalance):
    """A balance at one load and weather, with the power chain in every design state."""

    flow: ChainFlow


def first_demand(facility: Facility, it: ItLoad) -> ChainDemand:
    """Return the demand before the cooling is sized."""
    return ChainDemand(
        it_w=it.it_w,
        it_va=it.it_va,
        it_peak_w=it.peak_w,
        mech_ups_w=0.0,
        mech_w=0.0,
        house_w=facility.house.total_w,
        rack_pdu_fraction=facility.it.rack_pdu_loss_fraction,
        groups=feed_groups(facility.it.racks, facility.power.feeds),
    )


def _with_cooling(demand: ChainDemand, cooling: CoolingFlow) -> ChainDemand:
    """Return `demand` with the electrical load of the cooling.

    Raises ``NOT_CONVERGED`` on thermal runaway: too few units run far above their rating, with
    power rising with the cube of the flow.
    """
    if not np.all(cooling.power.total_w <= RUNAWAY_W):
        raise _not_converged("the cooling power grows without limit on its own heat.")
    return replace(
        demand,
        mech_ups_w=cooling.on_ups_w,
        mech_w=cooling.mech_w,
        mech_ups_coolant_w=cooling.on_ups_coolant_w,
        mech_coolant_w=cooling.mech_coolant_w,
    )


def heat_of(
    facility: Facility,
    it: ItLoad,
    flow: PowerFlow,
    fraction: float = 1.0,
    ventilation_w: float = 0.0,
) -> HeatLoad:
    """Return the heat removed by the cooling, with the IT at `fraction` of its load.

    ventilation_w: Heat of the outdoor air of the halls in the weather of the hour.
    """
    house = facility.house
    return HeatLoad(
        air_it_w=it.air_w * fraction,
        liquid_it_w=it.liquid_w * fraction,
        hall_losses_w=flow.hall_w,
        electrical_room_w=flow.electrical_room_w,
        lights_w=house.lighting_w,
        people_w=house.people * house.people_w,
        envelope_w=house.envelope_w,
        ventilation_w=ventilation_w,
    )


def _size(
    facility: Facility,
    it: ItLoad,
    demand: ChainDemand,
    floor: tuple[PowerChoices, CoolingCounts] | None,
    trace: Trace,
) -> tuple[Sized, HeatLoad]:
    """Size power and cooling for `demand` once; return them unchecked, with the design heat."""
    chain_floor, cooling_floor = floor if floor is not None else (None, None)
    site = facility.site, facility.criteria
    chain = size_chain_unchecked(facility.power, *site, demand, chain_floor, trace)
    fresh_w = ventilation_heat(facility.cooling, facility.site.design)
    heat = heat_of(facility, it, solve_normal(chain, demand), ventilation_w=fresh_w)
    return Sized(
        chain, size_cooling_unchecked(facility.cooling, *site, heat, cooling_floor, trace)
    ), heat


def check_sized(facility: Facility, sized: Sized, demand: ChainDemand, heat: HeatLoad) -> Sized:
    """Return power and cooling, sized for a demand and a heat, with their checks."""
    site, criteria = facility.site, facility.criteria
    return Sized(
        check_chain(sized.chain, site, criteria, demand), check_cooling(sized.cooling, site, heat)
    )


def converge(facility: Facility, it: ItLoad) -> tuple[Sized, ChainDemand]:
    """Return designs with sufficient units for the load, including the load added by the units.

    The first pass has no cooling load. Its choices do not bind later passes: a module selected for
    the racks only would otherwise be retained, and doubled, for the cooling.

    Raises ``NOT_CONVERGED`` if the counts still grow after `MAX_SIZINGS` passes.
    """
    demand = first_demand(facility, it)
    floor: tuple[PowerChoices, CoolingCounts] | None = None
    for number in range(MAX_SIZINGS):
        sized, heat = _size(facility, it, demand, floor, Quiet())
        required = _with_cooling(
            demand, solve_cooling_unchecked(sized.cooling, heat, facility.site.design)
        )
        counts = (sized.chain.choices, sized.cooling.counts)
        change = abs(required.mech_ups_w + required.mech_w - demand.mech_ups_w - demand.mech_w)
        settled = counts == floor and change <= _SIZING_SETTLED * required.it_w
        floor, demand = counts if number else None, required
        if settled:
            point = operate(facility, it, sized, facility.site.design)
            again, heat = _size(facility, it, point.demand, floor, Quiet())
            if (again.chain.choices, again.cooling.counts) == floor:
                return check_sized(facility, again, point.demand, heat), point.demand
            demand = point.demand
        if number and number % _PASSES_TO_REST == 0:
            chosen, cooling_counts = counts
            floor = (chosen, replace(cooling_counts, pipe_spare=cooling_counts.pipe_spare + 1))
    raise _not_converged(f"the equipment counts still grow after {MAX_SIZINGS} passes.")


def operate(
    facility: Facility,
    it: ItLoad,
    sized: Sized,
    weather: Weather,
    fraction: float = 1.0,
    tank: TankFlow = NO_TANK,
) -> OperatingPoint:
    """Return the balance of a fixed design with the IT at `fraction` of its load.

    Raises ``NOT_CONVERGED`` if no balance is found in `MAX_ITERATIONS` passes.
    """
    found = balance(facility, it, sized, weather, fraction, tank)
    flow = solve_chain(sized.chain, found.demand)
    return OperatingPoint(found.demand, flow, found.heat, found.cooling, found.iterations)


def balance(
    facility: Facility,
    it: ItLoad,
    sized: Sized,
    weather: Weather,
    fraction: float = 1.0,
    tank: TankFlow = NO_TANK,
) -> WingsBalance:
    """Return power and cooling in balance, with the IT at `fraction` of its load.

    Weather, fraction and tank flows are floats, or arrays over hours with a separate balance for
    each hour.

    Raises ``NOT_CONVERGED`` if no balance is found in `MAX_ITERATIONS` passes.
    """
    demand = first_demand(facility, it).at_it_fraction(fraction)
    fresh_w, last = ventilation_heat(facility.cooling, weather), 0.0
    heat: HeatLoad | None = None
    for iteration in range(1, MAX_ITERATIONS + 1):
        flow = solve_normal(sized.chain, demand)
        before, heat = heat, heat_of(facility, it, flow, fraction, fresh_w)
        if before is not None and iteration > _ALTERNATING:
            heat = _staged_up(heat, before)
        cooling = solve_cooling_unchecked(sized.cooling, heat, weather, tank=tank)
        found = WingsBalance(demand, flow, heat, cooling, iteration)
        total = found.facility_w
        if np.all(abs(total - last) <= SETTLED * total):
            return replace(found, cooling=check_operation(sized.cooling, cooling, weather))
        demand, last = _with_cooling(demand, cooling), total
    raise _not_converged(f"power and cooling do not balance in {MAX_ITERATIONS} passes.")


def _staged_up(heat: HeatLoad, before: HeatLoad) -> HeatLoad:
    """Return the heat of a pass, or of the pass before in hours that alternate about a plant stage.

    A chiller or pump added on the UPS may lower the losses below the value that required it, and no
    pass settles. Such an hour runs on the higher stage. A larger alternation is not accepted.
    """
    higher = heat.at_least(before)
    near = higher.total_w - heat.total_w <= _STAGE_LOSS * heat.total_w
    return where(near, higher, heat)


def _not_converged(message: str) -> FacilityError:
    return FacilityError("NOT_CONVERGED", "design", message, _HINT)
