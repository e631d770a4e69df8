"""As-built designs under other inputs: these change how equipment runs, never what is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.files.project.file import apply_sets
from facility.model.power.chain import Curve
from facility.power.train.types import UpsModule
from facility.power.ups import sizing
from facility.power.ups.modules import catalogue_module
from facility.study.annual.study import annual
from facility.study.design.design import Design, design
from facility.study.ranges.sample import as_built, with_inputs
from tests.study.fields import BASES, FIELDS, LIQUID
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference

VARIANTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (SHORTEST, ("cooling.plant.heat_rejection=dry_cooler",)),
    (SHORTEST, ("cooling.plant.heat_rejection=air_cooled",)),
    (SHORTEST, ("cooling.economizer.kind=integrated-water-side",)),
    (SHORTEST, ("cooling.economizer.kind=air-side-indirect",)),
    (SHORTEST, ("cooling.plant.chiller.performance=curves",)),
    (SHORTEST, ("cooling.air.terminal=rear-door",)),
    (SHORTEST, ("cooling.plant.pumping.scheme=primary-secondary",)),
    (LIQUID, ("cooling.facility_water.source=dry_cooler_and_chiller",)),
    (LIQUID, ("cooling.facility_water.source=tower",)),
    (LIQUID, ("cooling.facility_water.source=chilled_water",)),
)


def sample_of(nominal: Design, changes: Mapping[str, object]) -> Design:
    built = as_built(nominal)
    return with_inputs(built, built.project.with_(changes))


def year_of(found: Design) -> Mapping[str, Value]:
    return annual(found).results


def si(results: Mapping[str, Value], key: str) -> float:
    return float(results[key].si)


def assert_nominal(found: Design) -> None:
    sample = sample_of(found, {})
    assert sample.chain.choices == found.chain.choices
    built = design(found.as_built()).cooling
    assert replace(sample.cooling, checks=()) == replace(built, checks=())
    was, now = year_of(found), year_of(sample)
    assert {k: v.si for k, v in now.items()} == {k: v.si for k, v in was.items()}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_nominal_sample_is_the_nominal_design_to_the_last_bit(name: str) -> None:
    assert_nominal(reference(name))


@pytest.mark.parametrize(("text", "sets"), VARIANTS)
def test_a_nominal_sample_of_every_plant_is_the_nominal_design(
    text: str, sets: tuple[str, ...]
) -> None:
    assert_nominal(design_of(text, *sets))


def sampled(changes: Mapping[str, object], *sets: str) -> tuple[Mapping[str, Value], ...]:
    nominal = design_of(SHORTEST, *sets)
    return year_of(nominal), year_of(sample_of(nominal, changes))


def test_what_no_size_follows_from_is_as_in_a_design_of_its_own() -> None:
    nominal = design_of(SHORTEST)
    changes = {
        "it.load_factor": "61 %",
        "site.tariff": "0.07 USD/kWh",
        "site.grid_carbon": "0.2 kg/kWh",
        "cooling.plant.rejection.cycles": 3,
        "cooling.plant.pumping.stage_up": "70 %",
    }
    project = nominal.project.with_(changes)
    one, other = year_of(sample_of(nominal, changes)), year_of(design(project))
    assert {k: v.si for k, v in one.items()} == {k: v.si for k, v in other.items()}
    assert one["pue.annual"].si != year_of(nominal)["pue.annual"].si


def test_the_flow_of_the_towers_is_built() -> None:
    """A wider exchanger leaves towers warmer water; their own flow stays as it was laid out."""
    sets = ("cooling.facility_water.source=tower", "cooling.facility_water.supply=32 degC")
    nominal = design_of(LIQUID, *sets, "site.station=phoenix")
    wider = sample_of(nominal, {"cooling.facility_water.exchanger_approach": "3 K"})
    built, now = nominal.cooling.water, wider.cooling.water
    assert built is not None
    assert now is not None
    assert 0.0 < built.tower_part < 1.0
    assert now.tower_part == built.tower_part


def test_a_wiring_loss_is_of_the_load_that_the_wires_are_for() -> None:
    loss = "power.distribution.feeder_loss"
    was, now = sampled({loss: "3 %"}, f"{loss}=1 %")
    key = "annual.losses.feeder"
    assert si(now, key) == pytest.approx(3.0 * si(was, key), rel=1e-12)
    system = "power.distribution.rack_system=415Y/240"
    was, now = sampled({"it.demand_factor": "50 %"}, f"{loss}=1 %", system)
    assert si(now, key) == pytest.approx(0.25 * si(was, key), rel=1e-12), "half the current"


def test_pumps_of_another_efficiency_move_the_same_water() -> None:
    field, key = "cooling.plant.pump.efficiency", "annual.cooling.chw_pumps"
    was, now = sampled({field: "75 %"}, f"{field}=60 %")
    assert si(now, key) == pytest.approx(60.0 / 75.0 * si(was, key), rel=1e-4), "and UPS losses"


def test_fans_of_another_power_move_the_same_air() -> None:
    rating = {
        "net_sensible": "100 kW",
        "airflow": "7 m3/s",
        "return_air": "36 degC",
        "water_in": "18 degC",
        "water_out": "26 degC",
        "fan_power": "6 kW",
    }
    at = "cooling.crah.rating"
    was, now = sampled({f"{at}.fan_power": "9 kW"}, *(f"{at}.{k}={v}" for k, v in rating.items()))
    ratio = si(now, "annual.cooling.crah_fans") / si(was, "annual.cooling.crah_fans")
    assert ratio == pytest.approx(1.5, rel=0.02), "their heat moves a little more air"


def test_transformers_as_built_lose_what_the_sample_says() -> None:
    at = "power.transformer"
    sets = (f"{at}.rating=500 kVA", f"{at}.no_load_loss=1 kW", f"{at}.load_loss=5 kW")
    was, now = sampled({f"{at}.no_load_loss": "2 kW"}, *sets)
    count = design_of(SHORTEST, *sets).chain.transformers.count
    more_j = si(now, "annual.losses.transformer") - si(was, "annual.losses.transformer")
    assert more_j == pytest.approx(count * 1e3 * 8760 * 3600, rel=1e-9)


def test_a_module_of_the_project_keeps_its_rating_and_takes_its_curve() -> None:
    at = "power.ups"
    curve = {25: 93.0, 50: 95.0, 75: 95.2, 100: 95.0}
    points = (f"{at}.efficiency_{n}={percent} %" for n, percent in curve.items())
    sets = (f"{at}.module_rating=100 kW", f"{at}.module_rating_kva=100 kVA", *points)
    sets = (*sets, f"{at}.input_power_factor=0.99")
    nominal = design_of(SHORTEST, *sets)
    better = {f"{at}.efficiency_{n}": f"{percent + 1.0} %" for n, percent in curve.items()}
    sample = sample_of(nominal, better)
    assert sample.chain.ups.module.rating_w == nominal.chain.ups.module.rating_w
    assert sample.chain.ups.modules == nominal.chain.ups.modules
    was, now = year_of(nominal), year_of(sample)
    ratio = si(now, "annual.losses.ups") / si(was, "annual.losses.ups")
    least, most = ((1.0 / (p + 1.0) - 0.01) / (1.0 / p - 0.01) for p in (95.2, 93.0))
    assert least < ratio < most, "between those of the points"


def test_an_input_that_acts_where_the_module_is_chosen_acts_on_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twice the constant loss stands for such an input; its field changes the power chain."""
    nominal = design_of(SHORTEST)

    def lossier(model: str, efficiency: Curve, code: str) -> UpsModule:
        module = catalogue_module(model, efficiency, code)
        return replace(module, constant=2.0 * module.constant)

    monkeypatch.setattr(sizing, "catalogue_module", lossier)
    module = nominal.chain.ups.module
    sample = sample_of(nominal, {"power.ups.max_loading": "99 %"})
    assert sample.chain.ups.module == replace(module, constant=2.0 * module.constant)
    assert si(year_of(sample), "annual.losses.ups") > si(year_of(nominal), "annual.losses.ups")


