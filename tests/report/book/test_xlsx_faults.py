"""A workbook has none of the faults for which Excel offers a repair; other programs read it.

Each fault is one test of the parts of the file: names, tables, merged cells, formulas, validation,
links, texts.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from openpyxl.utils.cell import get_column_letter
from openpyxl.worksheet.cell_range import CellRange

from facility.files.workbook.book import workbook_bytes
from facility.study.design.design import Design
from tests.tools.workbooks import read_book

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}\d{1,7}|[RrCc]\d*([Cc]\d*)?")
NAME = re.compile(r"[A-Za-z_\\][A-Za-z0-9_.\\]{0,254}")
PROJECTS = ("us-208-2n", "iec-400", "hostile-names", "mixed-hall")
Parts = dict[str, ElementTree.Element]


@pytest.fixture(scope="module", params=PROJECTS)
def parts(request: pytest.FixtureRequest, designs: dict[str, Design]) -> Parts:
    content = workbook_bytes(designs[request.param])
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        return {
            name: ElementTree.fromstring(book.read(name))
            for name in book.namelist()
            if name.endswith((".xml", ".rels"))
        }


def sheets(parts: Parts) -> Iterator[tuple[str, ElementTree.Element]]:
    yield from ((n, p) for n, p in parts.items() if n.startswith("xl/worksheets/sheet"))


def tables(parts: Parts) -> list[ElementTree.Element]:
    return [part for name, part in parts.items() if name.startswith("xl/tables/")]


def relations(parts: Parts, name: str) -> list[ElementTree.Element]:
    """Return the relations of a sheet to other parts."""
    return list(parts.get(name.replace("worksheets/", "worksheets/_rels/") + ".rels", ()))


def apart(one: str, other: str) -> bool:
    return bool(CellRange(one).isdisjoint(CellRange(other)))


def test_sheet_names(parts: Parts) -> None:
    names = [one.get("name", "") for one in parts["xl/workbook.xml"].iter(f"{MAIN}sheet")]
    assert max(Counter(name.casefold() for name in names).values()) == 1
    for name in names:
        assert 0 < len(name.encode("utf-16-le")) // 2 <= 31
        assert not re.search(r"[\[\]:*?/\\]", name)
        assert not name.startswith("'")
        assert not name.endswith("'")
        assert name.casefold() != "history"


def test_defined_names(parts: Parts) -> None:
    book = parts["xl/workbook.xml"]
    sheet_names = {one.get("name", "") for one in book.iter(f"{MAIN}sheet")}
    own = [
        one
        for one in book.iter(f"{MAIN}definedName")
        if not one.get("name", "").startswith("_xlnm.")
    ]
    names = [one.get("name", "") for one in own]
    table_names = [one.get("displayName", "") for one in tables(parts)]
    together = Counter(name.casefold() for name in [*names, *table_names])
    assert max(together.values()) == 1, together.most_common(3)
    for name in [*names, *table_names]:
        assert NAME.fullmatch(name), name
        assert not LIKE_A_CELL.fullmatch(name), name
    for one in own:
        sheet = (one.text or "").rpartition("!")[0].strip("'").replace("''", "'")
        assert sheet in sheet_names, one.text


def test_tables(parts: Parts) -> None:
    found = tables(parts)
    assert len(found) >= 3
    assert len({one.get("id") for one in found}) == len(found)
    for one in found:
        heads = [column.get("name", "") for column in one.iter(f"{MAIN}tableColumn")]
        assert all(heads)
        assert max(Counter(head.casefold() for head in heads).values()) == 1
        span = CellRange(one.get("ref", ""))
        assert span.max_col - span.min_col + 1 == len(heads)
        assert span.max_row > span.min_row


def test_tables_merged_cells_and_filters_do_not_overlap(parts: Parts) -> None:
    by_target = {f"xl/tables/table{one.get('id')}.xml": one for one in tables(parts)}
    for name, sheet in sheets(parts):
        rels = relations(parts, name)
        targets = [rel.get("Target", "").replace("../", "xl/") for rel in rels]
        spans = [by_target[target].get("ref", "") for target in targets if target in by_target]
        spans += [one.get("ref", "") for one in sheet.iter(f"{MAIN}mergeCell")]
        spans += [one.get("ref", "") for one in sheet.findall(f"{MAIN}autoFilter")]
        for one, other in combinations(spans, 2):
            assert apart(one, other), (name, one, other)


def test_table_headings_are_the_texts_of_their_cells(parts: Parts) -> None:
    texts = [
        "".join(text.text or "" for text in one.iter(f"{MAIN}t"))
        for one in parts["xl/sharedStrings.xml"].iter(f"{MAIN}si")
    ]
    by_target = {f"xl/tables/table{one.get('id')}.xml": one for one in tables(parts)}
    for name, sheet in sheets(parts):
        cells = {cell.get("r"): cell for cell in sheet.iter(f"{MAIN}c")}
        rels = relations(parts, name)
        for rel in rels:
            table = by_target.get(rel.get("Target", "").replace("../", "xl/"))
            if table is None:
                continue
            span = CellRange(table.get("ref", ""))
            for offset, column in enumerate(table.iter(f"{MAIN}tableColumn")):
                cell = cells[f"{get_column_letter(span.min_col + offset)}{span.min_row}"]
                assert cell.get("t") == "s"
                assert cell.find(f"{MAIN}f") is None
                value = cell.find(f"{MAIN}v")
                assert value is not None
                shown = (column.get("name") or "").replace("_x000a_", "\n")
                assert texts[int(value.text or "")] == shown


def test_formulas_texts_and_rules(parts: Parts) -> None:
    for name, sheet in sheets(parts):
        for one in sheet.iter(f"{MAIN}f"):
            assert 0 < len(one.text or "") <= 8_192, name
            assert all(len(text) <= 255 for text in re.findall(r'"((?:[^"]|"")*)"', one.text or ""))
        for one in sheet.iter(f"{MAIN}dataValidation"):
            assert len(one.get("error") or "") <= 255
            assert len(one.get("errorTitle") or "") <= 32
            listed = one.find(f"{MAIN}formula1")
            assert listed is not None
            assert len(listed.text or "") <= 255
        breaks = sheet.find(f"{MAIN}rowBreaks")
        assert breaks is None or len(list(breaks)) <= 1_023
        addresses = [cell.get("r") for cell in sheet.iter(f"{MAIN}c")]
        assert len(addresses) == len(set(addresses))
    for one in parts["xl/sharedStrings.xml"].iter(f"{MAIN}t"):
        assert len(one.text or "") <= 32_767
    formats = parts["xl/styles.xml"].find(f"{MAIN}cellXfs")
    assert formats is not None
    assert len(list(formats)) < 64_000


def test_links_lead_to_cells_of_the_workbook(parts: Parts) -> None:
    names = {one.get("name", "") for one in parts["xl/workbook.xml"].iter(f"{MAIN}sheet")}
    for _, sheet in sheets(parts):
        for one in sheet.iter(f"{MAIN}hyperlink"):
            target = (one.get("location") or "").rpartition("!")[0].strip("'").replace("''", "'")
            assert target in names


def test_openpyxl_and_pandas_read_the_tables(designs: dict[str, Design], tmp_path: Path) -> None:
    content = workbook_bytes(designs["us-208-2n"])
    assert content == workbook_bytes(designs["us-208-2n"])
    book = read_book(content)
    assert "Input_Cells" in book["Inputs"].tables
    frame = pd.read_excel(io.BytesIO(content), sheet_name="Inputs", header=3, engine="openpyxl")
    assert list(frame["Cell name"])[:2] == ["it_demand_factor", "it_diversity"]
    loads = pd.read_excel(io.BytesIO(content), sheet_name="Loads", header=4, engine="openpyxl")
    assert loads.columns.is_unique
