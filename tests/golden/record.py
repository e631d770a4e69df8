"""The record of what the projects answered last: read, compared, written anew."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RECORD = Path(__file__).parent / "record.csv"
NEAR = 2e-6
"""Digits of the record, and what libraries of numbers differ by from one machine to another."""
NOISE = 1e-8
"""What is left of sums that cancel out, such as the neutral current of a balanced board."""


@dataclass(frozen=True)
class Moved:
    """A place where what is answered is not what was recorded; empty is no answer."""

    project: str
    place: str
    before: str
    after: str

    @property
    def part(self) -> float:
        """Largest change of a number over its size; infinite where count or words are others."""
        if self.before == self.after:
            return 0.0
        old, new = self.before.split(), self.after.split()
        return math.inf if len(old) != len(new) else max(map(_part, old, new))

    def __str__(self) -> str:
        """The change as a line of text."""
        words = f"{self.before or 'nothing'} -> {self.after or 'nothing'}"
        if math.isfinite(self.part):
            words += f" ({self.part:.2g})"
        return f"{self.place}: {words}"


def _part(before: str, after: str) -> float:
    if before == after:
        return 0.0
    try:
        old, new = float(before.rstrip(",")), float(after.rstrip(","))
    except ValueError:
        return math.inf
    return abs(old - new) / max(abs(old), abs(new), NOISE)


@cache
def recorded() -> dict[str, dict[str, str]]:
    """Return the record: answers by project and place."""
    with RECORD.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    projects = [name for name in rows[0] if name != "place"] if rows else []
    return {name: {row["place"]: row[name] for row in rows if row[name]} for name in projects}


def moved(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Moved]:
    """Yield the places of a project that differ from the record."""
    for place in sorted({*before, *after}):
        one = Moved(name, place, before.get(place, ""), after.get(place, ""))
        if one.part > NEAR:
            yield one


def write(found: Mapping[str, Mapping[str, str]]) -> None:
    """Write the record: a row for each place, a column for each project."""
    places = sorted({place for answers in found.values() for place in answers})
    with RECORD.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["place", *found])
        for place in places:
            writer.writerow([place, *(answers.get(place, "") for answers in found.values())])
