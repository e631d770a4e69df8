"""Plant faults that an engineer would make, one at a time, and see which tests notice.

The list is `tests/mutants/faults.csv` (see `tools/faults.py`). No fault is planted in the tree
itself: tests of known values run on the loaded code (`tools/planted.py`), the others, and faults
outside of functions, in a copy of the tree in a temporary folder.

    python -m tools.mutants                     all faults
    python -m tools.mutants --only 'ups-*'      faults whose id matches a pattern
    python -m tools.mutants --sample 20         20 faults, drawn with --seed
    python -m tools.mutants --list FILE         faults of another list (tools/draw_faults.py)
    python -m tools.mutants --known             only the tests of known values
    python -m tools.mutants --jobs 2            several faults at once

The tests run in three stages, and the first that fails is what the fault is caught by:

1. Tests of known values (`tests/mutants/known_values.csv`): the expected number comes from a data
   file with a source, or from a second calculation that imports nothing of the function tested.
2. The other tests of the fault's row: properties, messages, numbers written in the test.
3. Recorded results (`RECORDED`). These only show that a number changed, and are re-recorded.

Exit code 0 when the shares reach `MIN_CAUGHT` and `MIN_BY_KNOWN_VALUE`, 1 when one does not, 2
when the list is wrong or the tests fail with nothing planted.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue

from tools import planted
from tools.faults import LIST, ROOT, Fault, KnownValues, complaints, read_faults, read_known_values

RECORDED = ("tests/golden", "tests/house/test_readme.py", "tests/house/test_docs.py")
MIN_CAUGHT = 0.95
MIN_BY_KNOWN_VALUE = 0.90
STAGES = ("known value", "other test", "record")
_TIMEOUT_S = 900.0
_COPIED = ("facility", "reference", "tests", "tools", "benchmarks", "docs", ".streamlit")
_SEEN, _UNSEEN = 1, 0
_HUNG = -1
_NO_TESTS = 5  # pytest's exit code where an option (-k) deselects all
_NO_IMPORT = "during collection"


@dataclass(frozen=True)
class Outcome:
    """Result of the tests: pytest's exit code, or `_HUNG`, the time taken, and the last stage."""

    fault: Fault
    code: int
    seconds: float
    tail: str
    stage: str = STAGES[0]

    @property
    def caught_by(self) -> str:
        """Stage of the tests that failed; empty where none did."""
        return self.stage if self.noticed else ""

    @property
    def noticed(self) -> bool:
        """Whether a test failed, the run had to be stopped, or the package refuses to import."""
        return self.code in (_SEEN, _HUNG) or _NO_IMPORT in self.tail


def stages(fault: Fault, known: Iterable[KnownValues]) -> list[tuple[str, list[str]]]:
    """Return stage and arguments of each run of pytest, in their order.

    A directory of the fault's row is of known values only if it is listed; of a directory that
    holds listed tests, the listed tests run first. Options of the row apply to its own tests.
    """
    listed = list(known)
    always = [one.tests for one in listed if one.every_fault]
    inside = [one.tests for one in listed]
    near = [
        *(test for test in fault.files if _under(test, inside)),
        *(test for test in inside if _under(test, fault.files) and test not in fault.files),
    ]
    others = [t for t in fault.files if not _under(t, [*inside, *RECORDED])]
    first = list(dict.fromkeys([*near, *([] if fault.options else always)]))
    runs = [(STAGES[0], [*first, *fault.options])] if first else []
    if fault.options:
        runs.append((STAGES[0], always))
    if others:
        runs.append((STAGES[1], [*others, *fault.options]))
    recorded = [test for test in fault.files if _under(test, RECORDED)]
    runs.append((STAGES[2], list(dict.fromkeys([RECORDED[0], *recorded]))))
    return runs


def _under(test: str, paths: Iterable[str]) -> bool:
    """Return whether the test is one of the paths, or in one of them."""
    file = test.partition("::")[0]
    return any(file == path or file.startswith(path.rstrip("/") + "/") for path in paths)


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


def runs_as_is(faults: Iterable[Fault], always: Iterable[str] = ()) -> list[list[str]]:
    """Return the runs of pytest that show every near test passing with nothing planted.

    always: Tests that run for every fault.

    An option of one fault (``-k``) must not choose among the tests of another: such tests run
    alone, all others together.
    """
    nears = {tuple(fault.tests) for fault in faults}
    alone = sorted(near for near in nears if any(word.startswith("-") for word in near))
    together = sorted({*always, *(test for near in nears - set(alone) for test in near)})
    return [run for run in (together, *map(list, alone)) if run]


def try_fault(tree: Path, fault: Fault, runs: Iterable[tuple[str, list[str]]]) -> Outcome:
    """Plant the fault in the copy, run the stages until one fails, and restore the file."""
    path, started = tree / fault.file, time.monotonic()
    text = path.read_text(encoding="utf-8")
    compiled = Path(importlib.util.cache_from_source(str(path)))
    outcome = Outcome(fault, _UNSEEN, 0.0, "")
    try:
        path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        compiled.unlink(missing_ok=True)
        for stage, tests in runs:
            code, tail = run_tests(tree, tests)
            code = _UNSEEN if code == _NO_TESTS else code
            outcome = Outcome(fault, code, time.monotonic() - started, tail, stage)
            if code != _UNSEEN:
                break
    finally:
        path.write_text(text, encoding="utf-8")
        compiled.unlink(missing_ok=True)
    return outcome


