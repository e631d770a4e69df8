"""The verdict of a list of checks: its lines, its headline, unverified data and deciding inputs."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

import facility.cooling.rules
import facility.power.rules
import facility.study.rules
from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.report.tables import verdict
from facility.report.tables.verdict import (
    UNVERIFIED,
    deciding_input,
    headline,
    not_evaluated,
    unverified_text,
    verdict_of,
)
from tests.study.fields import BASES
from tests.study.helpers import design_of

RULES = {**facility.power.rules.RULES, **facility.cooling.rules.RULES, **facility.study.rules.RULES}
TABLE = Path(verdict.__file__).with_name("deciding_inputs.csv")
SECTIONS = ("site", "it", "power", "cooling", "criteria", "panels", "house")


def check(id: str, outcome: str, why: str = "because", *, goal: bool = False) -> Check:
    rule = replace(RULES[id], severity=Severity.VIOLATION if goal else Severity.ADVICE)
    if outcome == "unknown":
        return rule.not_evaluated("IT load", why)
    return rule.verdict("IT load", outcome == "pass", why)


def checks(*outcomes: str, goal: bool = False) -> list[Check]:
    """Return redundancy, which passes, and the four properties in their order."""
    rules = list(verdict.PROPERTIES.values())
    found = [check(id, one, goal=goal) for id, one in zip(rules[1:], outcomes, strict=True)]
    return [check(rules[0], "pass", "UPS 2N (2 systems); generator sets N+1"), *found]


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        (("pass",) * 4, "power fault tolerant, cooling fault tolerant"),
        (
            ("pass", "unknown", "fail", "unknown"),
            "power concurrently maintainable, cooling not decided",
        ),
        (
            ("fail", "pass", "fail", "fail"),
            "power not concurrently maintainable, cooling concurrently maintainable",
        ),
    ],
)
def test_without_a_goal_it_says_what_the_design_achieves(
    outcomes: tuple[str, ...], words: str
) -> None:
    expected = f"no goal stated: UPS 2N (2 systems), {words}; no violations"
    assert headline(checks(*outcomes)) == expected


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        (("pass",) * 4, "goal met; no violations"),
        (
            ("fail", "pass", "pass", "unknown"),
            "goal not met: concurrently maintainable (power); 1 violation",
        ),
        (
            ("pass", "pass", "unknown", "unknown"),
            "goal not decided: fault tolerant (power and cooling); no violations",
        ),
    ],
)
def test_a_goal_that_is_not_evaluated_is_not_met(outcomes: tuple[str, ...], words: str) -> None:
    assert headline(checks(*outcomes, goal=True)) == words


def test_a_study_that_has_not_run_decides_nothing() -> None:
    assert {line.outcome for line in verdict_of([])} == {"not decided"}


def test_batteries_that_end_before_the_generators_start_are_no_fault_tolerance() -> None:
    found = [*checks("pass", "pass", "pass", "pass")]
    short = RULES["BATTERY-RIDE-THROUGH"].at_least("UPS", 5.0, 20.0, "time")
    (line,) = (one for one in verdict_of([*found, short]) if one.title == "Fault tolerant, power")
    assert line.outcome == "not met"
    unknown = RULES["BATTERY-RIDE-THROUGH"].not_evaluated("UPS", "no table")
    (line,) = (one for one in verdict_of([*found, unknown]) if one.title == "Fault tolerant, power")
    assert line.outcome == "not decided"


def test_units_that_do_not_carry_the_load_are_not_redundant() -> None:
    """Ten generator sets are required and six are stated: no set is a spare one."""
    short = check("GENERATOR-CAPACITY", "fail", "12 MW exceeds 10 MW")
    few = [*checks(*["pass"] * 4), short]
    line = verdict_of(few)[0]
    assert (line.title, line.outcome) == ("Redundancy", "not met")
    assert "12 MW exceeds 10 MW" in line.because
    assert "redundancy not met, power" in headline(few)


@pytest.mark.parametrize(("goal", "outcome"), [("2N", "not met"), ("N+1", "met")])
def test_systems_that_a_device_needs_all_of_are_not_redundant(goal: str, outcome: str) -> None:
    """A server that needs 4 of its 6 supplies, 3 on each side: 2N does not carry it."""
    stated = replace(RULES["REDUNDANCY"], severity=Severity.VIOLATION)
    found = [
        stated.verdict(f"{goal} required", True, "UPS 2N (2 systems)"),
        check("PSU-REDUNDANCY", "fail", "3 of 6 supplies alive, 4 needed; by data", goal=True),
        *checks(*["pass"] * 4)[1:],
    ]
    line = verdict_of(found)[0]
    assert (line.title, line.outcome) == ("Redundancy", outcome)
    assert ("4 needed; UPS 2N" in line.because) is (outcome == "not met")


def test_unverified_data_are_one_line_with_their_count() -> None:
    one = check("MEMORY-DATA", "fail")
    found = [replace(one, alike=("b", "c")), check("BATTERY-MEMORY", "fail"), check("SPOF", "fail")]
    assert unverified_text(found) == "Unverified data: 4 items (no source read)"
    assert unverified_text([check("MEMORY-DATA", "pass")]) == ""


def test_rules_of_unverified_data_are_advice() -> None:
    assert set(RULES) >= UNVERIFIED
    assert {RULES[id].severity for id in UNVERIFIED} == {Severity.ADVICE}


def test_what_is_not_evaluated_is_grouped_by_the_input_that_decides() -> None:
    rule = Rule("MV-WITHSTAND", "", Severity.VIOLATION, Source("derivation", "a test"))
    found = [
        rule.not_evaluated("a", "not specified (site.fault_level)"),
        rule.not_evaluated("b", "unknown"),
        check("BATTERY-HYDROGEN", "unknown"),
        check("SPOF", "fail"),
    ]
    grouped = [(name, len(those)) for name, those in not_evaluated(found)]
    assert grouped == [("site.fault_level", 2), ("power.battery.room_airflow", 1)]


def test_deciding_inputs_are_of_rules_and_fields_that_exist() -> None:
    rows = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
    assert [row["rule"] for row in rows] == sorted({row["rule"] for row in rows})
    assert {row["rule"] for row in rows} <= set(RULES)
    paths = [entry.path for entry in leaves(Project)]
    named = {row["input"] for row in rows if row["input"].split(".")[0] in SECTIONS}
    missing = {
        name
        for name in named
        if not any(p == name or p.startswith((f"{name}.", f"{name}[")) for p in paths)
    }
    assert not missing


@pytest.mark.parametrize("base", BASES)
def test_every_check_that_is_not_evaluated_names_what_decides_it(base: str) -> None:
    found = design_of(BASES[base]).checks
    open_ones = {c.rule: c.why for c in found if c.outcome == "NOT_EVALUATED"}
    assert open_ones
    named = [deciding_input(c) for c in found if c.outcome == "NOT_EVALUATED"]
    assert "see the reason" not in named, open_ones
