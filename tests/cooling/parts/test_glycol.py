"""Machines rated with water on loops of glycol: against published factors, ht and CoolProp."""

from __future__ import annotations

from dataclasses import replace

import ht
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.cooling.parts.cdu import approach_by_flow
from facility.cooling.parts.exchanger import rated
from facility.cooling.parts.fluids import film_ratio, reynolds_ratio
from facility.cooling.plant.sinks import size_sink
from facility.core.sources import Source
from facility.model.cooling.units import DryCoolerUnit
from facility.model.facility import Weather
from facility.physics.liquids.coolant import film_coefficient_ratio, pressure_drop_ratio
from facility.study.resolve.cooling.parts import known_fluid
from tests.study.helpers import reference

_OUTDOORS = ("cooling.plant.heat_rejection=air_cooled",)


def properties(fluid: str, at_c: float) -> tuple[float, float, float, float]:
    """Return conductivity, specific heat, viscosity and density by CoolProp."""
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI
    found = [props(name, "T", at_c + 273.15, "P", 2e5, fluid) for name in "LCVD"]
    return found[0], found[1], found[2], found[3]


@pytest.mark.parametrize(("name", "part"), [("PG25", 0.26), ("PG40", 0.41), ("PG50", 0.51)])
@pytest.mark.parametrize("at_c", [10.0, 20.0])
def test_the_reynolds_number_is_that_of_coolprop(name: str, part: float, at_c: float) -> None:
    """By mass there, by volume here: within 15 %, as far as their viscosities are apart."""
    _, specific_heat, viscosity, _ = properties(f"INCOMP::MPG[{part}]", at_c)
    _, of_water, water, _ = properties("Water", at_c)
    expected = of_water * water / (specific_heat * viscosity)
    found = reynolds_ratio(known_fluid(name), known_fluid("water"), at_c)
    assert found == pytest.approx(expected, rel=0.15)


@given(part=st.floats(0.05, 0.5), at_c=st.floats(5.0, 45.0))
def test_the_film_is_that_of_ht(part: float, at_c: float) -> None:
    """Dittus-Boelter of both at a capacity rate of 1 kW/K in a pipe of 20 mm."""

    def film(fluid: str) -> float:
        k, cp, mu, _ = properties(fluid, at_c)
        reynolds = 1e3 / cp / 3.1416e-4 * 0.02 / mu
        return float(ht.conv_internal.turbulent_Dittus_Boelter(reynolds, cp * mu / k) * k)

    glycol = f"INCOMP::MPG[{part}]"
    theirs = film(glycol) / film("Water")
    ours = film_coefficient_ratio.si(*properties(glycol, at_c)[:3], *properties("Water", at_c)[:3])
    assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("volume", "mass", "factor"),
    [(10, 0.110, 0.98), (20, 0.218, 0.94), (30, 0.323, 0.89), (40, 0.426, 0.83)],
)
def test_a_coil_with_ethylene_glycol_loses_what_its_maker_says(
    volume: int, mass: float, factor: float
) -> None:
    """Airedale Ultima V50CW: 57.8 kW from 24 degC air, 7 to 12 degC water, equal films."""
    water_w_k = 57.8e3 / 5.0
    coil = rated("finned coil", 57.8e3, 4900.0, water_w_k, 17.0, 1.0, "test")
    mean_c = 9.5
    film = film_coefficient_ratio.si(
        *properties(f"INCOMP::MEG[{mass}]", mean_c)[:3], *properties("Water", mean_c)[:3]
    )
    with_glycol = replace(coil, second_fluid=film).heat(4900.0, water_w_k, 24.0, 7.0)
    assert with_glycol / 57.8e3 == pytest.approx(factor, abs=0.03)


@pytest.mark.parametrize(
    ("mass", "flow", "factor"),
    [(0.1, 1.003, 1.078), (0.2, 1.0, 1.157), (0.3, 0.992, 1.288), (0.4, 0.982, 1.414),
     (0.5, 0.985, 1.605)],
)  # fmt: skip
def test_an_evaporator_drops_what_its_maker_says(mass: float, flow: float, factor: float) -> None:
    """Johnson Controls 150.26-EG1, propylene glycol; their turbulence is a little fuller."""
    glycol, water = properties(f"INCOMP::MPG[{mass}]", 9.5), properties("Water", 9.5)
    ours = pressure_drop_ratio.si(glycol[3], glycol[2], water[3], water[2]) * flow**1.75
    assert ours == pytest.approx(factor, rel=0.08)


