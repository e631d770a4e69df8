"""Circuits of cooling units: the code against published examples, and whole designs by hand."""

from __future__ import annotations

import csv
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from facility.core.check import Outcome
from facility.model.power.mechanical import CoolingUnits, Drive
from facility.physics.machines.motor_circuits import motor_conductor_current, motor_feeder_device
from facility.power.feeders.motors.circuits import MechanicalCircuit, _feeder_checks, _unit_checks
from facility.power.network.build.mechanical import CoolingSupply, MechanicalBoards, UnitCircuit
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.motor_devices import MotorDevice, MotorGroup, motor_device
from facility.study.design.design import Design
from tests.study.helpers import design_of, reference

CASES = Path(__file__).parent / "data" / "motor_circuits.csv"
# 240.6(A) up to 6,000 A, written down for these tests.
RATINGS_A = (
    15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 110, 125, 150, 175, 200, 225, 250, 300,
    350, 400, 450, 500, 600, 700, 800, 1000, 1200, 1600, 2000, 2500, 3000, 4000, 5000, 6000,
)  # fmt: skip
NEC_A = standard_breakers("NEC", "2023")
TWO_SYSTEMS = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 1024, server: DGX H100}
power: {redundancy: 2N}
cooling: {method: air}
"""
DOORS = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 256, server: DGX H100}
power: {redundancy: N}
cooling: {method: air, air: {terminal: active-rear-door}}
"""
IEC = """\
schema_version: 1
site: {station: fargo, frequency: 50 Hz, utility_voltage: 11 kV}
criteria: {code: IEC}
it: {gpu_model: H100 SXM5, gpus: 512, server: DGX H100}
power: {redundancy: 2N, distribution: {rack_system: 400Y/230}}
cooling: {method: air}
"""


def _rows() -> list[dict[str, str]]:
    with CASES.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row["case"])
def test_published_motor_circuits(row: dict[str, str]) -> None:
    largest_a, rest_a = float(row["largest_a"]), float(row["rest_a"])
    if row["rule"] == "conductors":
        found = float(motor_conductor_current.si(largest_a, rest_a, 1.25))
    else:
        most_a = float(row["branch_a"] or 2.25 * largest_a)
        limit_a = float(motor_feeder_device.si(most_a, rest_a))
        found = max(a for a in RATINGS_A if a <= limit_a)
    assert found == pytest.approx(float(row["expected"]), abs=float(row["tolerance"]))


def _next(least_a: float) -> float:
    return next(a for a in RATINGS_A if a >= least_a - 1e-9)


def _last(most_a: float) -> float:
    return max((a for a in RATINGS_A if a <= most_a + 1e-9), default=15)


@pytest.mark.parametrize("current_a", [0.4, 8.5, 12.0, 23.0, 75.5, 183.8, 439.9, 745.9, 1400.0])
def test_devices_of_drives_and_compressors_by_another_way(current_a: float) -> None:
    drive = motor_device("drive", current_a, "NEC", NEC_A)
    assert (drive.rating_a, drive.max_a) == (_next(1.25 * current_a), _next(2.5 * current_a))
    chiller = motor_device("compressor", current_a, "NEC", NEC_A)
    least_a = _next(1.25 * current_a)
    assert chiller.rating_a == max(least_a, _last(1.75 * current_a))
    assert chiller.max_a == max(least_a, _last(2.25 * current_a))
    assert chiller.rating_a <= max(1.75 * current_a, least_a)


def test_the_iec_asks_for_in_not_below_ib() -> None:
    sizes_a = standard_breakers("IEC", "")
    assert motor_device("drive", 63.0, "IEC", sizes_a).rating_a == 63.0
    assert motor_device("compressor", 63.0, "IEC", sizes_a).rating_a == 80.0  # 1.25 x 63 = 78.75


