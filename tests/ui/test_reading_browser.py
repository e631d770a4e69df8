"""In a browser: every view reads well, also by keyboard, magnified, on a phone, light and dark."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from facility.files.project.file import example_text
from facility.ui.addresses import PLACES
from tests.ui.browsing import Watched, bring, faults, find, is_saved

pytestmark = pytest.mark.browser

VIEWS = {
    "/?view=summary": 3,
    "/?view=inputs": 0,
    "/?view=one-line": 0,
    "/?view=outages": 1,
    "/?view=hall": 0,
    "/?view=cooling": 0,
    "/?view=panels": 0,
    "/?o=COOLING#Air and tables": 1,
    "/?o=POWER#Equipment": 0,
    "/?o=POWER#Models": 0,
    "/?o=POWER#All panels": 0,
    "/?o=RPP-A01#Import panels": 0,
    "/?o=IT#Rack list": 0,
    "/studies?view=year": 4,
    "/studies?view=failures": 0,
    "/studies?view=ride-through": 1,
    "/studies?view=cooling": 2,
    "/studies?view=scenarios": 1,
    "/studies?view=job-load": 2,
    "/studies?view=meter-logs": 0,
    "/checks?view=checks": 0,
    "/checks?view=assumptions": 0,
    "/documents?view=set": 0,
    "/library?view=projects": 0,
    "/library?view=revisions": 0,
    "/library?view=equipment": 0,
    "/start?view=new": 0,
    "/start?view=import": 0,
}
"""Charts of each view, by its address, to which a view of an object adds its name."""
LONG = ("/studies?view=ranges", "/studies?view=sweep")
"""Views whose result takes minutes: read while it is made."""
REPORTED_MS = 2_000
"""Time in which a page reports its width and scheme, after which the server draws it once more."""
WIDE_PX = 1400
ZOOMED_PX, ZOOM = 720, 2
"""Width of a window of 1440 px at 200 %."""
EXEMPT = {
    # Streamlit makes the section of its uploader a stop of the keyboard, and gives it no role.
    ("presentation-role-conflict", "stFileUploaderDropzone"),
    # Streamlit's own skip link stands outside of all landmarks, and its target takes no focus.
    ("region", "stSkipToContent"),
    ("skip-link", "stSkipToContent"),
}
"""Rules of axe-core that an element of Streamlit breaks, by the words that name the element."""


@pytest.fixture(scope="module")
def project(_page: Watched, address: str) -> str:
    """Return the id of a project of two halls, which all views are of."""
    _page.come(address)
    bring(_page.page, "p.yaml", example_text("mixed-hall").encode())
    is_saved(_page.page, 1)
    _page.page.wait_for_url(re.compile(r"[?&]p="))
    return re.search(r"[?&]p=([\w-]+)", _page.page.url)[1]  # type: ignore[index]


def violations(page: Page, *, colours_alone: bool = False) -> list[str]:
    """Return the rules of axe-core that the page breaks, each with its elements."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"]}
    if colours_alone:
        options["runOnly"] = ["color-contrast"]
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{rule['id']}: {node['html'][:160]}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if not any(rule["id"] == id and name in node["html"] for id, name in EXEMPT)
    ]


@pytest.mark.parametrize("view", [*VIEWS, *LONG])
def test_every_view_reads_well(visitor: Watched, address: str, project: str, view: str) -> None:
    """Also in a window that becomes narrow, is magnified, and turns dark as the system does."""
    page, schemes = visitor.page, ["light", "dark"]
    path, _, title = view.partition("#")
    visitor.come(f"{address}{path}&p={project}")
    if title:
        page.get_by_role("radio", name=title, exact=True).click()
    for width, zoom in ((WIDE_PX, 1), (ZOOMED_PX, ZOOM), (390, 1)):
        visitor.resize(width, zoom)
        for scheme in schemes:
            visitor.dress(scheme)
            if view in VIEWS:
                expect(page.get_by_role("progressbar", name="progress")).to_have_count(0)
            visitor.settle(VIEWS.get(view, 0))
            where = f"{width} px, {scheme}"
            assert faults(page, texts=8) == {}, where
            if scheme == schemes[0]:
                assert violations(page) == [], where
            elif width == WIDE_PX:  # colours are the same at every width
                assert violations(page, colours_alone=True) == [], where
        schemes.reverse()


def test_the_key_numbers_stand_in_rows_that_are_alike_in_ip(visitor: Watched, address: str) -> None:
    visitor.come(f"{address}/?view=summary&units=ip")
    for width in (1400, 1100, 390):
        visitor.resize(width)
        visitor.settle(charts=3)
        expect(visitor.page.get_by_text("MBH").first).to_be_visible()
        found = faults(visitor.page, texts=75)
        wrong = {name: found[name] for name in ("uneven", "cut", "faint") if name in found}
        assert wrong == {}, width


