"""Ways to cool the same racks: same IT, closed heat, named limits, the crossover, costs, water."""

from __future__ import annotations

import csv
import math
from functools import cache

import psychrolib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.catalogue import catalogue, table
from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.core.trace import Trace
from facility.files.project.file import apply_sets, load_project
from facility.model.inputs.document import as_typed
from facility.study.compare.density import (
    DENSITIES_W,
    DensityCurve,
    DensityPoint,
    DensitySweep,
    crossover,
    density_curve,
    reference_racks,
)
from facility.study.compare.limits import broken_limit, limit_checks, reason_of
from facility.study.compare.variants import OPTIONS, OptionName, variants
from facility.study.compare.ways import CoolingComparison, best_variant, compare_cooling
from facility.study.cost.machines import Machines, sinks_of
from facility.study.cost.prices import PartCost, price_list
from facility.study.design.design import design
from facility.study.design.plants import PLANT, WATER
from facility.study.explained import explain_result
from tests.study.helpers import DATA, design_of, reference

PROJECTS = ("dgx-su-32", "nvl72-hall", "mixed-hall")
TOWER = "cooling.plant.heat_rejection=tower"
TRIMMED = (TOWER, "cooling.facility_water.source=tower_and_chiller", "criteria.liquid_class=W32")


@cache
def compared(name: str, *sets: str) -> CoolingComparison:
    file = reference_path("projects", f"{name}.yaml")
    return compare_cooling(apply_sets(load_project(file), sets))


def reason(name: str, option: OptionName, *sets: str) -> str:
    return compared(name, *sets).option(option).reason


@pytest.mark.parametrize("name", PROJECTS)
def test_the_own_cooling_is_the_design_of_the_project(name: str) -> None:
    own = compared(name).own
    assert own.design is not None
    found = reference(name)
    assert own.design.results["pue.design"].si == found.results["pue.design"].si
    assert own.design.results["load.cooling"].si == found.results["load.cooling"].si
    assert own.design.cooling.counts == found.cooling.counts
    assert own.changes == ()


def test_a_result_of_a_way_is_explained_by_the_design_of_that_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    comparison, found = compared("dgx-su-32"), reference("dgx-su-32")
    monkeypatch.setattr("facility.study.explained.compare_cooling", lambda _: comparison)
    for key in comparison.results:
        assert explain_result(found, key)[0].startswith(f"{key} = "), key
    for key, inner in (
        ("option.in_row.pue", "pue.design"),
        ("option.rear_door.power", "load.cooling"),
        ("option.rear_door.power.chillers", "cooling.chillers"),
        ("option.in_row.heat.air", "heat.air"),
        ("option.in_row.chilled_water", "cooling.plant.chilled_water_supply"),
    ):
        way = comparison.option(OPTIONS[OPTIONS.index(key.split(".")[1])])
        assert way.design is not None
        lines = explain_result(found, key)
        assert lines[2] == f"  {way.label}: {', '.join(way.changes)}"
        assert lines[3:] == [f"  {line}" for line in explain_result(way.design, inner)]
        value = comparison.results[key].si
        assert value == pytest.approx(way.design.trace.value(inner), rel=1e-9)
    with pytest.raises(FacilityError, match="comparison has no such result"):
        explain_result(found, "option.in_row.pu")


@pytest.mark.parametrize("name", PROJECTS)
def test_same_racks_and_same_it_whatever_cools_them(name: str) -> None:
    comparison = compared(name)
    assert tuple(option.name for option in comparison.options) == OPTIONS
    designs = [option.design for option in comparison.options if option.design is not None]
    assert len(designs) >= 2
    for found in designs:
        assert found.it.it_w == designs[0].it.it_w
        assert found.it.racks == designs[0].it.racks
        heat = found.point.heat
        assert heat.air_it_w + heat.liquid_it_w == pytest.approx(found.it.it_w, rel=1e-12)


