"""Plant faults in the code that a process has loaded, and run the tests of known values.

The tests are collected once, without those of the nightly run. First they run as they are, and it
is kept which lines each of them executes. Then each fault has a process of its own (a fork): the
code of the functions that it changes is replaced, and the tests run that execute its lines, the
quickest first, then the others of the same files and those that run for every fault. Nothing is
written to the tree.

A fault outside of functions (a constant of a module, the default of a field, a table) cannot be
planted so; `can_plant` says which can.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import os
import pickle
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import coverage
import pytest

from tools.faults import Fault

_STEP_S = 0.05
"""Tests whose times differ by less run in the order of their files."""
_MAX_S, _AS_IS_MOST_S = 900.0, 7200.0


class Found(NamedTuple):
    """The first test that failed under a fault, empty where none did, and the time taken."""

    test: str
    seconds: float
    words: str = ""


class _AsIs(NamedTuple):
    """The run with nothing planted: tests that fail, their times, and who executes a line."""

    failed: dict[str, str]
    seconds: dict[str, float]
    lines: dict[tuple[str, int], list[str]]


def can_plant(root: Path, fault: Fault) -> bool:
    """Return whether the fault changes nothing but the code of functions."""
    if not fault.file.endswith(".py"):
        return False
    before, after = _codes(root, fault)
    return before.keys() == after.keys() and all(
        code.co_flags & inspect.CO_NEWLOCALS or _own(code) == _own(after[key])
        for key, code in before.items()
    )


def _codes(root: Path, fault: Fault) -> tuple[dict[object, CodeType], dict[object, CodeType]]:
    """Return the codes of the module before and after, by qualified name and number."""
    path = root / fault.file
    text = path.read_text(encoding="utf-8")
    before, after = (
        _by_name(compile(source, str(path), "exec", dont_inherit=True))
        for source in (text, text.replace(fault.old, fault.new))
    )
    return before, after


def _by_name(module: CodeType) -> dict[object, CodeType]:
    count: Counter[str] = Counter()
    found: dict[object, CodeType] = {}
    for code in _inside(module):
        found[code.co_qualname, count[code.co_qualname]] = code
        count[code.co_qualname] += 1
    return found


def _inside(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a code does itself, without the codes in it and the numbers of its lines."""
    constants = [repr(one) for one in code.co_consts if not isinstance(one, CodeType)]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


def plant(root: Path, fault: Fault) -> int:
    """Replace the code of the functions that the fault changes; return how many."""
    importlib.import_module(".".join(Path(fault.file).with_suffix("").parts))
    before, after = _codes(root, fault)
    changed = {
        (code.co_qualname, code.co_firstlineno): after[key]
        for key, code in before.items()
        if [*map(_own, _inside(code))] != [*map(_own, _inside(after[key]))]
    }
    path, count = str(root / fault.file), 0
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == path:
            new = changed.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if new is not None:
                one.__code__ = new
                count += 1
    return count


