"""In a real browser: boxes are asked about, what is chosen can be read, pages stay in place."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.ui.browsing import Watched, faults, look_at, visit

pytestmark = pytest.mark.browser


def test_the_first_page_stays_where_it_is_when_the_studies_come(
    visitor: Watched, address: str
) -> None:
    """First of its file: no study has run on this server yet."""
    watched, page = visitor, visitor.page
    watched.come(address)
    answer = page.get_by_role("heading", name="Verdict:").last
    expect(answer).to_be_visible()
    expect(answer).not_to_contain_text("Pending: ")
    watched.settle(charts=3)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0


def test_a_box_of_the_loops_selects_its_machine_and_explains_it(
    visitor: Watched, address: str
) -> None:
    watched, page = visitor, visitor.page
    watched.come(f"{address}/?view=cooling")
    box = page.locator(".stage").get_by_text("Water-cooled chillers", exact=True)
    expect(box).to_be_visible()
    watched.settle()
    box.click()
    row = page.get_by_role("row", name=re.compile("^Chillers"))
    expect(row).to_have_attribute("aria-selected", "true")
    watched.settle()
    page.get_by_role("button", name="All steps").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("Chiller load vs. capacity", exact=False)).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_bands_and_curves_open_the_drawer_at_their_numbers(visitor: Watched, address: str) -> None:
    watched, page = visitor, visitor.page
    watched.come(address)
    watched.settle(charts=3)
    drawer = page.get_by_role("dialog")
    for view, chart, x, y, told in (
        ("Summary", "power-flow", 0.2, 0.3, "load.it = "),
        ("Year", "year-duration", 0.3, 0.6, "energy.annual = "),
        ("Year", "year-week", 0.3, 0.6, "load.it = "),
        ("Outages", "state-loading", 0.3, 0.4, "loading."),
    ):
        if page.locator(f".st-key-{chart}").count() == 0:
            visit(page, "Studies" if view == "Year" else "Design", view if view == "Year" else "")
            if view == "Outages":
                look_at(page, "Power", view)
            watched.settle(charts=4 if view == "Year" else 1)
        area = page.locator(f".st-key-{chart} .shapes")
        area.scroll_into_view_if_needed()
        box = area.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        expect(drawer.get_by_text(told)).to_be_visible()
        page.keyboard.press("Escape")
        expect(drawer).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_chosen_of_many_can_be_read(visitor: Watched, address: str, scheme: str) -> None:
    watched, page = visitor, visitor.page
    watched.come(f"{address}/checks?view=assumptions", scheme=scheme)
    page.get_by_role("button", name="Grid frequency, 50 or 60 Hz").click()
    chosen = page.get_by_role("navigation", name="Assumptions").locator("[aria-current=true]")
    expect(chosen).to_contain_text("Grid frequency")
    watched.settle()
    assert faults(page, texts=0) == {}


def fault_currents(watched: Watched, address: str) -> Locator:
    """Go to the table of fault currents."""
    page = watched.page
    watched.come(f"{address}/?view=one-line")
    page.get_by_role("radio", name="Equipment", exact=True).click()
    page.get_by_role("tab", name="Fault currents").click()
    found = page.get_by_role("grid", name="Fault currents")
    found.scroll_into_view_if_needed()
    return found


def cells(grid: Locator, column: str) -> tuple[Locator, Locator]:
    """Return the heading of a column, and its cells."""
    head = grid.get_by_role("columnheader", name=column)
    number = head.get_attribute("aria-colindex")
    return head, grid.locator(f"[role=gridcell][aria-colindex='{number}']")


def test_a_column_of_numbers_sorts_by_size_and_its_cells_are_still_asked_about(
    visitor: Watched, address: str
) -> None:
    page = visitor.page
    head, found = cells(fault_currents(visitor, address), "Voltage (V)")
    for volts in ("415", "13,800"):  # by words 13,800 would come first
        head.click()
        expect(found.first).to_have_text(volts)
    found.first.click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("13,800", exact=False).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_a_column_of_numbers_and_words_sorts_by_size(visitor: Watched, address: str) -> None:
    head, found = cells(fault_currents(visitor, address), "Maximum, three-phase (kA)")
    head.click()
    expect(found.first).to_have_text(re.compile(r"^\d\.\d\d$"))
    grid = visitor.page.get_by_role("grid", name="Fault currents")
    grid.evaluate("(grid) => { grid.scrollTop = grid.scrollHeight; }")
    expect(found.last).to_have_text("unknown: fault level not specified")
    grid.evaluate("(grid) => { grid.scrollTop = 0; }")
    head.click()
    expect(found.first).to_have_text(re.compile(r"^\d\d\.\d\d$"))
