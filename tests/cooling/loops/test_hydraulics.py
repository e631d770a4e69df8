"""Hydraulics of the loops: pipes against fluids, loops against themselves."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import fluids
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.cooling.hydraulics.study import Hydraulics
from facility.cooling.loops.loop import (
    LoopLiquid,
    LoopRow,
    Stretch,
    expansion_of,
    laid_out,
    loop_liquid,
    part_of,
)
from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, load_project
from facility.model.cooling.units import HydraulicsPlan, PipeSize, RatedDrop
from facility.study.design.design import Design, design
from facility.study.explained import explain_result
from facility.study.resolve.cooling.hydraulics import component_drops
from facility.study.resolve.cooling.parts import known_fluid
from tests.study.fields import AIR, LIQUID
from tests.study.helpers import PROJECTS, checks_of, design_of, reference
from tests.tools.weather_forms import epw_lines

FLUIDS = st.sampled_from(["water", "PG25", "PG25 mass", "EG25 mass"])
DRY = (
    "criteria.liquid_class=W45",
    "cooling.facility_water.source=dry_cooler",
    "cooling.facility_water.fluid=PG25",
)
COIL = ("cooling.economizer.kind=integrated-water-side", "cooling.plant.heat_rejection=air_cooled")


def plan_of() -> HydraulicsPlan:
    return reference("nvl72-hall").facility.cooling.hydraulics


def loops_of(found: Design) -> dict[str, LoopRow]:
    return {row.name: row for row in found.hydraulics.loops}


@given(
    FLUIDS,
    st.floats(10.0, 55.0),
    st.floats(0.02, 0.9),
    st.floats(1.0, 800.0),
    st.floats(1.5e-6, 5e-4),
    st.floats(0.2, 4.0),
)
def test_a_pipe_is_that_of_fluids(
    name: str, mean_c: float, inside_m: float, length_m: float, roughness_m: float, v_m_s: float
) -> None:
    liquid = loop_liquid(known_fluid(name), mean_c - 2.0, mean_c + 2.0, "test")
    flow = v_m_s * math.pi / 4.0 * inside_m**2
    pipe = Stretch("x", PipeSize(0, inside_m), 1, flow, length_m, 1, roughness_m, 0.0)
    reynolds = fluids.Reynolds(
        V=v_m_s, D=inside_m, rho=liquid.density_kg_m3, mu=liquid.viscosity_pa_s
    )
    assert pipe.flow(liquid).reynolds == pytest.approx(reynolds, rel=1e-9)
    if reynolds > 4000.0:
        drop = fluids.one_phase_dP(
            m=flow * liquid.density_kg_m3,
            rho=liquid.density_kg_m3,
            mu=liquid.viscosity_pa_s,
            D=inside_m,
            roughness=roughness_m,
            L=length_m,
        )
        assert pipe.flow(liquid).straight_pa == pytest.approx(drop, rel=1e-6)


@given(st.floats(0.0, 500.0), st.floats(0.02, 0.9), st.floats(0.2, 4.0))
def test_fittings_take_their_length_of_fully_turbulent_pipe(
    over: float, inside_m: float, v_m_s: float
) -> None:
    liquid = loop_liquid(known_fluid("water"), 10.0, 20.0, "test")
    flow = v_m_s * math.pi / 4.0 * inside_m**2
    pipe = Stretch("x", PipeSize(0, inside_m), 1, flow, 10.0, 1, 45e-6, over)
    turbulent = fluids.friction_factor(Re=1e9, eD=45e-6 / inside_m)
    expected = fluids.dP_from_K(K=turbulent * over, rho=liquid.density_kg_m3, V=v_m_s)
    assert pipe.flow(liquid).fittings_pa == pytest.approx(expected, rel=1e-6)


@given(FLUIDS, st.floats(1e-4, 3.0))
def test_the_pipe_chosen_is_the_smallest_within_the_limits(name: str, flow_m3_s: float) -> None:
    plan = plan_of()
    liquid = loop_liquid(known_fluid(name), 20.0, 30.0, "test")
    found = laid_out("main", flow_m3_s, 100.0, liquid, plan)
    assert found.flow(liquid).velocity_m_s <= plan.velocity_max_m_s
    assert found.flow(liquid).straight_pa / 100.0 <= plan.gradient_max_pa_m
    smaller = [size for size in plan.sizes if size.inside_m < found.size.inside_m]
    if smaller:
        less = replace(found, size=smaller[-1])
        assert (
            less.flow(liquid).velocity_m_s > plan.velocity_max_m_s
            or less.flow(liquid).straight_pa / 100.0 > plan.gradient_max_pa_m
        )
    if found.pipes > 1:
        fewer = replace(found, pipes=found.pipes - 1, size=plan.sizes[-1])
        assert (
            fewer.flow(liquid).velocity_m_s > plan.velocity_max_m_s
            or fewer.flow(liquid).straight_pa / 100.0 > plan.gradient_max_pa_m
        )


def test_a_flow_that_no_pipe_takes_is_refused() -> None:
    plan = replace(plan_of(), velocity_max_m_s=0.01)
    liquid = loop_liquid(known_fluid("water"), 20.0, 30.0, "test")
    with pytest.raises(FacilityError) as caught:
        laid_out("main", 5.0, 100.0, liquid, plan)
    assert caught.value.code == "PIPE_TOO_SMALL"


@pytest.mark.parametrize("name", PROJECTS)
@settings(max_examples=25)
@given(low=st.floats(0.05, 1.5), more=st.floats(0.0, 1.0))
def test_more_flow_never_lowers_a_head(name: str, low: float, more: float) -> None:
    found = reference(name)
    exponents = {n: c.exponent for n, c in found.facility.cooling.hydraulics.components.items()}
    for row in found.hydraulics.loops:

        def head_at(ratio: float, row: LoopRow = row) -> float:
            pipes = (replace(s, flow_m3_s=ratio * s.flow_m3_s) for s in row.stretches)
            parts = (
                replace(p, drop_pa=p.drop_pa * ratio ** exponents.get(p.name, 2.0))
                for p in row.parts
            )
            return replace(row, stretches=tuple(pipes), parts=tuple(parts)).head_pa

        assert head_at(low + more) >= head_at(low) - 1e-9


@pytest.mark.parametrize("name", PROJECTS)
def test_the_head_is_the_sum_of_its_steps(name: str) -> None:
    found = reference(name)
    for row in found.hydraulics.loops:
        key = f"loop.{row.name}.head"
        assert found.hydraulics.trace.value(key) == pytest.approx(row.head_pa, rel=1e-12)
        assert float(found.all_results[key].si) == found.hydraulics.trace.value(key)
        parts = sum(part.drop_pa for part in row.parts)
        pipes = sum(flow.straight_pa + flow.fittings_pa for flow in row.flows)
        assert row.head_pa == pytest.approx(parts + pipes, rel=1e-12)


@pytest.mark.parametrize("name", PROJECTS)
def test_every_result_of_a_loop_can_be_explained(name: str) -> None:
    found = reference(name)
    for key in found.hydraulics.results:
        assert explain_result(found, key)[0].startswith(key)


@pytest.mark.parametrize("name", PROJECTS)
def test_the_heat_of_each_loop_closes(name: str) -> None:
    found = reference(name)
    flow, rows = found.cooling_flow, loops_of(found)
    heats = {"chw": flow.coils_w + flow.electrical_coils_w + flow.doors_w + flow.fresh_w}
    if "fws" in rows:
        heats["fws"] = flow.facility_water_w
        pumps_w = flow.power.cdu_pumps_w
        heats["tcs"] = found.point.heat.liquid_it_w + pumps_w
        heats["chw"] += flow.fws_chilled_w
    for key, heat_w in heats.items():
        assert rows[key].heat_w == pytest.approx(heat_w, rel=0.01), key


def test_a_coolant_loop_in_the_rack_has_no_header() -> None:
    names = {
        mount: [
            s.name
            for s in loops_of(design_of(LIQUID, f"cooling.liquid.cdu_mount={mount}"))[
                "tcs"
            ].stretches
        ]
        for mount in ("in-rack", "in-row")
    }
    assert names["in-rack"] == ["hoses of a rack"]
    assert names["in-row"] == ["header along a row", "hoses of a rack"]


def test_a_head_beyond_the_pumps_is_found() -> None:
    route, head = "cooling.hydraulics.plant_route=2000 m", "cooling.plant.pump.head=224 kPa"
    far = design_of(LIQUID, route, head)
    failed = {(c.rule, c.subject) for c in far.hydraulics.checks if c.failed}
    assert ("LOOP-HEAD", "chilled water") in failed
    long = design_of(LIQUID, "cooling.cdu.model=XDU1350", "cooling.hydraulics.tcs_route=300 m")
    assert ("TCS-HEAD", "coolant (TCS)") in {
        (c.rule, c.subject) for c in long.hydraulics.checks if c.failed
    }


def test_glycol_outdoors_is_checked_against_the_coldest_air() -> None:
    found: Hydraulics = design_of(LIQUID, *DRY).hydraulics
    row = found.loop("fws")
    assert row is not None
    assert row.outdoors
    (check,) = [c for c in found.checks if c.rule == "COOLANT-FREEZE"]
    assert check.failed
    assert check.value == pytest.approx(-25.7)  # Dulles, 20-year minimum of its record
    assert check.limit == pytest.approx(-10.1)  # PG25 by volume, CoolProp


@pytest.mark.parametrize(
    ("station", "header", "outcome", "value_c"),
    [
        ("fargo", "told", Outcome.FAIL, -37.7),  # 20-year minimum of its header
        ("fargo", "empty", Outcome.FAIL, -32.2),  # coldest hour of the same file
        ("miami", "told", Outcome.PASS, -0.7),
        ("miami", "empty", Outcome.NOT_EVALUATED, None),  # 20 years may be colder than the record
    ],
)
def test_a_record_without_extremes_freezes_at_its_coldest_hour(
    station: str, header: str, outcome: Outcome, value_c: float | None, tmp_path: Path
) -> None:
    lines = epw_lines(station)
    if header == "empty":
        lines[1] = "DESIGN CONDITIONS,0"
    (tmp_path / "site.epw").write_text("\n".join(lines))
    site = "weather_file: site.epw, design_dry_bulb: 35 degC, design_wet_bulb: 25 degC"
    (tmp_path / "p.yaml").write_text(LIQUID.replace("station: ashburn", site))
    found = design(apply_sets(load_project(tmp_path / "p.yaml"), DRY))
    (check,) = checks_of(found, "COOLANT-FREEZE")
    assert check.outcome is outcome
    assert check.value == (None if value_c is None else pytest.approx(value_c))
    assert ("coldest hour of the weather record" in check.why) is (header == "empty")


def test_chilled_water_in_a_coil_outdoors_is_checked_against_the_coldest_air() -> None:
    free = ("cooling.economizer.kind=integrated-water-side",)
    coil = (*COIL, "cooling.plant.fluid=water")
    (check,) = checks_of(design_of(AIR, "site.station=fargo", *coil), "COOLANT-FREEZE")
    assert (check.failed, check.subject, check.limit) == (True, "chilled water", 0.0)
    assert "cooling.plant.heat_rejection" in check.remedy
    assert "cooling.plant.fluid" in check.remedy
    (held,) = checks_of(design_of(AIR, "site.station=san-francisco", *coil), "COOLANT-FREEZE")
    assert held.subject == "chilled water"
    behind = design_of(AIR, "site.station=fargo", *free, "cooling.plant.heat_rejection=dry_cooler")
    assert "chilled water" not in {c.subject for c in checks_of(behind, "COOLANT-FREEZE")}


def test_evaporators_outdoors_are_checked_without_an_economizer() -> None:
    sets = ("cooling.plant.heat_rejection=air_cooled", "cooling.plant.fluid=water")
    (check,) = checks_of(design_of(AIR, *sets), "COOLANT-FREEZE")
    assert (check.failed, check.subject, check.value) == (True, "chilled water", -25.7)


@pytest.mark.parametrize(
    ("sets", "freezing_c"),
    [
        (COIL, -36.0),  # Dulles, -25.7 degC: PG50 is laminar in coils, EG50 is not
        ((*COIL, "site.station=phoenix"), -10.1),  # -1.4 degC: 25 %
        (("cooling.plant.heat_rejection=dry_cooler",), -32.9),
        ((*COIL, "site.station=fargo"), -39.2),  # -37.7 degC: 55 %
    ],
)
def test_glycol_that_is_chosen_bears_the_coldest_air(
    sets: tuple[str, ...], freezing_c: float
) -> None:
    checks = checks_of(design_of(AIR, *sets), "COOLANT-FREEZE")
    assert checks
    assert all(not check.failed and check.limit == freezing_c for check in checks)


PLACE = (
    "site.station=",
    "site.design_dry_bulb=29 degC",
    "site.design_wet_bulb=19 degC",
    "site.country=SE",
    "site.elevation=20 m",
    "cooling.plant.heat_rejection=dry_cooler",
)


def test_a_least_velocity_above_the_highest_is_refused() -> None:
    with pytest.raises(FacilityError, match="velocity_max") as error:
        design_of(AIR, "cooling.hydraulics.velocity_min=5 m/s")  # The highest is 3 m/s where open
    assert (error.value.code, error.value.where) == (
        "CONTRADICTION",
        "cooling.hydraulics.velocity_min",
    )


def test_a_place_without_a_record_states_its_coldest_air() -> None:
    """PG40 freezes at -21.4 degC, PG50 at -32.9 (CoolProp): -30 degC asks for 50 %."""
    (open_,) = checks_of(design_of(AIR, *PLACE), "COOLANT-FREEZE")
    assert open_.outcome is Outcome.NOT_EVALUATED
    assert "site.coldest_dry_bulb" in open_.why
    found = design_of(AIR, *PLACE, "site.coldest_dry_bulb=-30 degC")
    (held,) = checks_of(found, "COOLANT-FREEZE")
    assert (held.failed, held.value, held.limit) == (False, -30.0, -32.9)
    warmer = design_of(AIR, "site.coldest_dry_bulb=-5 degC", PLACE[-1])
    assert checks_of(warmer, "COOLANT-FREEZE")[0].value == -5.0  # In place of Dulles' -25.7
    with pytest.raises(FacilityError, match="coldest_dry_bulb") as error:
        design_of(AIR, *PLACE, "site.coldest_dry_bulb=30 degC")
    assert error.value.code == "CONTRADICTION"
    with pytest.raises(FacilityError, match=r"is above site\.mean_dry_bulb"):
        design_of(AIR, "site.coldest_dry_bulb=20 degC")  # Of the record, which the year runs


@pytest.mark.parametrize(("fluid", "theirs"), [("PG30", "AL[0.30]"), ("PG50", "AL[0.50]")])
def test_flow_of_chilled_glycol_is_that_of_coolprop(fluid: str, theirs: str) -> None:
    found = design_of(AIR, *COIL, f"cooling.plant.fluid={fluid}")
    row, chilled = loops_of(found)["chw"], found.cooling.chilled
    at = ("T", 273.15 + 0.5 * (row.supply_c + row.return_c), "P", 1e5, f"INCOMP::{theirs}")
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI
    rate_w_m3_k = props("D", *at) * props("C", *at)
    heat_w = chilled.load_w - chilled.pump.power_w
    flow_m3_s = heat_w / rate_w_m3_k / (row.return_c - row.supply_c)
    assert row.flow_m3_s == pytest.approx(flow_m3_s, rel=0.002)  # the table's straight lines
    water = design_of(AIR, *COIL, "cooling.plant.fluid=water")
    assert chilled.pump.power_w > 1.05 * water.cooling.chilled.pump.power_w


@pytest.mark.parametrize(
    ("sets", "code", "where"),
    [
        (
            ("cooling.plant.condenser_fluid=PG40",),
            "COOLING_CONTRADICTION",
            "cooling.plant.condenser_fluid",
        ),
        (
            ("cooling.plant.chilled_water_supply=1 degC",),
            "COOLANT_FREEZES",
            "cooling.plant.chilled_water_supply (water)",
        ),
        (
            (
                "cooling.cdu.tcs_supply=59 degC",
                "cooling.facility_water.supply=44 degC",
                "criteria.liquid_class=W45",
                "cooling.cdu.tcs_delta_t=10 K",
            ),
            "OUT_OF_RANGE",
            "cooling.cdu.tcs_supply",
        ),
        (
            ("cooling.cdu.tcs_supply=30 degC", "cooling.facility_water.supply=31 degC"),
            "COOLING_CONTRADICTION",
            "cooling.cdu.tcs_supply",
        ),
    ],
)
def test_temperatures_that_make_no_sense_are_refused(
    sets: tuple[str, ...], code: str, where: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(LIQUID, *sets)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_a_supply_above_its_return_is_refused_naming_the_loop() -> None:
    with pytest.raises(FacilityError) as caught:
        loop_liquid(known_fluid("water"), 30.0, 25.0, "chw")
    assert (caught.value.code, caught.value.where) == ("LOOP_TEMPERATURES", "loop.chw")


def test_a_plant_without_water_has_no_components_of_loops() -> None:
    found = design_of(AIR, "cooling.air.terminal=crac")
    assert not found.hydraulics.loops
    assert not checks_of(found, "HYDRAULICS-DATA")
    assert checks_of(design_of(AIR), "HYDRAULICS-DATA")


def test_expansion_of_water() -> None:
    # 999.2 kg/m3 at 15 degC over 992.3 at 40 degC: the figures of the property table.
    assert expansion_of(known_fluid("water"), 15.0, 40.0) == pytest.approx(0.00695, abs=1e-5)


@given(st.floats(0.1, 3.0))
def test_a_component_scales_with_its_exponent(ratio: float) -> None:
    rated: RatedDrop = component_drops()["CDU, facility side"]
    assert rated.flow_m3_s is not None
    found = part_of(rated, ratio * rated.flow_m3_s)
    assert found.drop_pa == pytest.approx(84e3 * ratio**2, rel=1e-9)
    assert part_of(replace(rated, flow_m3_s=None), 1.0).drop_pa == rated.drop_pa


def test_volume_is_that_of_its_pipes() -> None:
    liquid: LoopLiquid = loop_liquid(known_fluid("water"), 20.0, 30.0, "test")
    found = laid_out("main", 0.03, 200.0, liquid, plan_of(), places=3)
    area_m2 = math.pi / 4.0 * found.size.inside_m**2
    assert found.volume_m3 == pytest.approx(3 * 200.0 * area_m2 * found.pipes)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("PG20", "AL[0.20]"),
        ("PG25", "AL[0.25]"),
        ("PG30", "AL[0.30]"),
        ("PG40", "AL[0.40]"),
        ("PG50", "AL[0.50]"),
        ("PG55", "AL[0.55]"),
        ("PG60", "AL[0.60]"),
        ("PG25 mass", "MPG[0.25]"),
        ("EG25 mass", "MEG[0.25]"),
        ("EG30 mass", "MEG[0.30]"),
        ("EG40 mass", "MEG[0.40]"),
        ("EG50 mass", "MEG[0.50]"),
    ],
)
def test_coolants_between_the_rows_are_those_of_coolprop(name: str, theirs: str) -> None:
    found, at = known_fluid(name), f"INCOMP::{theirs}"
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI
    freezing_k = props("T_freeze", "T", 300.0, "P", 1e5, at)
    assert found.freezing_c == pytest.approx(freezing_k - 273.15, abs=0.05)
    assert found.freezing_c is not None
    assert found.temperatures_c[0] > found.freezing_c
    for low_c, high_c in pairwise(found.temperatures_c):
        mean_c = 0.5 * (low_c + high_c)
        liquid = loop_liquid(found, mean_c - 1.0, mean_c + 1.0, "test")
        for ours, key, rel in (
            (liquid.density_kg_m3, "D", 2e-4),
            (liquid.specific_heat_j_kgk, "C", 1e-3),
            (liquid.viscosity_pa_s, "V", 0.04),
        ):
            assert ours == pytest.approx(props(key, "T", mean_c + 273.15, "P", 1e6, at), rel=rel)


def test_ranges_by_volume_and_by_mass_are_apart() -> None:
    volume, mass = known_fluid("PG25"), known_fluid("PG25 mass")
    assert volume.densities_kg_m3[7] / mass.densities_kg_m3[7] == pytest.approx(1.004, abs=5e-4)
    assert volume.viscosities_pa_s[7] / mass.viscosities_pa_s[7] == pytest.approx(1.08, abs=5e-3)


def test_every_rear_door_has_a_branch_of_its_own() -> None:
    rooms, doors = (
        loops_of(design_of(AIR, *sets))["chw"] for sets in ((), ("cooling.air.terminal=rear-door",))
    )
    assert doors.stretches[-1].places > rooms.stretches[-1].places
    assert doors.stretches[-1].flow_m3_s < rooms.stretches[-1].flow_m3_s


def test_the_facility_side_of_a_cdu_whose_drop_nobody_read_is_named() -> None:
    """The XDU1350 has a published drop; any other unit takes that one at its own flow."""
    rating = [
        f"cooling.cdu.rating.{field}"
        for field in ("capacity=800 kW", "approach=4 K", "tcs_flow=900 L/min", "head=300 kPa")
    ]
    for found, named in ((reference("nvl72-hall"), False), (design_of(LIQUID, *rating), True)):
        (check,) = [one for one in found.hydraulics.checks if one.rule == "HYDRAULICS-DATA"]
        assert ("CDU, facility side" in check.why) == named


@pytest.mark.parametrize(
    ("loop", "field"),
    [("fws", "facility_water.supply"), ("tcs", "cdu.tcs_supply"), ("cw", "plant.condenser_range")],
)
def test_a_loop_outside_the_table_of_its_fluid_names_the_field_of_its_warmth(
    loop: str, field: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        loop_liquid(known_fluid("PG25"), 200.0, 210.0, loop)
    assert caught.value.code == "OUT_OF_RANGE"
    assert caught.value.where.startswith(f"cooling.{field} (PG25 of loop {loop})")
