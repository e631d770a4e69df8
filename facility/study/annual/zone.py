"""The climate zone of a site: stated, that of the record, or derived from its hours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.catalogue import table
from facility.model.facility import Site
from facility.study.annual.hours import Hours

_STATIONS = "weather/stations"
_COLD_C, _WARM_C = 18.0, 10.0
_DAY_H = 24
_NEAR = 0.05
"""How far a typical year is from the mean of many: a limit that is nearer leaves both zones."""
# Thermal zones of ASHRAE 169 (recalled): cooling degree days over 10 degC that a zone begins
# beyond, and heating degree days under 18 degC where no such is passed.
_HOT = ((6000.0, "0"), (5000.0, "1"), (3500.0, "2"))
_COLD = ((7000.0, "8"), (5000.0, "7"), (4000.0, "6"), (3000.0, "5"), (2000.0, "4"))
_MILD = "3"


@dataclass(frozen=True)
class ClimateZones:
    """The zones that a site may lie in: one where it is known."""

    numbers: tuple[str, ...]  # ``5A``, or numbers alone where the moisture is not known
    how: str  # In words, where they are derived

    def holds(self, zone: str) -> bool:
        """Return whether a zone of a table is one of them."""
        return any(zone.startswith(number) for number in self.numbers)

    @property
    def words(self) -> str:
        """Their names."""
        return f"zone {' or '.join(self.numbers)}"


def climate_zone(site: Site) -> str | None:
    """Return the climate zone that is stated, or of the record; None where neither is known."""
    if site.climate_zone:
        return site.climate_zone
    record, stations = site.record, table(_STATIONS)
    if record is None or (record.name,) not in stations.index:
        return None
    return stations.get(record.name).text("climate_zone")


def climate_zones(site: Site, hours: Hours) -> ClimateZones:
    """Return the zone of a site; where it is not known, what follows from its hours.

    Degree days tell the thermal zone. Moist, dry and marine zones are told apart by the rain of
    the months, which weather records of this kind do not hold: all of them are kept.
    """
    known = climate_zone(site)
    if known is not None:
        return ClimateZones((known,), "")
    hot, cold = degree_days(hours)
    spread = (1.0 - _NEAR, 1.0, 1.0 + _NEAR)
    numbers = sorted({thermal_zone(hot * factor, cold * factor) for factor in spread})
    how = (
        f"derived from the hours ({hot:,.0f} degree days over 10 degC, {cold:,.0f} under 18 degC; "
        "moisture not known); site.climate_zone states it"
    )
    return ClimateZones(tuple(numbers), how)


def degree_days(hours: Hours) -> tuple[float, float]:
    """Return the degree days of a year over 10 degC and under 18 degC, of daily means."""
    means = np.array([day.mean() for day in _days(hours)])
    return (
        float(np.maximum(means - _WARM_C, 0.0).sum()),
        float(np.maximum(_COLD_C - means, 0.0).sum()),
    )


def _days(hours: Hours) -> Iterator[np.ndarray]:
    dry_c, steps = np.asarray(hours.air.dry_bulb_c, dtype=float), round(_DAY_H / hours.step_h)
    for first in range(0, len(dry_c), steps):
        yield dry_c[first : first + steps]


def thermal_zone(hot: float, cold: float) -> str:
    """Return the thermal zone of degree days over 10 degC and under 18 degC."""
    for limit, zone in _HOT:
        if hot > limit:
            return zone
    return next((zone for limit, zone in _COLD if cold > limit), _MILD)
