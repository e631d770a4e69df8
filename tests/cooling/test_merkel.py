"""Towers by Merkel against the fitted correlations where these hold, and against physics beyond."""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue.weather import station_weather
from facility.cooling.plant.hours import TowerUnit, tower_hours
from facility.core.errors import FacilityError
from facility.physics.air.psychrometrics import enthalpy, humidity_ratio, specific_volume, wet_bulb
from facility.physics.liquids.water_use import saturated_exit_humidity, tower_sensible_heat
from facility.physics.plant.tower.yorkcalc import yorkcalc_approach
from facility.study.plant_options import air_hours
from tests.tools.merkel import (
    MerkelTower,
    saturated_enthalpy,
    saturation_specific_heat,
)

SEA = 101325.0
RATED = (25.56, 3.89, 5.56)
TOWER = MerkelTower.rated(*RATED, 1.2, 1e6, SEA, 4186.0)


def test_design_point_is_given_back_and_agrees_with_yorkcalc() -> None:
    """YorkCalc is rated at 25.6 degC, 3.9 K and 5.6 K and says 3.84 K there."""
    approach_k = TOWER.leaving(25.56, 5.56, 1.0, SEA) - 25.56
    assert approach_k == pytest.approx(3.89, abs=1e-4)
    assert approach_k == pytest.approx(float(yorkcalc_approach.si(25.56, 5.56, 1.0, 1.0)), abs=0.1)


@pytest.mark.parametrize("wet_bulb_c", [20.0, 10.0, 0.0])
def test_approach_grows_in_winter_like_that_of_the_correlation(wet_bulb_c: float) -> None:
    """3.84, 5.05, 7.77, 11.15 K by YorkCalc: another tower, the same physics, within 16 %."""
    ours = TOWER.leaving(wet_bulb_c, 5.56, 1.0, SEA) - wet_bulb_c
    assert ours == pytest.approx(float(yorkcalc_approach.si(wet_bulb_c, 5.56, 1.0, 1.0)), rel=0.16)


def test_heat_of_water_is_heat_of_air_by_numerical_integration() -> None:
    """Merkel's integral of dT / (h_s - h) along the fill is Me, on the saturation curve itself.

    Effectiveness takes the curve as straight, so that the two differ by a few percent.
    """
    leaving_c = RATED[0] + RATED[1]
    water_c = np.linspace(leaving_c, leaving_c + RATED[2], 2001)
    air = saturated_enthalpy(RATED[0], SEA) + 1.2 * 4186.0 * (water_c - leaving_c)
    potential = saturated_enthalpy(water_c, SEA) - air
    merkel = 4186.0 * np.trapezoid(1.0 / potential, water_c)
    units = TOWER.fill_factor * 1.2**0.4 / 1.2
    assert units == pytest.approx(merkel, rel=0.04)


def test_limits_of_physics() -> None:
    """Little range, or endless air and fill: the wet bulb."""
    assert TOWER.leaving(18.0, 1e-4, 1.0, SEA) == pytest.approx(18.0, abs=2e-3)
    large = MerkelTower(TOWER.water_kg_s, TOWER.air_kg_s, TOWER.water_j_kgk, 60.0)
    assert large.leaving(18.0, 5.56, 8.0, SEA) == pytest.approx(18.0, abs=0.05)


@given(st.floats(-15.0, 30.0), st.floats(0.5, 12.0), st.floats(0.15, 1.0), st.floats(0.0, 8.0))
def test_monotone_in_weather_range_and_air(
    wet_bulb_c: float, range_k: float, air: float, up: float
) -> None:
    base = TOWER.leaving(wet_bulb_c, range_k, air, SEA)
    assert base >= wet_bulb_c
    assert TOWER.leaving(wet_bulb_c + up, range_k, air, SEA) >= base - 1e-5
    assert TOWER.leaving(wet_bulb_c, range_k + up, air, SEA) >= base - 1e-5
    assert TOWER.leaving(wet_bulb_c, range_k, air * 1.2, SEA) <= base + 1e-5


def test_slope_of_saturation_is_that_of_the_curve() -> None:
    """Against the saturated enthalpies of psychrolib."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    above, below = (psychrolib.GetSatAirEnthalpy(t, SEA) for t in (31.0, 29.0))
    slope = saturation_specific_heat(31.0, 29.0, SEA)
    assert slope == pytest.approx((above - below) / 2.0, rel=1e-4)


def test_rating_that_no_air_can_meet_is_refused() -> None:
    with pytest.raises(FacilityError) as caught:
        MerkelTower.rated(25.56, 0.2, 10.0, 6.0, 1e6, SEA, 4186.0)
    assert caught.value.code == "OUT_OF_RANGE"


def test_winter_tower_gives_about_half_of_its_heat_without_water() -> None:
    """EnergyPlus, Chicago, 1 January 01:00: 1132 kW for 0.78 m3/h; all latent were 1.66 m3/h."""
    dry_c, p = -12.2, 99250.0
    entering = float(humidity_ratio.si(dry_c, 0.7, p))
    air_kg_s = 1132e3 / 28e3  # from about -9 to 19 kJ/kg
    enters = float(enthalpy.si(dry_c, entering))
    leaves = enters + 28e3
    leaving = float(saturated_exit_humidity.si(enters, 1132e3, air_kg_s, p))
    sensible = float(tower_sensible_heat.si(air_kg_s, dry_c, entering, leaves, leaving))
    water_m3_h = air_kg_s * (leaving - entering) * 3.6
    latent = 1132e3 - sensible
    assert latent == pytest.approx(water_m3_h / 3.6 * 2.51e6, rel=0.02)
    assert 0.4 < sensible / 1132e3 < 0.7


def test_split_of_a_year_of_a_tower_closes_and_follows_the_climate() -> None:
    """EnergyPlus evaporates 1.46 L/kWh in Chicago and 1.62 in Phoenix; all latent is 1.47."""
    heat = np.full(8760, 1.13e6)
    shares = {}
    for station in ("chicago", "phoenix"):
        air = air_hours(station_weather(station))
        unit = TowerUnit(65.1, 18e3 * 0.5 / 190.0, 18e3, 0.125, 5.0, 8e-5)
        wanted = np.clip(air.wet_bulb_c + 4.0, 15.6, 29.44)
        found = tower_hours(unit, air, heat, wanted, 4186.0, 999.0)
        latent = found.evaporation_m3_s * 999.0 * 2.5e6
        assert found.sensible_w + latent == pytest.approx(heat, rel=0.05)
        shares[station] = float(found.sensible_w.sum() / heat.sum())
        winter = air.dry_bulb_c < -10.0
        assert np.all(found.sensible_w[winter] > 0.3 * heat[winter])
    assert shares["phoenix"] < 0.0 < shares["chicago"]


def test_hot_dry_air_is_cooled_in_a_tower() -> None:
    dry_c, wet_c = 42.0, 21.0
    entering = 0.0071
    assert float(wet_bulb.si(dry_c, entering, SEA)) == pytest.approx(wet_c, abs=0.5)
    enters = float(enthalpy.si(dry_c, entering))
    leaving = float(saturated_exit_humidity.si(enters, 1e6, 60.0, SEA))
    sensible = tower_sensible_heat.si(60.0, dry_c, entering, enters + 1e6 / 60.0, leaving)
    assert sensible < 0.0
    assert specific_volume.si(dry_c, entering, SEA) > 0.89
