"""Generator sets: site derating, and number for a load."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, ActivePower, Count, Fraction, LiquidFlow, Ratio, Time, Volume
from facility.core.rounding import whole_units, whole_units_in_cells
from facility.core.sources import DERIVED, Source

_DERATE = Source("generator-derate-manuals", "the lower of engine and alternator governs")
_SETS = Source("derivation", "kW and kVA limits of a derated set, each rounded up")

# Sets are counted for one load on one site at a time.
_Watts = Annotated[float, KINDS["active_power"]]
_VoltAmperes = Annotated[float, KINDS["apparent_power"]]
_Part = Annotated[float, KINDS["fraction"]]
_Derate = Annotated[float, KINDS["ratio"]]
_Sets = Annotated[int, KINDS["count"]]


@equation(
    "d",
    r"\min(d_e,\ d_h\,d_t)",
    _DERATE,
    excel="MIN({engine},{alternator_altitude}*{alternator_ambient})",
)
def site_derate(
    engine: _Derate, alternator_altitude: _Derate, alternator_ambient: _Derate
) -> _Derate:
    """Return the site derating factor of a generator set.

    The engine breathes thinner and warmer air (combined in the manufacturer's table); the
    alternator is cooled by it (its two factors multiply). The weaker of the two governs.

    engine: factor of the engine for altitude and ambient temperature.
    alternator_altitude, alternator_ambient: factors of the alternator.
    """
    return min(engine, alternator_altitude * alternator_ambient)


@equation(
    "n",
    r"\max\left(\left\lceil\frac{P}{u\,d\,P_G}\right\rceil,"
    r" \left\lceil\frac{S}{u\,d\,S_G}\right\rceil\right)",
    _SETS,
    excel="MAX("
    + whole_units_in_cells("{load_w}/(({max_loading}*{derate})*{set_w})")
    + ","
    + whole_units_in_cells("{load_va}/(({max_loading}*{derate})*{set_va})")
    + ")",
)
def sets_needed(
    load_w: _Watts,
    load_va: _VoltAmperes,
    set_w: _Watts,
    set_va: _VoltAmperes,
    max_loading: _Part,
    derate: _Derate,
) -> _Sets:
    """Return the number of sets that carry a load on the site, by active and apparent power.

    The site lowers what a set can deliver; it never raises the load.

    load_w, load_va: load to be carried.
    set_w, set_va: ratings of one set.
    max_loading: part of the derated rating that may be used.
    derate: part of the rating available on the site.

    Raises
    ------
    FacilityError
        ``RATING_WRONG`` when a rating, the loading limit or the derating is not positive.
    """
    if min(max_loading, derate) <= 0 or set_w <= 0 or set_va <= 0:
        raise FacilityError(
            "RATING_WRONG", "", "a rating, a loading limit and a derating must be above zero.", ""
        )
    usable = max_loading * derate
    return max(whole_units(load_w / (usable * set_w)), whole_units(load_va / (usable * set_va)))


@equation("x", r"\frac{P}{n\,d\,P_G}", _SETS, excel="{load_w}/({sets}*{set_w}*{derate})")
def set_loading(load_w: ActivePower, sets: Count, set_w: ActivePower, derate: Ratio) -> Fraction:
    """Return the load of each of `sets` identical sets as a fraction of its site rating.

    load_w: of all sets.
    sets: in service.
    set_w: rating of one.
    derate: part of the rating available on the site.
    """
    return load_w / (sets * derate * set_w)


@equation(
    "V", r"\frac{\dot V\,t}{u}", DERIVED, excel="{fuel_m3_s:L/h}*{duration_s:h}/{usable}/1000"
)
def tank_volume(fuel_m3_s: LiquidFlow, duration_s: Time, usable: Fraction) -> Volume:
    """Return the volume of fuel tanks that last for a time.

    fuel_m3_s: of all running sets.
    duration_s: time the fuel must last.
    usable: part of the tank that can be drawn: not what lies below the outlet or must stay free.
    """
    return fuel_m3_s * duration_s / usable


@equation(
    "t",
    r"\frac{V\,u}{\dot V}",
    DERIVED,
    excel="{tank_m3}*1000*{usable}/{fuel_m3_s:L/h}",
    excel_unit="h",
)
def running_time(tank_m3: Volume, fuel_m3_s: LiquidFlow, usable: Fraction) -> Time:
    """Return the time that fuel tanks last.

    fuel_m3_s: of all running sets.
    usable: part of the tank that can be drawn.
    """
    return tank_m3 * usable / fuel_m3_s


def between(x: float, xs: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """Return the value at `x` of a table over rising `xs`: linear, constant beyond the ends.

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
    """Return the value at (`x`, `y`) of ``values[i, j]``, bilinear, constant beyond the ends."""
    along_y = np.array([np.interp(y, ys, row) for row in values])
    return float(np.interp(x, xs, along_y))
