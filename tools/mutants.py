"""Plant faults that an engineer would make, one at a time, and see whether the tests notice.

The list is `tests/mutants/faults.csv`: id, file, old text, new text, why somebody would write it,
and the tests that should notice (arguments of pytest, separated by spaces). Each fault is planted
in a copy of the tree in a temporary folder, never in the tree itself:

    python -m tools.mutants                     all faults, the share noticed, those unnoticed
    python -m tools.mutants --only 'ups-*'      those whose id matches a pattern
    python -m tools.mutants --jobs 2            several copies at once

Exit code 0 when the share noticed reaches `LEAST_NOTICED`, 1 when it does not, 2 when the list is
wrong or the tests fail with nothing planted.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutants" / "faults.csv"
COLUMNS = ("id", "file", "old", "new", "why", "near")
LEAST_NOTICED = 0.95
_TIMEOUT_S = 300.0
_COPIED = ("facility", "reference", "tests", "tools", "benchmarks", "docs", ".streamlit")
_SEEN, _UNSEEN = 1, 0
_HUNG = -1
_NO_IMPORT = "during collection"


@dataclass(frozen=True)
class Fault:
    """One fault: where it is planted, why somebody would write it, and who should notice."""

    id: str
    file: str
    old: str
    new: str
    why: str
    near: str

    @property
    def tests(self) -> list[str]:
        """Arguments of pytest."""
        return self.near.split()


@dataclass(frozen=True)
class Outcome:
    """What the near tests said: pytest's exit code, or `_HUNG`, and the time taken."""

    fault: Fault
    code: int
    seconds: float
    tail: str

    @property
    def noticed(self) -> bool:
        """Whether a test failed, the run had to be stopped, or the package refuses to import."""
        return self.code in (_SEEN, _HUNG) or _NO_IMPORT in self.tail


def read_faults(path: Path = LIST) -> list[Fault]:
    """Return the faults of the list in its order."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Fault(**{name: row[name] for name in COLUMNS}) for row in csv.DictReader(file)]


def complaints(faults: Iterable[Fault], root: Path = ROOT) -> list[str]:
    """Return what is wrong with the list: a text that is not there once, a test that is missing."""
    found: list[str] = []
    seen: set[str] = set()
    for fault in faults:
        if fault.id in seen:
            found.append(f"{fault.id}: the id stands twice")
        seen.add(fault.id)
        found += [f"{fault.id}: {words}" for words in _wrong(fault, root)]
    return found


def _wrong(fault: Fault, root: Path) -> list[str]:
    wrong = [f"{name} is empty" for name in COLUMNS if not getattr(fault, name) and name != "new"]
    path = root / fault.file
    if not path.is_file():
        return [*wrong, f"there is no file {fault.file}"]
    text = path.read_text(encoding="utf-8")
    times = text.count(fault.old) if fault.old else 0
    if times != 1:
        wrong.append(f"{fault.old!r} stands {times} times in {fault.file}, not once")
    if fault.new == fault.old:
        wrong.append("old and new text are equal")
    try:
        compile(text.replace(fault.old, fault.new), fault.file, "exec", dont_inherit=True)
    except SyntaxError as error:
        wrong.append(f"the fault is not Python: {error}")
    for test in fault.tests:
        if test.startswith("tests/") and not (root / test.partition("::")[0]).exists():
            wrong.append(f"there is no test {test}")
    return wrong


def copy_of_tree(folder: Path) -> Path:
    """Return a copy of what the tests need, in `folder`."""
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in _COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy2(path, folder / path.name)
    return folder


def run_tests(tree: Path, tests: Iterable[str]) -> tuple[int, str]:
    """Return pytest's exit code on `tests` in the tree, and the end of what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "--no-header",
        *tests,
    ]
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return _HUNG, f"stopped after {_TIMEOUT_S:.0f} s"
    return done.returncode, "\n".join((done.stdout + done.stderr).splitlines()[-15:])


def runs_as_is(faults: Iterable[Fault]) -> list[list[str]]:
    """Return the runs of pytest that show every near test passing with nothing planted.

    An option of one fault (``-k``) must not choose among the tests of another: such tests run
    alone, all others together.
    """
    nears = {tuple(fault.tests) for fault in faults}
    alone = sorted(near for near in nears if any(word.startswith("-") for word in near))
    together = sorted({test for near in nears - set(alone) for test in near})
    return [run for run in (together, *map(list, alone)) if run]


def try_fault(tree: Path, fault: Fault) -> Outcome:
    """Plant the fault in the copy, run its near tests, and put the file back."""
    path, started = tree / fault.file, time.monotonic()
    text = path.read_text(encoding="utf-8")
    compiled = Path(importlib.util.cache_from_source(str(path)))
    try:
        path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        compiled.unlink(missing_ok=True)
        code, tail = run_tests(tree, fault.tests)
    finally:
        path.write_text(text, encoding="utf-8")
        compiled.unlink(missing_ok=True)
    return Outcome(fault, code, time.monotonic() - started, tail)


def _try_all(faults: list[Fault], trees: list[Path]) -> list[Outcome]:
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(fault: Fault) -> Outcome:
        tree = free.get()
        try:
            outcome = try_fault(tree, fault)
        finally:
            free.put(tree)
        word = "noticed" if outcome.noticed else "UNNOTICED" if outcome.code == _UNSEEN else "?"
        print(f"{word:10}{outcome.seconds:6.1f} s  {fault.id}", flush=True)
        return outcome

    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(one, faults))


def _summary(outcomes: list[Outcome]) -> int:
    failed = [o for o in outcomes if o.code != _UNSEEN and not o.noticed]
    unnoticed = [o for o in outcomes if o.code == _UNSEEN]
    noticed = len(outcomes) - len(failed) - len(unnoticed)
    share = noticed / len(outcomes)
    print(f"\n{noticed} of {len(outcomes)} faults noticed: {share:.1%}")
    for outcome in unnoticed:
        print(f"  unnoticed: {outcome.fault.id}: {outcome.fault.why} ({outcome.fault.file})")
    for outcome in failed:
        print(f"  tests did not run: {outcome.fault.id}: exit code {outcome.code}\n{outcome.tail}")
    if failed:
        return 2
    return 0 if share >= LEAST_NOTICED else 1


def main(arguments: list[str] | None = None) -> int:
    """Run the faults asked for; see the module's text."""
    parser = argparse.ArgumentParser(prog="mutants", description="Plant faults, one at a time.")
    parser.add_argument("--only", action="append", help="pattern of ids; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the tree at once")
    parser.add_argument("--trust", action="store_true", help="do not first run the tests as is")
    asked = parser.parse_args(arguments)
    faults = read_faults()
    wrong = complaints(faults)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2
    if asked.only:
        faults = [f for f in faults if any(fnmatch(f.id, pattern) for pattern in asked.only)]
    if not faults:
        print("no fault has such an id", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="facility-mutants-") as folder:
        trees = [copy_of_tree(Path(folder) / f"{n}") for n in range(max(1, asked.jobs))]
        if not asked.trust:
            for tests in runs_as_is(faults):
                code, tail = run_tests(trees[0], tests)
                if code != 0:
                    print(f"the near tests fail with nothing planted:\n{tail}", file=sys.stderr)
                    return 2
        return _summary(_try_all(faults, trees))


if __name__ == "__main__":
    sys.exit(main())
