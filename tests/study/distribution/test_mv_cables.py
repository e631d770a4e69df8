"""Medium-voltage cables of whole designs: schedule, network, faults, checks, refusals."""

from __future__ import annotations

import math
from functools import cache

import pytest

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, parse_project
from facility.power.faults.of_network import primary_of
from facility.power.feeders.schedule import Feeder
from facility.study.design.design import Design, design

NVL72 = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: B200 NVL72, gpus: 288, network: {topology: none}, storage: {count: 0}, \
management: {count: 0}}
power: {redundancy: 2N, distribution: {rack_system: 415Y/240}}
cooling: {method: hybrid}
"""
KNOWN = ("site.utility_voltage=13.8 kV", "site.fault_level=350 MVA", "site.x_over_r=12")
SQRT3 = math.sqrt(3.0)


@cache
def made(*sets: str) -> Design:
    return design(apply_sets(parse_project(NVL72), sets))


def of_rule(found: Design, rule: str) -> list[Check]:
    return [check for check in found.checks if check.rule == rule]


def mv(found: Design) -> list[Feeder]:
    return [one for one in found.distribution.feeders.feeders if one.circuit.stage == "mv"]


def test_every_mv_circuit_carries_the_transformers_that_it_feeds() -> None:
    found = made(*KNOWN)
    unit, per_system = found.chain.transformers.unit, found.chain.transformers.duty_per_carrier
    rated_a = unit.rating_va / (SQRT3 * 13.8e3)
    feeders = {one.circuit.target: one for one in mv(found)}
    assert {"MVS-A", "MVS-B", "TX-A", "TX-B"} == feeders.keys()
    for target, number in (("TX-A", 1), ("MVS-A", per_system)):
        one = feeders[target]
        assert one.choice is not None
        assert one.worst_a == pytest.approx(number * rated_a)
        assert "rating of the transformers fed" in one.worst_state
        assert one.choice.ampacity_a >= one.choice.ocpd_a >= 1.25 * one.worst_a
    assert feeders["MVS-A"].length_m == 100.0
    assert feeders["TX-A"].length_m == 75.0


def test_transformers_in_parallel_have_a_cable_each() -> None:
    found = made(*KNOWN, "power.transformer.count=4", "power.ups.buses=1")
    feeders = {one.circuit.target: one for one in mv(found)}
    units = len(found.distribution.plan.network["TX-A"].unit_tags)
    assert units > 1
    assert feeders["TX-A"].circuit.runs == units
    assert feeders["MVS-A"].circuit.runs == 1


def test_the_network_has_impedance_and_rating_of_every_circuit() -> None:
    found = made(*KNOWN)
    links = {link.circuit: link for _, link in found.distribution.plan.network.links}
    for one in mv(found):
        link, choice = links[one.circuit.tag], one.choice
        assert choice is not None
        assert choice.resistance_ohm is not None
        assert link.resistance_ohm == pytest.approx(choice.resistance_ohm / choice.sets)
        assert link.rating_a == pytest.approx(choice.ocpd_a)
    outcomes = {
        rule: {check.outcome for check in of_rule(found, rule)}
        for rule in ("OVERLOAD-IN-STATE", "VOLTAGE-IN-STATE", "MV-CABLE", "MV-WITHSTAND")
    }
    assert set.union(*outcomes.values()) == {Outcome.PASS}
    assert all(outcomes.values())


def test_the_voltage_falls_along_the_cable_as_by_hand() -> None:
    """sqrt(3) I (R cos phi + X sin phi) over the nominal voltage; one case for both ends."""
    found = made(*KNOWN)
    flow, network = found.distribution.normal, found.distribution.plan.network
    (one,) = (f for f in mv(found) if f.circuit.target == "MVS-A")
    row, choice = network.index["MVS-A"], one.choice
    assert choice is not None
    assert choice.resistance_ohm is not None
    assert choice.reactance_ohm is not None
    factor = float(flow.output_w[row, 0] / flow.output_va[row, 0])
    ohms = choice.resistance_ohm * factor + choice.reactance_ohm * (1.0 - factor**2) ** 0.5
    drop = SQRT3 * one.normal_a * ohms / choice.sets / 13.8e3
    assert 1.0 - float(flow.voltage_pu[row, 0]) == pytest.approx(drop, rel=0.02)


def test_the_loss_at_medium_voltage_is_shown_apart() -> None:
    found = made(*KNOWN)
    by_hand_w = 0.0
    for one in mv(found):
        assert one.choice is not None
        assert one.choice.resistance_ohm is not None
        ohms = one.choice.resistance_ohm / one.choice.sets
        by_hand_w += 3.0 * one.circuit.runs * one.normal_a**2 * ohms
    assert found.all_results["feeder.loss_mv"].si == pytest.approx(by_hand_w, rel=0.02)
    (check,) = of_rule(found, "CONDUCTOR-LOSS")
    assert check.value == pytest.approx(float(found.all_results["feeder.loss"].si))


def test_the_pickup_is_no_device_of_the_series_law() -> None:
    found = made(*KNOWN).distribution.feeders
    circuits = {one.circuit.tag for one in mv(made(*KNOWN))}
    assert found.pickup_a.keys() == circuits
    assert not circuits & found.device_a.keys()
    series = [check for check in made(*KNOWN).checks if check.rule == "DEVICE-SERIES"]
    assert series
    assert not [check for check in series if check.failed]


def test_the_fault_current_falls_along_the_cables() -> None:
    """350 MVA, X/R 12, at 13.8 kV; the cables at 25 degC add their impedance."""
    found = made(*KNOWN)
    highest = found.distribution.faults.states["utility"].highest
    level = complex(1.0, 12.0) / abs(complex(1.0, 12.0)) * 13.8e3**2 / 350e6
    for one in (f for f in mv(found) if f.circuit.target in ("MVS-A", "TX-A")):
        choice = one.choice
        assert choice is not None
        assert choice.resistance_ohm is not None
        assert choice.reactance_ohm is not None
        cold = 1.0 + 0.00393 / (1.0 + 0.00393 * 70.0) * (25.0 - 90.0)
        level += complex(choice.resistance_ohm * cold, choice.reactance_ohm) / choice.sets
        tag = one.circuit.target
        bus = highest.index(tag if tag == "MVS-A" else primary_of(tag))
        assert highest.three_phase_a[bus] == pytest.approx(13.8e3 / SQRT3 / abs(level), rel=0.03)


def test_an_unknown_fault_level_leaves_the_withstand_open_and_the_boards_at_their_bound() -> None:
    found = made("site.utility_voltage=13.8 kV")
    checks = [one for one in of_rule(found, "MV-WITHSTAND") if one.subject.startswith("UTIL")]
    assert {one.outcome for one in checks} == {Outcome.NOT_EVALUATED}
    assert all("site.fault_level" in one.why for one in checks)
    unit = found.chain.transformers.unit
    bolted_a = unit.rating_va / (SQRT3 * found.facility.power.wiring.lv_voltage_v * unit.impedance)
    highest = found.distribution.faults.states["utility"].highest
    assert math.isinf(highest.three_phase_a[highest.index("MVS-A")])
    board_a = highest.three_phase_a[highest.index("ATS-A")]
    assert board_a == pytest.approx(bolted_a, rel=0.12)  # tolerance, LV cable and motors


@pytest.mark.parametrize(
    ("sets", "fails"),
    [
        (("site.fault_level=1500 MVA", "power.mv_cables.largest_size=1/0",
          "power.mv_cables.parallel_sets=1"), "MV-WITHSTAND"),
        (("it.gpus=4608", "power.mv_cables.largest_size=1",
          "power.mv_cables.parallel_sets=1"), "MV-CABLE"),
    ],
)  # fmt: skip
def test_each_rule_fails_for_what_is_stated(sets: tuple[str, ...], fails: str) -> None:
    assert [check for check in of_rule(made(*KNOWN, *sets), fails) if check.failed]
    assert not [check for check in of_rule(made(*KNOWN), fails) if check.failed]


def test_a_voltage_outside_the_tables_is_not_evaluated() -> None:
    found = made("criteria.code=IEC", "site.utility_voltage=34.5 kV")
    checks = of_rule(found, "MV-CABLE")
    assert {one.outcome for one in checks} == {Outcome.NOT_EVALUATED}
    assert all("Um 7.2 to 36 kV" in one.why for one in checks)
    assert [one for one in of_rule(found, "OVERLOAD-IN-STATE") if "without a rating" in one.why]


@pytest.mark.parametrize("volts", ["11 kV", "22 kV", "33 kV"])
def test_iec_voltages_are_evaluated(volts: str) -> None:
    sets = ("criteria.code=IEC", f"site.utility_voltage={volts}", "site.fault_level=500 MVA")
    found = made(*sets)
    rules = ("MV-CABLE", "MV-WITHSTAND", "OVERLOAD-IN-STATE", "VOLTAGE-IN-STATE")
    assert {check.outcome for rule in rules for check in of_rule(found, rule)} == {Outcome.PASS}


@pytest.mark.parametrize(
    ("sets", "code", "where"),
    [
        (("power.mv_cables.installation=buried",), "CONTRADICTION", "power.mv_cables.installation"),
        (("criteria.code=IEC", "power.mv_cables.type=MV-105"), "CONTRADICTION",
         "power.mv_cables.type"),
        (("power.mv_cables.largest_size=240",), "NOT_ONE_OF", "power.mv_cables.largest_size"),
        (("power.mv_cables.clearing_time=20 s",), "OUT_OF_RANGE", "power.mv_cables.clearing_time"),
        (("site.utility_voltage=480 V", "power.distribution.voltage=480 V",
          "power.mv_cables.material=copper"), "CONTRADICTION", "power.mv_cables"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(sets: tuple[str, ...], code: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        made(*sets)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_a_service_at_low_voltage_assumes_nothing_of_mv_cables() -> None:
    found = made("site.utility_voltage=480 V", "power.distribution.voltage=480 V")
    assert not [entry for entry in found.ledger if entry.id.startswith("power.mv_cables")]
    assert not of_rule(found, "MV-CABLE")
