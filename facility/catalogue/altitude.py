"""Derating of electrical equipment with the altitude of the site."""

from __future__ import annotations

import numpy as np

from facility.catalogue.loader import catalogue
from facility.core.sources import Source

_TABLE = "electrical/altitude_ratings"


def rating_at(equipment: str, elevation_m: float) -> tuple[float, float, Source]:
    """Return the derating factor at an elevation, the elevation up to which it is 1, its source.

    equipment: As the table names it, e.g. ``"UPS"``.
    """
    rows = catalogue().table(_TABLE).select(equipment=equipment)
    heights, factors = zip(*((r.si("altitude_m"), r.si("factor")) for r in rows), strict=True)
    return float(np.interp(elevation_m, heights, factors)), heights[0], rows[-1].cite("factor")
