"""Moves of breakers in panelboards that stand: what goes where, in an order that can be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from facility.core.errors import FacilityError
from facility.power.panels.board.model import Circuit, Panel

Pole = tuple[str, int]
"""Tag of a panelboard and pole position in it."""

_How = Literal["out", "in", "move"]


@dataclass(frozen=True)
class CircuitPlace:
    """Where a circuit stands."""

    id: str  # The circuit
    panel: str  # Its panelboard
    position: int  # Position of its first pole
    label: str  # The position as printed
    phases: str  # The phases in pole order, e.g. "BC"
    banks: tuple[int, ...]  # Outlet bank on each pole of a 3-pole circuit, from 1
    positions: tuple[int, ...]  # Positions of all its poles

    @property
    def poles(self) -> tuple[Pole, ...]:
        """Panelboard and position of all its poles."""
        return tuple((self.panel, n) for n in self.positions)


@dataclass(frozen=True)
class Move:
    """One circuit that stands elsewhere than before, or has its outlet banks on other phases."""

    # The circuit as it was.
    id: str
    description: str
    poles: int  # Poles of its breaker
    before: CircuitPlace  # Where it stood
    after: CircuitPlace  # Where it stands
    rack: str = ""  # Rack that it feeds
    feed: str = ""  # Feed from which it feeds it
    circuit: int = 1  # Number of the circuit among those of its rack on this feed, from 1

    @property
    def changes_panel(self) -> bool:
        """Whether it goes to another panel."""
        return self.before.panel != self.after.panel


def stand(panel: Panel, circuit: Circuit) -> CircuitPlace:
    """Return where a placed circuit stands."""
    position = circuit.position or 0
    banks = tuple(bank + 1 for bank in circuit.banks) if circuit.poles == 3 else ()
    label, phases = panel.layout.label(position), panel.phases(circuit)
    return CircuitPlace(
        circuit.id, panel.tag, position, label, phases, banks, panel.occupied(circuit)
    )


def moves_between(
    before: Sequence[Panel], after: Sequence[Panel], *, by_rack: bool = False
) -> tuple[Move, ...]:
    """Return the circuits that stand elsewhere in `after`, or are turned, in its order.

    Circuits without a place before do not move. They are told by their ids; or, with `by_rack`, by
    rack, feed and number, where ids follow the positions.
    """

    def name(panel: Panel, circuit: Circuit) -> object:
        return (circuit.rack, panel.side, circuit.ordinal) if by_rack else circuit.id

    stood = {
        name(panel, c): (stand(panel, c), c)
        for panel in before
        for c in panel.circuits
        if c.position is not None and panel.phases(c) and (c.rack or not by_rack)
    }
    moves = []
    for panel in after:
        for circuit in panel.circuits:
            was = stood.get(name(panel, circuit))
            now = stand(panel, circuit)
            if was is None or was[0] == now:
                continue
            old = was[1]
            feed, number = panel.side, circuit.ordinal + 1
            moves.append(
                Move(old.id, old.description, old.poles, was[0], now, circuit.rack, feed, number)
            )
    return tuple(moves)


def moved(panel: Panel, positions: Mapping[str, int]) -> Panel:
    """Return `panel` with the circuits named in `positions` at their new first pole."""
    circuits = tuple(
        replace(circuit, position=positions.get(circuit.id, circuit.position))
        for circuit in panel.circuits
    )
    return replace(panel, circuits=circuits)


def ordered_steps(before: Sequence[Panel], moves: Sequence[Move]) -> tuple[str, ...]:
    """Return `moves` as instructions that can be followed one after the other.

    A breaker goes to its new poles once these are free. Where the moves wait for each other in a
    ring, the first of them is taken out, and put in when its poles are free.

    before: The panelboards before the moves; where they are several, the instructions name them.

    Raises ``PANEL_OVERLAP`` when a pole stays taken by a breaker that does not move.
    """
    taken = {
        (panel.tag, n): circuit.id
        for panel in before
        for circuit in panel.circuits
        for n in panel.occupied(circuit)
    }
    panels = {panel.tag: panel for panel in before}
    return tuple(
        _instruction(panels, how, move) for how, move in _in_order(", ".join(panels), taken, moves)
    )


def _in_order(
    tag: str, taken: Mapping[Pole, str], moves: Sequence[Move]
) -> Iterator[tuple[_How, Move]]:
    """Yield `moves` so that every pole is free when a breaker comes to it.

    taken: Who stands on each pole before.

    Raises ``PANEL_OVERLAP`` when a pole stays taken by a breaker that does not move.

    Yields
    ------
    tuple of str and Move
        ``move``; or ``out`` and later ``in`` for one that must be taken out first.
    """
    taken = dict(taken)
    waiting, out = list(moves), list[Move]()
    while waiting or out:
        found = next((m for m in (*out, *waiting) if _is_free(m, taken)), None)
        if found is None and not waiting:
            raise FacilityError(
                "PANEL_OVERLAP",
                tag,
                f"the new poles of circuit {out[0].id!r} are taken by a breaker that stays.",
                "Free the poles first.",
            )
        current = found or waiting[0]
        for position in current.before.poles:
            if taken.get(position) == current.id:
                del taken[position]
        if found is None:
            yield "out", current
            out.append(current)
            waiting.remove(current)
            continue
        taken |= dict.fromkeys(current.after.poles, current.id)
        yield ("in" if current in out else "move"), current
        (out if current in out else waiting).remove(current)


def _is_free(move: Move, taken: Mapping[Pole, str]) -> bool:
    return all(taken.get(n, move.id) == move.id for n in move.after.poles)


def _instruction(panels: Mapping[str, Panel], how: _How, move: Move) -> str:
    several = len(panels) > 1
    there = _poles(panels, move.before, several)
    labels = ",".join(panels[move.before.panel].layout.label(n) for n in move.before.positions)
    tag = f"{move.before.panel} " * several
    name = f"ckt {tag}{labels} ({move.description or move.id})"
    if how == "out":
        return f"{name}: take out of {there}, to be put in again below"
    origin = f"put in, taken out of {there}," if how == "in" else f"from {there}"
    return f"{name}: {origin} to {_poles(panels, move.after, several and move.changes_panel)}"


def _poles(panels: Mapping[str, Panel], at: CircuitPlace, named: bool) -> str:
    many = "s" * (len(at.positions) > 1)
    labels = ", ".join(panels[at.panel].layout.label(n) for n in at.positions)
    tag = f"{at.panel} " * named
    return f"{tag}pole{many} {labels} (phase{many} {'-'.join(at.phases)})"


def require_placed(panel: Panel) -> None:
    """Refuse a panel with a circuit that has no position.

    Raises ``PANEL_NOT_PLACED``.
    """
    loose: list[Circuit] = [c for c in panel.circuits if c.position is None]
    if loose:
        raise FacilityError(
            "PANEL_NOT_PLACED",
            panel.tag,
            f"circuit {loose[0].id!r} has no position; moves start from a panel that stands.",
            "Give every circuit its position, or balance the panel without --moves.",
        )
