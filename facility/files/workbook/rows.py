"""The rows of a sheet as XML text: the bulk of a workbook, without an object for every cell.

The text is that of the writer library's own calls, cell by cell, apart from the optional attribute
``spans`` of a row. User text only ever goes into the table of shared strings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from facility.core.errors import FacilityError
from facility.files.io.safe_text import looks_like_formula, safe_text
from facility.report.sheet.cells import Cell, Span, column_letter
from facility.report.sheet.model import Sheet

_PIXELS_PER_POINT = 4.0 / 3.0
_ERRORS = frozenset(("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"))


class RowLooks(NamedTuple):
    """Style attributes of cells by style key, and the numbers of shared strings.

    `quoted` are the attributes for text that a spreadsheet might take for a formula; `string` is
    called once for each cell of text.
    """

    plain: Mapping[str, str]
    quoted: Mapping[str, str]
    string: Callable[[str], int]


def rows_xml(sheet: Sheet, looks: RowLooks) -> str:
    """Return the ``row`` elements of a sheet, merged cells padded with the style of their first.

    Raises ``MERGES_OVERLAP``, which spreadsheet programs take for a broken file (exit code 1).
    """
    cells = _padding(sheet) | sheet.cells
    letters = {column: column_letter(column) for column in {column for _, column in cells}}
    rows: dict[int, list[str]] = {row: [] for row in sheet.heights}
    current, line, number = 0, [""], ""
    for place in sorted(cells):
        row, column = place
        if row != current:
            current, line, number = row, rows.setdefault(row, []), str(row)
        line.append(_cell_xml(f'<c r="{letters[column]}{number}"', cells[place], looks))
    return "".join(
        f'<row r="{row}"{_height(sheet.heights.get(row))}{_filled(rows[row])}'
        for row in sorted(rows)
    )


def _filled(cells: list[str]) -> str:
    return f">{''.join(cells)}</row>" if cells else "/>"


def bounds(sheet: Sheet) -> Span | None:
    """Return the rectangle that holds all of a sheet; None for one without cells."""
    if not sheet.cells:
        return None
    rows = [row for row, _ in sheet.cells] + [span.bottom for span in sheet.merges]
    columns = [column for _, column in sheet.cells] + [span.right for span in sheet.merges]
    return Span(min(rows), min(columns), max(rows), max(columns))


def _padding(sheet: Sheet) -> dict[tuple[int, int], Cell]:
    """Return a blank cell for every place of the merged spans."""
    padded: dict[tuple[int, int], Cell] = {}
    for span in sheet.merges:
        blank = Cell(None, sheet.cells[span.top, span.left].style)
        for row in range(span.top, span.bottom + 1):
            for column in range(span.left, span.right + 1):
                if (row, column) in padded:
                    raise FacilityError(
                        "MERGES_OVERLAP",
                        f"{sheet.name}!{span}",
                        "two merged spans share a cell.",
                        "An error of the sheet's layout.",
                    )
                padded[row, column] = blank
    return padded


def _cell_xml(start: str, cell: Cell, looks: RowLooks) -> str:
    value, style, formula, _ = cell
    if formula:
        return f"{start}{looks.plain[style]}{_formula(formula, value)}"
    if value is None or value == "":
        return f"{start}{looks.plain[style]}/>"
    if isinstance(value, str):
        text = safe_text(value)
        look = looks.quoted[style] if looks_like_formula(text) else looks.plain[style]
        return f'{start}{look} t="s"><v>{looks.string(text)}</v></c>'
    if isinstance(value, bool):
        return f'{start}{looks.plain[style]} t="b"><v>{value:d}</v></c>'
    return f"{start}{looks.plain[style]}><v>{value:.16G}</v></c>"


def _formula(formula: str, value: float | str | None) -> str:
    """Return the rest of a formula cell: kind of its value, formula, value."""
    written = _escaped(formula)
    if isinstance(value, str):
        kind = ' t="e"' if value in _ERRORS else ' t="str"' if value else ""
        return f"{kind}><f>{written}</f><v>{_escaped(safe_text(value))}</v></c>"
    if isinstance(value, bool):
        return f' t="b"><f>{written}</f><v>{value:d}</v></c>'
    return f"><f>{written}</f><v>{'' if value is None else value}</v></c>"


def _escaped(text: str) -> str:
    if "&" in text or "<" in text or ">" in text:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text


def _height(points: float | None) -> str:
    """Return the attributes of a row's height, on a whole pixel."""
    if points is None:
        return ""
    pixels = int(points * _PIXELS_PER_POINT + 0.5)
    return f' ht="{pixels / _PIXELS_PER_POINT:.16g}" customHeight="1"'