@pytest.mark.parametrize("name", PROJECTS)
def test_the_heat_balance_of_every_way_closes(name: str) -> None:
    for option in compared(name).options:
        if option.design is not None:
            flow = option.design.cooling_flow
            given_off = flow.collected_w + flow.power.into_water_w
            assert flow.rejected_w == pytest.approx(given_off, rel=1e-9), option.name


def test_nvl72_is_refused_on_air_with_its_liquid_share() -> None:
    for option in ("air", "in_row", "rear_door"):
        told = reason("nvl72-hall", option)
        assert told.startswith("LIQUID_REQUIRED: GB200 NVL72")
        assert "87%" in told
        assert "132 kW" in told
    assert compared("nvl72-hall").crossover.density_w is None
    assert "LIQUID_REQUIRED" in compared("nvl72-hall").crossover.because


def test_air_beyond_the_densest_published_rack_is_refused_with_the_flow() -> None:
    sets = ("it.servers_per_rack=6",)
    comparison = compared("dgx-su-32", *sets)
    assert comparison.density_w == pytest.approx(6 * 10.2e3)
    assert reason("dgx-su-32", "air", *sets).startswith("AIR-PER-RACK: rack Compute")
    assert "3.13 m³/s exceeds 2.83 m³/s" in reason("dgx-su-32", "air", *sets)
    assert reason("dgx-su-32", "rear_door", *sets).startswith("DOOR-AIRFLOW")
    assert comparison.option("hybrid").feasible
    assert comparison.option("liquid").feasible


def test_a_raised_floor_is_refused_with_its_tiles() -> None:
    found = reference("dgx-su-32", "cooling.air.supply=raised-floor")
    broken = broken_limit(limit_checks("air", found.facility, found.cooling))
    assert broken is not None
    told = reason_of(broken)
    assert told.startswith("AIR-TILES: rack Compute")
    assert "exceeds 2.000" in told


def test_a_refused_way_has_no_numbers_and_a_feasible_one_has_all() -> None:
    for name in PROJECTS:
        comparison = compared(name)
        for option in comparison.options:
            prefix = f"option.{option.name}"
            assert comparison.results[f"{prefix}.feasible"].si == option.feasible
            for key in ("pue", "power", "units"):
                assert (f"{prefix}.{key}" in comparison.results) == option.feasible
            assert bool(option.reason) != option.feasible


def test_parts_of_power_and_units_add_up() -> None:
    results = compared("dgx-su-32").results
    for name in OPTIONS:
        parts = [v for k, v in results.items() if k.startswith(f"option.{name}.power.")]
        whole = results[f"option.{name}.power"].si
        assert sum(float(part.si) for part in parts) == pytest.approx(float(whole), rel=1e-12)
        units = [v for k, v in results.items() if k.startswith(f"option.{name}.units.")]
        assert sum(int(count.si) for count in units) == results[f"option.{name}.units"].si


def test_liquid_takes_less_power_than_air_on_warm_water() -> None:
    results = compared("dgx-su-32").results
    air, hybrid, liquid = (
        float(results[f"option.{n}.power"].si) for n in ("air", "hybrid", "liquid")
    )
    assert liquid < hybrid < air


def test_liquid_shares_are_assumed_by_name_and_derived_from_the_parts() -> None:
    comparison = compared("dgx-su-32")
    shares = {a.id: a for a in comparison.assumptions if "liquid_fraction" in a.id}
    covered_w = 8 * 700.0 + 2 * 350.0 + 4 * 100.0
    hybrid = shares["compare.liquid_fraction.hybrid.dgx_h100"]
    assert hybrid.value == pytest.approx(covered_w / 10.2e3)
    assert shares["compare.liquid_fraction.liquid.dgx_h100"].value == 1.0
    split = [c for c in comparison.checks if c.rule == "VARIANT-HEAT-SPLIT"]
    assert len(split) == 2
    assert all(check.failed for check in split)
    option = comparison.option("hybrid")
    assert option.design is not None
    liquid_w = option.design.point.heat.liquid_it_w
    assert liquid_w == pytest.approx(32 * covered_w, rel=1e-4)


