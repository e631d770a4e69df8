"""Data of annual charts: an hourly series by day and hour, and its duration curve."""

from __future__ import annotations

from calendar import month_abbr
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from facility.core.kinds import FloatArray, money_kind
from facility.study.annual.result import AnnualStudy, Year

_HOUR_S, _DAY_S, _DAYS = 3600.0, 86400.0, 365
_LEAP_YEAR, _OTHER_YEAR = 2000, 2001
"""Representative years of 366 and 365 days."""
_Series = tuple[str, str, Callable[[Year], FloatArray]]
_SERIES: Mapping[str, _Series] = {
    "pue": ("PUE", "ratio", lambda year: year.pue),
    "facility": ("Facility power", "active_power", lambda year: year.facility_w),
    "cooling": ("Cooling power", "active_power", lambda year: year.group_w("cooling")),
    "load": ("IT load", "fraction", lambda year: year.load),
    "water": ("Make-up water", "liquid_flow", lambda year: year.water.makeup_m3_s),
    "mode": ("Economizer share", "fraction", lambda year: year.economizer_share),
    "economizer": (
        "Economizer heat",
        "heat_flow",
        lambda year: year.hours.spread(year.balance.cooling.economizer_w),
    ),
}


@dataclass(frozen=True, eq=False)
class HourMap:
    """A series of a year by step of the day (rows) and day (columns), in SI."""

    title: str
    kind: str
    values: FloatArray

    @property
    def highest(self) -> tuple[float, int, int]:
        """Maximum value, with day of the year and hour of the day, both from 0."""
        step, day = np.unravel_index(int(np.nanargmax(self.values)), self.values.shape)
        return float(self.values[step, day]), int(day), int(step * self.step_h)

    @property
    def step_h(self) -> float:
        """Duration of a row [h]."""
        return 24.0 / len(self.values)


def hour_map(study: AnnualStudy, series: str) -> HourMap:
    """Return a series of `series_of` by day and hour."""
    title, kind, of = _series(study)[series]
    rows = round(_DAY_S / study.year.hours.step_s)
    return HourMap(title, kind, study.year.hours.calendar(of(study.year)).reshape(-1, rows).T)


def calendar_hour(year: Year, index: int) -> tuple[str, int]:
    """Return the date of a step of a year, counted from 0, and its hour of the day, from 1."""
    day, hour = divmod(year.hours.hour(index) - 1, 24)
    return date_of(day, year.hours.days), hour + 1


def date_of(day: int, days: int) -> str:
    """Return the date of a day, counted from 0, of a year of so many days."""
    at = date(_LEAP_YEAR if days > _DAYS else _OTHER_YEAR, 1, 1) + timedelta(day)
    return f"{at.day} {month_abbr[at.month]}"


def series_of(study: AnnualStudy) -> dict[str, str]:
    """Return the available series by key, with titles."""
    found = _series(study)
    return {key: title for key, (title, _, of) in found.items() if np.any(of(study.year) > 0.0)}


def _series(study: AnnualStudy) -> Mapping[str, _Series]:
    """Return every series; cost and carbon only if they vary over the year."""
    found, bill, carbon_kg_s = dict(_SERIES), study.bill, study.carbon_kg_s
    if bill is not None and np.ptp(bill.price_per_j) > 0.0:
        kind = money_kind(bill.tariff.currency)
        hourly = bill.price_per_j * _HOUR_S
        found["cost"] = ("Hourly energy cost", kind, lambda year: hourly * year.facility_w)
    if carbon_kg_s is not None:
        found["carbon"] = ("Hourly carbon", "mass", lambda year: carbon_kg_s * _HOUR_S)
    return found
