"""The workbook as a file: order, names, pages, bytes, safety."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from facility.core.check import Rule, Severity, counted
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED
from facility.core.views import System
from facility.files.io.safe_text import safe_text
from facility.files.workbook.book import (
    panel_selection,
    workbook_book,
    workbook_bytes,
    write_workbook,
)
from facility.files.workbook.writer import render
from facility.model.inputs.document import as_typed
from facility.report.book.record import check_table
from facility.report.documents import FIXED_SHEETS
from facility.report.sheet.model import Book, Page, Sheet
from facility.report.sheet.print_size import keep_readable, print_scale
from facility.study.design.design import Design
from tests.report.book.conftest import CASES, design_of
from tests.tools.libreoffice import convert
from tests.tools.workbooks import read_book


def test_sheets_stand_in_the_order_a_reviewer_expects(books: dict[str, Book]) -> None:
    names = [sheet.name for sheet in books["mixed-hall"].sheets]
    fixed = [name for name in names if name in FIXED_SHEETS]
    assert fixed == list(FIXED_SHEETS)
    first = names.index("Panels") + 1
    assert names[first : first + 15] == [name for name in names if name.startswith("RPP-")]
    assert books["mixed-hall"].sheets[-1].hidden


@pytest.mark.parametrize("name", CASES)
def test_same_design_same_bytes(name: str, designs: dict[str, Design]) -> None:
    assert workbook_bytes(designs[name]) == workbook_bytes(design_of(name))


@pytest.mark.parametrize("name", CASES)
def test_every_text_reads_back_as_text(name: str, books: dict[str, Book]) -> None:
    book = books[name]
    read = read_book(render(book))
    assert read.sheetnames == [sheet.name for sheet in book.sheets]
    for sheet in book.sheets:
        target = read[sheet.name]
        for (row, column), cell in sheet.cells.items():
            got = target.cell(row, column)
            if cell.formula:
                assert got.data_type == "f"
            elif isinstance(cell.value, str) and cell.value:
                assert got.data_type == "s", (sheet.name, row, column)
                assert got.value == safe_text(cell.value)


def test_hostile_names_reach_sheet_names_links_and_headers(books: dict[str, Book]) -> None:
    book = books["hostile-names"]
    panels = [s.name for s in book.sheets if s.name not in FIXED_SHEETS]
    assert panels == ["RPP-Sort (1)01", "RPP-'R1C1'01", "RPP-Sort (1)02", "RPP-'R1C1'02"]
    content = render(book)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        everything = b"".join(archive.read(n) for n in archive.namelist() if n.endswith(".xml"))
        rels = b"".join(archive.read(n) for n in archive.namelist() if n.endswith(".rels"))
    assert b'TargetMode="External"' not in rels
    assert b"<f>=HYPERLINK" not in everything
    assert b"HYPERLINK(" in everything
    assert b"<si><r>" not in everything


def test_cover_counts_open_assumptions_and_links_to_every_sheet(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    cover = books["mixed-hall"].sheets[0]
    count = sum(1 for _ in designs["mixed-hall"].open_assumptions)
    texts = [cell.value for cell in cover.cells.values()]
    assert f"UNCONFIRMED assumptions as exported: {count} (see Assumptions)" in texts
    links = {cell.value for cell in cover.cells.values() if cell.link}
    assert links == set(FIXED_SHEETS) - {"Cover", "_project"}


def test_cover_counts_the_checks_as_the_design_does(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    cover = books["mixed-hall"].sheets[0]
    at = {cell.value: place for place, cell in cover.cells.items()}
    counts = counted(designs["mixed-hall"].checks)
    heads = {"NOT_EVALUATED": "NOT EVALUATED", "PASS": "PASSED"}
    assert counts.pop("WAIVED") == 0
    assert "WAIVED" not in at  # no row for what nobody has waived
    assert len(counts) == 5
    for word, count in counts.items():
        row, column = at[heads.get(word, word)]
        assert cover.cells[row + 1, column].value == count


def test_document_says_what_it_was_made_from(designs: dict[str, Design]) -> None:
    found = designs["iec-400"]
    read = read_book(workbook_bytes(found))
    custom = {item.name: item.value for item in read.custom_doc_props.props}
    assert custom["input_sha256"] == found.sha256
    assert custom["reference_sha256"] == found.reference_sha256
    assert custom["code_edition"].startswith("IEC")
    assert read.properties.title == "Hall to IEC"
    assert read.properties.created.isoformat() == "2025-06-30T00:00:00"
    assert read["Cover"].page_setup.paperSize == 9
    log = [row[1].value for row in read["Log"].iter_rows(min_row=5, max_row=14)]
    assert found.sha256 in log


def test_project_is_embedded_as_typed(designs: dict[str, Design]) -> None:
    for name in ("hostile-names", "iec-400"):
        found = designs[name]
        read = openpyxl.load_workbook(io.BytesIO(workbook_bytes(found)), read_only=True)
        sheet = read["_project"]
        assert sheet.sheet_state == "hidden"
        parts = [row[1].value for row in sheet.iter_rows(min_row=2) if row[1].value]
        assert all(len(part) < 32_767 for part in parts)
        assert json.loads("".join(parts)) == as_typed(found.project)


def test_defined_names_lead_to_panels(books: dict[str, Book]) -> None:
    names = books["mixed-hall"].names
    assert names["RPP_A01_Demand_kVA"].startswith("'RPP-A01'!$")
    assert names["RPP_A01_Phase_VA"].count("$") == 4
    assert names["criteria_continuous_factor"].startswith("Inputs!")


def test_panels_beyond_the_limit_are_named_on_the_cover(designs: dict[str, Design]) -> None:
    book = workbook_book(designs["mixed-hall"], panels="RPP-A01..RPP-A02,RPP-B03")
    shown = [s.name for s in book.sheets if s.name.startswith("RPP-")]
    tags = [panel.tag for panel in designs["mixed-hall"].panels.panels]
    assert shown == [*tags[: tags.index("RPP-A02") + 1], "RPP-B03"]
    note = next(str(c.value) for c in book.sheets[0].cells.values() if "no sheet" in str(c.value))
    assert f"{len(tags) - len(shown)} panels" in note
    assert "facility export xlsx --panels" in note


def test_panel_selection_refuses_unknown_tags_and_too_many() -> None:
    tags = [f"RPP-{n:03d}" for n in range(200)]
    assert panel_selection("RPP-003..RPP-001, RPP-010", tags) == [
        "RPP-001",
        "RPP-002",
        "RPP-003",
        "RPP-010",
    ]
    with pytest.raises(FacilityError, match=r"RPP-01.*UNKNOWN_PANEL"):
        panel_selection("RPP-01x", tags)
    with pytest.raises(FacilityError, match="TOO_MANY_PANELS"):
        panel_selection("RPP-000..RPP-199", tags)


def test_write_refuses_to_overwrite(designs: dict[str, Design], tmp_path: Path) -> None:
    target = tmp_path / "out.xlsx"
    assert write_workbook(designs["us-208-2n"], target) == target
    first = target.read_bytes()
    with pytest.raises(FacilityError, match="FILE_EXISTS") as refused:
        write_workbook(designs["us-208-2n"], target)
    assert refused.value.exit_code == 6
    assert write_workbook(designs["us-208-2n"], target, force=True).read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == ["out.xlsx"]


@pytest.mark.libreoffice
def test_each_panel_prints_on_one_page(books: dict[str, Book], tmp_path: Path) -> None:
    """So do all sheets that are set to; the others, a hundred pages, are not printed here."""
    book = books["mixed-hall"]
    one_page = [s.name for s in book.sheets if s.page.fit_height and not s.hidden]
    tags = [s.name for s in book.sheets if s.name.startswith("RPP-")]
    assert tags
    assert {*tags, "Transformers", "Batteries", "Roll-up", "PUE"} <= {*one_page}
    source = tmp_path / "book.xlsx"
    shown = tuple(s if s.name in one_page else replace(s, hidden=True) for s in book.sheets)
    source.write_bytes(render(replace(book, sheets=shown)))
    footers = _footers(convert(source, "pdf", tmp_path))
    for name in one_page:
        assert footers.count(name) == 1, name


@pytest.mark.parametrize("name", CASES)
def test_no_sheet_is_shrunk_below_what_is_read(name: str, books: dict[str, Book]) -> None:
    """Text of 9 pt is printed at 5.4 pt or more; on one page where that leaves it 6 pt."""
    for sheet in books[name].sheets:
        if not sheet.hidden:
            assert print_scale(sheet) >= 0.6, sheet.name


def test_a_sheet_too_long_for_its_page_runs_over() -> None:
    """300 rows of 15 pt are 1,588 mm, of which a letter page has 247."""
    sheet = Sheet("Long", page=Page(landscape=False, fit_height=1))
    sheet.set_widths(100)
    sheet.put(300, 1, "last")
    assert print_scale(sheet) == pytest.approx(247.0 / 1587.5, rel=1e-3)
    keep_readable(sheet)
    assert (sheet.page.fit_height, sheet.page.repeat_rows) == (0, (1, 2))
    assert print_scale(sheet) == 1.0
    short = Sheet("Short", page=Page(landscape=False, fit_height=1))
    short.put(60, 1, "last")
    keep_readable(short)
    assert short.page.fit_height == 1


def _footers(pdf: Path) -> list[str]:
    import subprocess

    done = subprocess.run(
        ["pdftotext", "-layout", str(pdf), "-"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return [
        line.split(" · Page ")[0].split("  ")[-1].strip()
        for line in done.stdout.splitlines()
        if " · Page " in line
    ]


@pytest.mark.parametrize(("system", "value"), [("si", "27.0 °C"), ("ip", "80.6 °F")])
def test_findings_of_a_page_follow_its_units(system: System, value: str) -> None:
    """27 degC is 27 * 9 / 5 + 32 = 80.6 degF: values and findings are in the units of the view."""
    rule = Rule("INLET", "inlet", Severity.WARNING, DERIVED, "")
    check = rule.compare("hall", 27.0, "<=", 25.0, "temperature", "27.0 °C at the inlet")
    table = check_table([check], system)
    (row,) = (dict(zip(table.heads, row, strict=True)) for row in table.rows)
    assert (row["Value"], row["Finding"]) == (value, f"{value} at the inlet")
    assert "Unit" not in row
