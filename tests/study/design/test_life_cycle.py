"""The choice by life-cycle cost: by hand, by a second calculation, and where it is not known."""

from __future__ import annotations

import csv
from functools import cache

import pytest

from facility.core.choice import COST_CRITERION, CRITERION, Alternative, Selection, ranked
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.files.project.file import apply_sets, parse_project
from facility.model.facility import Facility
from facility.power.chain.choices import candidates
from facility.study.cost.machines import Machines
from facility.study.design.design import Design
from facility.study.design.life_cycle import LifeCycle, life_cycle
from facility.study.design.variants import Variants
from facility.study.loop import converge
from facility.study.resolve.facility import resolve
from tests.study.helpers import DATA, design_of, si

ROWS = list(csv.DictReader((DATA / "life_cycle.csv").read_text(encoding="utf-8").splitlines()))
UPS = """\
schema_version: 1
site: {station: fargo, tariff: 0.10 USD/kWh}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1}
cooling: {method: air}
cost:
  plant_years: 15
  rate: 8 %
  equipment: {ups: 130 USD/kVA, installation: 20 %}
"""
PRICED = (
    "cost.equipment.battery=300 USD/kWh",
    "cost.equipment.generator=500 USD/kW",
    "cost.equipment.transformer=50 USD/kVA",
    "cost.equipment.switchboard=90 kUSD",
    "cost.equipment.pdu_transformer=80 USD/kVA",
    "cost.equipment.panel=6 kUSD",
    "cost.equipment.rack_pdu=1500 USD",
    "cost.equipment.chiller=250 USD/kW",
    "cost.equipment.heat_rejection=80 USD/kW",
    "cost.equipment.air_handler=200 USD/kW",
    "cost.equipment.pump=1000 USD/kW",
)


def facility_of(text: str, *sets: str) -> Facility:
    found, _ = resolve(apply_sets(parse_project(text), sets), Trace())
    return found


def terms_of(text: str, *sets: str) -> LifeCycle:
    found = life_cycle(facility_of(text, *sets), "power", has_year=True)
    assert found is not None
    return found


def modules(count: int = 4) -> list[Machines]:
    return [Machines("ups", "UPS modules", count, 500e3, "apparent_power")]


@cache
def chosen(*sets: str) -> dict[str, Selection[object]]:
    return {one.subject: one for one in priced(*sets).choices}


def priced(*sets: str) -> Design:
    return design_of(UPS, *PRICED, *sets)


@pytest.mark.parametrize("case", sorted({row["case"] for row in ROWS}))
def test_the_cheaper_machine_is_first_at_a_high_rate_the_efficient_one_at_a_low(case: str) -> None:
    rows = [row for row in ROWS if row["case"] == case]
    found = []
    for row in rows:
        terms = terms_of(UPS, f"cost.rate={row['rate']}")
        size_va, loss_w = float(row["rating_kva"]) * 1e3, float(row["loss_kw"]) * 1e3
        machines = [Machines("ups", "", int(row["modules"]), size_va, "apparent_power")]
        cost = terms.cost(machines, loss_w)
        assert cost.capital == pytest.approx(float(row["capital_usd"]), abs=1.0)
        assert cost.energy == pytest.approx(float(row["energy_usd"]), abs=1.0)
        assert cost.total == cost.capital + cost.energy
        # More installed power than 10 % above the least is no obstacle to the least cost.
        installed_w = size_va * int(row["modules"])
        found.append(Alternative(row["machine"], "", loss_w, installed_w, cost=cost))
    order = ranked(found)
    assert order[0].name == rows[0]["first"]
    because = Selection("power chain", "mean of the year", tuple(order)).because
    assert COST_CRITERION in because
    assert f"life-cycle cost {order[0].cost.total:,.0f} USD (capital" in because  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "sets", "missing"),
    [
        ("  rate: 8 %\n", (), "cost.rate"),
        ("  plant_years: 15\n", (), "cost.plant_years"),
        (", tariff: 0.10 USD/kWh", (), "site.tariff"),
        (", installation: 20 %", (), "cost.equipment.installation"),
        ("ups: 130 USD/kVA, ", ("cost.equipment.generator=1 USD/kW",), "cost.equipment.ups"),
        (
            ", tariff: 0.10 USD/kWh",
            ("site.tariff.energy.0.price=0.1 USD/kWh", "site.tariff.demand.0.price=9 USD/kW"),
            "site.tariff",
        ),
    ],
)
@pytest.mark.parametrize("guides", [(), ("cost.prices=guides",)])
def test_what_is_not_stated_leaves_the_criterion_of_loss(
    text: str, sets: tuple[str, ...], missing: str, guides: tuple[str, ...]
) -> None:
    """Neither a published price nor a default of the terms stands in."""
    assert text in UPS
    cost = terms_of(UPS.replace(text, ""), *sets, *guides).cost(modules(), 50e3)
    assert [one.split(" ")[0] for one in cost.missing] == [missing]
    known = terms_of(UPS).cost(modules(), 1.0)
    order = ranked(
        [
            Alternative("cheap", "", 60e3, 2e6, cost=known),
            Alternative("efficient", "", 50e3, 2.1e6, cost=cost),
        ]
    )
    assert [one.name for one in order] == ["efficient", "cheap"]
    criterion = Selection("power chain", "", tuple(order)).criterion
    assert criterion.startswith(CRITERION)
    assert f"no life-cycle cost without {missing}" in criterion


def test_losses_of_the_design_hour_give_no_cost_of_a_year() -> None:
    found = life_cycle(facility_of(UPS), "power", has_year=False)
    assert found is not None
    assert [one.split(" (")[0] for one in found.missing] == ["hours of the year"]


