"""A design with its equipment as built under other inputs: the seam between samples and the year.

What is built is what the nominal design chose: counts, ratings, capacities, design flows, pipes.
A sample's inputs act on how it runs. What a sample would build otherwise is refused, never built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from facility.cooling.chain.held import held_cooling
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Identity
from facility.model.inputs.document import Project
from facility.power.chain.held import held_chain
from facility.power.train.schemes import feed_groups
from facility.study.design.design import Design
from facility.study.overrides import ledger_of
from facility.study.resolve.facility import resolve

_MAY_DIFFER = frozenset(
    (
        "people",
        "running_sets",
        # Words about where numbers are from.
        "from_memory",
        "memory",
        "missing",
        "needed_basis",
        "nearest",
        "words",
        "liquid_class",
        "liquid_class_stated",
        # What follows from the panels as designed.
        "buses",
        "section_parts",
        "bus_phases",
        "bus_air",
        "bus_coolant",
        "bus_load",
        "fullest_pdu",
    )
)
"""Words and whole numbers of a facility that are no equipment of its own."""
_NOT_BUILT = (Source, Check, Identity)


def held(nominal: Design, project: Project) -> Design:
    """Return `nominal` with the inputs of `project`, and the equipment as it is.

    nominal: The design whose equipment runs.
    project: Its project with other numbers.

    Raises ``RANGE_EQUIPMENT`` where the project asks for other equipment; what `resolve` raises.
    """
    trace = Trace(ledger_of(project))
    facility, it = resolve(project, trace)
    other = next(_differences(nominal.facility, facility, ""), None)
    if other is not None:
        raise FacilityError(
            "RANGE_EQUIPMENT",
            "ranges",
            f"a sample asks for other equipment than was designed: {other}.",
            "State the equipment in the project, narrow the range, or design each sample "
            "(--resize).",
        )
    groups = feed_groups(facility.it.racks, facility.power.feeds)
    chain = held_chain(nominal.chain, facility.power, groups, facility.criteria.code)
    weather = nominal.facility.site.design
    return replace(
        nominal,
        project=project,
        facility=replace(facility, site=replace(facility.site, design=weather), power=chain.chain),
        it=it,
        chain=chain,
        cooling=held_cooling(nominal.cooling, _laid_out(nominal, facility.cooling), weather),
        trace=trace,
    )


def _laid_out(nominal: Design, asked: CoolingChain) -> CoolingChain:
    """Return the cooling asked for, with the tower water as laid out where its range is open."""
    built, water = nominal.facility.cooling.facility_water, asked.facility_water
    section = nominal.project.cooling.facility_water
    if built is None or water is None or (section is not None and section.tower_range is not None):
        return asked
    return replace(asked, facility_water=replace(water, tower_range_k=built.tower_range_k))


def _differences(built: object, asked: object, place: str) -> Iterator[str]:
    """Yield the words and whole numbers in which two facilities differ: what is built.

    Part by part: a part may hold a year of numbers, of which no one comparison tells anything.
    """
    if built is asked or isinstance(built, _NOT_BUILT):
        return
    if is_dataclass(built) and type(built) is type(asked):
        for field in fields(built):
            one, other = getattr(built, field.name), getattr(asked, field.name)
            if one is other or isinstance(one, float) or field.name in _MAY_DIFFER:
                continue
            yield from _differences(one, other, f"{place}.{field.name}" if place else field.name)
    elif isinstance(built, tuple) and isinstance(asked, tuple):
        if len(built) != len(asked):
            yield f"{place} has {len(asked)} entries, not {len(built)}"
        for index, pair in enumerate(zip(built, asked, strict=False)):
            yield from _differences(*pair, f"{place}[{index}]")
    elif isinstance(built, str | int) and isinstance(asked, str | int) and built != asked:
        yield f"{place} is {asked}, not {built}"
