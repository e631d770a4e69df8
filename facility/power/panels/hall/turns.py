"""Ways chosen for all panels of a hall: even totals of each feed, then as few changes as may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.core.kinds import ComplexArray
from facility.power.panels.balance.lines import TIE, IntArray, told_apart, uneven
from facility.power.panels.hall.turnings import Content, KnownTurnings

_MOST = 250
_SAME = 1e-6
_PASSES = 20


@dataclass(frozen=True, eq=False)
class PanelWays:
    """Ways that one panel may choose from."""

    content: Content
    # Rows of its turnings; the first `own` of them are as good as its best. Shape (ways,).
    rows: IntArray
    own: int  # See `rows`
    lines: ComplexArray  # Phasors of the lines in the normal state over the limit; shape (ways, 3)
    stays: IntArray  # Circuits that would keep the phase they have; shape (ways,)


def panel_ways(
    known_turnings: KnownTurnings,
    content: Content,
    caps: tuple[float, ...],
    here: dict[int, IntArray],
) -> PanelWays:
    """Return the ways of one panel that keep `caps`.

    content: Content of the panel.
    caps: Most current and neutral current over the limit, and imbalance.
    here: Circuits by class that stay in the panel, by the phase on which they start now, shape
        (3,).
    """
    turnings = known_turnings.turnings(content)
    now = np.array([here.get(k, np.zeros(3, dtype=np.int64)) for k in turnings.classes])
    now = now.reshape(1, len(turnings.classes), 3)
    loose = np.array([known_turnings.classes[k].loose for k in turnings.classes], dtype=np.bool_)
    kept = np.minimum(turnings.counts, now).sum(axis=2)
    stays = np.where(loose, now.sum(axis=2), kept).sum(axis=1)
    first = known_turnings.rows(content, caps, _MOST)
    near = known_turnings.rows(content, caps, _MOST, rank=-stays.astype(np.float64))
    best = turnings.figures[first[0]]
    good = [int(row) for row in first if (turnings.figures[row] <= best + _SAME).all()]
    others = [int(row) for row in (*first, *near) if int(row) not in set(good)]
    rows = np.array([*good, *dict.fromkeys(others)], dtype=np.int64)
    return PanelWays(content, rows, len(good), turnings.lines[rows], stays[rows])


def chosen_ways(panels: list[PanelWays], given: float) -> IntArray:
    """Return the number of the way of each panel of one feed.

    The imbalance of their total is made least, out of the best ways of each panel where these
    reach it to the tie; then as many circuits as may be keep their phase.

    panels: Panels of one feed in one hall.
    given: Imbalance of the total as given, not to be exceeded; infinite where it does not count.
    """
    own = _evened(panels, [each.own for each in panels])
    every = _evened(panels, [len(each.rows) for each in panels], own)
    reached = float(uneven(_total(panels, every)))
    chosen = every
    own_reached = float(uneven(_total(panels, own)))
    if own_reached <= reached + TIE:
        chosen, reached = own, own_reached
    cap = cap_of(reached, given)
    near = _nearest(panels, cap)
    options = [_settled(panels, chosen, cap)]
    if near is not None:
        options.append(_settled(panels, near, cap))
    return max(options, key=lambda ways: _staying(panels, ways))


def cap_of(reached: float, given: float) -> float:
    """Return the most a figure may be: what is given where that is within the tie of the least.

    Otherwise a tie above the least, but a tie below what is given.
    """
    if given <= reached + TIE:
        return max(reached, given)
    return max(reached, min(reached + TIE, given - TIE))


def _total(panels: list[PanelWays], ways: IntArray) -> ComplexArray:
    total = np.zeros(3, dtype=np.complex128)
    for each, way in zip(panels, ways, strict=True):
        total += each.lines[way]
    return total


def _staying(panels: list[PanelWays], ways: IntArray) -> int:
    return sum(int(each.stays[way]) for each, way in zip(panels, ways, strict=True))


def _evened(panels: list[PanelWays], most: list[int], start: IntArray | None = None) -> IntArray:
    """Return ways by descent, panel by panel; from a greedy start where none is given."""
    ways = np.zeros(len(panels), dtype=np.int64)
    if start is None:
        running = np.zeros(3, dtype=np.complex128)
        for number, each in enumerate(panels):
            ways[number] = int(told_apart(uneven(running + each.lines[: most[number]])).argmin())
            running += each.lines[ways[number]]
    else:
        ways = start.copy()
    total = _total(panels, ways)
    for _ in range(_PASSES):
        before = float(uneven(total))
        for number, each in enumerate(panels):
            without = total - each.lines[ways[number]]
            values = told_apart(uneven(without + each.lines[: most[number]]))
            best = int(values.argmin())
            if values[best] < float(uneven(total)) - 1e-9:
                ways[number] = best
                total = without + each.lines[best]
        if float(uneven(total)) >= before - 1e-9:
            break
    return ways


def _nearest(panels: list[PanelWays], cap: float) -> IntArray | None:
    """Return ways that keep most circuits, evened out step by step until `cap` is kept."""
    ways = np.array([int(each.stays.argmax()) for each in panels], dtype=np.int64)
    total = _total(panels, ways)
    while (value := float(uneven(total))) > cap + 1e-12:
        best, step = 0.0, None
        for number, each in enumerate(panels):
            gain = value - uneven(total - each.lines[ways[number]] + each.lines)
            lost = np.maximum(1, each.stays[ways[number]] - each.stays)
            worth = told_apart(gain / lost)
            way = int(worth.argmax())
            if gain[way] > 1e-9 and worth[way] > best:
                best, step = float(worth[way]), (number, way)
        if step is None:
            return None
        total += panels[step[0]].lines[step[1]] - panels[step[0]].lines[ways[step[0]]]
        ways[step[0]] = step[1]
    return ways


def _settled(panels: list[PanelWays], ways: IntArray, cap: float) -> IntArray:
    """Return ways that keep more circuits in place, one panel at a time, within `cap`."""
    ways = ways.copy()
    total = _total(panels, ways)
    for number, each in enumerate(panels):
        values = uneven(total - each.lines[ways[number]] + each.lines)
        good = np.where(values <= cap + 1e-12, each.stays, -1)
        best = int(good.argmax())
        if good[best] > each.stays[ways[number]]:
            total += each.lines[best] - each.lines[ways[number]]
            ways[number] = best
    return ways
