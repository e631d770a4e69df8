"""A book of neutral sheets, written as an .xlsx file: same book, same bytes.

The writer library makes all but the rows of cells, which are text by the time it sees them. Charts
keep their numbers too, for viewers that do not compute.
"""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import xlsxwriter
from xlsxwriter import Workbook
from xlsxwriter.chart import Chart as Drawn
from xlsxwriter.worksheet import Worksheet

from facility.core.errors import FacilityError
from facility.files.io.safe_text import cut_units, header_text, looks_like_formula, safe_text
from facility.report.sheet.model import (
    Bars,
    Book,
    Cell,
    Page,
    Sheet,
    SheetChart,
    SheetListObject,
    Span,
    column_letter,
)
from facility.report.sheet.styles import FONT, LINE, MARKS, Look, look_of

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
    for index in sorted(cells):
        row, column = index
        if row != current:
            current, line, number = row, rows.setdefault(row, []), str(row)
        line.append(_cell_xml(f'<c r="{letters[column]}{number}"', cells[index], looks))
    return "".join(
        f'<row r="{row}"{_height(sheet.heights.get(row))}{_filled(rows[row])}'
        for row in sorted(rows)
    )


def _filled(cells: list[str]) -> str:
    return f">{''.join(cells)}</row>" if cells else "/>"


def bounds(sheet: Sheet) -> Span | None:
    """Return the used range of a sheet; None for an empty sheet."""
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
                        "This is a program error; please report it.",
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


_PAPER = {"letter": 1, "tabloid": 3, "a3": 8, "a4": 9}
_MM_PER_INCH = 25.4
_MAX_PROPERTY = 255
_MAX_BAND_PART = 72
_MAX_BREAKS = 1023
_ALLOWED_IN_PROTECTED = {
    "format_cells": True,
    "format_columns": True,
    "format_rows": True,
    "sort": True,
    "autofilter": True,
    "insert_hyperlinks": False,
}
_PIXELS_PER_MM = 96.0 / 25.4
_AXIS_STEP = 10.0
_FONT = {"name": FONT, "size": 9, "bold": False}
_GRID = {"visible": True, "line": {"color": LINE, "width": 0.5}}
_AXIS = {"name_font": _FONT, "num_font": _FONT, "major_gridlines": _GRID}
_BAR_GAP = 45
_SEEN_THROUGH = 25


def render(book: Book) -> bytes:
    """Return the bytes of the workbook; nothing in them depends on clock, machine or file name."""
    target = io.BytesIO()
    workbook = xlsxwriter.Workbook(target, {"in_memory": True, "strings_to_urls": False})
    formats = _Formats(workbook)
    workbook.set_calc_mode("auto")
    _describe(workbook, book)
    for sheet in book.sheets:
        target_sheet = workbook.add_worksheet(sheet.name, _Worksheet)
        _write_sheet(target_sheet, sheet, formats)
        for chart in sheet.charts:
            draw(workbook, target_sheet, sheet, chart)
    for name, formula in book.names.items():
        workbook.define_name(name, f"={formula}")
    workbook.close()
    return target.getvalue()


class _Attributes(dict[str, str]):
    """Cell format attributes by style key; formats are created when needed."""

    def __init__(self, workbook: Any, *, quote: bool) -> None:
        super().__init__()
        self._workbook, self._quote = workbook, quote

    def __missing__(self, style: str) -> str:
        look, number_format = look_of(style)
        made = self._workbook.add_format(_properties(look, number_format))
        made.set_quote_prefix(self._quote)
        self[style] = f' s="{made._get_xf_index()}"'
        return self[style]


