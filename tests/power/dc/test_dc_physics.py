"""Direct-current circuits: energy closes exactly, and the limits of the quadratic hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.physics.circuits.dc import (
    bar_resistance,
    constant_power_current,
    maximum_power,
    section_for_loss,
    two_wire_loss,
)
from facility.physics.circuits.voltage_drop import voltage_drop_two_wire

VOLTS = st.floats(40.0, 1500.0)
OHMS = st.floats(1e-6, 1.0)
PART = st.floats(1e-6, 0.999)


@given(VOLTS, OHMS, PART)
def test_source_power_is_load_and_loss(volts: float, ohms: float, part: float) -> None:
    load_w = part * maximum_power.si(volts, ohms)
    amperes = constant_power_current.si(volts, load_w, ohms)
    loss_w = two_wire_loss.si(amperes, ohms)
    assert volts * amperes == pytest.approx(load_w + loss_w, rel=1e-9)
    drop_v = voltage_drop_two_wire.si(amperes, ohms)
    assert (volts - drop_v) * amperes == pytest.approx(load_w, rel=1e-9)
    assert drop_v < volts / 2.0


@given(VOLTS, OHMS)
def test_no_state_beyond_the_transferable_power(volts: float, ohms: float) -> None:
    limit_w = maximum_power.si(volts, ohms)
    assert math.isnan(constant_power_current.si(volts, 1.001 * limit_w, ohms))
    at_limit = constant_power_current.si(volts, limit_w * (1.0 - 1e-12), ohms)
    assert at_limit == pytest.approx(volts / (4.0 * ohms), rel=1e-5)


@given(VOLTS, OHMS, st.floats(0.01, 0.9), st.floats(1.01, 3.0))
def test_more_voltage_or_more_copper_never_loses_more(
    volts: float, ohms: float, part: float, more: float
) -> None:
    load_w = part * maximum_power.si(volts, ohms)
    loss_w = two_wire_loss.si(constant_power_current.si(volts, load_w, ohms), ohms)
    higher = two_wire_loss.si(constant_power_current.si(more * volts, load_w, ohms), ohms)
    thicker = two_wire_loss.si(constant_power_current.si(volts, load_w, ohms / more), ohms / more)
    assert higher < loss_w
    assert thicker < loss_w


@given(VOLTS, st.floats(1e3, 1e6), st.floats(0.5, 200.0), st.floats(0.001, 0.5))
def test_section_for_a_loss_has_that_loss(
    volts: float, load_w: float, length_m: float, part: float
) -> None:
    area_m2 = section_for_loss.si(volts, load_w, length_m, 2.1e-8, part)
    ohms = bar_resistance.si(length_m, area_m2, 2.1e-8)
    amperes = constant_power_current.si(volts, load_w, ohms)
    assert two_wire_loss.si(amperes, ohms) == pytest.approx(part * load_w, rel=1e-9)


def test_section_goes_with_the_inverse_square_of_the_voltage() -> None:
    at_54, at_800 = section_for_loss.si(np.array([54.0, 800.0]), 1e5, 3.0, 2.1e-8, 0.01)
    assert at_54 / at_800 == pytest.approx((800.0 / 54.0) ** 2)
    assert at_54 / at_800 == pytest.approx(219.0, abs=0.5)
