"""Every text field that reaches a workbook, with every hostile text, through project and export.

A text is refused with a coded error, or it stands in the workbook as the text that it is: cells of
texts are strings, and LibreOffice reads, recalculates and saves the book without touching them.
"""

from __future__ import annotations

import dataclasses
import io
import json
import math
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.io.safe_text import safe_text, utf16_units
from facility.files.panel_csv.document import read_panel_csv
from facility.files.project.file import parse_project
from facility.files.workbook.book import book_of
from facility.files.workbook.split import lists_workbook
from facility.files.workbook.writer import render
from facility.model.facility import Identity
from facility.model.inputs.document import document_problems, read_document
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.report.book.cover import CoverFacts, cover_sheet
from facility.report.book.panels.body import write_header
from facility.report.book.panels.loads import ScheduledPanel, loads_sheet
from facility.report.book.panels.places import PanelContext
from facility.report.book.panels.schedule import panel_sheet
from facility.report.sheet.entries import Entries, Reach
from facility.report.sheet.model import Book, Sheet
from facility.report.sheet.tables import PageSetup
from facility.report.tables.verdict import VerdictLine
from facility.study.design.design import Design, design
from tests.report.book.hostile import HOSTILE
from tests.report.book.reading import panel_inputs
from tests.tools.libreoffice import convert, convert_all
from tests.tools.workbooks import differences, error_cells, poisoned, read_book

PLAIN = PageSetup("", "", "", False)
REFUSALS = {"TEXT_CONTROL", "TEXT_EMPTY", "TEXT_TOO_LONG"}
Document = dict[str, Any]


def rack(**fields: Any) -> Document:
    return {
        "it": {
            "halls": [
                {
                    "name": "Hall",
                    "racks": [{"name": "R", "devices": [{"model": "DGX H100"}]} | fields],
                }
            ]
        }
    }


FIELDS: dict[str, Callable[[str], Document]] = {
    "project.name": lambda t: {"project": {"name": t}},
    "project.number": lambda t: {"project": {"number": t}},
    "project.title": lambda t: {"project": {"title": t}},
    "project.company": lambda t: {"project": {"company": t}},
    "project.originator": lambda t: {"project": {"originator": t}},
    "project.checker": lambda t: {"project": {"checker": t}},
    "revisions.rev": lambda t: revision(rev=t),
    "revisions.by": lambda t: revision(by=t),
    "revisions.checked": lambda t: revision(checked=t),
    "revisions.description": lambda t: revision(description=t),
    "site.place": lambda t: {"site": {"place": t}},
    "hall name": lambda t: {
        "it": {"halls": [{"name": t, "racks": [{"name": "R", "devices": [{"model": "DGX H100"}]}]}]}
    },
    "rack name": lambda t: rack(name=t),
    "device model": lambda t: rack(devices=[{"model": t}]),
    "circuit rack_pdu": lambda t: rack(circuits=[{"feed": "A", "rack_pdu": t}]),
    "cords rack_pdu": lambda t: {"it": {"cords": {"rack_pdu": t}}},
    "feed": lambda t: {"power": {"feeds": ["A", t]}},
    "ups model": lambda t: {"power": {"ups": {"model": t}}},
    "battery model": lambda t: {"power": {"battery": {"model": t}}},
    "generator model": lambda t: {"power": {"generator": {"model": t}}},
    "cdu model": lambda t: {"cooling": {"cdu": {"model": t}}},
    "board tag": lambda t: {"panels": {"boards": [{"tag": t}]}},
    "stated description": lambda t: stated(description=t),
    "stated rack": lambda t: stated(rack=t),
    "stated group": lambda t: stated(together=t, apart=t),
}


def revision(**fields: str) -> Document:
    given = {"rev": "0", "date": "2026-01-31", "by": "somebody"} | fields
    return {"project": {"revisions": [given]}}


def stated(**fields: str) -> Document:
    return {"panels": {"boards": [{"tag": "RPP-A01", "circuits": [{"rack": "R"} | fields]}]}}


