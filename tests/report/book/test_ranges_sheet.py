"""The workbook of ranges: every sample, quantiles that recalculate from them, verified anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import facility
from facility.core.errors import FacilityError
from facility.files.workbook.split import ranges_workbook, write_book
from facility.files.workbook.verify import verify_workbook
from facility.files.workbook.writer import render
from facility.report import documents
from facility.report.book.ranges import WORKBOOK_SAMPLES
from facility.report.drawings.charts.ranges import tornadoes
from facility.report.sheet.model import Bars
from facility.report.tables.ranges import figures_of, label
from facility.study.design.design import Design
from facility.study.ranges.result import RangesStudy
from tests.report.book.reading import rows_of, sheet_of
from tests.study.helpers import SHORTEST, design_of
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import poisoned, read_book

ROWS = (
    "ranges.0.field=site.tariff",
    "ranges.0.range=0.04 .. 0.06 USD/kWh",
    "ranges.1.field=it.load_factor",
    "ranges.1.range=70 .. 90 %",
)
HEADS = ("As designed", "p5", "p50", "p95", "Mean", "Minimum", "Maximum")


SAMPLES = 20


@pytest.fixture(scope="module", autouse=True)
def fewer() -> Iterator[None]:
    """Take a tenth of the samples, for the sake of time."""
    assert WORKBOOK_SAMPLES == 10 * SAMPLES
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(documents, "WORKBOOK_SAMPLES", SAMPLES)
        yield


@pytest.fixture(scope="module")
def found() -> Design:
    return design_of(SHORTEST, *ROWS)


@pytest.fixture(scope="module")
def study(found: Design) -> RangesStudy:
    return facility.ranges(found, SAMPLES)


def test_every_sample_stands_with_its_inputs_and_results(found: Design, study: RangesStudy) -> None:
    rows = list(rows_of(sheet_of(ranges_workbook(found), "Samples"), 1))
    assert len(rows) == SAMPLES
    for sample in (0, 9, 19):
        row = rows[sample]
        assert row["Sample"].value == sample + 1
        assert row["it.load_factor (%)"].value == pytest.approx(study.drawn[sample, 1])
        pue = row[label("pue.annual")].value
        assert pue == pytest.approx(study.found["pue.annual"][sample], rel=1e-12)


def test_quantiles_are_recalculated_from_the_samples(
    found: Design, study: RangesStudy, tmp_path: Path
) -> None:
    source = tmp_path / "ranges.xlsx"
    source.write_bytes(render(poisoned(ranges_workbook(found))))
    sheet = read_book(recalculated(source, tmp_path), data_only=True)["Ranges"]
    rows = list(sheet.iter_rows(values_only=True))
    top = next(n for n, row in enumerate(rows) if row[0] == "Result" and "p95" in row)
    count = len(figures_of(study))
    places = [rows[top].index(head) for head in HEADS]
    shown = {row[0]: [row[place] for place in places] for row in rows[top + 1 :][:count]}
    assert count > 15
    for key, unit in (("energy.annual", 3.6e9), ("cost.annual", 1.0), ("pue.annual", 1.0)):
        figure = next(one for one in study.figures if one.key == key)
        names = ("nominal", "p5", "p50", "p95", "mean", "low", "high")
        expected = [getattr(figure, name) / unit for name in names]
        assert shown[label(key)] == pytest.approx(expected, rel=1e-9), key


def test_the_workbook_is_the_same_when_it_is_worked_out_again(
    found: Design, tmp_path: Path
) -> None:
    path = write_book(ranges_workbook, found, tmp_path / "ranges.xlsx")
    assert verify_workbook(path).same


def test_without_ranges_there_is_no_workbook_of_them(tmp_path: Path) -> None:
    with pytest.raises(FacilityError, match="no input of the project has a range"):
        write_book(ranges_workbook, design_of(SHORTEST), tmp_path / "ranges.xlsx")


def test_tornadoes_are_drawn_from_changes_that_are_live(found: Design, tmp_path: Path) -> None:
    book = ranges_workbook(found)
    path = tmp_path / "r.xlsx"
    path.write_bytes(render(book))
    sheet = sheet_of(book, "Tornado")
    drawn = {one.title: one for one in tornadoes(facility.ranges(found, SAMPLES))}
    assert len(sheet.charts) == len(drawn) >= 3
    workbook = read_book(path)
    cost = next(chart for chart in sheet.charts if chart.title.startswith("Electricity cost"))
    assert isinstance(cost, Bars)
    names = [sheet.cells[row, 1].value for row in range(cost.names.top, cost.names.bottom + 1)]
    bars = drawn["Electricity cost"].bars
    assert names == [bar.path for bar in bars]
    nominal = drawn["Electricity cost"].nominal
    for (_, span, _), end in zip(cost.series, ("low", "high"), strict=True):
        for row, bar in zip(range(span.top, span.bottom + 1), bars, strict=True):
            cell = sheet.cells[row, span.left]
            assert cell.value == pytest.approx(getattr(bar, end) - nominal)
            assert cell.formula
    charts = workbook["Tornado"]._charts
    assert [type(chart).__name__ for chart in charts] == ["BarChart"] * len(drawn)
    assert all(chart.barDir == "bar" and chart.y_axis is not None for chart in charts)
