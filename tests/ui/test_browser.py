"""The app in a real browser: first paint, pages, files, reading, and nothing from outside."""

from __future__ import annotations

import io
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import openpyxl
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from facility.files.project.file import (
    apply_sets,
    default_project,
    dump_project,
    example_text,
    parse_project,
)
from facility.study.design.design import design
from facility.study.failures.study import failures
from facility.ui.server.headers import security_headers
from tests.ui.browsing import Watched, bring, choose_by_phone, faults, metric, served, visit
from tests.ui.helpers import design_with, megawatts
from tests.ui.hostile import HOSTILE, PROJECT

pytestmark = pytest.mark.browser

# Address of a page: its title, its charts, and how many texts it has at least, outside of tables.
PAGES = {
    "projects": ("Projects", -1, 15),
    "new": ("New project", -1, 25),
    "": ("Quick design", 3, 75),
    "inputs": ("Inputs", 0, 12),
    "import": ("Import", -1, 8),
    "revisions": ("Revisions", -1, 5),
    "scenarios": ("Scenarios", 1, 35),
    "power": ("Power", 1, 40),
    "panels": ("Panels", 1, 45),
    "hall": ("Hall plan", 0, 15),
    "cooling": ("Cooling", 1, 45),
    "compare-cooling": ("Compare cooling", 2, 50),
    "ride-through": ("Ride-through", 1, 40),
    "load-that-moves": ("Job load", 2, 40),
    "year": ("Year", 4, 60),
    "meter-logs": ("Meter logs", -1, 5),
    "ranges": ("Ranges", 2, 20),
    "sweep": ("Sweep", 0, 30),
    "checks": ("Checks", 0, 4),
    "export": ("Export", -1, 25),
    "assumptions": ("Assumptions", 0, 3),
}
FIRST_VISIT_BYTES = 2_000_000


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture
def watched(request: pytest.FixtureRequest, visitor: Watched, address: str) -> Watched:
    """Give the app at the page of this address, the first if none is given, once it is drawn."""
    path = getattr(request, "param", "")
    visitor.come(f"{address}/{path}")
    visitor.settle(min(0, PAGES.get(path, ("", 0, 0))[1]))
    return visitor


