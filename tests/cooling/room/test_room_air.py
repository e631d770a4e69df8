"""The air path: published flows, class limits with altitude, wet coils, tiles, fans, sensors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import psychrolib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.cooling.air.air_need import AirNeed, RoomAirBasis, air_need
from facility.cooling.air.air_side import SupplyAir
from facility.cooling.room.study import RoomAir, cold_aisles, room_air
from facility.cooling.room.units import fans_shared
from facility.core.check import Check, Outcome
from facility.core.trace import Findings, Trace
from facility.model.cooling.air import RoomPlan
from facility.physics.air.psychrometrics import standard_pressure
from facility.physics.air.sensible import exhaust_temperature, inlet_temperature
from facility.physics.exchangers.wet_coil import surface_temperature, wet_coil
from facility.study.design.design import Design
from facility.study.explained import explain_result
from tests.cooling.helpers import AIR as IT
from tests.cooling.helpers import case
from tests.study.fields import LIQUID
from tests.study.helpers import design_of

KINDS = ("crah", "crac", "in-row", "rear-door", "active-rear-door", "fan-wall")
HALL = """\
schema_version: 1
site: {station: ashburn}
it:
  halls:
    - name: One
      rows: 3
      racks: [{name: Nodes, count: 30, devices: [{model: DGX H100, count: 1}], feeds: [A, B, C]}]
