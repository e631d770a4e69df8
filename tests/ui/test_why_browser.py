"""Boxes of a drawing are asked about in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.ui.browsing import Watched, chromium, served

pytestmark = pytest.mark.browser


def test_a_box_of_the_loops_opens_the_drawer_at_its_number() -> None:
    with served() as address, chromium() as browser:
        watched = Watched(browser)
        page = watched.page
        page.goto(f"{address}/cooling")
        box = page.locator(".stage").get_by_text("Water-cooled chillers", exact=True)
        expect(box).to_be_visible()
        watched.settle(charts=1)
        box.click()
        drawer = page.get_by_role("dialog")
        expect(drawer.get_by_text("plant.chiller_power = ")).to_be_visible()
        page.keyboard.press("Escape")
        expect(drawer).to_have_count(0)
        watched.close()
