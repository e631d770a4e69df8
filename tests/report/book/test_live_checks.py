"""Checks that a workbook recomputes, and the inputs that the others follow from."""

from __future__ import annotations

from facility.core.check import Check
from facility.files.project.file import parse_project
from facility.files.workbook.book import workbook_book
from facility.report.sheet.entries import HEAD_ROW, INPUTS_SHEET
from facility.report.sheet.model import Book
from facility.study.design.design import Design, design
from tests.report.book.reading import rows_of, sheet_of

BY_COST = """
schema_version: 1
site: {station: fargo, tariff: 0.10 USD/kWh}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1}
cooling: {method: air}
cost:
  plant_years: 15
  rate: 8 %
  equipment: {ups: 130 USD/kVA, battery: 300 USD/kWh, installation: 20 %}
"""
"""A project whose UPS modules are selected by life-cycle cost."""
OF_PANELS = {"NEC-PANELBOARD", "PANEL-IMBALANCE", "PANEL-LOAD", "PANEL-MAIN"}


def test_prices_that_select_equipment_reach_every_result() -> None:
    found = design(parse_project(BY_COST))
    costs = [one.cost for choice in found.choices for one in choice.candidates]
    assert any(cost is not None for cost in costs)
    reach = {
        row["Project field"].value: row["Engine results that follow"].value
        for row in rows_of(sheet_of(workbook_book(found), INPUTS_SHEET), HEAD_ROW)
    }
    assert {reach[path] for path in ("site.tariff", "cost.rate")} == {"all"}


def test_the_checks_of_panels_refer_to_their_schedules(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    checks: tuple[Check, ...] = designs["mixed-hall"].checks
    sheet = sheet_of(books["mixed-hall"], "Checks")
    live = {row["Rule"].value for row in rows_of(sheet, 9) if "!" in row["Value"].formula}
    assert live >= {check.rule for check in checks} & OF_PANELS
