import io
import math
import zipfile
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.files.io.safe_text import safe_text
from facility.files.workbook.book import sheet_names
from facility.files.workbook.writer import render
from facility.report.sheet.model import Book, Page, Ref, Sheet, column_letter
from facility.report.sheet.styles import look_of
from facility.report.sheet.tables import shown
from tests.report.book.hostile import HOSTILE
from tests.tools.libreoffice import convert
from tests.tools.workbooks import differences, error_cells, poisoned, read_book


def book_of(*sheets: Sheet, names: dict[str, str] | None = None) -> Book:
    return Book(
        sheets,
        names or {},
        title="T",
        subject="S",
        author="A",
        company="C",
        keywords="K",
        created=(1980, 1, 1),
        properties={"tool_version": "1"},
    )


def hostile_book() -> Book:
    """Every hostile text as cell, sheet name, link, header, property and formula reference."""
    names = sheet_names(HOSTILE)
    first = Sheet("Cover", page=Page(header=("=1+1 &P", "\x00", "😀" * 90), footer=("", "", "")))
    sheets = [first]
    for row, text in enumerate(HOSTILE, start=1):
        sheet = Sheet(names[text])
        target = sheet.put(1, 1, float(row), "number.n1")
        sheet.put(2, 1, text, "cell")
        first.put(row, 1, text, "cell")
        first.link(row, 2, text or "none", target)
        first.formula(row, 3, f"{target}*2", 2.0 * row, "calc.n1")
        sheets.append(sheet)
    return Book(
        tuple(sheets),
        {},
        HOSTILE[0],
        HOSTILE[17],
        HOSTILE[24],
        HOSTILE[27],
        HOSTILE[18],
        (1980, 1, 1),
        {"input": HOSTILE[30]},
    )


@pytest.mark.parametrize("role", ["number", "calc", "input", "given", "total"])
def test_every_kind_has_a_number_format(role: str) -> None:
    for kind in KINDS:
        _, number_format = look_of(f"{role}.{shown(1.0, kind).format}")
        assert "0" in number_format, kind


def test_hostile_text_stays_text() -> None:
    book = hostile_book()
    read = read_book(render(book))
    cover = read["Cover"]
    for row, text in enumerate(HOSTILE, start=1):
        cell = cover.cell(row, 1)
        if text:
            assert cell.data_type == "s"
            assert cell.value == safe_text(text)
        assert cover.cell(row, 3).data_type == "f"
    assert cover["A1"].quotePrefix
    assert not cover["A23"].quotePrefix


def test_no_external_link_macro_or_rich_text_leaves() -> None:
    with zipfile.ZipFile(io.BytesIO(render(hostile_book()))) as archive:
        for name in archive.namelist():
            assert "externalLink" not in name
            assert "vba" not in name
            assert "rels" not in name or b'TargetMode="External"' not in archive.read(name)
        assert b"<si><r>" not in archive.read("xl/sharedStrings.xml")


def test_links_survive_dollars_and_headers_cut_ampersands_whole() -> None:
    target = Sheet("$A$1 & co", page=Page(header=("x" + "&" * 71, "", "&")))
    first = Sheet("Cover")
    first.link(1, 1, "go", target.put(2, 2, 1.0))
    with zipfile.ZipFile(io.BytesIO(render(book_of(first, target)))) as archive:
        cover = archive.read("xl/worksheets/sheet1.xml").decode()
        page = archive.read("xl/worksheets/sheet2.xml").decode()
    assert "location=\"'$A$1 &amp; co'!B2\"" in cover
    assert "x" + "&amp;" * 70 + "&amp;R" in page


def test_dates_in_the_file_are_the_projects() -> None:
    with zipfile.ZipFile(io.BytesIO(render(hostile_book()))) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = archive.read("docProps/core.xml").decode()
    assert "1980-01-01T00:00:00Z" in core
    assert core.count("1980-01-01") == 2


def test_same_book_same_bytes() -> None:
    assert render(hostile_book()) == render(hostile_book())


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_not_finite_is_refused_where_it_stands(number: float) -> None:
    sheet = Sheet("Loads")
    with pytest.raises(FacilityError, match=r"Loads!C2.*NOT_FINITE"):
        sheet.put(2, 3, number)
    with pytest.raises(FacilityError, match="NOT_FINITE"):
        sheet.formula(2, 3, "1/0", number)


def test_references() -> None:
    assert [column_letter(n) for n in (1, 26, 27, 52, 53, 702, 703)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]
    assert str(Ref(Sheet("RPP 'x'").quoted, 3, 2)) == "'RPP ''x'''!$B$3"
    assert str(Ref(Sheet("Loads").quoted, 17, 13)) == "Loads!$M$17"


@pytest.mark.libreoffice
def test_hostile_book_recalculates(tmp_path: Path) -> None:
    book = hostile_book()
    source = tmp_path / "book.xlsx"
    source.write_bytes(render(poisoned(book)))
    converted = convert(source, "xlsx", tmp_path)
    assert error_cells(converted) == []
    assert [d for d in differences(book, converted) if "!A" not in d] == []
