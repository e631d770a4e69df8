"""Electrical candidates: voltage, UPS module, output buses and PDU transformers.

A lineup is one output bus of a UPS system with its modules, LV board and transformer. The chain is
sized for each number of lineups; estimates of modules and PDU transformers are added.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice

import numpy as np

from facility.core.choice import Alternative, LifeCycleCost
from facility.core.errors import FacilityError
from facility.core.rounding import within
from facility.core.trace import Quiet
from facility.model.facility import Criteria, Site
from facility.model.power.chain import PowerChain
from facility.model.power.faults import FaultBasis
from facility.power.chain.sizing import pdu_trials, size_chain
from facility.power.chain.solve import solve_normal
from facility.power.faults.bare_board import bare_board_faults
from facility.power.faults.device_checks import short_circuit_duty
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.lineups import (
    PanelLoads,
    bus_parts,
    bus_phases,
    pdu_peak_ratios,
    unevenness,
)
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.types import ChainDemand, ChainDesign, UpsTrial

_SURE = 0.9
"""First bus count tried over the transformers that a single lineup would need."""
_STEPS = 32
"""Number of bus counts tried up to the minimum that carries the load."""
_STUDIED = 24
"""Output buses up to which cables upstream of LV boards are included in fault currents."""
MORE_BUSES = 1.25
"""Bus counts tried, relative to the minimum that carries the load."""

_MUST_HOLD = frozenset(
    (
        "UPS-LOADING-NORMAL",
        "UPS-LOADING-FAILURE",
        "UPS-KVA",
        "UPS-FULLEST-PHASE",
        "UPS-SPARE",
        "UPS-PARALLEL",
        "UPS-VOLTAGE",
        "UPS-OUTPUT-BUS",
        "LV-BOARD-BUS",
        "LV-BOARD-TRANSFORMERS",
        "TRANSFORMER-LOADING-NORMAL",
        "TRANSFORMER-LOADING-FAILURE",
        "TRANSFORMER-SPARE",
        "TRANSFORMER-RECHARGE",
        "PDU-LOADING",
    )
)


@dataclass(frozen=True)
class ElectricalOption:
    """Selectable parts of the power chain; empty or 0 if fixed."""

    system: str  # Voltage system of the racks
    buses: int
    ups_model: str = ""
    pdu_rating_va: float = 0.0


@dataclass(frozen=True)
class ChainPrices:
    """Prices for the comparison of power chains, installed."""

    # Equipment cost of a chain under a demand, without its losses.
    capital: Callable[[ChainDesign, ChainDemand], LifeCycleCost]
    ups_per_va: float
    pdu_per_va: float
    loss_per_w: float  # Present value of the energy of 1 W of loss
    load: float  # Annual mean IT load / design IT load

    def cost(self, design: ChainDesign, demand: ChainDemand, loss_w: float) -> LifeCycleCost:
        """Return the life-cycle cost of a chain with a mean loss [W]."""
        return replace(self.capital(design, demand), energy=self.loss_per_w * loss_w)


@dataclass(frozen=True)
class Sizer:
    """Sizes a chain with any number of lineups."""

    # Project data.
    chain: PowerChain
    site: Site
    criteria: Criteria
    panels: PanelSet
    on_bus: PanelLoads  # Load of each panel on its bus
    basis: FaultBasis  # Fault calculation basis
    # Short-circuit duty of LV boards of a rating by the fault study, cables included [A].
    board_fault_a: Callable[[ChainDesign, ChainDemand, float], float]
    prices: ChainPrices | None = None  # None if not specified

    @cached_property
    def with_buses(self) -> Callable[[int], PowerChain]:
        """The chain by the number of lineups in each system; each is formed once."""
        return cache(self._with_buses)

    def _with_buses(self, buses: int) -> PowerChain:
        chain, transformed = self.chain, self.chain.wiring.has_pdu_transformers
        return replace(
            chain,
            ups=replace(chain.ups, buses=buses),
            unevenness=unevenness(self.on_bus, chain.scheme, buses),
            bus_air=bus_parts(self.on_bus, chain.scheme, buses, coolant=0.0),
            bus_coolant=bus_parts(self.on_bus, chain.scheme, buses, coolant=1.0),
            bus_load=tuple(
                bus_parts(self.on_bus, chain.scheme, buses, 0.5, name)
                for name in chain.scheme.systems
            ),
            bus_phases=bus_phases(self.panels, chain.scheme, buses, transformed),
            pdu_peak_ratios=pdu_peak_ratios(self.panels, chain.scheme, buses)
            if transformed
            else (),
        )

    def with_option(self, option: ElectricalOption, because: str = "") -> PowerChain:
        """Return the chain with the selected lineups, UPS module and PDU transformers."""
        chain = self.with_buses(option.buses)
        return replace(
            chain,
            ups=replace(chain.ups, chosen=option.ups_model, because=because),
            wiring=replace(chain.wiring, pdu_chosen_va=option.pdu_rating_va),
        )

    def sized(self, option: ElectricalOption, demand: ChainDemand) -> ChainDesign | None:
        """Return the chain sized as selected; None if its counts do not divide evenly."""
        try:
            return size_chain(
                self.with_option(option), self.site, self.criteria, demand, None, Quiet()
            )
        except FacilityError as error:
            if error.code == "COUNT_NOT_EVEN":
                return None
            raise

    def holds(self, design: ChainDesign, demand: ChainDemand) -> bool:
        """Return whether lineup and LV board checks pass."""
        return self.bears(design) and (
            self.boards_surely_hold(design, demand) or self.boards_hold(design, demand)
        )

    def bears(self, design: ChainDesign) -> bool:
        """Return whether the lineup checks pass."""
        return not any(check.failed and check.rule in _MUST_HOLD for check in design.checks)

    def boards_surely_hold(self, design: ChainDesign, demand: ChainDemand) -> bool:
        """Return whether LV boards withstand the fault current without upstream cables."""
        rating_a = self._largest_rating_a(design)
        return all(
            within(
                short_circuit_duty(rating_a, float(one.available_a[-1]), one, -1, self.criteria),
                rating_a,
            )
            for one in bare_board_faults(design, demand, self.site, self.basis)
        )

    def boards_hold(self, design: ChainDesign, demand: ChainDemand) -> bool:
        """Return whether LV boards withstand the fault current of the fault study."""
        rating_a = self._largest_rating_a(design)
        try:
            return within(self.board_fault_a(design, demand, rating_a), rating_a)
        except FacilityError:
            return False

    def _largest_rating_a(self, design: ChainDesign) -> float:
        voltage_v = design.chain.wiring.lv_voltage_v
        ratings = assembly_ratings("lv-board", self.criteria.code, voltage_v)
        return ratings[-1].rating_a if ratings else math.inf


def candidates(
    sizer: Sizer, demand: ChainDemand, fewest: int = 1
) -> list[Alternative[ElectricalOption]]:
    """Return the candidate power chains with estimates.

    Bus counts are tried from the minimum that carries the load to 25 % above it, at least one
    more. Specified buses, modules and transformers are retained.

    sizer: The chain and its panels.
    demand: Present loads, cooling included.
    fewest: Minimum number of output buses to try.
    """
    found: list[Alternative[ElectricalOption]] = []
    for design in _of_buses(sizer, demand, fewest):
        base_w = _loss(design, demand) - _ups_loss(design)
        others_w = installed(design) - design.ups.modules * design.ups.module.rating_w
        others = machines(design) - design.ups.modules
        system, buses = design.chain.wiring.rack_system, design.ups.buses
        own = None if sizer.prices is None else sizer.prices.capital(design, demand)
        for rating_va, pdu_va, pdu_w, pdus in _pdus(sizer, design, demand):
            for one in design.ups.trials or (_own_trial(design),):
                found.append(
                    Alternative(
                        "",
                        ElectricalOption(system, buses, one.model, rating_va),
                        base_w + pdu_w + one.loss_w,
                        others_w + pdu_va + one.installed_w,
                        others + pdus + one.modules,
                        one.recalled,
                        cost=_quick_cost(own, sizer, design, one, pdu_va, base_w + pdu_w),
                    )
                )
    return found


def _quick_cost(
    own: LifeCycleCost | None,
    sizer: Sizer,
    design: ChainDesign,
    trial: UpsTrial,
    pdu_va: float,
    others_w: float,
) -> LifeCycleCost | None:
    """Return the life-cycle cost of a chain with other UPS modules and PDU transformers.

    own: Equipment cost of the unchanged chain.
    pdu_va: PDU transformer rating relative to the unchanged chain.
    others_w: Losses except the modules, at the design hour.
    """
    if own is None or sizer.prices is None:
        return None
    prices, ups = sizer.prices, design.ups
    capital = prices.ups_per_va * (trial.installed_va - ups.modules * ups.module.rating_va)
    capital += own.capital + prices.pdu_per_va * pdu_va
    return replace(own, capital=capital, energy=prices.loss_per_w * (others_w + trial.loss_w))


def _loss(design: ChainDesign, demand: ChainDemand) -> float:
    """Return facility power minus IT, with the specified cooling power [W]."""
    cooling_w = demand.mech_w + demand.mech_ups_w + demand.house_w
    return float(solve_normal(design, demand).losses_w) + cooling_w


def refined(
    sizer: Sizer, found: Iterable[Alternative[ElectricalOption]], demand: ChainDemand
) -> list[Alternative[ElectricalOption]]:
    """Return candidates with results of the sized chain, without overloaded ones."""
    sized = ((one, sizer.sized(one.item, demand)) for one in found)
    return [
        replace(
            one,
            name=name_of(design),
            loss_w=_loss(design, demand),
            installed_w=installed(design),
            machines=machines(design),
            cost=_mean_cost(sizer.prices, design, demand),
        )
        for one, design in sized
        if design is not None and sizer.bears(design)
    ]


def _mean_cost(
    prices: ChainPrices | None, design: ChainDesign, demand: ChainDemand
) -> LifeCycleCost | None:
    """Return the life-cycle cost at mean IT load, with the specified cooling."""
    if prices is None:
        return None
    return prices.cost(design, demand, _loss(design, demand.at_it_fraction(prices.load)))


def installed(design: ChainDesign) -> float:
    """Return the total rating of UPS, transformers and generators, transformer kVA as kW."""
    pdus, transformers, plant = design.pdus, design.transformers, design.generators
    return (
        design.ups.modules * design.ups.module.rating_w
        + transformers.count * transformers.unit.rating_va
        + (0.0 if pdus is None else pdus.count * pdus.unit.rating_va)
        + plant.count * plant.rating_w
    )


def machines(design: ChainDesign) -> int:
    """Return the number of UPS modules, transformers and PDU transformers."""
    pdus = 0 if design.pdus is None else design.pdus.count
    return design.ups.modules + design.transformers.count + pdus


def name_of(design: ChainDesign) -> str:
    """Return a chain name from its selected parts."""
    ups, pdus, wiring = design.ups, design.pdus, design.chain.wiring
    words = f"{wiring.rack_system}, {ups.modules} x {ups.module.model}"
    if pdus is not None:
        words += f", {pdus.count} x {pdus.unit.rating_va / 1e3:g} kVA PDU transformers"
    return words + (f", {ups.buses} output buses" if ups.buses > 1 else "")


def _of_buses(sizer: Sizer, demand: ChainDemand, fewest: int) -> list[ChainDesign]:
    """Return the chain for each number of output buses that carries the load.

    Bus counts for which the LV boards do not withstand the fault current are left out. More buses
    have smaller transformers: boards that withstand it continue to do so.
    """
    ups = sizer.chain.ups
    if not ups.buses_open:
        stated = sizer.sized(ElectricalOption("", ups.buses), demand)
        return [] if stated is None else [stated]
    sized = cache(lambda buses: sizer.sized(ElectricalOption("", buses), demand))
    counts = _counts(sizer, sized(1), fewest)

    def surely(index: int) -> bool:
        dividing = (one for buses in counts[index:] if (one := sized(buses)) is not None)
        return any(sizer.boards_surely_hold(one, demand) for one in islice(dividing, 1))

    index = bisect_left(range(len(counts)), True, key=surely)
    sure: list[ChainDesign] = []
    for buses in counts[index:]:
        if sure and buses > _max_buses(sure[0]):
            break
        design = sized(buses)
        if design is not None and sizer.bears(design):
            sure.append(design)
    if index < len(counts) and (sure[0].ups.buses if sure else counts[index]) > _STUDIED:
        return sure
    fewer = (one for buses in reversed(counts[:index]) if (one := sized(buses)) is not None)
    bearing = (one for one in fewer if sizer.bears(one))
    return _leading(bearing, lambda one: sizer.boards_hold(one, demand))[::-1] + sure


def _leading(
    designs: Iterator[ChainDesign], holds: Callable[[ChainDesign], bool]
) -> list[ChainDesign]:
    """Return the designs before the first that does not hold; those after it do not hold either.

    Each answer is a fault study, and cables rarely change what holds without them: the first
    designs are asked first.
    """
    found: list[ChainDesign] = []
    step = 1
    while part := [*islice(designs, step)]:
        if not holds(part[-1]):
            rest = part[:-1]
            return found + rest[: bisect_left(rest, True, key=lambda one: not holds(one))]
        found += part
        step *= 2
    return found


def _max_buses(design: ChainDesign) -> int:
    """Return the maximum number of output buses to try."""
    return max(design.ups.buses + 1, math.floor(MORE_BUSES * design.ups.buses))


def _counts(sizer: Sizer, first: ChainDesign | None, fewest: int) -> range:
    """Return the bus counts to try, from near the minimum that can carry the load.

    first: The chain with one output bus.
    """
    start = fewest
    if first is not None and sizer.chain.transformer.count is None:
        start = max(start, math.floor(_SURE * first.transformers.duty_per_carrier))
    return range(start, max(start, _groups(sizer)) + 1, max(1, start // _STEPS))


def _groups(sizer: Sizer) -> int:
    """Return the number of panel groups, the maximum number of output buses."""
    return max(1, len(np.unique(sizer.on_bus.group)))


def _own_trial(design: ChainDesign) -> UpsTrial:
    """Return the trial of the module of a chain without alternatives."""
    ups = design.ups
    sizes = ups.modules * ups.module.rating_w, ups.modules * ups.module.rating_va
    return UpsTrial("", ups.modules, *sizes, 0.0, ups.module.recalled)


def _ups_loss(design: ChainDesign) -> float:
    """Return the loss of the installed module from the module trials [W]."""
    model = design.ups.module.model
    return next((one.loss_w for one in design.ups.trials if one.model == model), 0.0)


def _pdus(
    sizer: Sizer, design: ChainDesign, demand: ChainDemand
) -> list[tuple[float, float, float, int]]:
    """Return PDU transformer rating, and capacity, loss and number relative to the chain."""
    trials = pdu_trials(design.chain, sizer.criteria, demand)
    own = next(
        (one for one in trials if design.pdus and one[0] == design.pdus.unit.rating_va), None
    )
    if own is None:
        return [(0.0, 0.0, 0.0, 0)]
    count = round(own[1] / own[0])
    return [
        (rating_va, va - own[1], loss_w - own[2], round(va / rating_va) - count)
        for rating_va, va, loss_w in trials
    ]


def fallback(sizer: Sizer, demand: ChainDemand, fewest: int) -> ElectricalOption:
    """Return the option if no bus count carries the load; the checks report the failures.

    Uses the minimum number of lineups with one transformer each.
    """
    if not sizer.chain.ups.buses_open:
        return ElectricalOption("", sizer.chain.ups.buses)
    first = sizer.sized(ElectricalOption("", 1), demand)
    if first is None or sizer.chain.transformer.count is not None:
        return ElectricalOption("", fewest)
    buses = min(_groups(sizer), max(fewest, first.transformers.duty_per_carrier))
    return ElectricalOption("", buses)
