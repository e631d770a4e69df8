"""In which orders, and where, the breakers of one run can stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

import numpy as np

from facility.power.panels.board.model import Panel

ALL_ORDERS_UP_TO = 6
"""A run of this many breakers or fewer is looked at in all its orders."""

_SOME_ORDERS = 1500


def orders(count: int) -> Iterator[tuple[int, ...]]:
    """Yield orders of `count` breakers, the given one first.

    All of them up to `ALL_ORDERS_UP_TO`; of more breakers a number of seeded shuffles, the same
    for the same count.
    """
    if count <= ALL_ORDERS_UP_TO:
        yield from permutations(range(count))
        return
    yield tuple(range(count))
    rng = np.random.default_rng(0)
    for _ in range(_SOME_ORDERS):
        yield tuple(int(index) for index in rng.permutation(count))


def offsets(order: Sequence[int], poles: Sequence[int]) -> tuple[int, ...]:
    """Return the rows from the top of the run to the first pole of each breaker."""
    found = [0] * len(order)
    row = 0
    for index in order:
        found[index] = row
        row += poles[index]
    return tuple(found)


def run_starts(panel: Panel, rows: int, blocked: set[int]) -> list[int]:
    """Return the first positions of every run of `rows` free poles of a panelboard."""
    found = []
    for column in panel.layout.columns(panel.poles):
        for row in range(len(column) - rows + 1):
            if not blocked.intersection(column[row : row + rows]):
                found.append(column[row])
    return found


def run_places(
    panel: Panel, poles: Sequence[int], pinned: Mapping[int, int], blocked: set[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the first position of every breaker of a run, for each way it can stand.

    poles: Poles of each breaker.
    pinned: Position of the breakers that stay, by their place in `poles`.
    blocked: Positions that are not available.
    """
    layout = panel.layout
    free = run_starts(panel, sum(poles), blocked)
    seen: set[tuple[int, ...]] = set()
    for order in orders(len(poles)):
        rows = offsets(order, poles)
        if rows in seen:
            continue
        seen.add(rows)
        tops = free
        if pinned:
            index, position = next(iter(pinned.items()))
            top = position - layout.stride * rows[index]
            tops = [top] if top in free else []
        for top in tops:
            there = tuple(top + layout.stride * row for row in rows)
            if any(there[index] != position for index, position in pinned.items()):
                continue
            if all(layout.may_start(n, k, panel.poles) for n, k in zip(there, poles, strict=True)):
                yield there
