"""In a browser: the verdict says what runs, is cancelled and run, a fix is applied and undone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.ui.browsing import Watched, bring, chromium, served, visit
from tests.ui.checks.test_checks_page import PROJECT

pytestmark = pytest.mark.browser
LARGE = PROJECT.replace("gpus: 64", "gpus: 8000")
"""Its studies take some seconds, in which they can be cancelled."""


def test_a_study_is_cancelled_and_run_and_a_fix_applied_and_undone() -> None:
    with served() as address, chromium() as browser:
        watched = Watched(browser)
        page = watched.page
        page.goto(address)
        answer = page.get_by_role("heading", name="Verdict:").last  # one more while it is redrawn
        expect(answer).to_contain_text("Pending: ")
        bring(page, "p.yaml", LARGE.encode())
        expect(answer).to_contain_text("1 violation so far")
        page.get_by_role("button", name="Cancel studies", exact=True).click()
        expect(page.get_by_text("Their checks are not included in this verdict.")).to_be_visible()
        visit(page, "Documents")
        expect(page.get_by_text(re.compile(r"^\d cancelled$")).first).to_be_visible()
        expect(page.get_by_role("button", name="1 violation", exact=True)).to_be_visible()
        visit(page, "Design")
        page.get_by_role("button", name="Run studies").click()
        expect(answer).to_contain_text("; 1 violation")
        page.get_by_role("navigation", name="Findings").get_by_role("button").first.click()
        page.get_by_role("button", name="Apply the fix").click()
        visit(page, "Design")
        expect(answer).to_contain_text("; no violations")
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(answer).to_contain_text("; 1 violation")
        watched.close()
