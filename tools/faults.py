"""Faults that an engineer would make, and the tests that know a right value.

A fault is a row of `tests/mutants/faults.csv`: id, file, old text, new text, why a developer would
write it, and the tests that should notice (arguments of pytest, separated by spaces). Tests of
known values are rows of `tests/mutants/known_values.csv`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutants" / "faults.csv"
COLUMNS = ("id", "file", "old", "new", "why", "near")
KNOWN_LIST = ROOT / "tests" / "mutants" / "known_values.csv"


@dataclass(frozen=True)
class Fault:
    """One fault: location, plausible cause, and tests that should notice."""

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

    @property
    def options(self) -> list[str]:
        """Options of pytest among the arguments (``-k``), with what follows them."""
        words = self.tests
        first = next((n for n, word in enumerate(words) if word.startswith("-")), len(words))
        return words[first:]

    @property
    def files(self) -> list[str]:
        """Tests among the arguments."""
        return self.tests[: len(self.tests) - len(self.options)]


def read_faults(path: Path = LIST) -> list[Fault]:
    """Return the faults of the list in its order."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Fault(**{name: row[name] for name in COLUMNS}) for row in csv.DictReader(file)]


@dataclass(frozen=True)
class KnownValues:
    """Tests of known values, and where the expected number comes from."""

    tests: str
    every_fault: bool
    expected_from: str


def read_known_values(path: Path = KNOWN_LIST) -> list[KnownValues]:
    """Return the tests of known values."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            KnownValues(row["tests"], row["every_fault"] == "yes", row["expected_from"])
            for row in csv.DictReader(file)
        ]


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
        if path.suffix == ".py":
            compile(text.replace(fault.old, fault.new), fault.file, "exec", dont_inherit=True)
    except SyntaxError as error:
        wrong.append(f"the fault is not Python: {error}")
    for test in fault.tests:
        if test.startswith("tests/") and not (root / test.partition("::")[0]).exists():
            wrong.append(f"there is no test {test}")
    return wrong
