"""Rules of the whole suite: when a test may be skipped, and how hypothesis runs.

A test marked ``browser``, ``libreoffice`` or ``postgresql`` is skipped, with the reason, where
the program is not installed. With ``CI=true`` or ``FACILITY_NO_SKIP=1`` it fails instead, and a run
that skipped any test at all is a failed run.
"""

from __future__ import annotations

import csv
import ctypes
import functools
import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.tools.browser import program

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

# No test may touch the projects of whoever runs it: each process has a library of its own.
_LIBRARY = tempfile.TemporaryDirectory(prefix="facility-tests-", ignore_cleanup_errors=True)
os.environ["FACILITY_STORE"] = str(Path(_LIBRARY.name) / "projects.sqlite")
os.environ["FACILITY_RECORD_KEY"] = str(Path(_LIBRARY.name) / "record.key")
os.environ["FACILITY_RECORD_HEADS"] = str(Path(_LIBRARY.name) / "heads")

# A parent that ignores the interrupt (nohup, a job in the background) hands that on to children.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Designs hold no cycles worth a look at each 700 objects; pages of the app do, see `_Memory`.
gc.set_threshold(100_000, 50, 100)

# What is free in the heap of each thread (typst, formualizer) is not given back: one for all.
_LIBC = ctypes.CDLL(None)
_M_ARENA_MAX = -8
if hasattr(_LIBC, "mallopt"):
    _LIBC.mallopt(_M_ARENA_MAX, 1)

_MOST_S = 120
_LOOKS_FROM_MB, _STEP_MB = 800, 50

_skipped: list[str] = []


@pytest.fixture(autouse=True)
def _program() -> Iterator[None]:
    """Give back the program that runs: a page in AppTest takes its name, and processes begin it."""
    program = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = program


@pytest.fixture
def ends() -> Iterator[None]:
    """Fail a test that hangs: far more time than a loaded machine needs for what it does."""

    def stop(*_: object) -> None:
        raise TimeoutError("the test does not end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_MOST_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _has_libreoffice() -> bool:
    return shutil.which("soffice") is not None


def _has_chromium() -> bool:
    if program() is not None:
        return True
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    folder = Path(configured) if configured else Path.home() / ".cache" / "ms-playwright"
    return folder.is_dir() and any(folder.glob("chromium*"))


def postgresql_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL server, None where there is none."""
    found = [p.parent for p in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


_NEEDS = {
    "libreoffice": (_has_libreoffice, "LibreOffice (soffice) is not installed"),
    "browser": (_has_chromium, "no Chromium is installed"),
    "postgresql": (lambda: postgresql_programs() is not None, "no PostgreSQL server is installed"),
    "promtool": (lambda: shutil.which("promtool") is not None, "promtool is not installed"),
}
_LONG = {*_NEEDS, "wheel"}


@pytest.fixture(autouse=True, scope="module")
def _equal_rides_are_followed_once(request: pytest.FixtureRequest) -> None:
    """But in the tests of the ride-through itself, which follow every one."""
    if "facility.cooling.ride_through.signals" in sys.modules:
        from tests.tools import rides

        rides.follow(once="transient" not in request.path.parts)


def _in_a_browser(path: Path) -> bool:
    """Return whether it waits more than it computes: one process runs all such files in turn."""
    return path.name.endswith("browser.py") or path.name == "test_sign_in.py"


class _BrowsersInTurn(LoadFileScheduling):
    """A file is run by one process, and all files in a browser by the same."""

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return "in a browser" if _in_a_browser(Path(file)) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    return _BrowsersInTurn(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sample")
    group.addoption("--one-in", type=int, default=1, metavar="N", help="run one in N of the tests")
    group.addoption("--seed", type=int, default=0, help="chooses the tests of --one-in")


def _sampled(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but one in N tests, other ones for each seed."""
    one_in, seed = config.getoption("--one-in"), config.getoption("--seed")
    if one_in == 1:
        return
    kept = [item for item in items if crc32(f"{seed} {item.nodeid}".encode()) % one_in == 0]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=list(set(items) - set(kept)))
        items[:] = kept