def test_first_paint_shows_a_complete_result(browser: Browser, address: str) -> None:
    """With the headers of the server, and in less than 2 MB."""
    opened = Watched(browser)
    page = opened.page
    answer = page.goto(address)
    assert answer is not None
    assert {name.lower(): text for name, text in security_headers().items()}.items() <= (
        answer.headers.items()
    )
    expect(page.get_by_test_id("stMetric")).to_have_count(6)
    opened.settle(charts=3)
    assert 1_000_000 < opened.received_bytes < FIRST_VISIT_BYTES
    assert metric(page, "Facility load") == megawatts(design_with(), "load.facility")
    assert page.locator(".st-key-power-flow .shapes path").count() > 10
    for text in ("IT heat", "Heat to air", "condenser-water pumps"):
        expect(page.get_by_text(text).first).to_be_visible()
    assert page.locator(".st-key-pue-stack .shapes rect").count() > 10
    expect(page.get_by_text("Findings, worst first")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ passed$")).first).to_be_visible()
    opened.close()


def test_what_is_entered_stays_refused_or_not(watched: Watched) -> None:
    page = watched.page
    before = metric(page, "Average monthly cost")
    tariff = page.get_by_label("Tariff")
    tariff.fill("132")
    tariff.press("Enter")
    expect(page.get_by_text("Not applied", exact=True)).to_have_count(2)
    expect(page.get_by_text("has no unit; energy price needs one")).to_be_visible()
    watched.settle(charts=3)
    assert metric(page, "Average monthly cost") == before
    assert "faint" not in faults(page, 0)
    field = page.get_by_label("Number of GPUs")
    field.fill("2000")
    field.press("Enter")
    expected = design_with("it.gpus=2000").results["load.it"].shown()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(expected)
    page.get_by_test_id("stSidebar").get_by_text("IP", exact=True).click()
    expect(page.get_by_text("MBH").first).to_be_visible()
    visit(page, "Panels")
    expect(page.get_by_text("Worst line, normal", exact=True)).to_be_visible()
    assert metric(page, "Longest circuit").endswith("ft")
    expect(page.get_by_label("Number of GPUs")).to_have_value("2000")
    expect(page.get_by_label("Tariff")).to_have_value("132")
    expect(page.get_by_text("Not applied", exact=True)).to_have_count(2)
    visit(page, "Summary")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(expected)
    page.goto(f"{page.url.partition('?')[0]}?units=ip")
    expect(page.get_by_text("MBH").first).to_be_visible()


def test_escape_clears_no_choice(watched: Watched) -> None:
    page = watched.page
    boxes = page.get_by_test_id("stSidebar").get_by_role("combobox")
    expect(boxes.first).to_be_visible()
    watched.settle(charts=3)
    before = [boxes.nth(n).input_value() for n in range(boxes.count())]
    said = page.get_by_text(re.compile(r"^(Example|Saved.* · Revision \d+)$")).first.inner_text()
    assert len(before) == 4
    for number in range(len(before)):
        boxes.nth(number).click()
        for _ in range(3):
            page.keyboard.press("Escape")
    watched.settle(charts=3)
    assert [boxes.nth(n).input_value() for n in range(boxes.count())] == before
    expect(page.get_by_text(said, exact=True).first).to_be_visible()


def test_downloads_open(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    with page.expect_download() as workbook:
        page.get_by_role("button", name="Workbook (.xlsx)").click()
    assert workbook.value.suggested_filename == "h100-10k.xlsx"
    content = Path(workbook.value.path()).read_bytes()
    sheets = openpyxl.load_workbook(io.BytesIO(content), read_only=True).sheetnames
    assert {"Cover", "Assumptions", "RPP-A01"} <= set(sheets)
    with page.expect_download() as project:
        page.get_by_role("button", name="Download project file (.yaml)").click()
    text = Path(project.value.path()).read_text(encoding="utf-8")
    assert dump_project(parse_project(text)) == dump_project(default_project())


def choose_state(page: Page, words: str) -> None:
    """Type a state, and take the highlighted entry."""
    box = page.get_by_role("combobox", name="State")
    box.click()
    box.fill(words)
    expect(page.get_by_role("option").first).to_contain_text(words)
    page.keyboard.press("Enter")
    expect(box).to_have_value(re.compile(f"^{re.escape(words)}"))


@pytest.mark.parametrize("watched", ["power"], indirect=True)
def test_the_state_changes_the_one_line(watched: Watched) -> None:
    page = watched.page
    drawing = page.locator(".stage .picture")
    expect(drawing.get_by_text("A1", exact=True)).to_be_visible()
    watched.settle()
    expect(drawing.get_by_text("out of service")).to_have_count(0)
    choose_state(page, "Loss of utility")
    expect(drawing.get_by_text("out of service")).to_have_count(1)
    page.get_by_role("radio", name="On battery").click()
    expect(drawing.get_by_text("batt.").first).to_be_visible()


def test_a_circuit_that_is_lost_drops_the_racks_that_the_failures_say(watched: Watched) -> None:
    page = watched.page
    fragile = parse_project(example_text("mixed-hall"))
    fragile = apply_sets(fragile, ["power.redundancy=N+1", "power.ups.buses=2"])
    states = {s.case.outage.id: s for s in failures(design(fragile)).states}
    expected = len(states["loss of TX-11>LVB-11"].racks)
    bring(page, "p.yaml", dump_project(fragile).encode())
    watched.settle()
    visit(page, "One-line")
    dropped = page.locator(".strip .cell").filter(has_text="Racks dropped")
    expect(dropped).to_contain_text("0 of 24")
    choose_state(page, "Loss of circuit TX-11>LVB-11")
    expect(dropped).to_contain_text(f"{expected} of 24")
    page.get_by_role("button", name="Hall plan", exact=True).last.click()
    crossed = page.locator('.stage .picture polyline[stroke="var(--over)"]')
    expect(crossed).to_have_count(2 * expected)


@pytest.mark.parametrize("left_after_ms", [0, 200, 400])
def test_a_page_left_at_once_changes_nothing_of_the_project_that_was_opened(
    watched: Watched, left_after_ms: int
) -> None:
    """What the inputs of the page held before is sent once more, and is no edit."""
    page = watched.page
    bring(page, "two-halls.yaml", example_text("mixed-hall").encode())
    expect(page.get_by_role("heading", name="Quick design")).to_be_visible()
    page.wait_for_timeout(left_after_ms)  # the project is open, and not all of the page drawn
    visit(page, "One-line")
    expect(page.get_by_text(re.compile("Saved .*Revision 1$")).first).to_be_visible()
    watched.settle(charts=1)
    expect(page.get_by_text(re.compile("Saved .*Revision 1$")).first).to_be_visible()
    expect(page.get_by_text("Not applied")).to_have_count(0)
    expect(page.get_by_label("Weather station")).to_have_value("chicago")


def test_what_was_undone_stays_undone_when_the_page_is_left_at_once(watched: Watched) -> None:
    page, undo = watched.page, watched.page.get_by_role("button", name="Undo", exact=True)
    gpus = page.get_by_label("Number of GPUs")
    expect(gpus).not_to_have_value("")
    before = gpus.input_value()
    for _ in range(2):
        gpus.fill("2048")
        gpus.press("Enter")
        expect(page.get_by_text(re.compile("Saved .*Revision [24]$")).first).to_be_visible()
        watched.settle()
        undo.click()
        visit(page, "One-line")
        visit(page, "Summary")
        expect(page.get_by_text(re.compile("Saved .*Revision [35]$")).first).to_be_visible()
        watched.settle(charts=3)
        expect(gpus).to_have_count(1)  # for a moment the page left stands beside its next showing
        expect(gpus).to_have_value(before)
        assert page.get_by_role("button", name="Redo", exact=True).is_enabled()


def test_uploaded_text_is_shown_as_written(watched: Watched) -> None:
    page = watched.page
    bring(page, "p.json", PROJECT)
    expect(page.get_by_text(HOSTILE, exact=False).first).to_be_visible()
    for name in ("Power", "Panels", "Assumptions", "Quick design"):
        visit(page, name)
        watched.settle()
        expect(page.get_by_text(HOSTILE, exact=False).first).to_be_visible()
        assert page.locator("a[href^=javascript]").count() == 0
        assert page.locator(".katex").count() == 0
        assert page.locator("[data-testid=stMain] b:text-is('h')").count() == 0
    bring(page, "b.yaml", b"a: &a [x]\nb: *a")
    expect(page.get_by_text("Action not completed")).to_be_visible()
    expect(page.get_by_text("YAML_ALIAS", exact=True)).to_be_visible()
    visit(page, "Summary")
    watched.settle()
    bring(page, "l.yaml", b"#" * 2_000_000)
    expect(page.get_by_text(re.compile("must be 1.*MB or smaller"))).to_be_visible()


@pytest.mark.parametrize("watched", ["panels"], indirect=True)
def test_circuits_of_the_design_are_typed_one_after_the_other(watched: Watched) -> None:
    page = watched.page
    grid = page.get_by_role("grid", name="Circuits of panel")

    def position(circuit: str) -> Locator:
        return grid.get_by_role("row").filter(has_text=circuit).get_by_role("gridcell").first

    expect(position("Compute 001:")).to_have_text("1")
    watched.settle(charts=1)
    position("Compute 001:").click()
    for number, (text, circuit) in enumerate((("37", "001:"), ("38", "002:")), 1):
        expect(position(f"Compute {circuit}")).to_have_attribute("aria-selected", "true")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(position(f"Compute {circuit}")).to_have_text(text)
        # Entries made while the page is still busy become one revision: let each become its own.
        saved = page.get_by_text(re.compile(f"Saved .*Revision {number + 1}$")).first
        expect(saved).to_be_visible()
        watched.settle(charts=1)
    visit(page, "Summary")
    watched.settle(charts=3)
    visit(page, "Panels")
    expect(position("Compute 002:")).to_have_text("38")
    page.get_by_role("button", name="Undo").click()
    expect(position("Compute 002:")).to_have_text("2")
    expect(position("Compute 001:")).to_have_text("37")


@pytest.mark.parametrize("watched", ["year"], indirect=True)
def test_an_hour_is_clicked_and_opened_in_the_cooling(watched: Watched) -> None:
    page = watched.page
    number = page.get_by_label("Hour of the year")
    expect(number).to_be_visible()
    watched.settle(charts=4)
    before = int(number.input_value())
    cells = page.locator("[data-chart] .cells").first
    box = cells.bounding_box()
    assert box is not None
    # The middle of 2 July (day 183 of 365), and of its hour from 6 to 7.
    x, y = box["x"] + box["width"] * 182.5 / 365, box["y"] + box["height"] * (1 - 6.5 / 24)
    page.mouse.click(x, y)
    expect(number).not_to_have_value(str(before))
    chosen = int(number.input_value())
    assert abs(chosen // 24 - 182) <= 1
    expect(page.get_by_text(re.compile(r"^\d Jul, hour [678]: .* at the meter"))).to_be_visible()
    page.get_by_role("button", name="Open hour in Cooling").click()
    expect(page.get_by_role("heading", name="Cooling", exact=True)).to_be_visible()
    expect(page.get_by_label("Hour of the year")).to_have_value(str(chosen))
    watched.settle(charts=1)
    visit(page, "Year")
    expect(page.get_by_label("Hour of the year")).to_have_value(str(chosen))


def test_a_number_is_asked_about_by_keyboard_cell_bar_and_words(watched: Watched) -> None:
    page = watched.page
    drawer = page.get_by_role("dialog")
    page.get_by_role("button", name="Explain Facility").focus()
    page.keyboard.press("Enter")
    expect(drawer.get_by_text("load.facility = ")).to_be_visible()
    drawer.get_by_role("button", name="Losses, meter to equipment").click()
    expect(drawer.get_by_text("load.losses = ")).to_be_visible()
    drawer.get_by_role("button", name="Facility").first.click()
    drawer.get_by_role("button", name="PUE, design hour").click()
    expect(drawer.locator(".katex").first).to_be_visible()
    assert "faint" not in faults(page, 0)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.settle(charts=3)
    page.keyboard.press("Control+k")
    box = drawer.get_by_role("searchbox")
    expect(box).to_be_focused()
    page.keyboard.type("generator ratng")
    drawer.get_by_role("button", name="Generator rating", exact=True).click()
    expect(drawer.get_by_text("generator.rating = ")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.settle(charts=3)
    page.locator(".st-key-pue-stack .plot").focus()
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".st-key-pue-stack .tip")).to_have_text(re.compile(r"^Chillers \+0\.1"))
    page.keyboard.press("Enter")
    expect(drawer.get_by_text("pue.part.cooling.chillers = ")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.settle(charts=3)
    page.get_by_role("grid").get_by_role("row", name="IT energy").first.locator(".right").click()
    expect(drawer.get_by_text("energy.annual.it = ")).to_be_visible()
    page.keyboard.press("Escape")


def run_ranges(page: Page) -> None:
    """Spread two inputs, cancel a long run, and run eight samples."""
    lines = page.locator("textarea")
    lines.fill("it.load_factor = 70 .. 90 %\nsite.tariff = 0.04 .. 0.06 USD/kWh")
    lines.press("Control+Enter")
    start = page.get_by_role("button", name="Run ranges")
    expect(start).to_be_enabled()
    samples = page.get_by_role("spinbutton", name="Samples")
    samples.fill("2000")
    samples.press("Enter")
    start.click()
    page.get_by_role("button", name="Cancel", exact=True).last.click()
    expect(page.get_by_text("Ranges: cancelled.")).to_be_visible()
    samples.fill("8")
    samples.press("Enter")
    start.click()
    expect(page.get_by_text("Distribution of the samples", exact=True)).to_be_visible()


def run_sweep(page: Page) -> None:
    """Make two designs, and look at one of them."""
    lines = page.get_by_label("Fields and values")
    lines.fill("cooling.supply_air = 22, 24 degC")
    lines.press("Control+Enter")
    page.get_by_role("button", name="Run 2 designs").click()
    expect(page.get_by_text("Click a design to select it", exact=False)).to_be_visible()
    page.locator(".st-key-many-chart .plot").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Use design as project")).to_be_visible()


@pytest.mark.parametrize("width", [1400, 390])
def test_every_page_reads_well_light_and_dark(visitor: Watched, address: str, width: int) -> None:
    """A page is dressed anew where it stands, as when a system turns dark in the evening."""
    opened, schemes = visitor, ["light", "dark"]
    opened.come(address, width)
    opened.settle(charts=3)

    def reads(what: str, charts: int, texts: int) -> None:
        for scheme in schemes:
            opened.dress(scheme)
            opened.settle(charts)
            assert faults(opened.page, texts) == {}, f"{what}, {scheme}"
        schemes.reverse()

    for path, (title, charts, texts) in PAGES.items():
        if path and width > 1000:
            visit(opened.page, title)
        else:
            opened.page.goto(f"{address}/{path}")
        heading = opened.page.get_by_role("heading", name=title, exact=True)
        expect(heading).to_be_visible()
        if path == "compare-cooling":
            opened.page.get_by_role("button", name="Compare cooling methods").click()
            expect(opened.page.get_by_role("tab", name="Capital cost by component")).to_be_visible()
        if path == "ranges":
            run_ranges(opened.page)
        if path == "sweep":
            run_sweep(opened.page)
        reads(path, charts, texts)
        if path == "panels":
            opened.page.get_by_role("button", name="Balance panel", exact=True).click()
            expect(opened.page.get_by_text("Breakers to move")).to_be_visible()
            reads("panel balanced", charts, texts)


def test_the_key_numbers_stand_in_rows_that_are_alike_in_ip(visitor: Watched, address: str) -> None:
    """One row at 1400 px, beside the sidebar."""
    opened = visitor
    opened.come(f"{address}/?units=ip")
    for width in (1400, 1100, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.settle(charts=3)
        expect(opened.page.get_by_text("MBH").first).to_be_visible()
        found = faults(opened.page, 75)
        wrong = {name: found[name] for name in ("uneven", "cut", "faint") if name in found}
        assert wrong == {}, width


def test_the_menu_of_a_phone_lists_every_page_and_closes_on_a_choice(
    visitor: Watched, address: str
) -> None:
    page = visitor.page
    visitor.come(address, 390)
    visitor.settle()
    menu = page.get_by_role("button", name="Menu", exact=True)
    menu.click()
    expect(page.get_by_role("button", name="Close menu")).to_be_visible()
    links = page.get_by_test_id("stSidebarNav").get_by_role("link")
    expect(links).to_have_count(len(PAGES))
    titles = {title for title, _, _ in PAGES.values()}
    assert {text.splitlines()[-1] for text in links.all_inner_texts()} == titles
    page.get_by_role("button", name="Close menu").click()
    for title in ("Export", "Projects"):
        choose_by_phone(page, title)
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(menu).to_be_visible()
        expect(links.first).not_to_be_in_viewport()
        page.wait_for_function(
            "document.elementFromPoint(195, 450)?.closest('[data-testid=stMain]') !== null"
        )


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [("127.0.0.1", None, 101), ("evil.example", None, 403), ("127.0.0.1", "http://evil", 403)],
)
def test_only_this_machine_may_talk(
    address: str, host: str, origin: str | None, status: int
) -> None:
    port = urlsplit(address).port
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    lines += [f"Origin: {origin}"] if origin else []
    with socket.create_connection(("127.0.0.1", port or 0), timeout=10) as link:
        link.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = link.recv(64).decode("ascii", "replace")
    assert int(answer.split()[1]) == status


@pytest.mark.parametrize("watched", ["import"], indirect=True)
def test_an_inventory_is_uploaded_and_imported(watched: Watched) -> None:
    page = watched.page
    rows = "Room,Rack,Racks,Model,Devices per rack\nH1,Nodes,4,DGX H100,4\nH1,Fabric,2,QM9700,12\n"
    page.locator("input[type=file]").first.set_input_files(
        {"name": "racks.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    summary = "6 racks, 16 servers, 24 other devices, 2 models, largest rack 40.8 kW, 1 room"
    expect(page.get_by_text(summary)).to_be_visible()
    watched.settle()
    page.get_by_role("button", name="Import inventory").click()
    expect(page.get_by_text(f"Imported: {summary}.")).to_be_visible()