FOCUS = """async () => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const outer = [];
    for (let one = at; one && outer.length < 9; one = one.parentElement || one.getRootNode().host)
        outer.push(one);
    // A table or a tree marks the cell or row that its keys act on.
    const chosen = at.querySelectorAll('[aria-selected=true], [aria-selected=true] *');
    outer.push(...[...chosen].slice(0, 9));
    const looks = () => outer.map((one) => {
        const style = getComputedStyle(one);
        const outline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
        return [outline && style.outlineColor, style.boxShadow, style.borderColor,
            style.backgroundColor].join();
    });
    const box = at.getBoundingClientRect();
    const seen = box.bottom > 0 && box.top < innerHeight && box.width > 0;
    const focused = looks();
    at.blur();
    await new Promise((drawn) => setTimeout(drawn, 60));
    const left = looks();
    at.focus({ preventScroll: true });
    const marked = focused.some((look, n) => look !== left[n]);
    const name = at.ariaLabel || at.textContent.trim() || at.placeholder || at.tagName;
    return [name.slice(0, 60), at.tagName, marked && seen];
}"""
"""Name of what has the focus, and whether it is seen, and looks other than without the focus."""


def tab_to(page: Page, name: str, within: int = 120) -> None:
    """Go on by the tabulator to what is called so; each stop must be seen, and none may hold."""
    before = ""
    for _ in range(within):
        page.keyboard.press("Tab")
        found, tag, marked = page.evaluate(FOCUS)
        if tag in ("BODY", "MAIN"):  # the window, and the page that it scrolls
            continue
        assert marked, f"the focus is not seen on {tag} {found!r}"
        assert (found, tag) != before or tag == "BUTTON", f"the focus stays on {tag} {found!r}"
        before = (found, tag)
        if re.search(name, found):
            return
    raise AssertionError(f"{name} is not reached")


def test_a_design_is_changed_and_checked_by_keyboard_alone(visitor: Watched, address: str) -> None:
    page = visitor.page
    visitor.come(address)
    visitor.settle(charts=3)
    find(page, "UPS-B1")
    visitor.settle()
    page.add_style_tag(content="* { transition: none !important }")  # looks are compared at once
    tab_to(page, "^Battery autonomy")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Value")).to_be_visible()
    visitor.settle()
    tab_to(page, "^Value$")
    page.keyboard.type("12 min")
    page.keyboard.press("Enter")
    is_saved(page, 2)
    visitor.settle()
    page.keyboard.press("Tab")
    page.keyboard.press("Control+z")
    is_saved(page, 3)
    page.keyboard.press("Tab")
    page.keyboard.press("g")
    page.keyboard.press("c")
    first = page.get_by_role("navigation", name="Checks").get_by_role("button").first
    expect(first).to_be_visible()
    visitor.settle()
    title = first.inner_text().splitlines()[0]
    tab_to(page, f"^(warning|violation)?{re.escape(title)}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_the_search_opens_by_its_keys_in_every_place(visitor: Watched, address: str) -> None:
    page = visitor.page
    for path, width in (("", 720), ("start", 1400), ("library", 390), ("checks", 390)):
        visitor.come(f"{address}/{path}", width)
        visitor.settle()
        page.wait_for_timeout(REPORTED_MS)
        visitor.settle()
        page.keyboard.press("Control+k")
        expect(page.get_by_role("combobox", name="Words to find")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_menu_of_a_phone_lists_every_place_and_closes_on_a_choice(
    visitor: Watched, address: str
) -> None:
    page = visitor.page
    visitor.come(f"{address}/studies?view=year", 390)
    visitor.settle()
    menu = page.get_by_role("button", name="Menu", exact=True)
    places = page.get_by_role("navigation", name="App pages").get_by_role("link")
    studies = page.get_by_role("navigation", name="Studies").get_by_role("button")
    menu.click()
    expect(page.get_by_role("button", name="Close menu")).to_be_visible()
    assert [re.sub(r"\W*\d*$", "", text) for text in places.all_inner_texts()] == [*PLACES.values()]
    page.get_by_role("button", name="Close menu").click()
    for chosen, title in (
        (studies.filter(has_text="Meter logs"), "Meter logs"),
        (places.filter(has_text="Documents"), "Issue revision B"),
    ):
        menu.click()
        chosen.click()
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(menu).to_be_visible()
        expect(places.first).not_to_be_in_viewport()
        page.wait_for_function(
            "document.elementFromPoint(195, 450)?.closest('[data-testid=stMain]') !== null"
        )
