"""Design and check print one screen that says the verdict first; --full prints all."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from facility.cli.views.screen import _lines
from facility.core.check import Check, Rule, Severity
from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.core.sources import Source
from facility.report.tables.verdict import counts_text, findings, headline, key_figures
from facility.study.annual.result import AnnualStudy
from facility.study.studies import run_study
from tests.cli.helpers import KEPT_COOL, SHORT, SMALL, run
from tests.study.helpers import SHORTEST, design_of

SCREEN = 40
SOURCE = Source("derivation", "a test")


def rule(name: str, severity: Severity) -> Rule:
    return Rule(name, name.lower(), severity, SOURCE)


def violation(excess: float, subject: str = "x", name: str = "HOT") -> Check:
    return rule(name, Severity.VIOLATION).compare(subject, 1.0 + excess, "<=", 1.0, "fraction")


@pytest.mark.parametrize("verb", ["design", "check"])
@pytest.mark.parametrize("name", ["h100-10k", "dgx-su-32", "nvl72-hall", "mixed-hall"])
def test_it_is_one_screen(verb: str, name: str) -> None:
    lines = run(verb, reference_path("projects", f"{name}.yaml")).out.splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 140
    assert lines[0].startswith(name)
    assert lines[1].startswith("Verdict: ")


def test_four_lines_of_yaml_say_what_is_assumed_first(tmp_path: Path) -> None:
    file = tmp_path / "four.yaml"
    file.write_text(SHORT)
    out = run("design", file).out
    assert len(out.splitlines()) <= SCREEN
    assert re.search(r"^Note: .*Ashburn", out, re.MULTILINE)
    assert re.search(r"^Note: \d+ assumptions are not confirmed", out, re.MULTILINE)
    for label in ("IT load", "PUE, design hour", "UPS", "Generators", "Utility demand"):
        assert label in out


def test_the_pue_of_the_year_is_called_an_estimate_only_without_hours() -> None:
    year = design_of(SHORTEST).all_results
    known, labels = (
        ("pue.annual", "pue.estimate"),
        ("Annual PUE", "PUE, estimate at mean weather"),
    )
    assert all(key in year for key in known)
    for absent, label in zip((known[1:], known[:1], known), (*labels, labels[0]), strict=True):
        left = {key: value for key, value in year.values_by_key.items() if key not in absent}
        shown = dict(key_figures(replace(year, values_by_key=left)))
        assert [one for one in labels if one in shown] == [label]
        assert (shown[label] == "not known") is (len(absent) == 2)


def test_a_year_that_was_refused_says_why() -> None:
    found = replace(design_of(SHORTEST))
    found.__dict__["hours"] = run_study("the year", refused)
    lines = list(_lines(found, "si", 100))
    (at,) = [n for n, line in enumerate(lines) if line.startswith("The year was not run: ")]
    assert "cooling.plant: the towers freeze [OUT_OF_RANGE]" in " ".join(lines[at : at + 2])
    assert not [line for line in lines if "estimate" in line]


def refused() -> AnnualStudy:
    raise FacilityError("OUT_OF_RANGE", "cooling.plant", "the towers freeze", "")


@pytest.mark.anew
def test_every_face_of_the_command_line_gives_the_same_counts() -> None:
    counts = run("check", *SMALL, "--json").json["results"]
    words = {
        "violation": "violation",
        "warning": "warning",
        "advice": "advice",
        "not_evaluated": "not evaluated",
        "pass": "passed",
    }
    for arguments in (("design",), ("check",), ("design", "--full"), ("check", "--full")):
        (line,) = [
            one for one in run(*arguments, *SMALL).out.splitlines() if one.startswith("Checks: ")
        ]
        for key, word in words.items():
            (number,) = re.findall(rf"(\d+) {word}", line)
            assert int(number) == counts[f"checks.{key}"], (arguments, key)


def test_full_prints_every_check() -> None:
    checks = run("check", *SMALL, "--json").json["checks"]
    full = run("check", *SMALL, "--full").out
    heads = re.findall(r"^(?:VIOLATION|WARNING|ADVICE|NOT EVALUATED|PASS)  ", full, re.MULTILINE)
    assert len(heads) == len(checks)
    assert "UPS modules installed" in run("design", *SMALL, "--full").out


def test_a_design_without_violation_says_what_it_achieves_and_what_is_open(tmp_path: Path) -> None:
    file = tmp_path / "cool.yaml"
    file.write_text(KEPT_COOL)
    out = run("check", file).out
    assert "Verdict: no goal stated: UPS N+1, power not concurrently maintainable, cooling" in out
    assert "; no violations." in out
    assert re.search(r"^Not evaluated \(\d+\), by the input that decides: ", out, re.MULTILINE)
    assert re.search(r"^Unverified data: \d+ items", out, re.MULTILINE)


def test_advice_is_no_failure(tmp_path: Path) -> None:
    file = tmp_path / "cool.yaml"
    file.write_text(KEPT_COOL.replace("gpus: 64}", "gpus: 64, servers_per_rack: 4}"))
    out = run("check", file).out
    (_, _, failing) = out.partition("Violations and warnings, worst first\n")
    (failing, _, rest) = failing.partition("Advice: ")
    assert "ADVICE" not in failing
    assert "NEC-GROUNDING" in rest


def test_the_verdict_counts_violations() -> None:
    passed, unknown = violation(-0.1), rule("U", Severity.ADVICE).not_evaluated("y", "why")
    assert headline([violation(0.1)]).endswith("; 1 violation")
    assert headline([violation(0.1), violation(0.2), unknown]).endswith("; 2 violations")
    assert headline([passed, unknown]).endswith("; no violations")
    assert counts_text([passed, unknown]) == "0 violations, 1 passed, 1 not evaluated"


def test_the_worst_stands_first() -> None:
    warning = rule("A-WARNING", Severity.WARNING).compare("w", 9.0, "<=", 1.0, "fraction")
    checks = [
        warning,
        violation(0.01, "small", "B-RULE"),
        violation(0.3, "large"),
        violation(0.2, "middle"),
        violation(-0.5, "passes"),
        rule("N", Severity.VIOLATION).not_evaluated("n", "unknown"),
    ]
    found = findings(checks)
    assert [(one.word, one.rule, len(one.checks)) for one in found] == [
        ("VIOLATION", "HOT", 2),
        ("VIOLATION", "B-RULE", 1),
        ("WARNING", "A-WARNING", 1),
        ("NOT_EVALUATED", "N", 1),
    ]
    assert [check.subject for check in found[0].checks] == ["large", "middle"]
    assert found[0].text().startswith("large: ")
