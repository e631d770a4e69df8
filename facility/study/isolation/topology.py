"""Connections of a network as a switching engineer reads them: devices, their ends, bolted joints.

A circuit has one device, at its supply end or at its far end; the conductors belong to the
equipment at the other end. A connection without a circuit is bolted: it separates nowhere, except
at the output of a UPS or of a bypass, which are switched with the unit, and at the cords of a rack.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from facility.core.errors import unknown
from facility.power.network.build.mechanical import MechanicalBoard
from facility.power.network.build.plan import DEVICE_AT_END, NetworkPlan
from facility.power.network.graph.types import SOURCES, Equipment
from facility.power.network.graph.validate import levels
from facility.power.network.outages.lost import bypasses

OWN_OUTPUT = ("ups", "static-bypass", "maintenance-bypass")
"""Equipment with an output device that is no circuit: the solver switches the whole unit."""
TRANSFERS = ("ats", "sts")


@dataclass(frozen=True, slots=True)
class Joint:
    """Connection of two elements: a circuit, a bolted joint, or a cord."""

    source: str
    target: str
    choice: int  # Index among the supplies of the target
    circuit: str  # Empty if bolted
    level: int  # Steps from a source, of its target
    at_target: bool  # Whether the device is at the far end
    # Equipment whose own output device separates a joint without a circuit; empty if none.
    own: str = ""
    plug: bool = False  # Whether it ends at a load without a circuit: a cord

    @property
    def separable(self) -> bool:
        """Whether something opens it."""
        return bool(self.circuit or self.own or self.plug)

    @property
    def device_end(self) -> str:
        """Tag of the element where its device is."""
        return self.target if self.at_target else self.source

    @property
    def cable_end(self) -> str:
        """Tag of the element that its conductors are connected to without a device."""
        return self.source if self.at_target else self.target


@dataclass(frozen=True, eq=False)
class IsolationTarget:
    """What is isolated."""

    tag: str  # As entered
    kind: str  # Kind of equipment, "circuit", "load", "mechanical board" or "cooling unit"
    members: tuple[str, ...] = ()  # Equipment and loads that end dead, the subject first
    unit: str = ""  # Unit of parallel equipment that is isolated alone; its equipment is `of`
    of: str = ""
    partners: tuple[str, ...] = ()  # Units bolted to that unit, e.g. its step-up transformer
    boards: tuple[MechanicalBoard, ...] = ()  # Boards with the feeder, outside the network
    reasons: tuple[str, ...] = ()  # Why more than the subject ends dead
    refusal: str = ""  # Why the model does not isolate it, and what would decide it


class Topology:
    """Connections of a planned network by element, and the elements that can be isolated."""

    def __init__(self, plan: NetworkPlan) -> None:
        self.plan, self.network = plan, plan.network
        self.levels = dict(
            zip((e.tag for e in self.network.equipment), levels(self.network), strict=True)
        )
        self.loads = {load.tag: n for n, load in enumerate(self.network.loads)}
        self.plants = [one for one in self.network.equipment if one.kind == "generator-plant"]
        self.cooling_loads = [
            (load.tag, n) for n, load in enumerate(self.network.loads) if not load.kind.critical
        ]
        self.units = {
            unit: one
            for one in self.network.equipment
            for unit in one.unit_tags
            if unit != one.tag or len(one.unit_tags) > 1
        }
        self.parallel = {
            ups: (ups, *static, bypass)
            for bypass, systems in bypasses(self.network).items()
            for ups, static in systems
        }
        self.bypassed = {tag: ups for ups, group in self.parallel.items() for tag in group[:-1]}
        self.into: dict[str, list[Joint]] = defaultdict(list)
        self.out_of: dict[str, list[Joint]] = defaultdict(list)
        self.circuits: dict[str, Joint] = {}
        choices: dict[str, int] = defaultdict(int)
        for target, link in self.network.links:
            planned = plan.circuits.get(link.circuit)
            bolted, to_load = not link.circuit, target in self.loads
            one = Joint(
                link.source,
                target,
                choices[target],
                link.circuit,
                self.levels[link.source] + 1 if to_load else self.levels[target],
                planned is not None
                and planned.stage in DEVICE_AT_END
                and not (planned.terminals and planned.terminals.device_at_set),
                link.source if bolted and self.network[link.source].kind in OWN_OUTPUT else "",
                bolted and to_load,
            )
            choices[target] += 1
            self.into[target].append(one)
            self.out_of[link.source].append(one)
            if link.circuit:
                self.circuits[link.circuit] = one
        self.boards = {board.tag: board for board in plan.boards}
        self.cooling: dict[str, list[MechanicalBoard]] = defaultdict(list)
        for board in plan.boards:
            for unit, _ in board.units:
                self.cooling[unit.units.tag].append(board)

    @property
    def tags(self) -> list[str]:
        """Everything that can be isolated, from the source to the loads, without cooling units."""
        return list(
            dict.fromkeys(
                [
                    *(one.tag for one in self.network.equipment),
                    *self.units,
                    *self.circuits,
                    *self.loads,
                    *self.boards,
                    *self.cooling,
                ]
            )
        )

    def kind(self, tag: str) -> str:
        """Return the kind of an element; "load" for a load."""
        return "load" if tag in self.loads else self.network[tag].kind

    def equipment(self, tags: Iterable[str]) -> Iterator[Equipment]:
        """Yield the equipment among the elements."""
        return (self.network[tag] for tag in tags if tag not in self.loads)

    def target(self, tag: str) -> IsolationTarget:
        """Return what is isolated for a tag.

        Raises ``NETWORK_TAG`` for a tag that is no equipment, unit, circuit, load, mechanical board
        or cooling unit, with near matches.
        """
        if tag in self.boards:
            return IsolationTarget(tag, "mechanical board", boards=(self.boards[tag],))
        if tag in self.network.index or tag in self.loads:
            return self._whole(tag, tag, self.kind(tag))
        if tag in self.units:
            one = self.units[tag]
            number = one.unit_tags.index(tag)
            bolted = (c for c in (*self.into[one.tag], *self.out_of[one.tag]) if not c.separable)
            others = (c.source if c.target == one.tag else c.target for c in bolted)
            units = (self.network[other].unit_tags for other in others)
            partners = tuple(found[number] for found in units if len(found) == len(one.unit_tags))
            target = IsolationTarget(tag, one.kind, unit=tag, of=one.tag, partners=partners)
            return replace(target, refusal=self._shared(target))
        if tag in self.circuits:
            circuit = self.circuits[tag]
            end = circuit.cable_end
            switched = len(self.into[end]) > 1 and circuit.target == end
            if switched and self.kind(end) in (*TRANSFERS, "load"):
                refusal = (
                    f"the contact of {end} is the only separation of {tag} from its other supply,"
                    f" and its rating as an isolating device is not an input; isolate {end}"
                )
                return IsolationTarget(tag, "circuit", (), refusal=refusal)
            return self._whole(tag, end, "circuit")
        prefix, _, suffix = tag.rpartition("-")
        for name in (tag, prefix):
            boards = self.cooling.get(name, [])
            count = sum(n for board in boards for u, n in board.units if u.units.tag == name)
            listed = suffix.isdecimal() and 0 < int(suffix[:6]) <= count
            if boards and (name == tag or listed):
                where = [board.tag for board in boards]
                refusal = (
                    f"{name} is on {', '.join(where)}, and which unit is on which board is not an"
                    f" input; isolate the board, e.g. --tag {where[0]}"
                )
                return IsolationTarget(
                    tag,
                    "cooling unit",
                    of=name,
                    boards=tuple(boards),
                    refusal=refusal if len(where) > 1 else "",
                )
        raise unknown(
            "NETWORK_TAG",
            "--tag",
            f"{tag[:80]!r} is not equipment, a circuit, a load or a cooling unit of the project.",
            tag,
            self.tags,
        )

    def _shared(self, target: IsolationTarget) -> str:
        """Return the connection that no device of one unit opens, as a reason; empty if none."""
        zone = self.zone(target)
        runs = self.runs(target.unit)
        for tag in zone:
            for one in (*self.into[tag], *self.out_of[tag]):
                within = one.source in zone and one.target in zone
                breaker = one.source == tag and self.kind(tag) in ("generator-plant", "ups")
                if not (within or one in runs or breaker):
                    name = one.circuit or f"{one.source} to {one.target}"
                    return (
                        f"{name} is common to all units of {tag}: the model has no device that"
                        f" separates {target.unit} from them; one circuit for each unit would"
                        f" decide it; isolate {tag}"
                    )
        return ""

    def zone(self, target: IsolationTarget) -> tuple[str, ...]:
        """Return the equipment whose conductors are isolated, wholly or by one unit."""
        if not target.unit:
            return tuple(tag for tag in target.members if tag not in self.loads)
        partners = (self.units[unit].tag for unit in target.partners if unit in self.units)
        return tuple(dict.fromkeys((target.of, *partners)))

    def _whole(self, tag: str, first: str, kind: str) -> IsolationTarget:
        """Return a whole element with all that cannot be separated from it."""
        members, reasons = dict.fromkeys([first]), []
        if kind == "circuit":
            reasons.append(f"the conductors of {tag} are connected to {first} without a device")
        if first in self.bypassed:
            others = [one for one in self.parallel[self.bypassed[first]][:-1] if one != first]
            members |= dict.fromkeys(others)
            reasons += [f"{first} and {one} share one output, on the bypass" for one in others]
        if first in self.loads:
            pdus = [c.source for c in self.into[first] if c.plug]
            members |= dict.fromkeys(pdus)
        pending = list(members)
        while pending:
            at = pending.pop()
            for one in (*self.into[at], *self.out_of[at]):
                other = one.source if one.target == at else one.target
                if other in members:
                    continue
                if not one.separable:
                    reasons.append(f"the model has no device between {one.source} and {one.target}")
                elif (
                    one.target == at
                    and one.at_target
                    and self.kind(other) != "utility"
                    and all(fed.target in members for fed in self.out_of[other])
                ):
                    reasons.append(
                        f"the device of {one.circuit} is in {at}: its line side is dead only with"
                        f" {other}"
                    )
                else:
                    continue
                members[other] = None
                pending.append(other)
        return IsolationTarget(tag, kind, tuple(members), reasons=tuple(dict.fromkeys(reasons)))

    def connections(self, members: Iterable[str]) -> list[Joint]:
        """Return the connections of the members, inside and to others, downstream ones first."""
        within = dict.fromkeys(members)
        found = [one for tag in within for one in self.out_of[tag]]
        found += [one for tag in within for one in self.into[tag] if one.source not in within]
        return sorted(found, key=lambda one: -one.level)

    def runs(self, unit: str) -> list[Joint]:
        """Return the circuits with one run for each unit of its equipment, downstream first."""
        one = self.units[unit]
        found = (*self.out_of[one.tag], *self.into[one.tag])
        return [
            c
            for c in sorted(found, key=lambda c: -c.level)
            if c.circuit
            and c.circuit in self.plan.circuits
            and self.plan.circuits[c.circuit].runs == len(one.unit_tags)
        ]

    def supplies(self, tag: str) -> tuple[str, ...]:
        """Return the tags of the supplies of an element, the first choice first."""
        return tuple(one.source for one in self.into[tag])

    def own_sources(self, members: Iterable[str]) -> list[Equipment]:
        """Return the members that are live without a supply: sources, and UPS with batteries."""
        return [one for one in self.equipment(members) if one.kind in (*SOURCES, "ups")]
