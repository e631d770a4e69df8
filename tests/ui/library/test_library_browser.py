"""In a browser: nothing entered is lost, by a change of page, a reload, a kill, a second writer."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from facility.files.project.file import parse_project
from facility.files.store.opening import open_store
from facility.model.inputs.document import Project
from tests.ui.browsing import (
    Watched,
    enter,
    field,
    free_port,
    is_saved,
    served,
    sidebar,
    started,
    visit,
    wait_for,
)

pytestmark = pytest.mark.browser

STORE = "projects.sqlite"
NEWS_MS = 2_500
"""A save of another window is reported within 2 s, and then drawn."""
KEY = re.compile(r"st-key-\S+")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the file in which the servers of a test keep their projects."""
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / STORE))
    return tmp_path / STORE


def stored(store: Path) -> Project:
    """Return the only project of a store, as it was saved last."""
    with open_store(store) as opened:
        library = opened.library("tests", unrestricted=True)
        (entry,) = library.entries()
        return parse_project(library.text(entry.id), "stored")


SPINNERS = """() => {
    window.spinners = [];
    const text = (box, node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()].some((rect) => rect.width
            && rect.left < box.right - 1 && rect.right > box.left + 1
            && rect.top < box.bottom - 1 && rect.bottom > box.top + 1);
    };
    const look = () => {
        for (const one of document.querySelectorAll('[data-testid=stSpinner]')) {
            const box = one.getBoundingClientRect(), below = [];
            const all = document.createTreeWalker(
                document.querySelector('[data-testid=stMain]'), NodeFilter.SHOW_TEXT);
            while (box.width && all.nextNode()) {
                const node = all.currentNode;
                if (node.data.trim() && !one.contains(node) && text(box, node)) {
                    below.push(node.data);
                }
            }
            window.spinners.push(below);
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def come(browser: Browser, address: str) -> Watched:
    """Open the app at an address, drawn."""
    watched = Watched(browser)
    watched.page.goto(address)
    expect(sidebar(watched.page).get_by_text("Main inputs", exact=True)).to_be_visible()
    watched.settle()
    return watched


def dress(page: Page, label: str) -> Locator:
    """Return the box of an input, whose class says to which session of the server it belongs."""
    return field(page, label).locator("xpath=ancestor::*[contains(@class, 'st-key-')][1]")


def test_a_listed_project_is_selected_for_its_actions_and_opened_by_its_title(
    browser: Browser, store: Path
) -> None:
    with served() as address:
        watched = come(browser, address)
        page = watched.page
        enter(page, "Number of GPUs", "2000")
        is_saved(page, 2)
        visit(page, "Library")
        rows = page.get_by_role("grid", name="Projects").get_by_role("row")
        mine = rows.filter(has_text="2,000 H100 SXM5")
        expect(mine).to_have_count(1)
        mine.get_by_role("gridcell").nth(1).click()
        expect(page.get_by_role("button", name="Continue", exact=True)).to_be_visible()
        page.get_by_role("button", name="Duplicate", exact=True).click()
        expect(mine).to_have_count(2)
        page.get_by_role("columnheader", name="Saved").click()
        example = page.get_by_role("grid", name="Examples").get_by_role("gridcell").first
        example.click()
        expect(field(page, "Number of GPUs")).not_to_have_value("2000")
        visit(page, "Library")
        mine.first.get_by_role("gridcell").first.click()
        expect(field(page, "Number of GPUs")).to_have_value("2000")
        watched.close()


def test_edits_stay_by_pages_reloads_and_undo(browser: Browser, store: Path) -> None:
    with served() as address:
        watched = come(browser, address)
        page = watched.page
        enter(page, "Number of GPUs", "2000")
        is_saved(page, 2)
        enter(page, "Tariff", "0.07 USD/kWh")
        is_saved(page, 3)
        page.reload()
        expect(field(page, "Tariff")).to_have_value("0.07 USD/kWh")
        page.evaluate(SPINNERS)
        visit(page, "Studies")
        watched.settle()
        visit(page, "Design")
        expect(field(page, "Number of GPUs")).to_have_value("2000")
        expect(field(page, "Tariff")).to_have_value("0.07 USD/kWh")
        enter(page, "Number of GPUs", "70000")  # which takes long enough for a spinner
        is_saved(page, 4)
        assert not any(page.evaluate("window.spinners")), "a spinner stands over text"
        enter(page, "Tariff", "0.09 USD/kWh")
        is_saved(page, 5)
        undo = page.get_by_role("button", name="Undo", exact=True)
        undo.click()
        expect(field(page, "Tariff")).to_have_value("0.07 USD/kWh")
        is_saved(page, 6)
        undo.click()
        expect(field(page, "Number of GPUs")).to_have_value("2000")
        is_saved(page, 7)
        page.reload()
        expect(field(page, "Number of GPUs")).to_have_value("2000")
        page.get_by_role("button", name="Redo", exact=True).click()
        is_saved(page, 8)
        undo.click()
        is_saved(page, 9)
        expect(field(page, "Tariff")).to_have_value("0.07 USD/kWh")
        watched.close()
    found = stored(store)
    assert found.it.gpus == 2000
    assert found.site.tariff.text == "0.07 USD/kWh"  # type: ignore[union-attr]


def test_what_was_called_saved_is_there_after_a_kill_of_the_server(
    browser: Browser, store: Path
) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with started(port) as server:
        try:
            wait_for(address, server)
            watched = come(browser, address)
            page = watched.page
            enter(page, "Number of GPUs", "2000")
            is_saved(page, 2)
            enter(page, "Tariff", "lots")
            expect(page.get_by_text("'lots' is not a number with a unit").first).to_be_visible()
            is_saved(page, 2)
            (old,) = KEY.findall(dress(page, "Number of GPUs").get_attribute("class") or "")
        finally:
            os.killpg(server.pid, signal.SIGKILL)
    assert stored(store).it.gpus == 2000
    lost = page.get_by_role("alert").filter(has_text="Connection to the server lost.")
    expect(lost).to_be_visible()
    with served(port=port):
        # The page comes back by itself, with all of it, and goes on.
        expect(dress(page, "Number of GPUs")).not_to_have_class(re.compile(re.escape(old)))
        expect(field(page, "Number of GPUs")).to_have_value("2000")
        expect(field(page, "Tariff")).to_have_value("lots")
        expect(lost).to_have_count(0)
        enter(page, "Number of GPUs", "3000")
        is_saved(page, 3)
        page.reload()
        expect(field(page, "Number of GPUs")).to_have_value("3000")
        expect(field(page, "Tariff")).to_have_value("lots")
        watched.context.close()
    assert stored(store).it.gpus == 3000


def second_writer(browser: Browser, address: str) -> tuple[Watched, Watched]:
    """Return two people on one project, of whom the second writes on an old revision."""
    first = come(browser, address)
    enter(first.page, "Number of GPUs", "2000")
    is_saved(first.page, 2)
    first.page.wait_for_url(re.compile(r"[?&]p="))
    second = come(browser, first.page.url)
    expect(field(second.page, "Number of GPUs")).to_have_value("2000")
    enter(first.page, "Number of GPUs", "4000")
    is_saved(first.page, 3)
    told = second.page.get_by_text("A newer revision exists: revision 3")
    expect(told).to_be_visible(timeout=NEWS_MS)
    enter(first.page, "Country", "US")
    is_saved(first.page, 4)
    enter(second.page, "Number of GPUs", "500")
    told = second.page.get_by_text(
        "Conflict: another user saved first. Your edits are not saved yet."
    )
    expect(told).to_be_visible()
    expect(second.page.get_by_text("Revision 4 was saved by")).to_be_visible()
    return first, second


def test_the_second_writer_is_told_and_merges_by_field(browser: Browser, store: Path) -> None:
    with served() as address:
        first, second = second_writer(browser, address)
        page = second.page
        page.get_by_text("Merge by field").click()
        expect(page.get_by_text("Both users changed these fields")).to_be_visible()
        expect(page.get_by_text("it.gpus", exact=True)).to_be_visible()
        page.get_by_label("Value").first.click()
        page.get_by_role("option", name="My version: 500").click()
        page.get_by_role("button", name="Merge and save").click()
        is_saved(page, 5)
        expect(field(page, "Number of GPUs")).to_have_value("500")
        expect(field(page, "Country")).to_have_value("US")
        expect(first.page.get_by_text("A newer revision exists: revision 5")).to_be_visible()
        first.page.get_by_role("button", name="Show new revision").click()
        expect(field(first.page, "Number of GPUs")).to_have_value("500")
        first.close()
        second.close()
    found = stored(store)
    assert (found.it.gpus, found.site.country) == (500, "US")


def test_the_second_writer_keeps_a_branch(browser: Browser, store: Path) -> None:
    with served() as address:
        first, second = second_writer(browser, address)
        before = first.page.url
        second.page.get_by_role("button", name="Save mine as a copy").click()
        is_saved(second.page, 1)
        second.page.wait_for_function("(old) => location.href !== old", arg=before)
        second.page.reload()
        expect(field(second.page, "Number of GPUs")).to_have_value("500")
        first.page.reload()
        expect(field(first.page, "Number of GPUs")).to_have_value("4000")
        first.close()
        second.close()
    with open_store(store) as opened:
        library = opened.library("tests", unrestricted=True)
        origins = {entry.origin for entry in library.entries()}
        assert len(origins) == 2
        assert None in origins