@pytest.mark.parametrize(("fluid", "least"), [("PG20", 0.963), ("PG30", 0.930), ("PG40", 0.887)])
def test_a_chiller_loses_no_more_than_its_maker_says(fluid: str, least: float) -> None:
    """COP over that with water: from a tenth of what 150.26-EG1 takes off to all of it."""
    found = [
        reference("dgx-su-32", *_OUTDOORS, f"cooling.plant.fluid={one}").cooling_flow.chiller_cop
        for one in ("water", fluid)
    ]
    assert least < found[1] / found[0] < 1.0 - 0.1 * (1.0 - least)


def test_glycol_reaches_every_rating_of_its_loop() -> None:
    """Coils, chillers and pumps: what any one of them lost would be bought in another."""
    water, glycol = (
        reference("dgx-su-32", *_OUTDOORS, f"cooling.plant.fluid={one}")
        for one in ("water", "PG40")
    )
    assert glycol.cooling.crah.coil.second_w_k == water.cooling.crah.coil.second_w_k
    assert glycol.cooling.crah.remaining_capacity_w < water.cooling.crah.remaining_capacity_w
    assert glycol.cooling_flow.chiller_cop < water.cooling_flow.chiller_cop
    assert glycol.cooling_flow.chw_flow_m3_s > water.cooling_flow.chw_flow_m3_s
    heads = [one.cooling.chilled.loop.head_pa for one in (water, glycol)]
    assert heads[1] > heads[0]


@pytest.mark.parametrize("name", ["dgx-su-32", "mixed-hall"])
def test_an_open_rise_keeps_the_flow_of_the_coils(name: str) -> None:
    """Air handlers grow as their coils shrink: 0.83 and less by the makers, not many times over."""
    design = reference(name, *_OUTDOORS, "cooling.plant.fluid=PG50")
    watered = reference(name, *_OUTDOORS, "cooling.plant.fluid=water")
    unit = watered.cooling.chain.crah.unit
    assert watered.cooling.chilled.plan.rise_k == unit.water_out_c - unit.water_in_c
    assert design.cooling.chilled.plan.rise_k < 0.83 * watered.cooling.chilled.plan.rise_k
    duty, with_water = design.cooling.crah.duty, watered.cooling.crah.duty
    assert with_water < duty <= 1.5 * with_water


@pytest.mark.parametrize(("fluid", "part"), [("PG25", 0.25), ("PG50", 0.5)])
def test_a_cdu_with_glycol_has_the_approach_of_ht(fluid: str, part: float) -> None:
    """XDU1350: 1,368 kW at 4 K with 1,200 L/min of PG25 and of water, equal films.

    Counterflow; Dittus-Boelter of both fluids at 36 degC; properties of the loops at their means.
    """
    heat_w, flow_m3_s = 1368e3, 0.02
    found = reference("nvl72-hall").cooling
    assert found.water is not None
    plan = found.water.cdus.plan
    plan = replace(plan, unit=replace(plan.unit, pump_w=0.0), count=None)
    water, glycol = properties("Water", 36.0), properties(f"INCOMP::AL[{part}]", 36.0)
    coolant = properties("INCOMP::AL[0.25]", 36.0)

    def rate(of: tuple[float, float, float, float]) -> float:
        return flow_m3_s * of[3] * of[1]

    def span(conductance_w_k: float, second_w_k: float) -> float:
        least, most = sorted((rate(coolant), second_w_k))
        eps = ht.effectiveness_from_NTU(conductance_w_k / least, least / most, "counterflow")
        return heat_w / (eps * least) - heat_w / rate(coolant)

    least, most = sorted((rate(coolant), rate(water)))
    eps = heat_w / (least * (4.0 + heat_w / rate(coolant)))
    rated_w_k = least * ht.NTU_from_effectiveness(eps, least / most, "counterflow")

    def film(of: tuple[float, float, float, float]) -> float:
        reynolds = flow_m3_s * of[3] / of[2]
        nusselt = ht.conv_internal.turbulent_Dittus_Boelter(reynolds, of[1] * of[2] / of[0])
        return float(nusselt * of[0])

    conductance = rated_w_k * 2.0 / (1.0 + film(water) / film(glycol))
    loop = replace(found.water.plan, fluid=known_fluid(fluid), supply_c=36.0, rise_k=None)
    ours = approach_by_flow(plan, loop, heat_w, flow_m3_s)
    assert ours == pytest.approx(span(conductance, rate(glycol)), rel=0.03)


