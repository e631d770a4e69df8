"""The app in a real browser: first paint, pages, files, reading, and nothing from outside."""

from __future__ import annotations

import io
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import openpyxl
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from facility.files.project.file import default_project, dump_project, parse_project
from tests.ui.helpers import design_with, megawatts
from tests.ui.hostile import HOSTILE, PROJECT

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
MEASURES = (HERE / "page_measures.js").read_text(encoding="utf-8")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Streamlit asks beside a page's own address first, where the address is not the first page's.
KNOWN = re.compile(r"/[\w-]+/_stcore/(health|host-config)$")
DRAWN = """(count) => document.querySelectorAll('[data-testid=stDataFrame]').length > 0 &&
    [...document.querySelectorAll('[data-testid=stPlotlyChart]')]
    .filter((chart) => chart.querySelector('.annotation-text, .bartext')).length >= count"""
# Address of a page: its title, its charts, and how many texts it has at least, outside of tables.
PAGES = {
    "": ("Quick design", 3, 75),
    "power": ("Power", 1, 40),
    "panels": ("Panels", 1, 45),
    "cooling": ("Cooling", 1, 45),
    "compare-cooling": ("Compare cooling", 2, 50),
    "ride-through": ("Ride-through", 1, 40),
    "load-that-moves": ("Job load", 2, 40),
    "year": ("Year", 4, 60),
    "ranges": ("Ranges", 2, 20),
    "assumptions": ("Checks & assumptions", 0, 5),
}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(400):
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    port = free_port()
    start = "from facility.cli.main import main; main()"
    command = [sys.executable, "-c", start, "app", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)
    with socket.socket() as listener:  # nothing is left behind on the port
        assert listener.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for name in names if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield opened
        opened.close()


