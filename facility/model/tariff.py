"""Electricity tariff: charges, periods and prices."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facility.core.kinds import FloatArray
from facility.model.load_profile import SeriesFacts

ALL_MONTHS = tuple(range(1, 13))
ALL_DAYS = ("weekdays", "saturdays", "sundays")
"""Kinds of day."""
HALF_HOURS = tuple(range(48))
"""Half hours of a day, by number."""


@dataclass(frozen=True)
class Period:
    """Hours of a year of a price."""

    months: tuple[int, ...] = ALL_MONTHS  # 1 to 12
    half_hours: tuple[int, ...] = HALF_HOURS
    days: tuple[str, ...] = ALL_DAYS  # Kinds of day


HOURS_OF_USE = "h of the demand"
_BLOCK_SIZES = {"MWh": 3.6e9, HOURS_OF_USE: 3600.0, "kW": 1e3, "kVA": 1e3}


@dataclass(frozen=True)
class TariffBlock:
    """Block of monthly energy or demand, in SI."""

    above: float = 0.0  # For hours of use, s at the peak demand of the month
    upto: float = math.inf
    unit: str = "MWh"  # Display unit

    @property
    def words(self) -> str:
        """Text of the block: ``above 210 MWh``, ``50 to 1000 kW``; empty for all."""
        size = _BLOCK_SIZES[self.unit]
        if self.upto < math.inf:
            above = f"{self.above / size:g} " if self.above else ""
            return f"{above}to {self.upto / size:g} {self.unit}"
        return f"above {self.above / size:g} {self.unit}" if self.above else ""


@dataclass(frozen=True)
class EnergyCharge:
    """Energy price in a period, or of one block."""

    name: str
    period: Period
    price_per_j: float
    id: str  # Trace id of its price
    block: TariffBlock = TariffBlock()


@dataclass(frozen=True)
class DemandCharge:
    """Price of the monthly peak demand in a period, or of one block."""

    name: str
    period: Period
    price: float  # Per month and W; per VA where `apparent`
    apparent: bool  # Whether the price is per kVA
    ratchet: float  # Minimum billed fraction of the peak demand of `ratchet_months`
    ratchet_months: tuple[int, ...]
    id: str  # Trace id of its price
    block: TariffBlock = TariffBlock()
    # Hours whose mean demand is billed (10,000 x month + 100 x day + hour); else the peak.
    coincident: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReactiveCharge:
    """Price of reactive energy above a fraction of active energy, in a period."""

    name: str
    period: Period
    price: float  # Per var*s
    free: float  # Free reactive energy over active energy
    id: str  # Trace id of its price


@dataclass(frozen=True, eq=False)
class MarketPrice:
    """Hourly energy price, added to the energy charges; may be negative."""

    file: str
    price_per_j: FloatArray  # Of each hour from 1 January
    digest: str  # First digits of the SHA-256 of the file
    facts: SeriesFacts


@dataclass(frozen=True)
class Tariff:
    """All charges; the energy charges cover each hour of a year once."""

    currency: str
    energy: tuple[EnergyCharge, ...]
    demand: tuple[DemandCharge, ...] = ()
    least_power_factor: float | None = None  # Below it the billed demand is raised
    fixed: float = 0.0  # Per month
    first_day: int = 6  # Day of the week of 1 January, 0 for Monday
    reactive: tuple[ReactiveCharge, ...] = ()
    holidays: tuple[int, ...] = ()  # Charged as Sundays; 100 x month + day
    assumed: bool = False  # Whether the project specifies no tariff
    market: MarketPrice | None = None  # Hourly price in addition; None without one

    @property
    def one_price_per_j(self) -> float | None:
        """Energy price, for a tariff with a single energy price."""
        others = self.demand or self.reactive or self.fixed or self.market
        alone = len(self.energy) == 1 and not others
        return self.energy[0].price_per_j if alone else None

    @property
    def by_hours(self) -> bool:
        """Whether energy or demand charges differ between hours of one month."""
        periods = [*(each.period for each in self.energy), *(each.period for each in self.demand)]
        named = any(each.coincident for each in self.demand)
        return (
            named
            or self.market is not None
            or any(each != Period(months=each.months) for each in periods)
        )


def flat_tariff(price_per_j: float, currency: str, *, assumed: bool = False) -> Tariff:
    """Return the tariff with a single energy price."""
    charge = EnergyCharge("energy", Period(), price_per_j, "site.tariff")
    return Tariff(currency, (charge,), assumed=assumed)
