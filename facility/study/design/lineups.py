"""The lineups of a facility: as many as its panels and its load need, and both wings for them."""

from __future__ import annotations

from dataclasses import replace

from facility.core.sources import DERIVED, RULE
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.backup.sections import section_parts, sections_needed
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
    settled, sized, why = _sectioned(settled, it, sizer, sized, demand)
    _record(settled, choice, why, trace)
    return settled, sized


def _sectioned(
    facility: Facility, it: ItLoad, sizer: Sizer, sized: Sized, demand: ChainDemand
) -> tuple[Facility, Sized, str]:
    """Return facility and designs with the bus sections that the plant needs, and why."""
    words = ""
    for _ in range(_PASSES):
        grown = demand.grown(facility.criteria.growth)
        flow = solve_chain(sized.chain, grown)
        data = facility.electrical.faults.sources
        needed, why = sections_needed(sized.chain, flow, data, facility.criteria)
        if needed <= facility.power.generator.sections:
            break
        power = facility.power
        parts = section_parts(sizer.on_bus, power.scheme, power.ups.buses, needed)
        generator = replace(power.generator, section_parts=parts)
        facility = replace(facility, power=replace(power, generator=generator))
        words = why
        sized, demand = converge(facility, it)
    return facility, sized, words


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
