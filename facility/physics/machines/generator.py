"""Generator sets: what a site takes from their rating, and how many carry a load."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, Source
from facility.physics.machines.ups import whole_units

_DERATE = Source("generator-derate-manuals", "the lower of engine and alternator governs")
_SETS = Source("derivation", "kW and kVA limits of a derated set, each rounded up")


@equation(
    "d",
    r"\min(d_e,\ d_h\,d_t)",
    "ratio",
    _DERATE,
    engine="ratio",
    alternator_altitude="ratio",
    alternator_ambient="ratio",
)
def site_derate(engine: float, alternator_altitude: float, alternator_ambient: float) -> float:
    """Return the part of its rating that a set can deliver on a site.

    The engine breathes thinner and warmer air (its maker's table gives both at once); the
    alternator is cooled by it (its two factors multiply). The weaker of the two governs.

    Parameters
    ----------
    engine : float
        Factor of the engine for altitude and ambient temperature.
    alternator_altitude, alternator_ambient : float
        Factors of the alternator.
    """
    return min(engine, alternator_altitude * alternator_ambient)


@equation(
    "n",
    r"\max\left(\left\lceil\frac{P}{u\,d\,P_G}\right\rceil,"
    r" \left\lceil\frac{S}{u\,d\,S_G}\right\rceil\right)",
    "count",
    _SETS,
    load_w="active_power",
    load_va="apparent_power",
    set_w="active_power",
    set_va="apparent_power",
    max_loading="fraction",
    derate="ratio",
)
def sets_needed(
    load_w: float, load_va: float, set_w: float, set_va: float, max_loading: float, derate: float
) -> int:
    """Return the number of sets that carry a load on the site, by active and apparent power.

    The site lowers what a set can deliver; it never raises the load.

    Parameters
    ----------
    load_w, load_va : float
        Load to be carried [W], [VA].
    set_w, set_va : float
        Ratings of one set [W], [VA].
    max_loading : float
        Part of the derated rating that may be used.
    derate : float
        Part of the rating available on the site.

    Raises
    ------
    FacilityError
        ``RATING_WRONG`` when a rating, the loading limit or the derating is not positive.
    """
    if min(float(max_loading), float(derate)) <= 0 or set_w <= 0 or set_va <= 0:
        raise FacilityError(
            "RATING_WRONG", "", "a rating, a loading limit and a derating must be above zero.", ""
        )
    usable = max_loading * derate
    return max(whole_units(load_w / (usable * set_w)), whole_units(load_va / (usable * set_va)))


@equation(
    "x",
    r"\frac{P}{n\,d\,P_G}",
    "fraction",
    _SETS,
    load_w="active_power",
    sets="count",
    set_w="active_power",
    derate="ratio",
)
def set_loading(load_w: float, sets: float, set_w: float, derate: float) -> float:
    """Return the load of each of `sets` equal sets as a fraction of what the site leaves of it.

    Parameters
    ----------
    load_w : float
        Load of all sets [W].
    sets : int
        Sets in service.
    set_w : float
        Rating of one [W].
    derate : float
        Part of the rating available on the site.
    """
    return load_w / (sets * derate * set_w)


@equation(
    "V",
    r"\frac{\dot V\,t}{u}",
    "volume",
    DERIVED,
    fuel_m3_s="liquid_flow",
    duration_s="time",
    usable="fraction",
)
def tank_volume(fuel_m3_s: float, duration_s: float, usable: float) -> float:
    """Return the volume of fuel tanks that last for a time.

    Parameters
    ----------
    fuel_m3_s : float
        Fuel of all running sets [m3/s].
    duration_s : float
        Time the fuel must last [s].
    usable : float
        Part of the tank that can be drawn: not what lies below the outlet or must stay free.
    """
    return fuel_m3_s * duration_s / usable


@equation(
    "t",
    r"\frac{V\,u}{\dot V}",
    "time",
    DERIVED,
    tank_m3="volume",
    fuel_m3_s="liquid_flow",
    usable="fraction",
)
def running_time(tank_m3: float, fuel_m3_s: float, usable: float) -> float:
    """Return the time that fuel tanks last.

    Parameters
    ----------
    tank_m3 : float
        Volume of the tanks [m3].
    fuel_m3_s : float
        Fuel of all running sets [m3/s].
    usable : float
        Part of the tank that can be drawn.
    """
    return tank_m3 * usable / fuel_m3_s


def between(x: float, xs: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """Return the value at `x` of a table with rising `xs`, linear between rows, held at the ends.

    The caller refuses an `x` beyond the end that would not be on the safe side.
    """
    return float(np.interp(x, xs, values))


def between_two(
    x: float,
    y: float,
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
    values: NDArray[np.float64],
) -> float:
    """Return the value at (`x`, `y`) of ``values[i, j]``, linear in both, held at the ends."""
    along_y = np.array([np.interp(y, ys, row) for row in values])
    return float(np.interp(x, xs, along_y))
