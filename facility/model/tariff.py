"""The tariff of the electricity: what is charged, when, and at which price."""

from __future__ import annotations

from dataclasses import dataclass

ALL_MONTHS = tuple(range(1, 13))
HALF_HOURS = tuple(range(48))
"""Half hours of a day, by number."""


@dataclass(frozen=True)
class Period:
    """The hours of a year to which a price applies."""

    months: tuple[int, ...] = ALL_MONTHS  # 1 to 12
    half_hours: tuple[int, ...] = HALF_HOURS
    weekdays: bool = True  # Whether Monday to Friday belong to it
    weekends: bool = True  # Whether Saturday and Sunday do


@dataclass(frozen=True)
class EnergyCharge:
    """A price of energy in a period."""

    name: str
    period: Period
    price_per_j: float
    id: str  # Of its price in the trace


@dataclass(frozen=True)
class DemandCharge:
    """A price of the highest demand of each month in a period."""

    name: str
    period: Period
    price: float  # Of a month, for each W; for each VA where `apparent`
    apparent: bool  # Whether it is of apparent power
    ratchet: float  # Part of the highest demand of `ratchet_months` that is billed at least
    ratchet_months: tuple[int, ...]
    id: str  # Of its price in the trace


@dataclass(frozen=True)
class Tariff:
    """All charges; the energy charges cover each hour of a year once."""

    currency: str
    energy: tuple[EnergyCharge, ...]
    demand: tuple[DemandCharge, ...] = ()
    least_power_factor: float | None = None  # Below it the billed demand is raised
    fixed: float = 0.0  # Of each month
    first_day: int = 6  # Day of the week of 1 January, 0 for Monday

    @property
    def one_price_per_j(self) -> float | None:
        """The price of energy where it is all that is charged."""
        alone = len(self.energy) == 1 and not self.demand and not self.fixed
        return self.energy[0].price_per_j if alone else None


def flat_tariff(price_per_j: float, currency: str) -> Tariff:
    """Return the tariff of one price of energy."""
    return Tariff(currency, (EnergyCharge("energy", Period(), price_per_j, "site.tariff"),))