def test_generator_sets_of_another_derating_are_loaded_by_it() -> None:
    nominal = design_of(SHORTEST, "power.generator.derate=100 %")
    sample = sample_of(nominal, {"power.generator.derate": "80 %"})
    was, now = (
        next(one.load for one in annual(found).peak_loads if "generator" in one.name)
        for found in (nominal, sample)
    )
    assert now == pytest.approx(was / 0.8, rel=1e-12)


@pytest.mark.parametrize(
    "sets",
    [
        tuple(f"it.load_profile.hours.{n}={0.5 + 0.02 * n:g}" for n in range(24)),
        ("it.load_profile.kind=training",),
    ],
)
def test_a_load_that_varies_through_the_year_is_held_too(sets: tuple[str, ...]) -> None:
    found = design_of(SHORTEST, *sets)
    was = year_of(found)
    assert year_of(sample_of(found, {})).keys() == was.keys()
    sample = sample_of(found, {"it.job.idle_power": 0.2})
    moved = si(year_of(sample), "energy.annual") != si(was, "energy.annual")
    assert moved is (len(sets) == 1)


def test_sizes_stay_whatever_the_sample_asks() -> None:
    nominal = design_of(SHORTEST, "site.station=ashburn")
    changes = {"criteria.growth": "30 %", "site.design_dry_bulb": "45 degC"}
    sample = sample_of(nominal, changes)
    assert sample.chain == nominal.chain
    assert sample.cooling.counts == nominal.cooling.counts
    assert year_of(sample)["energy.annual"].si == year_of(nominal)["energy.annual"].si


