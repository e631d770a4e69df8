"""The commissioning plan: hand-worked expected values, and each equal to its named origin."""

from __future__ import annotations

import csv
import math
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.report.studies.failures import state_object
from facility.study.commissioning.limits import limit_rows, operating_limits
from facility.study.commissioning.model import CommissioningPlan, ExpectedReading
from facility.study.commissioning.study import commissioning
from facility.study.commissioning.tolerances import Tolerances
from facility.study.design.design import Design
from facility.study.points.limits import CONTACTS
from facility.study.points.points import design_points
from tests.study.helpers import SHORTEST, design_of, reference

_ROWS = list(csv.DictReader((Path(__file__).parent / "hand.csv").read_text().splitlines()))
_PRESSURE = "cooling.hydraulics.design_pressure"
_B200 = """\
schema_version: 1
it:
  halls:
    - name: Hall 1
      racks: [{name: B, count: 8, devices: [{model: DGX B200, count: 2}], feeds: [A, B]}]
power: {redundancy: 2N}
cooling: {method: air}
"""
PROJECTS = ("h100-10k", "nvl72-hall", "n+1")
_JSON_POWERS = ("load_dropped", "load_interrupted", "load_capped", "other_load_dropped")


def _design(name: str) -> Design:
    if name == "n+1":
        return design_of(SHORTEST)
    if name == "b200":
        return design_of(_B200)
    stated = (f"{_PRESSURE}=6 bar",) if name == "nvl72-hall" else ()
    return reference(name, *stated)


@cache
def _plan(name: str) -> CommissioningPlan:
    return commissioning(_design(name))


def _readings(plan: CommissioningPlan, action: str, quantity: str) -> list[ExpectedReading]:
    steps = [step for step in plan.steps if step.action.startswith(action)]
    assert steps, action
    return [one for one in steps[0].readings if one.quantity == quantity]


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["quantity"])
def test_expected_values_calculated_by_hand(row: dict[str, str]) -> None:
    """Load bank, fuel, battery, pressure and transfer states of three redundancy schemes."""
    found = _readings(_plan(row["project"]), row["action"], row["quantity"])
    if not row["value"]:
        assert not found
        return
    (reading,) = found
    assert reading.value == pytest.approx(float(row["value"]), rel=float(row["tolerance"]))


@pytest.mark.parametrize("name", PROJECTS)
def test_every_expected_value_is_that_of_its_origin(name: str) -> None:
    """Results, states and cases are read again by the id that the list names."""
    design, plan = _design(name), _plan(name)
    outages, rides = design.outages.study, design.ride_through.study
    assert outages is not None
    assert rides is not None
    results = design.all_results.values_by_key | rides.results.values_by_key
    states = {one.case.outage.id: one for one in outages.states}
    columns = dict(zip(states, outages.columns, strict=False))
    seen = set[str]()
    for step in plan.steps:
        for one in step.readings:
            source, _, rest = one.origin.partition(" ")
            if one.missing or rest.startswith("site.utility_voltage over"):
                continue
            if source == "result":
                trace = design.full_trace
                expected = results[rest].si if rest in results else trace.value(rest)
                assert one.value == expected, one
            elif source == "state":
                id, _, key = rest.rpartition(": ")
                if key.startswith("loading "):
                    at = outages.network.index[key.removeprefix("loading ")]
                    assert one.value == columns[id][at]
                elif key not in ("transfers", "loading", "lowest_voltage"):
                    found = state_object(states[id])[key]
                    number = len(found) if isinstance(found, list) else found
                    scale = 1e3 if key in _JSON_POWERS else 1.0
                    assert isinstance(number, int | float)
                    assert one.value == pytest.approx(number * scale)
            elif source == "case":
                words = re.match(r"(\w+): (\w+) at (\d+) s", rest)
                assert words is not None
                id, series, at_s = words.groups()
                case = rides[id]
                times = np.linspace(0.0, case.horizon_s, len(case.series[series]))
                assert one.value == np.interp(float(at_s), times, case.series[series])
            seen.add(source)
    assert {"result", "state", "case", "table", "equation"} <= seen


@pytest.mark.parametrize("name", PROJECTS)
def test_each_integrated_test_begins_from_the_verified_end_of_the_last(name: str) -> None:
    """Ids are unique and rise; every failure of both studies has a test."""
    plan = _plan(name)
    assert len({step.id for step in plan.steps}) == len(plan.steps)
    tests = plan.level(5)
    for before, after in pairwise(tests):
        assert before.id in after.initial
        assert after.restoration
    tested = {tag for step in tests for tag in step.tags}
    outages = _design(name).outages.study
    assert outages is not None
    assert {one.case.component for one in outages.states} - {""} <= tested


