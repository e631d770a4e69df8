"""The Export page: every file of a design opens, and a workbook dropped is worked out again."""

from __future__ import annotations

import csv
import io
import zipfile
from functools import cache

import openpyxl
import pytest
from streamlit.testing.v1 import AppTest

from facility.cli.verbs.app import server_flags
from facility.core.errors import FacilityError
from facility.files.panel_csv.document import read_panel_csv
from facility.files.project.file import parse_project
from facility.files.workbook.book import workbook_book
from facility.files.workbook.verify import VerifyReport
from facility.files.workbook.writer import render
from facility.model.inputs.document import project_sha256
from facility.study.design.design import Design
from facility.ui.documents.documents import Document, documents_of
from facility.ui.documents.verified import verified
from tests.study.helpers import SHORTEST, design_of
from tests.ui.helpers import EXPORT, assert_sound, go, opened, press, upload

PLACE = ("site.station=phoenix",)


@cache
def documents() -> dict[str, Document]:
    found = documents_of(design_of(SHORTEST, *PLACE))
    return {one.key: one for group in found.values() for one in group}


@cache
def made(key: str) -> bytes:
    return documents()[key].make()


def files(key: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(made(key))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def found() -> Design:
    return design_of(SHORTEST, *PLACE)


@pytest.mark.parametrize(
    ("key", "sheet"), [("whole", "Cover"), ("hours", "Hours"), ("lists", "Circuits")]
)
def test_workbooks_open(key: str, sheet: str) -> None:
    names = openpyxl.load_workbook(io.BytesIO(made(key)), read_only=True).sheetnames
    assert sheet in names


def test_several_files_come_as_one_and_hold_what_they_say() -> None:
    rooms = files("rooms")
    assert len(rooms) > 1
    assert all(name.endswith(".xlsx") for name in rooms)
    assert all(text.startswith(b"<svg") for text in files("one-line").values())
    panels = files("panels-csv")
    tags = {read_panel_csv(text.decode(), name).tag for name, text in panels.items()}
    assert tags == {panel.tag for panel in found().panels.panels}
    lists = files("lists-csv")
    rows = list(csv.reader(io.StringIO(lists["Circuits.csv"].decode())))
    circuits = sum(len(panel.circuits) for panel in found().panels.panels)
    racks = sum(bool(c.rack) for panel in found().panels.panels for c in panel.circuits)
    assert racks <= sum(len(row) > 3 and bool(row[0]) for row in rows) <= circuits + 5
    assert not [name for name in lists if "project" in name]


def test_text_files_hold_hours_results_loops_and_project() -> None:
    hours = made("hours-csv").decode().splitlines()
    assert len(hours) == 8761
    rows = {row[0]: row for row in csv.reader(io.StringIO(made("results-csv").decode()))}
    value = found().all_results["pue.annual"]
    assert float(rows["pue.annual"][1]) == value.in_view()
    assert rows["load.it"][2] == "kW"
    assert len(rows) == len(found().all_results) + 1
    assert made("loops").startswith(b"<svg")
    assert project_sha256(parse_project(made("project-export"))) == found().sha256


def test_what_cannot_be_had_says_why() -> None:
    assert documents()["ranges"].missing.startswith("No input has a range")
    assert not documents()["hours"].missing


def test_a_workbook_is_the_same_or_says_where_it_differs() -> None:
    same = verified(made("whole"))
    assert isinstance(same, VerifyReport)
    assert same.same
    book = workbook_book(found())
    sheet = next(one for one in book.sheets if one.name == "Assumptions")
    place, cell = next((at, c) for at, c in sheet.cells.items() if isinstance(c.value, float))
    sheet.cells[place] = cell._replace(value=float(cell.value) + 1.0)
    other = verified(render(book))
    assert isinstance(other, VerifyReport)
    assert [d["sheet"] for d in other.differences] == ["Assumptions"]
    refused = verified(b"no workbook")
    assert isinstance(refused, FacilityError)


def page() -> AppTest:
    at = opened()
    upload(at, "short.yaml", SHORTEST.encode())
    go(at, EXPORT)
    assert_sound(at)
    return at


def test_the_page_offers_each_file_and_verifies_a_drop() -> None:
    at = page()
    keys = set(documents())
    offered = {button.key.removeprefix("export-") for button in at.get("download_button")}
    to_make = {one.key for one in at.button if (one.key or "").startswith("make-")}
    assert keys <= offered | {key.removeprefix("make-") for key in to_make}
    press(at, "make-lists")
    assert "export-lists" in {button.key for button in at.get("download_button")}
    assert not any(one.key == "make-lists" for one in at.button)
    uploader = next(one for one in at.file_uploader if one.key == "verify-file")
    uploader.set_value(("x.xlsx", b"no workbook", "application/zip")).run()
    assert_sound(at)
    assert any("Workbook not verified" in error.value for error in at.error)


def test_what_is_dropped_may_be_as_large_as_the_server_takes() -> None:
    flags = dict(flag.removeprefix("--").split("=", 1) for flag in server_flags())
    at = page()
    (dropped,) = at.file_uploader
    assert dropped.proto.max_upload_size_mb == int(flags["server.maxUploadSize"])


PLACED = (
    SHORTEST
    + """\
site: {place: Frankfurt, country: DE, elevation: 112 m, design_dry_bulb: 37 degC,
  design_wet_bulb: 24 degC, mean_dry_bulb: 11 degC, mean_wet_bulb: 8.4 degC}
"""
)


def test_without_a_record_the_reason_is_said_once_and_the_weather_is_that_stated() -> None:
    at = opened()
    upload(at, "placed.yaml", PLACED.encode())
    go(at, EXPORT)
    assert_sound(at)
    told = [text.value for text in at.text]
    assert sum("WEATHER_SITE" in text for text in told) == 1
    assert "Not available, for the same reason as Hourly values (.xlsx)." in told
    station = next(box for box in at.selectbox if box.label == "Weather station")
    assert station.options[0] == "as entered, no hourly record"


def test_what_is_issued_comes_with_its_parts() -> None:
    assert {"alerts.yml", "dashboard.json", "points.csv"} <= files("points").keys()
    pdf = [name for name in files("set") if name.endswith(".pdf")]
    assert len(pdf) == 1
    assert "set.json" in files("set")
