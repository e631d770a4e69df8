"""Monthly electricity bills from a year of meter readings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from facility.catalogue.series import in_steps
from facility.core.kinds import FloatArray
from facility.model.tariff import (
    ALL_DAYS,
    ALL_MONTHS,
    HALF_HOURS,
    HOURS_OF_USE,
    DemandCharge,
    EnergyCharge,
    Period,
    ReactiveCharge,
    Tariff,
    TariffBlock,
)
from facility.physics.facility.tariff import billed_demand, demand_at_power_factor, reactive_beyond

_WEEK, _FRIDAY, _YEAR_MONTHS = 7, 4, len(ALL_MONTHS)
_HALF_HOUR_S, _HALVES = 1800.0, len(HALF_HOURS)
_HOUR_S = 3600


@dataclass(frozen=True, eq=False)
class Metered:
    """Readings of the facility meter, as means of equal steps from 1 January."""

    month: NDArray[np.int64]  # Month of each step, 1 to 12
    power_w: FloatArray
    apparent_va: FloatArray
    step_s: float = 3600.0  # Length of a step

    @property
    def reactive_var(self) -> FloatArray:
        """Lagging reactive power of each step; no part of the power chain is leading."""
        return np.sqrt(np.maximum(0.0, self.apparent_va**2 - self.power_w**2))

    def by_month(self, power_w: FloatArray) -> FloatArray:
        """Return the energy of each month."""
        return np.asarray(np.bincount(self.month - 1, power_w, _YEAR_MONTHS) * self.step_s)

    def highest(self, values: FloatArray) -> FloatArray:
        """Return the maximum of each month."""
        found = np.zeros(_YEAR_MONTHS)
        np.maximum.at(found, self.month - 1, values)
        return found


@dataclass(frozen=True, eq=False)
class Clock:
    """Month, time of day and day type of each step of a year, 0 for weekdays."""

    month: NDArray[np.int64]
    half_hour: NDArray[np.int64]  # First half hour of each step, 0 to 47
    touched: int  # Half hours per step
    kind: NDArray[np.int64]  # Index in `ALL_DAYS`
    date: NDArray[np.int64]  # 100 times the month plus the day of the month

    def named(self, hours: Sequence[int]) -> NDArray[np.bool_]:
        """Return whether each step is in one of the hours of `DemandCharge.coincident`."""
        return np.isin(100 * self.date + self.half_hour // 2, hours)

    def share_in(self, period: Period) -> FloatArray:
        """Return the share of each step in a period; an hour may be in it by half."""
        days = _picked([ALL_DAYS.index(kind) for kind in period.days], len(ALL_DAYS))[self.kind]
        inside = _picked(period.half_hours, _HALVES).astype(float)
        of_day = sum(np.roll(inside, -n) for n in range(self.touched)) / self.touched
        months = _picked(period.months, _YEAR_MONTHS + 1)
        return np.asarray((days & months[self.month]) * np.asarray(of_day)[self.half_hour])


def _picked(numbers: Sequence[int], size: int) -> NDArray[np.bool_]:
    found = np.zeros(size, dtype=bool)
    found[list(numbers)] = True
    return found


def clock(metered: Metered, first_day: int, holidays: Sequence[int] = ()) -> Clock:
    """Return the clock of a year whose 1 January is a `first_day`, 0 for Monday.

    Hours are local standard time, as in the record; daylight saving time is ignored.
    """
    month = metered.month
    halves = (np.arange(len(month)) * metered.step_s // _HALF_HOUR_S).astype(np.int64)
    day = halves // _HALVES
    kind = np.maximum(0, (day + first_day) % _WEEK - _FRIDAY)
    date = 100 * month + day - day[np.searchsorted(month, month)] + 1
    kind[np.isin(date, holidays)] = ALL_DAYS.index("sundays")
    touched = max(1, round(metered.step_s / _HALF_HOUR_S))
    return Clock(month, halves % _HALVES, touched, kind, date)


@dataclass(frozen=True, eq=False)
class Bill:
    """The bills of the twelve months, by charge; rows are charges, columns months."""

    tariff: Tariff
    energy_j: FloatArray  # Energy in the period of each energy charge
    billed: FloatArray  # Billed demand of each demand charge, W or VA
    added_w: FloatArray  # Demand added by the minimum power factor
    reactive_var_s: FloatArray  # Reactive energy of each reactive charge
    price_per_j: FloatArray  # Mean price of energy in each step
    last_per_j: FloatArray  # Marginal price: last block reached in the month, in each step
    market: FloatArray  # Monthly cost at the hourly price; zero without one

    @cached_property
    def energy(self) -> FloatArray:
        """Monthly cost of energy."""
        return _priced([charge.price_per_j for charge in self.tariff.energy], self.energy_j)

    @cached_property
    def demand(self) -> FloatArray:
        """Monthly cost of demand."""
        return _priced([charge.price for charge in self.tariff.demand], self.billed)

    def last_demand(self, n: int) -> NDArray[np.bool_]:
        """Return the months in which a demand charge is the last block reached."""
        block, used = self.tariff.demand[n].block, self.billed + self.added_w > 0.0
        last = used[n] | (block.above == 0.0)
        return np.asarray(last if math.isinf(block.upto) else last & ~used[n + 1])

    @cached_property
    def power_factor(self) -> FloatArray:
        """Monthly cost of a power factor below the minimum."""
        return _priced([charge.price for charge in self.tariff.demand], self.added_w)

    @cached_property
    def reactive(self) -> FloatArray:
        """Monthly cost of reactive energy."""
        return _priced([charge.price for charge in self.tariff.reactive], self.reactive_var_s)

    @cached_property
    def fixed(self) -> FloatArray:
        """Monthly fixed charge."""
        return np.full(_YEAR_MONTHS, self.tariff.fixed)

    @cached_property
    def total(self) -> FloatArray:
        """Monthly bill."""
        return (
            self.energy + self.market + self.demand + self.power_factor + self.reactive + self.fixed
        )


def _priced(prices: Sequence[float], quantities: FloatArray) -> FloatArray:
    return np.asarray(np.array(prices, dtype=float) @ quantities)


def bill_of(tariff: Tariff, metered: Metered) -> Bill:
    """Return the monthly bills of a metered year.

    The demand of a month is its maximum step: a meter with 15- or 30-minute demand intervals reads
    more if the load varies within the hour. Under a ratchet the typical year is assumed to
    repeat: the months before January are those of the same year.
    """
    when = clock(metered, tariff.first_day, tariff.holidays)
    energy_j, price_per_j, last_per_j = _energy(tariff.energy, metered, when)
    min_factor = tariff.least_power_factor
    demands = [_demand(charge, min_factor, metered, when) for charge in tariff.demand]
    reactive = [_reactive(charge, metered, when) for charge in tariff.reactive]
    none = np.zeros((0, _YEAR_MONTHS))
    market_per_j = _market(tariff, metered)
    return Bill(
        tariff,
        energy_j,
        np.array([plain for plain, _ in demands]) if demands else none,
        np.array([added for _, added in demands]) if demands else none,
        np.array(reactive) if reactive else none,
        price_per_j + market_per_j,
        last_per_j + market_per_j,
        metered.by_month(market_per_j * metered.power_w),
    )


def _market(tariff: Tariff, metered: Metered) -> FloatArray:
    """Return the hourly price in each step of the meter; zero without one."""
    if tariff.market is None:
        return np.zeros(len(metered.month))
    hourly = tariff.market.price_per_j
    found, _ = in_steps(hourly, _HOUR_S, len(metered.month), round(metered.step_s))
    return found


def _energy(
    charges: Sequence[EnergyCharge], metered: Metered, when: Clock
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the monthly energy of each charge, and the mean and marginal price of each step.

    The mean price is the monthly mean over the blocks of the period; the marginal price is that of
    the last block reached in the month.
    """
    energy_j: list[FloatArray] = []
    price_per_j, last_per_j = np.zeros((2, len(metered.month)))
    of_demand = any(charge.block.unit == HOURS_OF_USE for charge in charges)
    highest_w = metered.highest(metered.power_w) if of_demand else np.zeros(_YEAR_MONTHS)
    for period, blocks in groupby(charges, lambda charge: charge.period):
        share = when.share_in(period)
        whole_j, last = metered.by_month(share * metered.power_w), np.zeros(_YEAR_MONTHS)
        for charge in blocks:
            in_block_j = _in_block(charge.block, whole_j, highest_w)
            energy_j.append(in_block_j)
            first = float(charge.block.above == 0.0)
            last[(in_block_j > 0.0) | (first > 0.0)] = charge.price_per_j
            part = np.divide(in_block_j, whole_j, np.full(_YEAR_MONTHS, first), where=whole_j > 0.0)
            price_per_j += share * (charge.price_per_j * part)[metered.month - 1]
        last_per_j += share * last[metered.month - 1]
    return np.array(energy_j), price_per_j, last_per_j


