"""Cost of ownership by hand: capital, annuities, what a unit bears, and what is not known."""

from __future__ import annotations

from functools import cache

import pytest

from facility.core.errors import FacilityError
from facility.core.trace import explain
from facility.physics.facility.ownership import capital_recovery_factor
from facility.report.tables.ownership import lines_of
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.design.design import Design
from tests.study.helpers import SHORTEST, design_of, si

GUIDES = ("cost.prices=guides",)
STATED = (
    "cost.capital.gpu=40000 USD",
    "cost.capital.network=6000 USD",
    "cost.capital.power=5000 USD/kW",
    "cost.capital.cooling=2000 USD/kW",
    "cost.capital.building=2000 USD/kW",
    "cost.operation.maintenance=50 kUSD",
    "cost.operation.staff=200 kUSD",
    "cost.operation.lease=10 kUSD",
    "cost.operation.spares=20 kUSD",
    "cost.operation.other=30 kUSD",
    "cost.operation.water=3 USD/m3",
    "cost.operation.fuel=1.2 USD/L",
    "cost.it_years=4",
    "cost.plant_years=15",
    "cost.building_years=30",
    "cost.rate=8 %",
)


@cache
def found(*sets: str) -> Design:
    return design_of(SHORTEST, *sets)


@cache
def year_of(*sets: str) -> AnnualStudy:
    return annual(found(*sets))


def test_a_year_by_hand() -> None:
    study = year_of(*STATED)
    gpus, it_kw = 64, found(*STATED).it.it_w / 1e3
    capital = gpus * 46000.0 + it_kw * 9000.0
    assert si(study, "cost.capital") == pytest.approx(capital, rel=1e-12)
    straight = gpus * 46000.0 / 4 + it_kw * 7000.0 / 15 + it_kw * 2000.0 / 30
    assert si(study, "cost.depreciation") == pytest.approx(straight, rel=1e-12)

    def paid(amount: float, years: int) -> float:
        """Return the payment whose present worth over the years is the amount."""
        return amount / sum(1.08**-year for year in range(1, years + 1))

    annuities = paid(gpus * 46000.0, 4) + paid(it_kw * 7000.0, 15) + paid(it_kw * 2000.0, 30)
    assert si(study, "cost.annuity") == pytest.approx(annuities, rel=1e-12)
    running = si(study, "cost.annual") + 310e3 + 3.0 * si(study, "water.annual")
    running += 1200.0 * si(study, "fuel.annual")
    assert si(study, "cost.ownership") == pytest.approx(annuities + running, rel=1e-12)
    assert si(study, "cost.unpriced") == 0.0
    assert study.results["cost.lacks"].si == "none"
    whole = si(study, "cost.ownership")
    assert si(study, "cost.gpu_hour") * 3600.0 * 64 * 8760 == pytest.approx(whole, rel=1e-12)
    assert si(study, "cost.it_power") * it_kw * 1e3 == pytest.approx(whole, rel=1e-12)
    assert si(study, "cost.levelised") * si(study, "energy.annual.it") == pytest.approx(whole)
    assert study.ownership is not None
    assert sum(line.cost for line in lines_of(study.ownership)) == pytest.approx(whole, rel=1e-12)


def test_without_a_section_there_is_no_cost_of_ownership() -> None:
    study = year_of()
    assert study.ownership is None
    assert not {"cost.ownership", "cost.gpu_hour", "cost.capital"} & study.results.keys()


def test_what_has_no_price_is_not_known_and_not_zero() -> None:
    study = year_of("cost.capital.gpu=40000 USD")
    lacks = str(study.results["cost.lacks"].si).split(", ")
    assert {"network", "power", "cooling", "building", "staff", "water"} <= {*lacks}
    assert "servers" not in lacks
    assert si(study, "cost.unpriced") == pytest.approx(11 / 13)
    assert "without network" in study.results["cost.ownership"].basis
    for key in ("capital.power", "cost.staff", "cost.water"):
        assert key not in study.results


def test_water_that_is_not_used_needs_no_price() -> None:
    dry = year_of("cost.capital.gpu=40000 USD", "cost.operation.fuel=1 USD/L",
                  "cooling.plant.heat_rejection=air_cooled")  # fmt: skip
    known = si(dry, "water.annual") == 0.0
    assert known == ("water" not in str(dry.results["cost.lacks"].si))


