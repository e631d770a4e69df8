"""Acceptance limits of expected values, from the table of tolerances."""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.catalogue import Row, table
from facility.catalogue.sources import SourceEntry
from facility.study.commissioning.model import ExpectedReading

_SENSES = {"<=": "at most", ">=": "at least", "=": "equal"}


@dataclass(frozen=True)
class Tolerances:
    """Tolerances that apply under one electrical code."""

    code: str

    def row(self, name: str, id: str) -> Row | None:
        """Return the row of a table of test values for this code; None without one."""
        index = table(f"commissioning/{name}").index
        return index.get((id, self.code)) or index.get((id, "any"))

    def applied(
        self, reading: ExpectedReading, rule: str, base: float | None = None
    ) -> ExpectedReading:
        """Return the reading with its acceptance limits.

        rule: ``<=``, ``>=`` or ``=`` for a value that is a limit, else a row of
            ``commissioning/tolerances``; empty for a value that is recorded only.
        base: Related input power [W], for tolerances of losses.
        """
        value = reading.value
        if not rule or not isinstance(value, int | float):
            return reading
        if rule in _SENSES:
            low, high = (None if rule == "<=" else value), (None if rule == ">=" else value)
            return replace(reading, tolerance=_SENSES[rule], low=low, high=high)
        row = self.row("tolerances", rule)
        if row is None:
            return replace(reading, missing=f"no tolerance {rule} for {self.code}")
        unit, of = row.text("unit"), float(value if base is None else base)
        size = {"%": abs(of) / 100.0, "points": 0.01, "K": 1.0}[unit]
        ends = [None if row[name] is None else float(row.require(name)) for name in ("low", "high")]
        low, high = (None if end is None else float(value) + end * size for end in ends)
        if unit == "points" and low is not None:
            low = max(low, 0.0)
        shown = {"points": "percentage points"}.get(unit, unit)
        shown += " of the input" if row.text("of") == "base" else ""
        both = None not in ends and ends[0] == -(ends[1] or 0.0)
        sides = zip(ends, ("below", "above"), strict=True)
        words = [f"{abs(end):g} {shown} {side}" for end, side in sides if end is not None]
        return replace(
            reading,
            tolerance=f"±{ends[1]:g} {shown}" if both else ", ".join(words),
            low=low,
            high=high,
            tolerance_source=source_text(row.source),
        )


def source_text(source: SourceEntry) -> str:
    """Return the title of a source, marked if it is unverified (no source read)."""
    return f"{source.title} [unverified]" if source.verified == "memory" else source.title
