"""The figures of the studies by key: `figures.csv` beside this module declares each once.

A row names a result: the section that prints it, the study that makes it, its key, its label (none
where it is not printed), its rank among the lines of the section where they are not printed in the
order of the file, which is that of the results, whether a zero of it is hidden, and the basis
beside its value. `kind` and `reason` are those of its step where `design/steps.py` or a study
notes it, ``{}`` what differs by design; where an equation gives it, the kind is that of the
equation. In a key ``{hall}`` stands for every member of that family, in label
and basis ``{name}`` for its name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import groupby
from typing import NamedTuple

from facility.core.equation import AnyEquation
from facility.core.kinds import Numeric
from facility.core.trace import Findings

_MEMBER = re.compile(r"\{(\w+)\}")


class FigureRow(NamedTuple):
    """A result as its row declares it."""

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
        """Family that its key has a member of; empty where it stands for one result."""
        found = _MEMBER.search(self.key)
        return found[1] if found else ""

    def key_of(self, member: str) -> str:
        """Return its key for one member of its family."""
        return self.key.replace(f"{{{self.family}}}", member)


def _declared() -> tuple[FigureRow, ...]:
    table = resources.files("facility.study").joinpath("figures.csv").read_text(encoding="utf-8")
    return tuple(FigureRow(**row) for row in csv.DictReader(table.splitlines()))


FIGURES = _declared()
"""Every row, in the order of the file: that of the results."""
_REASONED = {figure.key: figure for figure in FIGURES if figure.reason}


def reasoned(key: str) -> FigureRow:
    """Return the row that says why a step is what it is."""
    return _REASONED[key]


class Figures(Findings):
    """What a study collects; kind and reason of a figure are those of its row."""

    def figure(self, key: str, value: float, *words: str | float, **inputs: str) -> float:
        """Record a number of a row, with the `words` that its reason has in this design."""
        row = _REASONED[key]
        found = self.note(key, value, row.kind, row.reason.format(*words), **inputs)
        if row.basis:
            self.show(key, row.basis)
        return found

    def do(
        self, key: str, equation: AnyEquation, basis: str = "", /, **arguments: Numeric | str
    ) -> float:
        """Apply an equation and record what it gives; the row says why where `basis` does not."""
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
