"""Checks: rules with stable ids, evaluated to a verdict with its margin.

A rule that raises is reported as NOT_EVALUATED; a check never disappears.

A rule that compares two figures is a row of `rules.csv`. A path there is the dotted name of an
attribute of what the rule is checked on, an object of the class in column `per`; a text may hold
paths in braces, each with a kind of quantity or a format:
``{load_w:heat_flow}``, ``{sum_w:.2f kW}``, ``{duty}``.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from string import Formatter
from typing import cast

from facility.core.kinds import KINDS
from facility.core.rounding import ROUNDING, reaches, within
from facility.core.sources import Source
from facility.core.views import System, printed_text, prose_in, readable_unit, show, with_unit


class Severity(StrEnum):
    """How much a failed check weighs."""

    VIOLATION = "VIOLATION"
    WARNING = "WARNING"
    ADVICE = "ADVICE"


class Outcome(StrEnum):
    """Outcome of a check."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_EVALUATED = "NOT_EVALUATED"
    WAIVED = "WAIVED"  # Failed, and accepted by the project with a reason


BEYOND = {"<=": "exceeds", ">=": "is under"}
"""Words between value and limit where a check of that sense failed."""


@dataclass(frozen=True)
class Check:
    """One rule applied to one subject.

    Attributes
    ----------
    rule : str
        Stable id, e.g. ``"PSU-REDUNDANCY"``.
    subject : str
        Tag of the equipment checked.
    severity, outcome : Severity, Outcome
        Weight of the rule, and the verdict.
    source : Source
        Article and edition.
    value, limit : float or None
        The two sides in the SI unit of `kind`; None where the rule compares no numbers.
    kind : str
        Kind of quantity of value and limit; empty where there is none.
    sense : str
        ``"<="`` or ``">="``: how value must stand to limit.
    alike : tuple[str, ...]
        Further subjects of which the very same was found; see `merged`.
    why, remedy : str
        What was found, and what to do about it.
    """

    rule: str
    subject: str
    severity: Severity
    outcome: Outcome
    source: Source
    why: str
    remedy: str = ""
    value: float | None = None
    limit: float | None = None
    kind: str = ""
    sense: str = ""
    alike: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Number of subjects it speaks for."""
        return 1 + len(self.alike)

    def about(self, maximum: int = 2) -> str:
        """Return its subjects as text: the first `maximum` by name, the others as a number."""
        named = [printed_text(one) for one in (self.subject, *self.alike)[:maximum]]
        more = self.count - len(named)
        return "; ".join((*named, f"and {more} more") if more else named)

    @property
    def margin(self) -> float | None:
        """Distance to the limit as a fraction of it, positive when the check passes.

        None where there is nothing to compare, and for temperatures, whose zero is arbitrary.
        """
        if self.value is None or self.limit is None or self.limit == 0:
            return None
        if self.kind in ("temperature", "rating_temperature"):
            return None
        distance = self.limit - self.value if self.sense == "<=" else self.value - self.limit
        return distance / abs(self.limit)

    @property
    def failed(self) -> bool:
        """Whether the check failed and is not waived."""
        return self.outcome is Outcome.FAIL

    @property
    def word(self) -> str:
        """Severity of a failed check, else its outcome."""
        return self.severity.value if self.failed else self.outcome.value

    def sides(self, system: System = "si") -> tuple[str, str] | None:
        """Return value and limit as text in one unit; None without a comparison."""
        if self.value is None or self.limit is None:
            return None
        return _sides(self.value, self.limit, self.kind, system)

    def comparison(self, system: System = "si") -> str:
        """Return value, relation and limit as text, e.g. ``40.8 kW exceeds 30.0 kW``, or none."""
        if self.value is None or self.limit is None:
            return ""
        relation = BEYOND[self.sense] if self.failed else self.sense
        left, right = _sides(self.value, self.limit, self.kind, system)
        return f"{left} {relation} {right}"

    def found(self, system: System = "si") -> str:
        """Return the finding, preceded by value and limit if it does not state them."""
        numbers, why = self.comparison(system), self.why_in(system)
        if not self.failed or not numbers or show(self.limit or 0.0, self.kind, system) in why:
            return why
        return f"{numbers}: {why}"

    def as_json(self) -> dict[str, object]:
        """Return it as the JSON contract has it: value and limit with their unit."""
        return {
            "rule": self.rule,
            "subject": self.subject,
            "count": self.count,
            "alike": list(self.alike),
            "severity": self.severity.value,
            "outcome": self.outcome.value,
            "value": with_unit(self.value, self.kind),
            "sense": self.sense,
            "limit": with_unit(self.limit, self.kind),
            "margin": self.margin,
            "source": str(self.source),
            "why": self.why,
            "remedy": self.remedy,
        }

    def why_in(self, system: System) -> str:
        """Return the reason with its quantities in the units of a view."""
        if system == "si" or self.value is None or self.limit is None:
            return prose_in(self.why, system)
        written = _sides(self.value, self.limit, self.kind, "si")
        shown = _sides(self.value, self.limit, self.kind, system)
        why = self.why
        for before, after in zip(written, shown, strict=True):
            why = re.sub(rf"(?<![\d.,-]){re.escape(before)}(?!\w)", after, why)
        return prose_in(why, system)


def _sides(value: float, limit: float, kind: str, system: System) -> tuple[str, str]:
    """Return both sides as text in one unit, with more digits where they would look equal."""
    unit = readable_unit(max(value, limit, key=abs), kind, system)
    differ = not math.isclose(value, limit, rel_tol=ROUNDING)
    for digits in (None, 2, 4, 6):
        sides = [show(one, kind, system, digits=digits, unit=unit) for one in (value, limit)]
        if sides[0] != sides[1] or not differ:
            break
    return sides[0], sides[1]


@dataclass(frozen=True)
class Rule:
    """A named rule: id, weight, source and remedy, without the subject."""

    id: str
    title: str
    severity: Severity
    source: Source
    remedy: str = ""

    def by(self, source: Source, remedy: str = "") -> Rule:
        """Return the rule by another source, as the article of an edition, and with a remedy."""
        return replace(self, source=source, remedy=remedy or self.remedy)

    def by_table(self, source: Source) -> Rule:
        """Return the rule with its limit from a table; an unverified limit is not a violation."""
        recalled = source.verified == "memory" and self.severity is Severity.VIOLATION
        return replace(
            self, source=source, severity=Severity.WARNING if recalled else self.severity
        )

    def compare(
        self, subject: str, value: float, sense: str, limit: float, kind: str, why: str = ""
    ) -> Check:
        """Return the check of `value` against `limit` (SI floats of `kind`).

        A value computed equal to its limit does not fail (`facility.core.rounding`). A value or
        limit that is not a number leaves the rule not evaluated.
        """
        if sense not in ("<=", ">="):
            raise ValueError(f"sense must be '<=' or '>=', not {sense!r}")
        if math.isnan(value) or math.isnan(limit):
            return self.not_evaluated(subject, f"{self.title}: the value or its limit is unknown.")
        passed = within(value, limit) if sense == "<=" else reaches(value, limit)
        relation = sense if passed else BEYOND[sense]
        if not why:
            left, right = _sides(value, limit, kind, "si")
            why = f"{self.title}: {left} {relation} {right}"
        return self._evaluated(subject, passed, why, self.remedy, (value, limit, kind, sense))

    def at_most(self, subject: str, value: float, limit: float, kind: str, why: str = "") -> Check:
        """Return the check that `value` is no more than `limit`; see `compare`."""
        return self.compare(subject, value, "<=", limit, kind, why)

    def at_least(self, subject: str, value: float, limit: float, kind: str, why: str = "") -> Check:
        """Return the check that `value` is no less than `limit`; see `compare`."""
        return self.compare(subject, value, ">=", limit, kind, why)

    def verdict(self, subject: str, passed: bool, why: str, remedy: str = "") -> Check:
        """Return the check with a verdict that compares no numbers."""
        return self._evaluated(subject, passed, why, remedy or self.remedy)

    def not_evaluated(self, subject: str, why: str) -> Check:
        """Return the check as not evaluated, with the reason."""
        return Check(
            self.id, subject, self.severity, Outcome.NOT_EVALUATED, self.source, why, self.remedy
        )

    def _evaluated(
        self,
        subject: str,
        passed: bool,
        why: str,
        remedy: str,
        sides: tuple[float | None, float | None, str, str] = (None, None, "", ""),
    ) -> Check:
        outcome, advice = (Outcome.PASS, "") if passed else (Outcome.FAIL, remedy)
        return Check(self.id, subject, self.severity, outcome, self.source, why, advice, *sides)


def counted(checks: Iterable[Check]) -> dict[str, int]:
    """Return the number of checks by their words: failed ones by severity, PASS and the rest."""
    counts = {severity.value: 0 for severity in Severity}
    counts |= {Outcome.PASS.value: 0, Outcome.NOT_EVALUATED.value: 0, Outcome.WAIVED.value: 0}
    for check in checks:
        counts[check.word] += 1
    return counts


_KILO = 1e3
_COMPARES = re.compile(
    r"(?P<value>[a-z][\w.]*) (?P<sense><=|>=) (?P<factor>[\d.]+)? ?(?P<limit>[a-z][\w.]*)?"
)


@dataclass(frozen=True)
class FigureComparison:
    """Two figures that a rule compares, as paths from the checked object."""

    per: str  # Class of what it is checked on
    subject: str  # Text that names that; empty where the caller does
    value: str
    sense: str  # "<=" or ">="
    factor: float  # Of the limit; the limit itself, in SI, where that has no path
    limit: str
    kind: str  # Of quantity
    applies: str  # Path of what must be true; empty where the rule always applies
    reason: str  # Text of the finding; empty for the title with both figures
    unknown: str  # Text where a figure is None; empty where the rule then does not apply

    def figures(self, item: object) -> tuple[float | None, float | None]:
        """Return value and limit; None where one is not known."""
        value, limit = (
            cast("float | None", attribute(item, path) if path else 1.0)
            for path in (self.value, self.limit)
        )
        if self.factor != 1.0 and limit is not None:
            limit = self.factor * limit
        return value, limit


def comparison(row: Mapping[str, str]) -> FigureComparison:
    """Return the comparison that a row states.

    Raises ``ValueError`` for one that is not ``value <= limit`` or ``value >= limit``, the limit a
    number, a path, or both.
    """
    found = _COMPARES.fullmatch(row["compares"])
    if found is None or not (found["factor"] or found["limit"]) or row["kind"] not in KINDS:
        raise ValueError(f"{row['id']}: compares {row['compares']!r} of kind {row['kind']!r}")
    return FigureComparison(
        row["per"],
        row["subject"],
        found["value"],
        found["sense"],
        float(found["factor"] or 1.0),
        found["limit"] or "",
        row["kind"],
        row["applies"],
        row["reason"],
        row["unknown"],
    )


def attribute(item: object, path: str) -> object:
    """Return the attribute at a path; None if an attribute of the path is None."""
    for name in path.split("."):
        item = None if item is None else getattr(item, name)
    return item


def words(text: str, item: object) -> str:
    """Return a text of a row with the figures of its subject."""
    return _Words().vformat(text, (item,), {})


class _Words(Formatter):
    def get_field(
        self, field_name: str, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> tuple[object, str]:
        return attribute(args[0], field_name), field_name

    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec in KINDS:
            return show(cast("float", value), format_spec)
        digits, _, unit = format_spec.partition(" ")
        if not unit:
            return format(value, digits)
        scale = _KILO if unit.startswith("k") else 1.0
        return f"{cast('float', value) / scale:{digits}} {unit}"


class Rules(Mapping[str, Rule]):
    """The rules of a package by id, and comparison rules by the class they check."""

    def __init__(self, rows: Iterable[Mapping[str, str | None]]) -> None:
        self._by_id: dict[str, Rule] = {}
        self._compared: dict[str, list[tuple[Rule, FigureComparison]]] = {}
        for cells in rows:
            row = {column: cell or "" for column, cell in cells.items()}
            if row["id"] not in self._by_id:
                self._by_id[row["id"]] = _declared(row)
            if row["per"]:
                found = self._by_id[row["id"]], comparison(row)
                self._compared.setdefault(row["per"], []).append(found)

    def __getitem__(self, id: str) -> Rule:
        return self._by_id[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    @property
    def rows(self) -> Iterator[tuple[Rule, FigureComparison]]:
        """Rules that compare two figures, with the figures compared."""
        return (row for rows in self._compared.values() for row in rows)

    def checks(self, item: object, subject: str = "") -> Iterator[Check]:
        """Yield the check of every row whose column `per` names the class of `item`.

        Where a figure is None the rule does not apply, or is not evaluated for what the row names
        as `unknown`.

        subject: Subject of the rows that name none.
        """
        for rule, row in self._compared.get(type(item).__name__, ()):
            if row.applies and not attribute(item, row.applies):
                continue
            value, limit = row.figures(item)
            if value is not None and limit is not None:
                named, why = words(row.subject, item) or subject, words(row.reason, item)
                yield rule.compare(named, value, row.sense, limit, row.kind, why)
            elif row.unknown:
                named = words(row.subject, item) or subject
                yield rule.not_evaluated(named, words(row.unknown, item))


def _declared(row: Mapping[str, str]) -> Rule:
    source = Source(row["source"], row["locator"], row["edition"], row["verified"])
    return Rule(row["id"], row["title"], Severity[row["severity"].upper()], source, row["remedy"])


def rules_of(package: str) -> Rules:
    """Return the rules that ``rules.csv`` of a package declares, by id."""
    table = Path(__file__).parents[2].joinpath(*package.split("."), "rules.csv")
    return Rules(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def merged(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return the checks, equal findings of several subjects as one that names them all.

    Findings are equal where only the subject differs, numbers compared to nine digits.
    """
    found: dict[tuple[object, ...], list[Check]] = {}
    for check in checks:
        sides = _compared(check)
        rest = (check.rule, check.severity, check.outcome, check.source, check.kind, check.sense)
        found.setdefault((*rest, *sides, check.why, check.remedy), []).append(check)
    together = []
    for first, *others in found.values():
        subjects = [subject for one in others for subject in (one.subject, *one.alike)]
        together.append(replace(first, alike=(*first.alike, *subjects)) if others else first)
    return tuple(together)


def _compared(check: Check) -> tuple[str, ...]:
    """Return value and limit in nine digits; a side that is rounding of the other is zero."""
    sides = check.value, check.limit
    minimum = ROUNDING * max(0.0 if side is None else abs(side) for side in sides)
    return tuple(
        "" if side is None else f"{side if abs(side) > minimum else 0.0:.9g}" for side in sides
    )


def by_weight(checks: Iterable[Check]) -> list[Check]:
    """Return the checks, failed ones first, by severity, then not evaluated and waived ones."""
    severity = {name: rank for rank, name in enumerate(Severity)}
    outcome = {Outcome.FAIL: 0, Outcome.NOT_EVALUATED: 1, Outcome.WAIVED: 2, Outcome.PASS: 3}
    return sorted(
        checks, key=lambda c: (outcome[c.outcome], severity[c.severity], c.rule, c.subject)
    )
