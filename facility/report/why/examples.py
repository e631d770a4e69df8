"""Worked examples of an equation: published numbers that every release is tested against."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from facility.catalogue import Row, table, table_names
from facility.core.reference import worked_path

_CASES = "cases/"


class Example(NamedTuple):
    """One worked example of an equation."""

    inputs: str  # Each argument with its value
    expected: str  # What it comes to, with the unit and the tolerance of the test
    source: str  # Whose number it is


@cache
def examples() -> Mapping[str, tuple[Example, ...]]:
    """Return the worked examples of equations, by name.

    Includes test cases, and verification manual cases that pass.

    Raises ``REFERENCE_MISSING`` where the installation lacks its data.
    """
    found: dict[str, list[Example]] = {}
    for name, example in (*_of_the_tests(), *_of_the_manual()):
        found.setdefault(name, []).append(example)
    return {name: tuple(listed) for name, listed in found.items()}


def _of_the_tests() -> Iterator[tuple[str, Example]]:
    for path in sorted(worked_path().glob("*.csv")):
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
            expected = f"{row['expected']} ± {row['tolerance']}"
            yield row["equation"], Example(row["inputs"], expected, row["source"])


def _of_the_manual() -> Iterator[tuple[str, Example]]:
    for name in table_names():
        if name.startswith(_CASES):
            rows = (row for row in table(name).rows if "compute" in row.schema.columns)
            yield from (_case(row) for row in rows if row.text("status") == "covered")


def _case(row: Row) -> tuple[str, Example]:
    number = row["expected"]
    value = row.text("expected_text") if number is None else f"{number} {row.text('unit')}"
    inputs = f"{row.text('inputs')} (in SI)"
    return row.text("compute"), Example(inputs, value.strip(), str(row.source))
