"""Waivers: what failed and is accepted is counted and printed apart, at every door alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from facility.core.check import Check, Outcome, Rule, Severity, counted, merged
from facility.core.sources import Source
from facility.files.project.file import apply_sets, parse_project
from facility.files.workbook.book import workbook_bytes
from facility.model.inputs.document import Project
from facility.report.tables.verdict import findings, headline
from facility.study.design.checks import unused, waived
from facility.study.design.design import Design, design
from facility.study.parts import checks_with
from facility.study.studies import PARTS
from facility.study.sweep.studies import STUDIES
from tests.cli.helpers import run
from tests.study.fields import AIR
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import read_book

BROKEN = ("power.distribution.rack_system=415Y/240", "power.battery.room_airflow=800 m3/h")
RULE = Rule("LIMIT", "a limit", Severity.VIOLATION, Source("project", "a test"), "Mend it.")
WHY = "the room of the owner is ventilated from outside"


def waiver(number: int, rule: str, subject: str = "") -> tuple[str, ...]:
    given = (("rule", rule), ("subject", subject), ("reason", WHY), ("by", "A. Owner"))
    return tuple(f"checks.waived.{number}.{name}={text}" for name, text in given if text)


def project(*sets: str) -> Project:
    return apply_sets(parse_project(AIR), [*BROKEN, *sets])


def made(*sets: str) -> Design:
    return design(project(*sets))


def failing(*subjects: str) -> Check:
    first, *others = subjects
    return replace(RULE.compare(first, 3.0, "<=", 2.0, "count"), alike=tuple(others))


def words(checks: tuple[Check, ...]) -> list[tuple[str, str]]:
    return [(check.word, check.about(9)) for check in checks]


def test_a_waived_check_is_counted_apart_and_no_door_takes_it_for_passed(tmp_path: Path) -> None:
    before = made()
    (found,) = (c for c in before.checks if c.rule == "BATTERY-HYDROGEN")
    both = [
        one for n, name in enumerate(("BATTERY-HYDROGEN", "BATTERY-HYDROGEN-LIMIT"))
        for one in waiver(n, name)
    ]  # fmt: skip
    after = made(*both)
    was, now = counted(before.checks), counted(after.checks)
    assert (was["VIOLATION"], was["WAIVED"]) == (2, 0)
    assert (now["VIOLATION"], now["WAIVED"], now["PASS"]) == (0, 2, was["PASS"])
    (check,) = (c for c in after.checks if c.rule == found.rule)
    assert check.outcome is Outcome.WAIVED
    assert check.why == f"Waived by A. Owner: {WHY}. Found: {found.found()}"
    assert (check.value, check.limit, check.margin) == (found.value, found.limit, found.margin)
    assert headline(before.checks).endswith("; 2 violations")
    assert headline(after.checks).endswith("; no violations; 2 violations waived")
    assert [one.word for one in findings(after.checks)][-1] == "WAIVED"
    file = tmp_path / "p.yaml"
    file.write_text(AIR, encoding="utf-8")
    sets = [part for one in (*BROKEN, *both) for part in ("--set", one)]
    asked = run("check", str(file), "--json", "--fail-on", "violation", *sets)
    assert asked.code == 0
    assert asked.json["results"]["checks.waived"] == 2
    assert run("check", str(file), "--fail-on", "violation", *sets[:4]).code == 5
    assert WHY in run("check", str(file), "--full", *sets).out
    assert "WAIVER-UNUSED" not in {c.rule for c in after.checks}


def test_the_workbook_has_what_is_waived_on_cover_and_sheet(tmp_path: Path) -> None:
    file = tmp_path / "book.xlsx"
    file.write_bytes(workbook_bytes(made(*waiver(0, "BATTERY-HYDROGEN"))))
    book = read_book(recalculated(file, tmp_path), data_only=True)
    cover = [cell for row in book["Cover"].iter_rows(values_only=True) for cell in row]
    assert 1 in cover[cover.index("WAIVED") :][:4]
    checks = [row[:3] for row in book["Checks"].iter_rows(values_only=True)]
    assert ("WAIVED", "VIOLATION", "BATTERY-HYDROGEN") in checks


def test_a_waiver_that_matches_nothing_that_failed_is_a_finding() -> None:
    given = project(*waiver(0, "LIMIT", "tank 2"), *waiver(1, "NO-SUCH-RULE"))
    passed = RULE.compare("tank 2", 1.0, "<=", 2.0, "count")
    left = list(unused(given, waived(given, [passed])))
    assert [(c.word, c.rule, c.subject) for c in left] == [
        ("WARNING", "WAIVER-UNUSED", "LIMIT"),
        ("WARNING", "WAIVER-UNUSED", "NO-SUCH-RULE"),
    ]
    assert WHY in left[0].why
    assert "WAIVER-UNUSED" in {c.rule for c in made(*waiver(0, "NO-SUCH-RULE")).checks}


def test_what_was_not_evaluated_cannot_be_waived() -> None:
    given = project(*waiver(0, "LIMIT"))
    open_ones = (RULE.not_evaluated("tank", "its level is not known"),)
    assert waived(given, open_ones) == open_ones
    assert [c.rule for c in unused(given, open_ones)] == ["WAIVER-UNUSED"]


def test_of_several_alike_the_one_named_is_waived() -> None:
    given = project(*waiver(0, "LIMIT", "b"))
    parts = waived(given, [failing("a", "b", "c")])
    assert words(parts) == [("WAIVED", "b"), ("VIOLATION", "a; c")]
    assert waived(given, parts) == parts
    assert words(merged(parts)) == words(parts)
    assert words(waived(project(*waiver(0, "LIMIT")), [failing("a", "b")])) == [("WAIVED", "a; b")]


def test_the_app_puts_the_same_checks_together() -> None:
    given = made(*waiver(0, "BATTERY-HYDROGEN"), *waiver(1, "NO-SUCH-RULE"))
    found = {name: STUDIES[name](given).checks for name in PARTS}
    assert checks_with(made(*waiver(0, "BATTERY-HYDROGEN"), *waiver(1, "NO-SUCH-RULE")), found) == (
        given.checks
    )
