"""Units of the catalogue tried in a design: what they say is what the design says."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from facility.core.check import Check, Outcome, Severity
from facility.core.sources import DERIVED
from facility.files.project.file import example_text, parse_project, template_text
from facility.model.inputs.entries import with_entries
from facility.study.design.design import design
from facility.study.shortlist import (
    CHOICES,
    Candidate,
    _option,
    best_first,
    changes,
    models,
    offered,
    shortlist,
)

PROJECT = parse_project(template_text())


def test_only_units_that_the_design_has_are_offered() -> None:
    air = [choice.title for choice in offered(design(PROJECT))]
    assert air == ["UPS module", "Chiller", "CRAH", "Generator set"]
    liquid = offered(design(parse_project(example_text("nvl72-hall"))))
    assert "CDU" in [choice.title for choice in liquid]


@pytest.mark.parametrize("choice", CHOICES, ids=[choice.title for choice in CHOICES])
def test_an_option_says_what_the_design_with_it_says(choice) -> None:  # type: ignore[no-untyped-def]
    project = parse_project(example_text("nvl72-hall")) if choice.title == "CDU" else PROJECT
    options = best_first(shortlist(project, choice))
    assert len(options) == models(choice)
    able = [option for option in options if not option.refused]
    assert able
    best = able[0]
    found = design(with_entries(project, changes(choice, best.model)))
    assert best.count == found.results[choice.count].si
    assert best.pue == found.results["pue.design"].si
    assert best.margin is not None
    assert best.margin >= -1e-9
    assert best.failure is not None
    assert best.normal is not None
    assert best.normal <= best.failure
    assert best.violations == min(option.violations for option in able)
    for option in options[len(able) :]:
        assert ": " in option.refused
    if choice.title == "UPS module":
        module = next(o for o in found.chain.ups.shortlist if o.model == best.model)
        assert best.count == module.modules
        assert best.margin <= module.margin + 1e-9


def _check(rule: str, value: float, limit: float, **changes: object) -> Check:
    made = Check(rule, "", Severity.VIOLATION, Outcome.PASS, DERIVED, "", value=value, limit=limit)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_an_option_of_six_modules_by_hand() -> None:
    """0.72 of 0.80 and 450 of 600: 90 % after the failure, 5 of 6 parts of it with all running."""
    checks = (
        _check("UPS-LOADING-FAILURE", 0.72, 0.80),
        _check("UPS-KVA", 450e3, 600e3),
        _check("UPS-KVA", 5.0, 4.0, kind="count"),  # Units, which are no loading
        _check("CDU-FLOW", 2.0, 1.0, outcome=Outcome.FAIL),
        _check("BRANCH-LOAD", 2.0, 1.0, outcome=Outcome.FAIL, severity=Severity.WARNING),
    )
    results = {"ups.modules": 6.0, "ups.modules.duty": 5.0, "pue.design": 1.31}
    found: Any = SimpleNamespace(
        results={key: SimpleNamespace(si=value) for key, value in results.items()},
        sizing_checks=checks,
    )
    option = _option(found, CHOICES[0], "A", "sheet, read")
    assert (option.count, option.duty, option.violations, option.pue) == (6, 5, 1, 1.31)
    assert option.failure == pytest.approx(0.90)
    assert option.normal == pytest.approx(0.75)
    assert option.margin == pytest.approx(0.10)


def test_violations_then_power_then_units_decide_the_order() -> None:
    rows = (("e", "X: no", 0, 0, 0.0), ("d", "", 1, 2, 1.20), ("c", "", 0, 3, 1.32))
    rows += (("b", "", 0, 5, 1.30), ("a", "", 0, 4, 1.30 + 1e-12))
    options = [
        Candidate(name, "", refused, count, violations=against, pue=pue)
        for name, refused, against, count, pue in rows
    ]
    assert [option.model for option in best_first(options)] == ["a", "b", "c", "d", "e"]
