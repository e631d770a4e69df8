"""Demand of equal loads, and where their power goes."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation(
    "P",
    r"n \, P_1 \, g \, d",
    "active_power",
    DERIVED,
    count="count",
    unit_w="active_power",
    demand_factor="fraction",
    diversity="fraction",
)
def group_demand(count: float, unit_w: float, demand_factor: float, diversity: float) -> float:
    """Return the demand of `count` equal loads.

    The demand factor is the part of its basis power that one load draws at most; the diversity
    the part of the sum of those maxima that occurs at one time. Synchronous training runs every
    server of a job through the same step at once, so its diversity is 1.

    Parameters
    ----------
    count : int
        Equal loads.
    unit_w : float
        Power of one on the chosen basis [W].
    demand_factor, diversity : float
        Fractions.
    """
    return count * unit_w * demand_factor * diversity


@equation(
    "P_{liq}",
    r"f \, P",
    "heat_flow",
    DERIVED,
    input_w="active_power",
    liquid_fraction="fraction",
)
def heat_to_liquid(input_w: float, liquid_fraction: float) -> float:
    """Return the part of an electrical input that leaves as heat in the coolant.

    All electrical input of IT equipment ends as heat; the published split says how much of it
    the cold plates take.

    Parameters
    ----------
    input_w : float
        Electrical input [W].
    liquid_fraction : float
        Part taken by the coolant.
    """
    return liquid_fraction * input_w


@equation(
    "P_{air}",
    r"P - P_{liq}",
    "heat_flow",
    DERIVED,
    input_w="active_power",
    liquid_w="heat_flow",
)
def heat_to_air(input_w: float, liquid_w: float) -> float:
    """Return the rest of an electrical input, which leaves as heat in the air.

    Parameters
    ----------
    input_w : float
        Electrical input [W].
    liquid_w : float
        Heat in the coolant [W].
    """
    return input_w - liquid_w
