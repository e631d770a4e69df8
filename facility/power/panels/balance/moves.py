"""Moves of breakers in a panel that stands: what goes where, in an order that can be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from facility.core.errors import FacilityError
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.model import Circuit, Panel

How = Literal["out", "in", "move"]


class Moving(Protocol):
    """A breaker that leaves some poles and takes others."""

    @property
    def id(self) -> str:
        """The circuit."""

    @property
    def source(self) -> tuple[Any, ...]:
        """Poles it leaves."""

    @property
    def target(self) -> tuple[Any, ...]:
        """Poles it takes."""


@dataclass(frozen=True)
class Move:
    """One breaker that changes its place.

    Attributes
    ----------
    id, description : str
        The circuit.
    poles : int
        Poles of its breaker.
    source, target : tuple[int, ...]
        Pole positions it leaves and takes, all poles.
    source_phases, target_phases : str
        Phases before and after, in pole order, e.g. ``"BC"``.
    """

    id: str
    description: str
    poles: int
    source: tuple[int, ...]
    target: tuple[int, ...]
    source_phases: str
    target_phases: str


@dataclass(frozen=True)
class MovePlan:
    """Moves that belong together, and what the panel is like once all of them are done.

    Attributes
    ----------
    panel : Panel
        The panel afterwards.
    moves : tuple[Move, ...]
        Breakers that change their place, in the order of the circuits; none in the first plan.
    steps : tuple[str, ...]
        Instructions, in an order in which every pole is free when a breaker comes to it.
    imbalance : float
        Maximum deviation from the mean over the mean, normal state, of what the objective
        compares: phasor line currents, or schedule VA of the phases.
    loads : tuple[PanelLoad, ...]
        Load of the panel in each state.
    exact : bool
        Whether all plans with as many moves or fewer were looked at.
    """

    panel: Panel
    moves: tuple[Move, ...]
    steps: tuple[str, ...]
    imbalance: float
    loads: tuple[PanelLoad, ...]
    exact: bool

    @property
    def current_max_a(self) -> float:
        """Largest phasor line current over the states [A]."""
        return max(load.current_max_a for load in self.loads)


def moves_between(before: Panel, after: Panel) -> tuple[Move, ...]:
    """Return the breakers that stand elsewhere in `after`; both hold the same circuits, placed."""
    return tuple(
        Move(
            old.id,
            old.description,
            old.poles,
            before.occupied(old),
            after.occupied(new),
            before.phases(old),
            after.phases(new),
        )
        for old, new in zip(before.circuits, after.circuits, strict=True)
        if old.position != new.position
    )


def moved(panel: Panel, positions: Mapping[str, int]) -> Panel:
    """Return `panel` with the circuits named in `positions` at their new first pole."""
    circuits = tuple(
        replace(circuit, position=positions.get(circuit.id, circuit.position))
        for circuit in panel.circuits
    )
    return replace(panel, circuits=circuits)


def ordered_steps(panel: Panel, moves: Sequence[Move]) -> tuple[str, ...]:
    """Return `moves` as instructions that can be followed one after the other.

    A breaker goes to its new poles once these are free. Where the moves wait for each other in a
    ring, the first of them is taken out, and put in when its poles are free.

    Parameters
    ----------
    panel : Panel
        The panel before the moves.
    moves : sequence of Move
        What is to be done.

    Raises
    ------
    FacilityError
        ``PANEL_OVERLAP`` when a pole stays taken by a breaker that does not move.
    """
    taken = {n: circuit.id for circuit in panel.circuits for n in panel.occupied(circuit)}
    texts = {"out": _taken_out, "in": _put_in, "move": _instruction}
    return tuple(texts[how](panel, move) for how, move in in_order(panel.tag, taken, moves))


def in_order(
    tag: str, taken: Mapping[Any, str], moves: Sequence[Moving]
) -> Iterator[tuple[How, Any]]:
    """Yield `moves` so that every pole is free when a breaker comes to it.

    Parameters
    ----------
    tag : str
        Panel or cabinet, for the message.
    taken : mapping
        Who stands on each pole before.
    moves : sequence of Moving
        What is to be done.

    Yields
    ------
    tuple of str and Moving
        ``move``; or ``out`` and later ``in`` for one that must be taken out first.

    Raises
    ------
    FacilityError
        ``PANEL_OVERLAP`` when a pole stays taken by a breaker that does not move.
    """
    taken = dict(taken)
    waiting, out = list(moves), list[Moving]()
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
        _lift(current, taken)
        if found is None:
            yield "out", current
            out.append(current)
            waiting.remove(current)
            continue
        taken |= dict.fromkeys(current.target, current.id)
        yield ("in" if current in out else "move"), current
        (out if current in out else waiting).remove(current)


def _is_free(move: Moving, taken: Mapping[Any, str]) -> bool:
    return all(taken.get(n, move.id) == move.id for n in move.target)


def _lift(move: Moving, taken: dict[Any, str]) -> None:
    for position in move.source:
        if taken.get(position) == move.id:
            del taken[position]


def _instruction(panel: Panel, move: Move) -> str:
    return (
        f"ckt {_named(panel, move)}: from {_poles(panel, move.source, move.source_phases)} "
        f"to {_poles(panel, move.target, move.target_phases)}"
    )


def _put_in(panel: Panel, move: Move) -> str:
    source = _poles(panel, move.source, move.source_phases)
    return (
        f"ckt {_named(panel, move)}: put in, taken out of {source}, "
        f"to {_poles(panel, move.target, move.target_phases)}"
    )


def _taken_out(panel: Panel, move: Move) -> str:
    where = _poles(panel, move.source, move.source_phases)
    return f"ckt {_named(panel, move)}: take out of {where}, to be put in again below"


def _named(panel: Panel, move: Move) -> str:
    label = ",".join(panel.layout.label(n) for n in move.source)
    name = move.description or move.id
    return f"{label} ({name})"


def _poles(panel: Panel, positions: tuple[int, ...], phases: str) -> str:
    several = len(positions) > 1
    labels = ", ".join(panel.layout.label(n) for n in positions)
    return f"pole{'s' * several} {labels} (phase{'s' * several} {'-'.join(phases)})"


def require_placed(panel: Panel) -> None:
    """Refuse a panel with a circuit that has no position.

    Raises
    ------
    FacilityError
        ``PANEL_NOT_PLACED``.
    """
    loose: list[Circuit] = [c for c in panel.circuits if c.position is None]
    if loose:
        raise FacilityError(
            "PANEL_NOT_PLACED",
            panel.tag,
            f"circuit {loose[0].id!r} has no position; moves start from a panel that stands.",
            "Give every circuit its position, or balance the panel without --moves.",
        )