def test_a_unit_beyond_the_largest_breaker_is_refused_by_a_check() -> None:
    huge = ("power.distribution.voltage=208 V", "cooling.plant.chiller.capacity=25 MW")
    found = design_of(TWO_SYSTEMS, *huge).distribution
    (chiller,) = [c for c in found.mechanical.circuits if c.unit.units.tag == "CH"]
    assert chiller.choice is None
    assert 1.25 * chiller.unit.current_a > chiller.unit.device.rating_a == NEC_A[-1]
    refused = [c for c in found.checks if c.rule == "CIRCUIT-TOO-LARGE"]
    refused = [c for c in refused if c.subject.startswith("CH,")]
    assert [c.outcome for c in refused] == [Outcome.FAIL]
    assert "breaker" in refused[0].why


DESIGNS = {
    "two-systems": lambda: design_of(TWO_SYSTEMS),
    "h100-10k": lambda: reference("h100-10k"),
    "mixed-hall": lambda: reference("mixed-hall"),
    "doors": lambda: design_of(DOORS),
    "iec": lambda: design_of(IEC),
}


@pytest.fixture(params=DESIGNS)
def made(request: pytest.FixtureRequest) -> Design:
    return DESIGNS[request.param]()


def test_units_together_draw_the_cooling_load_of_the_chain(made: Design) -> None:
    units, flow = made.electrical_units, made.point.cooling
    for on_ups, whole_w, coolant_w in (
        (True, flow.on_ups_w, flow.on_ups_coolant_w),
        (False, flow.mech_w, flow.mech_coolant_w),
    ):
        mine = [one for one in units if one.on_ups is on_ups]
        assert sum(u.hour_w for u in mine) == pytest.approx(whole_w, rel=1e-9)
        found_w = sum(u.coolant * u.hour_w for u in mine)
        assert found_w == pytest.approx(coolant_w, rel=1e-9, abs=1e-6)
    assert all(u.rated_w * u.installed >= u.hour_w * (1 - 1e-9) for u in units if u.installed)
    assert {u.installed for u in units if u.tag == "CH"} == {made.cooling.counts.chillers}


def test_each_unit_is_on_one_board_that_two_systems_feed(made: Design) -> None:
    schedule = made.distribution.mechanical
    placed: Counter[str] = Counter()
    systems = len(made.chain.ups.systems)
    for board in schedule.boards:
        placed.update({unit.units.tag: count for unit, count in board.units})
        assert len(set(board.sources)) == min(2, systems)
    installed = {u.tag: u.installed for u in made.electrical_units if u.installed}
    assert dict(placed) == installed
    assert {one.unit.units.tag for one in schedule.circuits} == installed.keys()


def test_no_board_has_all_units_where_two_systems_supply_cooling(made: Design) -> None:
    if len(made.chain.ups.systems) == 1:
        return
    for board in made.distribution.mechanical.boards:
        for unit, count in board.units:
            assert count < unit.units.installed or unit.units.installed == 1


def test_feeders_hold_the_lineup_law_of_motors(made: Design) -> None:
    """Every board by hand: currents of its units, the largest device, the feeder chosen."""
    found, chain = made.distribution, made.chain.chain
    feeders = {f.circuit.tag: f for f in found.feeders.feeders}
    nec = made.facility.criteria.code == "NEC"
    other_w = sum(u.hour_w for u in made.electrical_units if not u.installed)
    for board in found.mechanical.boards:
        per_w = 1.0 / (math.sqrt(3.0) * chain.wiring.lv_voltage_v * chain.mechanical_power_factor)
        running = {
            u.units.tag: (u.units.rated_w * per_w, min(n, u.units.duty)) for u, n in board.units
        }
        known_a = sum(current_a * n for current_a, n in running.values())
        if not running:
            continue
        load_a = board.motors.load_a
        assert known_a <= load_a * (1 + 1e-9) <= (known_a + other_w * per_w) * (1 + 2e-9)
        largest_a = max(current_a for current_a, _ in running.values())
        device_a = max(u.device.rating_a for u, _ in board.units if u.current_a >= largest_a - 1e-9)
        for source in board.sources:
            feeder = feeders[f"{source}>{board.load}"]
            choice = feeder.choice
            assert choice is not None
            assert choice.ocpd_a >= device_a + load_a - largest_a - 1e-6
            assert choice.ampacity_a >= load_a - 1e-6
            if nec:
                assert choice.ampacity_a >= 1.25 * largest_a + load_a - largest_a - 1e-6
            assert feeder.worst_a >= load_a * (1 - 1e-9)


