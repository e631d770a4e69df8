"""Capital by the equipment that the design sized: by hand, by redundancy, in any currency."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.core.trace import explain
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.compare.ways import compare_cooling
from facility.study.cost.machines import Machines
from facility.study.cost.prices import CapitalCost, price_list
from facility.study.design.design import Design
from tests.study.helpers import SHORTEST, design_of, si

GUIDES = "cost.prices=guides"
EURO = """\
schema_version: 1
site: {station: fargo, country: DE, tariff: 0.2 EUR/kWh}
criteria: {code: IEC}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: 2N}
cooling: {method: air, plant: {heat_rejection: air_cooled}}
"""
STATED = (
    "cost.equipment.ups=250 EUR/kVA",
    "cost.equipment.generator=500 EUR/kW",
    "cost.equipment.battery=800 EUR/kWh",
    "cost.equipment.switchboard=90 kEUR",
    "cost.equipment.chiller=200 EUR/kW",
    "cost.equipment.installation=40 %",
)


@cache
def year_of(text: str, *sets: str) -> AnnualStudy:
    return annual(design_of(text, *sets))


def cost_of(found: Design, group: str) -> CapitalCost:
    return price_list(found.facility.cost, found.facility.site.country).equipment(group, found)


def published(part: str, size: float, kind: str) -> float | None:
    return price_list(None, "US").priced(Machines(part, part, 1, size, kind)).cost


@pytest.mark.parametrize(
    ("part", "size", "kind", "usd", "within"),
    [
        ("ups", 1250e3, "apparent_power", 352_910.96, 1.0),
        ("ups", 250e3, "apparent_power", 119_010.13, 1.0),
        ("transformer", 400e3, "apparent_power", 62_500.0, 1.0),
        ("transformer", 3500e3, "apparent_power", 262_500.0, 1.0),
        ("switchboard", 4000.0, "current", 175_000.0, 1.0),
        ("switchboard", 800.0, "current", 55_000.0, 1.0),
        ("panel", 225.0, "current", 4_000.0, 0.01),
        ("panel", 1200.0, "current", 42_500.0, 1.0),
        ("battery", 300e6, "energy", 100_000.0, 0.01),
        ("dry_cooler", 800e3, "heat_flow", 131_100.0, 0.01),
        ("chiller_air", 1.25e6, "heat_flow", 350_000.0 / 1.2, 1.0),
    ],
)
def test_prices_are_those_listed(
    part: str, size: float, kind: str, usd: float, within: float
) -> None:
    assert published(part, size, kind) == pytest.approx(usd, abs=within)


@pytest.mark.parametrize(
    ("size_w", "usd"), [(1.25e6, 827_682.44), (2.8e6, 1_470_000.0), (3.5e6, 2_460_500.0)]
)
def test_listed_generators_lie_in_the_range(size_w: float, usd: float) -> None:
    found = price_list(None, "US").priced(Machines("generator", "", 1, size_w, "active_power"))
    assert found.low * 0.999 <= usd <= found.high * 1.001


def test_equipment_by_hand() -> None:
    """All of the power that is priced, in EUR, and 40 % of that to install it."""
    study, found = year_of(EURO, *STATED), design_of(EURO, *STATED)
    chain, bank = found.chain, found.electrical.batteries.bank
    assert bank is not None
    modules = chain.ups.modules * chain.ups.module.rating_va / 1e3 * 250.0
    sets = chain.generators.count * chain.generators.rating_w / 1e3 * 500.0
    energy_j = (
        2 * bank.sets_per_system * bank.set_load_w * found.facility.electrical.battery.autonomy_s
    )
    boards = 90e3 * chain.transformers.per_carrier * len(chain.transformers.carriers)
    power = (modules + sets + energy_j / 3.6e6 * 800.0 + boards) * 1.4
    assert si(study, "capital.power") == pytest.approx(power, rel=1e-9)
    chillers = found.cooling.chilled.installed * found.cooling.chilled.capacity_w / 1e3 * 200.0
    assert si(study, "capital.cooling") == pytest.approx(chillers * 1.4, rel=1e-9)
    assert study.results["capital.power"].kind == "money_eur"
    lacks = str(study.results["cost.lacks"].si)
    assert "cables and containment" in lacks
    assert "UPS modules" not in lacks
    text = "\n".join(str(line) for line in explain(study.trace, "capital.power"))
    assert "cost.equipment.ups" in text


def test_a_tank_is_priced_by_its_volume() -> None:
    """At 300 EUR/m3 100 m3 cost 30,000 EUR, 200 m3 twice that."""
    hours = (
        "site.tariff.energy.0.price=0.30 EUR/kWh",
        "site.tariff.energy.0.hours=14-20",
        "site.tariff.energy.1.price=0.06 EUR/kWh",
        "site.tariff.energy.1.hours=20-14",
        "cost.equipment.tank=300 EUR/m3",
    )
    bare = EURO.replace(", tariff: 0.2 EUR/kWh", "")
    for volume, eur in (("100 m3", 30e3), ("200 m3", 60e3)):
        study = year_of(bare, *hours, f"cooling.storage.volume={volume}")
        assert si(study, "capital.cooling.chilled_water_tank") == pytest.approx(eur, rel=1e-9)
        assert si(study, "capital.cooling") == pytest.approx(eur, rel=1e-9)
        text = "\n".join(str(line) for line in explain(study.trace, "capital.cooling"))
        assert "cost.equipment.tank" in text


def test_twice_the_systems_cost_more_at_the_same_load() -> None:
    n, twice = (year_of(SHORTEST, GUIDES, f"power.redundancy={scheme}") for scheme in ("N", "2N"))
    for key in ("capital.power.ups_modules", "capital.power.ups_batteries", "capital.power"):
        assert si(twice, key) > 1.2 * si(n, key), key
    assert si(twice, "cost.ownership") > si(n, "cost.ownership")
    assert si(twice, "capital.servers") == si(n, "capital.servers")


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    gpus=st.sampled_from([256, 512, 1024]),
    kva=st.sampled_from(["Galaxy VX 1500", "UPS5000-H-1200K", "9395XR-600"]),
    cooling=st.sampled_from(["N", "N+1"]),
)
def test_more_redundancy_never_costs_less(gpus: int, kva: str, cooling: str) -> None:
    """At the same load, module, set and transformer: N is the cheapest, all else costs more."""
    fixed = (
        GUIDES,
        f"it.gpus={gpus}",
        f"power.ups.model={kva}",
        "power.ups.buses=1",
        "power.generator.rating=1000 kW",
        "power.transformer.rating=1000 kVA",
        f"cooling.plant.chiller.redundancy={cooling}",
    )
    found = [_power(*fixed, f"power.redundancy={scheme}") for scheme in ("N", "N+1", "2N")]
    assert found[0] is not None
    for more in found[1:]:
        assert more is None or more >= found[0]


def _power(*sets: str) -> float | None:
    """Return what the power chain costs; None where such a design is refused."""
    try:
        found = design_of(SHORTEST, *sets)
    except FacilityError as refused:
        if refused.exit_code != 4:
            raise
        return None
    return cost_of(found, "power").known


def test_more_spare_chillers_never_cost_less() -> None:
    costs = [
        cost_of(
            design_of(SHORTEST, GUIDES, f"cooling.plant.chiller.redundancy={level}"), "cooling"
        ).known
        for level in ("N", "N+1", "N+2")
    ]
    assert costs == sorted(costs)


def test_the_comparison_reads_the_same_figure() -> None:
    found = design_of(SHORTEST, GUIDES)
    own = next(option for option in compare_cooling(found.project).options if option.own)
    assert own.cost is not None
    assert own.cost.known == pytest.approx(si(year_of(SHORTEST, GUIDES), "capital.cooling"))


def test_what_is_not_priced_is_told_as_money_where_guides_print_a_whole() -> None:
    study = year_of(SHORTEST, GUIDES)
    it_w = design_of(SHORTEST, GUIDES).it.it_w
    for end, price in (("low", 4.0), ("high", 6.0)):
        rest = max(0.0, it_w * price - si(study, "capital.power"))
        assert si(study, f"cost.unpriced.power.{end}") == pytest.approx(rest)
    assert "cost.unpriced.power.low" not in year_of(EURO, *STATED).results


def test_a_size_that_nobody_priced_is_named() -> None:
    costs = cost_of(
        design_of(SHORTEST, GUIDES, "power.ups.model=Trinergy (2023) 1500/2000/2500"), "power"
    )
    assert "cables and containment" in costs.unpriced
    assert published("generator", 50e3, "active_power") is None
    assert published("generator", 6e6, "active_power") is None


@pytest.mark.parametrize(
    ("sets", "code", "where"),
    [
        (
            ("cost.capital.power=4000 USD/kW", "cost.equipment.ups=300 USD/kVA"),
            "CONTRADICTION",
            "cost.equipment.ups",
        ),
        (("cost.equipment.ups=300 USD/kW",), "UNIT_WRONG", "cost.equipment.ups"),
        (("cost.equipment.generator=300 USD/kVA",), "UNIT_WRONG", "cost.equipment.generator"),
        (("cost.equipment.installation=300 %",), "OUT_OF_RANGE", "cost.equipment.installation"),
        (("cost.equipment.ups=3 EUR/kVA", "cost.capital.gpu=4 USD"), "CONTRADICTION", "cost"),
        (("cost.equipment.ups=-3 USD/kVA",), "OUT_OF_RANGE", "cost.equipment.ups"),
    ],
)
def test_what_cannot_be_priced_is_refused(sets: tuple[str, ...], code: str, where: str) -> None:
    with pytest.raises(FacilityError) as refused:
        design_of(SHORTEST, *sets)
    assert refused.value.code == code
    assert refused.value.where.startswith(where)


def test_installation_is_a_part_of_all_that_has_a_price() -> None:
    """25 to 30 % of the equipment, in the estimate that prints it."""
    *bought, installed = cost_of(design_of(SHORTEST, GUIDES), "power").parts
    known = [part for part in bought if part.cost is not None]
    assert installed.cost == pytest.approx(0.275 * sum(part.cost or 0.0 for part in known))
    assert installed.low == pytest.approx(0.25 * sum(part.low for part in known), rel=2e-3)
    assert installed.high == pytest.approx(0.30 * sum(part.high for part in known), rel=2e-3)
