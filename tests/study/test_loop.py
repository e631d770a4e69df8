"""The loop of losses, heat and cooling load: solved, bounded, and with counts that only grow."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.cooling.chain.sizing import size_cooling, solve_cooling
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.files.project.file import apply_sets, parse_project
from facility.model.facility import Weather
from facility.power.chain.sizing import size_chain, solve_chain
from facility.power.chain.solve import solve_normal
from facility.study import loop
from facility.study.design.design import Design, design
from facility.study.loop import Sized, balance, converge, heat_of, operate
from tests.golden.projects import PROJECTS as RECORDED
from tests.soak.projects import project_text
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference, si

SOLVED = 1e-10


def sized_of(found: Design) -> Sized:
    return Sized(found.chain, found.cooling)


@pytest.mark.parametrize("name", PROJECTS)
def test_the_balance_is_a_fixed_point(name: str) -> None:
    """What the cooling draws on the heat of the losses is what the power chain was solved for."""
    found = reference(name)
    flow = solve_chain(found.chain, found.point.demand)
    fresh_w = found.point.heat.ventilation_w
    heat = heat_of(found.facility, found.it, flow, ventilation_w=fresh_w)
    cooling = solve_cooling(found.cooling, heat, found.facility.site.design)
    demand = found.point.demand
    it_w = demand.it_w
    assert abs(cooling.on_ups_w - demand.mech_ups_w) < SOLVED * it_w
    assert abs(cooling.mech_w - demand.mech_w) < SOLVED * it_w
    assert flow.utility.demand_w == pytest.approx(si(found, "load.facility"), rel=SOLVED)


def test_hours_that_no_stage_of_the_plant_holds_run_on_the_higher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One primary pump more, on the UPS, leaves the UPS less loss than calls for it: no balance."""
    found, hours = design_of(RECORDED["stated-air"]), 101
    weather = Weather(
        np.linspace(25.0, 27.0, hours),  # type: ignore[arg-type]
        np.full(hours, 16.4),  # type: ignore[arg-type]
        97600.0,
    )
    solved = balance(found.facility, found.it, sized_of(found), weather)
    given_w = solved.heat.total_w + solved.cooling.power.into_water_w
    assert np.allclose(solved.cooling.rejected_w, given_w, rtol=1e-12)
    demand, cooling = solved.demand, solved.cooling
    assert np.allclose(demand.mech_ups_w, cooling.on_ups_w, rtol=1e-12)
    assert np.allclose(demand.mech_w, cooling.mech_w, rtol=1e-12)
    losses = heat_of(found.facility, found.it, solve_normal(found.chain, demand))
    apart = solved.heat.electrical_room_w / losses.electrical_room_w - 1.0
    assert 0.0 < apart.max() < 1e-4
    assert 0 < (apart > 1e-12).sum() < hours / 2
    monkeypatch.setattr(loop, "_ALTERNATING", loop.MAX_ITERATIONS)
    with pytest.raises(FacilityError, match="do not balance"):
        balance(found.facility, found.it, sized_of(found), weather)


@pytest.mark.parametrize("name", PROJECTS)
def test_the_counts_carry_the_load_they_cause(name: str) -> None:
    """Sized anew for the final load without any floor, nothing larger comes out."""
    found = reference(name)
    facility, demand = found.facility, found.point.demand
    chain = size_chain(facility.power, facility.site, facility.criteria, demand, None, Trace())
    fresh_w = found.point.heat.ventilation_w
    heat = heat_of(facility, found.it, solve_chain(found.chain, demand), ventilation_w=fresh_w)
    cooling = size_cooling(facility.cooling, facility.site, facility.criteria, heat, None, Trace())
    assert chain.ups.modules <= found.chain.ups.modules
    assert chain.transformers.count <= found.chain.transformers.count
    assert chain.generators.count <= found.chain.generators.count
    assert all(
        fresh <= kept
        for fresh, kept in zip(astuple(cooling.counts), astuple(found.cooling.counts), strict=True)
    )


@pytest.mark.parametrize("name", PROJECTS)
def test_with_a_floor_no_count_falls(name: str) -> None:
    found = reference(name)
    facility, demand = found.facility, found.point.demand
    small = demand.at_it_fraction(0.3)
    chain = size_chain(
        facility.power, facility.site, facility.criteria, small, found.chain.choices, Trace()
    )
    assert chain.choices == found.chain.choices


TROPICAL = """\
schema_version: 1
site:
  country: SG
  place: Singapore
  elevation: 15 m
  design_dry_bulb: 34 degC
  design_wet_bulb: 28.5 degC
  mean_dry_bulb: 27.5 degC
  mean_wet_bulb: 25 degC
it: {gpu_model: B200 SXM, gpus: 2000}
power: {redundancy: 2N}
cooling: {method: air}
"""