def test_a_feeder_above_430_62_a_has_conductors_of_its_rating(made: Design) -> None:
    if made.facility.criteria.code != "NEC":
        return
    for feeder in made.distribution.feeders.feeders:
        motors, choice = feeder.circuit.motors, feeder.choice
        if motors is not None and choice is not None:
            above = choice.ocpd_a > motors.device.max_a + motors.rest_a
            assert not above or choice.ampacity_a >= choice.ocpd_a


def test_branch_circuits_carry_their_units(made: Design) -> None:
    nec = made.facility.criteria.code == "NEC"
    for one in made.distribution.mechanical.circuits:
        assert one.choice is not None, one.refused
        if nec:
            assert one.choice.ampacity_a >= 1.25 * one.unit.current_a - 1e-9
        else:
            device_a = one.unit.device.rating_a
            assert one.unit.current_a <= device_a <= one.choice.ampacity_a + 1e-9


def test_circuits_of_units_lose_what_their_current_does(made: Design) -> None:
    """Three conductors, the power of the design hour shared by the duty units: 3 R I2 each."""
    chain = made.chain.chain
    for one in made.distribution.mechanical.circuits:
        assert one.choice is not None
        units, ohm = one.unit.units, one.choice.resistance_ohm or 0.0
        each_w = units.hour_w / units.duty
        line_a = each_w / chain.mechanical_power_factor / math.sqrt(3.0) / one.voltage_v
        found_w = units.duty * 3.0 * line_a**2 * ohm / one.choice.sets
        assert one.loss_w == pytest.approx(found_w, rel=1e-9)


def test_no_rule_of_motors_fails_on_what_the_tool_chose(made: Design) -> None:
    checks = [c for c in made.distribution.checks if c.rule.startswith("MOTOR-")]
    assert all(c.outcome is Outcome.PASS for c in checks)
    assert bool(checks) is (made.facility.criteria.code == "NEC")


def test_rear_doors_stay_one_load_that_says_so() -> None:
    (doors,) = [u for u in design_of(DOORS).electrical_units if u.tag == "RD"]
    assert (doors.installed, doors.rated_w) == (0, 0.0)
    assert "not counted" in doors.basis
    boards = design_of(DOORS).distribution.mechanical.boards
    assert any(units.tag == "RD" and a > 0.0 for board in boards for units, a in board.other)


def test_a_smaller_limit_divides_the_boards() -> None:
    few = design_of(TWO_SYSTEMS).distribution.plan
    many = design_of(TWO_SYSTEMS, "power.conductors.mechanical_device=60 A").distribution.plan
    assert len(many.boards) > len(few.boards)
    on_ups = [board for board in many.boards if board.load.startswith("MECH-UPS")]
    assert all(board.motors.min_device_a <= 60.0 for board in on_ups)
    runs = {c.runs for c in many.circuits.values() if c.target == "MECH-UPS"}
    assert runs == {len(on_ups)}


def test_smaller_pumps_are_more_pumps() -> None:
    sets = ("power.conductors.largest_pump=20 kW",)
    (few,) = [u for u in reference("h100-10k").electrical_units if u.tag == "P-CHW"]
    (more,) = [u for u in reference("h100-10k", *sets).electrical_units if u.tag == "P-CHW"]
    assert few.duty == math.ceil(few.duty * few.rated_w / 110e3)
    assert more.duty == math.ceil(few.duty * few.rated_w / 20e3)
    assert more.rated_w <= 20e3


def _units(drive: Drive = "drive", installed: int = 4, duty: int = 3) -> CoolingUnits:
    return CoolingUnits("X", "units", drive, False, installed, duty, 30e3, 80e3, 0.0, "")


