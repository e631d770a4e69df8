"""What each outage does: load dropped, transfers, batteries, overloads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.power.network.flow.solve import compile_network, solve
from facility.power.network.graph.types import Equipment, Link, Network, Outage
from facility.power.network.outages.cases import cases
from facility.power.network.outages.lost import opens_bypasses
from facility.power.network.outages.states import OutageState, StateSolver
from facility.study.failures.study import FailureBasis, network_failures
from tests.power.network.schemes import SchemeOptions, scheme_network
from tests.study.failures.helpers import (
    board,
    load,
    lossless,
    network,
    scheme_study,
    source,
    state,
    with_modules,
)

SCHEMES = ("N", "N+1", "2N", "2(N+1)", "3N/2", "4N/3", "block-redundant")


def test_normal_state_drops_nothing_and_moves_nothing() -> None:
    for name in SCHEMES:
        normal = scheme_study(name).states[0]
        assert normal.case.kind == "normal"
        assert normal.dropped_w == normal.unprotected_w == normal.interrupted_w == 0.0
        assert normal.transfers == normal.riding == normal.overloads == ()
        assert normal.battery_s is None
        assert normal.battery_reason == ""


def test_loss_of_utility_rides_on_battery_and_then_on_the_generators() -> None:
    found = state(scheme_study("2N"), "loss of utility")
    assert [tag for tag, _ in found.riding] == ["UPS-A", "UPS-B"]
    assert sum(power_w for _, power_w in found.riding) > 900e3
    assert found.dropped_w == found.interrupted_w == 0.0
    assert "UPS-A, UPS-B on battery until input returns" in found.transfers
    assert "GEN starts" in found.transfers
    assert {"ATS-A to GEN", "ATS-B to GEN"} <= set(found.transfers)
    assert found.battery_s is None
    assert "not known" in found.battery_reason


def test_autonomy_is_that_of_the_first_battery_to_end() -> None:
    def autonomy(tag: str, load_w: float, units: int) -> float:
        return (600.0 if tag == "UPS-A" else 300.0) * units * 250e3 / load_w

    net = scheme_network("2N", 900e3, SchemeOptions(racks=3))
    study = network_failures(net, FailureBasis(autonomy=autonomy))
    found = state(study, "loss of utility")
    units = len(net["UPS-B"].unit_tags)
    expected = 300.0 * units * 250e3 / dict(found.riding)["UPS-B"]
    assert found.battery_s == pytest.approx(expected)
    assert found.battery_reason == ""
    worse = network_failures(net, FailureBasis(autonomy=autonomy), depth=2)
    fewer = state(worse, "loss of UTILITY during maintenance of UPS-A-1")
    assert fewer.battery_s is not None
    assert fewer.battery_s == pytest.approx(
        min(
            600.0 * (units - 1) * 250e3 / dict(fewer.riding)["UPS-A"],
            300.0 * units * 250e3 / dict(fewer.riding)["UPS-B"],
        )
    )


def test_a_battery_under_more_than_its_table_has_no_time() -> None:
    net = scheme_network("2N", 900e3, SchemeOptions(racks=3))
    found = state(network_failures(net, FailureBasis(autonomy=lambda *_: 0.0)), "loss of utility")
    assert found.battery_s is None
    assert "exceeds the highest power of its discharge table" in found.battery_reason


def test_module_lost_in_a_system_without_spare_goes_to_static_bypass() -> None:
    net = scheme_network("N", 900e3, SchemeOptions(racks=6))
    two, three = (
        state(network_failures(with_modules(net, units, 500e3), FailureBasis()), "loss of UPS-1-1")
        for units in (2, 3)
    )
    assert two.dropped_w == 0.0
    assert two.unprotected_w == pytest.approx(900e3)
    assert any(action.startswith("UPS-1 to static bypass") for action in two.transfers)
    assert "OUT-1 to SBP-1" in two.transfers
    assert three.unprotected_w == 0.0
    assert three.transfers == ()


def test_whole_ups_is_maintained_on_its_maintenance_bypass() -> None:
    found = state(scheme_study("N+1"), "maintenance of all of UPS-1")
    assert found.dropped_w == 0.0
    assert found.transfers == ("OUT-1 to MBP-1",)
    assert found.unprotected_w == pytest.approx(900e3)


def test_utility_lost_on_maintenance_bypass_interrupts_the_load() -> None:
    study = scheme_study("N+1", depth=2, racks=6)
    found = state(study, "loss of UTILITY during maintenance of all of UPS-1")
    assert found.dropped_w == 0.0
    assert found.interrupted_w == pytest.approx(900e3)


def test_transfer_switch_catches_a_lost_primary() -> None:
    study = scheme_study("block-redundant")
    found = state(study, "loss of OUT-P1")
    assert found.dropped_w == 0.0
    assert found.unprotected_w == 0.0
    assert any(action.endswith("to OUT-R") for action in found.transfers)


def test_three_to_make_two_goes_from_two_thirds_to_full() -> None:
    """Three 500 kW systems with 1000 kW: 333.3 kW each, and 500 kW each after a loss."""
    net = scheme_network("3N/2", 1000e3, SchemeOptions(racks=24))
    ideal = lossless(with_modules(net, 1, 500e3))
    study = network_failures(ideal, FailureBasis())
    rows = [ideal.index[f"UPS-{side}"] for side in "ABC"]
    ids = [s.case.outage.id for s in study.states]
    np.testing.assert_allclose(study.loading[rows, 0], 2 / 3, rtol=1e-6)
    after = study.loading[rows, ids.index("loss of OUT-A")]
    np.testing.assert_allclose(after, [0.0, 1.0, 1.0], rtol=1e-6)
    assert {len(group.systems) for group in study.groups} == {2}
    assert len(study.groups) == 3
    for group in study.groups:
        assert group.worst is not None
        assert group.worst[1] == pytest.approx(1.0, rel=1e-6)


def test_unequal_groups_are_found_with_their_worst_system() -> None:
    parts = {("A", "B"): 0.5, ("B", "C"): 0.25, ("A", "C"): 0.25}
    net = scheme_network("3N/2", 900e3, SchemeOptions(racks=24, groups=parts, module_w=300e3))
    study = network_failures(net, FailureBasis())
    found = {group.systems: group.load_w for group in study.groups}
    assert found == pytest.approx(
        {("UPS-A", "UPS-B"): 450e3, ("UPS-B", "UPS-C"): 225e3, ("UPS-A", "UPS-C"): 225e3}
    )
    assert study.results["groups.largest"].si == pytest.approx(450e3)
    assert study.results["groups.smallest"].si == pytest.approx(225e3)


def test_overload_is_reported_and_trips_nothing() -> None:
    small = replace(board("X", "U"), rating_a=1.0)
    other = replace(board("Y", "U"), rating_a=100.0)
    net = network(source("U"), small, other, loads=(load("R1", "X", "Y"), load("R2", "X", "Y")))
    study = network_failures(net, FailureBasis())
    found = state(study, "loss of Y")
    amperes = 2e3 / 0.97 / (3**0.5 * 480.0)
    assert found.overloads == (("X", pytest.approx(amperes, rel=1e-4)),)
    assert found.dropped_w == 0.0
    assert not state(study, "loss of X").overloads


def test_racks_that_lose_power_are_named_with_their_load() -> None:
    net = network(
        source("U"),
        board("X", "U"),
        board("Y", "U"),
        loads=(load("R1", "X"), load("R2", "X", "Y"), load("R3", "X", "Y", needed=2)),
    )
    found = state(network_failures(net, FailureBasis()), "loss of X")
    assert dict(found.racks) == {"R1": 1e3, "R3": 1e3}
    assert found.dropped_w == pytest.approx(2e3)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_removing_a_component_never_raises_the_load_served(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(SCHEMES))
    net = scheme_network(name, 900e3, SchemeOptions(racks=6))
    tags = sorted({tag for case in cases(net, grouped=False) for tag in case.outage.out})
    out = data.draw(st.lists(st.sampled_from(tags), min_size=1, max_size=4, unique=True))
    outages = [Outage(str(n), lost=tuple(out[:n])) for n in range(len(out) + 1)]
    flow = solve(compile_network(net), opens_bypasses(net)(outages))
    dropped = flow.dropped_w.sum(axis=0)
    assert (np.diff(dropped) >= -1e-6).all()


def figures(found: OutageState) -> tuple[object, ...]:
    """Return what an outage does, without the names of the components, rounded."""
    worst = found.worst_loading[1] if found.worst_loading else 0.0
    lowest = found.lowest_voltage[1] if found.lowest_voltage else 0.0
    return (
        found.case.kind,
        len(found.racks),
        len(found.riding),
        len(found.transfers),
        len(found.unprotected),
        len(found.overloads),
        round(found.dropped_w, 1),
        round(found.interrupted_w, 1),
        f"{worst:.4f}",
        f"{lowest:.5f}",
    )


@pytest.mark.parametrize(
    ("name", "depth"), [*((name, 1) for name in SCHEMES), ("N+1", 2), ("2N", 2), ("3N/2", 2)]
)
def test_groups_stand_for_outages_that_do_the_same(name: str, depth: int) -> None:
    grouped = scheme_study(name, depth=depth, racks=3)
    every = scheme_study(name, depth=depth, grouped=False, racks=3)
    assert len(grouped.states) < grouped.outages == len(every.states)
    weighted: Counter[tuple[object, ...]] = Counter()
    for one in grouped.states:
        weighted[figures(one)] += one.case.size
    assert weighted == Counter(figures(one) for one in every.states)
    for verdict in ("concurrently_maintainable", "fault_tolerant"):
        assert getattr(grouped, verdict).holds == getattr(every, verdict).holds
    for key in (
        "load_dropped.max",
        "loading.max",
        "voltage.min",
        "single_points",
        "states.dropping",
        "states.outages",
        "states.overloaded",
    ):
        assert grouped.results[key].si == pytest.approx(every.results[key].si, rel=1e-6), key


def test_one_generator_fewer_loads_the_others_more() -> None:
    study = scheme_study("2N")
    row = study.network.index["GEN"]
    units = len(study.network["GEN"].unit_tags)
    ids = [s.case.outage.id for s in study.single]
    all_of_them = study.loading[row, ids.index("loss of utility")]
    (fewer,) = (n for n, s in enumerate(study.single) if s.case.kind == "utility-generator")
    assert study.single[fewer].case.size == units
    assert study.loading[row, fewer] == pytest.approx(all_of_them * units / (units - 1), rel=1e-6)
    assert study.loading[row, 0] == 0.0


def test_utility_without_generators_stops_when_the_batteries_end() -> None:
    net = scheme_network("2N", 900e3, SchemeOptions(racks=3))
    bare = Network(
        tuple(
            replace(e, links=tuple(k for k in e.links if k.source != "GEN"))
            for e in net.equipment
            if e.tag != "GEN"
        ),
        net.loads,
        balanced=True,
    )
    found = state(network_failures(bare, FailureBasis()), "loss of utility")
    assert found.dropped_w == pytest.approx(900e3)
    assert found.interrupted_w == 0.0
    assert "UPS-A, UPS-B on battery, input does not return" in found.transfers


def test_a_generator_that_only_excites_its_step_up_transformer_does_not_run() -> None:
    step_up = Equipment("GSU", "transformer", 480.0, (Link("GEN", "GEN>GSU"),), no_load_w=20e3)
    net = network(
        source("UTIL"),
        Equipment("GEN", "generator-plant", 480.0),
        step_up,
        board("MVS", "UTIL", "GSU"),
        loads=(load("rack", "MVS"),),
    )
    study = network_failures(net, FailureBasis(), 1)
    assert study.states[0].transfers == ()
    assert state(study, "loss of utility").transfers == ("GEN starts", "MVS to GSU")


def test_what_stands_still_has_no_load_and_what_starts_has() -> None:
    step_up = Equipment(
        "GSU", "transformer", 480.0, (Link("GEN", "GEN>GSU"),), no_load_w=20e3, rating_va=1e6
    )
    net = network(
        source("UTIL"),
        Equipment("GEN", "generator-plant", 480.0, rating_w=1e6),
        step_up,
        board("MVS", "UTIL", "GSU"),
        loads=(load("rack", "MVS"),),
    )
    solver = StateSolver(compile_network(net))
    rows = [net.index["GEN"], net.index["GSU"]]
    for id, turns in (("normal", False), ("loss of utility", True)):
        case = next(one for one in cases(net) if one.outage.id == id)
        (columns,) = solver.columns(iter([case]))
        flow = solver.settled(case.outage)
        for found in (columns.loading[0][rows], flow.loading[rows, 0], flow.output_w[rows, 0]):
            assert np.all((found > 0.0) == turns)
