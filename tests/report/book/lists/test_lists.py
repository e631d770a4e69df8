"""The flat lists of a design, and the workbooks that a large design is split into."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.io.safe_text import safe_text
from facility.files.workbook.split import lists_workbook, split_books, workbook_parts, write_split
from facility.files.workbook.verify import verify_workbook
from facility.files.workbook.writer import render
from facility.report.book.lists.book import LIST_CONTENTS, LIST_INDEX
from facility.report.book.lists.circuits import (
    ListedCircuit,
    circuits_sheet,
    listed_circuits,
    rack_circuits_sheet,
)
from facility.report.book.lists.labels import labels_sheet
from facility.report.sheet.model import Book
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from tests.cli.helpers import SMALL, one_error, run
from tests.report.book.hostile import HOSTILE
from tests.report.book.reading import rows_of, sheet_of
from tests.tools.libreoffice import convert_all
from tests.tools.workbooks import differences, error_cells, formula_count, poisoned, read_book

HEAD_ROW = 1
PLAIN = PageSetup("", "", "", False)
PROJECTS = ("mixed-hall", "iec-400", "hostile-names")


@pytest.fixture(scope="module")
def lists(designs: dict[str, Design]) -> dict[str, Book]:
    return {name: lists_workbook(designs[name]) for name in PROJECTS}


@pytest.fixture(scope="module")
def recalculated(
    lists: dict[str, Book], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Return the spoiled lists, recalculated in one start of LibreOffice."""
    folder = tmp_path_factory.mktemp("lists")
    sources = [folder / f"{name}.xlsx" for name in lists]
    for source in sources:
        source.write_bytes(render(poisoned(lists[source.stem])))
    return {path.stem: path for path in convert_all(sources, "xlsx", folder)}


def table(book: Book, name: str) -> list[dict[str, object]]:
    rows = rows_of(sheet_of(book, name), HEAD_ROW)
    return [{head: cell.value for head, cell in row.items()} for row in rows]


