"""Uninterruptible power supplies: number of modules, loading, and losses.

A UPS *module* is one unit that can run in parallel with others; a *system* is a group of modules
on one output bus.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    KINDS,
    ActivePower,
    ApparentPower,
    Count,
    Current,
    Fraction,
    LineVoltage,
    Ratio,
)
from facility.core.rounding import ROUNDING, whole_units
from facility.core.sources import DERIVED, Source

_TWO_LIMITS = Source("derivation", "kW and kVA limits of a module, each rounded up")

# Modules are counted for one load at a time.
_Watts = Annotated[float, KINDS["active_power"]]
_VoltAmperes = Annotated[float, KINDS["apparent_power"]]
_Part = Annotated[float, KINDS["fraction"]]
_Units = Annotated[int, KINDS["count"]]


@equation(
    "n",
    r"\max\left(\left\lceil\frac{P}{u\,P_M}\right\rceil,"
    r" \left\lceil\frac{S}{u\,S_M}\right\rceil\right)",
    _TWO_LIMITS,
)
def modules_needed(
    load_w: _Watts,
    load_va: _VoltAmperes,
    module_w: _Watts,
    module_va: _VoltAmperes,
    max_loading: _Part,
) -> _Units:
    """Return the number of modules that carry a load, by active and by apparent power.

    A module has two limits: its rectifier and inverter carry `module_w`, its bridges and output
    filter `module_va`. Each limit requires a number of modules; the larger applies.

    load_w, load_va: load to be carried.
    module_w, module_va: ratings of one module.
    max_loading: part of the rating that may be used.

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


@equation("x", r"\frac{P}{n\,P_M}", DERIVED, excel="{load_w}/({modules}*{module_w})")
def loading(load_w: ActivePower, modules: Count, module_w: ActivePower) -> Fraction:
    """Return the load of each of `modules` equal modules as a fraction of its rating.

    Parallel modules of one system share its load equally.

    modules: in service.
    module_w: rating of one.
    """
    return load_w / (modules * module_w)


@equation("P_M", r"S_M \cos\varphi", DERIVED)
def rating_of_power_factor(rating_va: ApparentPower, power_factor: Ratio) -> ActivePower:
    """Return the active rating of a unit from its apparent rating and output power factor.

    A 100 kVA unit of output power factor 0.8 delivers 80 kW; current units have 0.9 to 1.0.

    power_factor: output power factor of the rating.
    """
    return rating_va * power_factor


@equation("l", r"x\left(\frac{1}{\eta}-1\right)", DERIVED)
def loss_fraction(load_fraction: Fraction, efficiency: Fraction) -> Fraction:
    r"""Return the loss at a load as a fraction of the rating.

    From :math:`\eta = P/(P+P_l)` follows :math:`P_l = P(1/\eta - 1)`; divided by the rating.

    load_fraction: output over rating.
    efficiency: output over input.
    """
    return load_fraction * (1.0 / efficiency - 1.0)


@equation(
    "P_l",
    r"n\,P_M\,(a + b\,x + c\,x^2),\quad x = \frac{P}{n\,P_M}",
    Source("derivation", "no-load, proportional and square-law loss of a converter"),
    excel="({modules}*{module_w})*({constant}+{output_w}/({modules}*{module_w})*({linear}"
    "+{output_w}/({modules}*{module_w})*{quadratic}))",
)
def ups_loss(
    output_w: ActivePower,
    modules: Count,
    module_w: ActivePower,
    constant: Fraction,
    linear: Fraction,
    quadratic: Fraction,
) -> ActivePower:
    """Return the loss of `modules` equal modules that share the output `output_w`.

    The three terms are the no-load loss (control, fans, magnetising, filter), the loss
    proportional to current (semiconductor threshold) and the loss proportional to its square
    (resistance), all as fractions of the rating. Unlike a constant efficiency the form stays
    true towards no load, where the efficiency goes to zero.

    output_w: of all modules together.
    modules: in service.
    module_w: rating of one.
    constant, linear, quadratic: terms of the loss curve, fractions of the rating.
    """
    rating_w = modules * module_w
    x = output_w / rating_w
    return rating_w * (constant + x * (linear + x * quadratic))


