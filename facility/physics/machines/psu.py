"""Power supplies: part-load efficiency and loss, from the DC side to the AC input.

Load is a fraction of the rated output of one supply. Between the points of a published curve the
efficiency is interpolated; below its lowest point the loss stays what it is there, because a loss
never falls to zero with the load; above rated output the last efficiency is held.
"""

from __future__ import annotations

from bisect import bisect_right

from facility.core.equation import equation
from facility.core.kinds import ActivePower, Count, Fraction
from facility.core.sources import DERIVED, Source

Curve = tuple[tuple[float, float], ...]

_EFFICIENCY_DEFINITION = Source("80-plus", "efficiency is DC output over AC input")


@equation("x", r"\frac{P_{DC}}{n \, P_r}", DERIVED)
def supply_load(output_w: ActivePower, live: Count, rating_w: ActivePower) -> Fraction:
    """Return the load of each of `live` equal supplies that share a DC output.

    Supplies on one busbar share the current actively, so each carries ``output_w / live``.

    output_w: DC output of all supplies together.
    live: supplies alive.
    rating_w: rated output of one supply.

    Raises
    ------
    ZeroDivisionError
        When no supply is alive.
    """
    return output_w / (live * rating_w)


@equation(r"\eta", r"\eta_0 + (\eta_1 - \eta_0) \frac{x - x_0}{x_1 - x_0}", DERIVED)
def supply_efficiency(
    load: Fraction,
    load_low: Fraction,
    load_high: Fraction,
    efficiency_low: Fraction,
    efficiency_high: Fraction,
) -> Fraction:
    """Return the efficiency at `load`, linear between two points of a published curve.

    load: load fraction of one supply.
    load_low, load_high: the curve points on either side of it.
    efficiency_low, efficiency_high: efficiencies there.
    """
    slope = (efficiency_high - efficiency_low) / (load_high - load_low)
    return efficiency_low + slope * (load - load_low)


@equation(r"P_v", r"P_{DC} \left(\frac{1}{\eta} - 1\right)", _EFFICIENCY_DEFINITION)
def supply_loss(output_w: ActivePower, efficiency: Fraction) -> ActivePower:
    """Return the loss of supplies that deliver `output_w` at `efficiency`.

    The input is the output over the efficiency; the loss is the difference of the two.

    output_w: DC output.
    efficiency: DC output over AC input.
    """
    return output_w * (1.0 / efficiency - 1.0)


@equation(r"P_{v0}", r"n \, P_r \, x_0 \left(\frac{1}{\eta_0} - 1\right)", DERIVED)
def light_load_loss(
    live: Count, rating_w: ActivePower, load_low: Fraction, efficiency_low: Fraction
) -> ActivePower:
    """Return the loss below the lowest point of a curve: the loss at that point.

    The loss of a supply rises with its load, so its value at the lowest known point is an upper
    bound for everything below.

    live: supplies alive.
    rating_w: rated output of one supply.
    load_low, efficiency_low: lowest point of the curve.
    """
    return live * rating_w * load_low * (1.0 / efficiency_low - 1.0)


@equation(
    "x",
    r"\frac{a (\eta_0 - s x_0)}{1 - a s},\ a = \frac{P_{AC}}{n P_r},"
    r"\ s = \frac{\eta_1 - \eta_0}{x_1 - x_0}",
    DERIVED,
)
def supply_load_of_input(
    input_w: ActivePower,
    live: Count,
    rating_w: ActivePower,
    load_low: Fraction,
    load_high: Fraction,
    efficiency_low: Fraction,
    efficiency_high: Fraction,
) -> Fraction:
    """Return the load of each supply when the AC input is known, on one segment of the curve.

    With ``a = P_AC / (n P_r)`` and the efficiency linear in the load, ``x = a (eta_0 + s (x -
    x_0))``; solved for ``x`` without iteration.

    input_w: AC input of all supplies together.
    live: supplies alive.
    rating_w: rated output of one supply.
    load_low, load_high, efficiency_low, efficiency_high: the segment of the curve the load lies in.
    """
    share = input_w / (live * rating_w)
    slope = (efficiency_high - efficiency_low) / (load_high - load_low)
    return share * (efficiency_low - slope * load_low) / (1.0 - share * slope)


def curve_segment(curve: Curve, load: float) -> tuple[float, float, float, float]:
    """Return (load_low, load_high, efficiency_low, efficiency_high) of the curve around `load`.

    Above the last point both efficiencies are those of the last point.
    """
    if len(curve) == 1 or load >= curve[-1][0]:
        last, efficiency = curve[-1]
        return last, last + 1.0, efficiency, efficiency
    upper = max(1, bisect_right([point[0] for point in curve], load))
    (load_low, efficiency_low), (load_high, efficiency_high) = curve[upper - 1], curve[upper]
    return load_low, load_high, efficiency_low, efficiency_high


def loss_of_output(output_w: float, live: int, rating_w: float, curve: Curve) -> float:
    """Return the loss of `live` equal supplies with the efficiency `curve` at a DC output [W]."""
    load = float(supply_load.si(output_w, live, rating_w))
    if load < curve[0][0]:
        return float(light_load_loss.si(live, rating_w, *curve[0]))
    return float(supply_loss.si(output_w, supply_efficiency.si(load, *curve_segment(curve, load))))


def loss_of_input(input_w: float, live: int, rating_w: float, curve: Curve) -> float:
    """Return the loss of `live` equal supplies with the efficiency `curve` at an AC input [W].

    Each segment of the curve is solved exactly; the input rises with the load, so the segment is
    the one whose ends enclose the input. An input below the light-load loss is all loss.
    """
    lowest, efficiency = curve[0]
    standing = float(light_load_loss.si(live, rating_w, lowest, efficiency))
    share = input_w / (live * rating_w)
    if share <= lowest / efficiency:
        return min(input_w, standing)
    edge = max((load for load, eta in curve if load / eta <= share), default=lowest)
    load = supply_load_of_input.si(input_w, live, rating_w, *curve_segment(curve, edge))
    return float(input_w - load * live * rating_w)
