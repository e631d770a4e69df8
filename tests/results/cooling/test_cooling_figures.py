"""Cooling of designs as stated, economizers and choices, worked once more by other formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from facility.study.design.design import Design
from tests.results import second, sized
from tests.results.cooling import (
    candidates,
    choices,
    coolant_drops,
    crossings,
    floor,
    limits,
    loads,
    mixed_racks,
    outdoor_air,
    ratings,
    shares,
    sources,
    stated,
    streams,
    wet_coils,
)
from tests.results.cooling.projects import COOLANT, FLOORS, SMALL, STATED, WET
from tests.results.variants import VARIANTS, YEARS
from tests.study.helpers import SHORTEST, design_of, reference

PADS_OF_SCAVENGER_AIR = ("site.station=phoenix", "cooling.economizer.evaporative_effectiveness=0.6")
ON_AIR = {
    "outdoor air of a dry winter, few units": (),
    "outdoor air and pads": (),
    "fan walls, scavenger air": PADS_OF_SCAVENGER_AIR,
}
HEAT_USER = "coolant from dry coolers behind pads, heat reused"
HEAT_PUMP = (
    "cooling.heat_reuse.temperature=70 degC",
    "cooling.heat_reuse.heat_pump.carnot_fraction=0.5",
)
TRIMMED = "liquid on dry coolers with a trim chiller, rows"
EVERY = STATED | COOLANT | YEARS | VARIANTS


def _design(name: str, *sets: str) -> Design:
    return design_of(EVERY[name], *sets)


@pytest.mark.parametrize("name", STATED)
def test_shortages_are_those_of_the_second_calculation(name: str) -> None:
    found = _design(name)
    assert list(stated.shortage(found)) == []
    assert list(stated.agreed_power(found)) == []
    assert list(stated.fullest_of_the_year(found)) == []
    assert list(limits.limits_of_the_year(found)) == []


@pytest.mark.parametrize("name", SMALL)
def test_small_plants_are_those_of_the_second_calculation(name: str) -> None:
    assert list(stated.kind_of_a_small_plant(design_of(SMALL[name]))) == []


def test_spare_units_of_electrical_rooms_heat_their_air() -> None:
    """28 more at the least speed: 5.5 kW x 0.3^3 in thinner air, and the losses of their supply."""
    few, many = (design_of(SHORTEST, f"cooling.crah.electrical_count={n}") for n in (12, 40))
    plan = few.cooling.chain.crah
    _, _, density = sized._moist(few)
    each_w = 5500.0 * 0.3**3 * density / 1.2
    assert plan.path.electrical_unit.fan_w == 5500.0
    found_w = many.cooling.crah.taken_w - few.cooling.crah.taken_w
    assert 28.0 * each_w < found_w < 1.05 * 28.0 * each_w


@pytest.mark.parametrize("name", ON_AIR)
def test_outdoor_air_is_that_of_the_second_calculation(name: str) -> None:
    assert list(outdoor_air.outdoor_air(_design(name, *ON_AIR[name]))) == []


@pytest.mark.parametrize("name", [*COOLANT, *STATED])
def test_coolant_is_that_of_the_second_calculation(name: str) -> None:
    """With loads below their sum, which the other variants do not have."""
    found = _design(name)
    for one in (second.liquid_design, sized.coolant_units, sized.exchangers_at_their_rating):
        assert list(one(found)) == []
    assert list(coolant_drops.coolant_of_the_racks(found)) == []


HOTTER = (
    "site.station=phoenix",
    "site.design_dry_bulb=30 degC",
    "cooling.facility_water.source=dry_cooler",
)
"""Hours of the record are above the design that is stated."""


def test_hours_beyond_limits_are_those_of_the_second_calculation() -> None:
    assert list(limits.limits_of_the_year(reference("nvl72-hall", *HOTTER))) == []


@pytest.mark.parametrize("name", ["dgx-su-32", "mixed-hall", "h100-10k"])
def test_sensors_are_those_of_the_second_calculation(name: str) -> None:
    assert list(floor.sensors_of_the_room(reference(name))) == []


@pytest.mark.parametrize("fluid", ["PG25", "PG60"])
def test_drops_of_racks_are_those_of_the_second_calculation(fluid: str) -> None:
    found = reference("nvl72-hall", f"cooling.cdu.fluid={fluid}")
    assert list(coolant_drops.coolant_of_the_racks(found)) == []


@pytest.mark.parametrize("name", [*COOLANT, *STATED])
def test_machines_are_those_of_the_catalogue(name: str) -> None:
    assert list(choices.differences(_design(name))) == []


def test_a_heat_pump_is_that_of_the_second_calculation() -> None:
    assert list(shares.heat_pump(_design(HEAT_USER, *HEAT_PUMP))) == []


@pytest.mark.parametrize("name", [*STATED, TRIMMED])
def test_shares_are_those_of_the_second_calculation(name: str) -> None:
    found = _design(name)
    assert list(shares.coolant_in_chilled_water(found)) == []
    assert list(shares.powers_of_a_steady_load(found)) == []


def test_wet_coils_are_those_of_the_second_calculation() -> None:
    found = design_of(WET)
    assert list(wet_coils.wet_coils(found)) == []
    assert float(found.all_results["air.condensate"].si) > 0.0


@pytest.mark.parametrize("name", FLOORS)
def test_floors_are_those_of_the_second_calculation(name: str) -> None:
    found = design_of(FLOORS[name])
    assert list(floor.floor_and_leaks(found)) == []
    assert list(floor.sensors_of_the_room(found)) == []
    assert list(sized.racks_in_air(found)) == []


def test_glycol_and_altitude_are_those_of_the_second_calculation() -> None:
    found = design_of(SHORTEST)
    assert list(ratings.glycol_in_the_plant(found)) == []
    assert list(ratings.loops_with_glycol(found)) == []
    assert list(ratings.air_cooled_at_altitude(found)) == []


@pytest.mark.parametrize("name", ["", "nvl72-hall", HEAT_USER])
def test_candidates_are_those_of_the_second_calculation(name: str) -> None:
    found = reference(name) if name == "nvl72-hall" else design_of(EVERY.get(name, SHORTEST))
    assert list(candidates.installed_power_of_a_candidate(found)) == []
    assert list(candidates.water_of_a_candidate(found)) == []


SMALL_CASES: tuple[Callable[[], Iterator[str]], ...] = (
    mixed_racks.servers_of_mixed_racks,
    mixed_racks.fullest_racks,
    mixed_racks.air_of_a_density,
    loads.cooling_as_loads,
    sources.sources_of_the_water,
    streams.shares_of_the_coolant,
    streams.coolant_and_condensers,
    streams.streams_of_the_cooling,
    streams.sizing_of_the_coolant,
    ratings.towers_by_their_rating,
    ratings.fans_behind_pads,
    ratings.frost,
    ratings.air_behind_pads,
    candidates.sizes_of_chillers,
    candidates.numbers_of_chillers,
    candidates.flow_of_each_cdu,
    candidates.order_of_the_candidates,
    candidates.pairs_of_the_plant,
    crossings.limits_on_straight_lines,
)


@pytest.mark.parametrize("one", SMALL_CASES, ids=lambda one: one.__name__)
def test_small_cases_are_those_of_the_second_calculation(one: Callable[[], Iterator[str]]) -> None:
    assert list(one()) == []