def test_counts_as_built_and_confirmations_stay_with_the_cooling_they_belong_to() -> None:
    found = reference("dgx-su-32", "cooling.crah.count=9")
    project = found.project.model_copy(update={"confirmed": ("cooling.crah.model",)})
    for name in OPTIONS:
        for variant in variants(project, found.facility, name, Trace()):
            typed = as_typed(variant.project)
            assert ("confirmed" in typed) == variant.own
            assert ("count" in typed["cooling"].get("crah", {})) == variant.own
            assert typed["it"]["gpus"] == as_typed(project)["it"]["gpus"]


def test_air_ends_where_its_flow_meets_the_densest_published_rack() -> None:
    """1,105 cfm at 10.2 kW (DGX H100 user guide) vs. 6,000 cfm, both published: standard air."""
    comparison = compared("dgx-su-32")
    assert comparison.own.design is not None
    expected_w = 6000.0 / 1105.0 * 10.2e3
    turn = comparison.crossover
    assert turn.by_limit_w == pytest.approx(expected_w, rel=1e-6)
    assert turn.density_w == turn.by_limit_w
    assert "AIR-PER-RACK" in turn.because
    assert turn.by_power_w is None
    assert "every density" in turn.by_power_because
    sweep = DensitySweep("air", comparison.own.design)
    assert sweep.at(expected_w * (1.0 - 1e-6)).power_w is not None
    assert sweep.at(expected_w * (1.0 + 1e-6)).power_w is None


@pytest.mark.parametrize("name", PROJECTS)
def test_the_curve_passes_through_the_design(name: str) -> None:
    comparison = compared(name)
    for option in comparison.options:
        if option.design is None or not option.feasible:
            continue
        assert set(reference_racks(option.design).values()) == {comparison.density_w}
        point = DensitySweep(option.name, option.design).at(comparison.density_w)
        power_w = option.design.cooling_flow.power.total_w
        assert point.power_w == pytest.approx(power_w, rel=1e-6), option.name


@pytest.mark.parametrize(("name", "rel"), [("air", 1e-9), ("hybrid", 1e-3)])
def test_the_curve_is_the_power_of_a_design_with_other_racks(name: OptionName, rel: float) -> None:
    """Two servers a rack, designed as a whole: units and power of rooms do not see density.

    The heads of the pumps are stated: left open they are those of loops laid out for the hall. An
    air-cooled project cannot state that of facility water, a few watts of the hybrid variant. So
    is the outdoor air: left open it follows the floor area. The CDUs are stated: left open they may
    be in the racks, of which there are more.
    """
    heads = tuple(f"cooling.{loop}.head=200 kPa" for loop in ("plant.pump", "plant.rejection.pump"))
    heads += ("cooling.air.ventilation=0.02 m3/s",)
    found = compared("dgx-su-32", *heads).option(name).design
    assert found is not None
    if name == "hybrid":
        found = design(apply_sets(found.project, ["cooling.cdu.model=XDU1350"]))
    full = design(apply_sets(found.project, ["it.servers_per_rack=2"]))
    point = DensitySweep(name, found).at(2 * 10.2e3)
    assert point.power_w == pytest.approx(full.cooling_flow.power.total_w, rel=rel)


def test_doors_that_condense_are_refused() -> None:
    """Water of 8 degC in a room of 15 degC dew point: the study of the room is a limit too."""
    sets = ("cooling.air.terminal=rear-door", "cooling.plant.chilled_water_supply=8 degC")
    point = DensitySweep("rear_door", reference("dgx-su-32", *sets)).at(30e3)
    assert point.power_w is None
    assert point.reason.startswith("AIR-DOOR-SURFACE")
    assert "is under 15.0" in point.reason


