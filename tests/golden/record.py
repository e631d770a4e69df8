"""The record of what the projects answered last: read, compared, written anew."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.golden.answers import Digest

RECORD = Path(__file__).parent / "record.csv"
NEAR = 2e-6
"""Digits of the record, and what libraries of numbers differ by from one machine to another."""
NOISE = 1e-8
"""What is left of sums that cancel out, such as the neutral current of a balanced board."""


@dataclass(frozen=True)
class Moved:
    """A place where what is answered is not what was recorded."""

    project: str
    place: str
    before: Digest | None
    after: Digest | None

    @property
    def part(self) -> float:
        """Change of the sum over its size; infinite where the count is another."""
        if self.before is None or self.after is None or self.before[0] != self.after[0]:
            return math.inf
        return max(
            abs(old - new) / max(abs(old), abs(new), NOISE)
            for old, new in zip(self.before[1:], self.after[1:], strict=True)
        )

    def __str__(self) -> str:
        """The change as a line of text."""
        words = f"{_shown(self.before)} -> {_shown(self.after)}"
        if math.isfinite(self.part):
            words += f" ({self.part:.2g})"
        return f"{self.place}: {words}"


def _shown(digest: Digest | None) -> str:
    if digest is None:
        return "nothing"
    count, total, ranked = digest
    return f"{total:.7g}" if count == 1 else f"{count} {total:.7g} {ranked:.7g}"


def _read(text: str) -> Digest | None:
    parts = text.split()
    if not parts:
        return None
    if len(parts) == 1:
        return 1, float(text), float(text)
    return int(parts[0]), float(parts[1]), float(parts[2])


@cache
def recorded() -> dict[str, dict[str, Digest]]:
    """Return the record: digests by project and place."""
    with RECORD.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    projects = [name for name in rows[0] if name != "place"] if rows else []
    return {
        name: {row["place"]: found for row in rows if (found := _read(row[name])) is not None}
        for name in projects
    }


def moved(name: str, before: Mapping[str, Digest], after: Mapping[str, Digest]) -> Iterator[Moved]:
    """Yield the places of a project that differ from the record."""
    for place in sorted({*before, *after}):
        one = Moved(name, place, before.get(place), after.get(place))
        if one.part > NEAR:
            yield one


def write(found: Mapping[str, Mapping[str, Digest]]) -> None:
    """Write the record: a row for each place, a column for each project."""
    places = sorted({place for digests in found.values() for place in digests})
    with RECORD.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["place", *found])
        for place in places:
            cells = (digests.get(place) for digests in found.values())
            writer.writerow([place, *("" if one is None else _shown(one) for one in cells)])
