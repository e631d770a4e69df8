"""A design with its equipment as built under other inputs: the seam between samples and the year.

What is built is what the nominal design chose: counts, ratings, capacities, design flows, pipes.
A sample's inputs act on how it runs. What a sample would build otherwise is refused, never built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

from facility.cooling.chain.held import held_cooling
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Facility, Identity
from facility.model.inputs.cooling.machines import ChillerSection
from facility.model.inputs.cooling.plant import PlantSection
from facility.model.inputs.document import Project
from facility.power.chain.held import held_chain
from facility.power.train.schemes import feed_groups
from facility.study.design.design import Design
from facility.study.design.plants import with_choice
from facility.study.overrides import ledger_of
from facility.study.resolve.facility import resolve

_MAY_DIFFER = frozenset(
    (
        "people",
        "running_sets",
        # Words about where numbers are from.
        "assumed",
        "from_memory",
        "memory",
        "missing",
        "needed_basis",
        "nearest",
        "words",
        "liquid_class",
        "liquid_class_stated",
        "losses_stated",
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


def _with_power_choices(facility: Facility, nominal: Facility) -> Facility:
    """Return a facility with UPS module, PDU transformers and panel mains as the design chose."""
    power, built = facility.power, nominal.power
    power = replace(
        power,
        ups=replace(power.ups, chosen=built.ups.chosen, because=built.ups.because),
        wiring=replace(power.wiring, pdu_chosen_va=built.wiring.pdu_chosen_va),
    )
    if power.panels.main_open:
        mains = built.panels
        panels = replace(power.panels, main_a=mains.main_a, breaker_sizes_a=mains.breaker_sizes_a)
        power = replace(power, panels=panels)
    return replace(facility, power=power)


def _with_cooling_choices(project: Project, nominal: Design) -> Project:
    """Return a project with plant type, facility water and chiller as the design chose."""
    cooling = project.cooling
    for choice in nominal.choices:
        if isinstance(choice.chosen.item, Mapping):
            cooling = with_choice(cooling, choice.chosen.item)
    plant = cooling.plant or PlantSection()
    chiller = plant.chiller or ChillerSection()
    built = nominal.facility.cooling.chilled_water
    if chiller.model is None and plant.heat_rejection in (None, built.sink.kind):
        machine = chiller.model_copy(update={"model": built.chiller.model})
        plant = plant.model_copy(update={"chiller": machine})
        cooling = cooling.model_copy(update={"plant": plant})
    return project.model_copy(update={"cooling": cooling})


def _with_open_sizes(facility: Facility, project: Project, nominal: Facility) -> Facility:
    """Return a facility whose chillers have no capacity of a model that only the design chose."""
    plant = project.cooling.plant or PlantSection()
    chiller = plant.chiller or ChillerSection()
    if chiller.model is not None or chiller.capacity is not None:
        return facility
    built, water = nominal.cooling.chilled_water.chiller, facility.cooling.chilled_water
    machine = replace(water.chiller, capacity_w=built.capacity_w, largest_w=built.largest_w)
    water = replace(water, chiller=machine)
    return replace(facility, cooling=replace(facility.cooling, chilled_water=water))


def held(nominal: Design, project: Project) -> Design:
    """Return `nominal` with the inputs of `project`, and the equipment as it is.

    nominal: The design whose equipment runs.
    project: Its project with other numbers.

    Raises ``RANGE_EQUIPMENT`` where the project asks for other equipment; what `resolve` raises.
    """
    trace = Trace(ledger_of(project))
    wiring = nominal.facility.power.wiring
    system = "" if wiring.systems else wiring.rack_system
    facility, it = resolve(_with_cooling_choices(project, nominal), trace, system)
    facility = _with_power_choices(facility, nominal.facility)
    facility = _with_open_sizes(facility, project, nominal.facility)
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