def _alone(
    units: CoolingUnits, systems: tuple[str, ...], limit_a: float = 800.0
) -> MechanicalBoards:
    boards = MechanicalBoards(design_of(TWO_SYSTEMS).chain, (units,), limit_a, "NEC", "2023")
    buses = design_of(TWO_SYSTEMS).chain.ups.buses
    powers_w = (80e3, *(0.0 for _ in range(buses - 1)))
    boards.feeders(
        CoolingSupply(False, (systems,) * buses, powers_w), [f"M-{n}" for n in range(buses)]
    )
    return boards


@pytest.mark.parametrize(
    ("systems", "sources"),
    [
        (("A",), [("A",)]),
        (("A", "B"), [("A", "B"), ("B", "A")]),
        (("A", "B", "C"), [("A", "B"), ("B", "C"), ("C", "A")]),
    ],
)
def test_boards_by_number_of_systems(
    systems: tuple[str, ...], sources: list[tuple[str, ...]]
) -> None:
    boards = _alone(_units(), systems).boards
    assert [board.sources for board in boards] == sources
    assert sum(count for board in boards for _, count in board.units) == 4


def test_spare_units_do_not_run_with_the_others() -> None:
    """On one board three of four run: 3 x 30 kW, not 120 kW."""
    found = _alone(_units(), ("A",))
    (board,) = found.boards
    assert board.motors.load_a == pytest.approx(found.current(90e3), rel=1e-12)


def _altered(device: MotorDevice, ampacity_a: float | None = None) -> MechanicalCircuit:
    one = next(c for c in reference("mixed-hall").distribution.mechanical.circuits)
    assert one.choice is not None
    choice = one.choice if ampacity_a is None else replace(one.choice, ampacity_a=ampacity_a)
    return replace(one, unit=replace(one.unit, device=device), choice=choice)


@pytest.mark.parametrize(("over", "outcome"), [(1.0, Outcome.PASS), (1.01, Outcome.FAIL)])
def test_a_device_above_the_largest_permitted_fails(over: float, outcome: Outcome) -> None:
    criteria = reference("mixed-hall").facility.criteria
    circuit = _altered(MotorDevice(400.0 * over, 400.0))
    (check,) = [c for c in _unit_checks([circuit], criteria) if c.rule == "MOTOR-DEVICE"]
    assert check.outcome is outcome


@pytest.mark.parametrize(("part", "outcome"), [(1.0, Outcome.PASS), (0.99, Outcome.FAIL)])
def test_conductors_below_125_percent_fail(part: float, outcome: Outcome) -> None:
    design = reference("mixed-hall")
    unit = design.distribution.mechanical.circuits[0].unit
    circuit = _altered(unit.device, part * 1.25 * unit.current_a)
    checks = _unit_checks([circuit], design.facility.criteria)
    (check,) = [c for c in checks if c.rule == "MOTOR-CONDUCTOR"]
    assert check.outcome is outcome


@pytest.mark.parametrize(("ampacity_a", "outcome"), [(400.0, Outcome.PASS), (380.0, Outcome.FAIL)])
def test_a_feeder_device_above_430_62_fails(ampacity_a: float, outcome: Outcome) -> None:
    """400 A with 250 + 100 A permitted: only conductors of 400 A permit it."""
    design = reference("mixed-hall")
    one = next(f for f in design.distribution.feeders.feeders if f.circuit.motors is not None)
    assert one.choice is not None
    motors = MotorGroup(200.0, 100.0, MotorDevice(175.0, 250.0))
    circuit = replace(one.circuit, motors=motors)
    choice = replace(one.choice, ocpd_a=400.0, ampacity_a=ampacity_a)
    feeder = replace(one, circuit=circuit, choice=choice, heaviest=circuit.tag)
    (check,) = _feeder_checks([feeder], design.facility.criteria)
    assert check.outcome is outcome
    assert UnitCircuit(_units(), 100.0, motors.device).device.max_a == 250.0
