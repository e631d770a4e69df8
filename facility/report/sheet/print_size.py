"""Print scale of a sheet fitted to its paper."""

from __future__ import annotations

from dataclasses import replace

from facility.report.sheet.model import Sheet

_PAPER_MM = {"letter": (216, 279), "tabloid": (279, 432), "a4": (210, 297), "a3": (297, 420)}
_MIN_SCALE = 0.66  # of text of 9 pt: 6 pt
_EDGE_MM = 12.0  # header or footer above and below, beside the margin
_ROW_PT, _COLUMN = 15.0, 8.43  # of a row and a column left as they are
_PX_MM, _PT_MM = 25.4 / 96.0, 25.4 / 72.0


def print_scale(sheet: Sheet) -> float:
    """Return the scale at which `sheet` is printed, at most 1."""
    page, area = sheet.page, sheet.page.area
    last_row, last_column = map(max, zip(*sheet.cells, strict=True))
    if area is not None:
        last_row, last_column = area.bottom, area.right
    short, long = _PAPER_MM[page.paper]
    wide, high = (long, short) if page.landscape else (short, long)
    columns = (sheet.widths.get(n, _COLUMN) for n in range(1, last_column + 1))
    width = sum(7.0 * chars + 5.0 for chars in columns) * _PX_MM
    scale = min(1.0, (wide - 2.0 * page.margin_mm) / width)
    if page.fit_height:
        rows = (sheet.heights.get(n, _ROW_PT) for n in range(1, last_row + 1))
        free = page.fit_height * (high - 2.0 * page.margin_mm - _EDGE_MM)
        scale = min(scale, free / (sum(rows) * _PT_MM))
    return scale


def keep_readable(sheet: Sheet) -> None:
    """Use several pages for a sheet that would shrink below 6 pt on one page.

    Its title is then repeated on each.
    """
    page = sheet.page
    if page.fit_height and print_scale(sheet) < _MIN_SCALE:
        repeated = page.repeat_rows or (1, 2)
        sheet.page = replace(page, fit_height=0, repeat_rows=repeated)
