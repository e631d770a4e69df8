"""Verdicts: single points of failure, concurrently maintainable, fault tolerant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.power.network.graph.types import Converter, Equipment, Link, Network
from facility.study.failures.study import FailureBasis, FailureStudy, network_failures
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


def checks(study: FailureStudy, rule: str) -> list[Check]:
    return [check for check in study.checks if check.rule == rule]


@pytest.mark.parametrize(
    ("name", "maintainable", "tolerant"),
    [
        ("N", False, False),
        ("N+1", False, False),
        ("N+2", False, False),
        ("2N", True, True),
        ("2(N+1)", True, True),
        ("3N/2", True, True),
        ("4N/3", True, True),
        ("block-redundant", True, True),
    ],
)
def test_schemes(name: str, maintainable: bool, tolerant: bool) -> None:
    """One path is neither; two or more are both: a transfer switch leaves a primary on bypass."""
    study = scheme_study(name)
    assert study.concurrently_maintainable.holds is maintainable
    assert study.fault_tolerant.holds is tolerant
    assert bool(study.single_points) is not maintainable
    assert study.results["concurrently_maintainable"].si is maintainable
    assert study.results["fault_tolerant.because"].si == study.fault_tolerant.because


def test_single_board_of_one_system_decides() -> None:
    study = scheme_study("N+1")
    points = {tag for point in study.single_points for tag in point.alike}
    assert {"ATS-1", "BD-1", "OUT-1"} <= points
    assert not {"UPS-1-1", "TX-1", "MVS-1", "UTILITY"} & points
    verdict = study.fault_tolerant
    assert verdict.component in points
    assert f"loss of {verdict.component}" in verdict.because
    assert "900 kW" in verdict.because


def test_bypass_in_maintenance_is_named_and_does_not_decide() -> None:
    """Two outputs, each with its own bypass, share one UPS: its maintenance leaves only mains."""
    ups = Equipment(
        "UPS-1",
        "ups",
        480.0,
        (Link("X"), Link("Y")),
        rating_va=10e3,
        rating_w=10e3,
        converter=Converter(0.01, 0.01, 0.01, 0.99),
    )
    outputs = (
        Equipment(f"OUT-{side}", "ups-output", 480.0, (Link("UPS-1"), Link(side)))
        for side in ("X", "Y")
    )
    study = network_failures(
        network(
            source("U"),
            source("V"),
            board("X", "U", "V"),
            board("Y", "V", "U"),
            ups,
            *outputs,
            loads=(load("R", "OUT-X", "OUT-Y"),),
        ),
        FailureBasis(),
    )
    verdict = study.concurrently_maintainable
    assert verdict.holds
    assert "maintenance of UPS-1" in verdict.unprotected
    assert "without a UPS" in verdict.because
    (check,) = checks(study, "UNPROTECTED-IN-MAINTENANCE")
    assert check.failed
    assert check.severity is Severity.ADVICE


def test_two_cords_that_are_both_needed_are_no_redundancy() -> None:
    def verdict(needed: int) -> FailureStudy:
        net = network(
            source("U"),
            source("V"),
            board("X", "U"),
            board("Y", "V"),
            loads=(load("R", "X", "Y", needed=needed),),
        )
        return network_failures(net, FailureBasis())

    assert verdict(1).concurrently_maintainable.holds
    assert not verdict(1).single_points
    both = verdict(2)
    assert not both.concurrently_maintainable.holds
    assert {tag for p in both.single_points for tag in p.alike} == {"U", "V", "X", "Y"}


def test_one_cord_on_a_network_with_two_sides_is_named() -> None:
    net = network(
        source("U"), board("X", "U"), board("Y", "U"), loads=(load("R1", "X", "Y"), load("R2", "X"))
    )
    (point, *_), found = (
        network_failures(net, FailureBasis()).single_points,
        {p.component: p.racks for p in network_failures(net, FailureBasis()).single_points},
    )
    assert found["X"] == ("R2",)
    assert "Y" not in found
    assert point.lost_w == pytest.approx(2e3)


def test_overload_in_maintenance_decides() -> None:
    small = replace(board("X", "U"), rating_a=1.0)
    net = network(
        source("U"), small, board("Y", "U"), loads=(load("R1", "X", "Y"), load("R2", "X", "Y"))
    )
    generous = network(
        *(replace(e, maintainable=e.kind != "utility") for e in net.equipment), loads=net.loads
    )
    study = network_failures(generous, FailureBasis())
    verdict = study.concurrently_maintainable
    assert not verdict.holds
    assert verdict.component == "Y"
    assert "loads X to 248" in verdict.because
    (check,) = checks(study, "OVERLOAD-IN-STATE")
    assert check.failed
    assert check.severity is Severity.VIOLATION
    assert check.subject == "X"
    assert check.value == pytest.approx(2e3 / 0.97 / (3**0.5 * 480.0), rel=1e-4)


def test_claimed_redundancy_weighs_more() -> None:
    claimed = checks(scheme_study("block-redundant"), "FAULT-TOLERANT")
    assert [c.severity for c in claimed] == [Severity.WARNING]
    plain = checks(scheme_study("N+1"), "FAULT-TOLERANT")
    assert [c.severity for c in plain] == [Severity.ADVICE]


def test_voltage_is_compared_with_the_drop_allowed() -> None:
    net = scheme_network("2N", 900e3, SchemeOptions(racks=6))
    (check,) = checks(network_failures(net, FailureBasis(voltage_drop=0.05)), "VOLTAGE-IN-STATE")
    assert check.outcome is not Outcome.NOT_EVALUATED
    assert check.limit == pytest.approx(0.95)
    (unknown,) = checks(network_failures(net, FailureBasis()), "VOLTAGE-IN-STATE")
    assert unknown.outcome is Outcome.NOT_EVALUATED


def test_circuits_without_rating_or_impedance_are_not_passed_over() -> None:
    net = network(source("U"), board("X", "U", circuits=True), loads=(load("R", "X"),))
    study = network_failures(net, FailureBasis(voltage_drop=0.05))
    (voltage,) = checks(study, "VOLTAGE-IN-STATE")
    assert voltage.outcome is Outcome.NOT_EVALUATED
    assert any("U>X" in check.why for check in checks(study, "OVERLOAD-IN-STATE"))
    assert {c.outcome for c in checks(study, "OVERLOAD-IN-STATE")} == {Outcome.NOT_EVALUATED}


def test_another_depth_is_refused() -> None:
    net = network(source("U"), board("X", "U"), loads=(load("R", "X"),))
    with pytest.raises(FacilityError) as caught:
        network_failures(net, FailureBasis(), depth=3)
    assert caught.value.code == "FAILURE_DEPTH"


def test_four_modules_of_five_carry_eighty_kva() -> None:
    """Published: 80 kVA on 20 kVA modules needs four; with five, 100 % after one is lost."""
    net = scheme_network("N+1", 80e3, SchemeOptions(racks=8))
    net = lossless(with_modules(net, 5, 20e3))
    study = network_failures(net, FailureBasis())
    row, ids = net.index["UPS-1"], [s.case.outage.id for s in study.states]
    assert study.loading[row, 0] == pytest.approx(0.80, rel=1e-6)
    assert study.loading[row, ids.index("loss of UPS-1-1")] == pytest.approx(1.0, rel=1e-6)


def with_one_more(net: Network, tag: str) -> Network:
    """Return `net` with one more unit in the equipment `tag`."""
    return Network(
        tuple(
            replace(e, units=(*e.unit_tags, f"{tag}-more")) if e.tag == tag else e
            for e in net.equipment
        ),
        net.loads,
        net.balanced,
    )


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_one_more_module_never_worsens_a_verdict(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(("N", "N+1", "2N", "2(N+1)", "3N/2", "block-redundant")))
    load_w = data.draw(st.floats(3e5, 1.2e6))
    net = scheme_network(name, load_w, SchemeOptions(racks=6))
    many = [e.tag for e in net.equipment if len(e.unit_tags) > 1]
    tag = data.draw(st.sampled_from(many))
    before, after = (network_failures(n, FailureBasis()) for n in (net, with_one_more(net, tag)))
    for verdict in ("concurrently_maintainable", "fault_tolerant"):
        assert getattr(after, verdict).holds >= getattr(before, verdict).holds
    points = [{t for p in s.single_points for t in p.alike} for s in (before, after)]
    assert points[1] <= points[0]
    bare = [state(s, "loss of utility").unprotected_w for s in (before, after)]
    assert bare[1] <= bare[0] + 1e-6
