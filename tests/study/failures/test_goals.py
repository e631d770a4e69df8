"""The verdict on goals: hand cases, the study of failures as its referee, goals against schemes."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.check import Severity
from facility.core.errors import FacilityError
from facility.model.facility import Goal
from facility.model.power.redundancy import SCHEMES, meets
from facility.power.network.graph.types import Network
from facility.report.tables.verdict import VerdictLine, headline, verdict_of
from facility.study.failures.study import FailureBasis, FailureStudy, network_failures
from tests.power.network.schemes import SchemeOptions, scheme_network
from tests.study.failures.helpers import board, load, network, source, with_modules
from tests.study.fields import BASES
from tests.study.helpers import design_of

CASES = [
    pytest.param(row, id=row["case"])
    for row in csv.DictReader(
        Path(__file__).with_name("goals.csv").read_text(encoding="utf-8").splitlines()
    )
]
TOLERANT = Goal(availability="fault_tolerant")


def by_title(study: FailureStudy) -> dict[str, VerdictLine]:
    return {line.title: line for line in verdict_of(study.checks)}


@pytest.mark.parametrize("row", CASES)
def test_hand_cases(row: dict[str, str]) -> None:
    """Outcomes found by hand from the path of the power, or the spare units of the cooling."""
    found = design_of(BASES[row["base"]], *row["sets"].split())
    (line,) = (one for one in verdict_of(found.checks) if one.title == row["property"])
    assert (line.outcome, row["words"] in line.because) == (row["outcome"], True), line.because


def test_fault_tolerance_with_one_switchgear_is_a_violation_that_names_both_sides() -> None:
    """Two boards and two cords, behind one utility service and one MV switchgear."""
    one = network(
        source("UTILITY"),
        board("MVS", "UTILITY"),
        board("X", "MVS"),
        board("Y", "MVS"),
        loads=(load("R", "X", "Y"),),
    )
    study = network_failures(one, FailureBasis(scheme="2N", goal=TOLERANT))
    line = by_title(study)["Fault tolerant, power"]
    assert line.required
    assert line.outcome == "not met"
    assert line.because.startswith("2 single points of failure; loss of MVS drops all racks")
    for side in ("criteria.availability_goal is fault_tolerant", "power.redundancy is 2N"):
        assert side in line.because
    (check,) = (c for c in study.checks if c.rule == "FAULT-TOLERANT")
    assert check.severity is Severity.VIOLATION
    assert headline(study.checks).startswith("goal not met: concurrently maintainable (power), fa")


@pytest.mark.parametrize(
    ("goal", "scheme", "is_met"),
    [
        ("N", "N", True),
        ("N+1", "N", False),
        ("N+1", "3N/2", True),
        ("N+2", "2N", False),
        ("N+2", "2(N+1)", True),
        ("2N", "N+2", False),
        ("2N", "3N/2", False),
        ("3N/2", "2N", True),
        ("4N/3", "5N/4", False),
        ("2(N+1)", "2N", False),
        ("block-redundant", "2N", True),
        ("2N", "block-redundant", False),
    ],
)
def test_schemes_that_meet_a_goal(goal: str, scheme: str, is_met: bool) -> None:
    """By the losses each survives: modules of one system, or a system; installed over required."""
    assert meets(scheme, goal) is is_met


def test_every_scheme_meets_itself_and_n() -> None:
    assert all(meets(name, name) and meets(name, "N") for name in SCHEMES)


def test_a_stated_scheme_below_the_goal_is_rejected_with_both_sides() -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(BASES["air"], "power.redundancy=N+1", "criteria.redundancy_goal=2N")
    assert caught.value.code == "REDUNDANCY_CONTRADICTION"
    assert "criteria.redundancy_goal: power.redundancy N+1 does not meet 2N." in str(caught.value)


def brute_force(study: FailureStudy) -> tuple[bool, bool]:
    """Return both properties and nothing but what each outage does, without the verdicts."""

    def sound(kinds: tuple[str, ...], bare: bool) -> bool:
        return not any(
            s.dropped_w or s.racks or s.overloads or (bare and (s.unprotected or s.interrupted_w))
            for s in study.states
            if s.case.kind in kinds
        )

    return sound(("maintenance",), False), sound(("loss", "utility"), True)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(SCHEMES),
    st.sampled_from((12, 24)),
    st.floats(200e3, 1500e3),
    st.sampled_from((0.0, 120e3, 400e3)),
    st.booleans(),
)
def test_the_verdict_agrees_with_the_study_of_failures(
    name: str, racks: int, load_w: float, module_w: float, stated: bool
) -> None:
    found: Network = scheme_network(name, load_w, SchemeOptions(racks=racks))
    grid = with_modules(found, 2, module_w) if module_w else found
    goal = TOLERANT if stated else Goal()
    study = network_failures(grid, FailureBasis(scheme=name, goal=goal))
    lines = by_title(study)
    titles = "Concurrently maintainable, power", "Fault tolerant, power"
    assert tuple(lines[t].outcome == "met" for t in titles) == brute_force(study)
    assert all(lines[t].required is stated for t in titles)
    points = sum(len(point.alike) for point in study.single_points)
    assert ("single point" in lines[titles[1]].because) is bool(points)
    ungrouped = network_failures(grid, FailureBasis(scheme=name, goal=goal), grouped=False)
    assert ungrouped.concurrently_maintainable.outages == study.concurrently_maintainable.outages
    assert ungrouped.fault_tolerant.outages == study.fault_tolerant.outages


def test_without_a_goal_the_severity_is_that_of_the_scheme() -> None:
    grid = scheme_network("N+1", 900e3, SchemeOptions(racks=6))
    for scheme, severity in (("N+1", Severity.ADVICE), ("2N", Severity.WARNING)):
        study = network_failures(grid, FailureBasis(scheme=scheme))
        assert {c.severity for c in study.checks if c.rule == "FAULT-TOLERANT"} == {severity}
    none = replace(FailureBasis(scheme="2N"), goal=Goal(availability="none"))
    study = network_failures(grid, none)
    assert {c.severity for c in study.checks if c.rule == "FAULT-TOLERANT"} == {Severity.ADVICE}
