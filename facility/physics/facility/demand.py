"""Demand of equal loads, and its split between air and coolant."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import ActivePower, Count, Fraction, HeatFlow
from facility.core.sources import DERIVED


@equation("P", r"n \, P_1 \, g \, d", DERIVED)
def group_demand(
    count: Count, unit_w: ActivePower, demand_factor: Fraction, diversity: Fraction
) -> ActivePower:
    """Return the demand of `count` equal loads.

    The demand factor is the part of its basis power that one load draws at most; the diversity
    the part of the sum of those maxima that occurs at one time. Synchronous training runs every
    server of a job through the same step at once, so its diversity is 1.

    count: equal loads.
    unit_w: power of one on the chosen basis.
    """
    return count * unit_w * demand_factor * diversity


@equation("P_{liq}", r"f \, P", DERIVED)
def heat_to_liquid(input_w: ActivePower, liquid_fraction: Fraction) -> HeatFlow:
    """Return the share of an electrical input rejected to the coolant.

    All electrical input of IT equipment ends as heat; the published split says how much of it
    the cold plates take.

    input_w: electrical input.
    liquid_fraction: part taken by the coolant.
    """
    return liquid_fraction * input_w


@equation("P_{air}", r"P - P_{liq}", DERIVED)
def heat_to_air(input_w: ActivePower, liquid_w: HeatFlow) -> HeatFlow:
    """Return the share of an electrical input rejected to the air.

    input_w: electrical input.
    liquid_w: heat in the coolant.
    """
    return input_w - liquid_w