def test_without_a_price_of_its_machines_no_cost_is_said() -> None:
    assert life_cycle(facility_of(UPS), "cooling", has_year=True) is None
    bare = UPS[: UPS.index("cost:")]
    assert life_cycle(facility_of(bare), "power", has_year=True) is None
    assert all("cost" not in one.because for one in design_of(bare).choices)


def test_a_price_that_lacks_is_named_in_the_reason_of_the_choice() -> None:
    found = next(one for one in design_of(UPS).choices if one.subject == "power chain")
    assert "no life-cycle cost without cost.equipment.battery, cost.equipment.generator" in (
        found.because
    )
    assert all(one.cost is not None and one.cost.missing for one in found.candidates)


@pytest.mark.parametrize("rate", [0.03, 0.30])
def test_energy_by_a_second_calculation(rate: float) -> None:
    """Cash flows at the end of each year, discounted one by one: no factor of a series."""
    for selection in chosen(f"cost.rate={rate}").values():
        for one in selection.candidates:
            assert one.cost is not None
            yearly = one.loss_w / 1e3 * 8760.0 * 0.10
            worth = sum(yearly / (1.0 + rate) ** year for year in range(1, 16))
            assert one.cost.energy == pytest.approx(worth, rel=1e-9)
        offered = [one for one in selection.candidates if not one.excluded]
        totals = [one.cost.total for one in offered if one.cost is not None]
        assert offered[0].cost is not None
        assert offered[0].cost.total <= 1.1 * min(totals)
        assert COST_CRITERION in selection.because


def test_capital_is_that_of_the_equipment_of_the_design() -> None:
    """The chain as chosen, by its own data; the cooling by the lines of the cost study."""
    found = priced()
    chain, bank = found.chain, found.electrical.batteries.bank
    assert bank is not None
    ups_kva = chain.ups.modules * chain.ups.module.rating_va / 1e3
    sets = len(chain.ups.systems) * bank.sets_per_system
    kwh = sets * bank.set_load_w * found.facility.electrical.battery.autonomy_s / 3.6e6
    transformers = chain.transformers
    boards = transformers.per_carrier * len(transformers.carriers)
    pdus = chain.pdus
    racks = found.facility.it.racks
    strips = sum(rack.count * sum(bool(c.rack_pdu) for c in rack.circuits) for rack in racks)
    bought = (
        130.0 * ups_kva
        + 300.0 * kwh
        + 500.0 * chain.generators.count * chain.generators.rating_w / 1e3
        + 50.0 * transformers.count * transformers.unit.rating_va / 1e3
        + 90e3 * boards
        + (0.0 if pdus is None else 80.0 * pdus.count * pdus.unit.rating_va / 1e3)
        + 6e3 * found.panels.count
        + 1500.0 * strips
    )
    cost = chosen()["power chain"].chosen.cost
    assert cost is not None
    assert cost.capital == pytest.approx(1.2 * bought, rel=1e-6)
    assert found.year is not None
    plant = chosen()["cooling plant"].chosen.cost
    assert plant is not None
    # The plant is chosen before the losses of the power chain are known with it.
    assert plant.capital == pytest.approx(si(found.year, "capital.cooling"), rel=0.05)


def test_water_counts_where_its_price_is_stated() -> None:
    """Towers at 3 USD/m3 against the year's water of the same design; others use none."""
    found = priced("cooling.plant.heat_rejection=tower", "cost.operation.water=3 USD/m3")
    assert found.year is not None
    worth = 3.0 * si(found.year, "water.annual") * sum(1.08**-year for year in range(1, 16))
    dear = chosen("cost.operation.water=3 USD/m3")["cooling plant"].candidates
    costs = {one.name: one.cost for one in dear}
    tower, dry = costs["tower"], costs["air_cooled"]
    assert tower is not None
    assert dry is not None
    assert tower.water == pytest.approx(worth, rel=0.10)
    assert dry.water == 0.0
    assert tower.total == pytest.approx(tower.capital + tower.energy + tower.water, rel=1e-12)


def test_quick_capital_moves_with_the_modules_and_pdu_transformers() -> None:
    """Of candidates of one chain the difference is that of their kVA at the stated prices."""
    project = apply_sets(parse_project(UPS), (*PRICED, "power.ups.buses=1"))
    first = Variants(project)("208Y/120")
    sizer = first.sizer
    _, demand = converge(first.facility, first.it)
    pool = candidates(sizer, demand)
    base = pool[0]
    compared = 0
    for one in pool[1:]:
        own, other = sizer.sized(base.item, demand), sizer.sized(one.item, demand)
        if own is None or other is None or one.cost is None or base.cost is None:
            continue
        kva = _kva(other.ups.modules, other.ups.module.rating_va)
        kva -= _kva(own.ups.modules, own.ups.module.rating_va)
        pdus = 0.0
        if own.pdus is not None and other.pdus is not None:
            pdus = _kva(other.pdus.count, other.pdus.unit.rating_va)
            pdus -= _kva(own.pdus.count, own.pdus.unit.rating_va)
        expected = 1.2 * (130.0 * kva + 80.0 * pdus)
        assert one.cost.capital - base.cost.capital == pytest.approx(expected, abs=1.0)
        compared += 1
    assert compared > 3


def _kva(count: int, rating_va: float) -> float:
    return count * rating_va / 1e3


def test_the_currency_is_that_of_the_project_and_none_is_converted() -> None:
    euros = UPS.replace("USD", "EUR").replace("site: {", "site: {country: DE, ")
    cost = terms_of(euros).cost(modules(), 1e3)
    assert cost.currency == "EUR"
    assert "EUR (capital" in cost.words
    with pytest.raises(FacilityError) as refused:
        facility_of(UPS.replace("0.10 USD", "0.10 EUR"))
    assert refused.value.code == "CONTRADICTION"
