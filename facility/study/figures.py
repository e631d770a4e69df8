"""Figures of the studies by key, declared in `figures.csv`.

A row declares a result: the section in which it is displayed, its study, its key, its label (empty
if not displayed), its rank in the section if it differs from the order of the file, whether
zero is hidden, and the basis displayed with its value. `kind` and `reason` apply to the step
noted by `design/steps.py` or a study, with ``{}`` for design-specific text; a step by an
equation has the kind of the equation. In a key, ``{hall}`` represents every member of that
family; in label and basis, ``{name}`` is its name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from facility.core.equation import AnyEquation
from facility.core.kinds import Numeric
from facility.core.trace import Findings

_MEMBER = re.compile(r"\{(\w+)\}")


class FigureRow(NamedTuple):
    """A result as declared by its row."""

    section: str
    study: str
    key: str
    label: str
    rank: str
    zero: str
    kind: str
    basis: str
    reason: str

    @property
    def family(self) -> str:
        """Family in its key; empty for a single result."""
        found = _MEMBER.search(self.key)
        return found[1] if found else ""

    def key_of(self, member: str) -> str:
        """Return its key for one member of its family."""
        return self.key.replace(f"{{{self.family}}}", member)


def _declared() -> tuple[FigureRow, ...]:
    table = Path(__file__).with_name("figures.csv").read_text(encoding="utf-8")
    return tuple(FigureRow(**row) for row in csv.DictReader(table.splitlines()))


FIGURES = _declared()
"""All rows, in the order of the file, which is that of the results."""
_REASONED = {figure.key: figure for figure in FIGURES if figure.reason}


def reasoned(key: str) -> FigureRow:
    """Return the row with the reason of a step."""
    return _REASONED[key]


class Figures(Findings):
    """Findings of a study; kind and reason of a figure are from its row."""

    def figure(self, key: str, value: float, *words: str | float, **inputs: str) -> float:
        """Record a number of a row, with `words` inserted in its reason."""
        row = _REASONED[key]
        found = self.note(key, value, row.kind, row.reason.format(*words), **inputs)
        if row.basis:
            self.show(key, row.basis)
        return found

    def do(
        self, key: str, equation: AnyEquation, basis: str = "", /, **arguments: Numeric | str
    ) -> float:
        """Apply an equation and record its value; without `basis`, the reason is from the row."""
        if not basis and key in _REASONED:
            basis = _REASONED[key].reason
        return super().do(key, equation, basis, **arguments)


def each(
    figures: Iterable[FigureRow], members: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, str, FigureRow]]:
    """Yield key, name of the member and figure; of a family member by member.

    members: Names of the members of each family, by their ids.
    """
    known = {"": {"": ""}, **members}
    for family, rows in groupby(figures, key=lambda figure: figure.family):
        block = list(rows)
        for member, name in known[family].items():
            yield from ((figure.key_of(member), name, figure) for figure in block)