power: {redundancy: 3N/2}
cooling: {method: air}
"""
FLOOR = RoomPlan("raised-floor", 0.56, 0.36, 0.9, 12.5, 0.0, "adiabatic", 0.0)
CFM = 0.3048**3 / 60.0
psychrolib.SetUnitSystem(psychrolib.SI)


def room(*sets: str) -> RoomAir:
    return design_of(HALL, *sets).room_air


def of_rule(found: RoomAir, rule: str) -> list[Check]:
    return [check for check in found.checks if check.rule == rule]


def fails(found: RoomAir, rule: str) -> bool:
    checks = of_rule(found, rule)
    assert checks, f"{rule} is missing"
    return any(check.failed for check in checks)


def need(heat_w: float, **changed: float) -> AirNeed:
    basis = RoomAirBasis(24.0, 12.0, 11.0, 101325.0, 0.0, 0.0)
    return air_need(heat_w, 10, replace(basis, **changed), FLOOR, case(IT).chain.crah.unit)


# --- published flows --------------------------------------------------------------------------


def test_air_of_a_megawatt() -> None:
    """69.6 m3/s at sea level and 84.5 at 1609 m: 12 K from 24 degC with a dew point of 11 degC."""
    assert need(1e6).airflow_m3_s == pytest.approx(69.6, abs=0.05)
    high_pa = float(standard_pressure.si(1609.0))
    assert need(1e6, pressure_pa=high_pa).airflow_m3_s == pytest.approx(84.5, abs=0.05)


def test_air_of_a_hundred_kilowatt_at_twenty_fahrenheit() -> None:
    flow = need(100e3, supply_c=21.1, rise_k=20.0 / 1.8, dew_point_c=-40.0).airflow_m3_s
    assert flow / CFM == pytest.approx(15800.0, abs=50.0)


@given(low_m=st.floats(0.0, 2900.0), more_m=st.floats(0.0, 1500.0), heat_w=st.floats(1e3, 2e5))
def test_higher_never_shrinks_the_airflow(low_m: float, more_m: float, heat_w: float) -> None:
    low, high = (
        need(heat_w, pressure_pa=float(standard_pressure.si(z))) for z in (low_m, low_m + more_m)
    )
    assert high.airflow_m3_s >= low.airflow_m3_s
    assert high.units >= low.units
    assert high.tiles >= low.tiles * (1.0 - 1e-12)


@given(leak=st.floats(0.0, 0.8), more=st.floats(0.0, 0.15), rise_k=st.floats(5.0, 25.0))
def test_more_recirculation_never_cools_the_inlet(leak: float, more: float, rise_k: float) -> None:
    def inlet(k: float) -> float:
        return float(inlet_temperature.si(24.0, exhaust_temperature.si(24.0, rise_k, k), k))

    assert inlet(leak + more) >= inlet(leak)


@settings(max_examples=6)
@given(bypass=st.floats(0.0, 0.6))
def test_leaks_never_save_supply_air(bypass: float) -> None:
    assert need(40e3, bypass=bypass).supply_m3_s >= need(40e3).supply_m3_s
    assert need(40e3, bypass=bypass).airflow_m3_s == need(40e3).airflow_m3_s


# --- the study --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_can_be_explained(kind: str) -> None:
    found = design_of(HALL, f"cooling.air.terminal={kind}")
    for key, value in found.room_air.results.items():
        assert key.startswith("air.")
        if value.kind:
            assert explain_result(found, key)[0].startswith(key)
    assert not [
        c
        for c in found.room_air.checks
        if c.outcome is Outcome.NOT_EVALUATED and c.rule != "AIR-SOUND"
    ]
    assert set(found.room_air.results) <= set(found.all_results)


@pytest.mark.parametrize("kind", KINDS)
def test_air_of_the_racks_is_the_air_of_the_sizing(kind: str) -> None:
    """The racks at full heat draw together what the air side moves for the same heat."""
    found = design_of(HALL, f"cooling.air.terminal={kind}")
    rows, chain = found.room_air.racks, found.cooling.chain
    full_w = sum(row.count * row.heat_w for row in rows)
    drawn = sum(row.count * row.airflow_m3_s for row in rows)
    assert full_w / drawn == pytest.approx(
        sum(rack.count * rack.air_w for rack in chain.racks)
        / sum(rack.count * rack.airflow_m3_s for rack in chain.racks)
    )
    if "door" not in kind:
        ratio = found.trace.value("air.it_flow") / found.trace.value("heat.air")
        assert drawn / full_w == pytest.approx(ratio, rel=1e-9)


def test_tiles_by_hand() -> None:
    found = room("cooling.air.supply=raised-floor")
    (row,) = (r for r in found.racks if r.name == "Nodes")
    velocity = (2.0 * 12.5 / (7.364 * found.air.density_kg_m3)) ** 0.5
    assert found.results["air.tile.airflow"].si == pytest.approx(0.36 * velocity, rel=1e-3)
    assert row.tiles == pytest.approx(row.supply_m3_s / (0.36 * velocity), rel=1e-3)
    assert fails(found, "AIR-TILES") == (row.tiles > row.tiles_in_front)
    assert not of_rule(room(), "AIR-TILES")


def test_dense_rack_has_not_enough_tiles() -> None:
    dense = "it.halls.0.racks.0.devices.0.count=4"
    assert fails(room("cooling.air.supply=raised-floor", dense), "AIR-TILES")
    poor = room("cooling.air.supply=raised-floor", "cooling.air.tile_open_area=25 %")
    rich = room("cooling.air.supply=raised-floor", "cooling.air.plenum_pressure=50 Pa")
    assert rich.racks[0].tiles < poor.racks[0].tiles  # type: ignore[operator]


@pytest.mark.parametrize("kind", ["rear-door", "active-rear-door"])
def test_behind_doors_the_room_supplies_a_part_of_what_racks_draw(kind: str) -> None:
    """The supplies of all racks are the air of the air handlers; the doors cool the rest."""
    design = design_of(HALL, f"cooling.air.terminal={kind}", "cooling.air.supply=raised-floor")
    found, flow = design.room_air, design.cooling_flow
    supplied = sum(row.count * row.supply_m3_s for row in found.racks)
    drawn = sum(row.count * row.airflow_m3_s for row in found.racks)
    assert design.point.heat.air_it_w == pytest.approx(
        sum(row.count * row.heat_w for row in found.racks)
    )
    assert supplied == pytest.approx(flow.crah_airflow_m3_s, rel=1e-9)
    assert supplied < 0.5 * drawn
    assert not fails(found, "AIR-TILES")
    carried_w = (
        flow.crah_airflow_m3_s
        / found.air.volume_m3_kg
        * found.air.specific_heat_j_kgk
        * (flow.return_air_c - flow.supply_air_c)
    )
    left_w = flow.room_w - flow.doors_w + design.trace.value("doors.fan_power")
    assert carried_w == pytest.approx(left_w, rel=1e-9)


def test_floor_leak_asks_for_more_air_and_open_slots_warm_the_inlet() -> None:
    tight, leaky = (
        design_of(HALL, "cooling.air.supply=raised-floor", *leak)
        for leak in ((), ("cooling.air.floor_leakage=10 %",))
    )
    more = leaky.cooling_flow.crah_airflow_m3_s / tight.cooling_flow.crah_airflow_m3_s
    assert more == pytest.approx(1.0 / 0.9, rel=0.01)
    blank, opened = room("cooling.air.blanking=full"), room("cooling.air.blanking=none")
    assert opened.racks[0].inlet_c > blank.racks[0].inlet_c
    assert blank.racks[0].inlet_c == room().racks[0].inlet_c


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("air_class", "elevation_m", "limit_c"),
    [
        ("A2", 1800, 32.0),
        ("A1", 1800, 29.0),
        ("A3", 1800, 40.0 - 900 / 175),
        ("A4", 1150, 43.0),
        ("H1", 1400, 24.0),
        ("A2", 500, 35.0),
    ],
)
def test_limit_falls_with_altitude(air_class: str, elevation_m: int, limit_c: float) -> None:
    found = room(f"criteria.air_class={air_class}", f"site.elevation={elevation_m} m")
    assert found.results["air.limit.allowable"].si == pytest.approx(limit_c)
    assert fails(found, "AIR-DERATING-DATA") == (elevation_m > 900)


def test_inlet_beyond_the_derated_limit_is_a_violation() -> None:
    warm = ("criteria.air_class=A1", "cooling.supply_air=30 degC")
    assert not fails(room(*warm, "site.elevation=0 m"), "AIR-ALLOWABLE")
    (check,) = of_rule(room(*warm, "site.elevation=1800 m"), "AIR-ALLOWABLE")
    assert check.failed
    assert "A1" in check.subject
    assert check.margin is None or check.margin < 0.0


def test_above_the_class_no_limit_of_it_is_left_unsaid() -> None:
    """3,100 m: A2, by 1 K for 300 m from 900 m on, comes to 27.7 degC."""
    (check,) = of_rule(room("site.elevation=3100 m"), "AIR-ELEVATION")
    assert check.failed
    assert "class limit 3,050 m; the inlet limit of 27.7 degC here" in check.why
    assert not fails(room("site.elevation=3000 m"), "AIR-ELEVATION")


def test_dew_point_of_the_room_against_the_class() -> None:
    assert not fails(room(), "AIR-DEW-POINT")
    assert fails(room("cooling.room_dew_point=18 degC"), "AIR-DEW-POINT-RECOMMENDED")
    assert not fails(room("cooling.room_dew_point=18 degC"), "AIR-DEW-POINT")
    assert fails(room("cooling.room_dew_point=22 degC"), "AIR-DEW-POINT")
    found = room("cooling.room_dew_point=10 degC")
    expected = psychrolib.GetRelHumFromTDewPoint(24.0, 10.0)
    assert found.results["air.humidity"].si == pytest.approx(expected, rel=1e-3)


def test_outdoor_air_let_in_is_air_of_the_halls() -> None:
    """The wider of the room's dew point, 15 degC, and those of outdoor air that is let in."""
    direct = "cooling.economizer.kind=air-side-direct"
    assert not fails(room(direct), "AIR-DEW-POINT-RECOMMENDED")  # -9 and 15 degC: the range itself
    damp = room(direct, "cooling.economizer.dew_point_max=21.8 degC")
    assert damp.results["air.humidity"].si == pytest.approx(
        psychrolib.GetRelHumFromTDewPoint(24.0, 21.8), rel=1e-3
    )
    for rule in ("AIR-DEW-POINT", "AIR-DEW-POINT-RECOMMENDED"):
        driest, dampest = of_rule(damp, rule)
        assert (driest.failed, dampest.failed) == (False, True)
        assert (driest.value, dampest.value) == (-9.0, pytest.approx(21.8))
        assert "cooling.economizer.dew_point_max" in dampest.why
    assert fails(damp, "AIR-HUMIDITY")
    halls, electrical = of_rule(damp, "AIR-COIL-SURFACE")
    if "electrical" in halls.subject:
        halls, electrical = electrical, halls
    assert (halls.limit, electrical.limit) == (pytest.approx(21.8), 15.0)
    dry = room(direct, "cooling.economizer.dew_point_min=-13 degC")
    driest, dampest = of_rule(dry, "AIR-DEW-POINT")  # class A2: -12 degC at least
    assert (driest.failed, driest.value, dampest.failed) == (True, -13.0, False)
    closed = room("cooling.economizer.kind=air-side-indirect")
    assert {check.value for check in of_rule(closed, "AIR-DEW-POINT")} == {15.0}


