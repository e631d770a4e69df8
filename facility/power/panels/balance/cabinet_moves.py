"""Moves of breakers within and between the panelboards of a cabinet, as instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.power.panels.balance.moves import in_order
from facility.power.panels.board.model import Circuit, Panel

Pole = tuple[str, int]
"""Tag of a panelboard and pole position in it."""


@dataclass(frozen=True)
class CabinetMove:
    """One breaker that changes its place.

    Attributes
    ----------
    id, description : str
        The circuit.
    poles : int
        Poles of its breaker.
    source, target : tuple of (str, int)
        Panelboard and position of every pole that it leaves and takes.
    source_phases, target_phases : str
        Phases before and after, in pole order.
    """

    id: str
    description: str
    poles: int
    source: tuple[Pole, ...]
    target: tuple[Pole, ...]
    source_phases: str
    target_phases: str


def moves_of(before: Sequence[Panel], after: Sequence[Panel]) -> tuple[CabinetMove, ...]:
    """Return the breakers that stood elsewhere before; those not placed then do not move."""
    places = {circuit.id: (panel, circuit) for panel in after for circuit in panel.circuits}
    found = []
    for panel in before:
        for circuit in panel.circuits:
            source, target = _poles_of(panel, circuit), _poles_of(*places[circuit.id])
            if source and source != target:
                phases = panel.phases(circuit), places[circuit.id][0].phases(places[circuit.id][1])
                found.append(
                    CabinetMove(
                        circuit.id, circuit.description, circuit.poles, source, target, *phases
                    )
                )
    return tuple(found)


def cabinet_steps(before: Sequence[Panel], moves: Sequence[CabinetMove]) -> tuple[str, ...]:
    """Return `moves` as instructions that can be followed one after the other.

    Parameters
    ----------
    before : sequence of Panel
        The panelboards before the moves.
    moves : sequence of CabinetMove
        What is to be done.
    """
    taken = {
        pole: circuit.id
        for panel in before
        for circuit in panel.circuits
        for pole in _poles_of(panel, circuit)
    }
    panels = {panel.tag: panel for panel in before}
    return tuple(
        _instruction(panels, how, move) for how, move in in_order(", ".join(panels), taken, moves)
    )


def _instruction(panels: Mapping[str, Panel], how: str, move: CabinetMove) -> str:
    source, target = _shown(panels, move.source), _shown(panels, move.target)
    there = f"{source} (phase{'s' * (move.poles > 1)} {'-'.join(move.source_phases)})"
    name = f"ckt {_first(panels, move.source)} ({move.description or move.id})"
    if how == "out":
        return f"{name}: take out of {there}, to be put in again below"
    origin = f"put in, taken out of {there}," if how == "in" else f"from {there}"
    phases = f"(phase{'s' * (move.poles > 1)} {'-'.join(move.target_phases)})"
    if move.source[0][0] == move.target[0][0]:
        target = _poles_text(panels, move.target)
    return f"{name}: {origin} to {target} {phases}"


def _poles_of(panel: Panel, circuit: Circuit) -> tuple[Pole, ...]:
    return tuple((panel.tag, n) for n in panel.occupied(circuit))


def _first(panels: Mapping[str, Panel], poles: tuple[Pole, ...]) -> str:
    tag = poles[0][0]
    return f"{tag} {','.join(panels[tag].layout.label(n) for _, n in poles)}"


def _shown(panels: Mapping[str, Panel], poles: tuple[Pole, ...]) -> str:
    return f"{poles[0][0]} {_poles_text(panels, poles)}"


def _poles_text(panels: Mapping[str, Panel], poles: tuple[Pole, ...]) -> str:
    labels = ", ".join(panels[tag].layout.label(n) for tag, n in poles)
    return f"pole{'s' * (len(poles) > 1)} {labels}"