def _left_to_nightly(items: list[pytest.Item]) -> dict[Path, int]:
    """Mark what `nightly.csv` leaves to `make nightly`; so many cases of a row stay, evenly spaced.

    A test belongs to the first row that its id begins with; of `all` cases none is left. Returns
    the first row of each file.
    """
    table = Path(__file__).with_name("nightly.csv")
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines())) if table.exists() else []
    begin = [row["tests"] for row in rows]
    of_file: dict[str, list[int]] = {}
    left: dict[int, list[pytest.Item]] = {}
    for item in items:
        test = item.nodeid
        if (file := test.partition("::")[0]) not in of_file:
            near = (n for n, b in enumerate(begin) if b.startswith(file) or file.startswith(b))
            of_file[file] = list(near)
        place = next((n for n in of_file[file] if test.startswith(begin[n])), None)
        if place is not None and not any(mark.name in _LONG for mark in item.iter_markers()):
            left.setdefault(place, []).append(item)
    first: dict[Path, int] = {}
    for place, many in sorted(left.items()):
        wanted = rows[place]["cases"]
        cases = len(many) if wanted == "all" else min(int(wanted), len(many))
        stay = {many[n * len(many) // cases] for n in range(cases)}
        for item in many:
            first.setdefault(item.path, place)
            if item not in stay:
                item.add_marker(pytest.mark.nightly)
    return first


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start the longest files first: a file is run by one process, and the last is waited for.

    Those in a browser are the longest, then those of `nightly.csv` in its order. xdist keeps this
    order with ``--no-loadscope-reorder``; else it starts the files of many tests.
    """
    place = _left_to_nightly(items)
    _sampled(config, items)
    last = len(items)  # While it is sorted, a list has no length

    def start(item: pytest.Item) -> tuple[bool, int]:
        return not _in_a_browser(item.path), place.get(item.path, last)

    items.sort(key=start)


class _Memory:
    """Keeps a process under a gigabyte: designs that a file cached go with it, and lost cycles."""

    def __init__(self) -> None:
        self.looks_at_mb: float = _LOOKS_FROM_MB

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Iterator[None]:
        yield
        if _resident_mb() < self.looks_at_mb:
            return
        if nextitem is None or nextitem.path != item.path:
            # The files of the house stand together, and a parse of the whole source takes seconds.
            house = nextitem is not None and nextitem.path.parent.name == "house"
            _empty_caches({"tests.tools.source_tree"} if house else set())
        gc.collect()
        if hasattr(_LIBC, "malloc_trim"):
            _LIBC.malloc_trim(0)
        self.looks_at_mb = max(_LOOKS_FROM_MB, _resident_mb() + _STEP_MB)


def _resident_mb() -> float:
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6 if statm.exists() else 0


def _empty_caches(but: set[str]) -> None:
    if designs := sys.modules.get("tests.tools.designs"):
        designs.kept.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("tests."):
            for found in list(vars(module).values()):
                if isinstance(found, functools._lru_cache_wrapper) and found.__module__ not in but:
                    found.cache_clear()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Memory())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if designs := sys.modules.get("tests.tools.designs"):
        patches = "monkeypatch" in item.fixturenames and "cli" not in item.path.parts
        designs.of_a_test(anew=patches or item.get_closest_marker("anew") is not None)
    for marker, (is_there, reason) in _NEEDS.items():
        if item.get_closest_marker(marker) and not is_there():
            if NO_SKIP:
                pytest.fail(f"{reason}, and skips are refused here", pytrace=False)
            pytest.skip(reason)


def pytest_collection_finish() -> None:
    """Share designs, and leave what was collected out of every later look for garbage."""
    if "facility.study.design.design" in sys.modules:
        from tests.tools import designs

        designs.share()
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        _skipped.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    # pytest looks twice more for what was never closed: over a gigabyte, seconds each time.
    gc.collect()
    gc.freeze()
    if NO_SKIP and _skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if NO_SKIP and _skipped:
        terminalreporter.section("skips are refused here", red=True)
        for nodeid in _skipped:
            terminalreporter.write_line(nodeid)
