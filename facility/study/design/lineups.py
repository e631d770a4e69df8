"""The lineups of a facility: as many as its panels and its load need, and both wings for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.core.sources import DERIVED, RULE
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.backup.sections import largest_set, section_parts, sections_needed
from facility.power.chain.lineup_choice import LineupChoice, Sizer, choose_lineups
from facility.power.chain.sizing import solve_chain
from facility.power.it.load import ItLoad
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.lineups import bus_loads
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.distribution.study import board_fault
from facility.study.loop import Sized, converge

_PASSES = 4


def size_lineups(
    facility: Facility, it: ItLoad, panels: PanelSet, trace: Trace
) -> tuple[Facility, Sized]:
    """Return the facility with its lineups, and the designs of both wings.

    The lineups are sized for the panels that hang on each. Where the project leaves their number
    open it is chosen with modules and transformers (`facility.power.chain.lineup_choice`), on the
    load with the cooling; a choice that the final load does not bear is made again with more.

    facility: The facility as resolved.
    trace: Takes ``power.ups.buses``, ``power.generator.sections``, ``ups.unevenness`` and
        ``ups.fullest_phase``.

    Raises what `converge` raises.
    """
    sizer = _sizer(facility, panels)
    choice = LineupChoice(facility.power.ups.buses)
    settled = _with(facility, sizer, choice.buses)
    sized, demand = converge(settled, it)
    if facility.power.ups.buses_open:
        for _ in range(_PASSES):
            if sizer.holds(sized.chain, demand):
                break
            least = choice.buses + 1 if choice.because else 1
            choice = choose_lineups(sizer, demand, least)
            settled = _with(facility, sizer, choice.buses)
            sized, demand = converge(settled, it)
    for _ in range(_PASSES):
        sections = _sectioned(settled, it, sizer, sized, demand)
        if not facility.power.ups.buses_open or sections.needed <= choice.buses:
            break
        sizer = replace(sizer, chain=sections.facility.power)
        more = choose_lineups(sizer, demand, sections.needed)
        if more.buses <= choice.buses:
            break
        choice = replace(more, because=f"{more.because}; at least as many as sections")
        settled = _with(facility, sizer, choice.buses)
        sized, demand = converge(settled, it)
    _record(sections.facility, choice, sections.because, trace)
    return sections.facility, sections.sized


@dataclass(frozen=True)
class _Sections:
    """Facility and designs with the bus sections of the plant, as many as there are lineups."""

    facility: Facility
    sized: Sized
    needed: int  # Sections that the plant asks for
    because: str  # Why they are more than one


def _sectioned(
    facility: Facility, it: ItLoad, sizer: Sizer, sized: Sized, demand: ChainDemand
) -> _Sections:
    """Return facility and designs with the bus sections that the plant needs, and why.

    Sets that are not stated are as small as their section asks for.
    """
    words, needed = "", 1
    for _ in range(_PASSES):
        power, criteria = facility.power, facility.criteria
        grown = demand.grown(criteria.growth)
        flow, data = solve_chain(sized.chain, grown), facility.electrical.faults.sources
        most_va = largest_set(sized.chain, grown.mech_w, data, criteria)
        if power.generator.is_open and sized.chain.generators.rating_va > most_va:
            generator = replace(power.generator, most_va=most_va)
        else:
            needed, why = sections_needed(sized.chain, flow, grown.mech_w, data, criteria)
            sections = min(needed, power.ups.buses)
            if sections <= power.generator.sections:
                break
            parts = section_parts(sizer.on_bus, power.scheme, power.ups.buses, sections)
            generator, words = replace(power.generator, section_parts=parts), why
        facility = replace(facility, power=replace(power, generator=generator))
        sized, demand = converge(facility, it)
    return _Sections(facility, sized, needed, words)


def _sizer(facility: Facility, panels: PanelSet) -> Sizer:
    racks = facility.it.racks
    coolant = {name: racks[kind].coolant_part for name, kind in rack_names(facility.it)}

    def board_fault_a(chain: ChainDesign, demand: ChainDemand) -> float:
        return board_fault(replace(facility, power=chain.chain), chain, panels, demand)

    return Sizer(
        facility.power,
        facility.site,
        facility.criteria,
        panels,
        bus_loads(panels.panels, coolant),
        facility.electrical.faults,
        board_fault_a,
    )


def _with(facility: Facility, sizer: Sizer, buses: int) -> Facility:
    return replace(facility, power=sizer.with_buses(buses))


def _record(facility: Facility, choice: LineupChoice, sections: str, trace: Trace) -> None:
    if choice.because:
        trace.assume("power.ups.buses", choice.buses, "count", choice.because, RULE)
    if sections:
        trace.assume(
            "power.generator.sections", facility.power.generator.sections, "count", sections, RULE
        )
    trace.choose(
        "ups.unevenness",
        facility.power.unevenness,
        "ratio",
        "largest load of an output bus over the mean: whole groups of panels hang on one",
        DERIVED,
    )
    trace.choose(
        "ups.fullest_phase",
        facility.power.fullest_phase,
        "ratio",
        "fullest phase of an output bus over the mean of buses and phases, in the worst state",
        DERIVED,
    )
