"""Halls in one state: every rack with the loading of its most loaded circuit, row by row."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from facility.core.rounding import argmax_within_rounding
from facility.power.network.graph.types import Network
from facility.report.drawings.live.moments import LiveState
from facility.report.drawings.overview.lineups import rack_of
from facility.report.drawings.overview.parts import Margin, margin_of
from facility.study.design.rack_positions import HallLayout, RackPosition

MAX_ROWS, MAX_ACROSS, MAX_HALLS = 48, 40, 24
"""Rows of all halls, cells of a row, and halls that stay legible on a screen."""
_REST = 0.005


@dataclass(frozen=True)
class RackSquare:
    """A rack, or neighbours drawn as one: the worst of them, first in `names`."""

    names: tuple[str, ...]
    loading: float | None
    margin: Margin  # "off" is a rack without power
    partly: bool  # Whether it loses a part of its load
    power_w: float

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Sort key, the worst last."""
        return self.margin == "off", self.partly, round(self.loading or 0.0, 6)


@dataclass(frozen=True)
class SquareRow:
    """A row of racks, or neighbouring rows drawn as one."""

    title: str
    squares: tuple[RackSquare, ...]

    @property
    def power_w(self) -> float:
        """Input power of its racks [W]."""
        return sum(one.power_w for one in self.squares)

    @property
    def racks(self) -> int:
        """Number of racks."""
        return sum(len(one.names) for one in self.squares)

    @property
    def worst(self) -> RackSquare:
        """The rack without power, else the most loaded."""
        return max(self.squares, key=lambda one: one.rank)


@dataclass(frozen=True)
class HallRows:
    """A hall with its rows."""

    name: str
    rows: tuple[SquareRow, ...]
    dropped: int

    @property
    def power_w(self) -> float:
        """Input power of its racks [W]."""
        return sum(row.power_w for row in self.rows)

    @property
    def racks(self) -> int:
        """Number of racks."""
        return sum(row.racks for row in self.rows)


def hall_rows(
    layouts: Sequence[HallLayout], live: LiveState, network: Network
) -> tuple[HallRows, ...]:
    """Return the halls with racks in a moment of the power network, at most `MAX_HALLS`."""
    found = [layout for layout in layouts if layout.racks][:MAX_HALLS]
    reader = _Reader(live, network, _circuits(network))
    most = max(2, MAX_ROWS // max(1, len(found)))
    return tuple(reader.hall(layout, most) for layout in found)


def _circuits(network: Network) -> Mapping[str, list[int]]:
    """Return the numbers of the circuits of each rack, in the order of the links."""
    number, branch = 0, dict[str, int]()
    for one in network.equipment:
        if one.kind == "rack-pdu":
            branch[one.tag] = number
        number += len(one.links)
    found: dict[str, list[int]] = defaultdict(list)
    for load in network.loads:
        for cord in load.cords:
            found[rack_of(load.tag)].append(branch.get(cord.link.source, number))
            number += 1
    return found


@dataclass(frozen=True)
class _Reader:
    """Reads the state of racks."""

    live: LiveState
    network: Network
    circuits: Mapping[str, list[int]]

    def hall(self, layout: HallLayout, most_rows: int) -> HallRows:
        """Return a hall with at most `most_rows` rows."""
        lost = dict(self.live.dropped)
        total_w = {load.tag: load.kind.total_w for load in self.network.loads}
        rows = [
            [self._square(rack, lost, total_w) for rack in members]
            for _, members in groupby(layout.racks, key=lambda rack: rack.row)
        ]
        dropped = sum(one.margin == "off" or one.partly for row in rows for one in row)
        together = math.ceil(len(rows) / most_rows)
        joined = []
        for first in range(0, len(rows), together):
            part = rows[first : first + together]
            last = first + len(part)
            title = f"Row {last}" if len(part) == 1 else f"Rows {first + 1}–{last}"
            joined.append(SquareRow(title, tuple(_across(part))))
        return HallRows(layout.hall.name, tuple(joined), dropped)

    def _square(
        self, rack: RackPosition, lost: Mapping[str, float], total_w: Mapping[str, float]
    ) -> RackSquare:
        loadings = [float(self.live.flow.circuit_loading[n, 0]) for n in self.circuits[rack.name]]
        known = [value for value in loadings if math.isfinite(value)]
        loading = known[argmax_within_rounding(known)] if known else None
        hit = [tag for tag in rack.loads if tag in lost]
        lost_w = sum(lost[tag] for tag in hit)
        all_w = sum(total_w.get(tag, 0.0) for tag in rack.loads)
        dark = bool(hit) and lost_w >= (1.0 - _REST) * all_w
        margin = margin_of(loading, "dead" if dark else "live")
        return RackSquare((rack.name,), loading, margin, bool(hit) and not dark, rack.kind.input_w)


def _across(rows: Sequence[Sequence[RackSquare]]) -> Iterator[RackSquare]:
    """Yield the squares of one drawn row: racks of the same position, and neighbours, as one."""
    longest = max(len(row) for row in rows)
    step = math.ceil(longest / MAX_ACROSS)
    for start in range(0, longest, step):
        members = [one for row in rows for one in row[start : start + step]]
        worst = max(members, key=lambda one: one.rank)
        names = [name for one in members for name in one.names if name != worst.names[0]]
        yield RackSquare(
            (worst.names[0], *names),
            worst.loading,
            worst.margin,
            worst.partly,
            sum(one.power_w for one in members),
        )