def printable(text: str) -> bool:
    """Return whether a field of one line takes the text."""
    clean = text.strip()
    return (
        len(clean) >= 1
        and len(text) <= 64
        and not document_problems({"schema_version": 1, "project": {"name": text}})
    )


PRINTABLE = tuple(dict.fromkeys(t.strip() for t in HOSTILE if printable(t)))


def test_enough_texts_are_hostile_and_printable() -> None:
    assert len(HOSTILE) >= 50
    assert len(PRINTABLE) >= 30


@pytest.mark.parametrize("field", FIELDS)
def test_a_project_takes_a_text_as_it_is_or_refuses_it_with_a_code(field: str) -> None:
    taken = 0
    for text in HOSTILE:
        document = {"schema_version": 1} | FIELDS[field](text)
        problems = document_problems(document)
        if problems:
            assert {p.code for p in problems} <= REFUSALS | {"CONTRADICTION"}, (field, text[:40])
            continue
        project = read_document(document)
        dumped = json.dumps(project.model_dump(mode="json", exclude_unset=True))
        assert json.dumps(text.strip())[1:-1] in dumped
        taken += 1
    assert taken >= 30


def strings_kept(book: Book, read: openpyxl.Workbook) -> int:
    """Return how many cells of texts there are; each must be a string with the very text."""
    count = 0
    for sheet in book.sheets:
        target = read[sheet.name]
        for (row, column), cell in sheet.cells.items():
            if isinstance(cell.value, str) and cell.value and not cell.formula:
                got = target.cell(row, column)
                assert got.data_type == "s", (sheet.name, row, column, cell.value[:60])
                assert got.value == safe_text(cell.value)
                count += 1
            assert bool(cell.formula) == (target.cell(row, column).data_type == "f")
    return count


