"""Climate zone of a site: stated, from the weather record, or derived from its hours."""

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
"""Deviation of a typical year from the long-term mean: a nearer limit keeps both zones."""
# Thermal zones of ASHRAE 169 (unverified): lower limits of cooling degree days over 10 degC, and of
# heating degree days under 18 degC for zones below those limits.
_HOT = ((6000.0, "0"), (5000.0, "1"), (3500.0, "2"))
_COLD = ((7000.0, "8"), (5000.0, "7"), (4000.0, "6"), (3000.0, "5"), (2000.0, "4"))
_MILD = "3"


@dataclass(frozen=True)
class ClimateZones:
    """Possible climate zones of a site; one if known."""

    numbers: tuple[str, ...]  # ``5A``, or numbers only if the moisture is not known
    how: str  # Derivation, as text

    def holds(self, zone: str) -> bool:
        """Return whether these zones include a zone of a table."""
        return any(zone.startswith(number) for number in self.numbers)

    @property
    def words(self) -> str:
        """The zones as text."""
        return f"zone {' or '.join(self.numbers)}"


def climate_zone(site: Site) -> str | None:
    """Return the stated climate zone, or the zone of the weather record; None if unknown."""
    if site.climate_zone:
        return site.climate_zone
    record, stations = site.record, table(_STATIONS)
    if record is None or (record.name,) not in stations.index:
        return None
    return stations.get(record.name).text("climate_zone")


def climate_zones(site: Site, hours: Hours) -> ClimateZones:
    """Return the zone of a site, or the zones derived from its hours if it is not known.

    Degree days determine the thermal zone. Moist, dry and marine zones differ by monthly rainfall,
    which these weather records do not include: all of them remain possible.
    """
    known = climate_zone(site)
    if known is not None:
        return ClimateZones((known,), "")
    hot, cold = degree_days(hours)
    spread = (1.0 - _NEAR, 1.0, 1.0 + _NEAR)
    numbers = sorted({thermal_zone(hot * factor, cold * factor) for factor in spread})
    how = (
        f"derived from the hours ({hot:,.0f} degree days over 10 °C, {cold:,.0f} under 18 °C; "
        "moisture not known); specify site.climate_zone"
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
