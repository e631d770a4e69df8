"""Outages of a study: failures, maintenance, and both at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from facility.power.network.graph.types import Equipment, EquipmentKind, Network, Outage

StateKind = Literal[
    "normal", "loss", "maintenance", "utility", "utility-generator", "loss-during-maintenance"
]
_BELOW_PANELS: tuple[EquipmentKind, ...] = ("rack-pdu",)


@dataclass(frozen=True, slots=True)
class Part:
    """Elements out of service together: a unit, a piece of equipment, or a circuit."""

    name: str  # Display name
    tags: tuple[str, ...]  # Tags of its units, or of the circuit
    # Tags of the equipment of the units; empty for a circuit.
    equipment: tuple[str, ...] = ()
    whole: bool = True  # Whether all units of the equipment are out
    kind: str = "circuit"  # Kind of the equipment, or "circuit"


def losses(network: Network, *, down_to_panels: bool = False) -> tuple[Part, ...]:
    """Return all single failures: each unit of equipment and each circuit.

    down_to_panels: Omit rack PDUs, and circuits to them and to loads.
    """
    taken = [e for e in network.equipment if not (down_to_panels and e.kind in _BELOW_PANELS)]
    units = [
        Part(tag, (tag,), (one.tag,), len(one.unit_tags) == 1, one.kind)
        for one in taken
        for tag in one.unit_tags
    ]
    return (*units, *_circuits(network, taken, with_loads=not down_to_panels))


def maintenance(network: Network, *, down_to_panels: bool = False) -> tuple[Part, ...]:
    """Return all single maintenance outages.

    Of equipment with several units each unit, and all units with their common bus; a whole UPS
    together with its static bypass if a maintenance bypass can carry its load. A circuit is
    maintained together with the equipment that it supplies.

    down_to_panels: Omit rack PDUs, and circuits to them and to loads.
    """
    taken = [
        one
        for one in network.equipment
        if one.maintainable and not (down_to_panels and one.kind in _BELOW_PANELS)
    ]
    parallel = {ups: bypass for _, systems in bypasses(network).items() for ups, bypass in systems}
    found: list[Part] = []
    for one in taken:
        if len(one.unit_tags) > 1:
            found += [Part(tag, (tag,), (one.tag,), False, one.kind) for tag in one.unit_tags]
        with_it = parallel.get(one.tag, ())
        tags = [tag for other in (one.tag, *with_it) for tag in network[other].unit_tags]
        name = one.tag if len(one.unit_tags) == 1 else f"all of {one.tag}"
        found.append(Part(name, tuple(tags), (one.tag, *with_it), True, one.kind))
    return (*found, *_circuits(network, taken, with_loads=not down_to_panels))


def _circuits(
    network: Network, supplied: Iterable[Equipment], *, with_loads: bool
) -> tuple[Part, ...]:
    tags = [link.circuit for one in supplied for link in one.links]
    if with_loads:
        tags += [cord.link.circuit for load in network.loads for cord in load.cords]
    return tuple(Part(tag, (tag,)) for tag in dict.fromkeys(tags) if tag)


def bypasses(network: Network) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return the equipment replaced by each maintenance bypass.

    By its tag: pairs of a UPS and its parallel static bypasses.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for one in network.equipment:
        ways: dict[str, list[str]] = defaultdict(list)
        for link in one.links:
            ways[network[link.source].kind].append(link.source)
        for tag in ways["maintenance-bypass"]:
            for ups in ways["ups"]:
                found[tag][ups] = tuple(ways["static-bypass"])
    return {tag: tuple(pairs.items()) for tag, pairs in found.items()}


def opens_bypasses(network: Network) -> Callable[[Iterable[Outage]], list[Outage]]:
    """Return a function that opens every maintenance bypass not closed for maintenance.

    A maintenance bypass is closed by hand while its UPS or static bypass is out of service; it
    carries no load after a failure.
    """
    every: list[str] = []
    parallel: dict[str, list[str]] = defaultdict(list)
    for tag, systems in bypasses(network).items():
        every += network[tag].unit_tags
        for other in (other for ups, static in systems for other in (ups, *static)):
            for unit in network[other].unit_tags:
                parallel[unit] += network[tag].unit_tags
    return partial(_opened, every, dict(parallel))


def _opened(
    every: Sequence[str], parallel: Mapping[str, Sequence[str]], outages: Iterable[Outage]
) -> list[Outage]:
    """Take out `every` bypass except those with a maintained unit in parallel (`parallel`)."""
    found = []
    for outage in outages:
        closed = {bypass for unit in outage.maintained for bypass in parallel.get(unit, ())}
        closed.update(outage.maintained)
        shut = (bypass for bypass in every if bypass not in closed) if closed else every
        found.append(replace(outage, maintained=(*outage.maintained, *shut)))
    return found


def utility_outages(network: Network) -> Iterator[tuple[Outage, Part | None]]:
    """Yield the loss of every utility service, alone and with each generator out.

    A set and its step-up transformer are one unit: the loss of either takes out both.
    """
    services = [tag for one in network.equipment if one.kind == "utility" for tag in one.unit_tags]
    if not services:
        return
    yield Outage("loss of utility", lost=tuple(services)), None
    for one in network.equipment:
        if one.kind == "generator-plant":
            for tag in one.unit_tags:
                part = Part(tag, (tag,), (one.tag,), len(one.unit_tags) == 1, one.kind)
                lost = (*services, tag, *_step_up(network, one, tag))
                yield Outage(f"loss of utility and {tag}", lost=lost), part


def _step_up(network: Network, plant: Equipment, tag: str) -> tuple[str, ...]:
    """Return the step-up transformer of the set `tag`, by its unit number, if any."""
    number = plant.unit_tags.index(tag)
    return tuple(
        one.unit_tags[number]
        for one in network.equipment
        if one.kind == "transformer"
        and [link.source for link in one.links] == [plant.tag]
        and len(one.unit_tags) == len(plant.unit_tags)
    )


def pairs(maintained: Part, lost: Sequence[Part]) -> Iterator[tuple[Part, Outage]]:
    """Yield the loss of each part in service while `maintained` is out."""
    out = set(maintained.tags)
    for part in lost:
        if not out.intersection(part.tags):
            name = f"loss of {part.name} during maintenance of {maintained.name}"
            yield part, Outage(name, lost=part.tags, maintained=maintained.tags)
