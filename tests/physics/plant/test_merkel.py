"""Towers by Merkel against the fitted correlations where these hold, and against physics beyond."""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.physics.air.psychrometrics import enthalpy, humidity_ratio, specific_volume, wet_bulb
from facility.physics.liquids.water_use import saturated_exit_humidity
from facility.physics.plant.tower.yorkcalc import yorkcalc_approach
from tests.tools.merkel import MerkelTower, saturated_enthalpy, saturation_specific_heat

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


_LATENT_J_KG = 2.5e6


def test_winter_tower_gives_about_half_of_its_heat_without_water() -> None:
    """EnergyPlus, Chicago, 1 January 01:00: 1132 kW for 0.78 m3/h; all latent were 1.66 m3/h."""
    dry_c, p = -12.2, 99250.0
    entering = float(humidity_ratio.si(dry_c, 0.7, p))
    air_kg_s = 1132e3 / 28e3  # from about -9 to 19 kJ/kg
    enters = float(enthalpy.si(dry_c, entering))
    leaving = float(saturated_exit_humidity.si(enters, 1132e3, air_kg_s, p))
    latent = air_kg_s * (leaving - entering) * _LATENT_J_KG
    assert 0.3 < latent / 1132e3 < 0.6


def test_hot_dry_air_is_cooled_in_a_tower() -> None:
    """What evaporates then takes more heat than the water gives."""
    dry_c, wet_c = 42.0, 21.0
    entering = 0.0071
    assert float(wet_bulb.si(dry_c, entering, SEA)) == pytest.approx(wet_c, abs=0.5)
    enters = float(enthalpy.si(dry_c, entering))
    leaving = float(saturated_exit_humidity.si(enters, 1e6, 60.0, SEA))
    assert 60.0 * (leaving - entering) * _LATENT_J_KG > 1e6
    assert specific_volume.si(dry_c, entering, SEA) > 0.89
