"""Dry and adiabatic coolers over hours."""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.cooling.parts.air import AirHours
from facility.cooling.parts.exchanger import rated
from facility.cooling.plant.dry_hours import DryCoolerBank, dry_cooler_hours
from facility.physics.air.psychrometrics import humidity_ratio_at_wet_bulb

RATE_W_K = 2931e3 / 5.56
BANK = DryCoolerBank(
    rated("finned coil", 2931e3, RATE_W_K, RATE_W_K, 11.11, 0.5, "test"),
    RATE_W_K,
    35.0,
    117.68e3,
    0.125,
)
PADS = DryCoolerBank(BANK.coil, BANK.fluid_w_k, BANK.rated_air_c, BANK.fan_w, BANK.least_air, 0.7)


def air_of(dry_c: list[float], wet_c: list[float]) -> AirHours:
    dry, wet, p = np.array(dry_c), np.array(wet_c), np.full(len(dry_c), 101325.0)
    return AirHours(dry, wet, np.asarray(humidity_ratio_at_wet_bulb.si(dry, wet, p)), p)


def test_dry_coolers_give_their_data_sheet_at_its_point() -> None:
    """BAC TDFS1238N: 2931 kW at 35 degC air, fluid 46.1 to 40.6 degC, full fans."""
    found = dry_cooler_hours(BANK, air_of([35.0], [22.0]), np.array([2931e3]), np.array([30.0]))
    assert found.leaving_c[0] == pytest.approx(40.55, abs=0.02)
    assert found.fan_w[0] == pytest.approx(117.68e3)


def test_fans_slow_down_to_the_set_point_and_pads_help_when_dry_misses_it() -> None:
    air = air_of([10.0, 35.0, 40.0], [6.0, 20.0, 22.0])
    heat_w, wanted = np.full(3, 2931e3), np.full(3, 38.0)
    dry, wet = (dry_cooler_hours(bank, air, heat_w, wanted) for bank in (BANK, PADS))
    assert dry.leaving_c[0] == pytest.approx(38.0, abs=1e-4)
    assert dry.fan_w[0] < 0.3 * BANK.fan_w
    assert list(wet.wet) == [False, True, True]
    assert wet.entering_air_c == pytest.approx([10.0, 35.0 - 0.7 * 15.0, 40.0 - 0.7 * 18.0])
    assert np.all(wet.leaving_c[1:] < dry.leaving_c[1:])
    assert wet.evaporation_m3_s[0] == 0.0
    assert not dry.evaporation_m3_s.any()


def test_pads_give_the_air_the_water_they_lose() -> None:
    """Full fans; humidity ratios and volumes of psychrolib."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    before, behind = (psychrolib.GetHumRatioFromTWetBulb(t, 20.0, 101325.0) for t in (35.0, 24.5))
    rated, now = ((35.0, 0.0), (24.5, before))
    volumes = [psychrolib.GetMoistAirVolume(t, w, 101325.0) for t, w in (rated, now)]
    air_kg_s = RATE_W_K / 1006.0 * volumes[0] / volumes[1]
    found = dry_cooler_hours(PADS, air_of([35.0], [20.0]), np.array([2931e3]), np.array([25.0]))
    assert found.air_ratio[0] == pytest.approx(1.0, abs=1e-6)
    assert found.evaporation_m3_s[0] * 1e3 == pytest.approx(air_kg_s * (behind - before), rel=1e-3)


@given(st.floats(-20.0, 44.0), st.floats(0.0, 6.0))
def test_dry_coolers_never_gain_by_warmer_air(air_c: float, up: float) -> None:
    air = air_of([air_c, air_c + up], [air_c - 5.0, air_c + up - 5.0])
    found = dry_cooler_hours(BANK, air, np.full(2, 2.5e6), np.full(2, 36.0))
    assert found.leaving_c[0] <= found.leaving_c[1] + 1e-6
    assert found.fan_w[0] <= found.fan_w[1] * (1.0 + 1e-5) + 1e-3
