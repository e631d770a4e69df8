"""One revision, one number: workbook, PDF text, DXF attributes, SVG and JSON of the same design."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import ezdxf
import openpyxl
import pypdf
import pytest

from facility.files.issue.dxf import APPLICATION, sheet_dxf
from facility.files.issue.pdf import one_line, pdf_bytes
from facility.files.issue.record import record_bytes
from facility.files.issue.svg import sheet_svg
from facility.files.project.file import parse_project
from facility.files.workbook.book import workbook_bytes
from facility.report.book.log import PROJECT_SHEET
from facility.report.drawings.scene import Text
from facility.report.issue.sheet import IssuedSheet, SheetSet
from facility.report.issue.sheets import sheet_set
from facility.study.design.design import Design, design
from tests.files.issue.issued import PROJECT

BOOKS = Path(__file__).parents[2] / "report" / "book" / "projects"
_BOXED = re.compile("[\u2e80-\uffff]")
CASES = ("tiny", "iec-400", "us-208-2n", "hostile-names")


@cache
def made(name: str) -> tuple[Design, SheetSet]:
    text = PROJECT if name == "tiny" else (BOOKS / f"{name}.yaml").read_text()
    found = design(parse_project(text))
    return found, sheet_set(found)


def squeezed(text: str) -> str:
    return re.sub(r"[^\S\n]+|\u200b", "", text)


def keyed(sheet: IssuedSheet) -> list[tuple[str, str]]:
    return sorted(
        (one_line(shape.key), one_line(shape.text))
        for shape in sheet.scene.shapes
        if isinstance(shape, Text) and shape.key and shape.text
    )


@pytest.mark.parametrize("name", CASES)
def test_pdf_and_svg_have_every_keyed_text(name: str) -> None:
    issued = made(name)[1]
    pages = pypdf.PdfReader(io.BytesIO(pdf_bytes(issued))).pages
    assert len(pages) == len(issued.sheets)
    for sheet, page in zip(issued.sheets, pages, strict=True):
        expected = keyed(sheet)
        assert ("sheet.sheet", sheet.number) in expected
        of_page = squeezed(page.extract_text())
        # The fonts have no letters of scripts from U+2E80 on: blank boxes, as the docs state.
        boxed = [_BOXED.sub("\0", squeezed(text)) for _, text in expected]
        assert [text for text in boxed if text not in of_page] == []
        root = ElementTree.fromstring(sheet_svg(sheet))
        drawn = [(e.get("data-key", ""), e.text or "") for e in root.iter() if e.get("data-key")]
        assert sorted(drawn) == expected


@pytest.mark.parametrize("name", CASES)
def test_dxf_has_every_keyed_text(name: str) -> None:
    drawings = [sheet for sheet in made(name)[1].sheets if sheet.is_drawing]
    assert drawings
    for sheet in drawings:
        document = ezdxf.read(io.StringIO(sheet_dxf(sheet).decode()))
        auditor = document.audit()
        assert (auditor.errors, auditor.fixes) == ([], [])
        space = document.modelspace()
        found = [
            (entity.get_xdata(APPLICATION)[0].value, squeezed(entity.plain_text()))
            for entity in space.query("TEXT")
            if entity.has_xdata(APPLICATION)
        ]
        (block,) = space.query("INSERT[name=='TITLE-BLOCK']")
        found += [
            (f"sheet.{one.dxf.tag.lower()}", squeezed(one.plain_text())) for one in block.attribs
        ]
        assert sorted(found) == sorted((key, squeezed(text)) for key, text in keyed(sheet))
        size = document.layout(sheet.number).dxf
        assert (size.paper_width, size.paper_height) == pytest.approx(sheet.paper[1:])


@pytest.mark.parametrize("name", CASES)
def test_values_are_the_results_of_the_design_and_of_its_workbook(name: str) -> None:
    found, issued = made(name)
    figures = json.loads(record_bytes(issued))["figures"]
    of_key: dict[str, set[str]] = {}
    for figure in figures:
        of_key.setdefault(figure["key"], set()).add(figure["value"])
    results = {key: value for key, value in found.all_results.items() if key in of_key}
    assert len(results) > 40
    assert not [
        key for key, value in results.items() if value.shown(issued.system) not in of_key[key]
    ]
    book = openpyxl.load_workbook(io.BytesIO(workbook_bytes(found)), read_only=True)
    rows = book[PROJECT_SHEET].iter_rows(min_row=2, min_col=4, max_col=6, values_only=True)
    stored = {key: (json.loads(str(value)), unit or "") for key, value, unit in rows if key}
    for key, value in results.items():
        plain = value.as_json()
        number, unit = (plain["value"], plain["unit"]) if isinstance(plain, dict) else (plain, "")
        assert stored[key] == (number, unit)
    assert {
        value for key, value in ((f["key"], f["value"]) for f in figures) if key == "sheet.hash"
    } == {found.sha256[:12]}
