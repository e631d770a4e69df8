"""Maintainability and fault tolerance of the cooling, from spare units, boards, power and time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from facility.cooling.ride_through.limits import Limit
from facility.cooling.ride_through.schedule import PowerState, RideCase
from facility.core.check import Outcome, Severity
from facility.model.cooling.units import Spares, spares_of_board
from facility.model.facility import Goal
from facility.model.power.mechanical import CoolingUnits
from facility.power.network.build.mechanical import MechanicalBoard, UnitCircuit
from facility.power.panels.board.motor_devices import MotorDevice
from facility.study.transient.availability import CoolingOutages, cooling_checks
from facility.study.transient.cases import MAKEUP
from facility.study.transient.result import RideResult
from tests.study.fields import BASES
from tests.study.helpers import design_of

GOAL = Goal(availability="fault_tolerant")


def chillers(installed: int, duty: int, tag: str = "CH") -> CoolingUnits:
    return CoolingUnits(tag, "chillers", "compressor", False, installed, duty, 1e5, 1e5, 0.0, "")


def boards(units: CoolingUnits, *counts: int) -> tuple[MechanicalBoard, ...]:
    circuit = UnitCircuit(units, 100.0, MotorDevice(100.0, 100.0))
    return tuple(
        MechanicalBoard(f"MECH.{n}", "MECH", ("A", "B"), ((circuit, count),), ())
        for n, count in enumerate(counts, start=1)
    )


def found(one: CoolingOutages, goal: Goal = GOAL) -> dict[str, tuple[str, str]]:
    return {c.rule: (c.outcome.value, c.why) for c in cooling_checks(one, goal)}


def outages(
    units: CoolingUnits, *counts: int, maintained: Sequence[tuple[str, PowerState]] = ()
) -> CoolingOutages:
    return CoolingOutages(boards(units, *counts), (), maintained, 0.0)


@pytest.mark.parametrize(
    ("installed", "duty", "counts", "outcome", "words"),
    [
        # Three chillers, two required: a board with two leaves one, boards of one leave two.
        (3, 2, (2, 1), "FAIL", "MECH.1 out of service: 1 of the 2 chillers required remain"),
        (3, 2, (1, 1, 1), "PASS", "one unit out of service among chillers"),
        (4, 2, (2, 2), "PASS", "one unit out of service among chillers"),
        (2, 2, (1, 1), "FAIL", "no spare unit: 2 chillers, 2 required"),
    ],
)
def test_one_unit_and_one_board(
    installed: int, duty: int, counts: tuple[int, ...], outcome: str, words: str
) -> None:
    result = found(outages(chillers(installed, duty), *counts))
    for rule in ("COOLING-MAINTAINABLE", "COOLING-FAULT-TOLERANT"):
        assert result[rule][0] == outcome
        assert words in result[rule][1]


def test_power_left_in_a_maintenance_outage_is_in_whole_units() -> None:
    """Half of four chillers is two, of which two are required; half of three is one."""
    half = ("maintenance of LVB-1", PowerState(on_board=(0.5, 0.5)))
    assert (
        found(outages(chillers(4, 2), 2, 2, maintained=[half]))["COOLING-MAINTAINABLE"][0] == "PASS"
    )
    outcome, why = found(outages(chillers(3, 2), 1, 1, 1, maintained=[half]))[
        "COOLING-MAINTAINABLE"
    ]
    assert outcome == "FAIL"
    assert why.startswith("maintenance of LVB-1: 1 of the 2 chillers required remain energized")


def test_the_changeover_of_pumps_is_not_evaluated_and_so_tolerance_is_not_decided() -> None:
    result = found(outages(chillers(3, 2, "P-CHW"), 1, 1, 1))
    assert result["COOLING-MAINTAINABLE"][0] == "PASS"
    assert result["COOLING-FAULT-TOLERANT"] == (
        "NOT_EVALUATED",
        "not evaluated: changeover to the standby chillers",
    )


TOLERANT = (
    "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 1024}\n"
    "criteria: {availability_goal: fault_tolerant}\n"
    "cooling: {makeup_water: {storage: 12 h}}"
)


def test_pumps_that_take_over_at_once_are_fault_tolerant_and_standby_pumps_are_not() -> None:
    """One pump of chilled water is on duty: the inlet limit of the servers is passed in 13 s."""
    for idle, outcome in (("false", "PASS"), ("true", "FAIL")):
        design = design_of(TOLERANT, f"cooling.thermal.standby_water_pumps={idle}")
        (check,) = (c for c in design.checks if c.rule == "COOLING-FAULT-TOLERANT")
        assert check.outcome == outcome
        assert "one of the chilled-water pumps fails" in check.why
        assert "inlet limit of the equipment is exceeded" in check.why
        assert ("the standby pump starts after 15.0 s" in check.why) is (outcome == "FAIL")
        assert ("without changeover" in check.why) is (outcome == "PASS")
        results = design.ride_through.study.results
        without_s = results["ride.chw_pump_only.time.equipment"].si
        assert without_s < 15.0
        if idle == "true":
            assert results["ride.chw_pump.time.equipment"].si == pytest.approx(without_s)


def test_a_standby_pump_that_starts_in_time_is_fault_tolerant() -> None:
    sets = ("cooling.thermal.standby_water_pumps=true", "cooling.thermal.water_pump_start=2 s",
            "cooling.thermal.ramp=5 s")  # fmt: skip
    (check,) = (c for c in design_of(TOLERANT, *sets).checks if c.rule == "COOLING-FAULT-TOLERANT")
    assert check.outcome == "PASS"
    assert "standby after 2.0 s" in check.why


@pytest.mark.parametrize(
    ("last_k", "outcome"), [(0.3, "NOT_EVALUATED"), (0.0, "PASS"), (-0.3, "PASS")]
)
def test_only_a_temperature_that_still_rises_is_undecided(last_k: float, outcome: str) -> None:
    limit = Limit("inlet", "inlet air", "inlet", "allowable", 32.0)
    series = {"inlet": np.interp(np.arange(901.0), [0, 840, 900], [24.0, 28.0, 28.0 + last_k])}
    one = RideResult(RideCase("c", "a failure"), series, ((limit, None, 28.3),), False, 900.0, None)
    result, why = found(replace(outages(chillers(3, 2), 1, 1, 1), cases=(one,)))[
        "COOLING-FAULT-TOLERANT"
    ]
    assert result == outcome
    assert ("still rising" in why) is (outcome == "NOT_EVALUATED")


@pytest.mark.parametrize(("racks", "outcome"), [(8, "FAIL"), (1, "FAIL"), (0, "PASS")])
def test_racks_without_coolant_decide_both_properties(racks: int, outcome: str) -> None:
    title = "coolant header section shut off, 8 of 8 racks isolated"
    case = RideCase("tcs_header", title, racks=racks)
    one = RideResult(case, {}, (), True, 900.0, None)
    result = found(replace(outages(chillers(3, 2), 1, 1, 1), cases=(one,)))
    for rule in ("COOLING-MAINTAINABLE", "COOLING-FAULT-TOLERANT"):
        assert result[rule][0] == outcome
        named = f"{title} (cooling.hydraulics.tcs_header)" in result[rule][1]
        assert named is (outcome == "FAIL")


@pytest.mark.parametrize(
    ("stored_s", "outcome"), [(None, "NOT_EVALUATED"), (0.0, "FAIL"), (43_200.0, "PASS")]
)
def test_loss_of_make_up_water_counts_by_what_is_stored(
    stored_s: float | None, outcome: str
) -> None:
    limit = Limit("inlet", "inlet air", "inlet", "allowable", 32.0)
    case = RideCase(MAKEUP, "loss of make-up water")
    dry = RideResult(case, {"inlet": np.zeros(2)}, ((limit, 60.0, 35.0),), True, 900.0, None)
    one = replace(outages(chillers(3, 2), 1, 1, 1), cases=(dry,), makeup_storage_s=stored_s)
    result, why = found(one)["COOLING-FAULT-TOLERANT"]
    assert result == outcome
    assert ("loss of make-up water" in why) is (outcome != "PASS")


@pytest.mark.parametrize(
    ("goal", "severity"),
    [
        (Goal(), Severity.ADVICE),
        (GOAL, Severity.VIOLATION),
        (replace(GOAL, cooling=False), Severity.ADVICE),
    ],
)
def test_only_a_goal_of_the_cooling_is_binding(goal: Goal, severity: Severity) -> None:
    checks = list(cooling_checks(outages(chillers(2, 2), 1, 1), goal))
    assert {c.severity for c in checks} == {severity}
    assert all(c.outcome is Outcome.FAIL for c in checks)
    assert all(("criteria.availability_goal" in c.why) is (severity == "VIOLATION") for c in checks)


def test_a_failure_that_exceeds_a_limit_is_no_fault_tolerance() -> None:
    """Without pumps and fans on the UPS the air warms before the generators carry them."""
    design = design_of(BASES["air"], "cooling.thermal.chilled_water_tank=0 m3", "cooling.on_ups=[]")
    study = design.ride_through.study
    assert study is not None
    failing = [one for one in study.evaluated if not one.holds and one.case.id == "utility"]
    (check,) = (c for c in study.checks if c.rule == "COOLING-FAULT-TOLERANT")
    assert failing
    assert check.failed


@pytest.mark.parametrize("duty", [*range(1, 40), 99, 100, 250])
def test_spares_of_a_board_are_fewest_with_their_boards(duty: int) -> None:
    """By enumeration: b boards carry n + k units evenly; without the largest n must remain."""
    feasible = [
        (spare + boards, spare)
        for spare in range(1, duty + 1)
        for boards in range(2, duty + 2)
        if duty + spare - math.ceil((duty + spare) / boards) >= duty
    ]
    spare = spares_of_board(duty)
    assert min(feasible)[0] == min(total for total, spares in feasible if spares == spare)
    spares = Spares("N+1", 1, of_board=True)
    assert spares.left(spares.installed(duty)) == duty


GOALS = {
    "air, towers": "it: {gpu_model: H100 SXM5, gpus: 1024}",
    "CRACs": "it: {gpu_model: H100 SXM5, gpus: 64}\ncooling: {air: {terminal: crac}}",
    "liquid": BASES["liquid"],
}


@pytest.mark.parametrize("base", GOALS.values(), ids=GOALS)
def test_defaults_meet_the_goal_of_maintainability(base: str) -> None:
    goal = "criteria: {availability_goal: concurrently_maintainable}"
    text = base if "schema_version" in base else f"schema_version: 1\n{base}"
    design = design_of(f"{text}\n{goal}")
    by_rule = {check.rule: check for check in design.checks}
    assert by_rule["COOLING-MAINTAINABLE"].outcome is Outcome.PASS
    # Second calculation, from the boards themselves.
    for board in design.distribution.plan.boards:
        for circuit, count in board.units:
            assert circuit.units.installed - count >= circuit.units.duty


def test_stated_redundancy_is_named_beside_the_goal() -> None:
    text = (
        "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 1024}\n"
        "cooling: {crah: {redundancy: N}}\n"
        "criteria: {availability_goal: concurrently_maintainable}"
    )
    by_rule = {check.rule: check for check in design_of(text).checks}
    check = by_rule["COOLING-MAINTAINABLE"]
    assert check.outcome is Outcome.FAIL
    assert check.severity is Severity.VIOLATION
    assert "cooling.crah.redundancy is N" in check.why
    assert "criteria.availability_goal is concurrently_maintainable" in check.why
