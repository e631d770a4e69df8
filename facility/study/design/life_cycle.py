"""Life-cycle cost of candidates: capital of their machines, and energy of their losses.

Only stated prices and terms count, no published price and no default. The cost includes the
machines that a choice decides, installed, and the present value of the energy of the losses and of
the make-up water of heat rejection if its price is stated. Not included: replacements, maintenance,
and items identical in all candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from facility.core.choice import LifeCycleCost
from facility.core.trace import Quiet
from facility.model.cost import EQUIPMENT, CostPlan
from facility.model.facility import Facility
from facility.physics.facility.metrics import HOURS_PER_YEAR
from facility.physics.facility.ownership import capital_recovery_factor
from facility.power.battery.sizing import battery_sets
from facility.power.chain.choices import ChainPrices
from facility.power.chain.solve import solve_chain
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.cost.machines import (
    CoolingBuilt,
    Machines,
    chain_machines,
    cooling_machines,
    set_machines,
)
from facility.study.cost.prices import FIELDS, INSTALLATION, PriceList

_YEAR_S = HOURS_PER_YEAR * 3600.0
_EQUAL = frozenset(("mv_switchgear", "tank", "pipes"))
"""Machines identical in all candidates."""
_TERMS = {"rate": "cost.rate", "plant_years": "cost.plant_years"}


@dataclass(frozen=True)
class LifeCycle:
    """Stated prices and terms for the machines of power or cooling."""

    group: str  # Part of the capital: power or cooling
    prices: PriceList
    energy_w: float  # Present value of the energy of 1 W of loss over the period
    water_m3_s: float  # Same for 1 m3/s of make-up water; 0 without a price
    missing: tuple[str, ...]  # Missing terms

    def cost(
        self, machines: Iterable[Machines], loss_w: float, water_m3_s: float = 0.0
    ) -> LifeCycleCost:
        """Return the life-cycle cost of machines.

        machines: Machines of a candidate, including machines identical in all candidates.
        loss_w, water_m3_s: Losses and make-up water, annual means.
        """
        counted = [each for each in machines if each.units and each.part not in _EQUAL]
        bought = self.prices.bought(self.group, counted)
        unpriced = {
            FIELDS.get(part.machines.part, INSTALLATION)
            for part in bought.parts
            if part.cost is None
        }
        missing = (*sorted(f"cost.equipment.{name}" for name in unpriced), *self.missing)
        energy, water = self.energy_w * loss_w, self.water_m3_s * water_m3_s
        return LifeCycleCost(bought.known, energy, self.prices.currency, water, missing)

    def installed(self, field: str) -> float:
        """Return an installed price per unit of size; 0 if not stated."""
        stated = self.prices.stated
        price, part = stated.get(field), stated.get(INSTALLATION)
        return 0.0 if price is None or part is None else price.value * (1.0 + part.value)

    def of_cooling(self, built: CoolingBuilt, loss_w: float, water_m3_s: float) -> LifeCycleCost:
        """Return the life-cycle cost of a cooling plant, all cooling equipment included."""
        return self.cost(cooling_machines(built), loss_w, water_m3_s)


def life_cycle(facility: Facility, group: str, *, has_year: bool) -> LifeCycle | None:
    """Return prices and terms for a part of the capital; None without a stated price.

    group: ``power`` or ``cooling``.
    has_year: Whether the losses are annual means.
    """
    plan = facility.cost
    if plan is None or plan.equipment.keys().isdisjoint(EQUIPMENT[group]):
        return None
    missing = [id for name, id in _TERMS.items() if name not in plan.terms]
    tariff, price_per_j = facility.site.tariff, facility.site.energy_price_per_j
    if price_per_j is None or tariff is None or tariff.assumed:
        price_per_j = 0.0
        missing.append("site.tariff (one price of energy)")
    if not has_year:
        missing.append("hours of the year (site.station, site.weather_file)")
    prices = PriceList(plan.currency, plan.equipment, published=False)
    year_s = _YEAR_S * present_worth(plan)
    water = year_s * (plan.water_per_m3 or 0.0)
    return LifeCycle(group, prices, year_s * price_per_j, water, tuple(missing))


def chain_prices(
    facility: Facility, halls: Sequence[Machines], *, has_year: bool
) -> ChainPrices | None:
    """Return the prices of power chains; None without a stated price of their machines.

    halls: Panels and rack PDUs, if the rack voltage is chosen too.
    """
    found = life_cycle(facility, "power", has_year=has_year)
    if found is None:
        return None

    basis = facility.electrical.battery

    def capital(chain: ChainDesign, demand: ChainDemand) -> LifeCycleCost:
        grown = solve_chain(chain, demand.grown(facility.criteria.growth))
        output_w = float(grown.ups.output_w)
        sets = battery_sets(basis, chain, output_w, Quiet())
        batteries = set_machines(chain, *sets, basis.autonomy_s)
        return found.cost([*chain_machines(chain, batteries), *halls], 0.0)

    ups, pdu = (found.installed(name) for name in ("ups", "pdu_transformer"))
    return ChainPrices(capital, ups, pdu, found.energy_w, facility.load.mean)


def present_worth(plan: CostPlan) -> float:
    """Return the present value of 1 per year over the life of the plant [years].

    P/A of a uniform series at the end of each year: the reciprocal of the capital recovery factor.
    """
    return 1.0 / float(capital_recovery_factor.si(plan.rate, plan.years["power"]))
