"""The app in a real browser: its server, a page that is watched, and the way to another page."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.tools.browser import program

HERE = Path(__file__).parent
MEASURES = (HERE / "page_measures.js").read_text(encoding="utf-8")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
KNOWN = re.compile(
    # Streamlit asks beside a page's own address first, where it is not the first page's.
    r"/[\w-]+/_stcore/(health|host-config)$"
    # A page that is left may have something to send yet.
    r"|^Cannot send rerun backMessage when disconnected"
    # A button looks for its file once more after a rerun has made another one.
    r"|^Failed to load resource.*404.* http://[^ ]+/media/\w+$|^Client Error: Download Button sour"
)
# A page that comes late under load is no fault; one that never comes is. The longest wait, all
# studies of 10,000 GPUs, is 10 s on two idle processors: so many times as long is allowed.
PATIENCE_MS = 120_000
WRITING_MS = 180_000
"""Patience with a workbook or a set of sheets, which take all studies and then their writing."""
expect.set_options(timeout=PATIENCE_MS)
DRAWN = """(count) => [...document.querySelectorAll('*')]
    .filter((element) => element.shadowRoot?.querySelector('[data-drawn]')).length >= count"""

GROUND = """(scheme) => {
    const app = getComputedStyle(document.querySelector('[data-testid=stApp]'));
    return (parseInt(app.backgroundColor.slice(4)) > 128) === (scheme === 'light');
}"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + PATIENCE_MS / 1000.0
    while time.monotonic() < ends:
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


SCRIPT_OPTIONS = {
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "runner.fastReruns": "false",
}
"""Settings under which `facility app` runs, for a page that a test has of its own."""


def started(port: int, *options: str, script: Path | None = None) -> subprocess.Popen[bytes]:
    """Start the app as `facility app` does, or a script, in a group of processes of its own."""
    start = "from facility.cli.main import main; main()"
    command = [sys.executable, "-c", start, "app", "--port", str(port), *options]
    if script is not None:
        command = [sys.executable, "-m", "streamlit", "run", str(script)]
        settings = {"server.port": str(port)} | SCRIPT_OPTIONS
        command += [part for name, value in settings.items() for part in (f"--{name}", value)]
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, stderr=silent, stdout=silent, start_new_session=True)


@contextmanager
def served(*options: str, port: int = 0, script: Path | None = None) -> Iterator[str]:
    """Serve the app or a script, and give its address; nothing is left on its port."""
    port = port or free_port()
    with started(port, *options, script=script) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)
    with socket.socket() as listener:
        assert listener.connect_ex(("127.0.0.1", port)) != 0


