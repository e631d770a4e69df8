"""The fault study of a designed network against impedances added by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from facility.files.project.file import apply_sets, parse_project
from facility.physics.faults.impedances import transformer_impedance
from facility.power.faults import of_network
from facility.power.faults.of_network import NetworkFaults, network_faults, upstream_faults
from facility.study.design.design import Design, design
from facility.study.distribution.study import board_fault

NVL72 = """\
schema_version: 1
site: {station: ashburn, fault_level: 500 MVA, x_over_r: 12}
it: {gpu_model: B200 NVL72, gpus: 576, network: {topology: none}, storage: {count: 0}, \
management: {count: 0}}
power: {redundancy: 2N, ups: {module_rating: 600 kW}, distribution: {rack_system: 415Y/240}, \
faults: {utility_minimum_level: 500 MVA}}
criteria: {liquid_class: W40}
cooling: {method: hybrid}
"""
PDU = """\
schema_version: 1
site: {station: ashburn, fault_level: 500 MVA}
it: {gpu_model: H100 SXM5, gpus: 128, server: DGX H100}
power: {redundancy: 3N/2, distribution: {rack_system: 208Y/120}, \
faults: {utility_minimum_level: 500 MVA}}
cooling: {method: air}
"""
LV, SQRT3 = 415.0, math.sqrt(3.0)
FOOT_M = 0.3048
OHM_PER_KFT = {"600": 0.025 + 0.048j, "500": 0.029 + 0.048j, "400": 0.035 + 0.049j}
"""Copper in steel conduit at 75 degC, NEC chapter 9, table 9."""
COLD = 1.0 + 0.00323 * (25.0 - 75.0)
"""Resistance at 25 over that at 75 degC, note 2 of NEC chapter 9, table 8."""


@cache
def made(text: str, *sets: str) -> Design:
    return design(apply_sets(parse_project(text), sets))


def faults_of(found: Design, fault_level_va: float | None = None) -> NetworkFaults:
    facility = found.facility
    feeders = {f.circuit.tag: f for f in found.distribution.feeders.feeders}
    site, basis = facility.site, facility.electrical.faults
    if fault_level_va is not None:
        site = replace(site, fault_level_va=fault_level_va)
        basis = replace(basis, sources=replace(basis.sources, utility_minimum_va=fault_level_va))
    return network_faults(found.distribution.plan, feeders, found.chain, site, basis, 75.0)


def run(size: str, sets: int, length_m: float, cold: bool = True) -> complex:
    """Return the impedance of a run [ohm]."""
    per_foot = OHM_PER_KFT[size] / 1000.0
    one = complex(per_foot.real * (COLD if cold else 1.0), per_foot.imag)
    return one * length_m / FOOT_M / sets


def of_ratio(magnitude: float, x_over_r: float) -> complex:
    r = magnitude / math.hypot(1.0, x_over_r)
    return complex(r, r * x_over_r)


def medium(length_m: float, cold: bool = True) -> complex:
    """Return the impedance of 4/0 AWG at 13.8 kV, at 415 V: 0.065 + j0.045 ohm/kft at 90 degC."""
    factor = 1.0 - 0.00393 / (1.0 + 0.00393 * 70.0) * 65.0 if cold else 1.0
    return complex(0.065 * factor, 0.045) * length_m / FOOT_M / 1000.0 * (LV / 13.8e3) ** 2


class ByHand:
    """The path from the utility to a panel of the NVL72 hall, at 415 V."""

    def __init__(self, found: Design) -> None:
        unit, loads = found.chain.transformers.unit, found.distribution.plan.network.loads
        assert unit.rating_va == 1.5e6
        assert unit.impedance == 0.0575
        self.utility = of_ratio(LV**2 / 500e6, 12.0)
        size = 0.0575 * LV**2 / 1.5e6
        resistance = unit.load_loss_w / 1.5e6 * LV**2 / 1.5e6
        self.transformer = complex(resistance, math.sqrt(size**2 - resistance**2))
        (mech,) = [load.kind for load in loads if load.tag == "MECH"]
        power_va = abs(complex(mech.neutral_va[-1].sum())) / 2.0
        self.motors = of_ratio(LV**2 / (4.0 * power_va), 1.0 / 0.42)
        self.main = run("600", 7, 25.0)

    def board(self) -> complex:
        """Return the highest-case impedance of board A with the motors of both boards."""
        lineup = medium(100.0 + 75.0) + 0.925 * self.transformer + self.main
        other = self.motors + lineup
        service = 1.0 / (1.0 / self.utility + 1.0 / other)
        return 1.0 / (1.0 / (service + lineup) + 1.0 / self.motors)


def test_faults_upstream_of_the_ups_are_those_of_the_whole_study() -> None:
    found = made(NVL72)
    feeders = {f.circuit.tag: f for f in found.distribution.feeders.feeders}
    of = found.chain, found.facility.site, found.facility.electrical.faults, 75.0
    states = network_faults(found.distribution.plan, feeders, *of).states
    whole = [state.highest for name, state in states.items() if not name.startswith("inverter")]
    alone = upstream_faults(found.distribution.plan, feeders, *of)
    assert [one.tags for one in alone] == [one.tags for one in whole]
    for one, other in zip(alone, whole, strict=True):
        np.testing.assert_array_equal(one.available_a, other.available_a)


def test_boards_of_a_lower_rating_are_compared_with_the_fault_of_the_first_conductors() -> None:
    found = made(NVL72)
    demand, panels = found.point.demand, found.panels
    whole_a = board_fault(found.facility, found.chain, panels, demand, math.inf)
    first_a = board_fault(found.facility, found.chain, panels, demand, 0.9 * whole_a)
    assert 0.9 * whole_a < first_a <= whole_a * (1.0 + 1e-9)


def test_conductors_are_those_of_the_hand_calculation() -> None:
    labels = {
        f.circuit.tag: f.choice.label for f in made(NVL72).distribution.feeders.feeders if f.choice
    }
    assert labels["TX-A>ATS-A"] == labels["GPB>ATS-A"] == "7 x 600 kcmil"
    assert labels["GEN>GPB"] == "5 x 500 kcmil"
    assert labels["LVB-A>SBP-A"] == "4 x 400 kcmil"
    assert labels["UPO-A>RPP-A01"] == "600 kcmil"
    assert labels["UTIL>MVS-A"] == labels["MVS-A>TX-A"] == "4/0 AWG"


@pytest.fixture(scope="module")
def hand() -> ByHand:
    return ByHand(made(NVL72))


class TestAgainstHand:
    def at(self, state: str, bus: str, case: str, name: str) -> float:
        currents = getattr(faults_of(made(NVL72)).states[state], case)
        return float(getattr(currents, name)[currents.index(bus)])

    def test_highest_at_the_board_on_the_utility(self, hand: ByHand) -> None:
        expected = LV / SQRT3 / abs(hand.board())
        assert self.at("utility", "LVB-A", "highest", "three_phase_a") == pytest.approx(expected)

    def test_line_to_ground_at_the_board(self, hand: ByHand) -> None:
        """Z0 of the transformer equals its Z1, that of the conductors is four times theirs."""
        z0 = 0.925 * hand.transformer + 4.0 * hand.main
        expected = SQRT3 * LV / abs(2.0 * hand.board() + z0)
        assert self.at("utility", "LVB-A", "highest", "line_ground_a") == pytest.approx(expected)

    def test_lowest_at_the_board_on_the_utility(self, hand: ByHand) -> None:
        """5 % less voltage, 7.5 % more impedance, warm conductors, no motors."""
        ahead = hand.utility + medium(100.0 + 75.0, cold=False)
        z = ahead + 1.075 * hand.transformer + run("600", 7, 25.0, cold=False)
        expected = 0.5 * 0.95 * LV / abs(z)
        assert self.at("utility", "LVB-A", "lowest", "line_line_a") == pytest.approx(expected)

    def test_highest_at_a_panel_through_the_static_bypass(self, hand: ByHand) -> None:
        """Each of the two modules has a static switch on a circuit of its own, 4 x 400 kcmil."""
        z = hand.board() + run("400", 2 * 4, 20.0) + run("600", 1, 45.0)
        expected = LV / SQRT3 / abs(z)
        assert self.at("utility", "RPP-A01", "highest", "three_phase_a") == pytest.approx(expected)

    def test_generators_at_the_board(self, hand: ByHand) -> None:
        """Four sets of 938 kVA with X"d of 12 %, each with 5 x 500 kcmil to their bus.

        Sustained three times rated of the three on duty.
        """
        source = 0.12 * LV**2 / 938e3 / 4.0 * complex(1.0 / 20.0, 1.0) + run("500", 4 * 5, 15.0)
        cable = run("600", 7, 40.0)
        bus = 1.0 / (1.0 / source + 1.0 / (hand.motors + cable))
        board = 1.0 / (1.0 / (bus + cable) + 1.0 / hand.motors)
        highest = self.at("generator", "LVB-A", "highest", "three_phase_a")
        assert highest == pytest.approx(LV / SQRT3 / abs(board))
        sustained = 3.0 * 3.0 * 938e3 / (SQRT3 * LV)
        assert self.at("generator", "LVB-A", "lowest", "sustained_a") == pytest.approx(sustained)

    def test_inverters_give_no_more_than_their_limit(self) -> None:
        limit = 2.4 * 2.0 * 600e3 / (SQRT3 * LV)
        found = self.at("inverter UPO-A", "UPO-A", "highest", "three_phase_a")
        assert found == pytest.approx(limit)


@pytest.mark.parametrize("text", [NVL72, PDU])
def test_one_bus_for_equal_circuits_gives_what_every_bus_would(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = made(text)
    short = found.distribution.faults
    every = {one.tag: one.tag for one in found.distribution.plan.network.equipment}
    assert len(set(short.bus_of.values())) < len(every)
    monkeypatch.setattr(of_network, "_representatives", lambda study: every)
    full = faults_of(found)
    for name, state in full.states.items():
        for case in ("highest", "lowest"):
            one, other = getattr(state, case), getattr(short.states[name], case)
            rows = [other.index(short.bus_of.get(tag, tag)) for tag in one.tags]
            for field in ("three_phase_a", "line_ground_a", "sustained_a", "x_over_r"):
                np.testing.assert_allclose(getattr(one, field), getattr(other, field)[rows])


def test_a_stronger_utility_never_lowers_a_current() -> None:
    found = made(NVL72)
    before = None
    for level_va in (20e6, 50e6, 100e6, 250e6, 500e6, 1e9, 5e9):
        high = faults_of(found, level_va).states["utility"].highest
        now = np.stack([high.three_phase_a, high.line_line_a, high.line_ground_a])
        if before is not None:
            assert np.all(now >= before)
            assert np.all(now[:, 0] > before[:, 0])
        before = now


def test_the_cable_ahead_of_a_pdu_lowers_the_current_behind_it() -> None:
    near, far = (made(PDU, f"power.conductors.feeder_length={length} m") for length in (5, 90))
    for case in ("highest", "lowest"):
        currents = [
            getattr(found.distribution.faults.states["utility"], case) for found in (near, far)
        ]
        ratio = [float(c.three_phase_a[c.index("PDU-A-A-1")]) for c in currents]
        assert ratio[1] < 0.97 * ratio[0]
    assert "PDU-A-A-1 primary" in currents[0].tags


def test_the_lowest_current_is_that_without_the_spare_transformer() -> None:
    found = made(NVL72, "power.redundancy=N+1")
    unit, chain = found.chain.transformers.unit, found.chain
    assert chain.transformers.per_carrier > chain.transformers.duty_per_carrier
    one = complex(*transformer_impedance.si(unit.rating_va, LV, unit.impedance, unit.load_loss_w))
    duty = chain.transformers.duty_per_carrier / chain.ups.buses
    lowest = faults_of(found).states["utility"].lowest
    tag = next(tag for tag in lowest.tags if tag.startswith("TX-") and "primary" not in tag)
    cables = medium(100.0, cold=False) + medium(75.0, cold=False) / chain.transformers.per_carrier
    expected = of_ratio(LV**2 / 500e6, 12.0) + cables + 1.075 * one / duty
    assert lowest.z1_ohm[lowest.index(tag)] == pytest.approx(expected)


@pytest.mark.parametrize(("load", "board"), [("MECH", "LVB-A"), ("MECH-UPS", "UPO-A")])
def test_cooling_has_a_bus_at_the_end_of_its_circuit(load: str, board: str) -> None:
    found = made(NVL72, "power.faults.clearing_time=100 ms")
    (feeder,) = (
        f for f in found.distribution.feeders.feeders if f.circuit.tag == f"{board}>{load}"
    )
    assert feeder.choice is not None
    cable = complex(feeder.choice.resistance_ohm or 0.0, feeder.choice.reactance_ohm or 0.0)
    lowest = found.distribution.faults.states["utility"].lowest
    ahead, end = (lowest.z1_ohm[lowest.index(tag)] for tag in (board, f"{load} on {board}"))
    assert end - ahead == pytest.approx(cable / feeder.choice.sets)
    times = {
        one.clearing_s for one in found.distribution.arc_flash if one.bus == f"{load} on {board}"
    }
    assert times == {feeder.below_trip_s}