def test_coolant_in_halls_of_outdoor_air_is_above_its_dew_point() -> None:
    sets = ("cooling.economizer.kind=air-side-direct", "cooling.economizer.dew_point_max=21 degC")
    found = design_of(LIQUID, *sets)
    (check,) = [c for c in found.checks if c.rule == "DEW-POINT"]
    assert check.limit == pytest.approx(23.0)  # 2 K over it
    (water,) = [c for c in found.checks if c.rule == "FWS-DEW-POINT"]
    assert water.limit == pytest.approx(21.0)


# --- wet coils and moisture -------------------------------------------------------------------

COIL = {
    "pressure_pa": 101325.0,
    "air_kg_s": 10.0,
    "water_w_k": 27e3,
    "outside_w_k": 22e3,
    "inside_w_k": 30e3,
}


def ratio_at(dew_point_c: float) -> float:
    return float(psychrolib.GetHumRatioFromTDewPoint(dew_point_c, 101325.0))


@given(
    air_c=st.floats(24.0, 42.0),
    dew_c=st.floats(0.0, 22.0),
    water_c=st.floats(4.0, 20.0),
    water_w_k=st.floats(5e3, 6e4),
)
def test_coil_balances_in_another_library(
    air_c: float, dew_c: float, water_c: float, water_w_k: float
) -> None:
    """Heat taken is the fall of the enthalpy of the air, as psychrolib has it."""
    ratio = ratio_at(dew_c)
    total, sensible, water = wet_coil.si(air_c, ratio, water_c, **{**COIL, "water_w_k": water_w_k})
    leaving_c = air_c - sensible / (10.0 * (1006.0 + 1860.0 * ratio))
    leaving = ratio - water / 10.0
    fall = psychrolib.GetMoistAirEnthalpy(air_c, ratio) - psychrolib.GetMoistAirEnthalpy(
        leaving_c, leaving
    )
    assert total == pytest.approx(10.0 * fall, rel=1e-6)
    assert 0.0 < sensible <= total * (1.0 + 1e-12)
    assert water >= 0.0
    assert leaving_c >= water_c - 1e-9
    if water > 0.0:
        assert leaving <= psychrolib.GetSatHumRatio(leaving_c, 101325.0) * (1.0 + 1e-6)
        assert dew_c > water_c


