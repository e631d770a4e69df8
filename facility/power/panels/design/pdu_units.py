"""Panels fed together from one PDU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facility.power.panels.board.model import Panel


class PduUnits(NamedTuple):
    """Panels on one PDU: all of a rack on one feed if the largest PDU carries them, else each.

    With the panels of such a rack on several PDUs, the loss of one would transfer its load to the
    others. All fields except the first are arrays over the units.
    """

    of_panel: NDArray[np.intp]  # Unit of each panel
    feed: NDArray[np.str_]
    group: NDArray[np.intp]
    lines_a: NDArray[np.complex128]  # Currents A, B, C [A]; shape (units, states, 3)


def panel_groups(panels: Sequence[Panel]) -> Iterator[tuple[int, list[Panel]]]:
    """Yield each group of panels that share racks, usually one per feed, with its index."""
    for group, members in groupby(panels, key=lambda panel: panel.group):
        yield group, list(members)


def pdu_units(
    panels: Sequence[Panel], lines_a: NDArray[np.complex128], largest_a: float
) -> PduUnits:
    """Return the units of panels.

    lines_a: Currents A, B, C of the panels [A]; shape (panels, states, 3).
    largest_a: Current of the largest PDU [A].
    """
    starts: list[int] = []
    row = 0
    for _, members in panel_groups(panels):
        rows = range(row, row + len(members))
        row = rows.stop
        whole = len({panel.side for panel in members}) == 1 and (
            float(np.abs(lines_a[rows.start : row].sum(axis=0)).max()) <= largest_a
        )
        starts += rows[:1] if whole else rows
    of_panel = np.zeros(len(panels), dtype=np.intp)
    of_panel[starts[1:]] = 1
    feed = np.array([panels[start].side for start in starts], dtype=np.str_)
    group = np.array([panels[start].group for start in starts], dtype=np.intp)
    summed_a = np.add.reduceat(lines_a, starts, axis=0) if starts else lines_a
    return PduUnits(np.cumsum(of_panel), feed, group, summed_a)