def test_prices_of_guides_are_marked_and_spread() -> None:
    study, design = year_of(*GUIDES), found(*GUIDES)
    assumed = {entry.id: entry for entry in design.ledger}
    for part in ("capital.gpu", "capital.network", "capital.building", "equipment.ups"):
        assert assumed[f"cost.{part}"].source.verified == "secondary"
    low, whole, high = (si(study, f"cost.ownership{x}") for x in (".low", "", ".high"))
    assert low < whole < high
    assert whole == pytest.approx((low + high) / 2.0, rel=0.01)
    servers = 64 * (300e3 + 350e3) / 2 / 8
    assert si(study, "capital.servers") == pytest.approx(servers, rel=1e-12)


def test_a_gpu_that_no_guide_prices_is_not_known() -> None:
    study = year_of(*GUIDES, "it.gpu_model=H200 SXM")
    lacks = str(study.results["cost.lacks"].si)
    assert lacks.startswith("servers, network, ")
    assert "capital.power" in study.results


def test_a_used_part_of_the_hours_bears_all_and_a_run_its_hours() -> None:
    half = year_of(*STATED, "cost.used=50 %", "cost.run=1e5 h")
    assert si(half, "cost.gpu_hour") == pytest.approx(2 * si(year_of(*STATED), "cost.gpu_hour"))
    assert si(half, "cost.training_run") == pytest.approx(1e5 * 3600 * si(half, "cost.gpu_hour"))


def test_dearer_or_shorter_lived_is_never_cheaper() -> None:
    whole = si(year_of(*STATED), "cost.ownership")
    for change in ("cost.rate=9 %", "cost.it_years=3", "cost.capital.power=5100 USD/kW"):
        kept = tuple(one for one in STATED if one.partition("=")[0] != change.partition("=")[0])
        assert si(year_of(*kept, change), "cost.ownership") > whole


@pytest.mark.parametrize("years", [1.0, 7.5, 30.0])
def test_without_interest_the_annuity_is_the_depreciation(years: float) -> None:
    assert capital_recovery_factor.si(0.0, years) == pytest.approx(1.0 / years, rel=1e-15)
    assert capital_recovery_factor.si(1e-9, years) == pytest.approx(1.0 / years, rel=1e-6)


def test_every_figure_is_explained_down_to_its_price() -> None:
    study = year_of(*STATED, "cost.run=1e5 h")
    text = "\n".join(str(line) for line in explain(study.trace, "cost.training_run"))
    for words in ("cost.capital.gpu", "cost.rate = 8.0", "site.tariff", "cost.operation.staff"):
        assert words in text


@pytest.mark.parametrize(
    ("sets", "code", "where"),
    [
        (("cost.capital.gpu=-1 USD",), "OUT_OF_RANGE", "cost.capital.gpu"),
        (("cost.capital.power=5 USD/kVA",), "UNIT_WRONG", "cost.capital.power"),
        (("cost.capital.gpu=4 EUR", "cost.operation.staff=1 USD"), "CONTRADICTION", "cost"),
        (("cost.capital.gpu=4 EUR",), "CONTRADICTION", "cost.capital.gpu"),
        (("site.tariff=0.1 EUR/kWh", "cost.prices=guides"), "CONTRADICTION", "cost.prices"),
        (("cost.rate=60 %",), "OUT_OF_RANGE", "cost.rate"),
        (("cost.it_years=0",), "OUT_OF_RANGE", "cost.it_years"),
        (("cost.used=0 %",), "OUT_OF_RANGE", "cost.used"),
        (("cost.run=5",), "UNIT_MISSING", "cost.run"),
        (("cost.prices=quotes",), "NOT_ONE_OF", "cost.prices"),
    ],
)
def test_what_cannot_be_priced_is_refused(sets: tuple[str, ...], code: str, where: str) -> None:
    with pytest.raises(FacilityError) as refused:
        design_of(SHORTEST, *sets)
    assert refused.value.code == code
    assert refused.value.where.startswith(where)
