"""Charts of a workbook; each keeps its numbers too, for viewers that do not compute."""

from __future__ import annotations

import math

from xlsxwriter import Workbook
from xlsxwriter.chart import Chart as Drawn
from xlsxwriter.worksheet import Worksheet

from facility.files.io.safe_text import safe_text
from facility.report.sheet.cells import Span
from facility.report.sheet.model import Bars, Chart, Sheet
from facility.report.sheet.styles import FONT, LINE

_PIXELS_PER_MM = 96.0 / 25.4
_AXIS_STEP = 10.0
_FONT = {"name": FONT, "size": 9, "bold": False}
_GRID = {"visible": True, "line": {"color": LINE, "width": 0.5}}
_AXIS = {"name_font": _FONT, "num_font": _FONT, "major_gridlines": _GRID}
_BAR_GAP = 45
_SEEN_THROUGH = 25


def draw(workbook: Workbook, target: Worksheet, sheet: Sheet, chart: Chart | Bars) -> None:
    """Draw a chart of `sheet` into the worksheet that is written of it."""
    drawn = (
        _curves(workbook, sheet, chart)
        if isinstance(chart, Chart)
        else _bars(workbook, sheet, chart)
    )
    drawn.set_title(
        {
            "name": safe_text(chart.title),
            "overlay": False,
            "name_font": {"name": FONT, "size": 11, "bold": True},
        }
    )
    drawn.set_legend({"position": "bottom", "font": _FONT})
    drawn.set_size(
        {
            "width": round(chart.width_mm * _PIXELS_PER_MM),
            "height": round(chart.height_mm * _PIXELS_PER_MM),
        }
    )
    target.insert_chart(chart.row - 1, chart.column - 1, drawn, {"object_position": 2})


def _curves(workbook: Workbook, sheet: Sheet, chart: Chart) -> Drawn:
    drawn = workbook.add_chart({"type": "scatter", "subtype": "straight"})
    assert drawn is not None
    least = math.inf
    for title, span, dashed in chart.lines:
        least = min(least, *_numbers(sheet, span))
        drawn.add_series(
            {
                "name": safe_text(title),
                "marker": {"type": "none"},
                "line": {"width": 1.5, "dash_type": "dash" if dashed else "solid"},
                "categories": _place(sheet, chart.along),
                "values": _place(sheet, span),
                "categories_data": _numbers(sheet, chart.along),
                "values_data": _numbers(sheet, span),
            }
        )
    along = _numbers(sheet, chart.along)
    drawn.set_x_axis({**_AXIS, "name": chart.x_title, "min": min(along), "max": max(along)})
    floor = _AXIS_STEP * math.floor(least / _AXIS_STEP)
    drawn.set_y_axis({**_AXIS, "name": chart.y_title, "min": floor})
    return drawn


def _bars(workbook: Workbook, sheet: Sheet, chart: Bars) -> Drawn:
    """Return bars that begin at nothing, the first on top, their names left of all of them."""
    drawn = workbook.add_chart({"type": "bar"})
    assert drawn is not None
    for title, span, colour in chart.series:
        drawn.add_series(
            {
                "name": safe_text(title),
                "fill": {"color": colour, "transparency": _SEEN_THROUGH},
                "border": {"none": True},
                "gap": _BAR_GAP,
                "overlap": 100,
                "categories": _place(sheet, chart.names),
                "values": _place(sheet, span),
                "categories_data": _texts(sheet, chart.names),
                "values_data": _numbers(sheet, span),
            }
        )
    plain = {"name_font": _FONT, "num_font": _FONT, "major_gridlines": {"visible": False}}
    # Turned round, the first stands on top; the numbers then cross at the last, below.
    drawn.set_y_axis({**plain, "reverse": True, "label_position": "low", "crossing": "max"})
    drawn.set_x_axis({**_AXIS, "name": chart.along})
    return drawn


def _place(sheet: Sheet, span: Span) -> list[str | int]:
    return [sheet.name, span.top - 1, span.left - 1, span.bottom - 1, span.right - 1]


def _texts(sheet: Sheet, span: Span) -> list[str]:
    """Return the texts of a column of cells."""
    return [str(sheet.cells[row, span.left].value) for row in range(span.top, span.bottom + 1)]


def _numbers(sheet: Sheet, span: Span) -> list[float]:
    """Return the numbers of a column of cells."""
    return [float(text) for text in _texts(sheet, span)]