@pytest.mark.parametrize("name", ["nvl72-hall", "n+1"])
def test_grounding_power_off_pressure_leaks_and_load_banks_have_test_rows(name: str) -> None:
    steps = _plan(name).steps
    found = {(step.level, step.id.split("-")[1]) for step in steps}
    assert found >= {
        (2, "GND"),
        (2, "GFP"),
        (2, "LOP"),
        (3, "PTS"),
        (4, "EPO"),
        (4, "LEK"),
        (5, "IST"),
    }
    banks = [step for step in steps if "oad bank" in step.action and step.level == 3]
    assert {"GEN", "UPS"} <= {step.id.split("-")[1] for step in banks}
    for step in banks:
        if step.action.startswith("Load bank on each"):
            loads = [
                one
                for one in step.readings
                if re.match(r"(Load|Output|Input).* (\d+) %", one.quantity)
            ]
            assert len(loads) >= 4, step


def test_high_resistance_grounding_and_residual_current_devices_are_tested() -> None:
    us = commissioning(
        design_of(
            SHORTEST,
            "criteria.code=NEC",
            "power.distribution.voltage=480 V",
            "power.distribution.rack_system=208Y/120",
            "power.transformer.grounding=high-resistance",
            "power.transformer.grounding_current=4 A",
        ),
        (2,),
    )
    assert any(step.action.startswith("High-resistance grounding") for step in us.steps)
    iec = commissioning(design_of(SHORTEST, "criteria.code=IEC"), (2,))
    assert any(step.action.startswith("Residual current devices") for step in iec.steps)


def test_an_unknown_expected_value_names_its_input() -> None:
    """Without a design pressure there is no test pressure of the water loops."""
    design = reference("h100-10k")
    found = [one for step in _plan("h100-10k").steps for one in step.open]
    assert {one.missing for one in found if one.kind == "pressure"} == {_PRESSURE}
    assert all(one.value is None and one.low is None for one in found)
    with pytest.raises(FacilityError, match="not a level"):
        commissioning(design, (6,))


@pytest.mark.parametrize(
    ("rule", "value", "base", "low", "high"),
    [
        ("power", 200.0, None, 198.0, 202.0),
        ("loss", 20.0, 800.0, 12.0, 28.0),
        ("battery-time", 600.0, None, 540.0, None),
        ("loading", 0.45, None, 0.42, 0.48),
        ("loading", 0.01, None, 0.0, 0.04),
        ("path-temperature", 27.0, None, None, 29.0),
        ("impedance", 0.06, None, 0.054, 0.066),
        ("<=", 5.0, None, None, 5.0),
        (">=", 5.0, None, 5.0, None),
        ("=", 5.0, None, 5.0, 5.0),
    ],
)
def test_tolerances(
    rule: str, value: float, base: float | None, low: float | None, high: float | None
) -> None:
    """Per cent of the value or of the input, percentage points, kelvin, one-sided limits."""
    found = Tolerances("IEC").applied(ExpectedReading("x", value, "ratio"), rule, base)
    for limit, expected in ((found.low, low), (found.high, high)):
        assert limit == (None if expected is None else pytest.approx(expected))


def test_operating_limits_are_those_of_the_points_list() -> None:
    """Each limit has an action; the UPS alarm is the loading before failover."""
    design = _design("nvl72-hall")
    limits = operating_limits(design)
    known = {limit.value for one in design_points(design).sets.sets for limit in one.limits}
    listed = {(row["equipment"], row["quantity"]) for row in limit_rows()}
    assert {
        (one.equipment, one.quantity)
        for one in design_points(design).sets.sets
        if one.quantity not in CONTACTS
    } <= listed
    for one in limits:
        if one.limit is None or isinstance(one.limit.value, str):
            continue
        assert one.limit.value in known
        assert one.action
    loading = [one for one in limits if (one.equipment, one.level) == ("UPS", "high")]
    ups = next(one.limit for one in loading if one.limit and one.limit.kind == "fraction")
    # 2N: the remaining system carries both halves, so half of its limit of 100 %.
    assert math.isclose(float(ups.value or 0.0), 0.5, rel_tol=1e-3)
