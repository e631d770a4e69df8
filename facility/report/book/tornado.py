"""The sheet of tornadoes: what each input does to a result by itself, as numbers and as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facility.core.views import view_unit
from facility.report.drawings.charts.tornado import Bar, Tornado
from facility.report.sheet.grid import Amount, Column, SheetTable, Values
from facility.report.sheet.model import Bars, Sheet
from facility.report.sheet.tables import PageSetup, shown, write_heading
from facility.study.ranges.result import RangesStudy

TORNADO_SHEET = "Tornado"
_HEADS = {"low": "input at p5", "high": "input at p95"}
_COLOURS = {"low": "#2f8fac", "high": "#cf4457"}
_COLUMNS: tuple[Column[Values], ...] = (
    Column("input", "Input", 44),
    Column("low", "Input at p5", 16),
    Column("high", "Input at p95", 16),
    Column("below", "Change at p5", 16, formula="{low}-{nominal}"),
    Column("above", "Change at p95", 16, formula="{high}-{nominal}"),
)
_PAGE_ROWS = 40
_CHART_COLUMN, _WIDTH_MM = 7, 165.0
_FRAME_MM, _BAR_MM, _ROW_MM = 42.0, 8.0, 5.3


def tornado_sheet(study: RangesStudy, drawn: Sequence[Tornado], page_setup: PageSetup) -> Sheet:
    """Return the sheet of tornadoes, the changes live from the results beside them."""
    sheet = Sheet(TORNADO_SHEET, page=page_setup.page(large=True, fit_height=0))
    write_heading(sheet, "One input at a time", f"{study.title}; the others as designed.")
    sheet.set_widths(*(column.width for column in _COLUMNS))
    row, first, ends = 4, 1, []
    for one in drawn:
        below = _block(sheet, row, one)
        if below - first > _PAGE_ROWS and row > 4:
            ends.append(row - 1)
            first = row
        row = below
    sheet.page = replace(sheet.page, breaks=tuple(ends))
    return sheet


def _block(sheet: Sheet, top: int, of: Tornado) -> int:
    """Write a tornado and draw it beside; return the row below both."""
    unit = view_unit(of.kind)
    title = f"{of.title}, {unit}" if unit else of.title
    sheet.put(top, 1, title, "section")
    sheet.put(top + 1, 1, "As designed", "label")
    number = shown(of.nominal, of.kind)
    nominal = sheet.put(top + 1, 2, number.value, f"given.{number.format}")
    grid = SheetTable(title, _COLUMNS, head_height=20.0).grid(
        sheet, top + 2, {"nominal": nominal.fixed}
    )
    for bar in of.bars:
        grid.write(_row(of, bar))
    height_mm = _FRAME_MM + _BAR_MM * len(of.bars)
    series = (
        (_HEADS["low"], grid.span("below"), _COLOURS["low"]),
        (_HEADS["high"], grid.span("above"), _COLOURS["high"]),
    )
    along = f"change, {unit}" if unit else "change"
    sheet.charts.append(
        Bars(title, along, top, _CHART_COLUMN, _WIDTH_MM, height_mm, grid.span("input"), series)
    )
    return max(grid.row + 2, top + round(height_mm / _ROW_MM) + 2)


def _row(of: Tornado, bar: Bar) -> Values:
    ends = {"low": bar.low, "high": bar.high}
    changes = {"below": bar.low - of.nominal, "above": bar.high - of.nominal}
    amounts = {key: Amount(value, of.kind) for key, value in (ends | changes).items()}
    return {"input": bar.path, **amounts}
