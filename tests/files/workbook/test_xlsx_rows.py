"""The rows that are written as text are those the writer library's own calls would write."""

import io
import re
import zipfile

import pytest
import xlsxwriter

from facility.core.errors import FacilityError
from facility.files.io.safe_text import looks_like_formula, safe_text
from facility.files.workbook.writer import _properties, render
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.styles import look_of
from tests.files.workbook.test_xlsx_writer import book_of
from tests.report.book.hostile import HOSTILE

NUMBERS = (0, 1, -3, 0.1, 1.0, 1e-300, 1e22, 123456789.123456789, -0.0, 2**53 + 1)


def every_kind_of_cell() -> Sheet:
    sheet = Sheet("Kinds")
    sheet.merge(Span(1, 1, 2, 3), "merged", "title")
    sheet.merge(Span(3, 2, 3, 4), None, "pna")
    sheet.formula(3, 2, "A1&B1", "a & b <c>", "pcalc")
    for row, number in enumerate(NUMBERS, start=5):
        sheet.put(row, 1, number, "number.n1")
        sheet.formula(row, 2, f"A{row}*2", number * 2, "calc.n3")
    for row, text in enumerate(HOSTILE, start=5):
        sheet.put(row, 4, text, "cell")
        sheet.formula(row, 5, f'IF(D{row}<>"",D{row},"")', text, "verdict")
    sheet.put(5, 6, True, "word")
    sheet.formula(5, 7, "1<2", True, "word")
    sheet.formula(6, 7, "IF(1>2,1,0)", None, "word")
    sheet.blank(7, range(6, 30), "pna")
    sheet.heights |= {1: 24.0, 3: 12.5, 5: 13.3, 90: 7.0}
    return sheet


def as_the_library_writes(sheet: Sheet) -> bytes:
    target = io.BytesIO()
    workbook = xlsxwriter.Workbook(target, {"in_memory": True})
    worksheet = workbook.add_worksheet(sheet.name)
    formats = {}

    def of(style: str, quote: bool = False) -> object:
        if (style, quote) not in formats:
            formats[style, quote] = workbook.add_format(_properties(*look_of(style)))
            formats[style, quote].set_quote_prefix(quote)
        return formats[style, quote]

    for row, height in sheet.heights.items():
        worksheet.set_row(row - 1, height)
    for span in sheet.merges:
        style = of(sheet.cells[span.top, span.left].style)
        worksheet.merge_range(
            span.top - 1, span.left - 1, span.bottom - 1, span.right - 1, "", style
        )
    for (row, column), (value, style, formula, _) in sorted(sheet.cells.items()):
        place = (row - 1, column - 1)
        if formula:
            cached = safe_text(value) if isinstance(value, str) else value
            worksheet.write_formula(
                *place, f"={formula}", of(style), "" if value is None else cached
            )
        elif value is None or value == "":
            worksheet.write_blank(*place, None, of(style))
        elif isinstance(value, str):
            text = safe_text(value)
            worksheet.write_string(*place, text, of(style, looks_like_formula(text)))
        elif isinstance(value, bool):
            worksheet.write_boolean(*place, value, of(style))
        else:
            worksheet.write_number(*place, value, of(style))
    workbook.close()
    return target.getvalue()


def parts_of(content: bytes) -> tuple[str, str, str]:
    """Return the rows and the merged spans of the one sheet, and the shared strings."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        text = archive.read("xl/worksheets/sheet1.xml").decode()
        strings = archive.read("xl/sharedStrings.xml").decode()
    (rows,) = re.findall("<sheetData>.*</sheetData>", text, re.DOTALL)
    (merged,) = re.findall("<mergeCells.*</mergeCells>", text)
    return re.sub(' spans="[0-9:]*"', "", rows), merged, strings


def test_every_kind_of_cell_is_written_as_the_library_does() -> None:
    sheet = every_kind_of_cell()
    ours, theirs = render(book_of(sheet)), as_the_library_writes(sheet)
    for own, other in zip(parts_of(ours), parts_of(theirs), strict=True):
        assert own == other


def test_merged_spans_that_share_a_cell_are_refused() -> None:
    sheet = Sheet("Loads")
    sheet.merge(Span(1, 1, 2, 3), "one")
    sheet.merge(Span(2, 3, 2, 4), "two")
    with pytest.raises(FacilityError, match=r"Loads!C2:D2.*MERGES_OVERLAP"):
        render(book_of(sheet))


def test_a_sheet_without_cells_is_a_sheet() -> None:
    with zipfile.ZipFile(io.BytesIO(render(book_of(Sheet("Empty"))))) as archive:
        assert b"<sheetData/>" in archive.read("xl/worksheets/sheet1.xml")
