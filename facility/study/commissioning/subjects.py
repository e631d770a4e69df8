"""Equipment to be tested: identical items of the power network, cooling units, circuits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.power.network.build.facility import HOUSE
from facility.power.network.graph.types import Equipment
from facility.study.design.design import Design

_NETWORK = {
    "mv-switchgear": "mv",
    "transformer": "tx",
    "generator-plant": "gen",
    "ats": "ats",
    "lv-board": "lvb",
    "ups": "ups",
    "static-bypass": "sbp",
    "maintenance-bypass": "mbp",
    "sts": "sts",
    "pdu": "pdu",
    "panel": "panel",
    "busway": "busway",
    "utility": "utility",
}
"""Subject of the steps by kind of equipment of the network."""
_HALL_AIR = ("CRAH", "CRAC", "IRC", "FWU")
"""Tags of the air units of the halls."""


@dataclass(frozen=True)
class Subject:
    """Identical equipment with the same test steps."""

    name: str  # As `steps.csv` refers to it
    tags: tuple[str, ...]
    equipment: Equipment | None = None  # First item of the power network


def subjects(design: Design) -> Iterator[Subject]:
    """Yield the subjects of a design; several of one name differ in rating or voltage."""
    groups: dict[tuple[str, tuple[float | None, ...]], list[Equipment]] = {}
    for one in design.distribution.plan.network.equipment:
        name = _NETWORK.get(one.kind)
        if name is not None:
            rating = one.voltage_v, one.rating_va, one.rating_w, one.rating_a
            groups.setdefault((name, rating), []).append(one)
    for (name, _), items in groups.items():
        tags = tuple(tag for one in items for tag in one.unit_tags)
        yield Subject(name, tags, items[0])
        if name == "ups" and design.electrical.batteries.bank is not None:
            yield Subject("battery", tuple(f"BAT {tag}" for tag in tags), items[0])
    protected = tuple(
        one.circuit.tag
        for one in design.distribution.feeders.feeders
        if one.trip is not None and one.trip.ground_fault
    )
    if protected:
        yield Subject("gfp", protected)
    yield from _ground_faults(design)
    units = {
        circuit.units.tag: circuit.units.installed
        for board in design.distribution.plan.boards
        for circuit, _ in board.units
    }
    for tag, count in units.items():
        tags = tuple(f"{tag}-{n}" for n in range(1, count + 1)) or (tag,)
        yield Subject("hall-air" if tag in _HALL_AIR else tag, tags)
        if tag in _HALL_AIR and not design.cooling.chilled.plan.direct:
            yield Subject("water-air", tags)


def _ground_faults(design: Design) -> Iterator[Subject]:
    """Yield what has ground-fault interrupters, residual current devices, or resistors.

    Receptacles of the building are on the house panels; their circuits are by the detailed design.
    """
    circuits = [one.circuit for one in design.distribution.feeders.feeders]
    houses = dict.fromkeys(one.target for one in circuits if one.target.startswith(HOUSE))
    if houses:
        nec = design.facility.criteria.code == "NEC"
        yield Subject("gfci" if nec else "rcd", tuple(houses))
    if design.chain.chain.transformer.grounding_a is not None:
        network = design.distribution.plan.network
        tags = [
            tag for one in network.equipment if one.kind == "transformer" for tag in one.unit_tags
        ]
        yield Subject("hrg", tuple(tags))