def _in_block(block: TariffBlock, whole: FloatArray, highest_w: FloatArray) -> FloatArray:
    """Return the monthly energy or demand within a block."""
    unit = highest_w if block.unit == HOURS_OF_USE else np.ones(_YEAR_MONTHS)
    upto = whole if math.isinf(block.upto) else np.minimum(whole, block.upto * unit)
    return np.maximum(0.0, upto - block.above * unit)


def _reactive(charge: ReactiveCharge, metered: Metered, when: Clock) -> FloatArray:
    """Return the monthly reactive energy above the free allowance."""
    share = when.share_in(charge.period)
    drawn_var_s = metered.by_month(share * metered.reactive_var)
    energy_j = metered.by_month(share * metered.power_w)
    return np.asarray(reactive_beyond.si(drawn_var_s, energy_j, charge.free))


def _demand(
    charge: DemandCharge, min_factor: float | None, metered: Metered, when: Clock
) -> tuple[FloatArray, FloatArray]:
    """Return the monthly billed demand, and the demand added by the power factor."""
    apparent_va = _measured(charge, metered.apparent_va, metered, when)
    if charge.apparent:
        return _ratcheted(charge, apparent_va), np.zeros(_YEAR_MONTHS)
    power_w = _measured(charge, metered.power_w, metered, when)
    plain = _ratcheted(charge, power_w)
    if min_factor is None:
        return plain, np.zeros(_YEAR_MONTHS)
    raised_w = np.asarray(demand_at_power_factor.si(power_w, apparent_va, min_factor))
    return plain, _ratcheted(charge, raised_w) - plain


def _measured(
    charge: DemandCharge, values: FloatArray, metered: Metered, when: Clock
) -> FloatArray:
    """Return the monthly maximum in the period, or the mean of the coincident hours."""
    if charge.coincident:
        return np.full(_YEAR_MONTHS, values[when.named(charge.coincident)].mean())
    at = when.share_in(replace(charge.period, months=ALL_MONTHS)) > 0.0
    return metered.highest(np.where(at, values, 0.0))


def _ratcheted(charge: DemandCharge, measured: FloatArray) -> FloatArray:
    """Return the billed demand, ratchet included, in the block and the charged months."""
    highest = max(measured[month - 1] for month in charge.ratchet_months)
    billed = np.asarray(billed_demand.si(measured, highest, charge.ratchet))
    billed = np.where(_picked(charge.period.months, _YEAR_MONTHS + 1)[1:], billed, 0.0)
    return _in_block(charge.block, billed, billed)