class _Formats:
    """Formats of one workbook, made once per style key."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._marks: dict[str, Any] = {}
        self.rows = RowLooks(
            _Attributes(workbook, quote=False),
            _Attributes(workbook, quote=True),
            workbook.str_table._get_shared_string_index,
        )

    def mark(self, style: str) -> Any:
        if style not in self._marks:
            look = MARKS[style]
            properties: dict[str, Any] = {
                "bold": look.bold,
                "italic": look.italic,
                "font_color": look.color,
            }
            if look.fill:
                properties["bg_color"] = look.fill
            self._marks[style] = self._workbook.add_format(properties)
        return self._marks[style]


def _properties(look: Look, number_format: str) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "font_name": FONT,
        "font_size": look.size,
        "font_color": look.color,
        "valign": "vcenter" if look.border or not look.wrap else "top",
        "locked": look.locked,
        "num_format": number_format,
    }
    optional = {
        "bold": look.bold,
        "italic": look.italic,
        "underline": 1 if look.underline else 0,
        "align": look.align,
        "text_wrap": look.wrap,
        "shrink": look.shrink,
        "bg_color": look.fill,
        "border": look.border,
        "indent": look.indent,
    }
    properties |= {name: value for name, value in optional.items() if value}
    if look.border:
        properties["border_color"] = LINE
    if look.top:
        properties["top"] = look.top
    return properties


def _describe(workbook: Any, book: Book) -> None:
    created = datetime.datetime(*book.created, tzinfo=datetime.UTC).replace(tzinfo=None)
    workbook.set_properties(
        {
            "title": safe_text(book.title),
            "subject": safe_text(book.subject),
            "author": safe_text(book.author),
            "company": safe_text(book.company),
            "keywords": safe_text(book.keywords),
            "created": created,
        }
    )
    for name, value in book.properties.items():
        workbook.set_custom_property(name, cut_units(safe_text(value), _MAX_PROPERTY), "text")


class _Worksheet(Worksheet):  # type: ignore[misc]
    """A worksheet of the library with rows already written as text, formulas unchanged."""

    rows = ""

    def _write_rows(self) -> None:
        self.fh.write(self.rows)

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        """Return a formula without its equals sign: ours name functions as the file must."""
        del expand_future_functions
        return formula.removeprefix("=")


def _write_sheet(target: Any, sheet: Sheet, formats: _Formats) -> None:
    target.hide_gridlines(2)
    target.set_zoom(sheet.zoom)
    for column, width in sheet.widths.items():
        target.set_column(column - 1, column - 1, width)
    _write_cells(target, sheet, formats)
    _write_rules(target, sheet, formats)
    _set_page(target, sheet.page)
    if sheet.freeze:
        target.freeze_panes(sheet.freeze[0] - 1, sheet.freeze[1] - 1)
    if sheet.filter_span:
        span = sheet.filter_span
        target.autofilter(span.top - 1, span.left - 1, span.bottom - 1, span.right - 1)
    for table in sheet.tables:
        _write_table(target, sheet, table)
    if sheet.tab_color:
        target.set_tab_color(sheet.tab_color)
    if sheet.protected:
        target.protect("", _ALLOWED_IN_PROTECTED)
    if sheet.hidden:
        target.hide()


def _write_cells(target: Any, sheet: Sheet, formats: _Formats) -> None:
    """Write the rows to the worksheet as text, with the other contents of the library."""
    extent = bounds(sheet)
    if extent is None:
        return
    for span in sheet.merges:
        target.merge.append([span.top - 1, span.left - 1, span.bottom - 1, span.right - 1])
    target.ignore_write_string = True
    for (row, column), cell in sheet.cells.items():
        if cell.link:
            text = safe_text(str(cell.value))
            target.write_url(row - 1, column - 1, f"internal:{cell.link}", None, text)
    target._check_dimensions(extent.top - 1, extent.left - 1)
    target._check_dimensions(extent.bottom - 1, extent.right - 1)
    target.rows = rows_xml(sheet, formats.rows)


def _write_table(target: Any, sheet: Sheet, table: SheetListObject) -> None:
    """Declare cells already written as an Excel table; its headings are their texts."""
    span = table.span
    heads = (sheet.cells[span.top, column].value for column in range(span.left, span.right + 1))
    options = {
        "name": table.name,
        "style": None,
        "columns": [{"header": safe_text(str(head))} for head in heads],
    }
    target.add_table(span.top - 1, span.left - 1, span.bottom - 1, span.right - 1, options)


def _write_rules(target: Any, sheet: Sheet, formats: _Formats) -> None:
    for rule in sheet.conditionals:
        span = rule.span
        target.conditional_format(
            span.top - 1,
            span.left - 1,
            span.bottom - 1,
            span.right - 1,
            {"type": "formula", "criteria": f"={rule.formula}", "format": formats.mark(rule.style)},
        )
    for check in sheet.validations:
        span = check.span
        options: dict[str, Any] = {
            "error_type": "stop" if check.stop else "warning",
            "error_message": check.message,
            "ignore_blank": True,
        }
        if check.list_source:
            options |= {"validate": "list", "source": f"={check.list_source}"}
        else:
            options |= {"validate": "decimal", "criteria": ">=", "value": check.minimum}
        target.data_validation(
            span.top - 1, span.left - 1, span.bottom - 1, span.right - 1, options
        )


def _set_page(target: Any, page: Page) -> None:
    if page.landscape:
        target.set_landscape()
    else:
        target.set_portrait()
    target.set_paper(_PAPER[page.paper])
    if page.breaks:
        target.set_h_pagebreaks(page.breaks[:_MAX_BREAKS])
    else:
        target.fit_to_pages(1, page.fit_height)
    side = page.margin_mm / _MM_PER_INCH
    target.set_margins(left=side, right=side, top=side + 0.25, bottom=side + 0.2)
    target.center_horizontally()
    if page.repeat_rows:
        target.repeat_rows(page.repeat_rows[0] - 1, page.repeat_rows[1] - 1)
    if page.area:
        area = page.area
        target.print_area(area.top - 1, area.left - 1, area.bottom - 1, area.right - 1)
    _set_band(target.set_header, page.header, page.margin_mm)
    _set_band(target.set_footer, page.footer, page.margin_mm)


def _set_band(setter: Callable[..., Any], parts: tuple[str, str, str], margin_mm: float) -> None:
    if not any(parts):
        return
    text = "".join(
        f"&{side}&8 {_band_part(part)}" for side, part in zip("LCR", parts, strict=True) if part
    )
    setter(text, {"margin": margin_mm / _MM_PER_INCH / 2})


_FIELDS = {"{page}": "&P", "{pages}": "&N", "{sheet}": "&A", "{file}": "&F"}


def _band_part(part: str) -> str:
    text = cut_units(header_text(part), _MAX_BAND_PART)
    if (len(text) - len(text.rstrip("&"))) % 2:
        text = text[:-1]
    for field, code in _FIELDS.items():
        text = text.replace(field, code)
    return text


def draw(workbook: Workbook, target: Worksheet, sheet: Sheet, chart: SheetChart | Bars) -> None:
    """Draw a chart of `sheet` into its worksheet."""
    drawn = (
        _curves(workbook, sheet, chart)
        if isinstance(chart, SheetChart)
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


def _curves(workbook: Workbook, sheet: Sheet, chart: SheetChart) -> Drawn:
    drawn = workbook.add_chart({"type": "scatter", "subtype": "straight"})
    assert drawn is not None
    lowest = math.inf
    for title, span, dashed in chart.lines:
        lowest = min(lowest, *_numbers(sheet, span))
        drawn.add_series(
            {
                "name": safe_text(title),
                "marker": {"type": "none"},
                "line": {"width": 1.5, "dash_type": "dash" if dashed else "solid"},
                "categories": _reference(sheet, chart.along),
                "values": _reference(sheet, span),
                "categories_data": _numbers(sheet, chart.along),
                "values_data": _numbers(sheet, span),
            }
        )
    along = _numbers(sheet, chart.along)
    drawn.set_x_axis({**_AXIS, "name": chart.x_title, "min": min(along), "max": max(along)})
    floor = _AXIS_STEP * math.floor(lowest / _AXIS_STEP)
    drawn.set_y_axis({**_AXIS, "name": chart.y_title, "min": floor})
    return drawn


def _bars(workbook: Workbook, sheet: Sheet, chart: Bars) -> Drawn:
    """Return bars that begin at zero, the first on top, with names on the left."""
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
                "categories": _reference(sheet, chart.names),
                "values": _reference(sheet, span),
                "categories_data": _texts(sheet, chart.names),
                "values_data": _numbers(sheet, span),
            }
        )
    plain = {"name_font": _FONT, "num_font": _FONT, "major_gridlines": {"visible": False}}
    # Turned round, the first stands on top; the numbers then cross at the last, below.
    drawn.set_y_axis({**plain, "reverse": True, "label_position": "low", "crossing": "max"})
    drawn.set_x_axis({**_AXIS, "name": chart.along})
    return drawn


def _reference(sheet: Sheet, span: Span) -> list[str | int]:
    return [sheet.name, span.top - 1, span.left - 1, span.bottom - 1, span.right - 1]


def _texts(sheet: Sheet, span: Span) -> list[str]:
    """Return the texts of a column of cells."""
    return [str(sheet.cells[row, span.left].value) for row in range(span.top, span.bottom + 1)]


def _numbers(sheet: Sheet, span: Span) -> list[float]:
    """Return the numbers of a column of cells."""
    return [float(text) for text in _texts(sheet, span)]
