"""Uninterruptible power supplies: how many modules, how loaded, and what they lose.

A UPS *module* is one unit that can run in parallel with others; a *system* is a group of modules
on one output bus.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, Source

_TWO_LIMITS = Source("derivation", "kW and kVA limits of a module, each rounded up")
_CEILING_SLACK = 1e-9


def whole_units(exact: float) -> int:
    """Return the least whole number of units that is not below `exact`.

    A relative slack of 1e-9 keeps a load computed equal to the rating from asking for one more.
    """
    return max(0, math.ceil(exact * (1.0 - _CEILING_SLACK)))


@equation(
    "n",
    r"\max\left(\left\lceil\frac{P}{u\,P_M}\right\rceil,"
    r" \left\lceil\frac{S}{u\,S_M}\right\rceil\right)",
    "count",
    _TWO_LIMITS,
    load_w="active_power",
    load_va="apparent_power",
    module_w="active_power",
    module_va="apparent_power",
    max_loading="fraction",
)
def modules_needed(
    load_w: float, load_va: float, module_w: float, module_va: float, max_loading: float
) -> int:
    """Return the number of modules that carry a load, by active and by apparent power.

    A module has two limits: its rectifier and inverter carry `module_w`, its bridges and output
    filter `module_va`. Each limit asks for a number of modules; the larger one decides.

    Parameters
    ----------
    load_w, load_va : float
        Load to be carried [W], [VA].
    module_w, module_va : float
        Ratings of one module [W], [VA].
    max_loading : float
        Part of the rating that may be used.

    Raises
    ------
    FacilityError
        ``RATING_WRONG`` when a rating or the loading limit is not positive.
    """
    if module_w <= 0 or module_va <= 0 or max_loading <= 0:
        raise FacilityError(
            "RATING_WRONG", "", "a rating and a loading limit must be greater than zero.", ""
        )
    by_w = whole_units(load_w / (max_loading * module_w))
    by_va = whole_units(load_va / (max_loading * module_va))
    return max(by_w, by_va)


@equation(
    "x",
    r"\frac{P}{n\,P_M}",
    "fraction",
    DERIVED,
    load_w="active_power",
    modules="count",
    module_w="active_power",
)
def loading(load_w: float, modules: float, module_w: float) -> float:
    """Return the load of each of `modules` equal modules as a fraction of its rating.

    Parallel modules of one system share its load equally.

    Parameters
    ----------
    load_w : float
        Load of the system [W].
    modules : int
        Modules in service.
    module_w : float
        Rating of one [W].
    """
    return load_w / (modules * module_w)


@equation(
    "P_M",
    r"S_M \cos\varphi",
    "active_power",
    DERIVED,
    rating_va="apparent_power",
    power_factor="ratio",
)
def rating_of_power_factor(rating_va: float, power_factor: float) -> float:
    """Return the active rating of a unit from its apparent rating and output power factor.

    A 100 kVA unit of output power factor 0.8 delivers 80 kW; current units have 0.9 to 1.0.

    Parameters
    ----------
    rating_va : float
        Apparent rating [VA].
    power_factor : float
        Output power factor of the rating.
    """
    return rating_va * power_factor


@equation(
    "l",
    r"x\left(\frac{1}{\eta}-1\right)",
    "fraction",
    DERIVED,
    load_fraction="fraction",
    efficiency="fraction",
)
def loss_fraction(load_fraction: Any, efficiency: Any) -> Any:
    r"""Return the loss at a load as a fraction of the rating.

    From :math:`\eta = P/(P+P_l)` follows :math:`P_l = P(1/\eta - 1)`; divided by the rating.

    Parameters
    ----------
    load_fraction : float
        Output over rating.
    efficiency : float
        Output over input.
    """
    return load_fraction * (1.0 / efficiency - 1.0)


@equation(
    "P_l",
    r"n\,P_M\,(a + b\,x + c\,x^2),\quad x = \frac{P}{n\,P_M}",
    "active_power",
    Source("derivation", "no-load, proportional and square-law loss of a converter"),
    output_w="active_power",
    modules="count",
    module_w="active_power",
    constant="fraction",
    linear="fraction",
    quadratic="fraction",
    excel="({modules}*{module_w})*({constant}+{output_w}/({modules}*{module_w})*({linear}"
    "+{output_w}/({modules}*{module_w})*{quadratic}))",
)
def ups_loss(
    output_w: Any,
    modules: float,
    module_w: float,
    constant: float,
    linear: float,
    quadratic: float,
) -> Any:
    """Return the loss of `modules` equal modules that share the output `output_w`.

    The three terms are the no-load loss (control, fans, magnetising, filter), the loss
    proportional to current (semiconductor threshold) and the loss proportional to its square
    (resistance), all as fractions of the rating. Unlike a constant efficiency the form stays
    true towards no load, where the efficiency goes to zero.

    Parameters
    ----------
    output_w : float or ndarray
        Output of all modules together [W].
    modules : int
        Modules in service.
    module_w : float
        Rating of one [W].
    constant, linear, quadratic : float
        Terms of the loss curve, fractions of the rating.
    """
    rating_w = modules * module_w
    x = output_w / rating_w
    return rating_w * (constant + x * (linear + x * quadratic))


@equation(
    "P_c",
    r"r\,n\,P_M",
    "active_power",
    DERIVED,
    recharge="fraction",
    modules="count",
    module_w="active_power",
)
def recharge_power(recharge: float, modules: float, module_w: float) -> float:
    """Return the power that the chargers of all modules draw after an outage.

    Parameters
    ----------
    recharge : float
        Charger power over module rating.
    modules : int
        Modules whose batteries are charged.
    module_w : float
        Rating of one module [W].
    """
    return recharge * modules * module_w


@equation(
    "I_{in}",
    r"\frac{P + P_l + P_c}{\sqrt{3}\,U\,(1 - d)\cos\varphi}",
    "current",
    DERIVED,
    output_w="active_power",
    loss_w="active_power",
    charge_w="active_power",
    voltage_v="line_voltage",
    sag="fraction",
    power_factor="ratio",
)
def input_current(
    output_w: Any, loss_w: Any, charge_w: Any, voltage_v: float, sag: float, power_factor: float
) -> Any:
    """Return the input current of a UPS that recharges its battery at low line voltage.

    The rectifier holds the power, so that its current rises as the voltage falls; the chargers
    come on top of load and loss.

    Parameters
    ----------
    output_w, loss_w, charge_w : float or ndarray
        Output, loss and charger power [W].
    voltage_v : float
        Nominal input voltage, line to line [V].
    sag : float
        Part of the voltage that is missing.
    power_factor : float
        Input power factor.
    """
    power_w = output_w + loss_w + charge_w
    return power_w / (math.sqrt(3.0) * voltage_v * (1.0 - sag) * power_factor)


def fit_loss_curve(
    load_fractions: ArrayLike, efficiencies: ArrayLike, where: str = ""
) -> tuple[float, float, float, float]:
    """Fit the loss curve of `ups_loss` to points of load and efficiency by least squares.

    Parameters
    ----------
    load_fractions, efficiencies : array_like
        At least three points.
    where : str
        Path of the points, for the error.

    Returns
    -------
    tuple of float
        Constant, linear and quadratic term, and the largest deviation of the loss from a point,
        all as fractions of the rating.

    Raises
    ------
    FacilityError
        ``UPS_CURVE`` for an efficiency outside 0 to 1, or for points whose fit has a loss that is
        not positive or falls with load somewhere between no load and full load.
    """
    x = np.asarray(load_fractions, dtype=np.float64)
    eta = np.asarray(efficiencies, dtype=np.float64)
    if x.size < 3 or np.any(eta <= 0.0) or np.any(eta >= 1.0):
        raise FacilityError(
            "UPS_CURVE",
            where,
            "the efficiency curve needs three points or more between 0 and 100 %.",
            "Give the double-conversion efficiency at 25, 50, 75 and 100 % load.",
        )
    losses = loss_fraction.si(x, eta)
    terms = np.vander(x, 3, increasing=True)
    fit = np.linalg.lstsq(terms, losses, rcond=None)[0]
    grid = np.vander(np.linspace(0.0, 1.0, 101), 3, increasing=True) @ fit
    if np.any(grid <= 0.0) or np.any(grid[25:] < grid[:-25]):
        raise FacilityError(
            "UPS_CURVE",
            where,
            "the efficiency points give a loss that is not positive or falls with load.",
            "Check the points: efficiency at 25, 50, 75 and 100 % load.",
        )
    worst = float(np.max(np.abs(terms @ fit - losses)))
    return float(fit[0]), float(fit[1]), float(fit[2]), worst
