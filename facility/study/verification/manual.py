"""Reads the cases of ``reference/cases`` and computes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from facility.catalogue import Row, table, table_names
from facility.core.errors import FacilityError
from facility.study.verification.compute import evaluate
from facility.study.verification.inputs import values_of
from facility.study.verification.outcome import CaseOutcome, PublishedCase, Status

_HINTS: dict[str, Status] = {
    "covered": "pass",
    "explained": "explained",
    "not_covered": "not_covered",
}
_FOLDER = "cases/"
_PARTS = ("cases/projects", "cases/networks")
"""Tables of what cases are made of."""


def case_tables() -> tuple[str, ...]:
    """Return the names of the reference tables that hold cases."""
    names = (name for name in table_names() if name.startswith(_FOLDER))
    return tuple(name for name in names if name not in _PARTS)


def read_cases() -> tuple[PublishedCase, ...]:
    """Return every case of the manual, in the order of the tables.

    Raises for a table that is not as its schema says, or a status that is unknown.
    """
    return tuple(_case(row) for name in case_tables() for row in table(name).rows)


def run_cases(cases: Iterable[PublishedCase] | None = None) -> list[CaseOutcome]:
    """Compute the verification manual.

    One outcome for each case, in order: all of the manual by default. A case that cannot be
    computed fails, with the reason; it never ends the run.
    """
    return [run_case(case) for case in (read_cases() if cases is None else cases)]


def run_case(case: PublishedCase) -> CaseOutcome:
    """Compute one case and judge it."""
    if case.status == "not_covered":
        return case.judged(None)
    try:
        return case.judged(evaluate(case.compute, case.inputs, case.unit))
    except (
        FacilityError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        return case.judged(None, f"could not be computed: {type(error).__name__}: {error}")


def _case(row: Row) -> PublishedCase:
    where = row.label
    hint = row.text("status")
    if hint not in _HINTS:
        raise FacilityError(
            "CASE_STATUS",
            where,
            f"status {hint!r} is not one of {', '.join(_HINTS)}.",
            "Correct reference/cases.",
        )
    number = row["expected"]
    return PublishedCase(
        id=row.text("id"),
        title=row.text("title"),
        compute=row.text("compute"),
        inputs=values_of(row.text("inputs"), where),
        expected=row.text("expected_text") if number is None else cast("float", number),
        unit=row.text("unit"),
        tolerance=_tolerance(row),
        status=_HINTS[hint],
        reason=row.text("reason"),
        source=row.source.title,
    )


def _tolerance(row: Row) -> float | None:
    """Return the larger of the absolute and the relative tolerance, in the unit of the case."""
    absolute, relative, expected = (
        cast("float | None", row[name]) for name in ("tolerance_abs", "tolerance_rel", "expected")
    )
    if expected is None or (absolute is None and relative is None):
        return None
    return max(absolute or 0.0, (relative or 0.0) * abs(expected))