@equation("P_c", r"r\,n\,P_M", DERIVED, excel="{recharge}*{modules}*{module_w}")
def recharge_power(recharge: Fraction, modules: Count, module_w: ActivePower) -> ActivePower:
    """Return the power that the chargers of all modules draw after an outage.

    recharge: charger power over module rating.
    modules: whose batteries are charged.
    module_w: rating of one module.
    """
    return recharge * modules * module_w


@equation(
    "I_{in}",
    r"\frac{P + P_l + P_c}{\sqrt{3}\,U\,(1 - d)\cos\varphi}",
    DERIVED,
    excel="({output_w}+{loss_w}+{charge_w})*1000/(SQRT(3)*{voltage_v}*(1-{sag})*{power_factor})",
)
def input_current(
    output_w: ActivePower,
    loss_w: ActivePower,
    charge_w: ActivePower,
    voltage_v: LineVoltage,
    sag: Fraction,
    power_factor: Ratio,
) -> Current:
    """Return the input current of a UPS that recharges its battery at low line voltage.

    The rectifier holds the power, so that its current rises as the voltage falls; the chargers
    come on top of load and loss.

    output_w, loss_w, charge_w: output, loss and charger power.
    voltage_v: nominal input voltage, line to line.
    sag: part of the voltage that is missing.
    power_factor: input power factor.
    """
    power_w = output_w + loss_w + charge_w
    return power_w / (math.sqrt(3.0) * voltage_v * (1.0 - sag) * power_factor)


@equation(
    "P_{c,lim}",
    r"\max(0, \sqrt{3}\,U\,I_{lim}\cos\varphi - P - P_l)",
    DERIVED,
    excel="MAX(0,SQRT(3)*{voltage_v}*{limit_a}*{power_factor}/1000-{output_w}-{loss_w})",
)
def recharge_left(
    limit_a: Current,
    voltage_v: LineVoltage,
    power_factor: Ratio,
    output_w: ActivePower,
    loss_w: ActivePower,
) -> ActivePower:
    """Return the charging power available within an input-current limit.

    The load and the losses come first: the rectifier throttles the charger, not the inverter.

    limit_a: current to which the rectifier limits its input.
    voltage_v: input voltage, line to line.
    power_factor: input power factor.
    output_w, loss_w: output and loss.
    """
    input_w = math.sqrt(3.0) * voltage_v * limit_a * power_factor
    return np.maximum(0.0 * input_w, input_w - output_w - loss_w)


def fit_loss_curve(
    load_fractions: ArrayLike, efficiencies: ArrayLike, where: str = ""
) -> tuple[float, float, float, float]:
    """Fit the loss curve of `ups_loss` to points of load and efficiency by least squares.

    load_fractions, efficiencies: At least three points.
    where: Path of the points, for the error.

    Raises ``UPS_CURVE`` for an efficiency outside 0 to 1, or for points whose fit has a loss that
    is below zero or falls with load somewhere between no load and full load.

    The terms are constant, linear and quadratic; behind them stands the largest deviation of the
    loss from a point, all as fractions of the rating.
    """
    x = np.asarray(load_fractions, dtype=np.float64)
    eta = np.asarray(efficiencies, dtype=np.float64)
    if x.size < 3 or np.any(eta <= 0.0) or np.any(eta >= 1.0):
        raise FacilityError(
            "UPS_CURVE",
            where,
            "the efficiency curve needs three points or more between 0 and 100 %.",
            "Enter the double-conversion efficiency at 25, 50, 75 and 100 % load.",
        )
    losses = loss_fraction.si(x, eta)
    terms = np.vander(x, 3, increasing=True)
    fit = np.linalg.lstsq(terms, losses, rcond=None)[0]
    grid = np.vander(np.linspace(0.0, 1.0, 101), 3, increasing=True) @ fit
    # Points of one efficiency leave no loss without load, but for the last bits of the fit.
    if np.any(grid < -ROUNDING * np.max(losses)) or np.any(grid[25:] < grid[:-25]):
        raise FacilityError(
            "UPS_CURVE",
            where,
            "the efficiency points give a loss that is below zero or falls with load.",
            "Check the points: efficiency at 25, 50, 75 and 100 % load.",
        )
    worst = float(np.max(np.abs(terms @ fit - losses)))
    return max(float(fit[0]), 0.0), float(fit[1]), float(fit[2]), worst
