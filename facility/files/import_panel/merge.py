"""Differences between a panel as read and as designed, circuit by circuit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from facility.power.panels.board.model import Circuit, Panel

CLOSE = 1e-9


@dataclass(frozen=True)
class Match:
    """Circuit of the file with its circuit of the design, None if new."""

    circuit: Circuit
    was: Circuit | None
    where: str


Shown = str | float | None


@dataclass(frozen=True)
class Difference:
    """Field that differs between file and design."""

    panel: str
    circuit: str  # Id of the circuit; empty for the panel header
    field: str  # Column of the panel CSV, or label in the header
    was: Shown  # As designed
    now: Shown  # As imported
    where: str  # Sheet and cell, or line of the file
    applicable: bool = (
        True  # Whether a panel CSV can represent it; other edits are reported and ignored
    )


def shown_value(value: Shown) -> str:
    """Return a value as preview text; empty if None."""
    return "" if value is None else value if isinstance(value, str) else f"{value:.6g}"


def circuit_differences(
    panel: Panel, matches: Sequence[Match], fields: Iterable[str] | None = None
) -> list[Difference]:
    """Return the differences of `matches` from `panel`: circuits changed, added and removed.

    fields: Columns of the file; default: all.
    """
    compared = None if fields is None else set(fields)
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
            if (compared is None or name in compared) and not same(before, after)
        ]
    retained = {match.was.id for match in matches if match.was is not None}
    found += [
        Difference(panel.tag, c.id, "circuit", c.description, None, panel.tag)
        for c in panel.circuits
        if c.id not in retained
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
