"""The tariff of the electricity: what is charged, when, and at which price."""

from __future__ import annotations

import math
from dataclasses import dataclass

ALL_MONTHS = tuple(range(1, 13))
ALL_DAYS = ("weekdays", "saturdays", "sundays")
"""Kinds of day."""
HALF_HOURS = tuple(range(48))
"""Half hours of a day, by number."""


@dataclass(frozen=True)
class Period:
    """The hours of a year to which a price applies."""

    months: tuple[int, ...] = ALL_MONTHS  # 1 to 12
    half_hours: tuple[int, ...] = HALF_HOURS
    days: tuple[str, ...] = ALL_DAYS  # Kinds of day


HOURS_OF_USE = "h of the demand"
_BLOCK_SIZES = {"MWh": 3.6e9, HOURS_OF_USE: 3600.0, "kW": 1e3, "kVA": 1e3}


@dataclass(frozen=True)
class TariffBlock:
    """A part of the energy or the demand of a month, in SI."""

    above: float = 0.0  # For hours of use, s at the highest demand of the month
    upto: float = math.inf
    unit: str = "MWh"  # In which it is told

    @property
    def words(self) -> str:
        """Which part it is: ``above 210 MWh``, ``50 to 1000 kW``; empty for all."""
        size = _BLOCK_SIZES[self.unit]
        if self.upto < math.inf:
            above = f"{self.above / size:g} " if self.above else ""
            return f"{above}to {self.upto / size:g} {self.unit}"
        return f"above {self.above / size:g} {self.unit}" if self.above else ""


@dataclass(frozen=True)
class EnergyCharge:
    """A price of energy in a period, or of one block of it."""

    name: str
    period: Period
    price_per_j: float
    id: str  # Of its price in the trace
    block: TariffBlock = TariffBlock()


@dataclass(frozen=True)
class DemandCharge:
    """A price of the highest demand of each month in a period, or of one block of it."""

    name: str
    period: Period
    price: float  # Of a month, for each W; for each VA where `apparent`
    apparent: bool  # Whether it is of apparent power
    ratchet: float  # Part of the highest demand of `ratchet_months` that is billed at least
    ratchet_months: tuple[int, ...]
    id: str  # Of its price in the trace
    block: TariffBlock = TariffBlock()
    # Hours whose mean is billed, by 10,000 times month, 100 times day, and hour; else the highest.
    coincident: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReactiveCharge:
    """A price of the reactive energy beyond a part of the energy, in a period."""

    name: str
    period: Period
    price: float  # For each var*s
    free: float  # Part of the energy up to which nothing is charged
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
    reactive: tuple[ReactiveCharge, ...] = ()
    holidays: tuple[int, ...] = ()  # Charged as Sundays; 100 times the month, and the day of it
    assumed: bool = False  # Whether the project states none

    @property
    def one_price_per_j(self) -> float | None:
        """The price of energy where it is all that is charged."""
        others = self.demand or self.reactive or self.fixed
        alone = len(self.energy) == 1 and not others
        return self.energy[0].price_per_j if alone else None

    @property
    def by_hours(self) -> bool:
        """Whether hours of one month differ in their charges of energy or demand."""
        periods = [*(each.period for each in self.energy), *(each.period for each in self.demand)]
        named = any(each.coincident for each in self.demand)
        return named or any(each != Period(months=each.months) for each in periods)


def flat_tariff(price_per_j: float, currency: str, *, assumed: bool = False) -> Tariff:
    """Return the tariff of one price of energy."""
    charge = EnergyCharge("energy", Period(), price_per_j, "site.tariff")
    return Tariff(currency, (charge,), assumed=assumed)