def test_in_row_coolers_leave_the_raised_floor_out() -> None:
    sets = ("cooling.air.supply=raised-floor", "cooling.air.plenum_pressure=20 Pa")
    found = reference("dgx-su-32", *sets)
    (variant,) = variants(found.project, found.facility, "in_row", Trace())
    assert as_typed(variant.project)["cooling"]["air"] == {"terminal": "in-row"}


@pytest.mark.parametrize("name", ["in_row", "rear_door"])
def test_units_in_the_rows_leave_outdoor_air_out_and_say_so(name: OptionName) -> None:
    found = reference("dgx-su-32", "cooling.economizer.kind=air-side-direct")
    for variant in variants(found.project, found.facility, name, Trace()):
        assert variant.project.cooling.economizer is None
        assert "no air-side-direct economizer" in variant.changes[-1]
    (kept,) = variants(found.project, found.facility, "air", Trace())
    assert kept.project.cooling.economizer is not None


def test_curves_cover_the_range_and_stop_where_they_say() -> None:
    for curve in compared("dgx-su-32").curves:
        densities = [point.density_w for point in curve.points]
        assert densities == sorted(densities)
        assert (densities[0], densities[-1]) == pytest.approx(DENSITIES_W)
        for point in curve.points:
            below = curve.ends_w is None or point.density_w < curve.ends_w
            assert (point.power_w is not None) == below
            assert bool(point.reason) != below


class Straight(DensitySweep):
    """Power a + b x density, up to an end."""

    def __init__(self, name: OptionName, a: float, b: float, ends_w: float = math.inf) -> None:
        self.name, self.a, self.b, self.ends_w = name, a, b, ends_w

    def at(self, density_w: float) -> DensityPoint:
        if density_w >= self.ends_w:
            return DensityPoint(density_w, None, "LIMIT: too dense")
        return DensityPoint(density_w, self.a + self.b * density_w, "")


def turn_of(*sweeps: Straight) -> tuple[float | None, float | None, float | None]:
    by_name = {sweep.name: sweep for sweep in sweeps}
    curves: dict[OptionName, DensityCurve] = {
        name: density_curve(sweep, 40e3) for name, sweep in by_name.items()
    }
    found = crossover(by_name, curves, "")
    return found.density_w, found.by_power_w, found.by_limit_w


@pytest.mark.parametrize("ends_w", [7.3e3, 41e3, 200e3])
def test_a_method_ends_at_its_limit(ends_w: float) -> None:
    curve = density_curve(Straight("air", 1e6, 1.0, ends_w), 40e3)
    assert curve.ends_w == pytest.approx(ends_w, rel=1e-6)


@given(meets_w=st.floats(6e3, 240e3), slope=st.floats(0.01, 5.0), ends_w=st.floats(6e3, 240e3))
@settings(max_examples=60, deadline=None)
def test_the_crossover_by_power_is_where_the_curves_meet(
    meets_w: float, slope: float, ends_w: float
) -> None:
    air = Straight("air", 1e6, slope, ends_w)
    hybrid = Straight("hybrid", 1e6 + slope * meets_w, 0.0)
    density_w, by_power_w, by_limit_w = turn_of(air, hybrid)
    assert by_limit_w == pytest.approx(ends_w, rel=1e-6)
    if by_power_w is not None:
        assert by_power_w == pytest.approx(meets_w, rel=1e-6)
        assert density_w == min(by_power_w, by_limit_w)
    else:
        assert density_w == by_limit_w
    reached = max(p.density_w for p in density_curve(air, 40e3).points if p.power_w is not None)
    assert (by_power_w is not None) == (meets_w < reached)


def test_without_any_turn_there_is_no_crossover() -> None:
    assert turn_of(Straight("air", 1e6, 0.0), Straight("liquid", 2e6, 0.0)) == (None, None, None)


