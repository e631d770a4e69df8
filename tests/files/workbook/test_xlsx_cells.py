"""Cells as spreadsheet programs write them: kinds of value, shared formulas, bounds."""

import datetime
import io

import pytest
from openpyxl.reader.strings import read_string_table
from openpyxl.utils.datetime import WINDOWS_EPOCH

from facility.files.workbook.cells import (
    BeyondBounds,
    CellBasis,
    ErrorText,
    SheetCells,
    elements_of,
    read_cells,
    read_strings,
)

BASIS = CellBasis(("first", "second"), frozenset({3, 4}), frozenset({4}), WINDOWS_EPOCH)
_OPEN = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def read(rows: str, most_rows: int = 100, most_columns: int = 30) -> SheetCells:
    text = f"{_OPEN}{rows}</sheetData></worksheet>"
    most = elements_of(most_rows, most_columns)
    return read_cells(io.BytesIO(text.encode()), BASIS, most_rows, most_columns, most)


def test_every_kind_of_value() -> None:
    found = read(
        '<row r="1"><c r="A1"><v>7</v></c><c r="B1"><v>7.5</v></c><c r="C1" t="s"><v>1</v></c>'
        '<c r="D1" t="b"><v>1</v></c><c r="E1" t="e"><v>#REF!</v></c><c r="F1" t="str"><v>a&amp;b'
        '</v></c><c r="G1" s="3"><v>45413</v></c><c r="H1" s="4"><v>1.25</v></c><c r="I1" t="d">'
        '<v>2024-05-01</v></c><c r="J1" s="3"><v>1e9</v></c><c r="K1" s="5"/><c r="L1" t="s"/>'
        "</row>"
    )
    assert found.values == {
        (1, 1): 7,
        (1, 2): 7.5,
        (1, 3): "second",
        (1, 4): True,
        (1, 5): "#REF!",
        (1, 6): "a&b",
        (1, 7): datetime.datetime(2024, 5, 1),
        (1, 8): datetime.timedelta(hours=30),
        (1, 9): datetime.date(2024, 5, 1),
        (1, 10): "#VALUE!",
    }
    assert isinstance(found.values[1, 1], int)
    assert isinstance(found.values[1, 5], ErrorText)
    assert isinstance(found.values[1, 10], ErrorText)
    assert found.formulas == {}


def test_text_in_the_cell_leaves_out_how_it_is_pronounced() -> None:
    found = read(
        '<row r="2"><c r="C2" t="inlineStr"><is><r><t>AI </t></r><r><t xml:space="preserve"> row'
        "</t></r><rPh><t>ai</t></rPh></is></c></row>"
    )
    assert found.values == {(2, 3): "AI  row"}


def test_a_formula_with_its_value_and_one_without() -> None:
    found = read(
        '<row r="1"><c r="A1"><f>Loads!$M6</f><v>4160</v></c><c r="B1" t="str"><f>IF(1,"","")</f>'
        '<v></v></c><c r="C1"><f>1+1</f></c><c r="D1"><f t="array" ref="D1:D2">SUM(A1:A2)</f>'
        "<v>3</v></c></row>"
    )
    assert found.values == {(1, 1): 4160, (1, 4): 3}
    assert found.formulas == {
        (1, 1): "=Loads!$M6",
        (1, 2): '=IF(1,"","")',
        (1, 3): "=1+1",
        (1, 4): "=SUM(A1:A2)",
    }


def test_a_formula_filled_down_is_moved_to_each_cell() -> None:
    found = read(
        '<row r="9"><c r="H9"><f t="shared" ref="H9:H11" si="0">Loads!$M6</f><v>1</v></c></row>'
        '<row r="10"><c r="H10"><f t="shared" si="0"/><v>2</v></c></row>'
        '<row r="11"><c r="H11"><f t="shared" si="0"/><v>3</v></c></row>'
    )
    assert found.formulas == {(9, 8): "=Loads!$M6", (10, 8): "=Loads!$M7", (11, 8): "=Loads!$M8"}
    assert found.values == {(9, 8): 1, (10, 8): 2, (11, 8): 3}


def test_cells_without_addresses_are_counted() -> None:
    found = read(
        "<row><c><v>1</v></c><c/><c><v>3</v></c></row>"
        '<row r="4"><c r="C4"><v>4</v></c><c><v>5</v></c></row><row><c><v>6</v></c></row>'
    )
    assert found.values == {(1, 1): 1, (1, 3): 3, (4, 3): 4, (4, 4): 5, (5, 1): 6}


def test_nothing_is_read_beyond_the_bounds() -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="D{n}"><v>0</v></c></row>'
        for n in range(1, 9)
    )
    found = read(rows + "<row r='9'><c r='A9'><v>broken", most_rows=3, most_columns=3)
    assert found.values == {(1, 1): 1, (2, 1): 2, (3, 1): 3}


def test_a_document_type_is_refused() -> None:
    text = f'<!DOCTYPE x [<!ENTITY a "b">]>{_OPEN}</sheetData></worksheet>'
    with pytest.raises(ValueError, match="document type"):
        read_cells(io.BytesIO(text.encode()), BASIS, 10, 10, 1_000)


def test_no_more_elements_are_passed_than_are_allowed() -> None:
    """The same row again and again reaches no last row, and holds any number of cells."""
    rows = '<row r="1"><c r="A1"><v>1</v></c></row>' * 100
    stream = io.BytesIO(f"{_OPEN}{rows}</sheetData></worksheet>".encode())
    with pytest.raises(BeyondBounds, match="is larger than"):
        read_cells(stream, BASIS, 10, 10, 200)
    with pytest.raises(BeyondBounds, match="AAA1"):
        read('<row r="1"><c r="AAA1"><v>1</v></c></row>')
    with pytest.raises(BeyondBounds, match="row 200000"):
        read('<row r="200000"><c><v>1</v></c></row>')


def test_strings_that_cells_share() -> None:
    """Of runs, blanks, pronunciations and the escape of an underscore, as openpyxl reads them."""
    text = (
        b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>A</t></si>'
        b'<si><r><t>AI </t></r><r><rPr><b/></rPr><t xml:space="preserve"> row</t></r>'
        b'<rPh sb="0" eb="1"><t>ai</t></rPh></si><si/><si><t>a_x005F_b&amp;c</t></si></sst>'
    )
    assert read_strings(io.BytesIO(text)) == ["A", "AI  row", "", "a_b&c"]
    assert read_strings(io.BytesIO(text)) == read_string_table(io.BytesIO(text))
