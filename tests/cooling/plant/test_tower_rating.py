"""Towers by their own rating, and condenser water at a constant flow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.model.cooling.chain import SinkPlan
from facility.physics.plant.tower.yorkcalc import (
    yorkcalc_air_ratio,
    yorkcalc_approach,
    yorkcalc_rated_water,
)
from facility.study.annual.study import annual
from facility.study.verification.cooling.energyplus_cases import TowerPlant, year_of
from tests.cooling.helpers import AIR, case
from tests.study.fields import AIR as FIELDS_AIR
from tests.study.helpers import design_of

TOWER = "{flow: 65.1 L/s, wet_bulb: 25.56 degC, range: 5.56 K, approach: 3.89 K, fan_power: 18 kW}"


def sink(rating: str, more: str = "") -> SinkPlan:
    plant = f"{{plant: {{rejection: {{tower: {rating}{more}}}}}}}"
    return case(AIR, plant).chain.chilled_water.sink


@given(st.floats(20.0, 28.0), st.floats(4.0, 8.0), st.floats(0.76, 1.24))
def test_the_water_of_a_rating_is_that_with_which_the_correlation_makes_its_approach(
    wet_c: float, range_k: float, ratio: float
) -> None:
    approach_k = float(yorkcalc_approach.si(wet_c, range_k, ratio, 1.0))
    found, least_k, most_k = yorkcalc_rated_water(wet_c, range_k, approach_k)
    assert found == pytest.approx(ratio, rel=1e-6)
    assert least_k <= approach_k <= most_k


@given(st.floats(5.0, 26.0), st.floats(3.0, 8.0), st.floats(0.8, 1.2), st.floats(1.0, 12.0))
def test_the_air_of_an_approach_makes_it_at_the_water_of_the_rating(
    wet_c: float, range_k: float, water: float, over_k: float
) -> None:
    least_k = float(yorkcalc_approach.si(wet_c, range_k, water, 1.0))
    air = float(yorkcalc_air_ratio(wet_c, range_k, least_k + over_k, 0.2, water))
    made_k = float(yorkcalc_approach.si(wet_c, range_k, water, air))
    assert made_k == pytest.approx(least_k + over_k, rel=1e-6) or (
        air == 0.2 and made_k < least_k + over_k
    )


@pytest.mark.parametrize(
    ("wet_c", "air"), [(-23.42, 0.3583), (-25.97, 0.3524), (-28.94, 0.3472), (-30.86, 0.3445)]
)
def test_fans_slow_down_further_in_deep_frost(wet_c: float, air: float) -> None:
    """EnergyPlus, hours of Fargo: 15.6 degC of water, at over 40 K beyond the box, 4.17 K range."""
    found = float(yorkcalc_air_ratio(wet_c, 4.17, 15.6 - wet_c, 0.125, 1.0098))
    assert found == pytest.approx(air, rel=5e-3)


def test_a_rating_sizes_the_cells_and_their_fans() -> None:
    """65.1 L/s of water at 5.56 K: 1,507 kW with 4.17 MJ/(m3 K); 18 kW for 64.8 kg/s."""
    plan = sink(TOWER, ", fan_curve: ideal cube law, least_air: 20 %")
    assert plan.cell_w == pytest.approx(1507e3, rel=5e-3)
    assert plan.fan_w_per_kg_s == pytest.approx(18e3 / 64.8, rel=5e-3)
    assert (plan.fan_curve, plan.least_air) == ((0.0, 0.0, 0.0, 1.0), 0.2)
    assert plan.water_ratio == pytest.approx(1.0098, abs=1e-4)
    by_heat = sink(TOWER.replace("flow: 65.1 L/s", f"heat: {plan.cell_w} W"))
    assert by_heat.fan_w_per_kg_s == pytest.approx(plan.fan_w_per_kg_s, rel=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("flow: 65.1 L/s, ", "", "TOWER_RATING"),
        ("flow: 65.1 L/s", "flow: 65.1 L/s, heat: 1.5 MW", "TOWER_RATING"),
        ("fan_power: 18 kW", "fan_power: 18 MW", "TOWER_RATING"),
        ("approach: 3.89 K", "approach: 9 K", "TOWER_RATING"),
        ("approach: 3.89 K", "approach: 1 K", "TOWER_RATING"),
    ],
)
def test_a_rating_that_no_tower_has_is_refused(old: str, new: str, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        sink(TOWER.replace(old, new))
    assert caught.value.code == code
    assert caught.value.where.startswith("cooling.plant.rejection.tower")


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        ("condenser_flow: 40 L/s, condenser_range: 5 K", "condenser_range"),
        ("condenser_flow: 40 L/s, heat_rejection: air_cooled", "condenser_flow"),
        ("condenser_water_most: 29 degC", "condenser_water_most"),
    ],
)
def test_contradictions_of_the_condenser_water_are_refused(plant: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        case(AIR, f"{{plant: {{{plant}}}}}")
    assert caught.value.code == "COOLING_CONTRADICTION"
    assert caught.value.where == f"cooling.plant.{where}"


def test_at_a_constant_flow_the_range_carries_the_heat() -> None:
    """The plant of EnergyPlus: 65.1 L/s in every hour, pumps of 13.95 kW."""
    year = year_of(TowerPlant(
        station="chicago", chiller="York YT 1055kW/5.96COP/Vanes", load_w=1004391.6, chw_c=6.67,
        chw_flow_m3_s=0.043, chw_head_pa=1e5, efficiency=0.7, cw_flow_m3_s=0.0651,
        cw_head_pa=1.5e5, fan_w=18e3, rated_wet_bulb_c=25.56, rated_range_k=5.56,
        rated_approach_k=3.89, cycles=5.0, drift=8e-5, over_wet_bulb_k=4.0, least_c=15.6,
        most_c=29.44,
    ))  # fmt: skip
    rejection = year.state.rejection
    np.testing.assert_allclose(rejection.flow_m3_s, 0.0651, rtol=1e-8)
    np.testing.assert_allclose(rejection.pumps_w, 13950.0, rtol=1e-8)
    given_w = year.state.load_w + year.state.chillers_w + rejection.pumps_w
    np.testing.assert_allclose(rejection.heat_w, given_w, rtol=1e-8)


@pytest.mark.parametrize("economizer", ["none", "air-side-direct"])
def test_at_a_constant_flow_chillers_by_lift_run_through_a_year(economizer: str) -> None:
    """Also in the hours in which outdoor air leaves next to nothing to reject."""
    one = "cooling.plant.chiller.count=2"  # On duty, and a spare one: one flow in every hour
    sets = ("site.station=chicago", "cooling.plant.condenser_flow=60 L/s", one)
    made = design_of(FIELDS_AIR, *sets, f"cooling.economizer.kind={economizer}")
    rejection = annual(made).year.balance.cooling.rejection
    runs = rejection.heat_w > 0.0
    pump_w = rejection.pumps_w[runs].max()
    assert runs.any()
    assert (rejection.heat_w >= 0.0).all()
    np.testing.assert_allclose(rejection.pumps_w[runs], pump_w, rtol=1e-5)
    np.testing.assert_allclose(rejection.flow_m3_s[runs], 0.06, rtol=1e-5)
    assert (rejection.fans_w >= 0.0).all()


@pytest.mark.parametrize("range_k", [4.6, 5.6, 7.0])
def test_a_rated_cell_passes_its_own_water_whatever_the_range_of_the_plant(range_k: float) -> None:
    """A rating at 4.6 or 7 K has other heat; the plant at 5.6 K asks for cells by their water."""
    rating = {"flow": "25 L/s", "wet_bulb": "25.6 degC", "range": f"{range_k} K", "approach": "4 K"}
    sets = [f"cooling.plant.rejection.tower.{name}={value}" for name, value in rating.items()]
    made = design_of(FIELDS_AIR, *sets, "cooling.plant.rejection.tower.fan_power=7.5 kW")
    found = made.cooling.chilled.sink
    assert found.plan.cell_kg_s is not None
    water_kg_s = found.heat_w / (found.liquid.specific_heat_j_kgk * found.range_k)
    assert water_kg_s / found.duty <= found.plan.cell_kg_s * (1.0 + 1e-9)
    assert water_kg_s / max(found.duty - 1, 1e-9) > found.plan.cell_kg_s
