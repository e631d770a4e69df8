"""The register of cases worked by hand: a name, and the function that computes its figure."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent
COMPUTED: dict[str, Callable[[], float]] = {}


@dataclass(frozen=True)
class HandCase:
    """A row of a data file: the figure expected, and how it was worked."""

    case: str
    expected: float
    unit: str
    tolerance: float
    working: str
    source: str


def case(name: str) -> Callable[[Callable[[], float]], Callable[[], float]]:
    """Register the function that computes the case `name`."""

    def register(function: Callable[[], float]) -> Callable[[], float]:
        assert name not in COMPUTED, name
        COMPUTED[name] = function
        return function

    return register


def hand_cases() -> Iterator[HandCase]:
    """Yield the rows of the data files."""
    for path in sorted(DATA.glob("cases*.csv")):
        with path.open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                yield HandCase(
                    row["case"],
                    float(row["expected"]),
                    row["unit"],
                    float(row["tolerance"]),
                    row["working"],
                    row["source"],
                )
