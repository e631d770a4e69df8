"""Moves of breakers in existing panelboards, in a feasible order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from facility.core.errors import FacilityError
from facility.power.panels.board.layout import PHASE_NAMES, PHASES
from facility.power.panels.board.model import Circuit, Panel

Pole = tuple[str, int]
"""Tag of a panelboard and pole position in it."""

_How = Literal["out", "in", "move"]


@dataclass(frozen=True)
class CircuitPosition:
    """Position of a circuit."""

    id: str  # Circuit
    panel: str  # Panelboard
    position: int  # Position of its first pole
    label: str  # Position label
    phases: str  # The phases in pole order, e.g. "BC"
    banks: tuple[int, ...]  # Outlet bank on each pole of a 3-pole circuit, from 1
    positions: tuple[int, ...]  # Positions of all its poles

    @property
    def poles(self) -> tuple[Pole, ...]:
        """Panelboard and position of all its poles."""
        return tuple((self.panel, n) for n in self.positions)


@dataclass(frozen=True)
class Move:
    """Circuit with a changed position, or rotated outlet banks."""

    # The circuit before the move.
    id: str
    description: str
    poles: int  # Poles of its breaker
    before: CircuitPosition  # Former position
    after: CircuitPosition  # New position
    rack: str = ""  # Rack fed
    feed: str = ""  # Feed of the rack circuit
    circuit: int = 1  # Circuit number of its rack on this feed, from 1

    @property
    def changes_panel(self) -> bool:
        """Whether it moves to another panel."""
        return self.before.panel != self.after.panel


def position_of(panel: Panel, circuit: Circuit) -> CircuitPosition:
    """Return the position of a placed circuit."""
    position = circuit.position or 0
    banks = tuple(bank + 1 for bank in circuit.banks) if circuit.poles == 3 else ()
    label, phases = panel.layout.label(position), panel.phases(circuit)
    return CircuitPosition(
        circuit.id, panel.tag, position, label, phases, banks, panel.occupied(circuit)
    )


def moves_between(
    before: Sequence[Panel], after: Sequence[Panel], *, by_rack: bool = False
) -> tuple[Move, ...]:
    """Return the circuits moved or rotated in `after`, in its order.

    Circuits without a former position do not move. They are matched by id; or, with `by_rack`, by
    rack, feed and number, if ids follow the positions.
    """

    def name(panel: Panel, circuit: Circuit) -> object:
        return (circuit.rack, panel.side, circuit.ordinal) if by_rack else circuit.id

    stood = {
        name(panel, c): (position_of(panel, c), c)
        for panel in before
        for c in panel.circuits
        if c.position is not None and panel.phases(c) and (c.rack or not by_rack)
    }
    moves = []
    for panel in after:
        for circuit in panel.circuits:
            was = stood.get(name(panel, circuit))
            now = position_of(panel, circuit)
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
    """Return `moves` as instructions in a feasible order.

    A breaker goes to its new poles once these are free. If the moves form a ring, the first breaker
    is removed, and reinstalled when its poles are free.

    before: Panelboards before the moves; with several, the instructions include their tags.

    Raises ``PANEL_OVERLAP`` if a pole stays occupied by a breaker that does not move.
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
    """Yield `moves` so that every pole is free when a breaker is moved to it.

    taken: Circuit on each pole before.

    Raises ``PANEL_OVERLAP`` if a pole stays occupied by a breaker that does not move.

    Yields
    ------
    tuple of str and Move
        ``move``; or ``out`` and later ``in`` for a breaker that must be removed first.
    """
    taken = dict(taken)
    waiting, out = list(moves), list[Move]()
    while waiting or out:
        found = next(
            (m for m in (*out, *waiting) if all(taken.get(n, m.id) == m.id for n in m.after.poles)),
            None,
        )
        if found is None and not waiting:
            raise FacilityError(
                "PANEL_OVERLAP",
                tag,
                f"the new poles of circuit {out[0].id!r} are occupied by a breaker that is not"
                " moved.",
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


def _instruction(panels: Mapping[str, Panel], how: _How, move: Move) -> str:
    several = len(panels) > 1
    there = _poles(panels, move.before, several)
    labels = ",".join(panels[move.before.panel].layout.label(n) for n in move.before.positions)
    tag = f"{move.before.panel} " * several
    name = f"ckt {tag}{labels} ({move.description or move.id})"
    if how == "out":
        return f"{name}: remove from {there}, reinstall below"
    origin = f"reinstall, removed from {there}," if how == "in" else f"from {there}"
    return f"{name}: {origin} to {_poles(panels, move.after, several and move.changes_panel)}"


def _poles(panels: Mapping[str, Panel], at: CircuitPosition, named: bool) -> str:
    many = "s" * (len(at.positions) > 1)
    labels = ", ".join(panels[at.panel].layout.label(n) for n in at.positions)
    tag = f"{at.panel} " * named
    names = PHASE_NAMES.get(panels[at.panel].numbering, PHASE_NAMES["US"])
    phases = "-".join(names[PHASES.index(phase)] for phase in at.phases)
    return f"{tag}pole{many} {labels} (phase{many} {phases})"


def require_placed(panel: Panel) -> None:
    """Reject a panel with a circuit without a position.

    Raises ``PANEL_NOT_PLACED``.
    """
    loose: list[Circuit] = [c for c in panel.circuits if c.position is None]
    if loose:
        raise FacilityError(
            "PANEL_NOT_PLACED",
            panel.tag,
            f"circuit {loose[0].id!r} has no position; moves start from an existing arrangement.",
            "Enter a position for every circuit, or balance the panel without --moves.",
        )
