"""Tornado chart: effect of each input on a result, one at a time, widest bar on top."""

from __future__ import annotations

from dataclasses import dataclass

from facility.report.tables.ranges import label
from facility.study.ranges.influence import MAIN
from facility.study.ranges.result import RangesStudy


@dataclass(frozen=True)
class Bar:
    """One input: result with only this input at p5 and at p95, in SI."""

    path: str
    low: float
    high: float


@dataclass(frozen=True)
class Tornado:
    """Bars of one result about its design value."""

    key: str
    title: str
    kind: str
    nominal: float
    bars: tuple[Bar, ...]

    @property
    def ends(self) -> tuple[float, float]:
        """Minimum and maximum of the bars and the design value."""
        values = [self.nominal, *(end for bar in self.bars for end in (bar.low, bar.high))]
        return min(values), max(values)


def tornadoes(study: RangesStudy) -> tuple[Tornado, ...]:
    """Return a tornado chart for every main result affected by an input."""
    made = []
    for key in MAIN:
        rows = sorted(study.matters_to(key), key=lambda matter: -matter.swing)
        bars = tuple(
            Bar(row.path, row.low, row.high)
            for row in rows
            if row.low is not None and row.high is not None and row.swing > 0.0
        )
        if bars and key in study.nominal:
            value = study.nominal[key]
            made.append(Tornado(key, label(key), value.kind, float(value.si), bars))
    return tuple(made)