@contextmanager
def chromium() -> Iterator[Browser]:
    """Open a browser."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program(), args=ARGUMENTS)
        yield opened
        opened.close()


class Watched:
    """A page, with the errors and the requests it made."""

    def __init__(self, browser: Browser, width: int = 1400, scheme: str = "light") -> None:
        # What turns while it is waited for is drawn sixty times a second, as much work as all else.
        self.context = browser.new_context(
            accept_downloads=True,
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.received_bytes = 0  # By HTTP, headers and compression as sent
        self.devtools = self.context.new_cdp_session(self.page)
        self.devtools.send("Network.enable")
        self.devtools.on("Network.loadingFinished", self._received)
        self.come(None, width, scheme)

    def come(self, address: str | None, width: int = 1400, scheme: str = "light") -> None:
        """Look at an address anew, on a screen of this width and dressed like this."""
        self.errors.clear()
        self.foreign.clear()
        self.resize(width)
        self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if address is not None:
            self.page.goto(address)

    def resize(self, width: int, zoom: int = 1) -> None:
        """Give the window so many pixels of the page, each as large as `zoom` makes it."""
        self.page.set_viewport_size({"width": width, "height": 900})
        # Always: what was set once here outlasts the size of the window.
        metrics = {"width": width, "height": 900, "deviceScaleFactor": zoom, "mobile": False}
        self.devtools.send("Emulation.setDeviceMetricsOverride", metrics)

    def _heard(self, message: ConsoleMessage) -> None:
        said = f"{message.text} {message.location['url']}"
        if message.type == "error" and not KNOWN.search(said):
            self.errors.append(said)

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.foreign.append(url)

    def _received(self, event: dict[str, int]) -> None:
        self.received_bytes += event["encodedDataLength"]

    def settle(self, charts: int = 0) -> None:
        """Wait until the script has run and so many charts are drawn."""
        app = self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
        # Before its first run begins, the script does not run either.
        self.page.locator("[data-testid=stElementContainer]").first.wait_for(state="attached")
        self.page.wait_for_function(DRAWN, arg=charts, polling=100)
        for _ in range(100):  # the dress of the page comes after its charts
            app.wait_for()
            self.page.wait_for_timeout(150)
            if app.count():
                return
        raise AssertionError("the page does not come to rest")

    def dress(self, scheme: str) -> None:
        """Turn the page light or dark, and wait until its ground is."""
        self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        self.page.wait_for_function(GROUND, arg=scheme, polling=50)

    def is_sound(self) -> None:
        assert self.errors + self.foreign == [], (self.errors, self.foreign)

    def close(self) -> None:
        self.is_sound()
        self.context.close()


def visit(page: Page, place: str, view: str = "") -> None:
    """Go to a place by the menu of a wide screen, and to one of its views by the sidebar."""
    menu = page.get_by_role("navigation", name="App pages")
    link = menu.get_by_role("link", name=re.compile(f"^{place}"))
    link.click()
    expect(link).to_have_attribute("aria-current", "page")
    if view:
        sidebar(page).get_by_role("button", name=re.compile(f"^{view}")).click()


def sidebar(page: Page) -> Locator:
    return page.get_by_role("region", name="Sidebar")


def look_at(page: Page, name: str = "", view: str = "") -> None:
    """Select an object in the tree of Design, the site if none is named, and one of its views."""
    tree = page.get_by_role("treegrid", name="Objects of the design")
    tree.get_by_role("row", name=re.compile(f"^{name}")).first.click()
    if view:
        page.get_by_role("radio", name=view, exact=True).click()


def find(page: Page, tag: str) -> None:
    """Select an object of the power network in Design by the search, once it can be found."""
    expect(page.get_by_role("combobox", name="State", exact=True)).to_be_visible()
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Words to find")
    expect(box).to_be_focused()
    page.keyboard.type(tag)
    expect(page.get_by_role("option").first).to_contain_text(re.compile(f"^Object *{tag}"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=tag, exact=True)).to_be_visible()


def field(page: Page, label: str) -> Locator:
    """Return one of the main inputs in the sidebar of Design, where they are opened."""
    found = sidebar(page).get_by_label(label).and_(page.locator("input")).first
    opening = sidebar(page).get_by_text("Main inputs", exact=True)
    expect(opening).to_be_visible()
    if not found.is_visible():
        opening.click()
    return found


def enter(page: Page, label: str, text: str) -> None:
    """Type into one of the main inputs."""
    field(page, label).fill(text)
    field(page, label).press("Enter")


def is_saved(page: Page, number: int) -> None:
    """Wait until the bar says that this revision is saved."""
    said = page.get_by_text(re.compile(rf"^Saved .*Revision {number}$"))
    expect(said.first).to_be_visible()


def bring(page: Page, name: str, content: bytes) -> None:
    """Import a project file in Library; a sound one is then open in Design."""
    visit(page, "Library", "Projects")
    page.get_by_role("button", name="Import a project file").click()
    files = page.locator("input[type=file]")
    files.set_input_files({"name": name, "mimeType": "text/yaml", "buffer": content})


def key_number(page: Page, title: str) -> Locator:
    """Return the value of one of the key numbers."""
    return page.get_by_role("button", name=re.compile(f"^{title}")).get_by_role("strong")


def faults(page: Page, texts: int) -> dict[str, object]:
    """Return what a reader would notice on a page of more than so many texts, once laid out."""
    left: dict[str, object] = {}
    for _ in range(20):
        found = page.evaluate(MEASURES)
        named = ("faint", "cut", "overlapping", "uneven")
        left = {name: found[name] for name in named if found[name]}
        if found["sideways"] > 0 or found["count"] <= texts:
            left |= {name: found[name] for name in ("sideways", "count")}
        if not left:
            break
        page.wait_for_timeout(500)
    return left