@pytest.mark.parametrize("sets", [(), ("power.ups.buses=4",)])
def test_the_pass_without_cooling_binds_no_later_one(sets: tuple[str, ...]) -> None:
    """A module that carries the racks of a bus, but not its cooling too, is not kept and doubled.

    250 servers of 14.3 kW with their network are 3,856 kW of IT; 1,500 kW modules chosen for a
    third of it, without cooling, were doubled for 0.4 %: 18,000 kW of UPS for 2 x 4,091 kW.
    """
    found = design_of(TROPICAL, *sets)
    facility, demand = found.facility, found.point.demand
    fresh = size_chain(facility.power, facility.site, facility.criteria, demand, None, Trace())
    kept = found.chain.ups
    assert kept.modules * kept.module.rating_w <= fresh.ups.modules * fresh.ups.module.rating_w
    assert kept.modules * kept.module.rating_w < 2.0 * 2.0 * 1.05 * demand.it_w


def test_few_passes_suffice() -> None:
    for name in PROJECTS:
        assert 2 <= si(reference(name), "loop.iterations") <= 12


@settings(max_examples=10)
@given(fraction=st.floats(0.05, 1.0))
def test_any_part_of_the_load_balances(fraction: float) -> None:
    found = reference("nvl72-hall")
    point = operate(found.facility, found.it, sized_of(found), found.facility.site.mean, fraction)
    assert point.demand.it_w == pytest.approx(found.it.it_w * fraction, rel=1e-12)
    assert point.flow.utility.demand_w == pytest.approx(point.facility_w, rel=1e-9)
    assert point.cooling.collected_w == pytest.approx(point.heat.total_w, rel=1e-9)
    assert point.facility_w > point.demand.it_w


def test_growing_counts_end_in_a_coded_error(monkeypatch: pytest.MonkeyPatch) -> None:
    found = design_of(SHORTEST)
    monkeypatch.setattr(loop, "MAX_SIZINGS", 1)
    with pytest.raises(FacilityError) as caught:
        converge(found.facility, found.it)
    assert (caught.value.code, caught.value.exit_code) == ("NOT_CONVERGED", 4)


def test_a_loop_that_does_not_settle_ends_in_a_coded_error(monkeypatch: pytest.MonkeyPatch) -> None:
    found = design_of(SHORTEST)
    monkeypatch.setattr(loop, "MAX_ITERATIONS", 2)
    with pytest.raises(FacilityError) as caught:
        operate(found.facility, found.it, sized_of(found), found.facility.site.design)
    assert (caught.value.code, caught.value.exit_code) == ("NOT_CONVERGED", 4)


def test_cooling_that_feeds_on_its_own_heat_ends_in_a_coded_error() -> None:
    """Two air handlers for electrical rooms that need forty: fan power goes with the cube.

    Their water outgrows the pipes before the loop is given up.
    """
    sets = (
        "it.gpus=100000",
        "power.redundancy=block-redundant",
        "power.blocks=2",
        "cooling.crah.electrical_count=2",
        "power.ups.buses=1",
    )
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, *sets)
    assert (caught.value.code, caught.value.exit_code) == ("PIPE_TOO_SMALL", 4)
    assert "number is stated" in caught.value.hint


AS_BUILT = {
    "power.ups.modules_per_system": ("ups.modules", "UPS-"),
    "power.transformer.count": ("transformer.count", "TRANSFORMER-"),
    "power.generator.count": ("generator.count", "GENERATOR-"),
    "cooling.crah.count": ("crah.count", "CRAH-"),
    "cooling.plant.chiller.count": ("plant.chiller_count", "CHILLER-"),
    "cooling.plant.rejection.count": ("plant.rejection_count", "REJECTION-"),
}


@pytest.mark.parametrize("field", AS_BUILT)
def test_a_count_as_built_is_kept_and_checked(field: str) -> None:
    """One unit for a load that needs more: kept as given, and a violation."""
    key, rules = AS_BUILT[field]
    ratings = (
        "power.ups.module_rating=250 kW",
        "power.transformer.rating=500 kVA",
        "power.generator.rating=500 kW",
        "cooling.plant.chiller.capacity=300 kW",
    )
    found = design_of(SHORTEST, "it.gpus=1024", *ratings, f"{field}=1")
    assert si(found, key) == 1
    failed = {c.rule for c in found.checks if c.failed and c.severity.value == "VIOLATION"}
    assert any(rule.startswith(rules) for rule in failed), failed
    plenty = design_of(SHORTEST, "it.gpus=1024", *ratings, f"{field}=40")
    assert si(plenty, key) == 40
    failed = {c.rule for c in plenty.checks if c.failed and c.severity.value == "VIOLATION"}
    assert not any(rule.startswith(rules) for rule in failed), failed


def test_a_pipe_at_its_limit_does_not_flip_for_ever() -> None:
    """Chilled water just over what its pipe carries, and under it without the heat of its head."""
    sets = ["cooling.plant.delta_t=5.0078 K", "cooling.air.ventilation=0 m3/s"]
    sets += ["cooling.plant.chiller.count=2"]
    at_limit = apply_sets(parse_project(project_text(2243, 3_000)), sets)
    assert design(at_limit).cooling.counts.pipe_spare == 1
    assert design(parse_project(project_text(2244, 3_000))).cooling.counts.pipe_spare == 0