class Watched:
    """A page, with the errors and the requests it made."""

    def __init__(self, browser: Browser, width: int = 1400, scheme: str = "light") -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )  # type: ignore[arg-type]
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not KNOWN.search(message.location["url"]):
            self.errors.append(f"{message.text} {message.location['url']}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.foreign.append(url)

    def settle(self, charts: int = 0) -> None:
        """Wait until the script has run and so many charts are drawn."""
        app = self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
        app.wait_for(timeout=30_000)
        self.page.wait_for_function(DRAWN, arg=charts, timeout=30_000)
        self.page.wait_for_timeout(150)

    def close(self) -> None:
        assert not self.errors
        assert not self.foreign
        self.context.close()


@pytest.fixture
def watched(browser: Browser, address: str) -> Iterator[Watched]:
    opened = Watched(browser)
    opened.page.goto(address)
    opened.settle()
    yield opened
    opened.close()


def metric(page: Page, title: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has_text=title)
    return box.get_by_test_id("stMetricValue").inner_text()


def test_first_paint_shows_a_complete_result(browser: Browser, address: str) -> None:
    opened = Watched(browser)
    page = opened.page
    page.goto(address)
    expect(page.get_by_test_id("stMetric")).to_have_count(6, timeout=30_000)
    opened.settle(charts=3)
    assert metric(page, "Facility") == megawatts(design_with(), "load.facility")
    assert page.locator(".sankey-link").count() > 10
    for text in ("IT gives off", "air side removes", "condenser-water pumps"):
        expect(page.get_by_text(text).first).to_be_visible()
    assert page.locator(".barlayer .point").count() > 10
    expect(page.get_by_text("Checks that did not pass")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ passed$"))).to_be_visible()
    opened.close()


def test_what_is_entered_stays_refused_or_not(watched: Watched) -> None:
    page = watched.page
    before = metric(page, "Cost per month")
    tariff = page.get_by_label("Tariff")
    tariff.fill("132")
    tariff.press("Enter")
    expect(page.get_by_text("Not applied: UNIT_MISSING")).to_have_count(2)
    expect(page.get_by_text("has no unit; energy price needs one")).to_be_visible()
    watched.settle(charts=3)
    assert metric(page, "Cost per month") == before
    assert page.evaluate(MEASURES)["faint"] == []
    field = page.get_by_label("Number of GPUs")
    field.fill("2000")
    field.press("Enter")
    expected = design_with("it.gpus=2000").results["load.it"].shown()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(expected)
    page.get_by_test_id("stSidebar").get_by_text("IP", exact=True).click()
    expect(page.get_by_text("MBH").first).to_be_visible()
    page.get_by_role("link", name="Panels").click()
    expect(page.get_by_text("Worst line, normal")).to_be_visible(timeout=30_000)
    assert metric(page, "Longest circuit").endswith("ft")
    expect(page.get_by_label("Number of GPUs")).to_have_value("2000")
    expect(page.get_by_label("Tariff")).to_have_value("132")
    expect(page.get_by_text("Not applied: UNIT_MISSING")).to_have_count(2)
    page.get_by_role("link", name="Quick design").click()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(expected)
    page.goto(f"{page.url.partition('?')[0]}?units=IP")
    expect(page.get_by_text("MBH").first).to_be_visible()


def test_downloads_open(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    with page.expect_download(timeout=40_000) as workbook:
        page.get_by_role("button", name="Workbook (.xlsx)").click()
    assert workbook.value.suggested_filename == "h100-10k.xlsx"
    content = Path(workbook.value.path()).read_bytes()
    sheets = openpyxl.load_workbook(io.BytesIO(content), read_only=True).sheetnames
    assert {"Cover", "Assumptions", "RPP-A01"} <= set(sheets)
    with page.expect_download() as project:
        page.get_by_role("button", name="Project file (.yaml)").click()
    text = Path(project.value.path()).read_text(encoding="utf-8")
    assert dump_project(parse_project(text)) == dump_project(default_project())


def test_the_state_changes_the_one_line(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("link", name="Power", exact=True).click()
    drawing = page.frame_locator("iframe").locator("svg")
    expect(drawing.get_by_text("h100-10k · state: normal").last).to_be_visible(timeout=30_000)
    watched.settle(charts=1)
    expect(drawing.get_by_text("OUT", exact=True)).to_have_count(0)
    box = page.get_by_test_id("stSelectbox").filter(has_text="to choose from").locator("input")
    box.click()
    box.fill("loss of utility")
    page.get_by_role("option", name="loss of utility", exact=True).click()
    expect(drawing.get_by_text("OUT", exact=True)).to_have_count(1)
    page.get_by_role("radio", name="on battery").click()
    expect(drawing.get_by_text("not running", exact=True)).to_have_count(1)
    watched.settle(charts=1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="One-line (.svg)").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<svg ")
    assert "on battery, generators not started" in text


def test_uploaded_text_is_shown_as_written(watched: Watched) -> None:
    page = watched.page
    files = page.locator("input[type=file]")
    files.set_input_files({"name": "p.json", "mimeType": "application/json", "buffer": PROJECT})
    expect(page.get_by_text(HOSTILE, exact=False).first).to_be_visible(timeout=20_000)
    for name in ("Power", "Panels", "Checks & assumptions", "Quick design"):
        page.get_by_role("link", name=name).click()
        watched.settle()
        expect(page.get_by_text(HOSTILE, exact=False).first).to_be_visible()
        assert page.locator("a[href^=javascript]").count() == 0
        assert page.locator(".katex").count() == 0
        assert page.locator("[data-testid=stMain] b:text-is('h')").count() == 0
    files.set_input_files(
        {"name": "b.yaml", "mimeType": "text/yaml", "buffer": b"a: &a [x]\nb: *a"}
    )
    expect(page.get_by_text("Not applied: YAML_ALIAS")).to_be_visible()
    large = {"name": "l.yaml", "mimeType": "text/yaml", "buffer": b"#" * 2_000_000}
    files.set_input_files(large)
    expect(page.get_by_text(re.compile("must be 1.*MB or smaller"))).to_be_visible()


def grid_cells(page: Page, row: int, columns: int) -> list[str]:
    """Return the first cells of a row of the one grid that rows can be added to."""
    table = page.locator(".stDataFrameGlideDataEditor").first
    places = [f"[data-testid=glide-cell-{n}-{row}]" for n in range(1, columns + 1)]
    return [table.locator(place).inner_text() for place in places]


def test_a_block_is_pasted_from_the_clipboard_and_undone(watched: Watched, address: str) -> None:
    page = watched.page
    watched.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    page.get_by_role("link", name="Panels").click()
    page.get_by_role("radio", name="Own panel").click()
    bars = page.locator(".js-plotly-plot .bartext")
    expect(bars.first).to_have_text("138.5")
    assert grid_cells(page, 0, 3) == ["Cooling unit 1", "3", "9200"]
    block = f"{HOSTILE}\t3\t12000\t0.9\n=1+1\t1\t9000\t0.95"
    page.evaluate("text => navigator.clipboard.writeText(text)", block)
    # The first cell of the first row, below the heading and beside the marks of the rows.
    page.locator(".stDataFrameGlideDataEditor").first.click(position={"x": 100, "y": 48})
    page.keyboard.press("Control+v")
    expect(bars.first).not_to_have_text("138.5")
    expect(page.get_by_text("rev 1 ·")).to_be_visible()
    assert grid_cells(page, 0, 4) == [HOSTILE, "3", "12000", "0.9"]
    assert grid_cells(page, 1, 4) == ["=1+1", "1", "9000", "0.95"]
    pasted = bars.first.text_content() or ""
    page.get_by_role("button", name="Undo").click()
    expect(bars.first).to_have_text("138.5")
    expect(page.get_by_text("rev 0 ·")).to_be_visible()
    assert grid_cells(page, 0, 3) == ["Cooling unit 1", "3", "9200"]
    page.get_by_role("button", name="Redo").click()
    expect(bars.first).to_have_text(pasted)
    assert page.locator("a[href^=javascript]").count() == 0
    with page.expect_download() as saved:
        page.get_by_role("button", name="Panel schedule (.xlsx)").click()
    content = Path(saved.value.path()).read_bytes()
    assert openpyxl.load_workbook(io.BytesIO(content)).sheetnames[0] == "Schedule"


def test_circuits_of_the_design_are_typed_one_after_the_other(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("link", name="Panels").click()
    first, second = (page.get_by_test_id(f"glide-cell-0-{row}").first for row in (0, 1))
    expect(first).to_have_text("1", timeout=30_000)
    watched.settle(charts=1)
    page.locator(".stDataFrameGlideDataEditor").first.click(position={"x": 60, "y": 48})
    for number, (position, cell) in enumerate((("37", first), ("38", second)), 1):
        expect(cell).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Enter")
        page.locator("#portal input").fill(position)
        page.keyboard.press("Enter")
        expect(cell).to_have_text(position)
        # Entries made while the page is still busy become one revision: let each become its own.
        expect(page.get_by_text(f"rev {number} ·")).to_be_visible(timeout=30_000)
        watched.settle(charts=1)
    expect(first).to_have_text("37")
    page.get_by_role("link", name="Quick design").click()
    watched.settle(charts=3)
    page.get_by_role("link", name="Panels").click()
    expect(page.get_by_test_id("glide-cell-0-9").first).to_have_text("38")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("glide-cell-0-9").first).to_have_text("37")


def test_an_hour_is_clicked_and_opened_in_the_cooling(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("link", name="Year", exact=True).click()
    number = page.get_by_label("Hour of the year")
    expect(number).to_be_visible(timeout=30_000)
    watched.settle(charts=4)
    before = int(number.input_value())
    plot = page.locator("[data-testid=stPlotlyChart]").first.locator(".nsewdrag").first
    box = plot.bounding_box()
    assert box is not None
    # The middle of 2 July (day 183 of 365), and of its hour from 6 to 7.
    plot.click(position={"x": box["width"] * 182.5 / 365, "y": box["height"] * (1 - 6.5 / 24)})
    expect(number).not_to_have_value(str(before))
    chosen = int(number.input_value())
    assert abs(chosen // 24 - 182) <= 1
    expect(page.get_by_text(re.compile(r"^\d Jul, hour [678]: .* at the meter"))).to_be_visible()
    page.get_by_role("button", name="Open in Cooling").click()
    expect(page.get_by_role("heading", name="Cooling", exact=True)).to_be_visible()
    expect(page.get_by_label("Hour of the year")).to_have_value(str(chosen))
    watched.settle(charts=1)
    page.get_by_role("link", name="Year", exact=True).click()
    expect(page.get_by_label("Hour of the year")).to_have_value(str(chosen))


def run_ranges(page: Page) -> None:
    """Spread two inputs and run eight samples."""
    lines = page.locator("textarea")
    lines.fill("it.load_factor = 70 .. 90 %\nsite.tariff = 0.04 .. 0.06 USD/kWh")
    lines.press("Control+Enter")
    start = page.get_by_role("button", name="Run the ranges")
    expect(start).to_be_enabled(timeout=30_000)
    samples = page.get_by_role("spinbutton", name="Samples")
    samples.fill("8")
    samples.press("Enter")
    start.click()
    expect(page.get_by_text("The samples", exact=True)).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_every_page_reads_well(browser: Browser, address: str, width: int, scheme: str) -> None:
    opened = Watched(browser, width, scheme)
    for path, (title, charts, texts) in PAGES.items():
        if path and width > 1000:
            opened.page.get_by_role("link", name=title, exact=True).click()
        else:
            opened.page.goto(f"{address}/{path}")
        heading = opened.page.get_by_role("heading", name=title, exact=True)
        expect(heading).to_be_visible(timeout=30_000)
        if path == "compare-cooling":
            opened.page.get_by_role("button", name="Compare five ways to cool").click()
            expect(opened.page.get_by_role("tab", name="Capital cost by part")).to_be_visible(
                timeout=60_000
            )
        if path == "ranges":
            run_ranges(opened.page)
        opened.settle(charts)
        found = opened.page.evaluate(MEASURES)
        assert found["count"] > texts, path
        assert found["faint"] == [], path
        assert found["cut"] == [], path
        assert found["overlapping"] == [], path
        assert found["sideways"] <= 0, path
        if path == "panels":
            opened.page.get_by_role("radio", name="Own panel").click()
            expect(opened.page.get_by_text("Breakers to move")).to_be_visible()
            opened.settle(charts)
            found = opened.page.evaluate(MEASURES)
            assert [found[name] for name in ("faint", "cut", "overlapping")] == [[], [], []]
            assert found["sideways"] <= 0
    opened.close()


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