def _in_memory(faults: Sequence[Fault], jobs: int) -> list[Outcome]:
    """Return what the tests of known values say of the faults that loaded code can have."""
    known = read_known_values()
    always = [one.tests for one in known if one.every_fault]
    found = planted.run(ROOT, faults, [one.tests for one in known], always, jobs)
    return [
        Outcome(fault, _SEEN if one.test else _UNSEEN, one.seconds, one.words)
        for fault, one in zip(faults, found, strict=True)
    ]


def _in_copies(
    faults: Sequence[Fault], trees: Sequence[Path], only: Sequence[str]
) -> list[Outcome]:
    known = read_known_values()
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(fault: Fault) -> Outcome:
        tree = free.get()
        try:
            runs = [run for run in stages(fault, known) if run[0] in only]
            outcome = try_fault(tree, fault, runs)
        finally:
            free.put(tree)
        word = outcome.caught_by or ("NOT CAUGHT" if outcome.code == _UNSEEN else "?")
        print(f"{word:12}{outcome.seconds:6.1f} s  {fault.id}", flush=True)
        return outcome

    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(one, faults))


def try_all(faults: Sequence[Fault], jobs: int, known_only: bool) -> list[Outcome]:
    """Return the outcomes of the faults, in no particular order.

    known_only: Only tests of known values.

    Raises RuntimeError where tests fail with nothing planted.
    """
    loaded = [fault for fault in faults if planted.can_plant(ROOT, fault)]
    first = _in_memory(loaded, jobs)
    missed = [one.fault for one in first if not one.noticed]
    elsewhere = [fault for fault in faults if fault not in loaded]
    if not elsewhere and (known_only or not missed):
        return first
    with tempfile.TemporaryDirectory(prefix="facility-mutants-") as folder:
        trees = [copy_of_tree(Path(folder) / f"{n}") for n in range(jobs)]
        always = [one.tests for one in read_known_values() if one.every_fault]
        again = elsewhere if known_only else [*elsewhere, *missed]
        for tests in runs_as_is(again, [*always, RECORDED[0]]):
            code, tail = run_tests(trees[0], tests)
            if code != 0:
                raise RuntimeError(f"the near tests fail with nothing planted:\n{tail}")
        outcomes = _in_copies(elsewhere, trees, STAGES[: 1 if known_only else 3])
        if known_only:
            return [*first, *outcomes]
        caught = [one for one in first if one.noticed]
        return [*caught, *outcomes, *_in_copies(missed, trees, STAGES[1:])]


def summary(outcomes: list[Outcome]) -> tuple[int, str]:
    """Return the exit code, and the shares by stage with the faults below the first stage."""
    caught = {stage: [o for o in outcomes if o.caught_by == stage] for stage in STAGES}
    missed = [o for o in outcomes if o.code == _UNSEEN]
    failed = [o for o in outcomes if o.code != _UNSEEN and not o.noticed]
    total = len(outcomes)
    noticed = sum(map(len, caught.values()))
    lines = [f"{noticed} of {total} faults caught: {noticed / total:.1%}"]
    lines += [
        f"  caught by {s}: {len(found)}, {len(found) / total:.1%}" for s, found in caught.items()
    ]
    for title, found in (
        *((f"only by {stage}", caught[stage]) for stage in STAGES[1:]),
        ("not caught", missed),
    ):
        lines += [f"{title}: {o.fault.id}: {o.fault.why} ({o.fault.file})" for o in found]
    lines += [f"tests did not run: {o.fault.id}: exit code {o.code}\n{o.tail}" for o in failed]
    if failed:
        return 2, "\n".join(lines)
    known = len(caught[STAGES[0]])
    enough = noticed >= MIN_CAUGHT * total and known >= MIN_BY_KNOWN_VALUE * total
    return (0 if enough else 1), "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the requested faults; see the module's text."""
    parser = argparse.ArgumentParser(prog="mutants", description="Plant faults, one at a time.")
    parser.add_argument("--only", action="append", help="pattern of ids; may be repeated")
    parser.add_argument("--sample", type=int, help="number of faults, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the sample")
    parser.add_argument("--list", type=Path, default=LIST, help="list of faults (CSV)")
    parser.add_argument("--known", action="store_true", help="only tests of known values")
    parser.add_argument("--jobs", type=int, default=1, help="faults at once")
    asked = parser.parse_args(arguments)
    faults = read_faults(asked.list)
    wrong = complaints(faults)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2
    if asked.only:
        faults = [f for f in faults if any(fnmatch(f.id, pattern) for pattern in asked.only)]
    if asked.sample is not None:
        faults = random.Random(asked.seed).sample(faults, min(asked.sample, len(faults)))
    if not faults:
        print("no fault has such an id", file=sys.stderr)
        return 2
    try:
        outcomes = try_all(faults, max(1, asked.jobs), asked.known)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    code, text = summary(outcomes)
    print(f"\n{text}")
    return code


if __name__ == "__main__":
    sys.exit(main())
