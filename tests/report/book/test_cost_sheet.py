"""The Cost sheet: every sum is live and that of the study; without a price it says what to give."""

from __future__ import annotations

from pathlib import Path

import pytest

from facility.core.views import view_value
from facility.files.project.file import apply_sets, parse_project
from facility.files.workbook.book import workbook_book, write_workbook
from facility.report.sheet.model import Book
from facility.report.tables.summary import LABELS
from facility.study.design.design import Design, design
from tests.report.book.reading import heading_row, labels_of, rows_of, sheet_of
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import read_book

PROJECT = """
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}
site:
  station: ashburn
  tariff:
    energy:
      - {name: summer, price: 0.16 EUR/kWh, months: Jun-Sep}
      - name: rest
        price: 0.08 EUR/kWh
        months: Oct-May
        blocks: [{above: 40 MWh, price: 0.07 EUR/kWh}]
    demand:
      - {name: peak, price: 12 EUR/kW, ratchet: 80 %}
      - {name: connection, price: 3 EUR/kVA}
    reactive:
      - {name: kvarh, price: 0.04 EUR/kvarh, beyond: 1 %}
    power_factor: 100 %
    fixed: 250 EUR
"""

SHORT = """
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}
site: {station: ashburn}
"""


@pytest.fixture(scope="module")
def found() -> Design:
    return design(parse_project(PROJECT))


def test_months_are_priced_live(found: Design, book: Book) -> None:
    study, sheet = found.year, sheet_of(book, "Cost")
    assert study is not None
    assert study.bill is not None
    months = list(rows_of(sheet, heading_row(sheet, "Month")))
    for month, total in zip(months[:12], study.bill.total, strict=True):
        assert month["Bill (EUR)"].value == pytest.approx(total, rel=1e-12)
        parts = (
            "Energy (EUR)",
            "Demand (EUR)",
            "Power factor (EUR)",
            "Reactive energy (EUR)",
            "Fixed (EUR)",
        )
        assert all(month[part].formula for part in parts)
        assert sum(float(str(month[part].value)) for part in parts) == pytest.approx(total)
    assert months[5]["E1: summer (kWh)"].value > 0.0
    assert months[5]["E2: rest (kWh)"].value == 0.0
    assert months[0]["E2: rest (kWh)"].value == pytest.approx(40_000.0)
    assert months[0]["E3: rest (kWh)"].value > 0.0
    assert months[0]["R1: kvarh (kvarh)"].value > 0.0
    assert "SUM(" in months[12]["Bill (EUR)"].formula


def test_figures_are_those_of_the_year(found: Design, book: Book) -> None:
    study, sheet = found.year, sheet_of(book, "Cost")
    assert study is not None
    rows = labels_of(sheet)
    for label, key in (
        (LABELS["cost.annual"], "cost.annual"),
        (LABELS["cost.annual.power_factor"], "cost.annual.power_factor"),
        (LABELS["cost.annual.reactive"], "cost.annual.reactive"),
    ):
        cell = sheet.cells[rows[label], 2]
        assert cell.formula
        assert cell.value == pytest.approx(study.results[key].si, rel=1e-12)
    cell = sheet.cells[rows[LABELS["cost.price"]], 2]
    assert cell.value == pytest.approx(float(study.results["cost.price"].si) * 3.6e6, rel=1e-12)  # type: ignore[arg-type]
    assert "Year!" in cell.formula
    assert sheet.cells[rows["Energy in tariff periods vs. annual energy"], 2].value == "OK"


def test_formulas_give_what_the_engine_has(found: Design, tmp_path: Path) -> None:
    written = write_workbook(found, tmp_path / "book.xlsx")
    again = read_book(recalculated(written, tmp_path), data_only=True)["Cost"]
    for row in read_book(written, data_only=True)["Cost"].iter_rows():
        for cell in row:
            if isinstance(cell.value, float):
                assert again[cell.coordinate].value == pytest.approx(cell.value, rel=1e-9)


def test_the_cover_names_the_cost_of_the_year(book: Book) -> None:
    cover = book.sheets[0]
    assert "Cost!" in cover.cells[labels_of(cover)["Electricity cost"], 2].formula


OWNED = apply_sets(
    parse_project(PROJECT),
    (
        "cost.capital.gpu=38000 EUR",
        "cost.capital.power=4500 EUR/kW",
        "cost.operation.staff=150 kEUR",
        "cost.operation.water=3 EUR/m3",
        "cost.run=1e4 h",
    ),
)


def test_the_cost_of_ownership_is_live_from_prices_to_a_run(tmp_path: Path) -> None:
    owned = design(OWNED)
    study, sheet = owned.year, sheet_of(workbook_book(owned), "Cost")
    assert study is not None
    rows = labels_of(sheet)
    for label, key in (
        (LABELS["cost.ownership"], "cost.ownership"),
        (LABELS["cost.gpu_hour"], "cost.gpu_hour"),
        (LABELS["cost.training_run"], "cost.training_run"),
        (LABELS["cost.it_power"], "cost.it_power"),
        (LABELS["cost.levelised"], "cost.levelised"),
    ):
        cell, value = sheet.cells[rows[label], 2], study.results[key]
        assert cell.formula, label
        assert cell.value == pytest.approx(view_value(float(value.si), value.kind), rel=1e-9)  # type: ignore[arg-type]
    texts = [str(cell.value) for cell in sheet.cells.values()]
    assert any(text.startswith("Unknown, not included in any total: network") for text in texts)
    written = write_workbook(owned, tmp_path / "book.xlsx")
    again = read_book(recalculated(written, tmp_path), data_only=True)["Cost"]
    for row in read_book(written, data_only=True)["Cost"].iter_rows():
        for cell in row:
            if isinstance(cell.value, float):
                assert again[cell.coordinate].value == pytest.approx(cell.value, rel=1e-9)


def test_without_a_tariff_the_cost_of_ownership_stands_alone() -> None:
    abroad = apply_sets(OWNED, ("site.tariff=", "site.country=DE"))
    sheet = sheet_of(workbook_book(design(abroad)), "Cost")
    texts = [str(cell.value) for cell in sheet.cells.values()]
    assert any("site.tariff" in text for text in texts)
    assert any(text.startswith("Unknown") and "electricity" in text for text in texts)


def test_without_a_price_the_sheet_says_what_to_give() -> None:
    abroad = apply_sets(parse_project(PROJECT), ("site.tariff=", "site.country=GB"))
    sheet = sheet_of(workbook_book(design(abroad)), "Cost")
    assert any("site.tariff" in str(cell.value) for cell in sheet.cells.values())


def test_a_cost_of_which_nothing_is_known_says_so() -> None:
    """No price anywhere, and none for the country: no sum, no 0."""
    changes = ["site.country=SG", "cost.rate=5 %"]
    sheet = sheet_of(workbook_book(design(apply_sets(parse_project(SHORT), changes))), "Cost")
    assert LABELS["cost.ownership"] not in labels_of(sheet)
    text = " ".join(str(cell.value) for cell in sheet.cells.values())
    assert "staff" in text
