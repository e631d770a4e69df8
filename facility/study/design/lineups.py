"""Choice of the power chain by result: voltage, UPS, lineups, PDU transformers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import dropwhile
from typing import Any

import numpy as np

from facility.core.choice import FINALISTS, Alternative, Selection, preferred, ranked
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, RULE
from facility.core.trace import Trace
from facility.model.facility import Facility, Weather
from facility.power.backup.sections import largest_set, section_parts, sections_needed
from facility.power.chain.choices import ElectricalOption, Sizer, candidates, fallback, refined
from facility.power.chain.choices import installed as installed_of
from facility.power.chain.choices import machines as machines_of
from facility.power.chain.panel_mains import fitting_panels
from facility.power.chain.sizing import solve_chain
from facility.power.it.load import ItLoad
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet, build_panels
from facility.power.panels.design.lineups import bus_loads
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.cost.machines import hall_machines
from facility.study.design.life_cycle import chain_prices
from facility.study.loop import Sized, balance, converge

_PASSES = 4
_QUICK = 2 * FINALISTS
_TRIED = 4 * _QUICK
_EVERY = 41
"""Sampling interval of the hours of the year: no divisor of a day or a week."""


@dataclass(frozen=True, eq=False)
class VoltageVariant:
    """The project on one voltage system, resolved."""

    facility: Facility
    it: ItLoad
    trace: Trace  # Trace of the resolved inputs
    hours: Weather | None = None  # Sampled hours of the year
    several: bool = False  # Whether several voltage systems are compared

    @cached_property
    def built(self) -> tuple[PanelSet, Trace]:
        """Panels, and the trace with their basis; growth does not apply to the present racks."""
        facility, trace = self.facility, self.trace.draft()
        criteria = replace(facility.criteria, growth=0.0)
        return build_panels(facility.it, facility.power.panels, criteria, trace), trace

    @cached_property
    def buildable(self) -> bool:
        """Whether breakers and panels exist for its rack circuits."""
        try:
            return bool(self.built)
        except FacilityError:
            return False

    @cached_property
    def sizer(self) -> Sizer:
        """Sizer of its chain with its panels."""
        panels = self.built[0]
        halls = [*hall_machines(panels, self.facility.it)] if self.several else []
        prices = chain_prices(self.facility, halls, has_year=self.hours is not None)
        return replace(_sizer(self.facility, panels), prices=prices)


@dataclass(frozen=True, eq=False)
class SizedVariant:
    """A variant with its selected chain, power and cooling designed."""

    variant: VoltageVariant
    facility: Facility
    sized: Sized
    demand: ChainDemand
    option: ElectricalOption

    @cached_property
    def carries(self) -> bool:
        """Whether it passes the lineup checks."""
        return self.variant.sizer.bears(self.sized.chain)

    @cached_property
    def holds(self) -> bool:
        """Whether it passes the lineup checks and its LV boards withstand the fault current."""
        return self.variant.sizer.holds(self.sized.chain, self.demand)


def sampled_hours(weather: Weather) -> Weather:
    """Return every `_EVERY`-th hour of a year."""
    parts: Any = np.broadcast_arrays(weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa)
    return Weather(*(part[::_EVERY] for part in parts))


def mean_loss(facility: Facility, it: ItLoad, sized: Sized, hours: Weather | None) -> float:
    """Return facility power less IT: mean of the sampled hours, else of the design hour [W].

    The equipment is fixed; the IT load follows its profile.
    """
    if hours is None:
        found = balance(facility, it, sized, facility.site.design)
    else:
        load = facility.load.through_the_year
        fraction = load[::_EVERY] if np.ndim(load) else load  # type: ignore[index]
        found = balance(facility, it, sized, hours, fraction)
    return float(np.mean(found.facility_w - found.demand.it_w))


def size_lineups(
    first: VoltageVariant, variant_of: Callable[[str], VoltageVariant], fewest: int = 1
) -> tuple[SizedVariant, tuple[Alternative[SizedVariant], ...]]:
    """Return the variant with the selected power chain, and all fully designed candidates.

    Candidates of all voltage systems are compared by preliminary figures; the best are fully
    designed, and the criterion of `facility.core.choice` selects among the candidates that pass the
    lineup checks. If none passes, the fewest lineups with one transformer each are used.

    first: The variant on the usual voltage system.
    variant_of: Returns the variant on a voltage system.
    fewest: Minimum number of output buses.

    Raises the errors of `converge`.
    """
    power = first.facility.power
    start = _designed(first, ElectricalOption("", max(fewest, power.ups.buses)))
    pool = _pool(first, variant_of, start.demand, fewest)
    if len(pool) <= 1 and start.carries:
        return start, ()
    holding: list[Alternative[SizedVariant]] = []
    for _ in range(_PASSES):
        quick = _quick(variant_of, pool, start.demand)
        designed = [_final(one, variant_of(one.item.system)) for one in quick]
        tried = {one.item.option for one in designed}
        pool = [one for one in pool if one.item not in tried]
        order = ranked((*holding, *(one for one in designed if one.item.carries)))
        holding = list(dropwhile(lambda one: not one.item.holds, order))
        if not pool or (holding and len(holding) == len(order)):
            break
    if holding:
        return holding[0].item, tuple(holding)
    return _designed(first, fallback(first.sizer, start.demand, fewest)), ()


def _pool(
    first: VoltageVariant,
    variant_of: Callable[[str], VoltageVariant],
    demand: ChainDemand,
    fewest: int,
) -> list[Alternative[ElectricalOption]]:
    """Return the candidates of all systems, with the panels of the first system."""
    found: list[Alternative[ElectricalOption]] = []
    for system in first.facility.power.wiring.systems or ("",):
        power = variant_of(system).facility.power
        sizer = first.sizer
        if power is not sizer.chain:
            sizer = replace(sizer, chain=power, board_fault_a=_unknown_fault)
        found += candidates(sizer, demand, fewest)
    return found


def _unknown_fault(*_: object) -> float:
    """Return no fault current: boards of other systems are checked later, with their own panels."""
    return 0.0


def _quick(
    variant_of: Callable[[str], VoltageVariant],
    pool: list[Alternative[ElectricalOption]],
    demand: ChainDemand,
) -> list[Alternative[ElectricalOption]]:
    """Return the candidates to be fully designed."""
    better: list[Alternative[ElectricalOption]] = []
    for one in preferred(pool, _build)[:_TRIED]:
        variant = variant_of(one.item.system)
        better += refined(variant.sizer, [one], demand) if variant.buildable else []
        if len(better) == _QUICK:
            break
    return preferred(better, lambda one: one.item.system)[:FINALISTS]


def _build(one: Alternative[ElectricalOption]) -> tuple[str, int]:
    return one.item.system, one.item.buses


def _final(
    one: Alternative[ElectricalOption], variant: VoltageVariant
) -> Alternative[SizedVariant]:
    """Return a fully designed candidate."""
    found = _designed(variant, one.item)
    chain = found.sized.chain
    loss_w = mean_loss(found.facility, variant.it, found.sized, variant.hours)
    prices = variant.sizer.prices
    return replace(
        one.with_item(found),
        loss_w=loss_w,
        installed_w=installed_of(chain),
        machines=machines_of(chain),
        cost=None if prices is None else prices.cost(chain, found.demand, loss_w),
    )


def _designed(variant: VoltageVariant, option: ElectricalOption) -> SizedVariant:
    facility = replace(variant.facility, power=variant.sizer.with_option(option))
    sized, demand = converge(facility, variant.it)
    return SizedVariant(variant, facility, sized, demand, option)


@dataclass(frozen=True, eq=False)
class Lineups:
    """The facility with its selected power chain, and the candidates."""

    facility: Facility
    it: ItLoad
    panels: PanelSet
    sized: Sized
    trace: Trace
    choices: tuple[Selection[ElectricalOption], ...]


def design_lineups(first: VoltageVariant, variant_of: Callable[[str], VoltageVariant]) -> Lineups:
    """Return the facility with lineups, bus sections and panels, and both designs.

    Panels with an unspecified main breaker larger than their lineup permits are rebuilt.

    first: The variant on the usual voltage system.
    variant_of: Returns the variant on a voltage system.

    Raises the errors of `converge`.
    """
    found, order = size_lineups(first, variant_of)
    sections = _sectioned(found)
    for _ in range(_PASSES):
        if not first.facility.power.ups.buses_open or sections.needed <= found.option.buses:
            break
        limited = partial(_with_generator, variant_of, sections.facility)
        more, others = size_lineups(limited(found.option.system), limited, sections.needed)
        if more.option.buses <= found.option.buses:
            break
        found, order = more, others
        sections = _sectioned(found)
    fitted = _fitted(found.variant, sections.sized.chain)
    if fitted is not None:
        found = _designed(fitted, found.option)
        sections = _sectioned(found)
    panels, trace = found.variant.built
    period = "design hour" if found.variant.hours is None else "mean of the year"
    plain = tuple(one.with_item(one.item.option) for one in order)
    choices = (Selection("power chain", f"facility less IT, {period}", plain),) if plain else ()
    facility = _record(sections, found, choices, trace)
    return Lineups(facility, found.variant.it, panels, sections.sized, trace, choices)


def _with_generator(
    variant_of: Callable[[str], VoltageVariant], limits: Facility, system: str
) -> VoltageVariant:
    """Return a variant with the generator-plant limits of another one."""
    found = variant_of(system)
    power = replace(found.facility.power, generator=limits.power.generator)
    return replace(found, facility=replace(found.facility, power=power))


def _fitted(variant: VoltageVariant, chain: ChainDesign) -> VoltageVariant | None:
    """Return the variant with panel mains permitted by the lineup; None if already permitted."""
    facility, (panels, _) = variant.facility, variant.built
    fitting = fitting_panels(panels, chain, facility.criteria)
    if fitting is None:
        return None
    basis, because = fitting
    trace = variant.trace.draft()
    trace.assume("power.panel_main", basis.main_a, "current", because, RULE)
    power = replace(facility.power, panels=basis)
    return replace(variant, facility=replace(facility, power=power), trace=trace)


@dataclass(frozen=True)
class _Sections:
    """Facility and designs with the generator bus sections, as many as lineups."""

    facility: Facility
    sized: Sized
    needed: int  # Required sections
    because: str  # Why more than one is required


def _sectioned(found: SizedVariant) -> _Sections:
    """Return facility and designs with the required generator bus sections, and the reason.

    Sets that are not stated are the smallest for their section.
    """
    facility, sized, demand = found.facility, found.sized, found.demand
    words, needed = "", 1
    for _ in range(_PASSES):
        power, criteria = facility.power, facility.criteria
        grown = demand.grown(criteria.growth)
        flow, data = solve_chain(sized.chain, grown), facility.electrical.faults.sources
        max_va = largest_set(sized.chain, grown.mech_w, data, criteria)
        if power.generator.is_open and sized.chain.generators.rating_va > max_va:
            generator = replace(power.generator, max_va=max_va)
        else:
            needed, why = sections_needed(sized.chain, flow, grown.mech_w, data, criteria)
            sections = min(needed, power.ups.buses)
            if sections <= power.generator.sections:
                break
            on_bus = found.variant.sizer.on_bus
            parts = section_parts(on_bus, power.scheme, power.ups.buses, sections)
            generator, words = replace(power.generator, section_parts=parts), why
        facility = replace(facility, power=replace(power, generator=generator))
        sized, demand = converge(facility, found.variant.it)
    return _Sections(facility, sized, needed, words)


def _sizer(facility: Facility, panels: PanelSet) -> Sizer:
    racks = facility.it.racks
    coolant = {name: racks[kind].coolant_part for name, kind in rack_names(facility.it)}

    def board_fault_a(chain: ChainDesign, demand: ChainDemand, rating_a: float) -> float:
        from facility.study.distribution.study import board_fault  # the network, where it decides

        return board_fault(replace(facility, power=chain.chain), chain, panels, demand, rating_a)

    return Sizer(
        facility.power,
        facility.site,
        facility.criteria,
        panels,
        bus_loads(panels.panels, coolant),
        facility.electrical.faults,
        board_fault_a,
    )


def _record(
    sections: _Sections,
    found: SizedVariant,
    choices: tuple[Selection[ElectricalOption], ...],
    trace: Trace,
) -> Facility:
    """Record the choice with its candidates; return the facility with its reason."""
    facility, option = sections.facility, found.option
    power = facility.power
    for choice in choices:
        because, options = choice.because, [one.item for one in choice.candidates]
        power = replace(power, ups=replace(power.ups, because=because))
        if len({one.system for one in options}) > 1:
            trace.ledger.add_text("power.rack_system", option.system, because, RULE)
        if len({one.buses for one in options}) > 1 or option.buses > 1:
            trace.assume("power.ups.buses", option.buses, "count", because, RULE)
    if sections.because:
        count, words = power.generator.sections, sections.because
        trace.assume("power.generator.sections", count, "count", words, RULE)
    trace.choose(
        "ups.unevenness",
        power.unevenness,
        "ratio",
        "largest output-bus load relative to the mean: each bus feeds whole groups of panels",
        DERIVED,
    )
    trace.choose(
        "ups.fullest_phase",
        power.max_phase_ratio,
        "ratio",
        "most loaded output-bus phase relative to the mean of buses and phases, worst state",
        DERIVED,
    )
    return replace(facility, power=power)
