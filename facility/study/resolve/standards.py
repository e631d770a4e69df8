"""Editions and classes that a project may state and the tables do not cover.

The design is sized by the newest edition or class covered. Checks whose clause may have changed
are NOT_EVALUATED and state the result by the covered edition; none cites the stated one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from facility.catalogue import Row, table
from facility.core.check import Check, Outcome
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import UncoveredStandard
from facility.model.inputs.criteria import CriteriaSection
from facility.study.rules import RULES

_TABLE = "site/uncovered_standards"
_NEWEST = Source("planning-rule", "newest edition or class covered", verified="computed")
_FIELDS = ("edition", "liquid_class")


def stated_uncovered(section: CriteriaSection) -> tuple[UncoveredStandard, ...]:
    """Return the stated edition and class that are not covered."""
    stated = {f"criteria.{name}": getattr(section, name) for name in _FIELDS}
    found = (table(_TABLE).select(field=field, stated=value) for field, value in stated.items())
    return tuple(_standard(row) for rows in found for row in rows)


def _standard(row: Row) -> UncoveredStandard:
    return UncoveredStandard(
        field=row.text("field"),
        name=row.text("name"),
        covered=row.text("covered"),
        sized_by=row.text("sized_by"),
        changes=row.text("changes"),
        sources=_parts(row.text("sources")),
        checks=_parts(row.text("checks")),
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(";") if part)


def covered_value(uncovered: Iterable[UncoveredStandard], field: str, stated: str) -> str:
    """Return the edition or class of the sizing: as stated, or the newest covered."""
    return next((one.covered for one in uncovered if one.field == field), stated)


def record_uncovered(uncovered: Iterable[UncoveredStandard], trace: Trace) -> None:
    """Record the edition or class of the sizing as an assumption."""
    for one in uncovered:
        basis = f"{one.sized_by}: the project states {one.name}, which is not covered"
        trace.ledger.add_text(f"{one.field}_covered", one.covered, basis, _NEWEST)


def uncovered_notices(uncovered: Iterable[UncoveredStandard]) -> list[str]:
    """Return the notices that precede all results."""
    return [
        f"{one.name} ({one.field}) is not covered: sized by {one.sized_by}; checks whose clause"
        " may have changed are not evaluated"
        for one in uncovered
    ]


def uncovered_checks(uncovered: Iterable[UncoveredStandard]) -> Iterator[Check]:
    """Yield a finding for each stated edition or class that is not covered."""
    for one in uncovered:
        why = f"not covered: sized by {one.sized_by}. {one.changes}"
        yield RULES["STANDARD-UNCOVERED"].verdict(one.name, False, why)


def evaluated_where_covered(
    uncovered: tuple[UncoveredStandard, ...], checks: Iterable[Check]
) -> tuple[Check, ...]:
    """Return the checks; a check whose clause may have changed is NOT_EVALUATED."""
    if not uncovered:
        return tuple(checks)
    return tuple(_where_covered(uncovered, check) for check in checks)


def _where_covered(uncovered: tuple[UncoveredStandard, ...], check: Check) -> Check:
    named = f"{check.rule} {check.subject}"
    for one in uncovered:
        changed = check.source.id.startswith(one.sources) or named.startswith(one.checks)
        if changed and check.outcome in (Outcome.PASS, Outcome.FAIL):
            why = f"{one.name} ({one.field}) is not covered. By {one.sized_by}: {_result(check)}"
            bare = replace(check, value=None, limit=None, kind="", sense="")
            return replace(bare, outcome=Outcome.NOT_EVALUATED, why=why)
    return check


def _result(check: Check) -> str:
    """Return the result of a check, with value and limit."""
    numbers, why = check.comparison(), check.why
    return f"{check.word}, {why if not numbers or numbers in why else f'{numbers}: {why}'}"
