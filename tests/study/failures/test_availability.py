"""Minimal cut sets and availability against networks that can be solved by hand."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.check import Outcome
from facility.model.power.electrical import ReliabilityBasis
from facility.physics.facility.reliability import inherent_availability
from facility.power.network.graph.types import Network
from facility.power.network.outages.availability import (
    Liveness,
    exact_unavailability,
    load_availability,
    minimal_cuts,
)
from facility.study.failures.study import FailureBasis, network_failures
from tests.power.network.schemes import SchemeOptions, scheme_network
from tests.study.failures.helpers import HOUR, KINDS, TEST_TIMES, board, load, network, source

BRIDGE = network(
    source("U"),
    board("1", "U"),
    board("4", "U"),
    board("3a", "1"),
    board("3b", "4"),
    board("2", "1", "3b"),
    board("5", "4", "3a"),
    loads=(load("R", "2", "5"),),
)


def cuts_of(net: Network, order: int = 2) -> set[frozenset[str]]:
    live = Liveness(net, net.loads[0])
    return {frozenset(cut) for cut in minimal_cuts(live, order)}


def by_enumeration(net: Network, down: dict[str, float]) -> float:
    """Return the unavailability of the first load from every state of every component."""
    live = Liveness(net, net.loads[0])
    tags = live.components
    states = np.array(list(product((False, True), repeat=len(tags)))).T
    weight = [
        prod(down[tag] if out else 1.0 - down[tag] for tag, out in zip(tags, column, strict=True))
        for column in states.T
    ]
    return float(np.array(weight)[live.stopped(states)].sum())


def test_series() -> None:
    net = network(source("U"), board("X", "U"), board("Y", "X"), loads=(load("R", "Y"),))
    assert cuts_of(net) == {frozenset({tag}) for tag in "UXY"}
    down = dict.fromkeys("UXY", 0.1)
    assert by_enumeration(net, down) == pytest.approx(1.0 - 0.9**3)
    assert exact_unavailability([("U",), ("X",), ("Y",)], down) == pytest.approx(1.0 - 0.9**3)


def test_series_and_parallel_agree_with_the_graph() -> None:
    net = network(source("U"), board("X", "U"), board("Y", "U"), loads=(load("R", "X", "Y"),))
    assert cuts_of(net) == {frozenset("U"), frozenset("XY")}
    expected = 1.0 - 0.95 * (1.0 - 0.1 * 0.2)
    assert by_enumeration(net, {"U": 0.05, "X": 0.1, "Y": 0.2}) == pytest.approx(expected)


def test_two_modules_of_five_nines_in_series() -> None:
    """QNX Neutrino cookbook, parallel versus serial: 99.998 %."""
    net = network(source("U"), board("X", "U"), loads=(load("R", "X"),))
    assert by_enumeration(net, {"U": 1e-5, "X": 1e-5}) == pytest.approx(2e-5, abs=1e-7)


def test_bridge() -> None:
    """Components 1, 2 above and 4, 5 below, and 3 across: two cuts of two, two of three.

    Published with 0.8, 0.9, 0.9, 0.9, 0.8 by tie sets and cut sets; here the component across
    stands once for each direction, down together.
    """
    found = cuts_of(BRIDGE, 3)
    assert {frozenset({"U"}), frozenset("14"), frozenset("25")} <= found
    assert frozenset({"1", "3b", "5"}) in found
    assert frozenset({"4", "3a", "2"}) in found
    assert len(found) == 5
    down = {"1": 0.2, "2": 0.1, "4": 0.1, "5": 0.2}
    joined = [tuple(tag[0] for tag in cut) for cut in sorted(map(tuple, found - {frozenset("U")}))]
    exact = exact_unavailability(joined, {**down, "3": 0.1})
    by_hand = 0.9 * _bridge(0.8, 0.9, 0.9, 0.8, True) + 0.1 * _bridge(0.8, 0.9, 0.9, 0.8, False)
    assert 1.0 - exact == pytest.approx(by_hand, abs=1e-12)


def _bridge(one: float, two: float, four: float, five: float, closed: bool) -> float:
    """Return the availability of a bridge given its middle: pairs in series, or in parallel."""
    if closed:
        return (1.0 - (1.0 - one) * (1.0 - four)) * (1.0 - (1.0 - two) * (1.0 - five))
    return 1.0 - (1.0 - one * two) * (1.0 - four * five)


def test_units_in_parallel_are_one_component() -> None:
    net = network(source("U"), board("X", "U", units=3), loads=(load("R", "X"),))
    assert cuts_of(net) == {frozenset({"U"}), frozenset({"X"})}
    times = {"utility": 0.0, "lv-board": 0.1}
    for needed, expected in ((1, 0.001), (2, 0.028), (3, 0.271)):
        (found,) = load_availability(net, [net.loads], {"X": needed}, times)
        assert found.unavailability == pytest.approx(expected)


def test_units_needed_are_those_that_carry_the_load() -> None:
    """Two units needed of three: the plant fails with two of them down, beside the utility."""
    net = scheme_network("2(N+1)", 900e3, SchemeOptions(racks=6))
    down = {}
    for mtbf_h in (1e3, 1e5):
        times = {**TEST_TIMES.times, "generator-plant": (mtbf_h * HOUR, 10.0 * HOUR)}
        basis = FailureBasis(reliability=ReliabilityBasis(times))
        (first, *_) = network_failures(net, basis).availability
        assert ("UTILITY", "GEN") in first.cuts
        down[mtbf_h] = first.unavailability or 0.0
    assert down[1e3] > down[1e5]


def test_load_that_needs_both_cords_and_one_that_never_runs() -> None:
    net = network(
        source("U"), board("X", "U"), board("Y", "U"), loads=(load("R", "X", "Y", needed=2),)
    )
    assert cuts_of(net) == {frozenset(tag) for tag in "UXY"}
    dead = Liveness(net, load("S", "X", needed=2))
    assert minimal_cuts(dead) == ((),)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(1e-4, 0.3), min_size=7, max_size=7))
def test_rare_event_sum_bounds_the_exact_value(values: list[float]) -> None:
    tags = Liveness(BRIDGE, BRIDGE.loads[0]).components
    down = dict(zip(tags, values, strict=True))
    exact = by_enumeration(BRIDGE, down)
    cuts = minimal_cuts(Liveness(BRIDGE, BRIDGE.loads[0]), 3)
    total = sum(prod(down[tag] for tag in cut) for cut in cuts)
    assert exact <= total + 1e-12
    assert exact_unavailability(cuts, down) == pytest.approx(exact, rel=1e-9)


def test_expected_minutes_and_contributors() -> None:
    net = network(source("U"), board("X", "U"), board("Y", "U"), loads=(load("R", "X", "Y"),))
    (found,) = load_availability(net, [net.loads], {}, {"utility": 1e-5, "lv-board": 1e-3})
    assert found.unavailability == pytest.approx(1e-5 + 1e-6)
    assert found.exact == pytest.approx(1e-5 + 1e-6, rel=1e-4)
    assert found.down_s == pytest.approx(1.1e-5 * 8760.0 * HOUR)
    names = [name for name, _ in found.contributors]
    assert names == ["utility (U)", "lv-board and lv-board (X and Y)"]
    assert found.contributors[0][1] == pytest.approx(10 / 11)


def test_without_times_nothing_is_evaluated_and_the_kinds_are_named() -> None:
    net = scheme_network("2N", 900e3, SchemeOptions(racks=6))
    study = network_failures(net, FailureBasis())
    (check,) = (c for c in study.checks if c.rule == "AVAILABILITY")
    assert check.outcome is Outcome.NOT_EVALUATED
    assert "UPS" in check.why.split(": ")[1].split(", ")
    assert study.availability == ()
    assert "availability.worst" not in study.results
    partly = ReliabilityBasis({"ups": (1e5 * HOUR, 8.0 * HOUR)})
    study = network_failures(net, FailureBasis(reliability=partly))
    (check,) = (c for c in study.checks if c.rule == "AVAILABILITY")
    assert "circuit" in check.why
    assert "UPS" not in check.why.split(": ")[1].split(", ")
    assert "availability.worst" not in study.results


def test_two_paths_are_down_less_than_one() -> None:
    down = {}
    for name in ("N", "2N"):
        net = scheme_network(name, 900e3, SchemeOptions(racks=6))
        study = network_failures(net, FailureBasis(reliability=TEST_TIMES))
        assert not any(c.rule == "AVAILABILITY" for c in study.checks)
        down[name] = study.results["down_time.worst"].si
        assert sum(len(one.loads) for one in study.availability) == 6
    times = TEST_TIMES.times["ups"]
    one = 1.0 - inherent_availability.si(*times)
    assert down["N"] > one * 8760.0 * HOUR
    assert down["2N"] < 0.01 * down["N"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("sts", "rack-pdu")])
@pytest.mark.parametrize("place", [0, 1])
def test_every_time_given_moves_the_availability(kind: str, place: int) -> None:
    net = scheme_network("N", 900e3, SchemeOptions(racks=6))
    worse = list(TEST_TIMES.times[kind])
    worse[place] *= (0.5, 2.0)[place]
    times = ReliabilityBasis({**TEST_TIMES.times, kind: (worse[0], worse[1])})
    found = [
        network_failures(net, FailureBasis(reliability=basis)).availability[0].unavailability
        for basis in (TEST_TIMES, times)
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[1] > found[0]


def test_load_that_takes_three_failures_is_not_called_always_up() -> None:
    net = network(
        *(source(tag) for tag in "UVW"),
        *(board(t, s) for t, s in zip("XYZ", "UVW", strict=True)),
        loads=(load("R", "X", "Y", "Z"),),
    )
    (found,) = load_availability(net, [net.loads], {}, {"utility": 1e-3, "lv-board": 1e-3})
    assert found.cuts == ()
    assert found.unavailability is None
    assert found.down_s is None
    times = {"utility": (1e5, 10.0), "lv-board": (1e5, 10.0)}
    study = network_failures(net, FailureBasis(reliability=ReliabilityBasis(times)))
    assert "availability.worst" not in study.results
