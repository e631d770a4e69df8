"""Rules of the whole suite: when a test may be skipped, and how hypothesis runs.

A test marked ``browser`` or ``libreoffice`` is skipped, with the reason, where the program is not
installed. With ``CI=true`` or ``FACILITY_NO_SKIP=1`` it fails instead, and a run that skipped any
test at all is a failed run.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_TRUE = ("1", "true", "yes")
IN_CI = os.environ.get("CI", "").lower() in _TRUE
NO_SKIP = IN_CI or os.environ.get("FACILITY_NO_SKIP", "").lower() in _TRUE

settings.register_profile(
    "facility",
    deadline=None,
    max_examples=100,
    derandomize=IN_CI,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("facility")

_skipped: list[str] = []


def _has_libreoffice() -> bool:
    return shutil.which("soffice") is not None


def _has_chromium() -> bool:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    if any(shutil.which(name) for name in names):
        return True
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    folder = Path(configured) if configured else Path.home() / ".cache" / "ms-playwright"
    return folder.is_dir() and any(folder.glob("chromium*"))


_NEEDS = {
    "libreoffice": (_has_libreoffice, "LibreOffice (soffice) is not installed"),
    "browser": (_has_chromium, "no Chromium is installed"),
}


_LONGEST = ("test_wheel.py", "test_browser.py", "test_parity.py", "test_every_input.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest files first: a file is run by one process, and the last is waited for."""
    items.sort(key=lambda item: item.path.name not in _LONGEST)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, (is_there, reason) in _NEEDS.items():
        if item.get_closest_marker(marker) and not is_there():
            if NO_SKIP:
                pytest.fail(f"{reason}, and skips are refused here", pytrace=False)
            pytest.skip(reason)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        _skipped.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if NO_SKIP and _skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if NO_SKIP and _skipped:
        terminalreporter.section("skips are refused here", red=True)
        for nodeid in _skipped:
            terminalreporter.write_line(nodeid)
