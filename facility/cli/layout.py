"""Text and tables laid out in a width: no number is cut and no word broken.

A table that is too wide has its longest texts below each row, and below that a list: a line for
each cell. A word is broken only where it is longer than the whole width.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from textwrap import TextWrapper
from typing import NamedTuple

from facility.core.kinds import KINDS
from facility.core.views import printed_unit

_GUTTER = "  "
_INDENT = "    "
_PREFERENCE = 1.2
"""Lines by which an earlier layout may exceed the shortest one and still be preferred."""
_MIN_TEXT = 12
_NUMBER = r"[-+±<>≤≥]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_WORDS_FOR_NUMBER = frozenset({"", "-", "none", "not known", "not evaluated", "not reached"})
_NBSP = "\N{NO-BREAK SPACE}"


class TableColumn(NamedTuple):
    """One column of a table of texts."""

    head: str
    cells: tuple[str, ...]
    is_number: bool  # All cells are numbers of one unit, which the heading states
    is_prose: bool  # No cell is a number

    @property
    def natural(self) -> int:
        """Width at which no cell is wrapped; the heading may be."""
        return max(self.narrowest_head, *map(len, self.cells), 1)

    @property
    def narrowest(self) -> int:
        """Width below which a word or a number would be broken."""
        if self.is_number:
            return self.natural
        return max(self.narrowest_head, *map(_longest_word, self.cells), 1)

    @property
    def narrowest_head(self) -> int:
        """Length of the longest word of the heading."""
        return _longest_word(self.head)


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return a text in lines not wider than `width`; a number stays with its unit.

    first, rest: What the first line and the others begin with.
    """
    wrapper = TextWrapper(
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=True,
    )
    return [line.replace(_NBSP, " ") for line in wrapper.wrap(_joined(text))]


def table_lines(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], width: int
) -> list[str]:
    """Return a table in the shortest layout whose lines are not wider than `width`.

    A grid; a grid with its longest texts below each row; or a list, a line for each cell.
    """
    listed = [[" ".join(cell.split()) for cell in row] for row in rows]
    columns = _columns(heads, listed)
    found = list(_grids(columns, width)) or [list(_list(heads, listed, width))]
    shortest = min(map(len, found))
    body = next(lines for lines in found if len(lines) <= _PREFERENCE * shortest)
    return [*wrapped(title, width), *body]


def _grids(columns: Sequence[TableColumn], width: int) -> Iterator[list[str]]:
    """Yield the grids that fit, from none to all of the texts below the rows."""
    shown, below = list(columns), list[TableColumn]()
    while True:
        widths = _widths(shown, width)
        if widths is not None:
            yield list(_grid(shown, widths, below, width))
            if all(one.natural <= size for one, size in zip(shown, widths, strict=True)):
                return
        texts = [one for one in shown[1:] if one.is_prose]
        if not texts:
            return
        longest = max(reversed(texts), key=lambda one: one.natural)
        shown.remove(longest)
        below.append(longest)


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[TableColumn]:
    """Return the columns of a table.

    The unit that all numbers of a column have is moved into its heading, if this can be done in
    each column with units of a table with several rows.
    """
    cells = [tuple(row[n] for row in rows) for n in range(len(heads))]
    units = [{_unit(cell) for cell in column if cell not in _WORDS_FOR_NUMBER} for column in cells]
    mixed = len(rows) == 1 or any(len(found - {None}) > 1 for found in units)
    columns = []
    for head, column, found in zip(map(str, heads), cells, units, strict=True):
        unit = next(iter(found), None) if len(found) == 1 else None
        if unit and not mixed:
            head = head if f"({unit})" in head else f"{head} ({unit})"
            column = tuple(cell.removesuffix(f" {unit}") for cell in column)
        is_number = unit == "" or bool(unit and not mixed)
        columns.append(TableColumn(head, column, is_number, found == {None}))
    return columns


