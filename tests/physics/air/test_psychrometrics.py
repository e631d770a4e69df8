"""Moist air against psychrolib and CoolProp, and against itself.

psychrolib codes the same handbook: agreement is that of rounding. CoolProp is a real gas, whose
humidity ratio is 0.4 to 0.6 % higher. Wet bulbs within 0.6 K of freezing are left out: the ice and
the water form overlap there and each code picks its own.
"""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.physics.air.psychrometrics import (
    dew_point,
    enthalpy,
    humidity_ratio,
    humidity_ratio_at_wet_bulb,
    humidity_ratio_of_vapor,
    relative_humidity,
    saturation_pressure,
    specific_volume,
    standard_pressure,
    wet_bulb,
)

psychrolib.SetUnitSystem(psychrolib.SI)

DRY_BULB = st.floats(-30.0, 50.0)
HUMIDITY = st.floats(0.03, 0.999)
PRESSURE = st.floats(70e3, 105e3)


@given(DRY_BULB)
def test_saturation_pressure_is_that_of_psychrolib(t: float) -> None:
    assert saturation_pressure.si(t) == pytest.approx(psychrolib.GetSatVapPres(t), rel=1e-9)


def test_saturation_pressure_is_continuous_at_the_triple_point() -> None:
    below, above = saturation_pressure.si(0.01 - 1e-9), saturation_pressure.si(0.01 + 1e-9)
    assert above == pytest.approx(below, rel=1e-4)
    assert above == pytest.approx(611.657, rel=1e-4)  # triple point of water


@given(DRY_BULB, HUMIDITY, PRESSURE)
def test_state_is_that_of_psychrolib(t: float, rh: float, p: float) -> None:
    w = humidity_ratio.si(t, rh, p)
    assert w == pytest.approx(psychrolib.GetHumRatioFromRelHum(t, rh, p), rel=1e-9, abs=1e-9)
    assert enthalpy.si(t, w) == pytest.approx(psychrolib.GetMoistAirEnthalpy(t, w), abs=0.5)
    assert specific_volume.si(t, w, p) == pytest.approx(
        psychrolib.GetMoistAirVolume(t, w, p), rel=1e-9
    )


@given(DRY_BULB, HUMIDITY, PRESSURE)
def test_wet_bulb_is_that_of_psychrolib(t: float, rh: float, p: float) -> None:
    theirs = psychrolib.GetTWetBulbFromRelHum(t, rh, p)
    assume(not -0.05 < theirs < 0.8)  # a frozen wick has a solution too, and theirs is either
    assert wet_bulb.si(t, humidity_ratio.si(t, rh, p), p) == pytest.approx(theirs, abs=0.002)


@pytest.mark.parametrize(
    ("t", "rh", "p"),
    [
        (9.625, 0.03125, 92773.0),
        (9.0, 0.03125, 92773.0),
        (10.0, 0.03125, 92773.0),
        (10.7, 0.03125, 92773.0),
        (11.0, 0.03125, 92773.0),
        (3.0, 0.53, 101325.0),
        (1.0, 0.83, 101325.0),
        (5.0, 0.32, 85000.0),
        (8.0, 0.16, 101325.0),
    ],
)
def test_about_freezing_the_wick_is_frozen_where_it_can_be(t: float, rh: float, p: float) -> None:
    """CoolProp is the referee where a wet and a frozen wick both have a solution."""
    coolprop = pytest.importorskip("CoolProp.HumidAirProp")
    theirs = coolprop.HAPropsSI("B", "T", t + 273.15, "R", rh, "P", p) - 273.15
    w = humidity_ratio.si(t, rh, p)
    ours = float(wet_bulb.si(t, w, p))
    assert ours == pytest.approx(theirs, abs=0.05)
    assert (ours < 0.0) is (theirs < 0.0)
    assert float(wet_bulb.si(np.array([t]), w, p)[0]) == pytest.approx(ours, abs=1e-6)


@given(DRY_BULB, HUMIDITY, PRESSURE)
def test_dew_point_is_that_of_psychrolib(t: float, rh: float, p: float) -> None:
    theirs = psychrolib.GetTDewPointFromRelHum(t, rh)
    assert dew_point.si(humidity_ratio.si(t, rh, p), p) == pytest.approx(theirs, abs=0.005)


@pytest.mark.parametrize(("t", "rh"), [(35.0, 0.4), (27.0, 0.5), (18.0, 0.6), (40.0, 0.2)])
def test_against_a_real_gas(t: float, rh: float) -> None:
    coolprop = pytest.importorskip("CoolProp.HumidAirProp")
    state = ("T", t + 273.15, "R", rh, "P", 101325.0)
    w = humidity_ratio.si(t, rh, 101325.0)
    assert w == pytest.approx(coolprop.HAPropsSI("W", *state), rel=0.006)
    theirs = coolprop.HAPropsSI("B", *state) - 273.15
    assert wet_bulb.si(t, w, 101325.0) == pytest.approx(theirs, abs=0.03)


