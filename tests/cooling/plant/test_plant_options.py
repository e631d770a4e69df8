"""Options of the plant: economizers, pumping, staging, storage, heat used elsewhere."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import psychrolib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.catalogue.weather import station_weather
from facility.cooling.chain.flow import CoolingFlow
from facility.cooling.chain.sizing import solve_cooling
from facility.cooling.economizer.parts import air_side_share
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.chillers import Chillers
from facility.cooling.plant.pumping import evaporator_flow
from facility.core.errors import FacilityError
from facility.model.cooling.economizer import EconomizerPlan
from facility.model.cooling.plant import PumpingPlan
from facility.model.facility import Weather
from facility.physics.air.psychrometrics import (
    humidity_ratio,
    humidity_ratio_at_wet_bulb,
    standard_pressure,
    wet_bulb,
)
from facility.study.annual.hours import air_hours
from facility.study.explained import explain_result
from tests.cooling.helpers import AIR, case
from tests.study.helpers import SHORTEST, checks_of, design_of, si

WATER = "economizer: {kind: integrated-water-side}"
DIRECT = "economizer: {kind: air-side-direct, dew_point_min: -40 degC}"
INDIRECT = "economizer: {kind: air-side-indirect, evaporative_effectiveness: 0.7}"
PLANTS = {
    "tower": "method: air",
    "tower, exchanger": f"method: air, {WATER}",
    "dry cooler, exchanger": f"method: air, plant: {{heat_rejection: dry_cooler}}, {WATER}",
    "air-cooled, coil": f"method: air, plant: {{heat_rejection: air_cooled}}, {WATER}",
    "air-side direct": f"method: air, {DIRECT}",
    "air-side indirect with pads": f"method: air, {INDIRECT}",
    "CRACs, air-side indirect": f"method: air, air: {{terminal: crac}}, {INDIRECT}",
    "primary-secondary": "method: air, plant: {pumping: {scheme: primary-secondary}}",
    "constant flow": "method: air, plant: {pumping: {scheme: constant-primary}}",
}
SEA = 101325.0

psychrolib.SetUnitSystem(psychrolib.SI)


def solved(plant: str, dry_c: float, depression_k: float, part: float = 0.8) -> CoolingFlow:
    """Return a plant at work, built once for the whole load; cold air is never very dry."""
    one = case(AIR, "{" + PLANTS[plant] + "}")
    weather = Weather(dry_c, dry_c - min(depression_k, max(0.3, 0.2 * dry_c + 2.3)), SEA)
    return solve_cooling(one.sized(), one.heat(part), weather)


# --- heat, power and weather ------------------------------------------------------------------


@pytest.mark.parametrize("plant", PLANTS)
@given(st.floats(-15.0, 42.0), st.floats(0.5, 10.0), st.floats(0.3, 1.0))
@settings(max_examples=25, deadline=None)
def test_heat_balance_closes(plant: str, dry_c: float, depression_k: float, part: float) -> None:
    flow = solved(plant, dry_c, depression_k, part)
    assert flow.rejected_w == pytest.approx(flow.collected_w + flow.power.into_water_w, rel=1e-9)
    assert flow.economizer_w >= 0.0
    assert flow.chiller_load_w >= -1e-6


@pytest.mark.parametrize("plant", PLANTS)
@given(st.floats(-15.0, 40.0), st.floats(0.5, 10.0), st.floats(0.0, 6.0))
@settings(max_examples=25, deadline=None)
def test_warmer_outside_never_needs_less_power(
    plant: str, dry_c: float, depression_k: float, up: float
) -> None:
    """Fixed equipment and count; dry and wet bulb rise together."""
    cold, warm = (solved(plant, t, depression_k).power.total_w for t in (dry_c, dry_c + up))
    assert cold <= warm * (1.0 + 1e-7)


@pytest.mark.parametrize("plant", ["air-side direct", "air-side indirect with pads"])
@given(st.floats(-15.0, 40.0), st.floats(0.5, 10.0))
@settings(max_examples=25, deadline=None)
def test_an_economizer_never_costs(plant: str, dry_c: float, depression_k: float) -> None:
    without = solved("tower", dry_c, depression_k).power.total_w
    assert solved(plant, dry_c, depression_k).power.total_w <= without * (1.0 + 1e-12)


def test_cold_weather_stops_the_chillers_and_hot_weather_the_economizer() -> None:
    for plant in ("tower, exchanger", "dry cooler, exchanger", "air-cooled, coil"):
        winter, summer = solved(plant, -5.0, 2.0), solved(plant, 34.0, 8.0)
        assert winter.chiller_load_w == pytest.approx(0.0, abs=1e-6)
        assert winter.power.chillers_w == pytest.approx(0.0, abs=1e-6)
        assert winter.economizer_w > 0.0
        assert summer.economizer_w == 0.0


@pytest.mark.parametrize("plant", ["tower, exchanger", "dry cooler, exchanger"])
@given(st.floats(-15.0, 25.0), st.floats(0.3, 1.0))
@settings(max_examples=15, deadline=None)
def test_water_behind_an_exchanger_is_as_warm_as_its_heat_makes_it(
    plant: str, dry_c: float, part: float
) -> None:
    """What goes outdoors carries all heat; without chillers it is colder than what gives it."""
    one, flow = case(AIR, "{" + PLANTS[plant] + "}"), solved(plant, dry_c, 2.0, part)
    rate_w_k = one.sized().chilled.sink.liquid.rate_w_k(flow.condenser_flow_m3_s)
    carried_w = rate_w_k * (flow.condenser_out_c - flow.condenser_in_c)
    assert carried_w == pytest.approx(flow.rejected_w, rel=1e-9)
    if flow.power.chillers_w < 1.0:
        assert flow.condenser_out_c < flow.chw_return_c


def test_partial_economizer_by_hand() -> None:
    """Return 26, supply 18, effectiveness 0.8: water at 20 degC leaves 21.2, 0.6 of the load."""
    flow = next(
        flow
        for wet in np.linspace(8.0, 16.0, 81)
        if 19.9 < (flow := solved("tower, exchanger", wet + 4.0, 4.0)).condenser_in_c < 20.1
    )
    one = case(AIR, "{" + PLANTS["tower, exchanger"] + "}").chain.chilled_water
    share = 0.8 * (one.return_c - flow.condenser_in_c) / one.rise_k
    load_w = flow.chiller_load_w + flow.economizer_w
    assert flow.economizer_w / load_w == pytest.approx(share, rel=1e-9)
    assert (one.supply_c, one.return_c) == (18.0, pytest.approx(26.0))


@pytest.mark.parametrize("plant", [name for name in PLANTS if "," in name or "air-side" in name])
def test_nothing_is_counted_on_at_the_design_hour(plant: str) -> None:
    """Counts and design powers are those without it, but for the head of the exchanger."""
    one = case(AIR, "{" + PLANTS[plant] + "}")
    bare = replace(one, chain=replace(one.chain, economizer=EconomizerPlan("none")))
    assert one.sized().counts == bare.sized().counts
    found, plain = (solve_cooling(x.sized(), x.heat(), x.site.design) for x in (one, bare))
    assert found.economizer_w == 0.0
    assert found.power == plain.power


# --- hours ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("station", "hours"), [("phoenix", 5047), ("miami", 1617), ("chicago", 6906)]
)
def test_full_hours_of_outdoor_air_are_those_counted_in_the_weather_files(
    station: str, hours: int
) -> None:
    """Hours at 27 degC and 15 degC dew point or below, counted apart on the raw rows, within 5.

    The humidity is that of the file's dew points, which differ from its relative humidity.
    """
    year = station_weather(station)
    humid = humidity_ratio.si(year.dew_point_c, 1.0, year.pressure_pa)
    wet_c = wet_bulb.si(year.dry_bulb_c, np.asarray(humid), year.pressure_pa)
    air = AirHours(year.dry_bulb_c, np.minimum(wet_c, year.dry_bulb_c), humid, year.pressure_pa)
    plan = EconomizerPlan("air-side-direct", dew_point_min_c=-90.0, dew_point_max_c=15.001)
    share, *_ = air_side_share(plan, 38.0, 27.0, air, 0.0)
    assert int((share >= 1.0).sum()) == pytest.approx(hours, abs=5)


def test_air_is_limited_by_dew_point_and_not_by_relative_humidity() -> None:
    plan = EconomizerPlan("air-side-direct", dew_point_min_c=-9.0, dew_point_max_c=15.0)

    def share(dry_c: float, wet_c: float) -> float:
        return float(air_side_share(plan, 36.0, 24.0, Weather(dry_c, wet_c, SEA), 0.0)[0])

    assert share(12.0, 11.9) == 1.0  # 99 % relative humidity, dew point 11.8
    assert share(23.0, 20.0) == 0.0  # 76 %, dew point 18.6
    assert share(0.0, -7.5) == 0.0  # dew point below -9
    assert share(30.0, 19.0) == pytest.approx(0.5)  # dew point 12.6; (36 - 30) / 12


def test_pads_cool_and_wet_the_air_that_is_let_in() -> None:
    plan = EconomizerPlan("air-side-direct", pad_effectiveness=0.7, dew_point_max_c=17.0)
    share, humid, _ = air_side_share(plan, 36.0, 24.0, Weather(34.0, 18.0, SEA), 0.0)
    assert float(share) == pytest.approx(1.0)  # 34 - 11.2 = 22.8, held at 24
    assert float(humid) == pytest.approx(
        float(humidity_ratio_at_wet_bulb.si(24.0, 18.0, SEA)), rel=1e-9
    )


STATIONS = ("ashburn", "chicago", "fargo", "miami", "phoenix", "san-francisco")


@cache
def outdoor(station: str) -> AirHours:
    return air_hours(station_weather(station))


@given(
    station=st.sampled_from(STATIONS),
    pads=st.floats(0.0, 1.0),
    more=st.floats(0.0, 1.0),
    low_c=st.floats(-15.0, 0.0),
    high_c=st.floats(8.0, 20.0),
    coil_c=st.floats(16.0, 27.0),
    warmer_k=st.sampled_from([0.0, 1.0]),
)
@settings(deadline=None, max_examples=60)
def test_pads_never_take_an_hour_away(
    station: str,
    pads: float,
    more: float,
    low_c: float,
    high_c: float,
    coil_c: float,
    warmer_k: float,
) -> None:
    """Better pads are at least as good in every hour, and no air outside the limits is let in."""
    air = outdoor(station)
    worse, better = (
        EconomizerPlan(
            "air-side-direct", pad_effectiveness=eff, dew_point_min_c=low_c, dew_point_max_c=high_c
        )
        for eff in sorted((pads, more))
    )
    dry = replace(worse, pad_effectiveness=0.0)
    found = [air_side_share(p, coil_c + 12.0, coil_c, air, warmer_k) for p in (dry, worse, better)]
    for (less, *_), (more_, *_) in pairwise(found):
        assert np.all(more_ >= less - 1e-9)
    share, humid, part = found[-1]
    driest, wettest = (humidity_ratio.si(c, 1.0, air.pressure_pa) for c in (low_c, high_c))
    inside = (humid >= driest * (1.0 - 1e-9)) & (humid <= wettest * (1.0 + 1e-9))
    assert np.all(inside[share > 0.0])
    assert np.all((part > 0.0) & (part <= 1.0))


def test_pads_wet_up_to_the_highest_dew_point_and_no_further() -> None:
    """Phoenix in June: 38 degC, wet bulb 19.9 (dew point 8.9); pads of 85 % alone reach 17.7.

    By psychrolib on the line of that wet bulb air of 15 degC dew point is 28.62 degC warm.
    """
    weather = Weather(38.0, 19.9, SEA)
    wettest = psychrolib.GetHumRatioFromTDewPoint(15.0, SEA)
    low, high = 20.0, 38.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        wetter = psychrolib.GetHumRatioFromTWetBulb(middle, 19.9, SEA) > wettest
        low, high = (middle, high) if wetter else (low, middle)
    shares = []
    for pads in (0.0, 0.3, 0.85):
        plan = EconomizerPlan("air-side-direct", pad_effectiveness=pads, dew_point_max_c=15.0)
        shares.append(float(air_side_share(plan, 36.0, 24.0, weather, 0.0)[0]))
    by_hand = (36.0 - low) / 12.0
    assert shares == pytest.approx([0.0, (36.0 - (38.0 - 0.3 * 18.1)) / 12.0, by_hand], abs=2e-3)


def test_pads_humidify_air_drier_than_the_lowest_dew_point() -> None:
    """0 degC at a dew point near -14: let in with pads, wetted to -9 and mixed with return air."""
    weather = Weather(0.0, -4.6, SEA)
    plan = EconomizerPlan("air-side-direct", dew_point_min_c=-9.0, dew_point_max_c=15.0)
    assert float(air_side_share(plan, 36.0, 24.0, weather, 0.0)[0]) == 0.0
    padded = replace(plan, pad_effectiveness=0.85)
    share, humid, part = (float(x) for x in air_side_share(padded, 36.0, 24.0, weather, 0.0))
    assert share == 1.0
    assert humid == pytest.approx(psychrolib.GetHumRatioFromTDewPoint(-9.0, SEA), rel=2e-3)
    assert part == pytest.approx(12.0 / 38.0, abs=0.02)  # (36 - 24) / (36 - source near -2)
    tiny = replace(plan, pad_effectiveness=0.02)
    assert float(air_side_share(tiny, 36.0, 24.0, weather, 0.0)[0]) == 0.0


def test_direct_air_of_the_year_without_and_with_pads() -> None:
    """The project `direct-air`: 62.5 % of the year dry; Phoenix gains with better pads."""
    plan = EconomizerPlan("air-side-direct", dew_point_min_c=-9.0, dew_point_max_c=15.0)
    share = air_side_share(plan, 39.3041, 23.77, outdoor("ashburn"), 1.0)[0]
    assert float(share.mean()) == pytest.approx(0.625, abs=0.002)
    means = [
        float(
            air_side_share(
                replace(plan, pad_effectiveness=pads), 36.0, 24.0, outdoor("phoenix"), 1.0
            )[0].mean()
        )
        for pads in (0.0, 0.25, 0.5, 0.85, 1.0)
    ]
    assert means == sorted(means)
    assert means[3] > means[2] > means[0]


# --- pumping and staging ----------------------------------------------------------------------


def test_chillers_are_staged_at_nine_tenths() -> None:
    plant = Chillers(4, 1e6)
    loads = (0.0, 0.5e6, 0.9e6, 0.91e6, 2.7e6, 2.71e6, 4e6)
    assert [plant.running(load, 0.9) for load in loads] == [0, 1, 1, 2, 3, 4, 4]


def test_flow_through_the_chillers_by_scheme() -> None:
    """Four chillers of 10 L/s: at 8 L/s of the coils with one running."""
    variable = PumpingPlan("variable-primary", 0.4)
    constant = PumpingPlan("primary-secondary")
    assert evaporator_flow(variable, 1, 4, 0.040, 0.008).bypass_m3_s == 0.0
    least = evaporator_flow(variable, 1, 4, 0.040, 0.003)
    assert (least.flow_m3_s, least.bypass_m3_s) == pytest.approx((0.004, 0.001))
    fixed = evaporator_flow(constant, 1, 4, 0.040, 0.008)
    assert (fixed.flow_m3_s, fixed.bypass_m3_s) == pytest.approx((0.010, 0.002))
    assert evaporator_flow(constant, 1, 4, 0.040, 0.012).bypass_m3_s == 0.0


def test_variable_flow_takes_least_power_and_constant_flow_most() -> None:
    variable, both, constant = (
        solved(plant, 12.0, 3.0, 0.45).power.chw_pumps_w
        for plant in ("tower", "primary-secondary", "constant flow")
    )
    assert variable < both < constant
    full = [
        solved(plant, 12.0, 3.0, 1.0).power.chw_pumps_w
        for plant in ("tower", "primary-secondary", "constant flow")
    ]
    assert full == pytest.approx([full[0]] * 3, rel=0.05)


def test_least_flow_opens_the_bypass_and_says_so() -> None:
    found = design_of(SHORTEST, "cooling.plant.pumping.minimum_flow=100 %")
    assert si_of(found, "plant.bypass_flow.mean") > 0.0
    assert checks_of(found, "CHILLER-MINIMUM-FLOW")[0].failed
    plain = design_of(SHORTEST)
    assert not checks_of(plain, "CHILLER-MINIMUM-FLOW")[0].failed
    assert si_of(found, "pue.annual") > si_of(plain, "pue.annual")
    assert si(found, "pue.design") == pytest.approx(si(plain, "pue.design"), rel=1e-3)


# --- storage, heat reuse ----------------------------------------------------------------------


def si_of(found: object, key: str) -> float:
    return float(found.all_results[key].si)  # type: ignore[attr-defined]


def test_storage_holds_the_design_load_for_its_time() -> None:
    """2 m3, 8 K, water: 4186 x 998 x 2 x 8 J over the load.

    The generators start in 10 s and carry the cooling 5 s later, with their second step.
    """
    found = design_of(SHORTEST, "cooling.thermal.chilled_water_tank=2 m3")
    load_w = found.cooling_flow.chiller_load_w
    rise_k = found.facility.cooling.chilled_water.rise_k
    expected = 4184.0 * 997.5 * 2.0 * rise_k / load_w
    assert si_of(found, "storage.time") == pytest.approx(expected, rel=3e-3)
    ratio = si_of(found, "storage.time") / 2.0
    wait_s = si_of(found, "storage.restart_volume") * ratio
    restart = found.facility.thermal.restart
    assert wait_s == pytest.approx(15.0 + restart.chiller_s + 0.5 * restart.chiller_ramp_s)
    assert [c.failed for c in checks_of(found, "STORAGE-RESTART")] == [
        si_of(found, "storage.time") < wait_s
    ]


ELSEWHERE = (
    "site.place=Denver",
    "site.elevation=1650 m",
    "site.design_dry_bulb=34 degC",
    "site.design_wet_bulb=18 degC",
    "site.mean_dry_bulb=10 degC",
    "site.mean_wet_bulb=4 degC",
)
"""A place without hours."""


def test_reused_heat_lowers_the_ere_and_the_pue_by_its_fans_alone() -> None:
    machine = "cooling.plant.chiller.model=York YT 1055kW/5.96COP/Vanes"
    sets = ("cooling.heat_reuse.fraction=50 %", "cooling.heat_reuse.temperature=25 degC", machine)
    found, plain = design_of(SHORTEST, *sets), design_of(SHORTEST, machine)
    fans_w, it_w = (
        sum(sign * d.year.year.power_w[part] for sign, d in ((1.0, plain), (-1.0, found)))
        if part != "it"
        else plain.year.year.power_w["it"]
        for part in ("cooling.heat_rejection_fans", "it")
    )
    saved = si_of(plain, "pue.annual") - si_of(found, "pue.annual")
    assert saved == pytest.approx(fans_w.sum() / it_w.sum(), rel=0.02), "and losses of its feed"
    assert si(found, "pue.design") == si(plain, "pue.design")
    assert si(found, "heat.rejected") == si(plain, "heat.rejected")
    cooling, air = found.year.year.balance.cooling, found.year.year.hours.air
    cool = air.dry_bulb_c < found.facility.site.design.dry_bulb_c
    whole_w = cooling.rejected_w + cooling.reused_w
    assert si_of(found, "reuse.heat") == pytest.approx(0.5 * (cool * whole_w).mean())
    assert si_of(found, "reuse.ere") == si_of(found, "ere") != 0.0
    without = design_of(SHORTEST, *sets, *ELSEWHERE)
    assert without.weather_year is None
    mean = without.mean
    whole_w = mean.cooling.rejected_w + mean.cooling.reused_w
    assert si_of(without, "reuse.heat") == pytest.approx(0.5 * whole_w)
    estimate = (mean.facility_w - si_of(without, "reuse.heat")) / mean.demand.it_w
    assert si_of(without, "reuse.ere") == pytest.approx(estimate)
    assert not checks_of(found, "REUSE-TEMPERATURE")[0].failed


def test_heat_that_is_not_warm_enough_is_refused_with_its_temperature() -> None:
    sets = ("cooling.heat_reuse.fraction=50 %", "cooling.heat_reuse.temperature=60 degC")
    found = design_of(SHORTEST, *sets)
    assert si_of(found, "reuse.heat") == 0.0
    check = checks_of(found, "REUSE-TEMPERATURE")[0]
    assert check.failed
    assert check.value == pytest.approx(si_of(found, "reuse.temperature"))


def test_heat_is_judged_over_the_hours_and_not_at_their_mean() -> None:
    """The mean hour gives 28.2 degC; 2,280 hours are warmer than 29.6, and none than 37."""
    sets = ("cooling.heat_reuse.fraction=50 %", "cooling.heat_reuse.temperature=29.6 degC")
    found = design_of(SHORTEST, "site.station=ashburn", *sets)
    assert si_of(found, "reuse.heat") > 0.0
    assert si_of(found, "reuse.heat") * 8760.0 * 3600.0 == pytest.approx(
        si_of(found, "annual.reuse.heat")
    )
    (warm,), (hours,) = (checks_of(found, f"REUSE-{rule}") for rule in ("TEMPERATURE", "HOURS"))
    assert (warm.failed, hours.failed) == (False, True)
    assert hours.value == si_of(found, "annual.reuse.hours")
    assert hours.limit == 8760.0


# --- results, refusals ------------------------------------------------------------------------


def test_results_of_an_economizer_are_said_and_explained() -> None:
    found = design_of(SHORTEST, "cooling.economizer.kind=integrated-water-side")
    modes = [si_of(found, f"annual.economizer.{mode}") for mode in ("full", "partial", "none")]
    assert sum(modes) == 8760.0
    assert min(modes) > 0.0
    rows = found.plant_options.hours.by_month() if found.plant_options.hours else ()
    assert [sum(row[1] for row in rows), sum(row[2] for row in rows)] == [modes[0], modes[1]]
    assert si_of(found, "economizer.heat_design") == 0.0
    assert "sized without the economizer" in found.all_results["economizer.heat_design"].basis
    for key in found.plant_options.results:
        assert explain_result(found, key)
    assert si_of(found, "pue.annual") < si_of(design_of(SHORTEST), "pue.annual")


def test_share_and_heat_of_an_economizer_are_those_of_the_hours() -> None:
    """There is one count of its hours: those in which it is let in."""
    found = design_of(SHORTEST, "cooling.economizer.kind=integrated-water-side")
    flow = found.year.year.balance.cooling
    assert flow.economizer_w.sum() * 3600.0 == pytest.approx(
        si_of(found, "annual.economizer.heat"), rel=1e-12
    )
    share = flow.economizer_w / (flow.economizer_w + flow.chiller_load_w)
    assert si_of(found, "economizer.share_year") == pytest.approx(float(share.mean()), rel=1e-12)
    assert not [key for key in found.all_results if key.startswith("economizer.hours")]


def test_without_an_economizer_nothing_is_read_of_the_weather() -> None:
    found = design_of(SHORTEST)
    assert found.plant_options.hours is None
    assert found.all_results["economizer.kind"].si == "none"


@pytest.mark.parametrize(
    ("sets", "code", "where"),
    [
        (
            ("economizer.effectiveness=0.8",),
            "ECONOMIZER_CONTRADICTION",
            "cooling.economizer.effectiveness",
        ),
        (
            ("economizer.kind=air-side-direct", "economizer.pressure_drop=50 kPa"),
            "ECONOMIZER_CONTRADICTION",
            "cooling.economizer.pressure_drop",
        ),
        (
            (
                "economizer.kind=air-side-direct",
                "economizer.dew_point_min=15 degC",
                "economizer.dew_point_max=10 degC",
            ),
            "OUT_OF_RANGE",
            "cooling.economizer.dew_point_min",
        ),
        (
            ("economizer.kind=air-side-direct", "air.terminal=in-row"),
            "ECONOMIZER_CONTRADICTION",
            "cooling.economizer.kind",
        ),
        (
            ("economizer.kind=integrated-water-side", "air.terminal=crac"),
            "ECONOMIZER_CONTRADICTION",
            "cooling.economizer.kind",
        ),
        (
            ("economizer.kind=integrated-water-side", "plant.condenser_range=12 K"),
            "ECONOMIZER_INFEASIBLE",
            "cooling.economizer.effectiveness",
        ),
        (
            # 88 kW at 1.5 L/s is a range of 14 K; at a constant flow it is not the rated 5.6 K.
            ("economizer.kind=integrated-water-side", "plant.condenser_flow=1.5 L/s"),
            "ECONOMIZER_INFEASIBLE",
            "cooling.economizer.effectiveness",
        ),
        (
            ("plant.heat_rejection=air_cooled", "plant.rejection.fan_curve=variable speed"),
            "COOLING_CONTRADICTION",
            "cooling.plant.rejection.fan_curve",
        ),
        (
            ("plant.heat_rejection=air_cooled", "plant.condenser_range=4 K"),
            "COOLING_CONTRADICTION",
            "cooling.plant.condenser_range",
        ),
        (
            ("plant.heat_rejection=dry_cooler", "plant.rejection.drift=0.01 %"),
            "COOLING_CONTRADICTION",
            "cooling.plant.rejection.drift",
        ),
        (
            ("plant.heat_rejection=dry_cooler", "plant.rejection.cycles=3"),
            "COOLING_CONTRADICTION",
            "cooling.plant.rejection.cycles",
        ),
        (
            ("air.terminal=crac", "thermal.chilled_water_tank=10 m3"),
            "AIR_CONTRADICTION",
            "cooling.thermal.chilled_water_tank",
        ),
        (
            ("air.terminal=crac", "plant.chiller.count=1"),
            "AIR_CONTRADICTION",
            "cooling.plant.chiller.count",
        ),
        (
            ("plant.heat_rejection=air_cooled", "plant.rejection.count=3"),
            "COOLING_CONTRADICTION",
            "cooling.plant.rejection.count",
        ),
        (
            ("plant.pumping.primary_head=50 kPa",),
            "PUMPING_CONTRADICTION",
            "cooling.plant.pumping.primary_head",
        ),
        (
            ("plant.pumping.scheme=primary-secondary", "plant.pumping.primary_head=1 MPa"),
            "PUMPING_CONTRADICTION",
            "cooling.plant.pumping.primary_head",
        ),
        (("plant.pumping.stage_up=0.3",), "OUT_OF_RANGE", "cooling.plant.pumping.stage_down"),
        (("heat_reuse.fraction=0.5",), "REUSE_INCOMPLETE", "cooling.heat_reuse.temperature"),
        (
            ("heat_reuse.heat_pump.approach=3 K",),
            "REUSE_INCOMPLETE",
            "cooling.heat_reuse.heat_pump",
        ),
        (
            (
                "heat_reuse.fraction=0.5",
                "heat_reuse.temperature=30 degC",
                "heat_reuse.heat_pump.source_min=30 degC",
            ),
            "REUSE_HEAT_PUMP",
            "cooling.heat_reuse.heat_pump.source_min",
        ),
    ],
)
def test_contradictions_are_refused(sets: tuple[str, ...], code: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, *(f"cooling.{change}" for change in sets))
    assert (caught.value.code, caught.value.where) == (code, where)


# --- the worst hour ---------------------------------------------------------------------------


def test_the_worst_hour_is_that_of_the_header_and_not_of_the_typical_year() -> None:
    """Ashburn: 20-year dry bulb and extreme wet bulb of the EPW header, and the margin on top."""
    year, found = station_weather("ashburn"), design_of(SHORTEST, "site.station=ashburn")
    assert year.design is not None
    site = found.facility.site
    assert site.design.dry_bulb_c == pytest.approx(year.design.extreme_20_year_db_max_c, abs=0.05)
    assert site.design.wet_bulb_c == pytest.approx(year.design.extreme_wet_bulb_max_c, abs=0.05)
    assert site.design.wet_bulb_c > float(air_hours(year).wet_bulb_c.max()) + 1.0
    assert site.design.pressure_pa == pytest.approx(standard_pressure.si(site.elevation_m))
    margin_k = found.facility.cooling.recirculation_k
    assert margin_k == 1.0
    assert found.cooling.outdoor_c == site.design.dry_bulb_c + margin_k
    wet = found.trace.value("plant.rejection.entering_air")
    assert wet == pytest.approx(site.design.wet_bulb_c + margin_k)
