"""Every rule of the product fails in a test, and passes just inside its limit.

`driven.csv` drives rules through whole designs: a base project, changes that make the rule fail,
and changes under which it passes near its limit. `direct.py` calls the function that judges.
`known.csv` names the rest: tests elsewhere that see both outcomes (kind ``test``) and rules that
are statements and have one outcome only (``statement``), each with its reason. A rule in none of
them fails (here for what designs show, in `tests/house` for what the package declares).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from facility.core.check import Check, Outcome, Rule, rules_of
from facility.core.errors import FacilityError
from tests.checks.direct import DIRECT
from tests.study.fields import BASES
from tests.study.helpers import design_of
from tests.tools.source_tree import ROOT, report

FOLDER = Path(__file__).parent
WINGS = tuple(rules_of(f"facility.{wing}") for wing in ("power", "cooling", "study"))
NEAR = 0.6
AT_415_V = {"air": ("power.distribution.rack_system=415Y/240",)}
"""The changes are set to the limits of the usual voltage; so small a project would take 208 V."""
UPS = {"air": ("power.ups.model=9395XR-600",)}
"""Nor would it take a module of a larger one; where a change is to the UPS it has its own."""
_SHORTLY = "cooling.thermal.horizon=10 min"
KINDS = ("test", "statement")


@dataclass(frozen=True)
class Driven:
    """A rule, a base project, and the changes under which it fails and passes."""

    rule: str
    base: str
    subject: str
    fails: tuple[str, ...]
    passes: tuple[str, ...]

    def checks(self, sets: tuple[str, ...]) -> list[Check]:
        """Return the checks of the rule; no study is asked for after the one that judges it."""
        for study in studies(self.base, sets):
            found = [c for c in study if c.rule == self.rule]
            if found:
                return [c for c in found if self.subject in c.subject]
        return []


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def _sets(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(";") if part)


DRIVEN = [
    Driven(r["rule"], r["base"], r["subject"], _sets(r["fails"]), _sets(r["passes"]))
    for r in rows("driven.csv")
]
KNOWN = {r["rule"]: r for r in rows("known.csv")}


def studies(base: str, sets: tuple[str, ...]) -> Iterator[Sequence[Check]]:
    """Yield the checks of a design, study by study, but of its outages and its ride-through.

    The plant rests on the tanks that the ride-through chooses, which is followed shortly.
    """
    ups = () if any(one.startswith("power.ups.") for one in sets) else UPS.get(base, ())
    found = design_of(BASES[base], *AT_415_V.get(base, ()), *ups, _SHORTLY, *sets)
    yield found.sizing_checks
    yield found.distribution.checks
    yield found.room_air.checks
    yield found.hydraulics.checks
    yield found.liquid_path.checks
    if found.year is not None:
        yield found.year.checks
    yield found.plant_options.checks


def _fails(found: Iterable[Check]) -> bool:
    return any(check.failed for check in found)


def _passes(found: list[Check]) -> bool:
    return not _fails(found) and any(check.outcome is Outcome.PASS for check in found)


@pytest.mark.parametrize("one", DRIVEN, ids=lambda one: f"{one.rule} {one.subject}".strip())
def test_a_project_drives_the_rule_to_both_sides(one: Driven) -> None:
    assert _fails(one.checks(one.fails)), [c.why for c in one.checks(one.fails)]
    passing = one.checks(one.passes)
    assert _passes(passing), [c.why for c in passing]
    margins = [c.margin for c in passing if c.outcome is Outcome.PASS and c.margin is not None]
    assert not margins or min(margins) <= NEAR


@pytest.mark.parametrize("rule", DIRECT)
def test_the_function_that_judges_sees_both_sides(rule: str) -> None:
    failing, passing = ([c for c in side if c.rule == rule] for side in DIRECT[rule]())
    assert _fails(failing)
    assert _passes(passing), [c.why for c in passing]


@pytest.mark.parametrize("base", BASES)
def test_a_rule_is_judged_by_one_study(base: str) -> None:
    rules = [rule for study in studies(base, ()) for rule in {check.rule for check in study}]
    assert sorted(rules) == sorted(set(rules))


def test_every_rule_of_a_design_is_driven_or_says_why_not() -> None:
    seen = {check.rule for base in BASES for check in design_of(BASES[base]).checks}
    missing = sorted(seen - {one.rule for one in DRIVEN} - set(DIRECT) - set(KNOWN))
    assert not missing, report("rules that no test drives", missing)


def test_no_row_is_of_a_rule_that_is_gone() -> None:
    named = {one.rule for one in DRIVEN} | set(DIRECT) | set(KNOWN)
    texts = "\n".join(path.read_text() for path in (ROOT / "facility").rglob("*.py"))
    compared = {rule.id for wing in WINGS for rule, _ in wing.rows}
    gone = [rule for rule in sorted(named - compared) if f'"{rule}"' not in texts]
    assert not gone, report("rules that the package no longer has", gone)
    assert not set(KNOWN) & ({one.rule for one in DRIVEN} | set(DIRECT))


def test_known_rows_are_complete() -> None:
    for rule, row in KNOWN.items():
        assert row["kind"] in KINDS, rule
        assert row["kind"] == "test" or row["note"], rule
        for node in (row["fails"], row["passes"]):
            if row["kind"] == "test":
                file, _, name = node.partition("::")
                assert f"def {name.rpartition('::')[2]}(" in (ROOT / file).read_text(), rule


def test_a_base_that_cannot_be_designed_is_an_error() -> None:
    with pytest.raises(FacilityError):
        next(studies("air", ("it.gpus=-1",)))


def test_a_rule_of_two_wings_has_one_meaning() -> None:
    listed: dict[str, list[Rule]] = {}
    for wing in WINGS:
        for id, rule in wing.items():
            listed.setdefault(id, []).append(rule)
    twice = {id: rules for id, rules in listed.items() if len(rules) > 1}
    assert set(twice) == {"MEMORY-DATA"}
    assert all(rule == rules[0] for rules in twice.values() for rule in rules)
