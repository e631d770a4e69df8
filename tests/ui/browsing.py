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

from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

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
# Streamlit asks beside a page's own address first, where the address is not the first page's.
KNOWN = re.compile(r"/[\w-]+/_stcore/(health|host-config)$")
# A page that comes late under load is no fault; one that never comes is.
PATIENCE_MS = 120_000
expect.set_options(timeout=PATIENCE_MS)
DRAWN = """(count) => count < 0 ||
    [...document.querySelectorAll('*')]
    .some((element) => element.shadowRoot?.querySelector('[data-grid] .line')) &&
    [...document.querySelectorAll('*')]
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
    for _ in range(400):
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def started(port: int, *options: str) -> subprocess.Popen[bytes]:
    """Start the app as `facility app` does, in a group of processes of its own."""
    start = "from facility.cli.main import main; main()"
    command = [sys.executable, "-c", start, "app", "--port", str(port), *options]
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, stderr=silent, stdout=silent, start_new_session=True)


@contextmanager
def served(*options: str, port: int = 0) -> Iterator[str]:
    """Serve the app as `facility app` does, and give its address; nothing is left on its port."""
    port = port or free_port()
    with started(port, *options) as server:
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
        self.context = browser.new_context(accept_downloads=True, reduced_motion="reduce")
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.received_bytes = 0  # By HTTP, headers and compression as sent
        network = self.context.new_cdp_session(self.page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", self._received)
        self.come(None, width, scheme)

    def come(self, address: str | None, width: int = 1400, scheme: str = "light") -> None:
        """Look at an address anew, on a screen of this width and dressed like this."""
        self.errors.clear()
        self.foreign.clear()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if address is not None:
            self.page.goto(address)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not KNOWN.search(message.location["url"]):
            self.errors.append(f"{message.text} {message.location['url']}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.foreign.append(url)

    def _received(self, event: dict[str, int]) -> None:
        self.received_bytes += event["encodedDataLength"]

    def settle(self, charts: int = 0) -> None:
        """Wait until the script has run and so many charts are drawn."""
        app = self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
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
        assert not self.errors
        assert not self.foreign

    def close(self) -> None:
        self.is_sound()
        self.context.close()


VIEWS = {
    "Summary": "Design", "One-line": "Design", "Hall plan": "Design", "Cooling loops": "Design",
    "Panels": "Design", "Inputs": "Design", "New project": "Start", "Import": "Start",
    "Year": "Studies", "Ride-through": "Studies", "Job load": "Studies", "Ranges": "Studies",
    "Cooling comparison": "Studies", "Scenarios": "Studies", "Sweep": "Studies",
    "Meter logs": "Studies", "Checks": "Checks", "Assumptions": "Checks", "Documents": "Documents",
    "Projects": "Library", "Revisions": "Library", "Equipment": "Library",
}  # fmt: skip
"""Place of each view of the app."""


def visit(page: Page, title: str) -> None:
    """Go to the view called `title` by the menu of the app, on a wide screen."""
    place = VIEWS[title]
    page.get_by_test_id("stTopNav").get_by_role("link", name=re.compile(f"^{place}")).click()
    if title == "Import":
        page.get_by_role("button", name="Import into the open project").click()
    elif place not in (title, "Start"):
        page.get_by_test_id("stSidebar").get_by_role("button", name=title, exact=True).click()


def choose_by_phone(page: Page, title: str) -> None:
    """Go to the view called `title` by the menu of a narrow screen."""
    page.get_by_role("button", name="Menu", exact=True).click()
    navigation = page.get_by_test_id("stSidebarNav")
    navigation.get_by_role("link", name=re.compile(f"^{VIEWS[title]}")).click()


def bring(page: Page, name: str, content: bytes) -> None:
    """Import a project file in Library; a sound one is then open in Design."""
    visit(page, "Projects")
    page.get_by_role("button", name="Import a project file").click()
    files = page.locator("input[type=file]")
    files.set_input_files({"name": name, "mimeType": "text/yaml", "buffer": content})


def metric(page: Page, title: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has_text=title)
    return box.get_by_test_id("stMetricValue").inner_text()


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
