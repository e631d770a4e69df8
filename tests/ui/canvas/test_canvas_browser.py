"""The canvas in a browser: keys, zoom to the detailed drawing, views, state and phone layout."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.ui.browsing import Watched

pytestmark = pytest.mark.browser

_SMALLEST = """() => Math.min(...[...document.querySelectorAll('*')]
    .flatMap((one) => one.shadowRoot ? [...one.shadowRoot.querySelectorAll('.picture text')] : [])
    .filter((one) => getComputedStyle(one).visibility === 'visible')
    .map((one) => one.getBoundingClientRect().height))"""


def seen(page: Page) -> list[float]:
    """Return left, top, width and height of what is seen of the drawing."""
    box = page.locator(".stage .picture").first.get_attribute("viewBox") or ""
    return [float(part) for part in box.split()]


def come(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".stage .picture").get_by_text("MVS-A")).to_be_visible()


def test_keys_move_zoom_select_and_change_state_and_view(page: Page, address: str) -> None:
    come(page, address)
    stage = page.locator(".stage")
    stage.focus()
    whole = seen(page)
    page.keyboard.press("+")
    assert seen(page)[2] < whole[2]
    page.keyboard.press("0")
    assert seen(page) == whole
    page.locator(".stage .picture").get_by_text("44.1").first.click()
    expect(page.get_by_text("picked is UPS-A")).to_be_visible()
    expect(page.locator(".stage .selected")).to_have_count(1)
    expect(page.locator(".stage .band")).to_have_count(1)
    stage.focus()
    page.keyboard.press("ArrowRight")
    assert "UPS-B" in page.locator(".said").inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_text("picked is UPS-B")).to_be_visible()
    page.keyboard.press("]")
    expect(page.get_by_text("state is loss of LVB-A")).to_be_visible()
    expect(page.locator(".stage .picture").get_by_text("88.5")).to_be_visible()
    expect(page.locator(".stage .picture polyline[stroke-dasharray]").first).to_be_attached()
    page.keyboard.press("[")
    expect(page.get_by_text("state is normal")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_text("found is True")).to_be_visible()
    page.keyboard.press("v")
    expect(page.get_by_text("view is hall-plan")).to_be_visible()
    expect(page.locator(".stage .picture").get_by_text("Row 1")).to_be_visible()
    page.get_by_role("button", name="One-line").click()
    expect(page.locator(".stage .picture").get_by_text("MVS-A")).to_be_visible()
    page.get_by_role("button", name="Overloads").click()
    expect(page.get_by_text("asked is state.overload")).to_be_visible()


def test_zooming_in_leads_to_the_detailed_drawing_of_the_same_equipment(
    page: Page, address: str
) -> None:
    come(page, address)
    page.locator(".stage .picture").get_by_text("44.1").nth(1).click()
    expect(page.get_by_text("picked is UPS-B")).to_be_visible()
    page.locator(".stage").focus()
    for _ in range(4):
        page.keyboard.press("+")
    expect(page.get_by_text("detail is UPS-B")).to_be_visible()
    expect(page.locator(".hint")).to_contain_text("Detail")
    expect(page.locator(".stage .picture").get_by_text("UPS-B", exact=True)).to_be_in_viewport()
    expect(page.locator(".stage .selected")).to_have_count(1)
    near = seen(page)
    page.keyboard.press("]")
    expect(page.get_by_text("state is loss of LVB-A")).to_be_visible()
    assert seen(page) == near
    for _ in range(12):
        page.keyboard.press("-")
    expect(page.locator(".hint")).to_have_text("Overview")
    expect(page.locator(".stage .picture").get_by_text("MVS-A")).to_be_visible()


@pytest.mark.parametrize(("width", "least_px"), [(1440, 13.0), (390, 14.0)])
def test_names_and_loadings_are_legible(
    visitor: Watched, address: str, width: int, least_px: float
) -> None:
    page = visitor.page
    visitor.resize(width)
    come(page, address)
    assert page.evaluate(_SMALLEST) >= least_px
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        heights = page.locator(".seg").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
        assert min(heights) >= 44


def test_a_change_of_theme_needs_no_rerun(page: Page, address: str) -> None:
    come(page, address)
    name = page.locator(".stage .picture").get_by_text("MVS-A").first
    light = name.evaluate("(one) => getComputedStyle(one).fill")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme"
        " === 'dark'"
    )
    dark = name.evaluate("(one) => getComputedStyle(one).fill")
    assert (light, dark) == ("rgb(27, 31, 36)", "rgb(236, 239, 241)")


def test_a_plain_drawing_is_zoomed_and_selected(page: Page, address: str) -> None:
    page.goto(f"{address}?plain=1")
    stage = page.locator(".stage").nth(1)
    expect(stage.locator(".picture").get_by_text("UPS-A", exact=True)).to_be_visible()
    stage.focus()
    before = stage.locator(".picture").get_attribute("viewBox")
    page.keyboard.press("+")
    assert stage.locator(".picture").get_attribute("viewBox") != before
    page.keyboard.press("0")
    assert stage.locator(".picture").get_attribute("viewBox") == before
    stage.locator("[data-shape]").nth(3).click(force=True)
    expect(page.get_by_text("plain is e")).to_be_visible()
    expect(page.get_by_text("Something")).to_be_visible()
