"""Packing of breakers with given poles and phases into a panelboard.

Both columns are filled from the top, always the shorter one, by a depth-first search over the
breakers that may start at the next free row. Failed states are cached; a search that exceeds its
budget counts as infeasible, so that the result never depends on the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from facility.power.panels.board.layout import Layout

ANY = 3
"""Start phase of a breaker that may start on any phase; 0, 1, 2 are A, B, C."""

Want = tuple[int, int]
Slots = dict[Want, list[int]]

_BUDGET = 4000
_ORDER: tuple[Want, ...] = tuple((poles, start) for poles in (3, 2, 1) for start in (0, 1, 2, ANY))


class Packer:
    """Pole positions of one panel, some of them occupied.

    layout: Numbering.
    panel_poles: Pole positions.
    taken: Positions that are not available.
    runs: Rows of each run size to be requested: (-rows, start phase) is that number of adjacent
        free poles in a column, ignoring the ways of an IEC board.
    """

    def __init__(
        self, layout: Layout, panel_poles: int, taken: Iterable[int] = (), runs: Iterable[int] = ()
    ) -> None:
        blocked = set(taken)
        sizes = sorted(set(runs), reverse=True)
        self._runs = tuple((-rows, start) for rows in sizes for start in (0, 1, 2, ANY))
        self._order = (*self._runs, *_ORDER)
        self._index = {want: index for index, want in enumerate(self._order)}
        self._layout = layout
        self._columns = tuple(tuple(column) for column in layout.columns(panel_poles))
        self._free = tuple(tuple(n not in blocked for n in column) for column in self._columns)
        self._starts = tuple(
            tuple(self._fitting(column, row, panel_poles, blocked) for row in range(len(column)))
            for column in self._columns
        )
        self._clear = tuple(_clear_rows(column) for column in self._free)
        self._rest = tuple(self._remaining(index) for index in range(len(self._columns)))
        self._known: dict[tuple[int, ...], Slots | None] = {}
        self._needs: dict[tuple[int, ...], tuple[int, int, int, int]] = {}
        # Whether a search exceeded its budget: no solution then proves nothing
        self.gave_up = False

    def _fitting(
        self, column: tuple[int, ...], row: int, panel_poles: int, blocked: set[int]
    ) -> int:
        fits = 0
        for poles in (1, 2, 3):
            if not self._layout.may_start(column[row], poles, panel_poles):
                break
            if any(n in blocked for n in self._layout.occupied(column[row], poles)):
                break
            fits = poles
        return fits

    def _remaining(self, index: int) -> tuple[tuple[int, int, int], ...]:
        rest = [(0, 0, 0)]
        for row in reversed(range(len(self._columns[index]))):
            left = list(rest[-1])
            left[self._layout.phase(self._columns[index][row])] += self._free[index][row]
            rest.append((left[0], left[1], left[2]))
        return tuple(reversed(rest))

    def pack(self, required: Mapping[Want, int]) -> Slots | None:
        """Return the first position of each requested breaker; None if they do not fit.

        required: Number of breakers or runs by type; the start phase is 0, 1, 2 or `ANY`,
            (poles, start phase) to int.

        Positions are by type, from the top; the same request has the same result.
        """
        counts = tuple(required.get(want, 0) for want in self._order)
        if counts not in self._known:
            self._known[counts] = self._search(counts)
        return self._known[counts]

    def _search(self, counts: tuple[int, ...]) -> Slots | None:
        failed: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
        chosen: list[tuple[Want, int]] = []
        self._visits = 0
        if not self._deepen((0,) * len(self._columns), counts, failed, chosen):
            self.gave_up |= self._visits > _BUDGET
            return None
        slots: Slots = {}
        for want, position in chosen:
            slots.setdefault(want, []).append(position)
        return slots

    def _deepen(
        self,
        heads: tuple[int, ...],
        counts: tuple[int, ...],
        failed: set[tuple[tuple[int, ...], tuple[int, ...]]],
        chosen: list[tuple[Want, int]],
    ) -> bool:
        if not any(counts):
            return True
        self._visits += 1
        if self._visits > _BUDGET or (heads, counts) in failed or self._hopeless(heads, counts):
            return False
        column = self._next_column(heads)
        row = heads[column]
        position = self._columns[column][row]
        for want in self._options(column, row, counts):
            poles = abs(want[0]) if want else 1
            advanced = (*heads[:column], row + poles, *heads[column + 1 :])
            if not want:
                left = counts
            else:
                index = self._index[want]
                left = (*counts[:index], counts[index] - 1, *counts[index + 1 :])
                chosen.append((want, position))
            if self._deepen(advanced, left, failed, chosen):
                return True
            if want:
                chosen.pop()
        failed.add((heads, counts))
        return False

    def _options(
        self, column: int, row: int, counts: tuple[int, ...]
    ) -> Iterable[Want | tuple[()]]:
        phase = self._layout.phase(self._columns[column][row])
        clear = self._clear[column][row]
        for index, (rows, start) in enumerate(self._runs):
            if counts[index] and -rows <= clear and start in (phase, ANY):
                yield rows, start
        for poles in range(self._starts[column][row], 0, -1):
            for start in (phase, ANY):
                if counts[self._index[poles, start]]:
                    yield poles, start
        yield ()

    def _next_column(self, heads: tuple[int, ...]) -> int:
        open_columns = [c for c, head in enumerate(heads) if head < len(self._columns[c])]
        return min(open_columns, key=lambda c: (heads[c], c))

    def _hopeless(self, heads: tuple[int, ...], counts: tuple[int, ...]) -> bool:
        if counts not in self._needs:
            self._needs[counts] = _need(self._order, counts)
        need_a, need_b, need_c, total = self._needs[counts]
        rest_a = rest_b = rest_c = 0
        for rest, head in zip(self._rest, heads, strict=True):
            in_a, in_b, in_c = rest[head]
            rest_a += in_a
            rest_b += in_b
            rest_c += in_c
        short = need_a > rest_a or need_b > rest_b or need_c > rest_c
        return short or total > rest_a + rest_b + rest_c


def _clear_rows(free: tuple[bool, ...]) -> tuple[int, ...]:
    """Return the number of consecutive free rows from each row."""
    clear = [0]
    for is_free in reversed(free):
        clear.append(clear[-1] + 1 if is_free else 0)
    return tuple(reversed(clear))


def _need(order: tuple[Want, ...], counts: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return the required poles on A, B and C, and in total.

    The phases of a breaker that may start on any phase are unknown, unless it has three poles.
    """
    need = [0, 0, 0]
    total = 0
    for (size, start), count in zip(order, counts, strict=True):
        if not count:
            continue
        poles = abs(size)
        total += poles * count
        if start != ANY or poles == 3:
            for pole in range(poles):
                need[(start + pole) % 3] += count
    return need[0], need[1], need[2], total