@pytest.mark.parametrize("name", PROJECTS)
def test_every_circuit_stands_once_with_the_engines_currents(
    name: str, designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    design, rows = designs[name], table(lists[name], "Circuits")
    ids = [c.id for p in design.panels.panels for c in p.circuits]
    assert Counter(row["Circuit"] for row in rows) == Counter(ids)
    feeders = {f.circuit.tag: f for f in design.distribution.feeders.feeders}
    states = {p.tag: p.states for p in design.panels.panels}
    for row in rows:
        feeder = feeders[str(row["Circuit"])]
        assert row["Trip A"] == feeder.circuit.breaker_a
        assert row["Length m"] == pytest.approx(feeder.length_m)
        assert row["Normal A"] == pytest.approx(feeder.normal_a, rel=1e-6)
        assert row["Failover state"] in states[str(row["Panel"])]


@pytest.mark.parametrize("name", PROJECTS)
def test_the_index_of_racks_agrees_both_ways(
    name: str, designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    forward = {
        (str(row["Circuit"]), str(row["Rack"])) for row in table(lists[name], "Racks by circuit")
    }
    backward = {
        (circuit, str(row["Rack"]))
        for row in table(lists[name], "Circuits by rack")
        for head, ids in row.items()
        if head.startswith("Feed ") and ids != "none"
        for circuit in str(ids).split(", ")
    }
    assert forward == backward
    racks = {c.rack for p in designs[name].panels.panels for c in p.circuits}
    assert {rack for _, rack in backward} == racks


def test_a_label_for_the_breaker_and_one_for_the_cord(
    designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    rows = table(lists["mixed-hall"], "Labels")
    panels = designs["mixed-hall"].panels.panels
    number = sum(len(p.circuits) for p in panels)
    counted = Counter(row["Label"] for row in rows)
    # one for each LV board and UPS output board; none for service equipment of unknown fault level
    equipment = designs["mixed-hall"].distribution.plan.network.equipment
    services = counted.pop("408.6")
    assert services == sum(one.kind in ("lv-board", "ups-output") for one in equipment)
    assert counted == {"panel": len(panels), "circuit": number, "cord": number}
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    assert rows[0]["Line 1"] == "PANEL RPP-A01"
    assert rows[0]["Line 2"] == "FED FROM UPO-A, breaker RPP-A01"
    first, second = rows[len(panels) + services :][:2]
    assert first["Circuit"] == second["Circuit"] == "RPP-A01-1"
    assert first["Line 1"] == "RPP-A01-1,3,5"
    assert first["Line 2"] == "TO NVL72 01 input A1"
    assert second["Line 1"] == "FED FROM RPP-A01-1,3,5"
    assert second["Line 3"] == "60 A 3P · 415Y/240 V"
    assert second["Line 4"] == "PARTNER RPP-B01-1"


def test_key_of_a_circuit_outlives_a_move(
    designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    """Rack, feed and input make the key; the identity names the pole that it stands on."""
    for name in PROJECTS:
        keys = [row["Key"] for row in table(lists[name], "Circuits")]
        assert len(set(keys)) == len(keys)
    row = table(lists["mixed-hall"], "Circuits")[1]
    assert (row["Key"], row["Circuit"]) == ("NVL72 01/A/2", "RPP-A01-2")
    assert row["Panel fed from"] == designs["mixed-hall"].panels.panels[0].fed_from
    moved = dataclasses.replace(
        next(listed_circuits(designs["mixed-hall"])).circuit, id="RPP-A01-9", position=9
    )
    one = next(listed_circuits(designs["mixed-hall"]))
    assert dataclasses.replace(one, circuit=moved).key == one.key == "NVL72 01/A/1"


@pytest.mark.parametrize(
    ("name", "sort"), [("mixed-hall", "IEC 60309 60A 4P5W 6h"), ("iec-400", "3P+N+E 6h")]
)
def test_every_circuit_has_receptacle_and_length(
    name: str, sort: str, lists: dict[str, Book]
) -> None:
    rows = table(lists[name], "Circuits")
    assert sort in str(rows[0]["Receptacle"])
    for row in rows:
        assert str(row["Receptacle"]).startswith(("IEC 60309", "NEMA "))
        assert float(str(row["Length m"])) > 0.0
        assert sorted(str(row["Bank on each pole"]).split(",")) == ["1", "2", "3"]


def test_purposes_tell_every_circuit_of_a_panel_from_the_others(designs: dict[str, Design]) -> None:
    """408.4(A): an approved degree of detail that distinguishes each circuit from all others."""
    for design in designs.values():
        for panel in design.panels.panels:
            texts = [c.description for c in panel.circuits if c.class_code != "SPARE"]
            assert len(set(texts)) == len(texts), panel.tag


def test_the_first_row_of_a_list_is_its_heading(lists: dict[str, Book]) -> None:
    for name in LIST_CONTENTS:
        if name != "Directories":
            sheet = sheet_of(lists["mixed-hall"], name)
            heads = [cell.style for (row, _), cell in sheet.cells.items() if row == 1]
            assert set(heads) == {"head"}
            assert sheet.page.repeat_rows == (1, 1)


def test_receptacles_count_every_circuit(
    designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    rows = table(lists["mixed-hall"], "Receptacles")
    circuits = [c for p in designs["mixed-hall"].panels.panels for c in p.circuits]
    assert rows[-1]["Number"] == len(circuits)
    assert sum(int(str(row["Number"])) for row in rows[:-1]) == len(circuits)


@pytest.mark.parametrize("name", PROJECTS)
def test_cable_schedule_has_every_circuit_of_the_network(
    name: str, designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    feeders = designs[name].distribution.feeders.feeders
    rows = table(lists[name], "Cables")
    assert [row["Circuit"] for row in rows] == [f.circuit.tag for f in feeders]
    metres = sum(
        f.length_m * f.choice.sets * f.circuit.runs * f.circuit.poles
        for f in feeders
        if f.choice is not None and f.length_m is not None
    )
    totals = table(lists[name], "Cable totals")
    assert sum(float(str(row["Line m"])) for row in totals) == pytest.approx(metres)
    for feeder, row in zip(feeders, rows, strict=True):
        if feeder.choice is None:
            assert row["Line conductor m"] is None


def test_directory_names_every_position_and_breaks_after_each_panel(
    designs: dict[str, Design], lists: dict[str, Book]
) -> None:
    sheet = sheet_of(lists["mixed-hall"], "Directories")
    panels = designs["mixed-hall"].panels.panels
    assert len(sheet.page.breaks) == len(panels) - 1
    labels = [
        str(cell.value)
        for (_, column), cell in sheet.cells.items()
        if column in (1, 3) and cell.style == "pckt"
    ]
    assert Counter(labels) == Counter(str(n) for p in panels for n in range(1, p.poles + 1))
    texts = Counter(str(cell.value) for cell in sheet.cells.values())
    assert texts["SPACE"] == sum(len(panel.spaces) for panel in panels)


def test_list_workbook_has_an_index_and_the_same_bytes(designs: dict[str, Design]) -> None:
    design = designs["iec-400"]
    content = render(lists_workbook(design))
    assert content == render(lists_workbook(design))
    read = read_book(content)
    assert read.sheetnames == [LIST_INDEX, *LIST_CONTENTS, "_project"]
    assert read["Directories"].row_breaks.count == 1


@pytest.mark.libreoffice
@pytest.mark.parametrize("name", PROJECTS)
def test_lists_are_recalculated_alike(
    name: str, lists: dict[str, Book], recalculated: dict[str, Path]
) -> None:
    converted = recalculated[name]
    assert formula_count(lists[name]) > 20
    assert error_cells(converted) == []
    assert differences(lists[name], converted) == []


def test_parts_hold_every_panel_once_by_room_and_side(designs: dict[str, Design]) -> None:
    for design in designs.values():
        parts = workbook_parts(design)
        panels = {panel.tag: panel for panel in design.panels.panels}
        assert sorted(tag for part in parts for tag in part.tags) == sorted(panels)
        for part in parts:
            assert len({(panels[tag].hall, panels[tag].side) for tag in part.tags}) == 1
            assert re.fullmatch(r"[^/\\:*?\"<>|\x00-\x1f]+\.xlsx", part.file)
        assert len({part.file.casefold() for part in parts}) == len(parts)


def test_a_side_of_more_than_150_panels_is_cut(designs: dict[str, Design]) -> None:
    design = designs["us-208-2n"]
    first = design.panels.panels[0]
    many = tuple(dataclasses.replace(first, tag=f"P{n:03d}") for n in range(301))
    large = dataclasses.replace(design, panels=dataclasses.replace(design.panels, panels=many))
    assert [len(part.tags) for part in workbook_parts(large)] == [150, 150, 1]
    assert len({part.file for part in workbook_parts(large)}) == 3


def test_split_workbooks_verify_and_refuse_to_overwrite(
    designs: dict[str, Design], tmp_path: Path
) -> None:
    design = designs["hostile-names"]
    folder = tmp_path / "books"
    written = write_split(design, folder)
    assert sorted(folder.iterdir()) == sorted(written)
    for path in (written[0], written[1]):
        assert verify_workbook(path).same
    first = [path.read_bytes() for path in written]
    with pytest.raises(FacilityError, match="FILE_EXISTS"):
        write_split(design, folder)
    assert [p.read_bytes() for p in write_split(design, folder, force=True)] == first


def test_index_names_the_workbook_of_each_panel(designs: dict[str, Design]) -> None:
    design = designs["mixed-hall"]
    (_, index), *parts = split_books(design)
    assert "Loads" not in {sheet.name for sheet in index.sheets}
    rows = [{h: c.value for h, c in row.items()} for row in rows_of(sheet_of(index, "Panels"), 4)]
    assert [row["Panel"] for row in rows] == [p.tag for p in design.panels.panels]
    holds = {
        sheet.name: file
        for file, book in parts
        for sheet in book.sheets
        if sheet.name.startswith("RPP-")
    }
    assert {row["Panel"]: row["Workbook"] for row in rows} == holds


@pytest.mark.libreoffice
def test_index_and_part_are_recalculated_alike(designs: dict[str, Design], tmp_path: Path) -> None:
    books = [book for _, book in list(split_books(designs["iec-400"]))[:2]]
    sources = [tmp_path / f"book{number}.xlsx" for number in range(2)]
    for source, book in zip(sources, books, strict=True):
        source.write_bytes(render(poisoned(book)))
    for book, converted in zip(books, convert_all(sources, "xlsx", tmp_path), strict=True):
        assert error_cells(converted) == []
        assert differences(book, converted) == []


def hostile_rows(design: Design) -> list[ListedCircuit]:
    """Return a circuit for each hostile text, with the text in every field of words."""
    one = next(listed_circuits(design))
    return [
        dataclasses.replace(
            one,
            cable=text,
            failover_state=text,
            panel=dataclasses.replace(one.panel, tag=text, hall=text, side=text, system=text),
            circuit=dataclasses.replace(
                one.circuit, id=text, description=text, rack=text, receptacle=text, partner=text
            ),
        )
        for text in HOSTILE
    ]


def test_hostile_text_in_every_field_stays_text(designs: dict[str, Design]) -> None:
    rows = hostile_rows(designs["mixed-hall"])
    assert len({text for text in HOSTILE if text.strip()}) >= 30
    sheets = (
        circuits_sheet("Circuits", rows, PLAIN),
        labels_sheet("Labels", rows, designs["mixed-hall"], PLAIN),
        rack_circuits_sheet("Racks", rows, PLAIN),
    )
    book = Book(sheets, {}, "", "", "", "", "", (1980, 1, 1), {})
    read = read_book(render(book))
    for sheet in sheets:
        for (row, column), cell in sheet.cells.items():
            if isinstance(cell.value, str) and cell.value:
                got = read[sheet.name].cell(row, column)
                assert got.data_type == "s"
                assert got.value == safe_text(cell.value)


@pytest.mark.parametrize("field", ["normal_va", "failover_va", "normal_a", "failover_a"])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused(
    field: str, number: float, designs: dict[str, Design]
) -> None:
    row = next(listed_circuits(designs["mixed-hall"]))
    wrong = ListedCircuit(
        **{f.name: getattr(row, f.name) for f in dataclasses.fields(row)} | {field: number}
    )
    with pytest.raises(FacilityError, match="NOT_FINITE"):
        circuits_sheet("Circuits", [wrong], PLAIN)


def test_export_writes_lists_and_split_workbooks(tmp_path: Path) -> None:
    lists_file, folder = tmp_path / "lists.xlsx", tmp_path / "books"
    ran = run("export", "xlsx", *SMALL, "--lists", "--out", lists_file)
    first = "Embedded example h100-10k: no project file was entered.\n"
    assert (ran.code, ran.err) == (0, f"{first}wrote {lists_file}\n")
    assert run("verify", lists_file).out.startswith("same: ")
    assert run("export", "xlsx", *SMALL, "--split", "--out", folder).code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert sum(name.endswith("-index.xlsx") for name in names) == 1
    assert len(names) > 1
    one_error(run("export", "xlsx", *SMALL, "--split", "--out", folder), "FILE_EXISTS", 6)
    one_error(run("export", "xlsx", *SMALL, "--split", "--lists"), "OPTIONS", 2)
