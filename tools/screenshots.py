"""Make the pictures of the README: ``python tools/screenshots.py [app] [panel]``.

The app is opened in headless Chromium on a free port of this machine; the panel schedule is a page
of the workbook, printed by LibreOffice. Run it where both are installed.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
WIDTH, HEIGHT = 1400, 1120
PANEL = "RPP-A01"
DOTS_PER_INCH = 110
MARGIN = 12
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FACILITY = [sys.executable, "-c", "from facility.cli.main import main; main()"]


def app(target: Path) -> None:
    """Write the quick-design page with its verdict."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with subprocess.Popen([*FACILITY, "app", "--port", str(port)]) as server:
        try:
            _wait_for(f"http://127.0.0.1:{port}")
            _photograph(f"http://127.0.0.1:{port}", target)
        finally:
            server.terminate()


def _wait_for(address: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit("the app does not answer")


def _photograph(address: str, target: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-headless-shell"),
            args=CHROMIUM,
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(address)
        page.locator(".shapelayer path").first.wait_for(timeout=60_000)
        page.get_by_text("Heat to air").first.wait_for()
        page.get_by_text("Verdict:").first.wait_for(timeout=120_000)
        page.get_by_text("Verdict: Pending").wait_for(state="hidden", timeout=300_000)
        page.wait_for_timeout(2_000)
        page.screenshot(path=target)
        browser.close()


def panel(target: Path) -> None:
    """Write the schedule of one panel, as LibreOffice prints it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = folder / "book.xlsx"
        subprocess.run([*FACILITY, "export", "xlsx", "--panels", PANEL, "--out", book], check=True)
        profile = f"-env:UserInstallation=file://{folder}/profile"
        subprocess.run(
            [
                "soffice",
                "--headless",
                "--norestore",
                profile,
                "--convert-to",
                "pdf",
                "--outdir",
                folder,
                book,
            ],
            check=True,
            capture_output=True,
        )
        pdf = folder / "book.pdf"
        number = str(_page_of(pdf, rf"PANEL {PANEL}\b"))
        subprocess.run(
            [
                "pdftoppm",
                "-png",
                "-singlefile",
                "-r",
                str(DOTS_PER_INCH),
                "-f",
                number,
                "-l",
                number,
                pdf,
                target.with_suffix(""),
            ],
            check=True,
        )
    _trim(target)


def _page_of(pdf: Path, pattern: str) -> int:
    text = subprocess.run(
        ["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True, text=True
    ).stdout
    for number, page in enumerate(text.split("\f"), 1):
        if re.search(pattern, page):
            return number
    sys.exit(f"no page with {pattern}")


def _trim(picture: Path) -> None:
    """Cut the white margin of a page off, but for a narrow one."""
    with Image.open(picture) as page:
        full = page.convert("RGB")
    paper = Image.new("RGB", full.size, "white")
    left, top, right, bottom = ImageChops.difference(full, paper).getbbox()
    full.crop((left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN)).save(
        picture, optimize=True
    )


def main() -> None:
    """Make the pictures that are named, or all."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    makers = {"app": app, "panel": panel}
    for name in sys.argv[1:] or makers:
        makers[name](IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