def _unit(cell: str) -> str | None:
    """Return the unit of a number, empty if none; None for a text."""
    found = re.fullmatch(rf"{_NUMBER}(?: (\S+))?", cell)
    if found is None:
        return None
    unit = found[1] or ""
    return unit if not unit or unit in _units() else None


@cache
def _units() -> frozenset[str]:
    return frozenset(
        printed_unit(unit)
        for kind in KINDS.values()
        for unit in (*kind.units, kind.view_si, kind.view_ip)
        if unit
    )


@cache
def _before_unit() -> re.Pattern[str]:
    """Return the pattern of the blank between a number and its unit."""
    units = "|".join(map(re.escape, sorted(_units(), key=len, reverse=True)))
    return re.compile(rf"(?<=\d) (?=(?:{units})(?![\w/]))|(?<=\d) (?=x \d)|(?<=\d x) (?=\d)")


def _joined(text: str) -> str:
    return _before_unit().sub(_NBSP, text)


def _longest_word(text: str) -> int:
    return max(map(len, re.split(r"[ \t\n]", _joined(text))), default=0)


def _widths(columns: Sequence[TableColumn], width: int) -> list[int] | None:
    """Return the widths in which the columns fit; None where they do not."""
    widths = [one.natural for one in columns]
    minimum = [
        one.narrowest if one.is_number else max(one.narrowest, min(size, _MIN_TEXT))
        for one, size in zip(columns, widths, strict=True)
    ]
    room = width - len(_GUTTER) * (len(columns) - 1)
    if sum(minimum) > room:
        return None
    while sum(widths) > room:
        spare = [size - low for size, low in zip(widths, minimum, strict=True)]
        candidates = [n for n, one in enumerate(spare) if one > 0]
        widest = max(candidates, key=lambda n: (widths[n], n))
        excess = sum(widths) - room
        widths[widest] -= min(spare[widest], max(1, excess // (2 * len(candidates))))
    return widths


def _grid(
    columns: Sequence[TableColumn], widths: Sequence[int], below: Sequence[TableColumn], width: int
) -> Iterator[str]:
    """Yield heading and rows, each row with its longest texts below it."""
    heads = [wrapped(one.head, size) for one, size in zip(columns, widths, strict=True)]
    tallest = max(map(len, heads))
    yield from _row([[""] * (tallest - len(lines)) + lines for lines in heads], columns, widths)
    yield "─" * (sum(widths) + len(_GUTTER) * (len(widths) - 1))
    for n in range(len(columns[0].cells)):
        cells = [
            wrapped(one.cells[n], size) if len(one.cells[n]) > size else [one.cells[n]]
            for one, size in zip(columns, widths, strict=True)
        ]
        yield from _row(cells, columns, widths)
        for one in sorted(below, key=lambda one: len(one.cells[n])):
            if one.cells[n]:
                yield from wrapped(f"{one.head}: {one.cells[n]}", width, _INDENT, _INDENT * 2)


def _row(
    cells: Sequence[Sequence[str]], columns: Sequence[TableColumn], widths: Sequence[int]
) -> Iterator[str]:
    for n in range(max(map(len, cells))):
        parts = [
            (lines[n] if n < len(lines) else "").rjust(size)
            if one.is_number
            else (lines[n] if n < len(lines) else "").ljust(size)
            for lines, one, size in zip(cells, columns, widths, strict=True)
        ]
        yield _GUTTER.join(parts).rstrip()


def _list(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield a heading for each row, and a line for each of its other cells."""
    label = min(max((len(head) for head in heads[1:]), default=0), width // 2)
    hanging = f"{_INDENT}{'':<{label}}{_GUTTER}"
    for row in rows:
        yield from wrapped(row[0] or "-", width, "", _INDENT)
        for head, cell in zip(heads[1:], row[1:], strict=True):
            if not cell:
                continue
            fits = width - len(hanging) >= _longest_word(cell)
            if len(head) <= label and fits:
                yield from wrapped(cell, width, f"{_INDENT}{head:<{label}}{_GUTTER}", hanging)
            else:
                yield from wrapped(f"{head}: {cell}", width, _INDENT, _INDENT * 2)
