"""Cases of the cooling: pipes, fittings, chillers at low load, CDUs, the dew point."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from facility.cooling.air.air_side import supply_air
from facility.cooling.air.crah import CrahFit, _electrical_units
from facility.cooling.air.rack_limits import AIR_DENSITY_W
from facility.cooling.chain.design_checks import design_checks
from facility.cooling.hydraulics.study import _checks as loop_checks
from facility.cooling.liquid.facility_water import size_facility_water, water_need
from facility.cooling.loops.loop import _fittings
from facility.cooling.parts.cdu import CduDesign, size_cdus
from facility.cooling.parts.pumping import LoopPump
from facility.cooling.plant.rejection import SinkWater, coldest_water, reject
from facility.cooling.plant.sinks import _density_ratio, design_leaving
from facility.core.check import Check
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.chain import FacilityWaterPlan
from facility.model.cooling.units import HydraulicsPlan
from facility.model.facility import Weather
from facility.physics.liquids.pipes import darcy_friction
from facility.physics.plant.chiller.curves import EirCurves
from tests.cooling.helpers import AIR, LIQUID, WARM, Case, case
from tests.hand import registry
from tests.study.helpers import reference

ONE = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
CHILLER = EirCurves(
    "flat", 1e6, 5.0, ONE, ONE, (0.2, 0.8, 0.0), (4.0, 20.0), (15.0, 40.0), (0.2, 1.0)
)


def _liquid() -> Case:
    return case(LIQUID, "{method: hybrid}")


@registry.case("fittings-of-a-stretch")
def _() -> float:
    plan = reference("nvl72-hall").facility.cooling.hydraulics
    each = {
        "elbow 90 degrees": 30.0,
        "tee, branch": 60.0,
        "tee, through": 20.0,
        "butterfly valve": 45.0,
        "check valve": 100.0,
    }
    return float(_fittings(50.0, replace(plan, fittings=each, elbow_spacing_m=10.0)))


@registry.case("friction-between-laminar-and-turbulent")
def _() -> float:
    return float(darcy_friction.si(3000.0, 0.0))


@registry.case("friction-at-the-end-of-laminar")
def _() -> float:
    return float(darcy_friction.si(2000.0, 0.0))


@registry.case("friction-where-turbulence-begins")
def _() -> float:
    return float(darcy_friction.si(4000.0, 0.0))


@registry.case("chiller-below-its-least-load")
def _() -> float:
    return CHILLER.at(7.0, 30.0, 0.1).power_w


@registry.case("chiller-hours-below-its-least-load")
def _() -> float:
    return float(CHILLER.over_hours(7.0, 30.0, 1e5).power_w)


@registry.case("chiller-at-half-load")
def _() -> float:
    return CHILLER.at(7.0, 30.0, 0.5).power_w


@registry.case("cdu-approach-at-its-rating")
def _() -> float:
    """Racks of the rated capacity less the pumps, at rated flows: rated approach, per rated K."""
    chain = _liquid().chain
    assert chain.cdu is not None
    assert chain.facility_water is not None
    unit = chain.cdu.unit
    plan = replace(chain.cdu, fluid=unit.tcs_fluid, tcs_supply_c=unit.tcs_supply_c)
    water = replace(
        chain.facility_water,
        fluid=unit.fws_fluid,
        rise_k=None,
        supply_c=unit.tcs_supply_c - 1.01 * unit.approach_k,
    )
    one = size_cdus(plan, water, unit.capacity_w - unit.pump_w, unit.tcs_flow_m3_s, 0)
    return one.sizing_approach(1) / unit.approach_k


@registry.case("cdu-pump-heat-reaches-the-water")
def _() -> float:
    """Heat of the facility water less that of the racks, over the power of both pumps."""
    found = reference("nvl72-hall")
    power, heat_w = found.cooling_flow.power, found.cooling_flow.facility_water_w
    return float((heat_w - found.it.liquid_w) / (power.cdu_pumps_w + power.fws_pumps_w))


@registry.case("cdu-pump-heat-at-half-flow")
def _() -> float:
    """Heat of two pumps of 10 kW that share the rated flow of one, beside the heat of the racks."""
    return _with_pumps_of_10_kw()[1].sizing_heat(2) - 100e3


@registry.case("cdu-pump-heat-with-the-spare-lost")
def _() -> float:
    """The facility water is sized on the one that is left at its rated flow, not on the two."""
    plan, cdus, pipes = _with_pumps_of_10_kw()
    return water_need(plan, replace(cdus, installed=2), pipes).design_w - 100e3


def _with_pumps_of_10_kw() -> tuple[FacilityWaterPlan, CduDesign, HydraulicsPlan]:
    """Return a loop, and one CDU at its rated flow that takes 100 kW."""
    chain = _liquid().chain
    assert chain.cdu is not None
    assert chain.facility_water is not None
    plan = replace(chain.cdu, unit=replace(chain.cdu.unit, pump_w=10e3))
    cdus = size_cdus(plan, chain.facility_water, 100e3, plan.unit.tcs_flow_m3_s, 0)
    return chain.facility_water, cdus, chain.hydraulics


def _dew(supply_over_dew_k: float) -> Check:
    one = _liquid()
    design = one.sized()
    assert one.chain.cdu is not None
    cdu = replace(one.chain.cdu, tcs_supply_c=one.chain.room_dew_point_c + supply_over_dew_k)
    changed = replace(design, chain=replace(one.chain, cdu=cdu))
    checks = [c for c in design_checks(changed) if c.rule == "DEW-POINT" and c.subject == "coolant"]
    return checks[0]


@registry.case("coolant-over-the-dew-point")
def _() -> float:
    found = _dew(10.0)
    assert found.limit is not None
    return found.limit - _liquid().chain.room_dew_point_c


@registry.case("coolant-at-the-margin-passes")
def _() -> float:
    return float(_dew(2.0).failed)


@registry.case("coolant-under-the-margin-fails")
def _() -> float:
    return float(_dew(1.9).failed)


def _units(electrical: int, chillers: int) -> tuple[Check, ...]:
    """Return the checks of dgx-su-32, N+1 of one, with so many units installed."""
    design = reference("dgx-su-32").cooling
    crah = replace(design.crah, electrical_installed=electrical)
    chilled = replace(design.chilled, installed=chillers)
    assert (crah.electrical_duty, chilled.duty) == (1, 1)
    return design_checks(replace(design, crah=crah, chilled=chilled))


@registry.case("electrical-crahs-left-of-two")
def _() -> float:
    return next(float(c.limit or 0.0) for c in _units(2, 2) if "electrical rooms" in c.subject)


@registry.case("chillers-left-of-two")
def _() -> float:
    (limit_w,) = (float(c.limit or 0.0) for c in _units(2, 2) if c.rule == "CHILLER-CAPACITY")
    return limit_w / reference("dgx-su-32").cooling.chilled.capacity_w


@registry.case("chillers-left-of-three")
def _() -> float:
    (limit_w,) = (float(c.limit or 0.0) for c in _units(2, 3) if c.rule == "CHILLER-CAPACITY")
    return limit_w / reference("dgx-su-32").cooling.chilled.capacity_w


def _leaving(kind: str, wet_c: float, recirculation_k: float) -> float:
    plan = SimpleNamespace(kind=kind, approach_k=8.0, water_ratio=1.0, pads=None)
    return design_leaving(plan, 5.6, Weather(35.0, wet_c, 101325.0), recirculation_k)  # type: ignore[arg-type]


@registry.case("tower-air-that-comes-back")
def _() -> float:
    return _leaving("tower", 20.0, 1.0) - _leaving("tower", 21.0, 0.0)


@registry.case("dry-cooler-air-that-comes-back")
def _() -> float:
    return _leaving("dry_cooler", 20.0, 1.0)


@registry.case("facility-water-below-the-exchanger")
def _() -> float:
    """What the sink of the facility water must make, under the supply of the CDUs."""
    one = case(WARM, "{method: hybrid, facility_water: {source: dry_cooler, fluid: water}}")
    design = one.sized()
    assert design.water is not None
    assert design.cdus is not None
    plan = replace(design.water.plan, exchanger_approach_k=2.0, trim=False)
    water = size_facility_water(
        plan, design.cdus, Weather(20.0, 15.0, 101325.0), 1.0, 0, one.chain.hydraulics
    )
    assert water.sink is not None
    return plan.supply_c - (water.sink.air_c + water.sink.approach_k)


@registry.case("dry-cooler-fans-at-altitude")
def _() -> float:
    """Density in which the fans work: at 80 kPa and 15 K over the rating, of that at the rating."""
    unit = replace(case(AIR).chain.chilled_water.sink.unit, air_in_c=26.85)
    return _density_ratio(unit, 41.85, 80e3)


def _fit(**stub: float) -> CrahFit:
    """Return the air handlers of a small room whose coil takes a stated heat."""
    one = case(AIR)
    coil = SimpleNamespace(second_w_k=1e9, heat=lambda air_w_k, *_: stub.get("coil_w", air_w_k))
    heat = replace(one.heat(), electrical_room_w=stub.get("electrical_w", 0.0))
    air = supply_air(one.chain, one.site.design.pressure_pa, Trace())
    unit = replace(one.chain.crah.unit, fan_w=stub.get("fan_w", one.chain.crah.unit.fan_w))
    path = replace(one.chain.crah.path, electrical_unit=unit)
    chain = replace(one.chain, crah=replace(one.chain.crah, unit=unit, path=path))
    return CrahFit(chain, coil, air, heat, 18.0, 8.0)  # type: ignore[arg-type]


@registry.case("electrical-crahs-less-their-fans")
def _() -> float:
    """A coil of 20 kW with a fan of 2 kW in it: 18 kW for the room of 19 kW."""
    return float(_electrical_units(_fit(coil_w=20e3, fan_w=2e3, electrical_w=19e3)))


@registry.case("crah-air-no-more-than-rated")
def _() -> float:
    """Half the units that the air asks for: each takes what its rated air carries."""
    fit = _fit()
    units = max(1, fit.units_for_air() // 2)
    flow = fit.chain.crah.unit.air_flow_m3_s / fit.air.volume_m3_kg
    return fit.capacity(units, fit.at(units)) / (units * flow * fit.air.specific_heat_j_kgk)


@registry.case("crahs-for-the-air-rounded-up")
def _() -> float:
    """Units for air that is 2.2 times the rated flow of one."""
    fit = _fit()
    unit = replace(fit.chain.crah.unit, air_flow_m3_s=fit.at(1).supply_flow_m3_s / 2.2)
    chain = replace(fit.chain, crah=replace(fit.chain.crah, unit=unit))
    return float(replace(fit, chain=chain).units_for_air())


@registry.case("pump-curve-is-one-at-full-flow")
def _() -> float:
    """Power at full flow with a curve that ends at 2, over that with one that ends at 1."""
    plan = case(AIR).chain.chilled_water.pump
    powers = [
        LoopPump.sized(replace(plan, curve=(0.0, 0.0, 0.0, end)), 0.1, 2e5).power_at(
            "plant.chw", 0.1, Trace()
        )
        for end in (2.0, 1.0)
    ]
    return powers[0] / powers[1]


@registry.case("tower-at-work-in-air-that-comes-back")
def _() -> float:
    """Coldest water with 1 K of recirculation less that in air of 1 K more: none."""
    sink = SimpleNamespace(plan=SimpleNamespace(kind="tower", water_ratio=1.0))
    found = [
        coldest_water(sink, 5.0, Weather(30.0, wet_c, 101325.0), warmer_k)  # type: ignore[arg-type]
        for wet_c, warmer_k in ((20.0, 1.0), (21.0, 0.0))
    ]
    return found[0] - found[1]


@registry.case("rack-at-the-limit-of-air-passes")
def _() -> float:
    one = case(AIR)
    racks = (replace(one.chain.racks[0], air_w=AIR_DENSITY_W),)
    design = one.sized()
    found = design_checks(replace(design, chain=replace(one.chain, racks=racks)))
    return float(next(c for c in found if c.rule == "AIR-DENSITY-LIMIT").failed)


def _rejected(times: float, part: float) -> float:
    """Return the power of the tower fans at a multiple of the range and a part of the heat."""
    sink, trace = reference("dgx-su-32").cooling.chilled.sink, Trace()
    trace.given("heat", part * sink.heat_w, "heat_flow", DERIVED)
    trace.given("x.water", 25.0, "temperature", DERIVED)
    return reject(sink, "x", "heat", times * sink.range_k, SinkWater(25.0, 1.0), trace).fans_w


@registry.case("tower-cells-by-their-water")
def _() -> float:
    """All heat at twice the range over half of it at the range of the design: equal water."""
    return _rejected(2.0, 1.0) / _rejected(1.0, 0.5)


@registry.case("fastest-of-two-stretches")
def _() -> float:
    """A main, and behind it as thin a pipe with twice the flow: over the velocity of the main."""
    found = reference("dgx-su-32")
    row = next(one for one in found.hydraulics.loops if one.name == "chw")
    faster = replace(row.main, flow_m3_s=2.0 * row.main.flow_m3_s)
    row = replace(row, stretches=(row.main, faster))
    checks = loop_checks((row,), found.cooling.chain.hydraulics, None, None)
    value = next(float(c.value or 0.0) for c in checks if c.rule == "PIPE-VELOCITY")
    return value / row.flows[0].velocity_m_s
