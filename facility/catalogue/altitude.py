"""What the altitude of a site leaves of the ratings of its electrical equipment."""

from __future__ import annotations

import numpy as np

from facility.catalogue.loader import catalogue
from facility.core.sources import Source

_TABLE = "electrical/altitude_ratings"


def rating_at(equipment: str, elevation_m: float) -> tuple[float, float, Source]:
    """Return the part of the rating that is left, the height up to which all is, and the source.

    equipment: As the table names it, e.g. ``"UPS"``.
    """
    rows = catalogue().table(_TABLE).select(equipment=equipment)
    heights, factors = zip(*((r.si("altitude_m"), r.si("factor")) for r in rows), strict=True)
    return float(np.interp(elevation_m, heights, factors)), heights[0], rows[-1].cite("factor")
