"""Categories of the PUE, reuse, water of generation, full-load hours, IT within a capacity."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from facility.study.annual.hours import hours_of
from facility.study.design.design import Design
from facility.study.loop import Sized, balance
from tests.study.helpers import SHORTEST, design_of, reference

PROJECTS = ("h100-10k", "mixed-hall")


@cache
def figures(found: Design) -> dict[str, float]:
    assert found.year is not None
    return {key: float(value.si) for key, value in found.year.results.items() if value.kind}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_meter_further_up_counts_the_losses_below_it_as_it(name: str) -> None:
    here = figures(reference(name))
    it = here["energy.annual.it"]
    lost = {
        part: here[f"annual.losses.{part}"]
        for part in ("rack_pdu", "branch", "pdu_transformer", "feeder")
    }
    at_pdu = it + lost["rack_pdu"] + lost["branch"]
    assert here["pue.category.3"] == here["pue.annual"]
    assert here["pue.category.2"] == pytest.approx(here["energy.annual"] / at_pdu)
    assert here["pue.category.1"] == pytest.approx(
        here["energy.annual"] / (it + sum(lost.values()))
    )
    assert 1.0 < here["pue.category.1"] < here["pue.category.2"] < here["pue.category.3"]


def test_the_ups_puts_out_its_it_and_the_cooling_on_it() -> None:
    """What a meter at its outputs reads, less the cooling that hangs there too, is category 1."""
    found = reference("h100-10k")
    here = figures(found)
    assert found.year is not None
    year = found.year.year
    out_w = year.hours.spread(sum(system.output_w for system in year.balance.flow.systems))
    cooling_w = year.hours.spread(year.balance.cooling.on_ups_w)
    at_ups = year.hours.total(out_w - cooling_w)
    assert here["pue.category.1"] == pytest.approx(here["energy.annual"] / at_ups, rel=1e-9)


def test_water_of_generation_joins_that_of_the_site() -> None:
    here = figures(design_of(SHORTEST, "site.grid_water=2 L/kWh"))
    litres_kwh = here["wue.site"] * 3.6e9 + 2.0 * here["pue.annual"]
    assert here["wue.source"] * 3.6e9 == pytest.approx(litres_kwh)
    assert "wue.source" not in figures(design_of(SHORTEST))


@pytest.mark.parametrize(("warm", "used"), [("30 degC", True), ("90 degC", False)])
def test_reuse_is_the_stated_part_of_water_warm_enough(warm: str, used: bool) -> None:
    sets = ("cooling.heat_reuse.fraction=25 %", f"cooling.heat_reuse.temperature={warm}")
    here = figures(design_of(SHORTEST, "cooling.plant.heat_rejection=tower", *sets))
    assert here["ere"] == pytest.approx(here["pue.annual"] * (1.0 - here["erf"]))
    assert (here["annual.reuse.heat"] > 0.0) == used
    if used:
        assert 0.0 < here["annual.reuse.hours"] <= 8760.0
        most = 0.25 * (here["energy.annual"] - here["annual.losses.transformer"])
        assert here["annual.reuse.heat"] <= most, "a quarter of what reaches the water"
    assert "ere" not in figures(design_of(SHORTEST))


def test_full_load_hours_are_energy_over_the_highest_power() -> None:
    found = reference("h100-10k")
    here = figures(found)
    for part in ("crah_fans", "chw_pumps", "condenser_pumps", "heat_rejection_fans"):
        highest_w = found.year.year.power_w[f"cooling.{part}"].max()
        most_w = max(float(found.all_results[f"cooling.{part}"].si), highest_w)
        full = here[f"annual.cooling.{part}"] / most_w / 3600.0
        assert here[f"annual.full_load_hours.{part}"] == pytest.approx(full, abs=0.5)


AS_BUILT = ("cooling.plant.chiller.capacity=50 kW", "cooling.plant.chiller.count=1")
SCAVENGED = ("cooling.economizer.kind=air-side-indirect", "cooling.economizer.fan_power=2 W/cfm")


@pytest.mark.parametrize("sets", [AS_BUILT, SCAVENGED, (*AS_BUILT, *SCAVENGED)])
def test_no_machine_runs_longer_than_the_year(sets: tuple[str, ...]) -> None:
    here = figures(design_of(SHORTEST, "site.station=san-francisco", *sets))
    hours = {key: value for key, value in here.items() if "full_load_hours" in key}
    assert hours
    assert max(hours.values()) <= 8760.0


def test_heat_that_units_as_built_leave_is_told() -> None:
    found = design_of(SHORTEST, "site.station=san-francisco", *AS_BUILT)
    here, load_w = figures(found), found.year.year.balance.cooling.chiller_load_w
    over_w = np.broadcast_to(np.maximum(load_w - 50e3, 0.0), 8760)
    assert here["annual.short.heat"] == pytest.approx(float(over_w.sum()) * 3600.0)
    assert here["annual.short.hours"] == float((over_w > 0.0).sum()) > 0.0
    assert [
        c.failed for c in found.checks if c.rule == "ANNUAL-CAPACITY" and c.subject == "chillers"
    ] == [True]
    whole = figures(design_of(SHORTEST, "site.station=san-francisco"))
    assert whole["annual.short.hours"] == whole["annual.short.heat"] == 0.0


@pytest.mark.parametrize("share", [0.6, 0.9, 5.0])
def test_it_within_a_capacity_leaves_the_meter_there_in_most_hours(share: float) -> None:
    bare = reference("h100-10k")
    agreed = share * bare.point.facility_w
    found = with_capacity(agreed)
    here, record = figures(found), found.weather_year
    assert record is not None
    hours = hours_of(record)
    for part in (90, 99):
        it_w = here[f"capacity.it.p{part}"]
        load = it_w / found.it.it_w
        sized = Sized(found.chain, found.cooling)
        at = balance(found.facility, found.it, sized, hours.weather, load)
        supplied = hours.spread(at.flow.utility.demand_w)
        within = float(np.mean(supplied <= agreed * (1.0 + 1e-4)))
        if share > 1.0:
            assert load == 1.0
            assert within == 1.0
        else:
            assert within == pytest.approx(part / 100, abs=2e-3)
    assert here["capacity.it.p99"] <= here["capacity.it.p90"]
    checks = [check for check in found.checks if check.rule == "UTILITY-CAPACITY"]
    assert [check.failed for check in checks] == [share < 1.0]


def with_capacity(agreed_w: float) -> Design:
    return reference("h100-10k", f"site.utility_capacity={agreed_w / 1e3:.3f} kW")


def test_heat_pump_is_shown_beside_both_boundaries() -> None:
    """Its power by hand, hour by hour: 0.5 of Carnot, 3 K on both sides, 70 degC supplied."""
    sets = (
        "cooling.plant.heat_rejection=tower",
        "cooling.heat_reuse.fraction=25 %",
        "cooling.heat_reuse.temperature=70 degC",
        "cooling.heat_reuse.heat_pump.source_min=20 degC",
    )
    found = design_of(SHORTEST, *sets)
    here, rejection = figures(found), found.year.year.balance.cooling.rejection
    cold_k, warm_k = rejection.water.leaving_c - 3.0 + 273.15, 70.0 + 3.0 + 273.15
    power_w = rejection.reused_w / (0.5 * warm_k / (warm_k - cold_k) - 1.0)
    energy_j = 3600.0 * power_w.sum()
    assert energy_j > 0.0
    assert here["annual.heat_pump.energy"] == pytest.approx(energy_j, rel=1e-9)
    assert here["annual.heat_pump.peak"] == pytest.approx(power_w.max(), rel=1e-9)
    supplied_j = here["annual.reuse.heat"] + energy_j
    assert here["annual.heat_pump.heat"] == pytest.approx(supplied_j, rel=1e-9)
    facility_j = here["energy.annual"] + energy_j
    assert here["pue.with_heat_pump"] == pytest.approx(facility_j / here["energy.annual.it"])
    assert here["erf.with_heat_pump"] == pytest.approx(supplied_j / facility_j)
    assert here["erf"] == pytest.approx(here["annual.reuse.heat"] / here["energy.annual"])
    same = figures(design_of(SHORTEST, *sets[:2], "cooling.heat_reuse.temperature=20 degC"))
    assert here["pue.annual"] == pytest.approx(same["pue.annual"]), "its power is in no load"
    assert "annual.heat_pump.energy" not in same


def test_reused_heat_takes_water_and_fans_in_proportion() -> None:
    """A fifth of warm heat reused, in hours below the design air, is a fifth less water."""
    sets = ("cooling.plant.heat_rejection=tower", "cooling.heat_reuse.temperature=15 degC")
    plain, used = (
        design_of(SHORTEST, "cooling.plant.heat_rejection=tower"),
        design_of(SHORTEST, *sets, "cooling.heat_reuse.fraction=20 %"),
    )
    air = plain.year.year.hours.air
    cool = air.dry_bulb_c < plain.facility.site.design.dry_bulb_c
    for water in ("evaporation_m3_s", "blowdown_m3_s", "drift_m3_s"):
        full = getattr(plain.year.year.water.towers, water)[cool]
        less = getattr(used.year.year.water.towers, water)[cool]
        assert less.sum() == pytest.approx(0.8 * full.sum(), rel=0.005), water
    fans = "cooling.heat_rejection_fans"
    one, other = plain.year.year.power_w[fans][cool], used.year.year.power_w[fans][cool]
    assert other.sum() == pytest.approx(0.8 * one.sum(), rel=0.005)
    hot = ~cool
    assert used.year.year.power_w[fans][hot] == pytest.approx(plain.year.year.power_w[fans][hot])