OTHER = (
    {"it.gpus": 128},
    {"it.servers_per_rack": 3},
    {"cooling.crah.model": "CRAH 100 kW, 36/24 air, 14/22 water"},
    {"power.redundancy": "2N"},
    {"cooling.plant.heat_rejection": "dry_cooler"},
)


@pytest.mark.parametrize("changes", OTHER, ids=lambda changes: next(iter(changes)))
def test_other_equipment_is_refused_and_named(changes: dict[str, object]) -> None:
    nominal = design_of(SHORTEST)
    with pytest.raises(FacilityError, match="requires equipment that differs") as caught:
        sample_of(nominal, changes)
    assert caught.value.code == "RANGE_EQUIPMENT"


OWN = ("power.ups.module_rating=100 kW", "power.ups.module_rating_kva=100 kVA")
ON_480 = ("power.distribution.voltage=480 V", "power.distribution.rack_system=208Y/120")
RATINGS = (
    ((), "power.transformer.rating", "2 MVA", "transformers.rating_va"),
    (OWN, "power.ups.module_rating", "90 kW", "ups.rating_w"),
    (ON_480, "power.distribution.pdu_transformer", "300 kVA", "pdus.rating_va"),
    (
        ("power.generator.rating=1 MW", "power.generator.rating_kva=1250 kVA"),
        "power.generator.rating",
        "0.9 MW",
        "generators.rating_w",
    ),
)


@pytest.mark.parametrize(("sets", "path", "value", "named"), RATINGS)
def test_another_rating_is_refused_and_named(
    sets: tuple[str, ...], path: str, value: str, named: str
) -> None:
    with pytest.raises(FacilityError, match=f"power.{named} is") as caught:
        sample_of(design_of(SHORTEST, *sets), {path: value})
    assert caught.value.code == "RANGE_EQUIPMENT"


FOLLOWED = (
    "cooling.crah.rating.fan_power",
    "cooling.outdoor_recirculation",
    "cooling.economizer.pressure_drop",
    "cooling.cdu.rating.pump_power",
    "cooling.plant.pump.head",
    "cooling.plant.pump.efficiency",
    "cooling.plant.rejection.pump.efficiency",
    "cooling.facility_water.pump.head",
    "cooling.facility_water.pump.efficiency",
    "cooling.facility_water.rejection.pump.efficiency",
    "cooling.hydraulics.plant_route",
    "cooling.hydraulics.rejection_route",
    "cooling.hydraulics.roughness",
    "cooling.plant.chiller.carnot_fraction",
    "cooling.plant.chilled_water_supply",
    "power.ups.efficiency_25",
    "power.ups.efficiency_75",
    "power.distribution.branch_loss",
    "power.distribution.feeder_loss",
    "power.distribution.board_loss",
    "it.rack_pdu_loss",
    "house.people",
    "house.heat_per_person",
)
"""Inputs that act on how equipment runs much more than on how large it is."""


@pytest.mark.parametrize("field", FOLLOWED)
def test_equipment_held_follows_an_input_as_a_design_of_its_own_does(field: str) -> None:
    change = FIELDS[field]
    text = BASES[change.base]
    nominal, other = design_of(text, *change.one), design_of(text, *change.two)
    built = as_built(nominal)
    sample = with_inputs(built, apply_sets(built.project, change.two))
    key = "energy.annual"
    was, now, anew = (si(year_of(found), key) for found in (nominal, sample, other))
    assert sample.cooling.counts == nominal.cooling.counts
    assert now != was
    assert now - anew == pytest.approx(0.0, abs=0.05 * abs(anew - was)), "their sizes differ a bit"
