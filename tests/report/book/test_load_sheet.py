"""The sheet Load that moves: its storage is live and that of the study; else it says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from facility.core.table import Value
from facility.files.project.file import apply_sets, parse_project
from facility.files.workbook.book import workbook_book, write_workbook
from facility.report.sheet.model import Book
from facility.study.design.design import Design, design
from tests.report.book.reading import heading_row, labels_of, rows_of, sheet_of
from tests.study.helpers import SHORTEST
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import read_book

LABELS = {
    "Storage power": ("swing.storage.power", 1e3),
    "Storage energy, usable": ("swing.storage.energy", 3.6e6),
    "Storage energy, nominal": ("swing.storage.nominal", 3.6e6),
    "Storage duration (usable energy / power)": ("swing.storage.duration", 1.0),
}


@pytest.fixture(scope="module")
def found() -> Design:
    return design(apply_sets(parse_project(SHORTEST), ("site.grid.ramp_limit=1 kW/s",)))


def _results(found: Design) -> dict[str, Value]:
    assert found.moving_load.study is not None
    return found.moving_load.study.results


def test_the_storage_follows_live_from_swing_and_ramp(found: Design, book: Book) -> None:
    sheet, results = sheet_of(book, "Dynamic load"), _results(found)
    rows = labels_of(sheet)
    for label, (key, factor) in LABELS.items():
        cell = sheet.cells[rows[label], 2]
        assert cell.formula, label
        assert cell.value == pytest.approx(float(results[key].si) / factor)
    verdicts = {row["Load at the utility"].value: row for row in rows_of(
        sheet, heading_row(sheet, "Load at the utility")
    )}  # fmt: skip
    assert verdicts["ramp"]["Verdict without storage"].value == "exceeded"
    assert verdicts["ramp"]["Verdict with storage"].value == "within limit"


def test_the_scene_is_drawn(found: Design, book: Book) -> None:
    sheet = sheet_of(book, "Dynamic load")
    (chart,) = sheet.charts
    # A page ends below the tables; the chart stands above them, whole.
    assert chart.row < heading_row(sheet, "Load at the utility") - 20
    assert sheet.page.area is not None
    assert sheet.page.area.bottom < heading_row(sheet, "Time (s)")
    rows = list(rows_of(sheet, heading_row(sheet, "Time (s)")))
    loads = [
        float(str(row["Without storage (MW)"].value))
        for row in rows
        if row["Without storage (MW)"].value
    ]
    assert max(loads) * 1e6 == pytest.approx(float(_results(found)["swing.highest"].si))
    assert [name for name, _, _ in chart.lines] == ["Without storage", "With storage"]


def test_every_number_is_recalculated_alike(found: Design, tmp_path: Path) -> None:
    written = write_workbook(found, tmp_path / "load.xlsx")
    first = read_book(written, data_only=True)["Dynamic load"]
    again = read_book(recalculated(written, tmp_path), data_only=True)["Dynamic load"]
    for row in range(1, 80):
        for column in range(1, 7):
            before, after = first.cell(row, column).value, again.cell(row, column).value
            if isinstance(before, int | float):
                assert after == pytest.approx(before, rel=1e-9), (row, column)


def test_a_job_that_does_not_fit_is_said_on_the_sheet() -> None:
    tight = design(apply_sets(parse_project(SHORTEST), ("it.job.step_time=0.1 s",)))
    sheet = sheet_of(workbook_book(tight), "Dynamic load")
    assert any("do not fit" in str(cell.value) for cell in sheet.cells.values())
