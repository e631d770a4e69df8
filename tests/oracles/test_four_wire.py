"""The four-wire load flow against OpenDSS, and what must hold in every feeder."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from tests.formulas import four_wire
from tests.formulas.four_wire import FeederFlow, FourWireFeeder, FourWireSection, feeder_flow
from tests.oracles.feeders import CONNECTIONS, FeederCase, read_cases

VOLTAGE_PU = 1e-4  # of the nominal voltage to neutral
CURRENT = 1e-3  # of the current, or of the largest current of the section for a small neutral
LOSS = 2e-3  # goes with the square of the current

CASES = read_cases()


def feeder_of(case: FeederCase) -> FourWireFeeder:
    return FourWireFeeder(
        case.source,
        tuple(FourWireSection(s.start, s.end, s.line_ohm, s.neutral_ohm) for s in case.sections),
        case.neutral_grounded,
    )


def loads_of(case: FeederCase) -> dict[str, np.ndarray]:
    return {
        bus: np.array([powers.get(connection, 0.0) for connection in CONNECTIONS])
        for bus, powers in case.loads_va.items()
    }


@cache
def solved(name: str) -> FeederFlow:
    case = CASES[name]
    return feeder_flow(feeder_of(case), case.line_voltage_v, loads_of(case))


@pytest.mark.parametrize("name", CASES)
def test_voltages_are_those_of_opendss(name: str) -> None:
    case, flow = CASES[name], solved(name)
    nominal_v = case.line_voltage_v / 3.0**0.5
    checked = 0
    for (quantity, bus, conductor), expected in case.found.items():
        if quantity != "voltage":
            continue
        at = flow.buses.index(bus)
        got = (
            flow.neutral_v[at, 0]
            if conductor == "N"
            else (flow.phase_v[at, "ABC".index(conductor), 0])
        )
        assert abs(got - expected) <= VOLTAGE_PU * nominal_v, (bus, conductor)
        checked += 1
    assert checked == 4 * len(case.sections)


@pytest.mark.parametrize("name", CASES)
def test_currents_and_losses_are_those_of_opendss(name: str) -> None:
    case, flow = CASES[name], solved(name)
    row = {section.end: i for i, section in enumerate(case.sections)}
    checked = 0
    for (quantity, end, conductor), expected in case.found.items():
        if quantity == "current":
            currents = np.append(flow.line_a[row[end], :, 0], flow.neutral_a[row[end], 0])
            got = currents["ABCN".index(conductor)]
            scale = abs(expected) or np.abs(currents).max()
            if abs(expected) < 0.01 * np.abs(currents).max():
                scale = np.abs(currents).max()
            assert abs(got - expected) <= CURRENT * scale, (end, conductor)
        elif quantity == "loss":
            assert flow.loss_w[row[end], 0] == pytest.approx(expected.real, rel=LOSS)
        checked += quantity in ("current", "loss")
    assert checked == (4 if case.neutral_grounded else 5) * len(case.sections)


def test_primary_currents_of_a_delta_wye_transformer_are_those_of_opendss() -> None:
    case, flow = CASES["delta-wye-pdu"], solved("delta-wye-pdu")
    assert case.primary_v is not None
    ratio = case.primary_v / (case.line_voltage_v / 3.0**0.5)
    lines = four_wire.delta_primary_currents.si(*flow.line_a[0, :, 0], ratio)
    for line, got in zip("ABC", lines, strict=True):
        expected = case.found["primary", "SEC", line]
        assert abs(got - expected) <= CURRENT * abs(expected), line
    assert abs(sum(lines)) < 1e-9
    assert abs(flow.neutral_a[0, 0]) > 190.0  # circulates in the delta


def test_the_cases_are_hard_enough_to_tell() -> None:
    lowest = {
        name: np.abs(solved(name).phase_v).min() * 3.0**0.5 / case.line_voltage_v
        for name, case in CASES.items()
    }
    assert lowest["unequal-lines"] < 0.85
    assert np.abs(solved("half-neutral").neutral_v).max() > 2.0
    assert np.all(solved("grounded-neutral").neutral_v == 0.0)
    rise = np.abs(solved("half-neutral").phase_v - solved("grounded-neutral").phase_v)
    assert rise.max() > 100 * VOLTAGE_PU * 240.0 / 3.0


def test_a_balanced_feeder_drops_what_the_exact_formula_says() -> None:
    """One section with unity power factor at the source: |V| - |V - I R|."""
    from facility.physics.circuits.voltage_drop import voltage_drop_exact

    flow = feeder_flow(
        FourWireFeeder("S", (FourWireSection("S", "P", 0.05 + 0.03j, 0.05 + 0.03j),)),
        415.0,
        {"P": [9000 + 1500j] * 3 + [0.0] * 3},
    )
    sent = flow.phase_v[0, 0, 0] * np.conj(flow.line_a[0, 0, 0])
    drop = voltage_drop_exact.si(
        415.0 / 3.0**0.5, abs(flow.line_a[0, 0, 0]), 0.05, 0.03, sent.real / abs(sent)
    )
    assert 415.0 / 3.0**0.5 - abs(flow.phase_v[1, 0, 0]) == pytest.approx(drop, rel=1e-8)
    assert abs(flow.neutral_a[0, 0]) < 1e-9


# --- what must hold in every feeder -------------------------------------------------------------

_POWERS = st.lists(
    st.complex_numbers(max_magnitude=9e3, allow_nan=False, allow_infinity=False).map(
        lambda s: complex(abs(s.real), s.imag / 4.0)
    ),
    min_size=6,
    max_size=6,
)
TREE = FourWireFeeder(
    "S",
    (
        FourWireSection("S", "P1", (0.012 + 0.01j, 0.013 + 0.01j, 0.012 + 0.011j), 0.02 + 0.02j),
        FourWireSection("P1", "P2", 0.02 + 0.01j, 0.03 + 0.02j),
        FourWireSection("P1", "P3", 0.03 + 0.01j, 0.03 + 0.01j),
    ),
)


@settings(max_examples=40, deadline=None)
@given(one=_POWERS, two=_POWERS, three=_POWERS, grounded=st.booleans())
def test_energy_closes(one: list, two: list, three: list, grounded: bool) -> None:
    feeder = replace(TREE, neutral_grounded=grounded)
    flow = feeder_flow(feeder, 415.0, {"P1": one, "P2": two, "P3": three})
    sent_w = (flow.phase_v[0] * np.conj(flow.line_a[0])).sum().real
    load_w = float(np.real([one, two, three]).sum())
    assert sent_w == pytest.approx(load_w + flow.loss_w.sum(), rel=1e-8, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(one=_POWERS, two=_POWERS)
def test_cyclic_relabelling_changes_nothing(one: list, two: list) -> None:
    loads = {"P1": np.array(one), "P2": np.array(two)}
    turned = {b: np.concatenate([np.roll(v[:3], 1), np.roll(v[3:], 1)]) for b, v in loads.items()}
    same = replace(TREE, sections=tuple(replace(s, line_ohm=0.02 + 0.01j) for s in TREE.sections))
    a, b = feeder_flow(same, 415.0, loads), feeder_flow(same, 415.0, turned)
    np.testing.assert_allclose(
        np.abs(np.roll(a.line_a, 1, axis=1)), np.abs(b.line_a), rtol=1e-8, atol=1e-6
    )
    np.testing.assert_allclose(np.abs(a.neutral_a), np.abs(b.neutral_a), rtol=1e-8, atol=1e-6)
    np.testing.assert_allclose(a.loss_w, b.loss_w, rtol=1e-8, atol=1e-6)


def test_cases_are_solved_together_as_alone() -> None:
    random = np.random.default_rng(0)
    loads = {bus: random.uniform(0, 9e3, (6, 20)) * (1 + 0.2j) for bus in ("P1", "P3")}
    volts = np.linspace(400.0, 420.0, 20)
    together = feeder_flow(TREE, volts, loads)
    for c in range(20):
        alone = feeder_flow(TREE, volts[c], {bus: s[:, c] for bus, s in loads.items()})
        np.testing.assert_allclose(together.phase_v[..., c], alone.phase_v[..., 0], rtol=1e-8)
        np.testing.assert_allclose(together.loss_w[..., c], alone.loss_w[..., 0], rtol=1e-7)
    assert together.buses == ("S", "P1", "P2", "P3")


# --- refusals -----------------------------------------------------------------------------------

_LOAD = [5e3] * 3 + [0.0] * 3


@pytest.mark.parametrize(
    ("sections", "loads", "volts", "code", "where"),
    [
        ([("S", "A"), ("S", "B"), ("A", "B")], {"A": _LOAD}, 415.0, "NETWORK_LOOP", "B"),
        ([("S", "A"), ("A", "S")], {"A": _LOAD}, 415.0, "NETWORK_LOOP", "S"),
        ([("S", "A"), ("X", "Y")], {"A": _LOAD}, 415.0, "NETWORK_ISLAND", "X-Y"),
        ([], {}, 415.0, "NETWORK_ISLAND", "S"),
        ([("S", "A")], {"Q": _LOAD}, 415.0, "UNKNOWN_BUS", "Q"),
        ([("S", "A")], {"A": [1.0, 2.0]}, 415.0, "NETWORK_VALUE", "A"),
        ([("S", "A")], {"A": [np.nan] * 6}, 415.0, "NETWORK_VALUE", "A"),
        ([("S", "A")], {"A": np.ones((6, 2)), "S": np.ones((6, 3))}, 415.0, "NETWORK_VALUE", "A"),
        ([("S", "A")], {"A": np.ones((6, 2))}, [415.0] * 3, "NETWORK_VALUE", "S"),
        ([("S", "A")], {"A": _LOAD}, 0.0, "NETWORK_VALUE", "S"),
        ([("S", "A")], {"A": [9e5] * 3 + [0.0] * 3}, 415.0, "NETWORK_COLLAPSE", "A"),
    ],
)
def test_refusals_name_the_place(sections, loads, volts, code, where) -> None:
    feeder = FourWireFeeder(
        "S", tuple(FourWireSection(a, b, 0.1 + 0.05j, 0.1 + 0.05j) for a, b in sections)
    )
    with pytest.raises(FacilityError) as caught:
        feeder_flow(feeder, volts, loads)
    assert (caught.value.code, caught.value.where) == (code, where)


@pytest.mark.parametrize("ohm", [complex(-0.1, 0.1), complex(np.inf, 0.0), complex(0.1, np.nan)])
def test_an_impedance_that_is_none_is_refused(ohm: complex) -> None:
    for section in (FourWireSection("S", "A", ohm, 0.1), FourWireSection("S", "A", 0.1, ohm)):
        with pytest.raises(FacilityError, match="NETWORK_VALUE"):
            feeder_flow(FourWireFeeder("S", (section,)), 415.0, {"A": _LOAD})


def test_collapse_is_refused_from_the_limit_on() -> None:
    """One line of R alone carries V^2 / 4 R for a load of unity power factor, and no more."""
    feeder = FourWireFeeder("S", (FourWireSection("S", "A", 0.05, 0.0),))
    limit_w = (415.0 / 3.0**0.5) ** 2 / (4.0 * 0.05)
    near = feeder_flow(feeder, 415.0, {"A": [0.97 * limit_w] * 3 + [0.0] * 3})
    expected = 0.5 * (1.0 + (1.0 - 0.97) ** 0.5)
    assert abs(near.phase_v[1, 0, 0]) * 3.0**0.5 / 415.0 == pytest.approx(expected, rel=1e-7)
    with pytest.raises(FacilityError) as caught:
        feeder_flow(feeder, 415.0, {"A": [1.01 * limit_w] * 3 + [0.0] * 3})
    assert caught.value.code == "NETWORK_COLLAPSE"
    assert caught.value.exit_code == 4