def test_coil_warmer_than_the_dew_point_is_dry() -> None:
    total, sensible, water = wet_coil.si(36.0, ratio_at(15.0), 18.0, **COIL)
    assert sensible == total
    assert water == 0.0


def test_damper_air_gives_more_heat_and_water() -> None:
    dews = np.array([12.0, 16.0, 20.0, 24.0])
    ratios = np.array([ratio_at(dew) for dew in dews])
    totals, sensibles, waters = wet_coil.si(30.0, ratios, 6.0, **COIL)
    assert np.all(np.diff(totals) > 0.0)
    assert np.all(np.diff(waters) > 0.0)
    assert np.all(np.diff(sensibles) < 0.0)


def test_cold_water_in_a_damp_room_is_reported() -> None:
    cold = (
        "cooling.plant.chilled_water_supply=7 degC",
        "cooling.room_dew_point=15 degC",
        "cooling.supply_air=18 degC",
    )
    found = room(*cold)
    _, check = of_rule(found, "AIR-COIL-SURFACE")
    assert check.failed
    assert "chilled water at 7 degC" in check.subject
    assert not fails(room(), "AIR-COIL-SURFACE")
    assert room().results["air.shr"].si == 1.0


def test_doors_may_not_condense() -> None:
    cold = (
        "cooling.air.terminal=rear-door",
        "cooling.plant.chilled_water_supply=8 degC",
        "cooling.room_dew_point=20 degC",
    )
    (check,) = of_rule(room(*cold), "AIR-DOOR-SURFACE")
    assert check.failed
    assert check.severity.value == "VIOLATION"
    assert "chilled water" in check.subject


