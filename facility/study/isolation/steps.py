"""Switching steps that isolate a target: transfers first, then devices, downstream ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from facility.core.views import show
from facility.power.network.graph.types import Outage
from facility.study.isolation.actions import Phase, RouteView, SwitchingAction, listed
from facility.study.isolation.positions import (
    BLOCKED,
    BYPASS,
    CLOSED,
    OPEN,
    RUNNING,
    STOPPED,
    normal_positions,
    output_of,
)
from facility.study.isolation.topology import TRANSFERS, IsolationTarget, Joint, Topology

_AUTOMATIC = (*TRANSFERS, "mv-switchgear", "lv-board")
"""Equipment that may transfer to its second supply by itself."""


def final_outage(topology: Topology, target: IsolationTarget) -> Outage:
    """Return the equipment out of service when the target is isolated."""
    if target.unit:
        return Outage("isolated", lost=(target.unit, *target.partners))
    lost: list[str] = []
    units: list[str] = []
    bypassed = _on_bypass(topology, target)
    for one in topology.connections(target.members):
        if one.circuit:
            lost.append(one.circuit)
        elif one.own:
            units += topology.network[one.own].unit_tags
    for own in topology.own_sources(target.members):
        units += own.unit_tags
    maintained = [unit for tag in bypassed for unit in topology.network[tag].unit_tags]
    lost += [unit for unit in units if unit not in maintained]
    return Outage("isolated", tuple(dict.fromkeys(lost)), tuple(maintained))


def _on_bypass(topology: Topology, target: IsolationTarget) -> tuple[str, ...]:
    """Return the UPS and static bypass of the target whose load a maintenance bypass carries."""
    for tag in target.members:
        ups = topology.bypassed.get(tag)
        if ups is not None and topology.kind(target.members[0]) in ("ups", "static-bypass"):
            return tuple(topology.parallel[ups][:-1])
    return ()


class SwitchingOrder:
    """Collector of the actions of one isolation, with the accumulated equipment out of service."""

    def __init__(
        self, topology: Topology, target: IsolationTarget, start: RouteView, end: RouteView
    ):
        self.topology, self.target = topology, target
        self.start, self.end = start, end
        self.actions: list[SwitchingAction] = []
        self._positions = normal_positions(topology, start)
        self._lost: dict[str, None] = {}
        self._maintained: tuple[str, ...] = ()

    def add(
        self,
        phase: Phase,
        text: str,
        undo: str = "",
        devices: Iterable[str] = (),
        location: str = "",
        lost: Iterable[str] = (),
        moves: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Add an action that takes `lost` out of service; `moves` are the new positions."""
        self._lost |= dict.fromkeys(lost)
        outage = Outage(f"step {len(self.actions) + 1}", tuple(self._lost), self._maintained)
        self._positions.update(moves)
        self.actions.append(
            SwitchingAction(phase, text, undo, tuple(devices), location, outage, tuple(moves))
        )

    def switching(self, normal_w: float) -> tuple[SwitchingAction, ...]:
        """Return the actions from the starting state to the open devices.

        normal_w: Power that the target carries in the starting state [W].
        """
        target = self.target
        subject = target.unit or (target.members or (target.tag,))[0]
        carries = f"; {subject} carries {show(normal_w, 'active_power')}" if normal_w else ""
        self.add(
            "check",
            f"Check the starting state: all equipment in service, no alarm{carries}. Compare the"
            " one-line diagram with the installation.",
            "Check the normal state: all equipment in service, no alarm.",
        )
        if target.refusal:  # only the starting state is checked: the list stops with the reason
            return tuple(self.actions)
        if target.unit:
            self._unit()
        elif target.boards:
            self._outside()
        else:
            self._transfers()
            self._on_bypass()
            self._stop_ups()
            self._block_sources()
            self._open()
        return tuple(self.actions)

    def _transfers(self) -> None:
        """Transfer equipment and cooling load with a second supply away from the target."""
        network = self.topology.network
        start, end = self.start.taken, self.end.taken
        moved = np.flatnonzero(self.end.live & self.start.live & (start != end))
        alternates, found = [], []
        for row in moved.tolist():
            one = network.equipment[row]
            if not one.links or one.tag in self.target.members or one.kind == "ups-output":
                continue
            before, after = (one.links[int(taken[row])] for taken in (start, end))
            found.append((one, before, after))
            alternates.append(after.source)
        for plant in self.topology.plants if found else ():
            carries = [tag for tag in alternates if self._hangs_on(tag, plant.tag)]
            if carries and plant.tag not in self.target.members:
                sets = len(plant.unit_tags)
                self.add(
                    "transfer",
                    f"Start {plant.tag} ({sets} sets); check voltage and frequency.",
                    f"Stop {plant.tag} after the cool-down run; return it to automatic start.",
                    (plant.tag,),
                    plant.tag,
                    moves=((plant.tag, RUNNING),),
                )
        for one, before, after in found:
            if one.kind in TRANSFERS:
                how = "open transition, or closed if the switch is built for it"
                back, moves = how, [(one.tag, after.source)]
            else:
                how = f"open {before.circuit}, check the bus dead, close {after.circuit}"
                back = (
                    f"dead-bus transfer: open {after.circuit}, check the bus dead, close"
                    f" {before.circuit}; synchronized only if its controls provide it"
                )
                moves = [(before.circuit, OPEN), (after.circuit, CLOSED)]
            self.add(
                "transfer",
                f"Transfer {one.tag} from {before.source} to {after.source} ({how}); block"
                " automatic retransfer.",
                f"Transfer {one.tag} back to {before.source} ({back}); return it to automatic.",
                (one.tag,),
                one.tag,
                (before.circuit,) if before.circuit else (),
                moves,
            )
        self._transfer_cooling()

    def _hangs_on(self, tag: str, source: str) -> bool:
        """Return whether an element is supplied from a source in the final state."""
        taken, network = self.end.taken, self.topology.network
        while tag != source:
            row = network.index[tag]
            if taken[row] < 0:
                return False
            tag = network.equipment[row].links[int(taken[row])].source
        return True

    def _transfer_cooling(self) -> None:
        for load, number in self.topology.cooling_loads:
            before, after = int(self.start.pattern[number]), int(self.end.pattern[number])
            if before == after or not after or load in self.target.members:
                continue
            cords = self.topology.into[load]
            gone = [one for one in cords if before & ~after & 1 << one.choice]
            left = [one.source for one in cords if after & 1 << one.choice]
            sources = [one.source for one in gone]
            boards = [
                board.tag
                for board in self.topology.plan.boards
                if board.load == load and not set(board.sources).isdisjoint(sources)
            ]
            where = f"transfer switches of {listed(boards)}" if boards else "its transfer switch"
            self.add(
                "transfer",
                f"Transfer {load} from {listed(sources)} to {listed(left)} ({where}).",
                f"Transfer {load} back to {listed(sources)}.",
                (load,),
                load,
                [one.circuit for one in gone if one.circuit],
            )

    def _on_bypass(self) -> None:
        """Transfer the load of a UPS to its static bypass, then to its maintenance bypass."""
        bypassed = _on_bypass(self.topology, self.target)
        if not bypassed:
            return
        ups = bypassed[0]
        bypass = self.topology.parallel[ups][-1]
        units = self.topology.network[ups].unit_tags
        static = listed(bypassed[1:])
        self.add(
            "transfer",
            f"Transfer {ups} to static bypass {static}; check that bypass and inverter are in"
            " synchronism.",
            f"Check that {bypass} is open; start the inverter of {ups}, check synchronism with the"
            " bypass, transfer to the inverter.",
            (ups, *bypassed[1:]),
            ups,
            units,
            ((ups, BYPASS),),
        )
        for unit in units:
            self._lost.pop(unit)
        self._maintained = tuple(
            unit for tag in bypassed for unit in self.topology.network[tag].unit_tags
        )
        self.add(
            "transfer",
            f"Close maintenance bypass {bypass}, interlocked: {ups} is on static bypass, its"
            " inverter off.",
            f"Open maintenance bypass {bypass} after the static bypass of {ups} carries its load.",
            (bypass, *bypassed),
            bypass,
            moves=((output_of(bypass), CLOSED),),
        )

    def _stop_ups(self) -> None:
        """Stop the UPS systems downstream that end without input, before their batteries do."""
        network = self.topology.network
        for row in np.flatnonzero(self.start.live & ~self.end.live).tolist():
            one = network.equipment[row]
            within = one.tag in self.target.members
            if one.kind != "ups" or within or one.tag not in self.topology.parallel:
                continue
            group = self.topology.parallel[one.tag][:-1]
            into = self.topology.into[one.tag]
            live = [
                c.source
                for c in into
                if self.end.live[network.index[c.source]]
                and one.tag not in self.target.members
                and c.source not in self.target.members
            ]
            why = f"its input stays live from {listed(live)}" if live else "its input is lost below"
            self._stop(one.tag, group, why)

    def _stop(self, ups: str, group: Iterable[str], why: str) -> None:
        """Stop a UPS with its static bypasses."""
        network, group = self.topology.network, tuple(group)
        bypass = self.topology.parallel.get(ups, ("",))[-1]
        check = f"check that {bypass} is open; " if bypass not in ("", ups) else ""
        self.add(
            "transfer",
            f"Stop {ups} with its static bypass and open its battery breaker; {why}.",
            f"Start {ups}: {check}rectifier, then its battery breaker, then static bypass, then the"
            " inverter in synchronism with it.",
            group,
            ups,
            [unit for tag in group for unit in network[tag].unit_tags],
            ((ups, STOPPED),),
        )

    def _block_sources(self) -> None:
        for one in self.topology.own_sources(self.target.members):
            if one.kind == "generator-plant":
                self.add(
                    "transfer",
                    f"Stop {one.tag} and block the start of all sets: mode selector off, start"
                    " battery disconnected.",
                    f"Connect the start batteries of {one.tag}; return it to automatic start.",
                    (one.tag,),
                    one.tag,
                    one.unit_tags,
                    ((one.tag, BLOCKED),),
                )
            elif one.kind == "ups" and not self._maintained:
                self._stop(one.tag, (one.tag,), "its load is without it")
        moved = {tag for one in self.actions for tag in one.devices}
        fed = [
            c.target
            for member in self.target.members
            for c in self.topology.out_of[member]
            if c.target not in moved
        ]
        for tag in dict.fromkeys((*self.target.members, *fed)):
            if len(self.topology.supplies(tag)) > 1 and self.topology.kind(tag) in _AUTOMATIC:
                start = " and its start signal" * (self.topology.kind(tag) == "ats")
                self.add(
                    "transfer",
                    f"Set {tag} to manual: automatic transfer{start} blocked.",
                    f"Return {tag} to automatic.",
                    (tag,),
                    tag,
                )

    def _open(self) -> None:
        """Open every device around and inside the target, downstream ones first."""
        target, topology = self.target, self.topology
        branches: dict[str, list[str]] = {}
        order: list[Joint | str] = []
        taken = self.start.taken
        # A supply in use is opened after the others: nothing transfers to them.
        for one in sorted(
            topology.connections(target.members),
            key=lambda c: (
                -c.level,
                c.target in target.members,
                c.target,
                bool(c.own) and topology.kind(c.own) != "ups",
                c.target in topology.network.index
                and taken[topology.network.index[c.target]] == c.choice,
            ),
        ):
            circuit = topology.plan.circuits.get(one.circuit)
            if circuit is not None and circuit.stage == "branch" and one.source in target.members:
                if one.source not in branches:
                    order.append(one.source)
                branches.setdefault(one.source, []).append(one.circuit)
            else:
                order.append(one)
        for step in order:
            if isinstance(step, str):
                found = branches[step]
                self.add(
                    "open",
                    f"Open the {len(found)} branch circuits of {step}: {listed(found)}.",
                    f"Close the branch circuits of {step}, one by one: {listed(found)}.",
                    found,
                    step,
                    found,
                    [(circuit, OPEN) for circuit in found],
                )
            else:
                if step.target in target.members and topology.kind(step.target) == "ups":
                    self._open_battery(step.target)
                self._open_one(step)
        for own in topology.own_sources(target.members):
            if own.kind == "utility":
                self.add(
                    "open",
                    f"Obtain the utility's clearance: {own.tag} open and tagged by the utility.",
                    f"Return the clearance of {own.tag} to the utility.",
                    (own.tag,),
                    "utility",
                    own.unit_tags,
                    ((own.tag, BLOCKED),),
                )

    def _open_battery(self, ups: str, unit: str = "") -> None:
        """Open the battery breaker of a UPS or of one unit, before its input."""
        name = unit or ups
        self.add(
            "open",
            f"Open the battery breaker of {name}.",
            f"Start the rectifier of {name}; close its battery breaker after the DC link is"
            " charged.",
            (name,),
            f"battery of {name}",
            () if self._maintained or unit else self.topology.network[ups].unit_tags,
        )

    def _open_one(self, one: Joint) -> None:
        topology = self.topology
        device = one.circuit or (output_of(one.own) if one.own else "")
        if device and self._positions[device] == OPEN:
            units = () if one.circuit else topology.network[one.own].unit_tags
            self.add(
                "open",
                f"Check that {'the ' * bool(one.own)}{device} is open.",
                "",
                (one.circuit or one.own,),
                one.device_end if one.circuit else one.own,
                (one.circuit,) if one.circuit else [u for u in units if u not in self._maintained],
            )
        elif one.circuit:
            self.add(
                "open",
                f"Open {one.circuit}.",
                f"Close {one.circuit}.",
                (one.circuit,),
                one.device_end,
                (one.circuit,),
                ((one.circuit, OPEN),),
            )
        elif one.own:
            units = topology.network[one.own].unit_tags
            ups = topology.bypassed.get(one.own, one.own)
            mode = f"{ups} in static bypass mode, inverter off" if self._maintained else ""
            self.add(
                "open",
                f"Open the output device of {one.own} to {one.target} (no circuit of the model).",
                f"Close the output device of {one.own}: {mode or f'{ups} is stopped'}.",
                (one.own,),
                one.own,
                [unit for unit in units if unit not in self._maintained],
                ((device, OPEN),),
            )
        elif one.plug and one.target not in self.target.members:
            self.add(
                "open",
                f"Unplug {one.target} from {one.source}.",
                f"Plug in {one.target}.",
                (one.source,),
                one.target,
            )

    def _unit(self) -> None:
        """Take one of several parallel units out: its own runs only."""
        unit, one = self.target.unit, self.topology.network[self.target.of]
        number, count = one.unit_tags.index(unit) + 1, len(one.unit_tags)
        stop = {
            "generator-plant": f"Stop {unit} and block its start: mode selector off, start battery"
            " disconnected.",
            "ups": f"Stop module {unit}; check that the others carry the load.",
        }.get(one.kind, f"Check that the other units of {one.tag} can carry the load.")
        back = {
            "generator-plant": f"Connect the start battery of {unit}; return it to automatic.",
            "ups": f"Start module {unit}.",
        }.get(one.kind, "")
        self.add("transfer", stop, back, (unit,), one.tag, (unit, *self.target.partners))
        back_to, how = {
            "generator-plant": ("Do not close", "; its control closes it in synchronism"),
            "ups": ("Close", f"; {unit} is stopped"),
        }.get(one.kind, ("Close", ""))
        runs = self.topology.runs(unit)
        if not any(run.source == one.tag for run in runs):
            words = f"the output device of {unit}"
            text = f"Open {words} (not a circuit of the model)."
            self.add("open", text, f"{back_to} {words}{how}.", (unit,), unit)
        for run in runs:
            if one.kind == "ups" and run.target == one.tag:
                self._open_battery(one.tag, unit)
            name = f"run {number} of {count} of {run.circuit}"
            undo = f"{back_to} {name}{how}." if run.source == one.tag else f"Close {name}."
            self.add("open", f"Open {name}.", undo, (run.circuit,), run.device_end)

    def _outside(self) -> None:
        """Isolate a mechanical board, or a cooling unit on one: the network only loses load."""
        target = self.target
        if target.kind == "mechanical board":
            (board,) = target.boards
            units = [f"{n} {unit.units.tag}" for unit, n in board.units]
            self.add(
                "transfer",
                f"Stop the units of {board.tag}: {listed(units)}; {_remaining(target)}.",
                f"Start the units of {board.tag}.",
                (board.load,),
                board.tag,
            )
            for source in reversed(board.sources):
                circuit = f"{source}>{board.load}"
                runs = self.topology.plan.circuits[circuit].runs
                name = f"the run to {board.tag} of {circuit}" if runs > 1 else circuit
                self.add("open", f"Open {name}.", f"Close {name}.", (circuit,), source)
            return
        where = listed([board.tag for board in target.boards])
        self.add(
            "transfer",
            f"Start a standby unit if there is one, then stop {target.tag}; {_remaining(target)}.",
            f"Start {target.tag}.",
            (),
            where,
        )
        words = f"the motor circuit of {target.tag}"
        self.add("open", f"Open {words} on {where}.", f"Close {words}.", (), where)