@pytest.mark.parametrize(
    ("name", "ways", "sets"),
    [("dgx-su-32", OPTIONS[:3], (TOWER,)), ("mixed-hall", OPTIONS[3:], TRIMMED)],
)
def test_towers_evaporate_what_the_heat_balance_of_their_air_asks_for(
    name: str, ways: tuple[OptionName, ...], sets: tuple[str, ...]
) -> None:
    """Leaving air is saturated and carries the heat, by psychrolib; make-up is E C / (C - 1).

    Cells draw air by the water through them: towers of the facility water pass all of it, also
    where a trim chiller takes part of its heat.
    """
    psychrolib.SetUnitSystem(psychrolib.SI)
    for option in map(compared(name, *sets).option, ways):
        assert option.design is not None
        assert option.water is not None
        weather = option.design.facility.site.design
        at = weather.pressure_pa
        w_in = psychrolib.GetHumRatioFromTWetBulb(weather.dry_bulb_c, weather.wet_bulb_c, at)
        h_in = psychrolib.GetMoistAirEnthalpy(weather.dry_bulb_c, w_in)
        volume = psychrolib.GetMoistAirVolume(weather.dry_bulb_c, w_in, at)
        heat_w = water_kg_s = evaporated = 0.0
        flow = option.design.cooling_flow
        for part_of, sink, rejected_w in sinks_of(option.design):
            at_work = flow.fws_rejection if part_of == "facility water" else flow.rejection
            assert at_work is not None
            part = at_work.flow_m3_s * sink.liquid.rate_w_k(1.0) * sink.range_k / sink.heat_w
            air_kg_s = sink.fan_w * part * 0.5 / 190.0 / volume
            w_out = _saturated(h_in + rejected_w / air_kg_s, at)
            evaporated += air_kg_s * (w_out - w_in)
            heat_w += rejected_w
            water_kg_s = sink.liquid.density_kg_m3
        assert heat_w == pytest.approx(option.design.cooling_flow.rejected_w, rel=1e-9)
        assert option.water.evaporation_m3_s * water_kg_s == pytest.approx(evaporated, rel=5e-3)
        assert option.water.makeup_m3_s == pytest.approx(
            option.water.evaporation_m3_s * 5.0 / 4.0, rel=1e-9
        )


def _saturated(enthalpy_j_kg: float, pressure_pa: float) -> float:
    low, high = 0.0, 80.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        too_warm = psychrolib.GetSatAirEnthalpy(middle, pressure_pa) > enthalpy_j_kg
        low, high = (low, middle) if too_warm else (middle, high)
    return float(psychrolib.GetSatHumRatio(low, pressure_pa))


