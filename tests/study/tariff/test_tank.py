"""A tank run by the tariff: level, limits, what the year keeps, an optimum beside it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from facility.cooling.plant.tank import levels
from facility.core.errors import FacilityError
from facility.report.tables.hours import HOUR_HEADS, hour_rows
from facility.study.annual.hours import hours_of
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.loop import Sized, balance
from facility.study.tariff.bill import Metered, bill_of
from facility.study.tariff.tank import TankHours, _extremes, dispatched, prices
from tests.study.helpers import SHORTEST, design_of

OF_ANY_PLANT = (
    "site.station=phoenix",
    "cooling.method=air",
    "site.tariff.energy.0.price=0.30 USD/kWh",
    "site.tariff.energy.0.days=weekdays",
    "site.tariff.energy.0.hours=14-20",
    "site.tariff.energy.1.price=0.06 USD/kWh",
    "site.tariff.energy.1.days=weekdays",
    "site.tariff.energy.1.hours=20-14",
    "site.tariff.energy.2.price=0.06 USD/kWh",
    "site.tariff.energy.2.days=weekends",
)
TARIFF = (*OF_ANY_PLANT, "cooling.plant.heat_rejection=tower")


@cache
def tanked(volume: str, *more: str) -> Design:
    return design_of(SHORTEST, *TARIFF, f"cooling.storage.volume={volume}", *more)


@cache
def year_of(volume: str, *more: str) -> AnnualStudy:
    return annual(tanked(volume, *more))


@cache
def without(*more: str) -> AnnualStudy:
    return annual(design_of(SHORTEST, *TARIFF, *more))


def dispatch(design: Design) -> tuple[TankHours, np.ndarray, np.ndarray, np.ndarray]:
    """Return the tank, prices, chiller load without it, and what the chillers have to spare."""
    record, tariff = design.weather_year, design.facility.site.tariff
    assert record is not None
    assert tariff is not None
    hours, sized = hours_of(record), Sized(design.chain, design.cooling)
    load = design.facility.load.through_the_year
    found = balance(design.facility, design.it, sized, hours.weather, load)
    apparent_va = hours.spread(found.flow.utility.demand_va)
    metered = Metered(hours.month, hours.spread(found.facility_w), apparent_va)
    price = prices(tariff, metered, bill_of(tariff, metered))
    load_w = hours.spread(found.cooling.chiller_load_w)
    tank = dispatched(price, metered, design.cooling, found.cooling)
    return tank, price, load_w, design.cooling.chilled.load_w - load_w


def by_steps(change: np.ndarray, capacity: float) -> list[float]:
    level, found = 0.0, []
    for _ in range(3):  # Until the year begins as it ends
        found = []
        for one in change:
            level = min(max(level + one, 0.0), capacity)
            found.append(level)
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-9.0, 9.0), min_size=1, max_size=70), st.floats(0.5, 30.0))
def test_levels_are_those_of_one_step_after_another(changes: list[float], capacity: float) -> None:
    change = np.array(changes)
    found = levels(change, capacity)
    assert np.all((found >= 0.0) & (found <= capacity))
    begun = np.clip(np.roll(found, 1) + change, 0.0, capacity)
    assert found == pytest.approx(begun, abs=1e-9)
    if abs(change.sum()) > capacity:
        assert found == pytest.approx(by_steps(change, capacity), abs=1e-9)


@pytest.mark.parametrize("volume", ["20 m3", "80 m3", "1000 m3"])
def test_the_tank_keeps_its_energy_and_its_limits(volume: str) -> None:
    tank, price, load_w, spare_w = dispatch(tanked(volume))
    charge_w, give_w = (np.asarray(x) for x in (tank.flow.charge_w, tank.flow.discharge_w))
    added_j = tank.level_j - np.roll(tank.level_j, 1)
    assert (charge_w - give_w - tank.loss_w) * 3600.0 == pytest.approx(added_j, abs=1e-3)
    assert np.all((tank.level_j >= 0.0) & (tank.level_j <= tank.capacity_j))
    assert charge_w.sum() == pytest.approx(give_w.sum() + tank.loss_w.sum(), rel=1e-9)
    assert np.all(tank.loss_w >= -1e-6)
    assert np.all(tank.loss_w <= 0.02 * tank.capacity_j / 86400.0 * (1.0 + 1e-9))
    assert np.all((charge_w <= np.maximum(spare_w, 0.0)) & (give_w <= load_w))
    assert not np.any((charge_w > 0.0) & (give_w > 0.0))
    assert np.all(price[give_w > 0.0] == price.max())
    assert np.all(price[charge_w > 0.0] < price.max())
    assert give_w.sum() > 0.0


def test_charging_beside_an_economizer_is_within_the_pumps() -> None:
    study = year_of("200 m3", "cooling.economizer.kind=integrated-water-side")
    carried = {each.name: each.load for each in study.peak_loads}
    assert 0.9 < carried["chilled-water pumps"] <= 1.0
    assert carried["chillers on duty"] <= 1.0
    assert [c.outcome.value for c in study.checks if c.rule == "ANNUAL-HEAT"] == ["PASS"]


def test_it_moves_what_the_best_of_all_schedules_moves() -> None:
    """HiGHS over the hours of a year: cost of a watt taken from the tank or put into it."""
    design = tanked("30 m3", "cooling.storage.gain=0 %")
    tank, price, load_w, spare_w = dispatch(design)
    part, n = 0.98, 24 * 28
    at = slice(24 * 182, 24 * 182 + n)
    dear, most_j = price[at] == price.max(), tank.capacity_j
    cost = np.concatenate([price[at], -price[at]])
    run = np.tril(np.ones((n, n))) * 3600.0
    level = np.hstack([run, -run])
    start_j = tank.level_j[at.start - 1]
    limits = np.concatenate([np.full(n, most_j - start_j), np.full(n, start_j)])
    bounds = [(0.0, part * x) for x in np.maximum(spare_w[at], 0.0)]
    bounds += [(0.0, part * x) for x in load_w[at]]
    whole = np.concatenate([np.ones(n), -np.ones(n)])[None] * 3600.0
    end_j = [tank.level_j[at][-1] - start_j]
    best = linprog(cost, np.vstack([level, -level]), limits, whole, end_j, bounds)
    charge_w, give_w = (np.asarray(x)[at] for x in (tank.flow.charge_w, tank.flow.discharge_w))
    assert best.status == 0
    assert cost @ np.concatenate([charge_w, give_w]) == pytest.approx(best.fun, rel=1e-6)
    assert not np.any(give_w[~dear])


def test_the_year_closes_with_a_tank_and_the_bill_falls() -> None:
    study, plain = year_of("80 m3"), without()
    for rule in ("ANNUAL-METER", "ANNUAL-HEAT", "STORAGE-SAVING"):
        assert [c.outcome.value for c in study.checks if c.rule == rule] == ["PASS"]
    results, before = study.results, plain.results
    saved = float(before["cost.annual"].si) - float(results["cost.annual"].si)  # type: ignore[arg-type]
    assert results["storage.saving"].si == pytest.approx(saved, rel=1e-9)
    assert saved > 0.0
    moved = float(results["storage.discharged"].si)  # type: ignore[arg-type]
    cop = float(np.mean(np.asarray(plain.year.balance.cooling.chiller_cop)))
    power_w, of_towers = plain.year.power_w, ("condenser_pumps", "heat_rejection_fans")
    chillers_w = np.mean(power_w["cooling.chillers"])
    plant_w = chillers_w + sum(np.mean(power_w[f"cooling.{one}"]) for one in of_towers)
    by_hand = moved / 3.6e6 / cop * float(plant_w / chillers_w) * (0.30 - 0.06)
    assert saved == pytest.approx(by_hand, rel=0.35)  # Nights are cooler
    assert float(results["energy.annual"].si) > float(before["energy.annual"].si) * 0.999  # type: ignore[arg-type]
    assert "storage.saving" not in before
    column = HOUR_HEADS.index("tank_kw")
    given_off = sum(row[column] for row in hour_rows(study.year)) * 3.6e6
    assert given_off == pytest.approx(float(results["storage.loss"].si), rel=1e-6)  # type: ignore[arg-type]
    assert not any(row[column] for row in hour_rows(plain.year))


ONE_PRICE = ("site.tariff.energy.0.price=0.06 USD/kWh",)
BLOCK = (
    "site.tariff.energy.0.blocks.0.above=15 MWh",
    "site.tariff.energy.0.blocks.0.price=0.02 USD/kWh",
)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (("site.tariff=0.06 USD/kWh",), "STORAGE_TARIFF"),
        ((*ONE_PRICE, *BLOCK), "STORAGE_TARIFF"),
        ((*ONE_PRICE, "site.tariff.reactive.0.price=0.01 USD/kvarh"), "STORAGE_TARIFF"),
        ((*ONE_PRICE, "site.tariff.demand.0.price=15 USD/kW"), "STORAGE_TARIFF"),
        (
            (
                *ONE_PRICE,
                "site.tariff.energy.0.months=Jan-Jun",
                "site.tariff.energy.1.price=0.09 USD/kWh",
                "site.tariff.energy.1.months=Jul-Dec",
            ),
            "STORAGE_TARIFF",
        ),
        ((*OF_ANY_PLANT, "cooling.air.terminal=crac"), "AIR_CONTRADICTION"),
    ],
)
def test_a_tank_without_hours_or_water_is_refused(changes: tuple[str, ...], code: str) -> None:
    with pytest.raises(FacilityError) as refused:
        design_of(SHORTEST, *changes, "cooling.storage.volume=20 m3")
    assert (refused.value.code, refused.value.where) == (code, "cooling.storage")


BLOCKS = (
    *TARIFF[:2],
    "site.tariff.energy.0.price=0.14 USD/kWh",
    "site.tariff.energy.0.hours=8-20",
    "site.tariff.energy.0.blocks.0.above=15 MWh",
    "site.tariff.energy.0.blocks.0.price=0.02 USD/kWh",
    "site.tariff.energy.1.price=0.06 USD/kWh",
    "site.tariff.energy.1.hours=20-8",
)


def test_blocks_are_moved_by_the_price_of_the_last_one_reached() -> None:
    """By day the mean is above 0.06 and what is drawn more costs 0.02: it charges by day."""
    study = annual(design_of(SHORTEST, *BLOCKS, "cooling.storage.volume=20 m3"))
    bill, tank_w = study.bill, study.year.hours.spread(study.year.balance.cooling.tank_w)
    assert bill is not None
    noon, midnight = 24 * 182 + 12, 24 * 182
    assert bill.price_per_j[noon] > bill.price_per_j[midnight]
    assert bill.last_per_j[[noon, midnight]] * 3.6e6 == pytest.approx([0.02, 0.06])
    by_day = np.isin(np.arange(len(tank_w)) % 24, np.arange(8, 20))
    assert study.results["storage.saving"].si > 0.0  # type: ignore[operator]
    assert np.all(tank_w[by_day] >= 0.0)  # It takes
    assert np.all(tank_w[~by_day] <= 0.0)
    assert tank_w[by_day].sum() > 0.0


@pytest.mark.parametrize("above", ["15 MWh", "30 MWh", "35 MWh", "40 MWh", "100 h", "300 h"])
def test_no_bill_with_a_tank_is_above_that_without(above: str) -> None:
    blocks = (*BLOCKS, f"site.tariff.energy.0.blocks.0.above={above}")
    study = annual(design_of(SHORTEST, *blocks, "cooling.storage.volume=150 m3"))
    plain = annual(design_of(SHORTEST, *blocks))
    assert study.results["cost.annual"].si <= plain.results["cost.annual"].si  # type: ignore[operator]


def test_months_of_one_price_leave_the_tank_idle() -> None:
    """January at one price; February between 2 and 5, at its ends: by hand."""
    price, month = np.array([3.0, 3.0, 2.0, 4.0, 5.0, 2.0]), np.array([1, 1, 2, 2, 2, 2])
    low, high = _extremes(price, month)
    assert low.tolist() == [False, False, True, False, False, True]
    assert high.tolist() == [False, False, False, False, True, False]


def test_a_tank_that_saves_nothing_stands_still_and_is_told() -> None:
    nearly = (*TARIFF, "site.tariff.energy.0.price=0.0601 USD/kWh", "cooling.storage.gain=40 %")
    study = annual(design_of(SHORTEST, *nearly, "cooling.storage.volume=40 m3"))
    moved = [study.results[f"storage.{key}"].si for key in ("charged", "discharged", "saving")]
    assert moved == [0.0, 0.0, 0.0]
    assert [c.outcome.value for c in study.checks if c.rule == "STORAGE-SAVING"] == ["FAIL"]


def test_the_saving_is_explained_by_both_bills() -> None:
    study, plain = year_of("80 m3"), without()
    inputs = study.trace["storage.saving"].inputs
    assert [ref for *_, ref in inputs] == ["storage.without", "cost.annual"]
    bills = [plain.results["cost.annual"].si, study.results["cost.annual"].si]
    assert [value for _, value, *_ in inputs] == pytest.approx(bills, rel=1e-9)


@pytest.mark.parametrize("when", ["hours=14-20", "days=weekdays"])
def test_demand_of_some_hours_runs_a_tank(when: str) -> None:
    priced = ("site.tariff.demand.0.price=15 USD/kW", f"site.tariff.demand.0.{when}")
    design = design_of(SHORTEST, *ONE_PRICE, *priced, "cooling.storage.volume=20 m3")
    assert design.facility.cooling.storage is not None


def test_a_reserve_is_kept_from_the_tariff_and_stands_for_failures() -> None:
    """Of 30 m3, 26.25 usable, half is held: 15 m3 for failures, 11.25 m3 for the tariff."""
    whole, held = tanked("30 m3"), tanked("30 m3", "cooling.storage.reserve=50 %")
    of_whole, of_held = (annual(one).results.values_by_key for one in (whole, held))
    ratio = of_held["storage.capacity"].si / of_whole["storage.capacity"].si
    assert ratio == pytest.approx(11.25 / 26.25)
    assert of_held["storage.loss"].si == pytest.approx(of_whole["storage.loss"].si)
    assert held.all_results["storage.tank"].si == pytest.approx(15.0)
    assert whole.all_results["storage.tank"].si != pytest.approx(15.0)
    with pytest.raises(FacilityError) as refused:
        tanked("30 m3", "cooling.storage.reserve=50 %", "cooling.thermal.tank_kind=mixed")
    assert refused.value.where == "cooling.thermal.tank_kind"
