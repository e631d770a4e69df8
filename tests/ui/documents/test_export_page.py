"""Documents: the set is previewed, issued and downloaded; other files open."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from functools import cache
from typing import Any, cast

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
from facility.study.studies import PARTS
from facility.ui.documents import issue
from facility.ui.documents.issue import next_mark
from facility.ui.downloads.documents import Document, documents_of
from facility.ui.downloads.sheets import chosen_files, listed_sheets, one_document, set_archive
from facility.ui.downloads.verified import verified
from facility.ui.work import runs
from facility.ui.work.jobs import Key, result_of
from facility.ui.work.known import known
from facility.ui.work.pool import Holder, State, Work
from facility.ui.work.progress import RunProgress
from facility.ui.work.runs import Run
from tests.study.helpers import SHORTEST, design_of
from tests.ui.helpers import (
    EXPORT,
    SUMMARY,
    assert_sound,
    errors,
    go,
    opened,
    press,
    session,
    upload,
)

PLACE = ("site.station=phoenix",)


@cache
def documents() -> dict[str, Document]:
    return {one.key: one for one in documents_of(design_of(SHORTEST, *PLACE))}


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
    panels = files("panels-csv")
    tags = {read_panel_csv(text.decode(), name).tag for name, text in panels.items()}
    assert tags == {panel.tag for panel in found().panels.panels}
    lists = files("lists-csv")
    rows = list(csv.reader(io.StringIO(lists["Circuits.csv"].decode())))
    circuits = sum(len(panel.circuits) for panel in found().panels.panels)
    racks = sum(bool(c.rack) for panel in found().panels.panels for c in panel.circuits)
    assert racks <= sum(len(row) > 3 and bool(row[0]) for row in rows) <= circuits + 5
    assert not [name for name in lists if "project" in name]


def test_text_files_hold_hours_results_and_project() -> None:
    hours = made("hours-csv").decode().splitlines()
    assert len(hours) == 8761
    rows = {row[0]: row for row in csv.reader(io.StringIO(made("results-csv").decode()))}
    value = found().all_results["pue.annual"]
    assert float(rows["pue.annual"][1]) == value.in_view()
    assert rows["load.it"][2] == "kW"
    assert len(rows) == len(found().all_results) + 1
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
    included = {(one.key or "").removeprefix("include-") for one in at.sidebar.checkbox}
    assert set(documents()) <= included
    assert {"Cover", "One-line diagram", "Calculation package"} <= included
    press(at, "show-lists")
    assert "export-lists" in {button.key for button in at.get("download_button")}
    uploader = next(one for one in at.file_uploader if one.key == "verify-file")
    uploader.set_value(("x.xlsx", b"no workbook", "application/zip")).run()
    assert_sound(at)
    assert any("Workbook not verified" in error for error in errors(at))


def offered(at: AppTest, key: str) -> Any:
    """Return the download button with a key."""
    (found,) = (one for one in at.get("download_button") if one.key == key)
    return found


def shown_svg(at: AppTest) -> str:
    """Return the sheet that the page shows."""
    (images,) = at.get("image")
    (image,) = images.proto.imgs
    return base64.b64decode(image.url.partition("base64,")[2]).decode()


def test_pages_are_turned_one_by_one() -> None:
    at = page()
    first = shown_svg(at)
    assert first.startswith("<svg")
    press(at, "show-Calculation package")
    second = shown_svg(at)
    assert "G-101" in second
    press(at, "page-right")
    assert "G-102" in shown_svg(at)
    press(at, "page-left")
    assert shown_svg(at) == second
    assert at.button(key="page-left").disabled


def test_user_text_in_a_page_stays_text() -> None:
    at = page()
    hostile = "<script>alert(1)</script>"
    next(box for box in at.text_input if box.label == "Title").set_value(hostile).run()
    press(at, "show-Cover")
    assert "&lt;script&gt;" in shown_svg(at)
    assert "<script" not in shown_svg(at)


def test_a_revision_is_issued_with_the_chosen_documents() -> None:
    at = page()
    button = offered(at, "issue-now")
    assert button.label == "Issue and download the set"
    assert button.disabled
    reason = "Enter the originator first: each revision states who issued it."
    assert reason in [text.value for text in at.text]
    next(box for box in at.text_input if box.label == "Originator").set_value("A. Engineer").run()
    at.text_input(key="issue-description").set_value("For review").run()
    for box in at.sidebar.checkbox:
        if not box.disabled and box.key not in (
            "include-Cover",
            "include-One-line diagram",
            "include-project-export",
        ):
            box.uncheck()
    at.run()
    assert_sound(at)
    offered(at, "issue-now").click().run()
    assert_sound(at)
    (revision,) = session(at).project.project.revisions or ()
    assert (revision.rev, revision.by, revision.description) == ("A", "A. Engineer", "For review")
    assert not at.error
    text = at.session_state["issue-texts"].get_nowait()  # of which the browser receives the set
    assert parse_project(text, "issued") == session(at).project
    assert "Issue revision B" in [one.value for one in at.subheader]
    options = ("si", json.dumps(["One-line diagram", "Cover"]), json.dumps(["project-export"]))
    content = cast(bytes, runs.ask("set", text, options)._work.found.whole)  # as made here
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        record = json.loads(archive.read("set.json"))
        drawing = archive.read("dxf/E-101.dxf").decode()
        (stated,) = [archive.read(name).decode() for name in names if name.endswith(".yaml")]
    assert [name for name in names if name.endswith("-A.pdf")]
    assert (record["revision"], record["date"]) == ("A", revision.date)
    assert re.search(r"^ *1\r?\nA\r?$", drawing, re.MULTILINE)
    assert parse_project(stated) == session(at).project


def test_counts_are_shown_when_every_study_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page()
    waiting = "Counts follow when the studies are done."
    assert waiting not in [text.value for text in at.text]
    run = Run(Work(0, Key("year", "")), None, Holder(""))
    monkeypatch.setattr(issue, "known", lambda: replace(known(), going={"year": run}))
    at.run()
    assert_sound(at)
    assert waiting in [text.value for text in at.text]


def test_no_set_is_created_before_its_sheets_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page()
    next(box for box in at.text_input if box.label == "Originator").set_value("A. Engineer").run()
    keys = ("issue-now", "issue-not")
    assert not any(offered(at, key).disabled for key in keys)
    monkeypatch.setattr("facility.ui.documents.page._listed", lambda first: ())
    at.run()
    assert_sound(at)
    assert "Available when the sheets are laid out." in [text.value for text in at.text]
    assert all(offered(at, key).disabled for key in keys)


def test_a_revision_is_recorded_when_its_set_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page()
    next(box for box in at.text_input if box.label == "Originator").set_value("A. Engineer").run()
    before, standing, here = session(at).project, list[State](["running"]), runs._here
    monkeypatch.setattr(
        runs, "_here", lambda key: Work(0, key, standing[-1]) if key.job == "set" else here(key)
    )
    offered(at, "issue-now").click().run()
    assert_sound(at)
    assert session(at).project == before
    assert "Issuing revision A" in [one.value for one in at.subheader]
    assert offered(at, "issue-now").disabled
    standing.append("cancelled")
    at.run()
    assert session(at).project == before
    assert errors(at) == ["Not issued: RUN_CANCELLED"]
    assert "Issue revision A" in [one.value for one in at.subheader]
    assert not offered(at, "issue-now").disabled


def test_a_set_of_some_contents_keeps_the_numbers_of_its_sheets() -> None:
    written = chosen_files(found(), "si", ("Feeder and cable schedule",), ("svg",))
    numbers = [name for name in written if name.endswith(".svg")]
    assert any("E-2" in name for name in numbers)
    assert not any("G-1" in name or "E-1" in name for name in numbers)
    whole = {number for one in listed_sheets(found(), "si") for number in one.numbers}
    assert {name.removeprefix("svg/").removesuffix(".svg") for name in numbers} <= whole
    alone = one_document(found(), "si", ("One-line diagram",), "pdf")
    assert alone.startswith(b"%PDF")


def test_a_project_without_a_name_is_filed_by_its_title() -> None:
    design = design_of(SHORTEST, "project.title=256 B200 SXM")
    assert {one.name.startswith("256 B200 SXM") for one in documents_of(design)} == {True}
    written = json.loads(chosen_files(design, "si", ("Cover",), ("json",))["set.json"])
    assert written["project"]["name"] == "256 B200 SXM"
    assert "Unnamed" not in json.dumps(written)


def test_the_next_revision_follows_the_last_mark() -> None:
    assert [next_mark(one) for one in ([], ["A"], ["A", "B"], ["1"], ["Z"])] == [
        "A", "B", "C", "2", "Z1",
    ]  # fmt: skip


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


def test_without_a_record_the_reason_is_said_and_the_weather_is_that_stated() -> None:
    at = opened()
    upload(at, "placed.yaml", PLACED.encode())
    go(at, EXPORT)
    assert_sound(at)
    press(at, "show-hours")
    assert sum("WEATHER_SITE" in text.value for text in at.text) == 1
    assert at.checkbox(key="include-hours").disabled
    go(at, SUMMARY)
    station = next(box for box in at.selectbox if box.label.startswith("Weather station"))
    assert (station.options[0], station.value) == ("Automatic", "")


def test_what_is_issued_comes_with_its_parts() -> None:
    assert {"alerts.yml", "dashboard.json", "points.csv"} <= files("points").keys()
    others = (("project.yaml", made("project-export")),)
    with zipfile.ZipFile(
        io.BytesIO(set_archive(found(), "si", ("One-line diagram",), others))
    ) as one:
        names = one.namelist()
    assert len([name for name in names if name.endswith(".pdf")]) == 1
    assert {"set.json", "project.yaml"} <= set(names)


def test_the_progress_of_a_set_counts_studies_files_and_documents() -> None:
    told: list[RunProgress] = []
    options = ("si", json.dumps(["Cover", "One-line diagram"]), json.dumps(["project-export"]))
    result_of(found, Key("set", "", options), told.append)
    assert [one.what for one in told if one.what.startswith("studies")] == [
        f"studies, {name}" for name in PARTS
    ]
    assert RunProgress(0, 1, "files, Project file (.yaml)") in told
    assert RunProgress(0, 2, "documents, One-line diagram") in told
    assert RunProgress(1, 2, "documents, DXF, E-101") in told
    assert all(one.done < one.whole for one in told if one.whole)