def test_surface_lies_between_air_and_water() -> None:
    assert surface_temperature.si(24.0, 18.0, 1e4, 1e9) == pytest.approx(18.0, abs=1e-3)


def test_moisture_of_fresh_air() -> None:
    found = room("cooling.air.ventilation=1 m3/s", "cooling.air.humidifier=steam")
    pressure_pa = design_of(HALL).facility.site.pressure_pa
    ratio = psychrolib.GetHumRatioFromTDewPoint(-9.0, pressure_pa)
    needed = ratio / found.air.volume_m3_kg
    assert found.results["air.humidifier"].si == pytest.approx(needed, rel=1e-3)
    power_w = found.results["air.humidifier.power"].si
    assert power_w == pytest.approx(2.634e6 * needed, rel=1e-3)
    assert "air.humidifier.power" not in room("cooling.air.ventilation=1 m3/s").results


DRY = ("site.design_dry_bulb=46 degC", "site.design_wet_bulb=20 degC")


@pytest.mark.parametrize("weather", [(), DRY], ids=["damp", "dry"])
def test_heat_of_fresh_air_is_that_of_psychrolib_and_judged(weather: tuple[str, ...]) -> None:
    """Dried to the dew point of the halls where it is more humid; no moisture is added to it."""
    found, whole = room("cooling.air.ventilation=1 m3/s", *weather), design_of(HALL, *weather)
    site, pressure_pa = whole.facility.site, whole.facility.site.pressure_pa
    dry_c, supply_c = site.design.dry_bulb_c, whole.cooling_flow.supply_air_c
    damp = psychrolib.GetHumRatioFromTWetBulb(dry_c, site.design.wet_bulb_c, pressure_pa)
    dew_c = whole.facility.cooling.room_dew_point_c
    held = min(damp, psychrolib.GetHumRatioFromTDewPoint(dew_c, pressure_pa))
    apart_j_kg = psychrolib.GetMoistAirEnthalpy(dry_c, damp) - psychrolib.GetMoistAirEnthalpy(
        supply_c, held
    )
    heat_w = apart_j_kg / found.air.volume_m3_kg
    assert found.results["air.ventilation.heat"].si == pytest.approx(heat_w, rel=1e-3)
    (much,) = [c for c in found.checks if c.rule == "AIR-VENTILATION"]
    assert much.value == pytest.approx(heat_w, rel=1e-3)
    (usual,) = [c for c in whole.room_air.checks if c.rule == "AIR-VENTILATION"]
    assert not usual.failed


def test_outdoor_air_is_in_the_load_of_the_plant_and_its_fans_in_the_power() -> None:
    """psychrolib, Dulles at design: h(out) - h(24 degC, 15 degC dew point) over 0.856 m3/kg."""
    none, much = (design_of(HALL, f"cooling.air.ventilation={flow} m3/s") for flow in ("0", "2"))
    site, chain = much.facility.site, much.cooling.chain
    wet = psychrolib.GetHumRatioFromTWetBulb(
        site.design.dry_bulb_c, site.design.wet_bulb_c, site.pressure_pa
    )
    held = psychrolib.GetHumRatioFromTDewPoint(chain.room_dew_point_c, site.pressure_pa)
    supply_c = chain.crah.supply_air_c
    gained = psychrolib.GetMoistAirEnthalpy(
        site.design.dry_bulb_c, wet
    ) - psychrolib.GetMoistAirEnthalpy(supply_c, held)
    heat_w = 2.0 * gained / psychrolib.GetMoistAirVolume(supply_c, held, site.pressure_pa)
    found = much.trace.value("heat.ventilation")
    assert found == pytest.approx(heat_w, rel=5e-3)
    assert much.room_air.results["air.ventilation.heat"].si == pytest.approx(found)
    assert much.cooling_flow.fresh_w == pytest.approx(found + 2.0 * 1420.0)
    more_w = much.cooling_flow.chiller_load_w - none.cooling_flow.chiller_load_w
    assert more_w == pytest.approx(much.cooling_flow.fresh_w, rel=0.03)
    assert none.trace.value("heat.fresh_air") == 0.0
    for one in (none, much):
        flow = one.cooling_flow
        whole_w = flow.collected_w + flow.power.into_water_w
        assert flow.rejected_w == pytest.approx(whole_w, rel=1e-9)


