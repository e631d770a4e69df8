"""The bill of a year: invariants, a tariff by hand, conventions, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.core.trace import explain
from facility.files.project.file import apply_sets, load_project
from facility.model.inputs.money.tariff import DAYS
from facility.model.tariff import ALL_MONTHS, Period, Tariff, flat_tariff
from facility.report.tables.bill import charges_of, months_of, notes_of, words_of
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.design.design import design
from facility.study.tariff.bill import Metered, bill_of
from facility.study.tariff.tank import prices
from tests.study.helpers import SHORTEST, design_of
from tests.tools.weather_forms import epw_lines

KWH_J, KW_W = 3.6e6, 1e3
MONTH = np.repeat(np.arange(1, 13), [744, 672, 744, 720, 744, 720, 744, 744, 720, 744, 720, 744])
# A tariff of a Californian utility as the tests of eeco 0.1.0 carry it: summer weekdays in five
# spans, half hours among them, demand by span, a charge of each customer.
PGE = {
    "energy.0": "0.08981 USD/kWh May-Oct weekdays 21:30-8:30",
    "energy.1": "0.1196 USD/kWh May-Oct weekdays 8:30-12,18-21:30",
    "energy.2": "0.16299 USD/kWh May-Oct weekdays 12-18",
    "energy.3": "0.08981 USD/kWh May-Oct weekends 0-24",
    "energy.4": "0.09716 USD/kWh Nov-Apr weekdays 21:30-8:30",
    "energy.5": "0.1133 USD/kWh Nov-Apr weekdays 8:30-21:30",
    "energy.6": "0.09716 USD/kWh Nov-Apr weekends 0-24",
    "demand.0": "21.19 USD/kW May-Oct weekdays 12-18",
    "demand.1": "5.88 USD/kW May-Oct weekdays 8:30-12,18-21:30",
    "demand.2": "21.3 USD/kW",
    "demand.3": "0.06 USD/kW Nov-Apr weekdays 8:30-12,18-21:30",
}
FIXED = 1352.6313


def sets(charges: dict[str, str], *more: str) -> tuple[str, ...]:
    found = []
    for at, text in charges.items():
        number, unit, *rest = text.split(" ")
        found.append(f"site.tariff.{at}.price={number} {unit}")
        names = ("months", "days", "hours")
        found += [f"site.tariff.{at}.{n}={v}" for n, v in zip(names, rest, strict=False)]
    return (*found, *more)


@cache
def tariff_of(*changes: str) -> Tariff:
    tariff = design_of(SHORTEST, *changes).facility.site.tariff
    assert tariff is not None
    return tariff


@cache
def year_of(*changes: str) -> AnnualStudy:
    return annual(design_of(SHORTEST, *changes))


def metered(power_w: np.ndarray, factor: float = 1.0) -> Metered:
    return Metered(MONTH, power_w, power_w / factor)


CHARGED = sets(PGE, f"site.tariff.fixed={FIXED} USD", "site.tariff.demand.2.ratchet=80 %")
LOADS = st.integers(0, 2**31).map(
    lambda seed: np.random.default_rng(seed).uniform(0.0, 5e6, len(MONTH))
)
FEW = settings(max_examples=15, deadline=None)


@FEW
@given(LOADS, LOADS)
def test_the_charge_for_energy_is_additive_over_loads_and_hours(
    one: np.ndarray, two: np.ndarray
) -> None:
    tariff = tariff_of(*CHARGED)
    both = bill_of(tariff, metered(one + two)).energy
    assert both == pytest.approx(
        bill_of(tariff, metered(one)).energy + bill_of(tariff, metered(two)).energy, rel=1e-12
    )
    found = bill_of(tariff, metered(one))
    by_hour = np.bincount(MONTH - 1, found.price_per_j * one * 3600.0)
    assert found.energy == pytest.approx(by_hour, rel=1e-12)
    assert found.energy_j.sum() == pytest.approx(one.sum() * 3600.0, rel=1e-12)


@FEW
@given(LOADS, LOADS, st.floats(0.6, 1.0))
def test_more_load_never_lowers_a_bill(one: np.ndarray, more: np.ndarray, factor: float) -> None:
    tariff = tariff_of(*CHARGED, "site.tariff.power_factor=95 %")
    less, all_ = (bill_of(tariff, metered(w, factor)).total for w in (one, one + more))
    assert np.all(all_ >= less * (1.0 - 1e-12))


@FEW
@given(LOADS, st.floats(1e-9, 1e-6))
def test_one_price_is_price_times_energy(power_w: np.ndarray, price_per_j: float) -> None:
    found = bill_of(flat_tariff(price_per_j, "USD"), metered(power_w))
    energy_j = float(power_w.sum()) * 3600.0
    assert found.total.sum() == pytest.approx(price_per_j * energy_j, rel=1e-12)


@FEW
@given(LOADS, st.integers(0, 2**31))
def test_hours_of_a_period_of_a_month_may_change_places(power_w: np.ndarray, seed: int) -> None:
    tariff = tariff_of(*CHARGED)
    once = bill_of(tariff, metered(power_w))
    mixed, shuffle = power_w.copy(), np.random.default_rng(seed)
    for month in ALL_MONTHS:
        for price in np.unique(once.price_per_j):
            at = np.flatnonzero((month == MONTH) & (once.price_per_j == price))
            mixed[at] = power_w[shuffle.permutation(at)]
    assert bill_of(tariff, metered(mixed)).energy == pytest.approx(once.energy, rel=1e-12)


def test_a_constant_megawatt_by_hand() -> None:
    """July has 31 days; where 1 January is a Sunday it has 21 weekdays and 10 days of weekends."""
    found = bill_of(tariff_of(*CHARGED), metered(np.full(len(MONTH), 1e6)))
    july = months_of(found)[6]
    weekdays, weekends = 21, 10
    by_hand = 1000.0 * (
        weekdays * (11 * 0.08981 + 7 * 0.1196 + 6 * 0.16299) + weekends * 24 * 0.08981
    )
    assert july.energy == pytest.approx(by_hand, rel=1e-12)
    assert july.demand == pytest.approx(1000.0 * (21.19 + 5.88 + 21.3), rel=1e-12)
    assert july.total == pytest.approx(by_hand + july.demand + FIXED, rel=1e-12)
    january = months_of(found)[0]
    assert january.demand == pytest.approx(1000.0 * (21.3 + 0.06), rel=1e-12)


@pytest.mark.parametrize(("day", "weekdays"), [("sunday", 22), ("saturday", 21), ("monday", 23)])
def test_the_first_day_decides_which_days_are_weekdays(day: str, weekdays: int) -> None:
    """January has 31 days: 28 in four weeks, and the first three days of the week it starts on."""
    tariff = tariff_of(*CHARGED, f"site.tariff.first_day={day}")
    found = bill_of(tariff, metered(np.full(len(MONTH), 1e6)))
    assert found.energy_j[5, 0] / KWH_J == pytest.approx(1000.0 * 13 * weekdays, rel=1e-12)


@pytest.mark.parametrize(
    ("header", "year", "stated", "day"),
    [
        ("Wednesday", 0, "", "wednesday"),
        ("", 0, "", "sunday"),
        ("Wednesday", 2024, "", "monday"),  # 1 January 2024 was a Monday, 2025 a Wednesday
        ("Sunday", 2025, "", "wednesday"),
        ("Wednesday", 2024, "friday", "friday"),
    ],
)
def test_the_first_day_is_that_of_load_or_weather(
    header: str, year: int, stated: str, day: str, tmp_path: Path
) -> None:
    lines = epw_lines("ashburn")
    lines[7] = f"DATA PERIODS,1,1,Data,{header}, 1/ 1,12/31"
    (tmp_path / "site.epw").write_text("\n".join(lines))
    (tmp_path / "p.yaml").write_text(SHORTEST)
    changes = [*CHARGED, "site.weather_file=site.epw"]
    if year:
        begins = np.arange(f"{year}-01-01T00", f"{year + 1}-01-01T00", dtype="datetime64[h]")
        rows = (f"{str(time).replace('T', ' ')}:00,0.7" for time in begins)
        (tmp_path / "load.csv").write_text("\n".join(["timestamp,load_fraction", *rows]))
        changes.append("it.load_profile.file=load.csv")
    if stated:
        changes.append(f"site.tariff.first_day={stated}")
    found = design(apply_sets(load_project(tmp_path / "p.yaml"), changes))
    tariff = found.facility.site.tariff
    assert tariff is not None
    assert DAYS[tariff.first_day] == day
    told = [a for a in found.trace.ledger if a.id == "site.tariff.first_day"]
    assert [a.text for a in told] == ([] if stated else [day])


def test_the_demand_of_named_hours_is_their_mean_in_every_month() -> None:
    """As transmission is charged by the summer peaks of the grid: 3 and 5 MW in two hours named."""
    power_w = np.full(len(MONTH), 1e6)
    power_w[(31 + 28 + 31 + 30 + 31 + 23) * 24 + 17] = 3e6
    power_w[(31 + 28 + 31 + 30 + 31 + 30 + 8) * 24 + 16] = 5e6
    power_w[0] = 9e6
    named = "site.tariff.demand.0.coincident=24 Jun 17, 9 Jul 16"
    charged = sets({**ONE, "demand.0": "4 USD/kW"}, named)
    found = bill_of(tariff_of(*charged), metered(power_w))
    assert found.demand == pytest.approx(np.full(12, 4.0 * 4000.0), rel=1e-12)
    assert "24 Jun 17:00, 9 Jul 16:00" in notes_of(tariff_of(*charged))[-1]
    summer = bill_of(
        tariff_of(*charged, "site.tariff.demand.0.months=Jun-Sep"), metered(power_w)
    ).demand
    assert summer.sum() == pytest.approx(4 * 4.0 * 4000.0, rel=1e-12)
    apparent = sets({**ONE, "demand.0": "4 USD/kVA"}, named)
    by_va = bill_of(tariff_of(*apparent), metered(power_w, 0.8)).demand
    assert by_va == pytest.approx(np.full(12, 4.0 * 5000.0), rel=1e-12)


def test_a_tank_saves_the_demand_of_named_hours() -> None:
    """A kW less in both hours saves the price of a kW in twelve months: half of it in each."""
    charged = sets(
        {**ONE, "demand.0": "4 USD/kW"}, "site.tariff.demand.0.coincident=24 Jun 17, 9 Jul 16"
    )
    tariff, read = tariff_of(*charged), metered(np.full(len(MONTH), 1e6))
    found = prices(tariff, read, bill_of(tariff, read)) - tariff.energy[0].price_per_j
    assert np.flatnonzero(found).tolist() == [174 * 24 + 17, 189 * 24 + 16]
    assert found.sum() * 3.6e6 == pytest.approx(12 * 4.0, rel=1e-12)


def test_a_ratchet_looks_back_on_its_months_alone() -> None:
    power_w = np.full(len(MONTH), 1e6)
    power_w[MONTH == 7] = 2e6
    one = ("site.tariff.energy.0.price=0 USD/kWh", "site.tariff.demand.0.price=1 USD/kW")
    ratchet = (*one, "site.tariff.demand.0.ratchet=75 %")
    billed = bill_of(tariff_of(*ratchet), metered(power_w)).billed[0] / KW_W
    assert list(billed) == [1500.0] * 6 + [2000.0] + [1500.0] * 5
    winter = (*ratchet, "site.tariff.demand.0.ratchet_months=Dec-Mar")
    billed = bill_of(tariff_of(*winter), metered(power_w)).billed[0] / KW_W
    assert list(billed) == [1000.0] * 6 + [2000.0] + [1000.0] * 5


def test_a_power_factor_below_the_least_raises_the_kw_and_not_the_kva() -> None:
    """800 kW at 1,000 kVA: 900 kW are billed at 90 %, and 1,000 kVA stay so."""
    charges = {"energy.0": "0 USD/kWh", "demand.0": "10 USD/kW", "demand.1": "5 USD/kVA"}
    tariff = tariff_of(*sets(charges, "site.tariff.power_factor=90 %"))
    found = bill_of(tariff, metered(np.full(len(MONTH), 8e5), 0.8))
    assert found.demand == pytest.approx(12 * [8000.0 + 5000.0], rel=1e-12)
    assert found.power_factor == pytest.approx(12 * [1000.0], rel=1e-12)
    fine = bill_of(tariff, metered(np.full(len(MONTH), 8e5), 0.95))
    assert not fine.power_factor.any()


def test_holidays_are_sundays_and_saturdays_a_day_of_their_own() -> None:
    """1 January a Sunday: July has 21 weekdays, 5 Saturdays, 5 Sundays; the 4th is a Tuesday."""
    days = {
        "energy.0": "0.3 USD/kWh 1-12 weekdays",
        "energy.1": "0.2 USD/kWh 1-12 saturdays",
        "energy.2": "0.1 USD/kWh 1-12 sundays",
    }
    flat = metered(np.full(len(MONTH), 1e6))
    hours = bill_of(tariff_of(*sets(days)), flat).energy_j[:, 6] / (1000.0 * KWH_J)
    assert list(hours) == pytest.approx([24 * 21, 24 * 5, 24 * 5], rel=1e-12)
    off = tariff_of(*sets(days, "site.tariff.holidays=4 Jul, 25-26 Dec, 29 Feb"))
    hours = bill_of(off, flat).energy_j / (1000.0 * KWH_J)
    assert list(hours[:, 6]) == pytest.approx([24 * 20, 24 * 5, 24 * 6], rel=1e-12)
    assert list(hours[:, 11]) == pytest.approx([24 * 19, 24 * 5, 24 * 7], rel=1e-12)
    assert "Sundays (29 Feb, 4 Jul, 25 Dec, 26 Dec)" in notes_of(off)[0]
    assert words_of(off.energy[1].period) == "saturdays"


@pytest.mark.parametrize("peak_w", [3e5, 1.8e5])
def test_blocks_of_energy_and_of_hours_of_use(peak_w: float) -> None:
    """250 h at 180 kW are 45,000 kWh (forums.mikeholt.com)."""
    power_w = np.full(len(MONTH), 1.5e5)
    power_w[0] = peak_w
    one = sets({"energy.0": "0.045 USD/kWh"}, "site.tariff.energy.0.blocks.0.price=0.025 USD/kWh")
    hours = tariff_of(*one, "site.tariff.energy.0.blocks.0.above=250 h")
    used = bill_of(hours, metered(power_w)).energy_j[:, 0] / KWH_J
    assert used == pytest.approx([250 * peak_w / KW_W, power_w[:744].sum() / KW_W - used[0]])
    assert peak_w > 1.8e5 or used[0] == pytest.approx(45_000.0)
    energy = tariff_of(*one, "site.tariff.energy.0.blocks.0.above=100 MWh")
    found = bill_of(energy, metered(power_w))
    assert found.energy_j[0] / KWH_J == pytest.approx(12 * [100_000.0])
    assert found.energy == pytest.approx(
        np.bincount(MONTH - 1, found.price_per_j * power_w * 3600.0), rel=1e-12
    )
    none = bill_of(energy, metered(np.zeros(len(MONTH))))
    assert not none.total.any()
    assert [c.when for c in charges_of(found)] == ["always, to 100 MWh", "always, above 100 MWh"]


@FEW
@given(LOADS, st.floats(0.6, 0.99))
def test_blocks_and_reactive_energy_hold_what_is_drawn(power_w: np.ndarray, factor: float) -> None:
    tariff = tariff_of(*BLOCKED)
    found = bill_of(tariff, metered(power_w, factor))
    assert found.energy_j.sum() == pytest.approx(power_w.sum() * 3600.0, rel=1e-12)
    tangent = np.tan(np.arccos(factor))
    drawn = np.bincount(MONTH - 1, power_w) * 3600.0
    assert found.reactive_var_s[0] == pytest.approx(
        np.maximum(0.0, tangent - 0.33) * drawn, rel=1e-9, abs=1.0
    )
    assert np.all(bill_of(tariff, metered(1.1 * power_w, factor)).total >= found.total)


BLOCKED = (
    *sets({"energy.0": "0.09 EUR/kWh 1-12 weekdays", "energy.1": "0.07 EUR/kWh 1-12 weekends"}),
    "site.tariff.energy.0.blocks.0.above=500 MWh",
    "site.tariff.energy.0.blocks.0.price=0.08 EUR/kWh",
    "site.tariff.energy.0.blocks.1.above=1 GWh",
    "site.tariff.energy.0.blocks.1.price=0.085 EUR/kWh",
    "site.tariff.reactive.0.price=0.041554 EUR/kvarh",
    "site.tariff.reactive.0.beyond=33 %",
)


TIERS = {"energy.0": "0.06003 USD/kWh", "demand.0": "24.80 USD/kW"}
STEP = ("site.tariff.demand.0.blocks.0.above=1000 kW",)
STEP += ("site.tariff.demand.0.blocks.0.price=11.80 USD/kW",)


@pytest.mark.parametrize("peak_w", [0.6e6, 1.0e6, 3.8e6])
def test_steps_of_demand_by_hand(peak_w: float) -> None:
    """General power of over 1,000 kW of ripleypower.com in September 2018: 24.80 and 11.80 USD/kW.

    3.8 MW are 24,800 and 33,040 USD, as eeco 0.4.2 charges its limits.
    """
    power_w = np.full(len(MONTH), 0.5e6)
    power_w[MONTH == 7] = peak_w
    found = bill_of(tariff_of(*sets(TIERS, *STEP)), metered(power_w))
    first, beyond = min(peak_w, 1e6) / KW_W, max(peak_w - 1e6, 0.0) / KW_W
    assert found.demand[6] == pytest.approx(24.80 * first + 11.80 * beyond, rel=1e-12)
    assert found.demand[0] == pytest.approx(24.80 * 500.0, rel=1e-12)
    assert [charge.when for charge in charges_of(found)][1:] == [
        "always, to 1000 kW",
        "always, above 1000 kW",
    ]
    assert found.last_demand(0).tolist() == [m != 7 or peak_w <= 1e6 for m in ALL_MONTHS]
    assert found.last_demand(1).tolist() == [m == 7 and peak_w > 1e6 for m in ALL_MONTHS]


@FEW
@given(LOADS, st.floats(0.7, 1.0))
def test_steps_of_demand_hold_what_is_billed(power_w: np.ndarray, factor: float) -> None:
    """Steps of one price are the charge without them, with a ratchet and a least power factor."""
    more = ("site.tariff.power_factor=95 %", "site.tariff.demand.0.ratchet=85 %")
    even = tuple(text.replace("11.80", "24.80") for text in STEP)
    load = metered(power_w, factor)
    whole = bill_of(tariff_of(*sets(TIERS, *more)), load)
    parts = bill_of(tariff_of(*sets(TIERS, *more, *even)), load)
    assert parts.billed.sum(axis=0) == pytest.approx(whole.billed[0], rel=1e-12)
    assert parts.total == pytest.approx(whole.total, rel=1e-12)


def test_blocks_and_reactive_energy_are_figures_and_months() -> None:
    study = year_of(*BLOCKED, "site.tariff.reactive.0.beyond=0 %")
    bill, results = study.bill, study.results
    assert bill is not None
    reactive = float(results["cost.annual.reactive"].si)  # type: ignore[arg-type]
    assert reactive == pytest.approx(bill.reactive.sum(), rel=1e-12)
    assert reactive > 0.0
    assert results["cost.annual"].si == pytest.approx(bill.total.sum(), rel=1e-12)
    assert sum(charge.cost for charge in charges_of(bill)) == pytest.approx(
        bill.total.sum(), rel=1e-12
    )
    assert sum(month.reactive for month in months_of(bill)) == pytest.approx(reactive, rel=1e-12)
    for key in results:
        if key.startswith(("cost", "tariff")):
            assert explain(study.trace, key)


def test_steps_of_any_length_give_the_same_bill() -> None:
    tariff, hours = tariff_of(*CHARGED), np.random.default_rng(1).uniform(1e5, 1e6, len(MONTH))
    quarters = Metered(np.repeat(MONTH, 4), np.repeat(hours, 4), np.repeat(hours, 4), 900.0)
    assert bill_of(tariff, quarters).total == pytest.approx(
        bill_of(tariff, metered(hours)).total, rel=1e-12
    )


def test_the_figures_of_a_design_are_its_bill() -> None:
    study = year_of(*CHARGED, "site.tariff.power_factor=100 %")
    bill, results = study.bill, study.results
    assert bill is not None
    parts = {key: float(results[f"cost.annual.{key}"].si) for key in ("energy", "demand")}  # type: ignore[arg-type]
    assert parts["energy"] == pytest.approx(bill.energy.sum(), rel=1e-12)
    assert parts["demand"] == pytest.approx(bill.demand.sum(), rel=1e-12)
    assert results["cost.annual.power_factor"].si == pytest.approx(bill.power_factor.sum())
    assert results["cost.annual.fixed"].si == pytest.approx(12 * FIXED)
    assert results["cost.annual"].si == pytest.approx(bill.total.sum(), rel=1e-12)
    energy_j = float(results["energy.annual"].si)  # type: ignore[arg-type]
    assert results["cost.price"].si == pytest.approx(bill.total.sum() / energy_j, rel=1e-12)
    used = sum(float(results[f"tariff.energy.{n}"].si) for n in range(1, 8))  # type: ignore[arg-type]
    assert used == pytest.approx(energy_j, rel=1e-12)
    assert sum(charge.cost for charge in charges_of(bill)) == pytest.approx(
        (bill.total - bill.fixed).sum(), rel=1e-12
    )
    for key in results:
        if key.startswith(("cost", "tariff")):
            assert explain(study.trace, key)


def test_one_price_typed_as_a_charge_is_the_simple_form() -> None:
    short, long = (
        year_of("site.tariff=0.07 USD/kWh"),
        year_of("site.tariff.energy.0.price=0.07 USD/kWh"),
    )
    assert short.results["cost.annual"] == long.results["cost.annual"]
    assert "cost.annual.energy" not in long.results


def test_a_tariff_in_another_currency_stays_in_it() -> None:
    charges = {"energy.0": "0.11 EUR/kWh", "demand.0": "9 EUR/kW"}
    study = year_of(*sets(charges, "site.tariff.fixed=100 EUR"))
    for key, unit in (("cost.annual", "EUR"), ("cost.price", "EUR/kWh")):
        assert study.results[key].as_json()["unit"] == unit


def test_words_of_a_period_are_those_of_the_tariff() -> None:
    tariff = tariff_of(*CHARGED)
    assert words_of(tariff.energy[1].period) == "May-Oct, weekdays, 8:30-12 18-21:30 h"
    assert words_of(tariff.energy[6].period) == "Nov-Apr, weekends"
    assert words_of(tariff.energy[4].period) == "Nov-Apr, weekdays, 21:30-8:30 h"
    assert words_of(Period()) == "always"


ONE = {"energy.0": "0.05 USD/kWh"}


def _blocks(above: str, price: str, n: int = 0) -> tuple[str, ...]:
    at = f"site.tariff.energy.0.blocks.{n}"
    return (*sets(ONE), f"{at}.above={above}", f"{at}.price={price}")


def _steps(above: str, price: str, n: int = 0) -> tuple[str, ...]:
    at = f"site.tariff.demand.0.blocks.{n}"
    return (*sets({**ONE, "demand.0": "1 USD/kW"}), f"{at}.above={above}", f"{at}.price={price}")


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        (sets({"energy.0": "-0.05 USD/kWh"}), "OUT_OF_RANGE", "energy[0].price"),
        (sets({**ONE, "demand.0": "-1 USD/kW"}), "OUT_OF_RANGE", "demand[0].price"),
        (sets(ONE, "site.tariff.fixed=-1 USD"), "OUT_OF_RANGE", "fixed"),
        (sets(ONE, "site.tariff.demand.0.price=12"), "UNIT_MISSING", "demand[0].price"),
        (sets(ONE, "site.tariff.demand.0.price=12 USD/kWh"), "UNIT_WRONG", "demand[0].price"),
        (sets(ONE, "site.tariff.demand.0.price=12 XYZ/kW"), "UNIT_WRONG", "demand[0].price"),
        (sets({"energy.0": "0.05 USD/kWh Jan-Nov"}), "TARIFF_GAP", "energy"),
        (sets({"energy.0": "0.05 USD/kWh Jan-Dec weekends"}), "TARIFF_GAP", "energy"),
        (sets({**ONE, "energy.1": "0.06 USD/kWh Jul"}), "TARIFF_OVERLAP", "energy[1]"),
        (sets({"energy.0": "0.05 USD/kWh Juni"}), "TARIFF_MONTHS", "energy[0].months"),
        (sets({"energy.0": "0.05 USD/kWh 13"}), "TARIFF_MONTHS", "energy[0].months"),
        (sets({"energy.0": "0.05 USD/kWh Jan,Dec-Feb"}), "TARIFF_MONTHS", "energy[0].months"),
        (sets(ONE, "site.tariff.energy.0.hours=8:15-12"), "TARIFF_HOURS", "energy[0].hours"),
        (sets(ONE, "site.tariff.energy.0.hours=8-25"), "TARIFF_HOURS", "energy[0].hours"),
        (sets(ONE, "site.tariff.energy.0.hours=8-8"), "TARIFF_HOURS", "energy[0].hours"),
        (sets(ONE, "site.tariff.energy.0.days=Sundays"), "NOT_ONE_OF", "energy[0].days"),
        (sets({**ONE, "demand.0": "1 EUR/kW"}), "CONTRADICTION", "demand[0].price"),
        (sets(ONE, "site.tariff.power_factor=95 %"), "CONTRADICTION", "power_factor"),
        (
            sets({**ONE, "demand.0": "1 USD/kW"}, "site.tariff.demand.0.ratchet_months=Jul"),
            "CONTRADICTION",
            "demand[0].ratchet_months",
        ),
        (sets(ONE, "site.tariff.holidays=30 Feb"), "TARIFF_DATES", "holidays"),
        *(
            (
                sets({**ONE, "demand.0": "1 USD/kW"}, f"site.tariff.demand.0.coincident={text}"),
                "TARIFF_DATES",
                "demand[0].coincident",
            )
            for text in ("29 Feb 3", "24 Jun", "24 Jun 24", "24-25 Jun 3", "3 Jul 9, 3 Jul 9")
        ),
        (
            sets(
                {**ONE, "demand.0": "1 USD/kW"},
                "site.tariff.demand.0.coincident=24 Jun 17",
                "site.tariff.demand.0.hours=12-18",
            ),
            "CONTRADICTION",
            "demand[0].coincident",
        ),
        (sets(ONE, "site.tariff.holidays=4 Juli"), "TARIFF_DATES", "holidays"),
        (sets(ONE, "site.tariff.holidays=4 Jul, 3-5 Jul"), "TARIFF_DATES", "holidays"),
        (sets(ONE, "site.tariff.holidays=4 Jul"), "CONTRADICTION", "holidays"),
        (sets(ONE, "site.tariff.reactive.0.price=1 USD/kWh"), "UNIT_WRONG", "reactive[0].price"),
        (
            sets(ONE, "site.tariff.reactive.0.price=1 EUR/kvarh"),
            "CONTRADICTION",
            "reactive[0].price",
        ),
        (_blocks("1 MWh", "0.1 EUR/kWh"), "CONTRADICTION", "energy[0].blocks[0].price"),
        (_blocks("0 MWh", "0.1 USD/kWh"), "OUT_OF_RANGE", "energy[0].blocks[0].above"),
        (_blocks("1 MW", "0.1 USD/kWh"), "UNIT_WRONG", "energy[0].blocks[0].above"),
        (_blocks("1", "0.1 USD/kWh"), "UNIT_MISSING", "energy[0].blocks[0].above"),
        (
            (*_blocks("1 MWh", "1 USD/kWh"), *_blocks("2 h", "1 USD/kWh", 1)),
            "CONTRADICTION",
            "energy[0].blocks[1].above",
        ),
        (
            (*_blocks("2 MWh", "1 USD/kWh"), *_blocks("900 kWh", "1 USD/kWh", 1)),
            "CONTRADICTION",
            "energy[0].blocks[1].above",
        ),
        (_steps("1 kVA", "1 USD/kW"), "CONTRADICTION", "demand[0].blocks[0].above"),
        (_steps("1 kW", "1 USD/kVA"), "CONTRADICTION", "demand[0].blocks[0].price"),
        (_steps("1 kW", "1 EUR/kW"), "CONTRADICTION", "demand[0].blocks[0].price"),
        (_steps("1 MWh", "1 USD/kW"), "UNIT_WRONG", "demand[0].blocks[0].above"),
        (_steps("0 kW", "1 USD/kW"), "OUT_OF_RANGE", "demand[0].blocks[0].above"),
        (
            (*_steps("1 MW", "1 USD/kW"), *_steps("900 kW", "1 USD/kW", 1)),
            "CONTRADICTION",
            "demand[0].blocks[1].above",
        ),
        (sets({"demand.0": "1 USD/kW"}), "MISSING_FIELD", "energy"),
        (("site.tariff.energy.0.months=Jul",), "MISSING_FIELD", "energy[0].price"),
    ],
)
def test_a_tariff_that_cannot_be_charged_is_refused(
    changes: tuple[str, ...], code: str, where: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        design_of(SHORTEST, *changes)
    assert (refused.value.code, refused.value.where) == (code, f"site.tariff.{where}")


def test_more_charges_than_any_tariff_has_are_refused() -> None:
    many = {f"demand.{n}": "1 USD/kW" for n in range(25)}
    with pytest.raises(FacilityError) as refused:
        design_of(SHORTEST, *sets({**ONE, **many}))
    assert (refused.value.code, refused.value.where) == ("LIMIT", "site.tariff.demand")


def test_periods_in_any_order_are_the_same_tariff() -> None:
    power_w = np.random.default_rng(2).uniform(1e5, 1e6, len(MONTH))
    tariff = tariff_of(*CHARGED)
    turned = replace(tariff, energy=tariff.energy[::-1], demand=tariff.demand[::-1])
    once, again = (bill_of(one, metered(power_w)) for one in (tariff, turned))
    assert again.total == pytest.approx(once.total, rel=1e-12)