def unit_cost_cases() -> list[dict[str, str]]:
    with (DATA / "cooling_unit_costs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def unit_cost(part: str, units: int, size_w: float) -> PartCost:
    return price_list(None, "US").priced(Machines(part, "", units, size_w, "heat_flow"))


@pytest.mark.parametrize("case", unit_cost_cases(), ids=lambda c: f"{c['part']}-{c['size_w']}")
def test_unit_costs(case: dict[str, str]) -> None:
    found = unit_cost(case["part"], int(case["units"]), float(case["size_w"]))
    assert found.cost == pytest.approx(
        float(case["expected_usd"]), abs=float(case["tolerance_usd"])
    )
    assert found.source is not None


def test_every_unit_cost_and_footprint_resolves_its_source() -> None:
    sources = catalogue().sources
    for name in ("cost/unit_costs", "cooling/footprints"):
        for row in table(name).rows:
            assert row.source.id in sources
            assert row.verified in ("read", "secondary", "memory")


@pytest.mark.parametrize(("part", "size_w"), [("in_row", 30e3), ("crah", 150e3), ("pump", 100.0)])
def test_what_nobody_priced_is_not_known(part: str, size_w: float) -> None:
    found = unit_cost(part, 3, size_w)
    assert found.cost is None
    assert found.why


def test_known_costs_add_up_and_the_others_are_named() -> None:
    for option in compared("dgx-su-32").options:
        cost = option.cost
        assert cost is not None
        known = [part.cost for part in cost.parts if part.cost is not None]
        assert cost.known == pytest.approx(sum(known))
        assert len(known) + len(cost.unpriced) == len(cost.parts)
        assert 2015 in cost.years
    hybrid = compared("dgx-su-32").option("hybrid").cost
    assert hybrid is not None
    assert "pipes and valves" in hybrid.unpriced


def test_input_that_is_wrong_whatever_cools_it_is_refused() -> None:
    file = reference_path("projects", "dgx-su-32.yaml")
    project = apply_sets(load_project(file), ["cooling.method=hybrid"])
    with pytest.raises(FacilityError) as found:
        compare_cooling(project)
    assert found.value.code == "NO_LIQUID_RACKS"


@pytest.mark.parametrize(
    ("name", "way", "sets"),
    [("dgx-su-32", "hybrid", ()), ("dgx-su-32", "liquid", ()), ("mixed-hall", "liquid", TRIMMED)],
)
def test_a_way_to_cool_is_the_design_of_the_same_racks(
    name: str, way: OptionName, sets: tuple[str, ...]
) -> None:
    """What comparison and design say of the same racks and the same cooling is one number."""
    option = compared(name, *sets).option(way)
    assert option.design is not None
    typed = design(option.design.project)
    assert typed.results["pue.design"].si == option.design.results["pue.design"].si
    chosen = [one.chosen.name for one in typed.choices]
    assert [one.chosen.name for one in option.design.choices] == chosen
    water = typed.facility.cooling.facility_water
    assert water is not None
    if sets:
        assert (water.source, water.trim, water.liquid_class) == ("tower", True, "W32")


@pytest.mark.parametrize("name", PROJECTS)
def test_the_plant_and_the_facility_water_chosen_are_built(name: str) -> None:
    for option in compared(name).options:
        if option.design is None:
            continue
        cooling = option.design.facility.cooling
        chosen = {
            path: entry
            for one in option.design.choices
            if isinstance(one.chosen.item, dict)
            for path, entry in one.chosen.item.items()
        }
        if PLANT in chosen:
            assert cooling.chilled_water.sink.kind == chosen[PLANT], option.name
        if WATER in chosen:
            water = cooling.facility_water
            assert water is not None
            built = f"{water.source}_and_chiller" if water.trim else water.source
            assert built == chosen[WATER], option.name


def test_liquid_is_the_same_compared_from_hybrid_as_designed() -> None:
    text = (
        "schema_version: 1\nit: {server: GB200 NVL72 NVIDIA, servers: 8}\n"
        "power: {redundancy: N+1}\n"
    )
    for method in ("hybrid", "liquid"):
        own = design_of(text, f"cooling.method={method}")
        other = "liquid" if method == "hybrid" else "hybrid"
        found = compare_cooling(own.project)
        option, pue = found.option(method), own.results["pue.design"].si
        assert option.own
        assert option.design is not None
        assert option.design.results["pue.design"].si == pue
        assert found.option(other).design is not None


def test_a_class_that_the_project_states_is_left_alone() -> None:
    found = reference("dgx-su-32", "criteria.liquid_class=W32")
    assert len(variants(found.project, found.facility, "hybrid", Trace())) == 1


def test_chilled_water_goes_down_until_the_facility_water_can_be_made_from_it() -> None:
    """W17 across an exchanger of 1.7 K asks for 15.3 degC or less; steps of 2 K from 18 give 14."""
    found = reference(
        "dgx-su-32", "criteria.liquid_class=W17", "cooling.plant.chilled_water_supply=18 degC"
    )
    cold = variants(found.project, found.facility, "hybrid", Trace())
    chosen = best_variant(cold, found.facility.cooling.chilled_water.supply_c)
    assert "chilled water at 14 °C" in chosen.changes
