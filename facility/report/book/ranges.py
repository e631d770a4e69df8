"""The workbook of ranges: every sample, live quantiles, and sensitivities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facility.report.drawings.charts.ranges import Bar, Tornado, tornadoes
from facility.report.sheet.grid import Amount, Column, Grid, SheetTable, Values, at_door
from facility.report.sheet.model import Bars, Sheet
from facility.report.sheet.tables import (
    PageSetup,
    fit_heights,
    shown,
    unit_of,
    write_heading,
    write_notes,
)
from facility.report.tables.ranges import (
    INPUTS,
    QUANTILES,
    figures_of,
    label,
    left_out,
    matter_columns,
)
from facility.study.ranges.result import Figure, RangesStudy

RANGES_SHEET, _SAMPLES_SHEET = "Ranges", "Samples"
WORKBOOK_SAMPLES = 200
"""Maximum samples in a workbook, which verification recomputes."""
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


def ranges_sheets(study: RangesStudy, page_setup: PageSetup) -> tuple[Sheet, ...]:
    """Return the sheets of ranges (quantiles of the samples), tornado charts and samples."""
    samples = Sheet(
        _SAMPLES_SHEET, page=page_setup.page(large=True, repeat_rows=(1, 1)), freeze=(2, 2)
    )
    grid = _samples(study, samples)
    page = page_setup.page(landscape=False, large=True, fit_height=1)
    sheet = Sheet(RANGES_SHEET, page=page)
    write_heading(
        sheet, "Annual results over input ranges", f"{study.title}; live from {_SAMPLES_SHEET}."
    )
    shown_columns = at_door("sheet", QUANTILES.columns)
    sheet.set_widths(*(column.width for column in shown_columns))
    row = INPUTS.write(sheet, 4, study.inputs).row + 1
    row = _quantiles(study, sheet, row, grid)
    columns = matter_columns(study)
    row = SheetTable("Sensitivity", columns).write(sheet, row, study.matters).row + 1
    drawn = tornadoes(study)
    if drawn:
        words = f"One input varied at a time, all others as designed; chart on {TORNADO_SHEET}."
        sheet.put(row, 1, words, "text")
        row += 2
    write_notes(sheet, row, len(shown_columns), left_out(study))
    fit_heights(sheet, 4)
    drawings = (tornado_sheet(study, drawn, page_setup),) if drawn else ()
    return sheet, *drawings, samples


def _quantiles(study: RangesStudy, sheet: Sheet, top: int, samples: Grid[Values]) -> int:
    """Write the quantiles of every figure; return the row below them."""
    grid = QUANTILES.write(sheet, top, ())
    for number, figure in enumerate(figures_of(study)):
        span = f"{samples.sheet.quoted}!{samples.span(f'r{number}').fixed}"
        grid.write(figure, {"samples": span})
    return grid.row + 1


def _samples(study: RangesStudy, sheet: Sheet) -> Grid[Values]:
    """Write every sample: its inputs, and its results unless rejected."""
    inputs, figures = study.inputs, figures_of(study)
    columns: list[Column[Values]] = [Column("sample", "Sample", 9, "count")]
    for number, ranged in enumerate(inputs):
        kind = ranged.spread.kind
        columns.append(Column(f"x{number}", _head(ranged.path, kind), 16, kind))
    for number, figure in enumerate(figures):
        head = _head(label(figure.key), figure.kind)
        columns.append(Column(f"r{number}", head, 14, figure.kind))
    grid: Grid[Values] = Grid(sheet, 1, columns)
    grid.set_widths()
    for sample, drawn in enumerate(study.drawn):
        grid.write(
            {
                "sample": sample + 1,
                **{f"x{number}": float(value) for number, value in enumerate(drawn)},
                **_outcome(study, figures, sample),
            }
        )
    return grid


def _outcome(study: RangesStudy, figures: Sequence[Figure], sample: int) -> dict[str, float | None]:
    found = [float(study.found[figure.key][sample]) for figure in figures]
    return {f"r{n}": None if np.isnan(value) else value for n, value in enumerate(found)}


def _head(name: str, kind: str) -> str:
    unit = unit_of(kind)
    return f"{name} ({unit})" if unit else name


def tornado_sheet(study: RangesStudy, drawn: Sequence[Tornado], page_setup: PageSetup) -> Sheet:
    """Return the sheet of tornado charts, with changes computed live from the listed results."""
    sheet = Sheet(TORNADO_SHEET, page=page_setup.page(large=True, fit_height=0))
    write_heading(
        sheet, "One-at-a-time sensitivity", f"{study.title}; all other inputs as designed."
    )
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
    """Write a tornado table with its chart; return the row below both."""
    unit = unit_of(of.kind)
    title = f"{of.title}, {unit}" if unit else of.title
    sheet.put(top, 1, title, "section")
    sheet.put(top + 1, 1, "As designed", "label")
    number = shown(of.nominal, of.kind)
    nominal = sheet.put(top + 1, 2, number.value, f"given.{number.format}")
    grid = SheetTable(title, _COLUMNS, head_height=20.0).grid(
        sheet, top + 2, {"nominal": nominal.fixed}
    )
    for bar in of.bars:
        grid.write(_table_row(of, bar))
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


def _table_row(of: Tornado, bar: Bar) -> Values:
    ends = {"low": bar.low, "high": bar.high}
    changes = {"below": bar.low - of.nominal, "above": bar.high - of.nominal}
    amounts = {key: Amount(value, of.kind) for key, value in (ends | changes).items()}
    return {"input": bar.path, **amounts}
