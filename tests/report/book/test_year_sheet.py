"""The Year sheet: its sums are live and those of the study; without weather it says so."""

from __future__ import annotations

from calendar import month_name
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.core.views import view_value
from facility.files.project.file import load_project, parse_project
from facility.files.workbook.split import hours_workbook, write_book
from facility.files.workbook.verify import verify_workbook
from facility.files.workbook.writer import render
from facility.report.book.year import year_sheet
from facility.report.sheet.entries import Entries
from facility.report.sheet.model import Book
from facility.report.sheet.tables import PageSetup, refused_sheet
from facility.report.tables.summary import LABELS
from facility.study.design.design import Design, design
from tests.report.book.reading import heading_row, labels_of, rows_of, sheet_of
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import poisoned, read_book

NOWHERE = """
schema_version: 1
site: {place: Nowhere, design_dry_bulb: 35 degC, design_wet_bulb: 25 degC}
it: {gpu_model: H100 SXM5, gpus: 64}
"""
PLAIN = PageSetup("", "", "", False)


@pytest.fixture(scope="module")
def found() -> Design:
    return design(load_project(reference_path("projects", "h100-10k.yaml")))


def test_the_year_is_the_ratio_of_the_sums_of_its_months(found: Design, book: Book) -> None:
    study, sheet = found.year, sheet_of(book, "Year")
    assert study is not None
    months = list(rows_of(sheet, heading_row(sheet, "Month")))
    assert [row["Month"].value for row in months[:12]] == list(month_name)[1:]
    whole = months[12]
    for head, key in (
        ("IT (MWh)", "energy.annual.it"),
        ("Cooling (MWh)", "energy.annual.cooling"),
        ("Facility (MWh)", "energy.annual"),
        ("Water (m³)", "water.annual"),
    ):
        value = study.results[key]
        assert whole[head].value == pytest.approx(view_value(float(value.si), value.kind), rel=1e-9)
        assert "SUM(" in whole[head].formula
        summed = sum(float(str(row[head].value)) for row in months[:12])
        assert whole[head].value == pytest.approx(summed, rel=1e-9)
    row = labels_of(sheet)["Year"]
    assert f"F{row}/B{row}" in whole["PUE"].formula
    assert whole["PUE"].value == pytest.approx(study.results["pue.annual"].si, rel=1e-12)


def test_parts_stack_up_to_the_meter_and_to_the_pue(found: Design, book: Book) -> None:
    study, sheet = found.year, sheet_of(book, "Year")
    assert study is not None
    rows = list(rows_of(sheet, heading_row(sheet, "Part")))
    last = next(n for n, row in enumerate(rows) if row["Part"].value == "All parts")
    energies = [float(str(row["Energy (MWh)"].value)) for row in rows[:last]]
    ratios = [float(str(row["PUE component"].value)) for row in rows[:last]]
    total_mwh = float(study.results["energy.annual"].si) / 3.6e9
    assert sum(energies) == pytest.approx(total_mwh, rel=1e-9)
    assert sum(ratios) == pytest.approx(study.results["pue.annual"].si, rel=1e-9)
    assert all(row["Share"].formula and row["PUE component"].formula for row in rows[:last])
    verdict = sheet.cells[labels_of(sheet)["Sum of parts vs. metered energy"], 2]
    assert verdict.value == "OK"


def test_the_cover_names_the_year_and_no_estimate(found: Design, book: Book) -> None:
    cover = book.sheets[0]
    rows = labels_of(cover)
    assert rows["Annual PUE"] < rows["PUE, design hour"]
    assert "PUE, estimate" not in rows
    month = cover.cells[rows[LABELS["cost.month_estimate"]], 2]
    assert found.year is not None
    assert month.value == pytest.approx(found.year.results["cost.annual"].si / 12.0, rel=1e-12)
    assert "Cost!" in month.formula
    cell = cover.cells[rows["Annual PUE"], 2]
    assert cell.value == pytest.approx(found.year.results["pue.annual"].si, rel=1e-12)
    assert "Year!" in cell.formula


def test_without_weather_the_sheet_says_what_is_missing() -> None:
    nowhere = design(parse_project(NOWHERE))
    assert nowhere.year is None
    sheet, figures = year_sheet("Year", nowhere, Entries(), PLAIN)
    assert not figures
    (text,) = (str(cell.value) for (row, _), cell in sheet.cells.items() if row == 4)
    assert text.startswith("No hourly weather applies to Nowhere")
    assert "site.station" in text


@pytest.fixture(scope="module")
def hours(found: Design, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hours") / "hours.xlsx"
    return write_book(hours_workbook, found, path)


def test_every_hour_is_in_a_workbook_of_its_own(found: Design, hours: Path) -> None:
    study = found.year
    assert study is not None
    sheet = sheet_of(hours_workbook(found), "Hours")
    rows = list(rows_of(sheet, 1))
    assert len(rows) == len(study.year.hours)
    for index in (0, 4242, 8759):
        row = rows[index]
        assert row["Hour of the year (end)"].value == index + 1
        assert row["Facility (kW)"].value == pytest.approx(study.year.facility_w[index] / 1e3)
        assert row["Facility (kW)"].formula.startswith("SUM(")
        assert row["PUE"].value == pytest.approx(study.year.pue[index])
    assert verify_workbook(hours).same


def test_months_are_recalculated_from_the_hours(found: Design, hours: Path, tmp_path: Path) -> None:
    """Every cached value of a formula is spoiled first; a calculator makes them again."""
    study = found.year
    assert study is not None
    source = tmp_path / "spoiled.xlsx"
    source.write_bytes(render(poisoned(hours_workbook(found))))
    path = recalculated(source, tmp_path)
    sheet = read_book(path, data_only=True)["Months of the hours"]
    shown = {row[0]: row for row in sheet.iter_rows(min_row=7, values_only=True)}
    for month in study.months:
        it, facility, pue = (shown[month_name[month.number]][n] for n in (2, 6, 7))
        assert it == pytest.approx(month.energy_j["it"] / 3.6e9, rel=1e-9)
        assert facility == pytest.approx(month.facility_j / 3.6e9, rel=1e-9)
        assert pue == pytest.approx(month.pue, rel=1e-9)
    total = study.results["energy.annual"].si
    assert shown["Year"][6] == pytest.approx(float(total) / 3.6e9, rel=1e-9)


def test_without_hours_there_is_no_workbook_of_them(tmp_path: Path) -> None:
    with pytest.raises(FacilityError, match="no hourly weather applies"):
        write_book(hours_workbook, design(parse_project(NOWHERE)), tmp_path / "hours.xlsx")


@pytest.mark.parametrize(
    ("refusal", "shown"),
    [
        ("no hours are known.", "No hours are known."),
        ("it.job.power_file: no file.", "it.job.power_file: no file."),
    ],
)
def test_a_refused_study_says_why_and_leaves_a_path_as_typed(refusal: str, shown: str) -> None:
    sheet = refused_sheet("Year", refusal, PLAIN)
    assert sheet.cells[4, 1].value == shown