class _Runner:
    """Plugin of pytest that runs the collected tests in forks: as they are, then by fault."""

    def __init__(
        self, root: Path, faults: Sequence[Fault], always: Sequence[str], jobs: int
    ) -> None:
        self.root, self.faults, self.always, self.jobs = root, faults, always, jobs
        self.as_is = _AsIs({}, {}, {})
        self.found: list[Found] = []
        self._failed: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.setdefault(report.nodeid, str(report.longrepr))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:  # Some tests cannot be collected
            return True
        gc.unfreeze()  # What the tests' settings set aside would not be among the objects
        files: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            files[_file(item)].append(item)
        parts = [
            [item for items in [*files.values()][n :: self.jobs] for item in items]
            for n in range(self.jobs)
        ]
        as_is = [partial(self._as_they_are, part) for part in parts]
        for part in _forked(as_is, self.jobs, most_s=_AS_IS_MOST_S):
            if not isinstance(part, _AsIs):
                raise RuntimeError(f"the tests with nothing planted did not end: {part}")
            self.as_is.failed.update(part.failed)
            self.as_is.seconds.update(part.seconds)
            for line, tests in part.lines.items():
                self.as_is.lines.setdefault(line, []).extend(tests)
        if not self.as_is.failed:
            tasks = [partial(self._under, fault, session.items) for fault in self.faults]
            results = _forked(tasks, self.jobs, self._tell)
            self.found = [*map(_as_found, results)]
        return True

    def _tell(self, number: int, result: object) -> None:
        found = _as_found(result)
        word = "known value" if found.test else "not caught"
        print(f"{word:12}{found.seconds:6.1f} s  {self.faults[number].id}  {found.test}")
        sys.stdout.flush()

    def _as_they_are(self, items: Sequence[pytest.Item]) -> _AsIs:
        seconds: dict[str, float] = {}
        watch = coverage.Coverage(
            data_file=None, include=[f"{self.root}/facility/*"], config_file=False
        )
        watch.start()
        for item, following in zip_longest(items, items[1:]):
            watch.switch_context(item.nodeid)
            began = time.monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            seconds[item.nodeid] = time.monotonic() - began
        watch.stop()
        data = watch.get_data()
        paths = {str(self.root / fault.file) for fault in self.faults}
        lines = {
            (path, line): [test for test in tests if test]
            for path in paths & data.measured_files()
            for line, tests in data.contexts_by_lineno(path).items()
        }
        return _AsIs(dict(self._failed), seconds, lines)

    def _under(self, fault: Fault, items: Sequence[pytest.Item]) -> Found:
        began = time.monotonic()
        if not plant(self.root, fault):
            raise RuntimeError(f"{fault.id}: no loaded function has the code of {fault.file}")
        chosen = self._in_order(fault, items)
        for item, following in zip_longest(chosen, chosen[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            for test, words in self._failed.items():
                return Found(test, time.monotonic() - began, words)
        return Found("", time.monotonic() - began)

    def _in_order(self, fault: Fault, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        path = self.root / fault.file
        first = path.read_text(encoding="utf-8").partition(fault.old)[0].count("\n") + 1
        span = range(first, first + fault.old.count("\n") + 1)
        hit = {test for n in span for test in self.as_is.lines.get((str(path), n), ())}
        files = {_file(item) for item in items if item.nodeid in hit} | set(self.always)
        near = [item for item in items if _file(item) in files or item.nodeid in self.always]
        steps = {test: int(taken / _STEP_S) for test, taken in self.as_is.seconds.items()}
        return sorted(near, key=lambda one: (one.nodeid not in hit, steps.get(one.nodeid, 0)))


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _as_found(result: object) -> Found:
    """Return the result of a fault: tests that do not end have noticed it.

    Raises RuntimeError where the process ended without a result.
    """
    if isinstance(result, TimeoutError):
        return Found("(the tests do not end)", _MAX_S)
    if not isinstance(result, Found):
        raise RuntimeError("a process that ran tests under a fault ended without a result")
    return result


def _forked(
    tasks: Sequence[Callable[[], object]],
    jobs: int,
    tell: Callable[[int, object], None] = lambda number, result: None,
    most_s: float = _MAX_S,
) -> list[object]:
    """Return the results of the tasks, each from a separate process.

    A result is None where the process ended without one, a TimeoutError where it took too long.
    """
    results: dict[int, object] = {}
    running: dict[int, tuple[int, float]] = {}
    waiting = [*enumerate(tasks)][::-1]
    with tempfile.TemporaryDirectory(prefix="facility-planted-") as folder:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, task = waiting.pop()
                child = os.fork()
                if child == 0:
                    _answer(task, Path(folder, str(number)))
                running[child] = number, time.monotonic() + most_s
            time.sleep(0.02)
            for child, (number, end) in [*running.items()]:
                path = Path(folder, str(number))
                if time.monotonic() > end:
                    os.kill(child, signal.SIGKILL)
                    path.write_bytes(pickle.dumps(TimeoutError()))
                if os.waitpid(child, os.WNOHANG)[0]:
                    del running[child]
                    results[number] = pickle.loads(path.read_bytes()) if path.exists() else None
                    tell(number, results[number])
    return [results[number] for number in range(len(tasks))]


def _answer(task: Callable[[], object], path: Path) -> None:
    """Run the task in this child, silently, write its result to the file, and end the child."""
    try:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        path.write_bytes(pickle.dumps(task()))
    finally:
        os._exit(0)


def run(
    root: Path, faults: Sequence[Fault], tests: Sequence[str], always: Sequence[str], jobs: int
) -> list[Found]:
    """Return what finds each fault, in their order.

    tests: All tests of known values.
    always: Tests that run for every fault.

    Raises RuntimeError where a test fails with nothing planted, or pytest does not begin.
    """
    if not faults:
        return []
    runner = _Runner(root, faults, always, jobs)
    options = ["-q", "--import-mode=importlib", "-o", "addopts=", "--no-header", "--no-summary"]
    code = pytest.main(
        [*options, "-p", "no:cacheprovider", "-s", "-m", "not nightly", *tests], plugins=[runner]
    )
    if runner.as_is.failed:
        test, words = next(iter(runner.as_is.failed.items()))
        raise RuntimeError(f"{test} fails with nothing planted:\n{words}")
    if len(runner.found) != len(faults):
        raise RuntimeError(f"the tests of known values did not begin: exit code {code} of pytest")
    return runner.found
