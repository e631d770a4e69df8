"""Hours of a typical year: outdoor air, month, and electrical power by component."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from facility.catalogue.weather import WeatherYear
from facility.cooling.parts.air import AirHours
from facility.core.kinds import FloatArray
from facility.model.facility import Weather
from facility.physics.air.psychrometrics import humidity_ratio, wet_bulb
from facility.study.loop import WingsBalance

T = TypeVar("T", bound="float | FloatArray")
MONTHS = range(1, 13)
_HOUR_S = 3600.0
_FREED_FLOATS = 2**20
"""Floats of an array that is freed once: glibc then retains freed memory up to twice the largest
such block. Otherwise it returns each array to the system, a fifth of the time of an annual
study."""


GROUPS = ("it", "losses", "cooling", "house")


@dataclass(frozen=True, eq=False)
class Hours:
    """The hours of a typical year."""

    air: AirHours  # Outdoor air
    month: NDArray[np.int64]  # Month of each hour, 1 to 12
    step_s: float = _HOUR_S  # Duration of each
    # Positions in the whole year and its months, where hours without readings are left out.
    index: NDArray[np.int64] | None = None
    months: NDArray[np.int64] | None = None

    @property
    def step_h(self) -> float:
        """Duration of each, in hours."""
        return self.step_s / _HOUR_S

    def __len__(self) -> int:
        return len(self.month)

    @property
    def weather(self) -> Weather:
        """The outdoor air as input of the power and cooling balance."""
        air = self.air
        return Weather(air.dry_bulb_c, air.wet_bulb_c, air.pressure_pa)  # type: ignore[arg-type]

    def at_dry_bulb(self, dry_bulb_c: FloatArray) -> Weather:
        """Return the outdoor air at other dry bulbs [degC], with the moisture of the record."""
        pressure_pa = self.air.pressure_pa
        saturated = np.asarray(humidity_ratio.si(dry_bulb_c, 1.0, pressure_pa))
        humid = np.minimum(self.air.humidity_ratio, saturated)
        wet_c = np.minimum(wet_bulb.si(dry_bulb_c, humid, pressure_pa), dry_bulb_c)
        return Weather(dry_bulb_c, wet_c, pressure_pa)  # type: ignore[arg-type]

    def spread(self, values: float | FloatArray) -> FloatArray:
        """Return values expanded to all hours."""
        found = np.asarray(values, dtype=float)
        return found if found.shape == self.month.shape else np.broadcast_to(found, len(self))

    @property
    def whole(self) -> float:
        """Hours of the year."""
        return len(self) * self.step_h

    def count(self, at: NDArray[np.bool_]) -> float:
        """Return the number of hours that meet a condition."""
        return float(np.count_nonzero(at)) * self.step_h

    @property
    def ends_h(self) -> FloatArray:
        """End of each, in hours from the start of the year."""
        at = np.arange(len(self)) if self.index is None else self.index
        return np.asarray((at + 1.0) * self.step_h)

    @property
    def days(self) -> int:
        """Days of the year, including omitted ones."""
        return round(len(self.month if self.months is None else self.months) * self.step_h / 24.0)

    def calendar(self, values: FloatArray, missing: float = math.nan) -> FloatArray:
        """Return values in the steps of the whole year, `missing` in the omitted steps."""
        if self.index is None or self.months is None:
            return values
        found = np.full(len(self.months), missing)
        found[self.index] = values
        return found

    def only(self, values: T) -> T:
        """Return a number, or the values of a whole year without omitted hours."""
        if self.index is None or np.ndim(values) == 0:
            return values
        return np.asarray(values)[self.index]  # type: ignore[return-value]

    def hour(self, index: int) -> int:
        """Return the hour of the year, from 1, of an index."""
        at = index if self.index is None else int(self.index[index])
        return math.floor(at * self.step_h) + 1

    def total(self, rate: float | FloatArray) -> float:
        """Return the annual total of a rate per second."""
        return float(self.spread(rate).sum()) * self.step_s

    def by_month(self, rate: float | FloatArray) -> FloatArray:
        """Return the monthly totals of a rate per second."""
        sums = np.bincount(self.month - 1, self.spread(rate), len(MONTHS))
        return np.asarray(sums * self.step_s)


@lru_cache(maxsize=8)
def air_hours(year: WeatherYear) -> AirHours:
    """Return the outdoor air of a typical year, with its wet bulbs.

    Many designs share a site: the wet bulbs of a record are calculated once.
    """
    humid = np.asarray(humidity_ratio.si(year.dry_bulb_c, year.relative_humidity, year.pressure_pa))
    wet_c = np.minimum(wet_bulb.si(year.dry_bulb_c, humid, year.pressure_pa), year.dry_bulb_c)
    for values in (wet_c, humid):
        values.flags.writeable = False
    return AirHours(year.dry_bulb_c, wet_c, humid, year.pressure_pa)


def hours_of(year: WeatherYear, measured: NDArray[np.bool_] | None = None) -> Hours:
    """Return the hours of a weather record, only the measured ones if some are missing."""
    np.empty(_FREED_FLOATS)
    air = air_hours(year)
    if measured is None:
        return Hours(air, year.month, year.step_s)
    index = np.flatnonzero(measured)
    series = (air.dry_bulb_c, air.wet_bulb_c, air.humidity_ratio, air.pressure_pa)
    only = AirHours(*(each[index] for each in series))
    return Hours(only, year.month[index], year.step_s, index, year.month)


def power_by_part(found: WingsBalance, hours: Hours) -> Mapping[str, FloatArray]:
    """Return the power of each part at each hour [W]: ``it``, ``losses.ups``, ``cooling.chillers``.

    Their sum is the metered facility power.
    """
    parts = {"it": found.demand.it_w}
    parts |= {f"losses.{part.id}": part.loss_w for part in found.flow.parts}
    parts |= {f"cooling.{name}": power_w for name, power_w in found.cooling.power.parts.items()}
    parts["house"] = found.demand.house_w
    return {id: hours.spread(value) for id, value in parts.items()}


def of_group(parts: Mapping[str, object], group: str) -> tuple[str, ...]:
    """Return the parts of a group; for ``losses``, all parts with that prefix."""
    return tuple(id for id in parts if id == group or id.startswith(f"{group}."))
