"""Carbon of a year: an hourly grid, what the tests of others have, embodied, and bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facility.catalogue.series import CARBON as READ
from facility.catalogue.series import TimeSeries, read_series
from facility.catalogue.series.text import MAX_BYTES
from facility.core.errors import FacilityError
from facility.core.trace import explain
from facility.files.project.file import load_project
from facility.report.book.year import year_sheet
from facility.report.drawings.charts.year import hour_map, series_of
from facility.report.sheet.entries import Entries
from facility.report.sheet.tables import PageSetup
from facility.report.studies.annual import Annual
from facility.report.tables.annual import CARBON
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.design.design import design

# Means of the hours of July [kg/MWh], as the data of eeco 0.1.0 have them (MIT): a load of 1,000 kW
# through its 31 days emits 276,375.87356 kg by its tests.
JULY = (
    395.532224,
    415.03668,
    424.10852,
    427.737256,
    425.015704,
    410.50076,
    393.264264,
    366.955928,
    355.616128,
    351.987392,
    350.626616,
    352.440984,
    353.348168,
    346.99788,
    339.740408,
    337.018856,
    337.92604,
    346.99788,
    357.430496,
    359.698456,
    360.152048,
    362.420008,
    369.223888,
    375.574176,
)
EMITTED_KG = 276375.87356
BEFORE_JULY, JULY_H = 181 * 24, 31 * 24
PROJECT = """schema_version: 1
site: {{station: ashburn, grid_carbon_file: {file}{more}}}
it: {{gpu_model: H100 SXM5, gpus: 64}}
"""
HEAD = "hour,carbon_kg_per_kwh"
FLAT = [f"{n},0.4" for n in range(1, 8761)]


def written(folder: Path, rows: list[str], head: str = HEAD) -> Path:
    path = folder / "grid.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def hourly_carbon(path: Path) -> TimeSeries:
    return read_series(path, READ)


def year_of(folder: Path, more: str = "") -> AnnualStudy:
    project = folder / "p.yaml"
    project.write_text(PROJECT.format(file="grid.csv", more=more))
    return annual(design(load_project(project)))


@pytest.mark.parametrize(
    ("head", "factor"), [("carbon_kg_per_kwh", 1e-3), ("carbon_g_per_kwh", 1.0)]
)
def test_a_month_of_a_flat_load_emits_what_others_found(
    head: str, factor: float, tmp_path: Path
) -> None:
    rows = [f"{n + 1},{JULY[n % 24] * factor:.9f}" for n in range(8760)]
    found = hourly_carbon(written(tmp_path, rows, f"hour,{head}"))
    july = found.values[BEFORE_JULY : BEFORE_JULY + JULY_H]
    assert float(july.sum()) * 1e6 * 3600.0 == pytest.approx(EMITTED_KG, rel=1e-9)


def test_carbon_is_the_sum_of_the_hours(tmp_path: Path) -> None:
    values = np.random.default_rng(5).uniform(0.1, 0.6, 8760).round(6)
    written(tmp_path, [f"{n + 1},{value}" for n, value in enumerate(values)])
    study = year_of(tmp_path)
    results = study.results
    by_hand = float(study.year.facility_w @ values) / 1e3
    assert results["carbon.annual"].si == pytest.approx(by_hand, rel=1e-12)
    assert any("SHA-256" in line for line in explain(study.trace, "carbon.annual"))
    months = [month.carbon_kg for month in study.months]
    january = float(study.year.facility_w[: 31 * 24] @ values[: 31 * 24]) / 1e3
    assert months[0] == pytest.approx(january, rel=1e-12)
    assert sum(kg or 0.0 for kg in months) == pytest.approx(by_hand, rel=1e-12)
    assert "carbon" in series_of(study)
    drawn = hour_map(study, "carbon").values
    assert float(drawn.sum()) == pytest.approx(by_hand, rel=1e-12)


def test_carbon_of_the_months_stands_in_tables_and_sheet(tmp_path: Path) -> None:
    written(tmp_path, FLAT)
    study = year_of(tmp_path)
    found = design(load_project(tmp_path / "p.yaml"))
    shown = Annual(found, study)
    (table,) = (table for table in shown.tables("si") if table.title == CARBON.title)
    rows = list(table.rows)
    assert len(rows) == 12
    assert all(row[-1] == "0.40 kg/kWh" for row in rows)
    months = shown.lists()["months"]
    total = sum(float(str(month["carbon"])) for month in months)
    assert total == pytest.approx(study.results["carbon.annual"].si, rel=1e-12)
    sheet, _ = year_sheet("Year", found, Entries(), PageSetup("", "", "", False))
    heads = {str(cell.value): place for place, cell in sheet.cells.items()}
    (row, mass), (_, intensity) = heads["Carbon (kg)"], heads["Intensity (kg/kWh)"]
    assert sheet.cells[row + 1, mass].value == pytest.approx(months[0]["carbon"], rel=1e-12)
    assert sheet.cells[row + 1, intensity].value == pytest.approx(0.4, rel=1e-12)
    assert sheet.cells[row + 1, intensity].formula


def test_a_flat_file_is_the_constant(tmp_path: Path) -> None:
    written(tmp_path, FLAT)
    by_hours = year_of(tmp_path).results
    energy_kwh = float(by_hours["energy.annual"].si) / 3.6e6  # type: ignore[arg-type]
    assert by_hours["carbon.annual"].si == pytest.approx(0.4 * energy_kwh, rel=1e-12)


@pytest.mark.parametrize(
    ("rows", "head", "code", "where"),
    [
        (FLAT, "hour,carbon", "CARBON_COLUMNS", ": row 1"),
        (FLAT[:-1000], HEAD, "SERIES_GAP", ": row 7761"),
        ([*FLAT[:4], FLAT[5], FLAT[4], *FLAT[6:]], HEAD, "CARBON_ROWS", ": row 7, column 1 (hour)"),
        (["1,-0.1", *FLAT[1:]], HEAD, "CARBON_NUMBER", ": row 2, column 2 (carbon_kg_per_kwh)"),
        (["1,one", *FLAT[1:]], HEAD, "CARBON_NUMBER", ": row 2, column 2 (carbon_kg_per_kwh)"),
        (["1,400", *FLAT[1:]], HEAD, "CARBON_NUMBER", ": row 2, column 2 (carbon_kg_per_kwh)"),
        (["1,0.4,7", *FLAT[1:]], HEAD, "CARBON_COLUMNS", ": row 2"),
    ],
)
def test_a_bad_file_is_refused_with_its_row(
    rows: list[str], head: str, code: str, where: str, tmp_path: Path
) -> None:
    with pytest.raises(FacilityError) as refused:
        hourly_carbon(written(tmp_path, rows, head))
    assert (refused.value.code, refused.value.where) == (code, f"site.grid_carbon_file{where}")


def test_what_is_no_text_too_large_or_missing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "grid.csv"
    for content in (b"hour\x00", b"1" * (MAX_BYTES + 1)):
        path.write_bytes(content)
        with pytest.raises(FacilityError, match="CARBON_FILE"):
            hourly_carbon(path)
    for missing in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(FacilityError, match="CARBON_FILE"):
            hourly_carbon(missing)


@pytest.mark.parametrize("name", ["../grid.csv", "/etc/grid.csv", "grid.txt", "C:/grid.csv"])
def test_a_path_beside_the_project_alone_is_taken(name: str, tmp_path: Path) -> None:
    project = tmp_path / "p.yaml"
    project.write_text(PROJECT.format(file=repr(name), more=""))
    with pytest.raises(FacilityError) as refused:
        load_project(project)
    assert refused.value.code == "CARBON_PATH"


@pytest.mark.parametrize(("more", "code"), [(", grid_carbon: 400 g/kWh", "CONTRADICTION")])
def test_contradictions_are_refused(more: str, code: str, tmp_path: Path) -> None:
    project = tmp_path / "p.yaml"
    project.write_text(PROJECT.format(file="grid.csv", more=more))
    with pytest.raises(FacilityError) as refused:
        load_project(project)
    assert refused.value.code == code


def test_29_february_is_left_out_in_the_weather_of_another_year(tmp_path: Path) -> None:
    """8,784 hours of 400 g/kWh, 29 February at 900: 0.4 kg for each kWh of the year."""
    rows = [f"{n},{0.9 if 59 * 24 < n <= 60 * 24 else 0.4}" for n in range(1, 8785)]
    written(tmp_path, rows)
    results = year_of(tmp_path).results
    energy_kwh = float(results["energy.annual"].si) / 3.6e6  # type: ignore[arg-type]
    assert results["carbon.annual"].si == pytest.approx(0.4 * energy_kwh, rel=1e-12)


def test_utc_times_are_those_of_the_site_in_standard_time(tmp_path: Path) -> None:
    """Ashburn is at UTC-5: 05:00 UTC is its midnight; the hour of 31 December is the last."""
    times = np.arange("2023-01-01", "2024-01-01", dtype="datetime64[h]").astype(str)
    rows = [f"{time},{n % 24 / 100:.2f}" for n, time in enumerate(times.tolist())]
    written(tmp_path, rows, "timestamp,carbon_kg_per_kwh")
    project = tmp_path / "p.yaml"
    project.write_text(PROJECT.format(file="grid.csv", more=""))
    hourly = design(load_project(project)).facility.site.hourly_carbon
    assert hourly is not None
    of_day = np.roll(np.arange(24) / 100.0, -5) / 3.6e6
    np.testing.assert_allclose(hourly.kg_per_j, np.tile(of_day, 365), rtol=1e-12)
