"""Constraints of an optimisation: no violations, flags, and limits of results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.core.parse import parse_number, parse_quantity
from facility.core.views import view_value
from facility.study.sweep.row import Cells, ResultColumn

VERDICT = "verdict"
"""Keyword for no violations in the studies run."""
REFUSED = 1e9
"""Constraint excess assigned to a failed design."""

_LIMIT = re.compile(r"\s*([\w.-]+)\s*(<=|>=|=)\s*(\S.*?)\s*")
_KEY = re.compile(r"\s*([\w.-]+)\s*")


@dataclass(frozen=True)
class StatedLimit:
    """A stated limit: key of a result, comparison, and the limit as text."""

    key: str
    sense: str  # `<=`, `>=`, `=`; empty for a flag that must be true
    text: str = ""


@dataclass(frozen=True)
class RowLimit:
    """A limit on a cell of a row."""

    stated: StatedLimit
    head: str  # Heading of the cell
    value: float | str | None  # In the unit of the heading; None for a flag

    def excess(self, cells: Cells) -> float:
        """Return the relative excess of a design over the limit; zero or less meets it."""
        cell = cells.get(self.head)
        if cell is None:
            return REFUSED
        if self.stated.key == VERDICT:
            return float(cell)
        if self.value is None or isinstance(self.value, str):
            return 0.0 if cell == (True if self.value is None else self.value) else 1.0
        beyond = float(cell) - self.value
        part = beyond / (abs(self.value) or 1.0)
        return {"<=": part, ">=": -part, "=": abs(part)}[self.stated.sense]


def stated_limit(text: str) -> StatedLimit:
    """Return the limit that ``verdict``, ``key``, ``key<=value``, ``>=`` or ``=`` states.

    Raises ``OPTIMISE_LIMIT`` for any other text.
    """
    found = _LIMIT.fullmatch(text) if len(text) <= 200 else None
    if found:
        return StatedLimit(found[1], found[2], found[3])
    flag = _KEY.fullmatch(text)
    if flag is None:
        raise _refused(text[:60], "is not a limit.")
    return StatedLimit(flag[1], "")


def limits_of(stated: Sequence[StatedLimit], columns: Mapping[str, ResultColumn]) -> list[RowLimit]:
    """Return the limits, their values in the units of the columns.

    Raises ``OPTIMISE_LIMIT`` if limit and result are of different types, and the errors of the
    value.
    """
    return [_limit(one, columns) for one in stated]


def _limit(one: StatedLimit, columns: Mapping[str, ResultColumn]) -> RowLimit:
    if one.key == VERDICT:
        if one.sense:
            raise _refused(one.key, "accepts no value: it requires that there are no violations.")
        return RowLimit(one, "violations", None)
    column = columns[one.key]
    if (column.type == "flag") != (not one.sense) or (column.type == "text" and one.sense != "="):
        known = {"flag": "a flag", "text": "text", "number": "a number"}[column.type]
        raise _refused(one.key, f"is {known}.")
    if column.type == "number":
        return RowLimit(one, column.name, _number(one, column))
    return RowLimit(one, column.name, one.text if one.sense else None)


def _number(one: StatedLimit, column: ResultColumn) -> float:
    if column.kind and column.kind != "count":
        return view_value(parse_quantity(one.text, column.kind, one.key).si, column.kind)
    return parse_number(one.text, one.key)


def _refused(where: str, message: str) -> FacilityError:
    return FacilityError(
        "OPTIMISE_LIMIT",
        f"--subject-to {where}",
        message,
        "Write verdict, a flag (concurrently_maintainable), or KEY<=VALUE, KEY>=VALUE, KEY=VALUE.",
    )