# --- units ------------------------------------------------------------------------------------


def test_five_at_eighty_per_cent_take_64_per_cent_of_four() -> None:
    found: Design = design_of(HALL)
    design = found.cooling
    counts = replace(design.counts, crah=5, crah_duty=4)
    unit = design.chain.crah.unit
    flow = replace(found.cooling_flow, crah_airflow_m3_s=4.0 * unit.air_flow_m3_s)
    findings = Findings(Trace())
    air = SupplyAir(0.85, 1010.0, unit.air_density_kg_m3)
    fans_shared(replace(design, counts=counts), flow, air, findings)
    assert findings.results["air.fans.all.speed"].si == pytest.approx(0.8)
    assert findings.results["air.fans.duty"].si == pytest.approx(4.0 * unit.fan_w)
    all_w, duty_w = (float(findings.results[f"air.fans.{n}"].si) for n in ("all", "duty"))
    assert all_w / duty_w == pytest.approx(0.64)
    assert findings.results["air.fans.saving"].si == pytest.approx(0.36)


def test_spare_units_whose_fans_cannot_slow_down_are_said_to_cost() -> None:
    found = design_of(HALL, "cooling.crah.least_fan_flow=1").room_air.results
    assert found["air.fans.saving"].si < 0.0
    assert "minimum speed (cooling.crah.least_fan_flow)" in found["air.fans.saving"].basis


def test_fan_power_of_the_study_is_that_of_the_design() -> None:
    found = design_of(HALL)
    assert found.room_air.results["air.fans.all"].si == pytest.approx(
        found.trace.value("crah.fan_power"), rel=1e-9
    )


def test_connection_is_wide_enough_and_no_wider() -> None:
    unit = room().units[0]
    assert unit.connection_dn is not None
    bores = {65: 62.68e-3, 80: 77.92e-3, 100: 102.26e-3, 50: 52.48e-3, 40: 40.94e-3}
    area = 3.141592653589793 / 4.0 * bores[unit.connection_dn] ** 2
    assert unit.water_m3_s / area <= 1.5
    smaller = max(bore for dn, bore in bores.items() if dn < unit.connection_dn)
    assert unit.water_m3_s / (3.141592653589793 / 4.0 * smaller**2) > 1.5


def test_doors_are_one_for_each_rack_and_one_may_fail() -> None:
    found = room("cooling.air.terminal=active-rear-door")
    racks = sum(row.count for row in found.racks)
    (door,) = (unit for unit in found.units if unit.name == "rear door")
    assert door.installed == racks == found.results["air.doors"].si
    assert not fails(found, "AIR-DOOR-LOST")
    passive = room("cooling.air.terminal=rear-door")
    assert fails(passive, "AIR-SERVER-FANS")
    drawn = sum(row.count * row.airflow_m3_s for row in passive.racks)
    most_w = drawn * 25.0 / 0.35
    assert 0.0 < passive.results["air.doors.server_fan_power"].si <= most_w * (1.0 + 1e-9)


def test_study_needs_no_trace_of_the_design() -> None:
    found = design_of(HALL)
    alone = room_air(found.facility, found.cooling, found.cooling_flow, found.point.heat)
    values: dict[str, Any] = {key: value.si for key, value in alone.results.items()}
    assert values == {key: value.si for key, value in found.room_air.results.items()}


# --- sensors ----------------------------------------------------------------------------------


def test_sensors_of_a_hall() -> None:
    found = room()
    inlet, dew, *rest = found.sensors
    racks = sum(rack.count for rack in design_of(HALL).facility.it.racks)
    per_row = -(-racks // 9) if racks % 9 else racks // 9
    assert inlet.count == 3 * per_row * 3
    assert dew.count == cold_aisles(3) == 2
    assert found.results["air.sensors"].si == sum(row.count for row in found.sensors)
    assert all(row.rule and row.source.id for row in (inlet, dew, *rest))
