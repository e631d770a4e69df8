"""Differences between two states of a panel, field by field, as a preview shows them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from facility.files.import_panel.merge import CLOSE, Match
from facility.power.panels.board.model import Circuit, Panel

Shown = str | float | None


@dataclass(frozen=True)
class Difference:
    """One field that the file states otherwise than the design."""

    panel: str
    circuit: str  # Id of the circuit; none for the header of the panel
    field: str  # Column of the panel CSV, or label in the header
    was: Shown  # As designed
    now: Shown  # As imported
    where: str  # Sheet and cell, or line of the file
    kept: bool = True  # Whether a panel CSV can hold it; other edits are named and left behind


def circuit_differences(
    panel: Panel, matches: Sequence[Match], fields: Iterable[str] | None = None
) -> list[Difference]:
    """Return what `matches` change in `panel`: circuits changed, added and removed.

    fields: Columns that the file has; else all.
    """
    wanted = None if fields is None else set(fields)
    found = []
    for match in matches:
        if match.was is None:
            text = f"{match.circuit.description}, {match.circuit.poles} poles"
            found.append(
                Difference(panel.tag, match.circuit.id, "circuit", None, text, match.where)
            )
            continue
        found += [
            Difference(panel.tag, match.was.id, name, before, after, match.where)
            for name, before, after in _fields(match.was, match.circuit)
            if (wanted is None or name in wanted) and not same(before, after)
        ]
    kept = {match.was.id for match in matches if match.was is not None}
    found += [
        Difference(panel.tag, c.id, "circuit", c.description, None, panel.tag)
        for c in panel.circuits
        if c.id not in kept
    ]
    return found


def _fields(was: Circuit, now: Circuit) -> Iterator[tuple[str, Shown, Shown]]:
    yield "description", was.description, now.description
    yield "class", was.class_code, now.class_code
    yield "poles", was.poles, now.poles
    yield "breaker_a", was.breaker_a, now.breaker_a
    yield "position", was.position, now.position
    yield "fixed", "yes" if was.fixed else "no", "yes" if now.fixed else "no"
    yield "rack", was.rack, now.rack
    before, after = was.pole_va(), now.pole_va()
    if len(before) != len(after) or not all(map(same, before, after)):
        yield "va", _va(before), _va(after)
    yield "pf", _power_factor(was), _power_factor(now)


def _va(poles: tuple[float, ...]) -> str:
    return " / ".join(f"{va:.6g}" for va in poles)


def _power_factor(circuit: Circuit) -> float | None:
    total = circuit.total_va()
    return round(total.real / abs(total), 9) if abs(total) > CLOSE else None


def same(was: Any, now: Any) -> bool:
    """Return whether two values are equal, numbers to one part in a thousand million."""
    numbers = (int, float)
    if isinstance(was, numbers) and isinstance(now, numbers):
        return math.isclose(was, now, rel_tol=CLOSE, abs_tol=CLOSE)
    return (was in (None, "") and now in (None, "")) or was == now
