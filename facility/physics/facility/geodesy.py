"""Distance between two places on the globe."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Degrees, Length
from facility.core.sources import Source

EARTH_RADIUS_M = 6_371_008.8
"""Mean radius of the Earth, (2 a + b) / 3 of the ellipsoid GRS 80 [m]."""


@equation(
    "d",
    r"2 R \arcsin \sqrt{\sin^2 \frac{\varphi_2 - \varphi_1}{2} + \cos \varphi_1 "
    r"\cos \varphi_2 \sin^2 \frac{\lambda_2 - \lambda_1}{2}}",
    Source("derivation", "great circle on a sphere, haversine formula"),
    empirical="the mean radius of the Earth is part of it",
)
def great_circle_distance(
    latitude_deg: Degrees,
    longitude_deg: Degrees,
    other_latitude_deg: Degrees,
    other_longitude_deg: Degrees,
) -> Length:
    """Return the distance between two places along the globe.

    The Earth is taken as a sphere, which is within 0.6 % of the ellipsoid.

    latitude_deg, longitude_deg: one place, in degrees, north and east positive.
    other_latitude_deg, other_longitude_deg: the other place.
    """
    one, other = np.radians(latitude_deg), np.radians(other_latitude_deg)
    across = np.radians(other_longitude_deg - longitude_deg)
    chord = (
        np.sin(0.5 * (other - one)) ** 2 + np.cos(one) * np.cos(other) * np.sin(0.5 * across) ** 2
    )
    return 2.0 * EARTH_RADIUS_M * np.arcsin(np.minimum(1.0, np.sqrt(chord)))
