"""Alarms that simulated failures cross, against the states and times of the studies."""

from __future__ import annotations

import pytest

from facility.study.points.crossings import AlarmCoverage, DetectedFailure, alarm_coverage
from facility.study.points.points import PointsList, design_points
from tests.study.helpers import SHORTEST, design_of


@pytest.fixture(scope="module")
def points() -> PointsList:
    return design_points(design_of(SHORTEST))


@pytest.fixture(scope="module")
def coverage(points: PointsList) -> AlarmCoverage:
    return alarm_coverage(points)


def failure(coverage: AlarmCoverage, id: str) -> DetectedFailure:
    return next(one for one in coverage.failures if one.id == id)


@pytest.mark.parametrize(
    ("id", "tag", "quantity"),
    [
        ("loss of UPO-1", "UPO-1", "supply_lost"),
        ("loss of LVB-1>UPS-1", "UPS-1", "on_battery"),
        ("loss of RPP-A01", "RPP-A01", "supply_lost"),
        ("loss of utility", "UTIL", "supply_lost"),
        ("loss of GEN-1", "GEN-1", "not_ready"),
        ("loss of GPB", "GPB", "fault"),
        ("loss of GEN>GPB", "GPB", "not_ready"),
        ("loss of GPB>ATS-1", "ATS-1", "not_ready"),
    ],
)
def test_the_first_alarm_of_an_outage_is_at_what_fails(
    coverage: AlarmCoverage, id: str, tag: str, quantity: str
) -> None:
    found = failure(coverage, id)
    assert (tag, quantity, 0.0) in {(c.tag, c.quantity, c.time_s) for c in found.crossings}


def test_every_failure_of_the_studies_is_listed(
    points: PointsList, coverage: AlarmCoverage
) -> None:
    outages = points.design.outages.study
    ride = points.design.ride_through.study
    assert outages is not None
    assert ride is not None
    kinds = ("loss", "utility", "utility-generator")
    expected = sum(s.case.kind in kinds for s in outages.states) + len(ride.evaluated)
    assert len(coverage.failures) == expected


def test_undetected_failures_carry_no_load_in_normal_operation(coverage: AlarmCoverage) -> None:
    """An open maintenance bypass and its supply carry nothing: only a test finds their loss."""
    undetected = {one.id for one in coverage.undetected}
    assert {"loss of MBP-1", "loss of LVB-1>MBP-1"} <= undetected
    assert not any(one.harmful for one in coverage.undetected)


def test_the_inlet_alarm_has_the_time_of_the_ride_through(
    points: PointsList, coverage: AlarmCoverage
) -> None:
    ride = points.design.ride_through.study
    assert ride is not None
    for result in ride.evaluated:
        times = {limit.id: time_s for limit, time_s, _ in result.limits}
        titles = result.case.title, f"{result.case.title}, temperatures"
        found = [one for one in coverage.failures if one.id in titles][-1]
        named = "inlet_temperature", "high"
        at_s = [c.time_s for c in found.crossings if (c.quantity, c.limit.level) == named]
        assert at_s == pytest.approx([] if times["recommended"] is None else [times["recommended"]])


def test_on_battery_beyond_the_generator_start_is_not_crossed_in_the_designed_sequence(
    coverage: AlarmCoverage,
) -> None:
    crossed = {(c.quantity, c.limit.level) for c in failure(coverage, "loss of utility").crossings}
    assert ("on_battery", "high") in crossed
    assert ("on_battery", "high-high") not in crossed