def _remaining(target: IsolationTarget) -> str:
    """Return the cooling units remaining in service vs. duty units, as text."""
    parts = []
    for unit, count in {u.units.tag: (u, n) for b in target.boards for u, n in b.units}.values():
        units = unit.units
        if target.kind == "cooling unit" and units.tag != target.of:
            continue
        left = units.installed - (1 if target.kind == "cooling unit" else count)
        short = "" if left >= units.duty else ", COOLING SHORT"
        parts.append(f"{left} of {units.installed} {units.tag} remain, {units.duty} on duty{short}")
    return "; ".join(parts) or "the units on it are not known"


def switching(
    topology: Topology, target: IsolationTarget, start: RouteView, end: RouteView, normal_w: float
) -> tuple[SwitchingAction, ...]:
    """Return the switching actions that isolate a target, from its start and final states."""
    return SwitchingOrder(topology, target, start, end).switching(normal_w)


def reversed_actions(
    actions: Sequence[SwitchingAction],
) -> Iterator[tuple[SwitchingAction, Outage]]:
    """Yield the actions in reverse order, each with the equipment then still out of service."""
    for number in range(len(actions) - 1, -1, -1):
        if actions[number].undo:
            before = actions[number - 1].outage if number else Outage("normal")
            yield actions[number], before
