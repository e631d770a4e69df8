"""Plausibility of a series: catch-up readings, stuck values, jumps and spikes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from facility.catalogue.series.roles import HOUR_S
from facility.catalogue.series.year import PlacedYear
from facility.core.kinds import FloatArray

CATCH_UP, STUCK, JUMP, SPIKE = "catch-up", "stuck", "jump", "spike"
FAR_BELOW = 0.6
"""Reading over its neighbours below which it may be caught up in the next."""
FAR_ABOVE = 1.25
EVEN = 0.35
"""Range of the four readings around a catch-up, relative to them, that is no change of load."""
BALANCED = 0.25
"""Difference of a pair from its neighbours, relative to them, up to which it is a catch-up."""
STUCK_H = 24
STUCK_PART = 0.9
"""Part of the year above which a constant series is a constant."""
CATCH_UP_H = 6
"""Longest outage that one reading is taken to catch up [h]."""
OUTLIER = 8.0
"""Change over the 99.5th percentile of changes that is a jump or a spike."""
OUTLIER_LEVEL = 1.5
"""Level over the 99.5th percentile of the values that is a spike."""
_QUANTILE = 99.5

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ImplausibleValues:
    """Implausible values of one type: number of cases, the first, and the effect."""

    kind: str
    count: int
    words: str
    first: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # First step of each
    last: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # Last step of each
    levels: tuple[float, ...] = ()  # Mean of each catch-up


def findings(
    values: FloatArray, missing: npt.NDArray[np.bool_], year: PlacedYear, *, metered: bool
) -> tuple[ImplausibleValues, ...]:
    """Return the implausible values of a year, by type.

    metered: Whether a meter integrates the values, so that one reading may catch up others.
    """
    if len(values) < STUCK_H or float(np.ptp(values)) == 0.0:
        return ()
    caught = _catch_ups(values, missing, year) if metered else ()
    rest = levelled(values, caught)
    return (*caught, *_stuck(rest, missing, year), *_outliers(rest, missing, year))


def levelled(values: FloatArray, found: tuple[ImplausibleValues, ...]) -> FloatArray:
    """Return the values with each catch-up at its mean; the energy is unchanged."""
    level = values.copy()
    for one in found:
        if one.kind == CATCH_UP:
            for first, last, mean in zip(one.first, one.last, one.levels, strict=True):
                level[first : last + 1] = mean
    return level


def _catch_ups(
    values: FloatArray, missing: npt.NDArray[np.bool_], year: PlacedYear
) -> tuple[ImplausibleValues, ...]:
    """Return the readings far below their neighbours that the next one catches up."""
    low_at, high_at, levels = list[int](), list[int](), list[float]()
    raw = np.where(missing, 0.0, values)
    before, here, right, next_ = raw[2:-3], values[3:-2], values[4:-1], values[5:]
    usual = (before < FAR_BELOW * right) & (here > FAR_ABOVE * right) & ~missing[3:-2]
    high = np.flatnonzero(usual & (np.abs(right - next_) <= EVEN * right) & ~missing[4:-1]) + 3
    limit = CATCH_UP_H * HOUR_S // year.step_s
    for at in high.tolist():
        begin, after = at, float(values[at + 1])
        while begin > 2 and at - begin < limit and raw[begin - 1] < FAR_BELOW * after:
            begin -= 1
        count, left = at - begin, float(values[begin - 1])
        if not raw[begin] < FAR_BELOW * left:
            continue
        around = values[[begin - 2, begin - 1, at + 1, at + 2]]
        mean = 0.5 * (left + after)
        if np.ptp(around) > EVEN * mean:
            continue
        total = float(raw[begin : at + 1].sum())
        due = (count + 1) * mean
        if values[at] > FAR_ABOVE * max(left, after) and abs(total - due) <= BALANCED * due:
            low_at.append(begin)
            high_at.append(at)
            levels.append(total / (count + 1))
    if not low_at:
        return ()
    first, last = low_at[0], high_at[0]
    text = (
        f"{len(low_at):,} catch-up pair{'s' * (len(low_at) > 1)}, a reading far below its "
        f"neighbours followed by one equally far above, first in hour {year.hour(first):,} "
        f"({year.when(first)}): {values[first] / values[first - 1]:.0%} and "
        f"{values[last] / values[first - 1]:.0%} of the previous reading; the mean of each "
        "group is used, energy unchanged"
    )
    ends = np.array(low_at), np.array(high_at)
    return (ImplausibleValues(CATCH_UP, len(low_at), text, *ends, tuple(levels)),)


def _stuck(
    values: FloatArray, missing: npt.NDArray[np.bool_], year: PlacedYear
) -> tuple[ImplausibleValues, ...]:
    """Return the runs of one value, other than zero, for a day and more."""
    changed = np.flatnonzero(np.diff(values) != 0.0) + 1
    begin = np.concatenate(([0], changed))
    count = np.diff(np.concatenate((begin, [len(values)])))
    # Steps filled from one reading do not count as readings.
    read = ~missing & (np.diff(year.rows, prepend=-1) != 0)
    readings = np.add.reduceat(read.astype(np.int64), begin)
    stuck = (readings * year.step_s >= STUCK_H * HOUR_S) & (values[begin] != 0.0)
    part = float(count[stuck].sum()) / len(values)
    if not stuck.any() or part > STUCK_PART:
        return ()
    first = int(np.argmax(stuck))
    text = (
        f"{int(stuck.sum()):,} constant period{'s' * (int(stuck.sum()) > 1)} of "
        f"{STUCK_H} h or longer, {part:.1%} of the year, first from {year.when(begin[first])} for "
        f"{count[first] * year.step_s / HOUR_S:,.0f} h; annual results include these hours"
    )
    return (
        ImplausibleValues(STUCK, int(stuck.sum()), text, begin[stuck], (begin + count - 1)[stuck]),
    )


def high_level(values: FloatArray) -> float:
    """Return the level above which a value is a spike among the others."""
    return OUTLIER_LEVEL * float(np.percentile(values, _QUANTILE))


def row_text(rows: tuple[int, int]) -> str:
    """Return one row, or first and last row, as text."""
    first, last = rows
    return f"row {first:,}" if first == last else f"rows {first:,} to {last:,}"


def rows_to_empty(
    values: FloatArray, missing: npt.NDArray[np.bool_], lines: Ints, at: int, *, register: bool
) -> tuple[int, int]:
    """Return first and last row of the cells that cause the value of a step.

    Of a register: the readings that repeat before a rise, else the reading next to a fall, else
    the one that ends the step.
    """
    begin, end = at, at
    while register and begin > 0 and values[begin - 1] == 0.0 and not missing[begin - 1]:
        begin -= 1
    if begin < at:
        begin += 1
    elif register and not (at > 0 and missing[at - 1]):
        begin = end = min(int(np.argmax(lines[at:] != lines[at])) + at, len(lines) - 1)
    first, last = sorted((int(lines[begin]), int(lines[end])))
    return first, last


def _outliers(
    values: FloatArray, missing: npt.NDArray[np.bool_], year: PlacedYear
) -> tuple[ImplausibleValues, ...]:
    """Return single readings far outside the others, and steps to another level."""
    change = np.diff(values)
    usual = float(np.percentile(np.abs(change), _QUANTILE))
    high = float(np.percentile(values, _QUANTILE))
    if usual <= 0.0 or high <= 0.0:
        return ()
    found = []
    up, down = change[:-1], change[1:]
    spike = (
        (np.minimum(np.abs(up), np.abs(down)) > 2.0 * usual)
        & (up * down < 0.0)
        & (values[1:-1] > OUTLIER_LEVEL * high)
    )
    at = np.flatnonzero(spike) + 1
    if len(at):
        worst = int(at[np.argmax(values[at])])
        rows = rows_to_empty(values, missing, year.lines, worst, register=year.register)
        text = (
            f"{len(at):,} reading{'s' * (len(at) > 1)} above {OUTLIER_LEVEL:g} times the "
            f"{_QUANTILE:g}th percentile between lower readings, the largest in hour "
            f"{year.hour(worst):,} ({year.when(worst)}, {row_text(rows)}): "
            f"{values[worst] / high:.2f} times; the mean of its hour, the annual energy and the "
            "peak include it"
        )
        found.append(ImplausibleValues(SPIKE, len(at), text, at, at))
    far = np.abs(change) > OUTLIER * usual
    far[np.minimum(at, len(far) - 1)] = far[np.maximum(at - 1, 0)] = False
    jumps = np.flatnonzero(far) + 1
    if len(jumps):
        first = int(jumps[0])
        row = "" if year.register else f", row {year.lines[first]:,}"
        text = (
            f"{len(jumps):,} change{'s' * (len(jumps) > 1)} of more than {OUTLIER:g} times the "
            f"{_QUANTILE:g}th percentile, first in hour {year.hour(first):,} "
            f"({year.when(first)}{row}); the readings are used unchanged"
        )
        found.append(ImplausibleValues(JUMP, len(jumps), text, jumps, jumps))
    return tuple(found)
