"""Panels below each other in one sheet: the rows of each, by its title and repeated headings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from facility.core.errors import FacilityError
from facility.files.circuit_table.header import facts_above
from facility.files.circuit_table.headings import find_headings
from facility.files.incoming.columns import plain
from facility.files.incoming.grid import ReadCells
from facility.report.sheet.model import column_letter

MAX_PANELS = 40
_MIN_HEADINGS = 3
_NUMBERED = re.compile(r"\s*\d[\d\s,/;&-]*")


def stacked_tables(grid: ReadCells, answers: Mapping[str, str]) -> list[ReadCells]:
    """Return the cells of each panel of a sheet, with their addresses.

    A panel starts at the title above a repeated row of headings; headings that repeat without a
    title are the next page of the same panel.

    Raises ``PANEL_CSV_HEADER`` where the pole numbers start again below headings without a title.
    """
    try:
        first = find_headings(grid, answers)
    except FacilityError:
        return [grid]  # What is wrong with the headings is reported where they are read
    if first is None:
        return [grid]
    rows = dict(grid.rows(max(row for row, _ in grid.values)))
    heads = {one.number: plain(one.heading) for one in first.columns}
    again = [
        row
        for row, texts in rows.items()
        if row > first.row
        and sum(plain(text) == heads.get(column) for column, text in texts.items())
        >= min(_MIN_HEADINGS, len(heads))
    ]
    if not again:
        return [grid]
    positions = [one.number for one in first.columns if one.field == "position"]
    starts, listed = [min(rows)], _poles(rows, positions, first.row, again[0])
    for row, end in pairwise([*again, max(rows) + 1]):
        circuits = {n for at in positions for n in rows if _NUMBERED.fullmatch(rows[n].get(at, ""))}
        below = [n for n in circuits if n < row]
        gap = {n: rows[n] for n in rows if max(below, default=0) < n < row}
        title = next((n for n in gap if _panel_above(_rows_of(grid, n, n + 1), n + 1)), None)
        poles = _poles(rows, positions, row, end)
        if title is not None:
            starts.append(title)
            listed = poles
        elif listed & poles:
            right = column_letter(max(column for _, column in grid.values))
            tables = pairwise([starts[-1], row, end])
            ranges = " and ".join(f"A{top}:{right}{last - 1}" for top, last in tables)
            raise FacilityError(
                "PANEL_CSV_HEADER",
                grid.name,
                f"{ranges} list the same pole numbers, and only the first has the name of a panel.",
                "Write a title above each (PANEL LP-1), or save each panel on its own sheet.",
            )
        else:
            listed |= poles
    if len(starts) > MAX_PANELS:
        raise FacilityError(
            "FILE_TOO_LARGE", grid.name, f"{len(starts)} panels.", "Split the file."
        )
    return [_rows_of(grid, top, end) for top, end in pairwise([*starts, max(rows) + 1])]


def panel_name(grid: ReadCells, answers: Mapping[str, str]) -> str:
    """Return the name of the panel above a table; empty without one."""
    headings = find_headings(grid, answers)
    return "" if headings is None else _panel_above(grid, headings.row)


def _panel_above(grid: ReadCells, row: int) -> str:
    """Return the name of the panel above a row; a title that is reported later is its text."""
    try:
        facts = facts_above(grid, row)
    except FacilityError as error:
        return error.where
    return facts["panel"].text if "panel" in facts else ""


def _poles(
    rows: Mapping[int, Mapping[int, str]], positions: Sequence[int], top: int, end: int
) -> set[str]:
    """Return the pole numbers between two rows."""
    return {
        texts[number].strip()
        for row, texts in rows.items()
        if top < row < end
        for number in positions
        if re.fullmatch(r"\s*\d{1,3}\s*", texts.get(number, ""))
    }


def _rows_of(grid: ReadCells, top: int, end: int) -> ReadCells:
    return ReadCells(
        grid.name,
        {at: value for at, value in grid.values.items() if top <= at[0] < end},
        {at: text for at, text in grid.formulas.items() if top <= at[0] < end},
        {at: last for at, last in grid.merged.items() if top <= at[0] < end},
    )
