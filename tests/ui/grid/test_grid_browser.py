"""The grid and the tree in a browser: typing, pasting, picking, and nothing lost to a rerun."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

_PENDING = re.compile("pending")


def _cell(page: Page, line: int, column: int, name: str = "Racks") -> Locator:
    return page.get_by_role("grid", name=name).locator(f"#c-{line}-{column}")


def _typed(page: Page, line: int, column: int, text: str, key: str = "Enter") -> None:
    _cell(page, line, column).click()
    page.keyboard.type(text)
    page.keyboard.press(key)


def test_a_typed_text_is_judged_by_python(page: Page, address: str) -> None:
    page.goto(address)
    _typed(page, 0, 1, "5,5 kW")
    expect(_cell(page, 0, 1)).to_have_text("5.5")
    expect(_cell(page, 0, 4)).to_have_text("5.5")
    _typed(page, 1, 1, "many")
    expect(_cell(page, 1, 1)).to_have_text("many. Not accepted: many is not a power.")
    expect(_cell(page, 1, 1)).to_have_attribute("aria-invalid", "true")
    _cell(page, 1, 1).click()
    expect(page.locator(".tip", has_text="many is not a power.")).to_be_visible()
    page.keyboard.press("Delete")
    expect(_cell(page, 1, 1)).to_have_text("")
    _cell(page, 2, 0).dblclick()
    page.keyboard.type("gone")
    page.keyboard.press("Escape")
    expect(_cell(page, 2, 0)).to_have_text("Rack 2")


def test_enter_takes_only_the_highlighted_entry(page: Page, address: str) -> None:
    page.goto(address)
    _cell(page, 0, 2).click()
    page.keyboard.type("liq")
    expect(page.get_by_role("option", name="liquid")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(_cell(page, 0, 2)).to_have_text("liquid")
    _typed(page, 1, 2, "water")
    expect(_cell(page, 1, 2)).to_have_text("air")
    _cell(page, 1, 3).click()
    expect(_cell(page, 1, 3)).to_have_text("✓")


def test_a_pasted_block_fills_cells_and_adds_rows(page: Page, address: str) -> None:
    page.goto(address)
    _cell(page, 4, 0).click()
    block = 'P1\\t1.5\\tair\\n"P ""2"""\\t2,5\\thybrid\\nP3\\tx\\tliquid\\n'
    page.evaluate(f"navigator.clipboard.writeText('{block}')")
    page.keyboard.press("Control+v")
    expect(_cell(page, 4, 1)).to_have_text("1.5")
    expect(_cell(page, 5, 0)).to_have_text('P "2"')
    expect(_cell(page, 6, 0)).to_have_text("P3")
    expect(_cell(page, 6, 1)).to_have_attribute("aria-invalid", "true")
    _cell(page, 0, 0).click()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == "Rack 0\t10\nRack 1\t11"
    page.keyboard.press("Control+d")
    expect(_cell(page, 1, 0)).to_have_text("Rack 0")
    _cell(page, 0, 0).click()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    expect(_cell(page, 2, 1)).to_have_text("10.0")
    page.get_by_role("button", name="Delete row").click()
    expect(page.get_by_text("6 rows")).to_be_visible()


def test_nothing_typed_is_lost_to_a_rerun(page: Page, address: str) -> None:
    """The server takes a second for each entry, and answers while the next ones are typed."""
    page.goto(f"{address}/?slow=1")
    _typed(page, 0, 0, "Alpha")
    page.keyboard.type("Beta")
    page.keyboard.press("Enter")
    page.keyboard.type("Gam")
    page.get_by_text("Run again").dispatch_event("click")
    expect(_cell(page, 0, 0)).not_to_have_class(_PENDING)
    expect(page.get_by_role("textbox", name="Name")).to_have_value("Gam")
    page.keyboard.type("ma")
    page.keyboard.press("Enter")
    expect(_cell(page, 2, 0)).to_have_text("Gamma")
    _typed(page, 6, 0, "New", "Tab")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    for line, text in ((0, "Alpha"), (1, "Beta"), (2, "Gamma"), (6, "New")):
        expect(_cell(page, line, 0)).not_to_have_class(_PENDING)
        expect(_cell(page, line, 0)).to_have_text(text)
    expect(_cell(page, 6, 1)).not_to_have_class(_PENDING)
    expect(_cell(page, 6, 1)).to_have_text("7.0")


def test_a_long_table_draws_the_rows_in_view(page: Page, address: str) -> None:
    page.goto(f"{address}/?long=1")
    expect(_cell(page, 3, 2, "Long")).to_have_text("4.11")
    grid = page.get_by_role("grid", name="Long")
    assert grid.get_attribute("aria-rowcount") == "50001"
    assert grid.get_by_role("row").count() < 60
    drawn = grid.evaluate(
        """async (grid) => {
            const began = performance.now();
            grid.scrollTop = 28 * 40000;
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            return performance.now() - began;
        }"""
    )
    assert drawn < 1000.0
    expect(_cell(page, 40_000, 0, "Long")).to_have_text("Row 40000")
    grid.get_by_role("columnheader", name="Column 2", exact=True).click()
    grid.get_by_role("columnheader", name="Column 2").click()
    grid.evaluate("(grid) => { grid.scrollTop = 0; }")
    expect(_cell(page, 0, 0, "Long")).to_have_text("Row 49999")


def test_a_tree_is_opened_searched_and_selected(page: Page, address: str) -> None:
    page.goto(address)
    tree = page.get_by_role("treegrid", name="Objects")
    row = tree.get_by_role("row", name="Power")
    expect(row).to_have_attribute("aria-expanded", "false")
    row.click()
    expect(row).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Chosen: ups1", exact=True)).to_be_visible()
    expect(tree.get_by_role("row", name="UPS-1 1.0")).to_have_attribute("aria-selected", "true")
    page.get_by_placeholder("Filter objects").fill("UPS-29")
    expect(tree.get_by_role("row")).to_have_count(12)
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Chosen: ups299")).to_be_visible()