def test_coolant_follows_facility_water_with_glycol() -> None:
    """Dry coolers with PG25 in Phoenix on a mild day: the approach is that of their glycol."""
    sets = ("site.station=phoenix", "site.design_dry_bulb=30 degC",
            "cooling.facility_water.source=dry_cooler",
            "cooling.facility_water.supply=36 degC")  # fmt: skip
    found = reference("nvl72-hall", *sets)
    cdus = found.cooling.cdus
    assert cdus is not None
    assert found.facility.cooling.facility_water.fluid.name == "PG25"
    assert cdus.plan.tcs_supply_c - 36.0 > cdus.plan.unit.approach_k + 0.3
    assert cdus.approach_k <= cdus.plan.tcs_supply_c - 36.0
    assert film_ratio(known_fluid("PG25"), known_fluid("water"), 36.0) < 1.0


def test_no_cdu_is_added_for_what_colder_water_does_to_its_films() -> None:
    sets = ("site.station=san-francisco", "it.gpus=1152", "criteria.liquid_class=W45",
            "cooling.facility_water.fluid=PG50")  # fmt: skip
    found = reference("nvl72-hall", *sets).cooling
    assert found.water is not None
    cdus, water = found.water.cdus, found.water.plan
    assert cdus.plan.tcs_supply_c == 45.0
    needed_k = approach_by_flow(cdus.plan, water, cdus.design_w, cdus.tcs_flow_m3_s)
    assert needed_k <= 45.0 - water.supply_c < needed_k + 0.1


@pytest.mark.parametrize("rise_k", [15.0, 20.0])
def test_open_facility_water_is_as_cold_as_a_stated_rise_asks_for(rise_k: float) -> None:
    """XDU1350 as rated: 4 K at 1,368 kW and 1,200 L/min of both; films go with flow^0.8."""
    rise = f"cooling.facility_water.delta_t={rise_k} K"
    found = reference("nvl72-hall", "criteria.liquid_class=W45", rise).cooling
    assert found.water is not None
    cdus, supply_c = found.water.cdus, found.water.plan.supply_c
    _, coolant_j_kgk, _, coolant_kg_m3 = properties("INCOMP::AL[0.25]", 50.0)
    _, water_j_kgk, _, water_kg_m3 = properties("Water", 45.0)
    tcs_w_m3k, fws_w_m3k = coolant_j_kgk * coolant_kg_m3, water_j_kgk * water_kg_m3
    least, most = sorted((0.02 * tcs_w_m3k, 0.02 * fws_w_m3k))
    eps = 1368e3 / (least * (4.0 + 1368e3 / (0.02 * tcs_w_m3k)))
    rated_w_k = least * ht.NTU_from_effectiveness(eps, least / most, "counterflow")
    heat_w = cdus.sizing_heat(cdus.duty) / cdus.duty
    tcs, fws = (flow / cdus.duty for flow in (cdus.tcs_flow_m3_s, cdus.fws_flow_m3_s))
    films = (tcs / 0.02) ** -0.8 + (fws / 0.02) ** -0.8
    conductance_w_k = 2.0 * rated_w_k / films
    least, most = sorted((tcs * tcs_w_m3k, fws * fws_w_m3k))
    eps = ht.effectiveness_from_NTU(conductance_w_k / least, least / most, "counterflow")
    needed_k = heat_w / (eps * least) - heat_w / (tcs * tcs_w_m3k)
    assert needed_k == pytest.approx(cdus.approach_k, rel=0.02)
    assert cdus.approach_k <= cdus.plan.tcs_supply_c - supply_c < cdus.approach_k + 0.2
    assert cdus.plan.tcs_supply_c == 45.0


def test_dry_coolers_of_any_size_are_near_a_selection() -> None:
    """BAC TDFS1238N-C60ET30B with water: 2,514.5 kW, 50 to 40 degC in 36.2 degC, 89.48 kW of fans.

    A report of the maker's selection program, at second hand; a variant of the default with smaller
    fans, so that the default takes some more.
    """
    unit = DryCoolerUnit("BAC", 2931e3, 35.0, 46.11, 40.55, 117.68e3, 0.5, True, Source("test"))
    plan = replace(reference("dgx-su-32").cooling.chain.chilled_water.sink, kind="dry_cooler",
                   unit=unit, pump=None, fluid=known_fluid("water"))  # fmt: skip
    weather = Weather(36.2, 20.0, 101325.0)
    sink = size_sink(plan, 2514.5e3, 40.0, 10.0, weather, 0.0, 0, ("here", "", None))
    assert 1.0 < sink.fan_w / 89.48e3 < 1.2
