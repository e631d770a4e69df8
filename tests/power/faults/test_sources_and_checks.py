"""Source states, refusals, device checks and the export for arc-flash studies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.power.faults.arc_flash import arc_flash_inputs
from facility.power.faults.currents import fault_currents
from facility.power.faults.device_checks import FaultDevice, StateCurrents, device_checks
from facility.power.faults.impedances import conductor_branch, transformer_branch
from facility.power.faults.sources import (
    generator_source,
    inverter_source,
    motor_source,
    utility_source,
)
from facility.power.faults.types import FaultSource, FaultTree
from facility.power.substation.interrupting_ratings import lowest_rating, making_capacity, step_of
from facility.study.verification.power.panel_cases import NEC
from tests.power.faults.networks import SOURCES, VOLTAGE

FEEDER = conductor_branch("SWB", "LV", 480.0, 0.0005 + 0.0008j, 0.0006 + 0.0008j, (4.0, 4.0))
PDU = transformer_branch(
    "RPP", "SWB", 300e3, 480.0, 208.0, 0.045, "Dyn1", 1.0, 0.1, load_loss_w=4500.0
)


def unit(vector_group: str = "Dyn1") -> FaultTree:
    utility = utility_source("U", "MV", 13800.0, 500e6, 15.0, SOURCES)
    step = transformer_branch(
        "LV", "MV", 2500e3, 13800.0, 480.0, 0.0575, vector_group, 1.0, 0.075, 6.0
    )
    return FaultTree("MV", 13800.0, (step, FEEDER, PDU), (utility,))


def on(source: FaultSource) -> FaultTree:
    return FaultTree("LV", 480.0, (FEEDER, PDU), (source,))


def both(tree: FaultTree) -> StateCurrents:
    return StateCurrents(
        fault_currents(tree, "per-unit", "max", VOLTAGE),
        fault_currents(tree, "per-unit", "min", VOLTAGE),
    )


# --- source states ----------------------------------------------------------------------------


def test_delta_keeps_the_ground_current_of_the_utility_out() -> None:
    high = both(unit()).highest
    lv = high.index("LV")
    assert high.line_ground_a[lv] > high.three_phase_a[lv]
    through = both(unit("YNyn0")).highest
    assert through.line_ground_a[lv] < high.line_ground_a[lv]
    no_path = both(unit("Dd0")).highest
    assert no_path.line_ground_a[lv] == 0.0
    assert no_path.line_ground_a[no_path.index("RPP")] > 0.0


def test_unknown_fault_level_is_an_upper_bound_and_leaves_the_lowest_open() -> None:
    unknown = utility_source(
        "U", "MV", 13800.0, None, None, replace(SOURCES, utility_minimum_va=None)
    )
    bound, stated = both(replace(unit(), sources=(unknown,))), both(unit())
    assert bound.highest.three_phase_a[0] == math.inf
    assert np.all(bound.highest.three_phase_a > stated.highest.three_phase_a)
    assert np.all(np.isfinite(bound.highest.three_phase_a[1:]))
    assert np.all(np.isnan(bound.lowest.three_phase_a))
    assert np.all(np.isnan(bound.lowest.line_ground_a[1:]))


def test_unknown_zero_sequence_leaves_the_ground_current_open() -> None:
    bare = replace(FEEDER, min_impedance=replace(FEEDER.min_impedance, z0=complex(math.nan)))
    high = both(replace(unit(), branches=(unit().branches[0], bare, PDU))).highest
    assert math.isnan(high.line_ground_a[high.index("SWB")])
    assert math.isfinite(high.line_ground_a[high.index("RPP")])
    assert np.array_equal(high.available_a[1:2], high.line_ground_a[1:2])


def test_generator_gives_its_reciprocal_reactance_and_then_what_its_exciter_holds() -> None:
    full_a = 2500e3 / math.sqrt(3.0) / 480.0
    state = both(on(generator_source("G", "LV", 480.0, 2500e3, 2, SOURCES)))
    z = math.hypot(1.0, 1.0 / 20.0)
    assert state.highest.three_phase_a[0] == pytest.approx(2 * full_a / 0.12 / z, rel=1e-9)
    assert state.highest.sustained_a[0] == pytest.approx(2 * full_a * 3.0, rel=1e-9)
    assert state.highest.line_ground_a[0] == pytest.approx(
        3.0 / 2.5 * state.highest.three_phase_a[0], rel=1e-9
    )


def test_inverter_holds_its_current_down_to_where_the_conductors_limit() -> None:
    thin = conductor_branch("END", "RPP", 208.0, 0.5 + 0.01j, 0.6 + 0.01j, (2.0, 2.0))
    tree = on(inverter_source("UPS", "LV", 480.0, 500e3, SOURCES))
    state = both(replace(tree, branches=(*tree.branches, thin)))
    limit = 2.4 * 500e3 / math.sqrt(3.0) / 480.0
    high = state.highest
    assert high.three_phase_a[:2] == pytest.approx([limit, limit])
    assert high.three_phase_a[2] == pytest.approx(limit * 480.0 / 208.0)
    assert high.three_phase_a[3] < 208.0 / math.sqrt(3.0) / 0.5
    assert math.isnan(high.peak_a[0])
    assert high.peak_a[3] > high.three_phase_a[3]
    assert state.lowest.line_line_a[0] == pytest.approx(limit * math.sqrt(0.75))


def test_motors_add_at_their_bus_and_die_out() -> None:
    motors = motor_source("M", "SWB", 480.0, 400e3, SOURCES)
    tree = unit()
    alone, more = both(tree), both(replace(tree, sources=(*tree.sources, motors)))
    swb = alone.highest.index("SWB")
    added = more.highest.three_phase_a[swb] - alone.highest.three_phase_a[swb]
    assert added == pytest.approx(4 * 400e3 / math.sqrt(3.0) / 480.0, rel=0.05)
    assert more.highest.contribution_a[swb, 1] == pytest.approx(
        4 * 400e3 / math.sqrt(3.0) / 480.0, rel=1e-9
    )
    assert more.highest.sustained_a[swb] == pytest.approx(
        alone.highest.three_phase_a[swb], rel=1e-9
    )
    assert np.array_equal(more.lowest.three_phase_a, alone.lowest.three_phase_a)


# --- refusals ---------------------------------------------------------------------------------


def refused(tree: FaultTree) -> FacilityError:
    with pytest.raises(FacilityError) as caught:
        fault_currents(tree, "per-unit", "max", VOLTAGE)
    return caught.value


@pytest.mark.parametrize("group", ["Yd1", "Dyn2", "Dzn0", "dyn1", "Dyn12", "YNyn6", "9**9"])
def test_unsupported_vector_groups(group: str) -> None:
    error = refused(unit(group))
    assert (error.code, error.where) == ("VECTOR_GROUP", "LV")


@pytest.mark.parametrize("group", ["Dyn", "Dyn1", "Dyn5", "Dyn11", "YNyn0", "Yyn0", "Dd0"])
def test_supported_vector_groups(group: str) -> None:
    assert both(unit(group)).highest.three_phase_a[1] > 0.0


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (lambda t: replace(t, sources=()), "NO_FAULT_SOURCE", "MV"),
        (lambda t: replace(t, branches=(*t.branches, FEEDER)), "FAULT_TREE", "SWB"),
        (lambda t: replace(t, branches=t.branches[:1] + t.branches[2:]), "FAULT_TREE", "RPP"),
        (
            lambda t: replace(t, branches=(*t.branches, replace(FEEDER, tag="X", fed_from="X"))),
            "FAULT_TREE",
            "X",
        ),
        (
            lambda t: replace(t, branches=(*t.branches, replace(FEEDER, tag="X", voltage_v=208.0))),
            "VOLTAGE_MISMATCH",
            "X",
        ),
        (
            lambda t: replace(t, sources=(replace(t.sources[0], rated_v=34500.0),)),
            "VOLTAGE_MISMATCH",
            "U",
        ),
        (lambda t: replace(t, sources=(replace(t.sources[0], bus="NOWHERE"),)), "UNKNOWN_BUS", "U"),
        (
            lambda t: replace(
                t, sources=(*t.sources, inverter_source("UPS", "SWB", 480.0, 500e3, SOURCES))
            ),
            "UPS_PARALLEL",
            "UPS",
        ),
        (
            lambda t: replace(
                t,
                branches=(
                    *t.branches,
                    replace(
                        FEEDER,
                        tag="X",
                        min_impedance=replace(FEEDER.min_impedance, z1=-0.001 + 0.0j),
                    ),
                ),
            ),
            "FAULT_IMPEDANCE",
            "X",
        ),
    ],
    ids=[
        "no-source",
        "twice",
        "island",
        "loop",
        "branch-voltage",
        "source-voltage",
        "no-bus",
        "inverter",
        "negative",
    ],
)
def test_networks_that_make_no_sense(change, code: str, where: str) -> None:
    error = refused(change(unit()))
    assert (error.code, error.where) == (code, where)
    assert error.message


@pytest.mark.parametrize(
    "make",
    [
        lambda: utility_source("X", "MV", 13800.0, 0.0, 10.0, SOURCES),
        lambda: generator_source("X", "LV", 480.0, 0.0, 1, SOURCES),
        lambda: motor_source("X", "LV", 480.0, 0.0, SOURCES),
        lambda: inverter_source("X", "LV", 480.0, 0.0, SOURCES),
    ],
    ids=["utility", "generator", "motor", "inverter"],
)
def test_source_of_zero_fault_level_is_refused(make) -> None:
    with pytest.raises(FacilityError) as caught:
        make()
    assert (caught.value.code, caught.value.where) == ("FAULT_LEVEL_ZERO", "X")


def test_transformer_without_resistance_and_exchanged_levels_are_refused() -> None:
    with pytest.raises(FacilityError, match="resistance of the transformer"):
        transformer_branch("T", "MV", 1e6, 13800.0, 480.0, 0.0575, "Dyn1", 1.0)
    with pytest.raises(FacilityError, match="load loss exceeds"):
        transformer_branch("T", "MV", 1e6, 13800.0, 480.0, 0.05, "Dyn1", 1.0, load_loss_w=6e4)
    with pytest.raises(FacilityError, match="exceeds the maximum"):
        utility_source("U", "MV", 13800.0, 200e6, 10.0, SOURCES)


# --- device checks ----------------------------------------------------------------------------


def checks(code: str = "NEC", **device: float | str | None) -> dict[str, Check]:
    states = {
        "utility": both(unit()),
        "generator": both(on(generator_source("G", "LV", 480.0, 2500e3, 1, SOURCES))),
    }
    subject = FaultDevice("CB", "SWB", **device)  # type: ignore[arg-type]
    found = device_checks([subject], states, replace(NEC, code=code))
    return {check.rule: check for check in found}


def available_ka() -> float:
    high = both(unit()).highest
    return float(high.available_a[high.index("SWB")]) / 1e3


def test_rating_is_compared_with_the_worse_source() -> None:
    assert 40.0 < available_ka() < 65.0
    held = checks(interrupting_a=65e3)["FAULT-INTERRUPTING"]
    assert held.outcome is Outcome.PASS
    assert held.value == pytest.approx(1e3 * available_ka())
    assert "utility" in held.why
    assert "no series rating" in held.why
    failed = checks(interrupting_a=22e3)["FAULT-INTERRUPTING"]
    assert (failed.outcome, failed.source.id) == (Outcome.FAIL, "nec-110-9")
    assert checks("IEC", interrupting_a=65e3)["FAULT-INTERRUPTING"].source.locator == "434.5.1"


def test_unstated_rating_says_what_to_ask_for() -> None:
    check = checks()["FAULT-INTERRUPTING"]
    assert check.outcome is Outcome.NOT_EVALUATED
    step = lowest_rating(1e3 * available_ka())
    assert step is not None
    assert f"at least {step.rating_a / 1e3:.0f} kA" in check.why
    assert "[unverified]" in check.why


def test_making_capacity_and_offset_belong_to_their_codes() -> None:
    nec, iec = checks(interrupting_a=65e3), checks("IEC", interrupting_a=65e3)
    assert "FAULT-X-OVER-R" in nec
    assert "FAULT-X-OVER-R" not in iec
    assert "FAULT-MAKING" not in nec
    assert iec["FAULT-MAKING"].limit == pytest.approx(2.2 * 65e3)
    assert nec["FAULT-SELECTIVITY"].outcome is Outcome.NOT_EVALUATED


def test_lowest_current_is_that_of_the_generator() -> None:
    check = checks(interrupting_a=65e3, load_bus="SWB", trip_a=5000.0)["FAULT-LOWEST"]
    assert check.outcome is Outcome.PASS
    assert "generator" in check.why
    low = checks(interrupting_a=65e3, load_bus="SWB", trip_a=20e3)["FAULT-LOWEST"]
    assert low.outcome is Outcome.FAIL
    assert low.value == pytest.approx(3 * 2500e3 / math.sqrt(3.0) / 480.0)
    assert checks(load_bus="SWB")["FAULT-LOWEST"].outcome is Outcome.NOT_EVALUATED


def test_unknown_utility_is_not_evaluated() -> None:
    unknown = utility_source(
        "U", "MV", 13800.0, None, None, replace(SOURCES, utility_minimum_va=None)
    )
    states = {"utility": both(replace(unit(), sources=(unknown,)))}
    devices = [
        FaultDevice("MAIN", "MV", 25e3),
        FaultDevice("CB", "SWB", 65e3, "RPP", 1000.0),
        FaultDevice("OTHER", "ELSEWHERE"),
    ]
    found = {(c.subject, c.rule): c for c in device_checks(devices, states, NEC)}
    assert found["MAIN", "FAULT-INTERRUPTING"].outcome is Outcome.NOT_EVALUATED
    assert found["CB", "FAULT-INTERRUPTING"].outcome is Outcome.PASS
    assert found["CB", "FAULT-LOWEST"].outcome is Outcome.NOT_EVALUATED
    assert found["OTHER", "FAULT-INTERRUPTING"].outcome is Outcome.NOT_EVALUATED


def test_medium_voltage_is_not_judged_by_low_voltage_tables() -> None:
    states = {"utility": both(unit())}
    devices = [FaultDevice("MAIN", "MV", 25e3), FaultDevice("TIE", "MV")]
    for code, rule in (("NEC", "FAULT-X-OVER-R"), ("IEC", "FAULT-MAKING")):
        found = device_checks(devices, states, replace(NEC, code=code))
        by_key = {(check.subject, check.rule): check for check in found}
        assert by_key["MAIN", "FAULT-INTERRUPTING"].outcome is Outcome.PASS
        assert by_key["MAIN", rule].outcome is Outcome.NOT_EVALUATED
        assert "requires at least" not in by_key["TIE", "FAULT-INTERRUPTING"].why


def test_unknown_ground_current_is_said() -> None:
    bare = replace(FEEDER, min_impedance=replace(FEEDER.min_impedance, z0=complex(math.nan)))
    tree = replace(unit(), branches=(unit().branches[0], bare))
    checked, *_ = device_checks([FaultDevice("CB", "SWB", 65e3)], {"utility": both(tree)}, NEC)
    assert checked.outcome is Outcome.PASS
    assert "line-to-ground unknown" in checked.why


def test_rating_steps() -> None:
    assert lowest_rating(22e3).rating_a == 22e3  # type: ignore[union-attr]
    assert lowest_rating(22001.0).rating_a == 25e3  # type: ignore[union-attr]
    assert lowest_rating(201e3) is None
    assert [step_of(a).x_over_r for a in (10e3, 18e3, 22e3)] == [1.73, 3.18, 4.9]
    assert making_capacity(20e3)[0] == 40e3


# --- arc flash --------------------------------------------------------------------------------


def test_arc_flash_inputs_leave_open_what_only_the_user_knows() -> None:
    states = {"utility": both(unit())}
    rows = arc_flash_inputs(states, {"SWB": 0.05})
    (row,) = (r for r in rows if r.bus == "SWB")
    high, low = states["utility"]
    assert row.bolted_max_a == high.three_phase_a[high.index("SWB")]
    assert row.bolted_min_a == low.three_phase_a[low.index("SWB")]
    assert row.clearing_s == 0.05
    assert row.gap is None
    assert row.enclosure is None
    assert [r.clearing_s for r in rows if r.bus != "SWB"] == [None] * 3
