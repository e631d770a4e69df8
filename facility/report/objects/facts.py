"""The numbers of one object: value, limit and margin, each with the case it applies to."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from facility.core.check import Check
from facility.core.table import Value
from facility.power.faults.of_network import highest_faults
from facility.report.drawings.live.moments import LiveState
from facility.report.objects.checks import ObjectChecks
from facility.report.objects.fact import ObjectFact
from facility.report.objects.loading import NetworkLoading
from facility.report.objects.objects import WHOLE, DesignObject, DesignObjects, loop_name

_DERIVED = {"UPS-FULLEST-PHASE": "ups.loading_fullest"}
"""Results with the terms of the value that a rule compares."""


def facts_of(
    objects: DesignObjects,
    one: DesignObject,
    results: Mapping[str, Value],
    checks: ObjectChecks,
    loading: NetworkLoading | None = None,
    live: LiveState | None = None,
) -> tuple[ObjectFact, ...]:
    """Return the numbers of an object, the main one first.

    results, checks: Known results and checks of the design.
    loading: Loadings of the power network; None until they are known.
    live: State shown; its loading comes first where it is not the normal state.
    """
    own = checks.checks if one.kind in WHOLE else checks.of(one)
    found: dict[tuple[str, str], ObjectFact] = {}
    for fact in (
        *(loading.facts(one, live) if loading is not None else ()),
        *_declared(objects, one, results, own),
    ):
        found.setdefault((fact.label, fact.case), fact)
    return tuple(found.values())


def _declared(
    objects: DesignObjects, one: DesignObject, results: Mapping[str, Value], checks: Iterable[Check]
) -> Iterator[ObjectFact]:
    by_rule: dict[str, list[Check]] = {}
    for check in checks:
        if check.value is not None and check.limit is not None:
            by_rule.setdefault(check.rule, []).append(check)
    names = {"hall": "", "loop": loop_name(one)}
    if one.kind == "hall":
        names["hall"] = str(list(objects.halls).index(one.id) + 1)
    for row in _table():
        if one.id not in row.objects and one.kind not in row.objects:
            continue
        key = row.source.format(**names)
        if key in results:
            value = results[key]
            number = isinstance(value.si, int | float) and not isinstance(value.si, bool)
            si = float(value.si) if number else value.shown()
            yield ObjectFact(row.label, row.case, si, value.kind, why=key)
        matching = [check for check in by_rule.get(key, ()) if _about(check, row.words)]
        if matching:
            fact = _of_check(row, min(matching, key=_margin))
            # The check has the highest current of all equipment of a type, each has its own.
            if objects.network is not None and key == "FAULT-INTERRUPTING":
                inside = objects.children(one.id)
                outputs = [id for id in inside if objects[id].kind == "ups-output"]
                faults = highest_faults(objects.design.distribution.faults)
                own_a = faults.get((*outputs, one.id)[0])
                if own_a is not None:
                    fact = replace(fact, value=own_a, case="maximum")
            yield fact


def _about(check: Check, words: str) -> bool:
    return any(words in subject for subject in (check.subject, *check.alike))


def _margin(check: Check) -> float:
    fact = ObjectFact("", "", check.value or 0.0, check.kind, check.limit, check.sense)
    return fact.distance if fact.margin is None else fact.margin


def _of_check(row: _FactRow, check: Check) -> ObjectFact:
    case, subject = row.case, check.subject
    if case == "=at":
        case = f"worst, {subject.rpartition('worst at ')[2]}"
    elif case == "=after":
        case = f"feed {subject.rpartition(', ')[2]}"
    elif case == "=before":
        case = subject.partition(":")[0]
    value, unit = check.value or 0.0, "kA" if check.rule.startswith("FAULT-") else ""
    return ObjectFact(
        row.label,
        case,
        value,
        check.kind,
        check.limit,
        check.sense,
        _DERIVED.get(check.rule, check.rule),
        unit=unit,
        basis=row.basis,
        severity=check.severity.value,
    )


@dataclass(frozen=True)
class _FactRow:
    objects: frozenset[str]  # Ids or kinds
    source: str  # Rule, or result key
    words: str
    label: str
    case: str
    basis: str  # What it is measured on


@cache
def _table() -> tuple[_FactRow, ...]:
    text = Path(__file__).with_name("facts.csv").read_text("utf-8")
    return tuple(
        _FactRow(
            frozenset(row["objects"].split()),
            row["source"],
            row["words"],
            row["label"],
            row["case"],
            row["basis"] or "",
        )
        for row in csv.DictReader(text.splitlines())
    )