def nothing_leads_outside(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            assert not name.startswith(("xl/externalLinks", "xl/vba"))
            assert "rels" not in name or b'TargetMode="External"' not in archive.read(name)


def identity_book(texts: Sequence[str], every: int = 1) -> Book:
    """A cover for `every` nth text, which stands in every word of it, and panel pages by fours.

    The settings and the revision records hold all texts, whatever `every` is.
    """
    panel = read_panel_csv(csv_text({}, {"poles": "6"}))
    scheduled = ScheduledPanel(panel, panel_loads(panel))
    entries = Entries()
    for path, text in (
        ("criteria.continuous_factor", texts[0]),
        ("panels.imbalance_limit", texts[1]),
    ):
        entries.cite(path, text, 1.25, "ratio", Reach.LOAD)
    for number, text in enumerate(texts):
        entries.cite(f"it.devices.{number}.power", text, 1.25, "ratio", Reach.LOAD)
    inputs, names = entries.sheet(PLAIN)
    loads, at = loads_sheet("Loads", [scheduled], 1.25, PLAIN)
    sheets: list[Sheet] = [inputs, loads]
    for number, text in enumerate(texts):
        lines = tuple((t, t, f"{t} (checked {t})", t) for t in texts[number : number + 4])
        identity = Identity(text, text, text, "PRELIMINARY", text, text, lines, text)
        edges = PageSetup(text, text, text, False)
        line = VerdictLine(text, "met", text, required=True)
        facts = CoverFacts(identity, text, text, 0, (), text, (line,))
        if number % every == 0:
            sheets.append(cover_sheet(f"Cover {number}", facts, (), (), edges))
        if number % 4 == 0:
            context = PanelContext(text, text, 60.0, 1.25, 1.25, lines, text, text, edges)
            sheets.append(panel_sheet(f"Panel {number}", scheduled, at, context)[0])
    first = texts[0]
    return Book(
        tuple(sheets), names, first, first, first, first, first, (1980, 1, 1), {"input": first}
    )


def test_identity_of_a_project_stays_text_wherever_it_stands() -> None:
    book = identity_book(HOSTILE)
    content = render(book)
    nothing_leads_outside(content)
    assert strings_kept(book, read_book(content)) > 20 * len(HOSTILE)


@pytest.mark.libreoffice
def test_identity_of_a_project_survives_another_program(tmp_path: Path) -> None:
    book = identity_book([text for text in HOSTILE if len(text) < 200], every=4)
    (tmp_path / "book.xlsx").write_bytes(render(poisoned(book)))
    converted = convert(tmp_path / "book.xlsx", "xlsx", tmp_path)
    assert error_cells(converted) == []
    assert differences(book, converted) == []


def names_project() -> str:
    """A project in which each printable text names a hall, its rack, its device and its circuit."""
    halls, devices, boards = [], [], []
    for number, text in enumerate(PRINTABLE, start=1):
        said = {"rack": text, "description": f"{text}!", "together": text, "apart": text}
        boards.append({"tag": f"RPP-A{number:02d}", "circuits": [said]})
        devices.append(
            {
                "model": f"{text}#",
                "category": "server",
                "maximum_power": "4 kW",
                "rack_units": 8,
                "airflow": "500 cfm",
                "supplies": {"count": 2},
            }
        )
        racks = [{"name": text, "devices": [{"model": f"{text}#"}]}]
        halls.append({"name": text, "racks": racks})
    project = {"name": PRINTABLE[0], "title": PRINTABLE[1]}
    return json.dumps(
        {
            "schema_version": 1,
            "project": project,
            "it": {"halls": halls, "devices": devices},
            "power": {"redundancy": "2N"},
            "cooling": {"method": "air"},
            "panels": {"boards": boards},
        }
    )


@pytest.fixture(scope="module")
def named() -> Design:
    return design(parse_project(names_project(), "names.json"))


@pytest.fixture(scope="module")
def named_books(named: Design) -> dict[str, Book]:
    return {
        "workbook": book_of(named, [named.panels.panels[0].tag]),
        "lists": lists_workbook(named),
    }


@pytest.mark.parametrize("kind", ["workbook", "lists"])
def test_names_of_a_design_stay_text(
    kind: str, named: Design, named_books: dict[str, Book]
) -> None:
    book = named_books[kind]
    content = render(book)
    nothing_leads_outside(content)
    assert strings_kept(book, read_book(content)) > 500
    shown = {str(cell.value) for sheet in book.sheets for cell in sheet.cells.values()}
    for text in PRINTABLE:
        assert any(text in one for one in shown), text
        assert f"{text}!" in shown
    assert len({panel.hall for panel in named.panels.panels}) == len(PRINTABLE)


@pytest.mark.libreoffice
def test_names_of_a_design_survive_another_program(
    named_books: dict[str, Book], tmp_path: Path
) -> None:
    sources = [tmp_path / f"{kind}.xlsx" for kind in named_books]
    for source, book in zip(sources, named_books.values(), strict=True):
        source.write_bytes(render(poisoned(book)))
    read = convert_all(sources, "xlsx", tmp_path)
    for converted, book in zip(read, named_books.values(), strict=True):
        assert error_cells(converted) == []
        assert differences(book, converted) == []


COLUMNS = ("id", "description", "rack", "partner", "together", "apart")
HEAD_KEYS = ("panel", "hall", "side", "fed from")
CSV_REFUSALS = {
    "FILE_NOT_TEXT",
    "PANEL_CSV_CELL",
    "PANEL_CSV_HEADER",
    "PANEL_CSV_ROW",
    "PANEL_CSV_COLUMN",
    "FILE_TOO_LARGE",
    "NOT_A_NUMBER",
}


def csv_text(cells: dict[str, str], head: dict[str, str]) -> str:
    keys = {"panel": "P", "system": "208Y/120", "poles": "42", "bus": "100 A"} | head
    comment = "# " + "; ".join(f"{key}: {value}" for key, value in keys.items())
    row = {
        "description": "Load",
        "poles": "1",
        "va": "500",
        "pf": "1",
        "breaker_a": "20",
        "position": "1",
        "fixed": "no",
    } | cells
    quoted = ",".join('"' + value.replace('"', '""') + '"' for value in row.values())
    return f"{comment}\n{','.join(row)}\n{quoted}\n"


def read_or_code(text: str) -> Panel | str:
    try:
        return read_panel_csv(text, "panel.csv")
    except FacilityError as refused:
        return refused.code


def panels_of(column: str) -> list[Panel]:
    """Return the panels that a CSV with each hostile text in one of its texts is read as."""
    cells = [({column: t}, {}) if column in COLUMNS else ({}, {column: t}) for t in HOSTILE]
    found = [read_or_code(csv_text(*one)) for one in cells]
    assert {code for code in found if isinstance(code, str)} <= CSV_REFUSALS
    return [panel for panel in found if isinstance(panel, Panel)]


@pytest.mark.parametrize("column", [*COLUMNS, *HEAD_KEYS])
def test_a_panel_csv_takes_a_text_or_refuses_it_with_a_code(column: str) -> None:
    assert len(panels_of(column)) >= 20


def csv_book(heads: Sequence[Panel]) -> Book:
    """Panels whose circuits bear all texts that a CSV takes, and the heads of `heads`."""
    circuits = [panel.circuits[0] for column in COLUMNS for panel in panels_of(column)]
    large = [
        dataclasses.replace(
            panels_of("id")[0],
            tag=f"LP-{first}",
            poles=84,
            circuits=tuple(
                dataclasses.replace(
                    circuit, id=f"{n} {circuit.id}", position=n + 1, power_va=circuit.power_va[:1]
                )
                for n, circuit in enumerate(circuits[first : first + 84])
            ),
        )
        for first in range(0, len(circuits), 84)
    ]
    inputs, names = panel_inputs(PLAIN)
    scheduled = [ScheduledPanel(panel, panel_loads(panel)) for panel in large]
    loads, at = loads_sheet("Loads", scheduled, 1.25, PLAIN)
    context = PanelContext("NEC 2023", "A", 60.0, 1.25, 0.1, (), "", "facility", PLAIN)
    pages = [panel_sheet(f"P{n}", one, at, context)[0] for n, one in enumerate(scheduled)]
    for n, panel in enumerate(heads):
        pages.append(Sheet(f"Head {n}"))
        write_header(pages[-1], panel, context)
    return Book((inputs, loads, *pages), names, "", "", "", "", "", (1980, 1, 1), {})


def test_texts_of_a_panel_csv_stay_text() -> None:
    book = csv_book([panel for key in HEAD_KEYS for panel in panels_of(key)])
    read = read_book(render(book))
    assert strings_kept(book, read) > 20 * len(HOSTILE)


@pytest.mark.libreoffice
def test_texts_of_a_panel_csv_survive_another_program(tmp_path: Path) -> None:
    book = csv_book([])
    (tmp_path / "book.xlsx").write_bytes(render(poisoned(book)))
    converted = convert(tmp_path / "book.xlsx", "xlsx", tmp_path)
    assert error_cells(converted) == []
    assert differences(book, converted) == []


def test_a_text_too_long_for_a_cell_is_cut_and_says_so() -> None:
    sheet = Sheet("S")
    for row, text in enumerate(("x" * 32_767, "x" * 32_768, "😀" * 16_384), start=1):
        sheet.put(row, 1, text, "cell")
    book = Book((sheet,), {}, "", "", "", "", "", (1980, 1, 1), {})
    read = read_book(render(book))["S"]
    assert read["A1"].value == "x" * 32_767
    for cell in (read["A2"], read["A3"]):
        assert str(cell.value).endswith("[cut: too long for a cell]")
        assert utf16_units(str(cell.value)) <= 32_767


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("column", ["va", "pf", "breaker_a", "va_b"])
def test_a_panel_csv_refuses_what_is_no_finite_number(column: str, number: float) -> None:
    with pytest.raises(FacilityError) as refused:
        read_panel_csv(csv_text({column: str(number)}, {}))
    assert refused.value.code in CSV_REFUSALS
