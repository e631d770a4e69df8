"""Circuits of generator sets against calculations by hand, and in whole designs."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from facility.core.check import Check, Outcome, Severity
from facility.core.trace import Trace
from facility.files.project.file import apply_sets, parse_project
from facility.model.facility import Criteria
from facility.power.faults.of_network import primary_of
from facility.power.feeders.generator_sets import at_terminals, terminal_checks
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import ConductorChoice
from facility.power.network.build.plan import PlannedCircuit, SetTerminals
from facility.study.design.design import Design, design
from facility.study.failures.study import FailureBasis, failures, network_failures
from facility.study.verification.power.conductor_cases import COPPER, IEC, PVC, feeder
from facility.study.verification.power.panel_cases import NEC

with (Path(__file__).parent / "data" / "generator_sets.csv").open(newline="") as stream:
    CASES = {row["case"]: row for row in csv.DictReader(stream)}
XLPE = replace(
    PVC, insulation="XLPE", insulation_c=90.0, termination_c=90.0, method="E", largest_size="240"
)
SQRT3 = math.sqrt(3.0)
ROOM = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 64, server: DGX H100}
power: {redundancy: N+1}
cooling: {method: air}
"""


@cache
def made(*sets: str) -> Design:
    return design(apply_sets(parse_project(ROOM), sets))


def of_stage(found: Design, stage: str) -> list[Feeder]:
    return [f for f in found.distribution.feeders.feeders if f.circuit.stage == stage]


def from_set(terminals: SetTerminals) -> PlannedCircuit:
    return PlannedCircuit("set", "GEN", "GPB", "set", terminals.voltage_v, terminals=terminals)


def chosen(row: dict[str, str]) -> tuple[ConductorChoice, tuple[Check, ...], Trace]:
    """Return the choice of a case, its checks, and how it came about."""
    voltage_v, rating_va = float(row["voltage_v"]), 1e3 * float(row["rating_kva"])
    at_set, prevented = row["device"] == "set", row["prevented"] == "yes"
    circuit = from_set(SetTerminals(rating_va, voltage_v, at_set, prevented))
    nec = row["code"] == "NEC"
    criteria: Criteria = NEC if nec else IEC
    demand = feeder(float(row["load_a"]), voltage_v, listed_100=False)
    if row["stated_a"]:
        demand = replace(demand, ocpd_a=float(row["stated_a"]))
    trace = Trace()
    demand = at_terminals(demand, circuit, criteria, trace, "set")
    choose, basis = (choose_nec, COPPER) if nec else (choose_iec, XLPE)
    choice = choose(demand, basis, criteria, trace, "set")
    checks = tuple(terminal_checks("set", circuit, choice, criteria))
    return choice, checks, trace


def named(checks: Iterable[Check], rule: str) -> Check:
    (found,) = [check for check in checks if check.rule == rule]
    return found


@pytest.mark.parametrize("case", CASES)
def test_device_and_conductors_are_those_of_the_hand_calculation(case: str) -> None:
    row = CASES[case]
    choice, checks, trace = chosen(row)
    assert trace.value("set.set_current") == pytest.approx(float(row["nameplate_a"]), abs=0.05)
    assert (choice.ocpd_a, choice.label) == (float(row["device_a"]), row["conductors"])
    assert ("set.set_ampacity" in trace) == bool(row["least_a"])
    if row["least_a"]:
        least_a = float(row["least_a"])
        assert trace.value("set.set_ampacity") == pytest.approx(least_a, abs=0.1)
        found = named(checks, "NEC-GENERATOR-CONDUCTORS")
        assert found.limit == pytest.approx(least_a, abs=0.1)
        assert found.outcome is Outcome.PASS
        assert "445.13(A)" in trace["set.set_ampacity"].because


def test_the_clause_that_sizes_the_conductors_is_named() -> None:
    words = {
        "625 kVA to its bus": "445.13(A): 115% of 751.8 A",
        "625 kVA that cannot be overloaded": "445.13(A): 100% of 751.8 A",
        "625 kVA with its device": "445.13(B): device at the set",
        "1000 kVA at 400 V": "551.5.1: device at the set, Ib <= In <= Iz",
    }
    for case, text in words.items():
        choice, _, trace = chosen(CASES[case])
        assert any(text in note for note in choice.notes), case
        iec = CASES[case]["code"] == "IEC"
        assert ("551.5.1" if iec else "445.12(A)") in trace["set.set_current"].because


