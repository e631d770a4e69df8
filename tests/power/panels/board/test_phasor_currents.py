"""Phasor currents against published figures, time-domain sums and conservation of power."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.physics.circuits import phasor
from facility.power.panels.board.currents import circuit_current, panel_loads
from facility.study.verification.power.panel_cases import mixed_panel
from tests.power.panels.helpers import load, panel

V_LL = 207.846
POWERS = st.lists(st.tuples(st.floats(0.0, 2e4), st.floats(-1e4, 1e4)), min_size=6, max_size=6).map(
    lambda pairs: [complex(*pair) for pair in pairs]
)


def test_mixed_panel_of_the_derived_case() -> None:
    """D1: 1200/1800/2400 W to neutral, 2500 W on AB, 1660 W on CA."""
    found = phasor.line_currents.si(1200.0, 1800.0, 2400.0, 2500.0, 0.0, 1660.0, V_LL)
    assert [abs(x) for x in found] == pytest.approx([27.408, 26.118, 27.211, 8.660], abs=1e-3)


def test_the_panel_gives_the_same_and_shows_schedule_amperes_beside() -> None:
    mixed = mixed_panel(V_LL, an_va=1200.0, bn_va=1800.0, cn_va=2400.0, ab_va=2500.0, ca_va=1660.0)
    found = panel_loads(mixed)[0]
    assert found.line_a == pytest.approx((27.408, 26.118, 27.211), abs=1e-3)
    assert found.neutral_a == pytest.approx(8.660, abs=1e-3)
    assert found.schedule_a == pytest.approx((27.333, 25.417, 26.917), abs=1e-3)
    assert found.power_w == pytest.approx(9560.0)
    assert found.worst_line == "A"


def test_half_va_misses_a_single_line_to_line_load() -> None:
    """D3: 2080 VA at 208 V are 10.00 A; VA over poles shows 8.66 A."""
    found = panel_loads(mixed_panel(208.0, ab_va=2080.0))[0]
    assert found.line_a == pytest.approx((10.0, 10.0, 0.0), abs=1e-9)
    assert found.schedule_a[0] == pytest.approx(8.66, abs=5e-3)
    assert found.neutral_a == pytest.approx(0.0, abs=1e-9)


def test_panel_anchor_of_a_415_volt_panel() -> None:
    """78,540/92,060/95,380 VA to neutral: 327.80/384.22/398.08 A and 64.48 A in the neutral."""
    legs = (78540.0 + 0j, 92060.0 + 0j, 95380.0 + 0j)
    whip = load("w", 3, 1.0, position=1, power_va=(legs,))
    found = panel_loads(panel(whip, system="415Y/240"))[0]
    assert found.line_a == pytest.approx((327.80, 384.22, 398.08), abs=0.01)
    assert found.neutral_a == pytest.approx(64.48, abs=0.01)
    assert [found.imbalance, found.imbalance_va] == pytest.approx([0.11414] * 2, abs=1e-5)


def _rms_by_sampling(powers: list[complex], line_v: float) -> list[float]:
    """Sum the currents of the six loads instant by instant, and take the root mean square."""
    instants = np.linspace(0.0, 2.0 * math.pi, 720, endpoint=False)
    phase_v = line_v / math.sqrt(3.0)
    angles = {"A": 0.0, "B": -2.0 * math.pi / 3.0, "C": 2.0 * math.pi / 3.0}

    def wave(power: complex, volts: float, angle: float) -> np.ndarray:
        lag = math.atan2(power.imag, power.real)
        return math.sqrt(2.0) * abs(power) / volts * np.cos(instants + angle - lag)

    an, bn, cn = (wave(p, phase_v, angles[x]) for p, x in zip(powers[:3], "ABC", strict=True))
    ab, bc, ca = (
        wave(p, line_v, angles[x] + math.pi / 6.0) for p, x in zip(powers[3:], "ABC", strict=True)
    )
    lines = (an + ab - ca, bn + bc - ab, cn + ca - bc, -(an + bn + cn))
    return [float(np.sqrt(np.mean(line**2))) for line in lines]


@given(POWERS)
def test_phasors_equal_the_sum_of_sampled_waves(powers: list[complex]) -> None:
    found = [abs(x) for x in phasor.line_currents.si(*powers, 415.0)]
    assert found == pytest.approx(_rms_by_sampling(powers, 415.0), rel=1e-9, abs=1e-9)


@given(POWERS)
def test_line_powers_add_up_to_the_loads(powers: list[complex]) -> None:
    lines = phasor.line_currents.si(*powers, 415.0)
    turns = np.exp(2j * np.pi / 3.0 * np.array([0.0, -1.0, 1.0]))
    volts = 415.0 / math.sqrt(3.0) * turns
    total = sum(v * np.conj(i) for v, i in zip(volts, lines[:3], strict=True))
    assert total == pytest.approx(sum(powers), rel=1e-9, abs=1e-6)
    assert sum(lines) == pytest.approx(0.0, abs=1e-6)


@given(POWERS)
def test_one_line_alone_equals_the_whole_panel(powers: list[complex]) -> None:
    lines = phasor.line_currents.si(*powers, 208.0)
    for x in range(3):
        own, leading, lagging = powers[x], powers[3 + x], powers[3 + (x + 2) % 3]
        found = phasor.line_current.si(
            own.real, own.imag, leading.real, leading.imag, lagging.real, lagging.imag, 208.0
        )
        assert found == pytest.approx(abs(lines[x]), rel=1e-9, abs=1e-9)


def test_arrays_of_panels_go_through_at_once() -> None:
    powers = np.arange(12.0).reshape(6, 2) * 100.0
    whole = phasor.line_currents.si(*powers, 208.0)
    single = phasor.line_currents.si(*powers[:, 1], 208.0)
    assert [x[1] for x in whole] == pytest.approx(list(single))


AMPERES = st.floats(0.0, 1e3, allow_subnormal=False)


@given(AMPERES, AMPERES, AMPERES)
def test_imbalance_lies_between_zero_and_two(a: float, b: float, c: float) -> None:
    found = float(phasor.imbalance.si(a, b, c))
    assert 0.0 <= found <= 2.0 + 1e-12
    assert float(phasor.imbalance.si(c, a, b)) == pytest.approx(found, abs=1e-9)
    assert float(phasor.imbalance.si(0.0, 0.0, 0.0)) == 0.0


def test_a_three_pole_whip_of_line_to_line_banks() -> None:
    """Three equal banks of 4160 VA at 208 V: 34.64 A in every line."""
    whip = load("w", 3, 1.0, position=1, connection="L-L", power_va=((4160.0 + 0j,) * 3,))
    found = panel_loads(panel(whip))[0]
    assert found.line_a == pytest.approx((34.64,) * 3, abs=5e-3)
    assert found.phase_va == pytest.approx((4160.0,) * 3)
    assert circuit_current(whip, 208.0)[0] == pytest.approx(34.64, abs=5e-3)
