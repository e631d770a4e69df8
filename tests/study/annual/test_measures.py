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
