"""The chain as a whole: energy closes, counts hold, more load needs more."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import psychrolib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.cooling.chain.sizing import size_cooling, solve_cooling, with_inputs
from facility.cooling.parts.loads import CoolingCounts
from facility.core.errors import FacilityError
from facility.core.trace import Trace, explain
from facility.model.facility import Weather
from tests.cooling.helpers import AIR, LIQUID, WARM, Case, case, failed
from tests.study.helpers import design_of
from tests.tools.merkel import MerkelTower

PLANTS = {
    "air, towers": (AIR, "{method: air}"),
    "air, dry coolers": (AIR, "{plant: {heat_rejection: dry_cooler}}"),
    "air, air-cooled": (AIR, "{plant: {heat_rejection: air_cooled}}"),
    "liquid, towers": (LIQUID, "{facility_water: {source: tower}}"),
    "liquid, dry coolers": (WARM, "{facility_water: {source: dry_cooler}}"),
    "liquid, chilled water": (LIQUID, "{facility_water: {source: chilled_water}}"),
}
SAN_FRANCISCO = "{station: san-francisco}"


def plant(name: str) -> Case:
    it, cooling = PLANTS[name]
    return case(it, cooling, SAN_FRANCISCO)


@pytest.mark.parametrize("name", PLANTS)
@settings(max_examples=25)
@given(part=st.floats(0.2, 1.0), dry_c=st.floats(-15.0, 42.0), depression=st.floats(0.5, 15.0))
def test_energy_closes(name: str, part: float, dry_c: float, depression: float) -> None:
    this = plant(name)
    design = this.sized()
    heat = this.heat(part)
    flow = solve_cooling(design, heat, Weather(dry_c, dry_c - depression, 101325.0))
    given_w = flow.collected_w + flow.power.into_water_w
    assert flow.rejected_w == pytest.approx(given_w, rel=1e-12)
    assert flow.collected_w == pytest.approx(heat.total_w, rel=1e-15)
    assert flow.on_ups_w + flow.mech_w == pytest.approx(flow.power.total_w, rel=1e-15)
    assert flow.room_w == pytest.approx(
        heat.air_it_w + heat.hall_losses_w + heat.lights_w + heat.people_w + heat.envelope_w
    )
    fans_w = flow.power.crah_fans_w
    assert flow.coils_w + flow.electrical_coils_w + flow.fresh_w == pytest.approx(
        flow.room_w + heat.electrical_room_w + heat.ventilation_w + fans_w, rel=1e-12
    )


@pytest.mark.parametrize("name", PLANTS)
def test_flows_and_temperatures_carry_the_heats(name: str) -> None:
    this = plant(name)
    design = this.sized()
    flow = solve_cooling(design, this.heat(), this.site.design)
    chilled = design.chilled.liquid.rate_w_k(flow.chw_flow_m3_s)
    picked_w = flow.coils_w + flow.electrical_coils_w + flow.fresh_w
    if design.water is not None and design.water.sink is None:
        picked_w += flow.facility_water_w
    assert chilled * (flow.chw_return_c - flow.chw_supply_c) == pytest.approx(picked_w)
    if design.cdus is not None:
        tcs = design.cdus.tcs.rate_w_k(flow.tcs_flow_m3_s)
        heat_w = this.heat().liquid_it_w + flow.power.cdu_pumps_w
        assert tcs * (flow.tcs_return_c - flow.tcs_supply_c) == pytest.approx(heat_w)
        fws = design.cdus.fws.rate_w_k(flow.fws_flow_m3_s)
        assert fws * (flow.fws_return_c - flow.fws_supply_c) == pytest.approx(flow.facility_water_w)
        assert flow.facility_water_w == pytest.approx(heat_w + flow.power.fws_pumps_w)
    if design.chilled.sink.plan.kind != "air_cooled":
        condenser = design.chilled.sink.liquid.rate_w_k(flow.condenser_flow_m3_s)
        rise_k = flow.condenser_out_c - flow.condenser_in_c
        assert rise_k == pytest.approx(this.chain.chilled_water.condenser_range_k)
        assert condenser * rise_k == pytest.approx(
            flow.chiller_load_w
            + flow.power.chillers_w
            + flow.power.condenser_pumps_w
            - (flow.power.condenser_pumps_w - _own_pumps(design, flow)),
            rel=1e-9,
        )


def _own_pumps(design: object, flow: object) -> float:
    """Return the condenser pumps of the chillers: all of them without a tower on facility water."""
    water = design.water  # type: ignore[attr-defined]
    power_w = float(flow.power.condenser_pumps_w)  # type: ignore[attr-defined]
    if water is None or water.sink is None or water.sink.plan.pump is None:
        return power_w
    pump, liquid = water.sink.plan.pump, water.sink.liquid
    share = water.sink.loop.pump_head_pa / (pump.efficiency * liquid.rate_w_k(1.0) * water.rise_k)
    heat_w = float(flow.facility_water_w)  # type: ignore[attr-defined]
    range_k = heat_w / design.cdus.fws.rate_w_k(flow.fws_flow_m3_s)  # type: ignore[attr-defined]
    share *= water.rise_k / range_k
    return power_w - heat_w * share / (1.0 - share)


@pytest.mark.parametrize("name", PLANTS)
@settings(max_examples=15)
@given(st.floats(-10.0, 35.0), st.floats(0.3, 0.95))
def test_more_load_and_warmer_air_take_more_power(name: str, dry_c: float, part: float) -> None:
    this = plant(name)
    design = this.sized()
    weather = Weather(dry_c, dry_c - 4.0, 101325.0)
    warmer = Weather(dry_c + 2.0, dry_c - 2.0, 101325.0)
    power_w = solve_cooling(design, this.heat(part), weather).power.total_w
    assert solve_cooling(design, this.heat(part * 1.05), weather).power.total_w > power_w
    assert solve_cooling(design, this.heat(part), warmer).power.total_w >= power_w * (1 - 1e-9)


def test_solving_is_smooth_in_the_heat() -> None:
    """A small step of the heat makes a small step of the power, at design and at mean weather."""
    for name in PLANTS:
        this = plant(name)
        design = this.sized()
        for weather in (this.site.design, this.site.mean):
            totals = [
                solve_cooling(design, this.heat(0.9 + 1e-5 * i), weather).power.total_w
                for i in range(5)
            ]
            steps = [b - a for a, b in pairwise(totals)]
            assert max(steps) < 2.0 * min(steps)
            assert min(steps) > 0.0


def test_redundant_air_handlers_share_the_air() -> None:
    """N + 1 units at reduced speed take (N / (N + 1))^2 of the fan power of N."""
    this = case(AIR)
    design = this.sized()
    counts = design.counts
    both = solve_cooling(design, this.heat(), this.site.design)
    alone = replace(design, counts=replace(counts, crah=counts.crah_duty))
    few = solve_cooling(alone, this.heat(), this.site.design)
    electrical = both.power.crah_fans_w - (both.coils_w - both.room_w)
    hall_fans = both.power.crah_fans_w - electrical
    assert counts.crah == counts.crah_duty + 1
    assert hall_fans == pytest.approx(
        (few.power.crah_fans_w - electrical) * (counts.crah_duty / counts.crah) ** 2
    )


def test_counts_never_fall_below_the_floor() -> None:
    this = case(LIQUID, "{plant: {heat_rejection: tower}}")
    first = this.sized().counts
    higher = CoolingCounts(*(getattr(first, f.name) + 3 for f in fields(first)))
    second = this.sized(floor=higher).counts
    duty = [f.name for f in fields(first) if f.name.endswith("_duty")]
    assert all(getattr(second, name) >= getattr(higher, name) for name in duty)
    assert second.crah >= higher.crah
    assert this.sized(this.heat(0.3), floor=first).counts.crah >= first.crah
    assert this.sized(floor=first).counts == first


def test_sizing_is_deterministic() -> None:
    this = case(AIR)
    assert this.sized() == this.sized()


def test_growth_is_sized_for_and_not_run() -> None:
    this = case(AIR)
    grown = replace(this.criteria, growth=0.5)
    design = size_cooling(this.chain, this.site, grown, this.heat(), None, Trace())
    plain = this.sized()
    assert design.crah_design_w == pytest.approx(1.5 * plain.crah_design_w)
    assert design.counts.crah_duty > plain.counts.crah_duty
    assert design.chilled.capacity_w > 1.3 * plain.chilled.capacity_w
    flow = solve_cooling(design, this.heat(), this.site.design)
    assert flow.collected_w == pytest.approx(this.heat().total_w)


def test_nvl72_sizes_each_side_for_its_own_share() -> None:
    """87.1 / 12.9 % closes; CDUs are sized for 90 %, air handlers for 15 %."""
    this = case(LIQUID)
    design = this.sized()
    assert this.load.it_w == pytest.approx(1056e3)
    assert this.load.liquid_w + this.load.air_w == pytest.approx(this.load.it_w, rel=1e-12)
    assert this.load.liquid_w / this.load.it_w == pytest.approx(0.871)
    assert design.cdu_design_w == pytest.approx(0.90 * 1056e3)
    assert design.crah_design_w == pytest.approx(0.15 * 1056e3)


def test_cdus_are_counted_by_flow_and_approach_not_by_racks() -> None:
    this = case(LIQUID)
    cdus = this.sized().cdus
    assert cdus is not None
    assert cdus.tcs_flow_m3_s * 60e3 == pytest.approx(8 * 130.0)
    assert (cdus.duty, cdus.installed) == (1, 2)
    assert 0.0 < cdus.approach_k < 4.0
    close = case(
        LIQUID, "{cdu: {tcs_supply: 38.2 degC}, facility_water: {supply: 35.5 degC}}"
    ).sized()
    assert close.cdus is not None
    assert close.cdus.duty > 1
    assert close.cdus.approach_k <= 2.7


def test_server_fans_keep_the_rise_at_altitude_until_they_run_at_full_speed() -> None:
    """1,609 m: 1.202 times the volume at the same rise and mass; the heat is the same.

    The air handlers move more volume of lighter air: at the cube of the flow and the density their
    power grows by about 1.2**2.
    """
    low, high = case(AIR), case(AIR, "{}", "{station: ashburn, elevation: 1609 m}")
    a, b = low.sized(), high.sized()
    at_low = solve_cooling(a, low.heat(), low.site.design)
    at_high = solve_cooling(b, high.heat(), high.site.design)
    rise_k = high.chain.crah.server_rise_k
    assert rise_k == pytest.approx(low.chain.crah.server_rise_k, rel=1e-9)
    assert at_high.crah_airflow_m3_s / at_low.crah_airflow_m3_s == pytest.approx(1.2022, rel=2e-3)
    assert at_high.return_air_c == pytest.approx(at_low.return_air_c, abs=0.2)
    assert at_high.power.crah_fans_w > at_low.power.crah_fans_w
    assert low.heat().air_it_w == high.heat().air_it_w


def test_above_full_fan_speed_the_rise_grows() -> None:
    """3,000 m: 1.443 times the volume at the same rise, 1.25 times at most (psychrolib)."""
    chain = case(AIR, "{}", "{station: ashburn, elevation: 3000 m}").chain
    compute = next(rack for rack in chain.racks if rack.name == "Compute")
    psychrolib.SetUnitSystem(psychrolib.SI)
    per_kelvin = []
    for pa in (psychrolib.GetStandardAtmPressure(3000.0), 101325.0):
        ratio = psychrolib.GetHumRatioFromTDewPoint(chain.room_dew_point_c, pa)
        gain = psychrolib.GetMoistAirEnthalpy(25.0, ratio) - psychrolib.GetMoistAirEnthalpy(
            24.0, ratio
        )
        per_kelvin.append(psychrolib.GetMoistAirVolume(24.0, ratio, pa) / gain)
    here, low = per_kelvin
    assert here / low == pytest.approx(1.443, abs=0.002)
    assert compute.airflow_m3_s == pytest.approx(1.25 * compute.sea_level_m3_s, rel=1e-6)
    assert compute.rise_k == pytest.approx(10.2e3 * here / (0.5215019 * 1.25), rel=1e-3)


def test_as_built_counts_are_used_and_checked() -> None:
    built = "{crah: {count: 2}, plant: {chiller: {model: EWWDC14I-SS, count: 1}}}"
    design = case(AIR, built).sized()
    assert design.counts.crah == 2
    assert design.counts.chillers == 1
    assert {"CRAH-CAPACITY", "CRAH-AIRFLOW", "CHILLER-CAPACITY"} <= failed(design.checks)
    assert not {"CRAH-CAPACITY", "CHILLER-CAPACITY"} & failed(case(AIR).sized().checks)
    one = case(LIQUID, "{cdu: {model: XDU1350, count: 1}}").sized()
    assert "CDU-FLOW" in failed(one.checks)


def test_checks_name_their_margin() -> None:
    for check in case(LIQUID).sized().checks:
        assert check.why
        if check.value is not None and check.limit:
            assert (check.margin is None) == (check.kind == "temperature")


def test_inlet_follows_the_mixing_and_is_checked() -> None:
    this = case(AIR, "{containment: none}")
    flow = solve_cooling(this.sized(), this.heat(), this.site.design)
    leak, rise = this.chain.crah.recirculation, this.chain.crah.server_rise_k
    assert flow.inlet_c == pytest.approx(24.0 + leak * rise / (1.0 - leak))
    assert flow.inlet_worst_c > flow.inlet_c
    assert "INLET-RECOMMENDED" in failed(flow.checks)
    hot = case(AIR, "{supply_air: 31 degC}")
    checks = solve_cooling(hot.sized(), hot.heat(), hot.site.design).checks
    assert "INLET-EQUIPMENT" in failed(checks)  # a DGX H100 takes 30 C at most


def test_dense_racks_and_recalled_data_are_named() -> None:
    cold = case(AIR, "{plant: {chilled_water_supply: 10 degC}}").sized()
    assert {"AIR-DENSITY-LIMIT", "MEMORY-DATA"} <= failed(cold.checks)
    check = next(c for c in cold.checks if c.rule == "AIR-DENSITY-LIMIT" and c.failed)
    assert "40.8 kW" in check.why
    assert "m³/s" in check.why


def test_a_tower_outside_its_box_is_named() -> None:
    this = case(AIR)
    design = this.sized()
    mild = solve_cooling(design, this.heat(), Weather(20.0, 15.0, 101325.0))
    assert "TOWER-BOX" not in failed(mild.checks)
    wide = case(AIR, "{plant: {condenser_range: 22.3 K}}")
    beyond = solve_cooling(wide.sized(), wide.heat(), Weather(20.0, 15.0, 101325.0))
    check = next(c for c in beyond.checks if c.rule == "TOWER-BOX")
    assert check.failed
    assert check.why == "clipped: range"
    just = case(AIR, "{plant: {condenser_range: 22.2 K}}")
    inside = solve_cooling(just.sized(), just.heat(), Weather(20.0, 15.0, 101325.0))
    assert "TOWER-BOX" not in failed(inside.checks)


def test_a_wet_bulb_above_the_box_is_on_the_safe_side_and_says_so() -> None:
    """32 degC and 1 K of recirculation: 3.56 K above 29.44; the tower of Merkel needs 2.2 K."""
    this = case(AIR)
    humid = solve_cooling(this.sized(), this.heat(), Weather(36.0, 32.0, 101325.0))
    check = next(c for c in humid.checks if c.rule == "TOWER-BOX")
    assert not check.failed
    assert "3.6 K above the range" in check.why
    tower = MerkelTower.rated(25.56, 3.89, 5.56, 1.2, 1e6, 101325.0, 4186.0)
    needed_k = float(tower.leaving(33.0, 10.0 / 1.8, 1.0, 101325.0)) - 33.0
    assert needed_k == pytest.approx(2.2, abs=0.1)
    assert humid.condenser_in_c - 33.0 > needed_k


def test_facility_water_too_warm_for_its_class_is_a_violation() -> None:
    this = plant("liquid, dry coolers")
    design = this.sized()
    assert "FWS-TEMPERATURE" not in failed(
        solve_cooling(design, this.heat(), this.site.design).checks
    )
    hot = solve_cooling(design, this.heat(), Weather(45.0, 25.0, 101325.0))
    assert "FWS-TEMPERATURE" in failed(hot.checks)
    assert hot.tcs_supply_c > this.chain.cdu.tcs_supply_c  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("it", "cooling", "code"),
    [
        (AIR, "{supply_air: 24 degC, plant: {chilled_water_supply: 23 degC}}", "CRAH_INFEASIBLE"),
        (
            LIQUID,
            "{facility_water: {source: dry_cooler, supply: 33 degC}}",
            "DRY_COOLER_INFEASIBLE",
        ),
        (LIQUID, "{method: air}", "LIQUID_REQUIRED"),
        (
            LIQUID,
            "{cdu: {tcs_supply: 36.05 degC}, facility_water: {supply: 36 degC}}",
            "CDU_INFEASIBLE",
        ),
        (
            LIQUID,
            "{facility_water: {supply: 41 degC, delta_t: 20 K}, cdu: {tcs_supply: 45 degC}}",
            "CDU_INFEASIBLE",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(it: str, cooling: str, code: str) -> None:
    with pytest.raises(FacilityError) as refused:
        case(it, cooling).sized()
    assert refused.value.code == code
    assert refused.value.hint
    assert refused.value.where.startswith("cooling.")
    rise = code == "CDU_INFEASIBLE" and "delta_t" in cooling
    assert ("with a 20 K rise" in refused.value.message) == rise
    assert (refused.value.where == "cooling.facility_water.delta_t") == rise


def test_heat_without_a_way_out_is_refused() -> None:
    this = case(AIR)
    design, heat = this.sized(), this.heat()
    with pytest.raises(FacilityError, match="LIQUID_REQUIRED"):
        solve_cooling(design, replace(heat, liquid_it_w=1e5), this.site.design)
    with pytest.raises(FacilityError, match="NO_HEAT"):
        solve_cooling(design, heat.share(0.0), this.site.design)


def test_every_part_of_the_power_can_be_explained() -> None:
    this, trace = case(LIQUID), Trace()
    design = this.sized(trace=trace)
    flow = solve_cooling(design, this.heat(), this.site.design, trace)
    assert trace.value("load.cooling") == pytest.approx(flow.power.total_w, rel=1e-12)
    for field in fields(flow.power):
        part = trace.value(f"cooling.{field.name.removesuffix('_w')}")
        assert part == pytest.approx(getattr(flow.power, field.name), rel=1e-12)
    text = "\n".join(explain(trace, "load.cooling"))
    for id in ("plant.chiller_cop", "crah.fan_power", "fws.rejection.approach", "cdu.pump_power"):
        assert id in text
    assert trace.value("heat.room") == pytest.approx(flow.room_w)
    assert trace.value("crah.count") == design.counts.crah
    assert trace.value("plant.chiller_count") == design.counts.chillers


def test_a_design_hour_is_plausible() -> None:
    """Cooling takes 15-25 % of the IT power by air at 29 C wet bulb, 4-12 % by warm water."""
    air, liquid = case(AIR), case(LIQUID)
    by_air = solve_cooling(air.sized(), air.heat(), air.site.design).power.total_w
    by_liquid = solve_cooling(liquid.sized(), liquid.heat(), liquid.site.design).power.total_w
    assert 0.15 < by_air / air.load.it_w < 0.25
    assert 0.04 < by_liquid / liquid.load.it_w < 0.12
    mean = solve_cooling(air.sized(), air.heat(), air.site.mean).power.total_w
    assert mean < 0.75 * by_air


@pytest.mark.parametrize("part", [1.0, 0.76, 0.5, 0.3])
@pytest.mark.parametrize("name", ["liquid, towers", "liquid, dry coolers", "liquid, chilled water"])
def test_less_heat_never_warms_the_coolant(name: str, part: float) -> None:
    """The valves of the CDUs open as the rise of the coolant falls below that of the water."""
    this = plant(name)
    design = this.sized()
    flow = solve_cooling(design, this.heat(part), this.site.design)
    assert design.cdus is not None
    assert flow.tcs_supply_c == pytest.approx(design.cdus.plan.tcs_supply_c, abs=1e-6)
    pumps_k = flow.power.fws_pumps_w / design.cdus.fws.rate_w_k(flow.fws_flow_m3_s)
    assert flow.fws_return_c - pumps_k < flow.tcs_return_c
    assert flow.fws_flow_m3_s <= design.cdus.fws_flow_m3_s * (1.0 + 1e-9)


def test_facility_water_that_a_tower_cannot_make_is_a_violation() -> None:
    """At 29.9 degC wet bulb no tower makes 32 degC across an exchanger of 1.7 K."""
    this = case(LIQUID, "{facility_water: {source: tower, supply: 32 degC}}")
    flow = solve_cooling(this.sized(), this.heat(), this.site.design)
    assert flow.fws_supply_c > 32.0
    assert "FWS-SUPPLY" in failed(flow.checks)
    assert "FWS-TEMPERATURE" not in failed(flow.checks)  # W40 allows it, the design does not
    asked = case(LIQUID, "{facility_water: {source: tower}}")
    met = solve_cooling(asked.sized(), asked.heat(), asked.site.design)
    assert "FWS-SUPPLY" not in failed(met.checks)


def test_the_coolant_is_checked_at_the_temperature_it_reaches() -> None:
    """GB200 racks take 45 degC at most; in air hotter than the design the coolant passes it."""
    this = plant("liquid, dry coolers")
    design = this.sized()
    assert "TCS-TEMPERATURE" not in failed(
        solve_cooling(design, this.heat(), this.site.design).checks
    )
    hot = solve_cooling(design, this.heat(), Weather(46.0, 25.0, 101325.0))
    assert hot.tcs_supply_c > 45.0
    assert "TCS-TEMPERATURE" in failed(hot.checks)


def test_air_cooled_chillers_keep_their_head_pressure() -> None:
    """Below 13 degC (least condenser water of the Modelica templates) the COP stays.

    At the 82 m of Ashburn 1 - 0.05 x 82 / 762 of the condenser is left, for 15 K at sea level. The
    loop holds water, 2 K above the refrigerant.
    """
    this = case(
        AIR, "{plant: {heat_rejection: air_cooled, fluid: water, chiller: {model: 30XA500}}}"
    )
    design = this.sized()
    cold, cool = (
        solve_cooling(design, this.heat(), Weather(t, t - 2.0, 101325.0)) for t in (-20.0, 11.5)
    )
    assert cold.chiller_cop == pytest.approx(cool.chiller_cop, rel=1e-12)
    approach_k = 15.0 / (1.0 - 0.05 * this.site.elevation_m / 762.0)
    assert cold.condenser_out_c == pytest.approx(13.0 + approach_k)
    evaporating_k = 18.0 - 2.0 + 273.15
    rated = 1609.4 / 555.0 * (35.0 + 15.0 - 4.67) / (4.67 + 273.15)  # Carrier 30XA500
    assert cold.chiller_cop == pytest.approx(rated * evaporating_k / (approach_k - 3.0), rel=0.01)


def test_the_spare_of_the_electrical_rooms_counts() -> None:
    short = case(AIR, "{crah: {electrical_count: 1}}").sized()
    check = next(c for c in short.checks if "electrical rooms" in c.subject)
    assert check.failed
    assert "remaining after a loss: 0; required: 1" in check.why
    spare_less = case(AIR, "{crah: {electrical_count: 1, redundancy: N}}").sized()
    assert not next(c for c in spare_less.checks if "electrical rooms" in c.subject).failed


def test_more_air_handlers_do_not_save_fan_power_without_end() -> None:
    """Fans slow down to 30 % of their flow, 2.7 % of their power, and no further."""
    this, trace = case(AIR, "{crah: {count: 40}}"), Trace()
    flow = solve_cooling(this.sized(), this.heat(), this.site.design, trace)
    assert trace.value("crah.fan_power_ratio") == pytest.approx(0.027)
    fewer = case(AIR, "{crah: {count: 20}}")
    power_w = solve_cooling(fewer.sized(), fewer.heat(), fewer.site.design).power.crah_fans_w
    assert flow.power.crah_fans_w > power_w


FROST = """\
schema_version: 1
site: {place: Alert, country: CA, elevation: 30 m, design_dry_bulb: -25 degC,
  design_wet_bulb: -25.3 degC, mean_dry_bulb: -30 degC, mean_wet_bulb: -30.1 degC}
it: {server: DGX B200, servers: 40}
power: {redundancy: 2N}
cooling: {method: air, plant: {heat_rejection: tower}}
"""


def test_equipment_as_built_under_its_own_inputs_is_that_of_the_design() -> None:
    """Where the design weather is frost, condensers have their least water in both."""
    found = design_of(FROST)
    built, plan = found.cooling.chilled, found.facility.cooling
    again = with_inputs(found.cooling, plan, found.facility.site.design).chilled
    assert again.leaving_c == built.leaving_c == plan.chilled_water.min_water_c
    assert again.sink.loop == built.sink.loop
    assert again.capacity_w == pytest.approx(built.capacity_w, rel=1e-12)