def test_a_stated_device_below_the_nameplate_current_is_named_with_it() -> None:
    _, checks, _ = chosen(CASES["stated device"])
    found = named(checks, "GENERATOR-SET-DEVICE")
    assert found.failed
    assert found.severity is Severity.WARNING
    assert "600 A" in found.why
    assert "751.8 A of 625 kVA at 480 V" in found.why
    fits = named(chosen(CASES["625 kVA to its bus"])[1], "GENERATOR-SET-DEVICE")
    assert fits.outcome is Outcome.PASS


def test_conductors_below_115_percent_fail() -> None:
    choice, _, _ = chosen(CASES["625 kVA with its device"])
    rule, terminals = "NEC-GENERATOR-CONDUCTORS", SetTerminals(625e3, 480.0, False, False)
    found = named(terminal_checks("set", from_set(terminals), choice, NEC), rule)
    assert (found.value, found.failed) == (760.0, True)
    allowed = replace(terminals, overload_prevented=True)
    found = named(terminal_checks("set", from_set(allowed), choice, NEC), rule)
    assert not found.failed


PLANTS = {
    "parallel sets": (),
    "no spare": ("power.generator.redundancy=N", "power.generator.count=2"),
    "single set": ("power.generator.count=1",),
    "2N": ("power.redundancy=2N", "it.gpus=128"),
    "IEC": ("criteria.code=IEC",),
    "step-up": ("power.generator.connection=LV", "power.generator.voltage=480 V"),
    "step-up to MV": ("power.generator.connection=MV", "power.generator.voltage=480 V"),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_every_set_has_a_circuit_and_nothing_is_found_against_it(plant: str) -> None:
    """The device of a run by hand: not below the nameplate current, and all on duty together."""
    found = made(*PLANTS[plant])
    sets, criteria = found.chain.generators, found.facility.criteria
    nameplate_a = sets.rating_va / (SQRT3 * sets.voltage_v)
    own = [f for f in of_stage(found, "set") if f.circuit.terminals is not None]
    assert sum(f.circuit.runs for f in own) == sets.count
    assert sum(f.circuit.spare_runs for f in own) == sets.spare
    for one in own:
        assert one.choice is not None
        assert one.choice.ocpd_a >= nameplate_a
        at_bus = criteria.code == "NEC" and one.circuit.target == "GPB" and sets.count > 1
        if at_bus:
            assert one.choice.ampacity_a >= 1.15 * nameplate_a
        together_va = SQRT3 * sets.voltage_v * one.circuit.duty_runs * one.choice.ocpd_a
        assert together_va >= criteria.continuous_factor * found.flow.generators.load_va
    tags = {f.circuit.tag for f in (*own, *of_stage(found, "generator"))} | {"GPB"}
    bad = [
        (check.rule, check.subject)
        for check in found.checks
        if check.failed
        and check.severity in (Severity.VIOLATION, Severity.WARNING)
        and any(tag in check.subject for tag in tags)
    ]
    assert not bad


def test_a_single_set_has_one_device_and_no_bus() -> None:
    found = made(*PLANTS["single set"])
    (own,) = of_stage(found, "set")
    assert own.circuit.tag == "GEN>ATS-1"
    assert own.length_m == found.facility.electrical.conductors.generator_length_m
    assert own.circuit.terminals is not None
    assert own.circuit.terminals.device_at_set
    kinds = {one.kind for one in found.distribution.plan.network.equipment}
    assert "generator-bus" not in kinds
    assert not of_stage(found, "generator")
    at_end = made(*PLANTS["single set"], "power.generator.breaker=bus")
    (own,) = of_stage(at_end, "set")
    assert own.choice is not None
    assert "445.13(A)" in own.choice.articles


def test_a_bus_joins_the_sets_and_is_rated_for_them() -> None:
    found = made(*PLANTS["parallel sets"])
    (own,), outgoing = of_stage(found, "set"), of_stage(found, "generator")
    assert own.choice is not None
    bus = found.distribution.plan.network["GPB"]
    largest_a = max(f.choice.ocpd_a for f in outgoing if f.choice)
    # every set may be closed on the bus, the spare one too
    assert bus.rating_a == max(own.circuit.runs * own.choice.ocpd_a, largest_a)
    states = found.distribution.faults.states
    faults = {tag: states["generator"].highest.three_phase_a[row]
              for tag, row in states["generator"].highest.rows.items()}  # fmt: skip
    assert faults["GEN"] > faults["GPB"] > faults["ATS-1"]
    rated = [c for c in found.checks if c.rule == "FAULT-INTERRUPTING" and "GPB" in c.subject]
    assert [c.outcome for c in rated] == [Outcome.PASS]


def test_the_cable_to_a_step_up_transformer_limits_its_fault() -> None:
    found = made(*PLANTS["step-up"])
    tags = [f.circuit.tag for f in of_stage(found, "set")]
    assert tags == ["GEN>GSU", "GSU>GPB"]
    generator = found.distribution.faults.states["generator"].highest
    at = [float(generator.three_phase_a[generator.index(t)]) for t in ("GEN", primary_of("GSU"))]
    assert at[0] > at[1] > 0.0
    assert [f.circuit.tag for f in of_stage(made(*PLANTS["step-up to MV"]), "set")] == ["GEN>GSU"]


def test_a_stated_device_is_kept_and_compared() -> None:
    found = made("power.generator.breaker_rating=20 A")
    (own,) = of_stage(found, "set")
    assert own.choice is not None
    assert own.choice.ocpd_a == 20.0
    (check,) = [c for c in found.checks if c.rule == "GENERATOR-SET-DEVICE"]
    assert check.failed
    assert "device of 20 A" in check.why
    assert "power.generator.breaker_rating" in check.remedy


def test_what_is_stated_of_sets_and_moves_nothing_is_named() -> None:
    def unused(*sets: str) -> set[str]:
        checks = made(*sets).checks
        return {c.subject for c in checks if c.rule == "INPUT-UNUSED" and c.failed}

    prevented = "power.generator.overload_prevented"
    assert prevented not in unused(f"{prevented}=yes")
    assert prevented in unused(f"{prevented}=yes", "criteria.code=IEC")
    assert prevented in unused(f"{prevented}=yes", "power.generator.breaker=set")
    none = unused("power.generator.count=0", "power.generator.breaker=bus")
    assert "power.generator.breaker" in none


TIMES = tuple(
    f"power.reliability.{kind}.{field}={hours} h"
    for kind in ("utility", "generator", "transformer", "ats", "lv_board", "ups", "static_bypass",
                 "ups_output", "pdu", "panel", "rack_pdu", "circuit", "mv_switchgear", "sts")
    for field, hours in (("mtbf", 100000), ("mttr", 10))
)  # fmt: skip


def test_the_bus_fails_as_a_board_where_it_has_no_times_of_its_own() -> None:
    as_board = failures(made(*TIMES)).availability
    assert all(one.unavailability is not None and not one.missing for one in as_board)
    better = ("power.reliability.generator_bus.mtbf=1000000 h",
              "power.reliability.generator_bus.mttr=10 h")  # fmt: skip
    own = failures(made(*TIMES, *better)).availability
    for board, bus in zip(as_board, own, strict=True):
        assert float(bus.unavailability or 0.0) < float(board.unavailability or 0.0)
        assert {("UTIL", "GPB"), ("UTIL", "GEN>GPB")} <= set(board.cuts)


def test_as_many_circuits_of_sets_are_needed_as_sets() -> None:
    """One circuit of N+1 sets may fail: two of two down are u^2, where all as one were u.

    The two transformers, of which one is spare, are u^2 likewise, and hardly count.
    """
    found = made(*TIMES, "power.generator.rating=500 kW", "power.generator.count=2")
    sets = found.chain.generators
    assert (sets.count, sets.spare) == (2, 1)
    plan, times = found.distribution.plan, found.facility.electrical.reliability
    as_one, each = (
        network_failures(plan.network, FailureBasis(reliability=times, set_runs=runs))
        for runs in ({}, {"GEN>GPB": 2})
    )
    down = 10.0 / (100_000.0 + 10.0)
    for one, two in zip(as_one.availability, each.availability, strict=True):
        partners = sum("GEN>GPB" in cut and "TX-1" not in cut for cut in one.cuts)
        assert partners > 1
        saved = float(one.unavailability or 0.0) - float(two.unavailability or 0.0)
        assert saved == pytest.approx(partners * down * (down - down**2), rel=1e-4)