@given(DRY_BULB, HUMIDITY, PRESSURE)
def test_inverse_pairs(t: float, rh: float, p: float) -> None:
    w = humidity_ratio.si(t, rh, p)
    assert relative_humidity.si(t, w, p) == pytest.approx(rh, rel=1e-9)
    assert humidity_ratio_of_vapor.si(
        saturation_pressure.si(dew_point.si(w, p)), p
    ) == pytest.approx(w, rel=1e-6)
    wet = wet_bulb.si(t, w, p)
    assume(abs(wet) > 0.6)
    assert humidity_ratio_at_wet_bulb.si(t, wet, p) == pytest.approx(w, rel=1e-6, abs=1e-8)


@given(DRY_BULB, HUMIDITY, PRESSURE)
def test_dew_point_wet_bulb_and_dry_bulb_stand_in_order(t: float, rh: float, p: float) -> None:
    w = humidity_ratio.si(t, rh, p)
    wet = wet_bulb.si(t, w, p)
    assume(abs(wet) > 0.6)
    assert dew_point.si(w, p) <= wet + 1e-6
    assert wet <= t + 1e-9


def test_arrays_give_what_single_numbers_give() -> None:
    t, rh = np.linspace(-20.0, 45.0, 40), np.linspace(0.1, 0.95, 40)
    w = humidity_ratio.si(t, rh, 98000.0)
    singles = [humidity_ratio.si(float(a), float(b), 98000.0) for a, b in zip(t, rh, strict=True)]
    np.testing.assert_allclose(w, singles, rtol=1e-14)
    wet = wet_bulb.si(t, w, 98000.0)
    ones = [wet_bulb.si(float(a), float(b), 98000.0) for a, b in zip(t, w, strict=True)]
    np.testing.assert_allclose(wet, ones, rtol=0.0, atol=1e-11)
    dew = dew_point.si(w, 98000.0)
    np.testing.assert_allclose(
        dew, [dew_point.si(float(b), 98000.0) for b in w], rtol=0.0, atol=1e-11
    )
    assert isinstance(wet_bulb.si(25.0, 0.01, 98000.0), float)


@given(DRY_BULB, HUMIDITY, PRESSURE)
def test_single_numbers_and_arrays_agree_everywhere(t: float, rh: float, p: float) -> None:
    """Also where the wick freezes: both take the frozen wick wherever that has a solution."""
    w = humidity_ratio.si(t, rh, p)
    one, many = wet_bulb.si(t, w, p), wet_bulb.si(np.array([t]), np.array([w]), p)
    assert one == pytest.approx(many[0], abs=1e-9)
    assert dew_point.si(w, p) == pytest.approx(dew_point.si(np.array([w]), p)[0], abs=1e-9)
    thaws = t >= 0.0 and humidity_ratio_at_wet_bulb.si(t, -1e-12, p) <= w
    assert (one >= 0.0) == thaws


@pytest.mark.parametrize("t", [-99.0, -40.0, -0.1, 0.0, 0.1, 20.0, 60.0])
def test_saturated_air_is_at_its_wet_bulb_and_dew_point(t: float) -> None:
    w = humidity_ratio.si(t, 1.0, 101325.0)
    assert wet_bulb.si(t, w, 101325.0) == pytest.approx(t, abs=1e-7)
    assert dew_point.si(w, 101325.0) == pytest.approx(t, abs=1e-7)


@given(st.floats(0.0, 5000.0))
def test_pressure_falls_with_elevation(z: float) -> None:
    assert standard_pressure.si(z + 1.0) < standard_pressure.si(z)
    assert standard_pressure.si(z) == pytest.approx(psychrolib.GetStandardAtmPressure(z), rel=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: saturation_pressure.si(201.0),
        lambda: saturation_pressure.si(float("-101")),
        lambda: humidity_ratio.si(110.0, 1.0, 101325.0),
        lambda: humidity_ratio_at_wet_bulb.si(20.0, 21.0, 101325.0),
        lambda: wet_bulb.si(20.0, 0.03, 101325.0),
        lambda: dew_point.si(1e-12, 101325.0),
        lambda: standard_pressure.si(20000.0),
    ],
)
def test_what_lies_outside_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(FacilityError) as refused:
        call()
    assert refused.value.code == "OUT_OF_RANGE"
