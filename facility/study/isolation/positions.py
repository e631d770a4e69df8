"""Positions of the switching devices, and the sources that a state connects.

A standby supply and a maintenance bypass are normally open. The inverter of a UPS is a source; its
static bypass conducts only in static bypass mode, with the inverter off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from facility.study.isolation.actions import RouteView, SwitchingAction
from facility.study.isolation.topology import TRANSFERS, Joint, Topology

OPEN, CLOSED = "open", "closed"
RUNNING, BLOCKED = "running", "blocked"
INVERTER, BYPASS, STOPPED = "on inverter", "on static bypass", "stopped"


def output_of(tag: str) -> str:
    """Return the name of the output device of a UPS or bypass."""
    return f"output device of {tag}"


def normal_positions(topology: Topology, start: RouteView) -> dict[str, str]:
    """Return the position of every device in the normal state, and the mode of every source."""
    found: dict[str, str] = {}
    for target, joints in topology.into.items():
        kind = topology.kind(target)
        row = topology.network.index.get(target)
        used = -1 if row is None else int(start.taken[row])
        standby = kind not in (*TRANSFERS, "load") and sum(bool(j.circuit) for j in joints) > 1
        for one in joints:
            if one.circuit:
                found[one.circuit] = OPEN if standby and one.choice != used else CLOSED
            elif one.own:
                bypass = topology.kind(one.own) == "maintenance-bypass"
                found[output_of(one.own)] = OPEN if bypass else CLOSED
            if kind in TRANSFERS and one.choice == used:
                found[target] = one.source
    modes = {"utility": RUNNING, "generator-plant": "standby", "ups": INVERTER}
    for equipment in topology.network.equipment:
        if equipment.kind in modes:
            found[equipment.tag] = modes[equipment.kind]
    return found


class SourceCheck:
    """Detector of a state that connects two sources that are not known to be in synchronism."""

    def __init__(self, topology: Topology, start: RouteView) -> None:
        self.topology = topology
        self.normal = normal_positions(topology, start)
        self._sources = [e for e in topology.network.equipment if e.tag in self.normal]

    def _conducts(self, one: Joint, positions: Mapping[str, str]) -> bool:
        topology = self.topology
        if one.target in topology.loads or (one.circuit and positions[one.circuit] == OPEN):
            return False
        if one.own:
            ups = topology.bypassed.get(one.own, "")
            static = topology.kind(one.own) == "static-bypass"
            if positions[output_of(one.own)] == OPEN or (static and positions.get(ups) != BYPASS):
                return False
        switch = topology.kind(one.target) in TRANSFERS
        return not switch or positions.get(one.target, one.source) == one.source

    def connected(self, positions: Mapping[str, str]) -> dict[str, set[str]]:
        """Return the running sources that each element is connected to, without loads."""
        topology = self.topology
        reached: dict[str, set[str]] = defaultdict(set)
        for source in self._sources:
            if positions[source.tag] not in (RUNNING, INVERTER):
                continue
            ups = source.kind == "ups"
            pending, seen = [source.tag], {source.tag}
            while pending:
                tag = pending.pop()
                if not (ups and tag == source.tag):
                    reached[tag].add(source.tag)
                if topology.kind(tag) == "ups" and tag != source.tag:
                    continue  # The converter separates its input from its output.
                into = () if ups and tag == source.tag else topology.into[tag]
                for one in (*into, *topology.out_of[tag]):
                    other = one.source if one.target == tag else one.target
                    if other in seen or not self._conducts(one, positions):
                        continue
                    if topology.kind(other) == "ups" and one.source == other:
                        continue
                    seen.add(other)
                    pending.append(other)
        return reached

    def conflict(self, positions: Mapping[str, str]) -> str:
        """Return the first element fed from two sources, as text; empty if none."""
        for tag, sources in self.connected(positions).items():
            if len(sources) > 1:
                return f"{' and '.join(sorted(sources))} would meet at {tag}"
        return ""

    def refusals(self, actions: tuple[SwitchingAction, ...]) -> Iterator[tuple[int, str]]:
        """Yield the actions, by index, that the positions do not permit, with the reason.

        Index -1 is the way back: it meets two sources, or does not end in the normal state.
        """
        positions, before = dict(self.normal), list[dict[str, str]]()
        for number, action in enumerate(actions):
            before.append(dict(positions))
            positions.update(action.moves)
            if found := self.conflict(positions):
                yield number, f"{found}; that they are in synchronism is not known"
        for action, earlier in zip(reversed(actions), reversed(before), strict=True):
            if action.undo:
                positions.update({device: earlier[device] for device, _ in action.moves})
                if found := self.conflict(positions):
                    yield -1, f"{action.undo} {found}; that they are in synchronism is not known"
        wrong = [device for device, at in self.normal.items() if positions[device] != at]
        if wrong:
            yield -1, f"restoring would leave {wrong[0]} {positions[wrong[0]]}"
