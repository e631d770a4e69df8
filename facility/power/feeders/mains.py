"""The largest main that a transformer permits on its secondary."""

from __future__ import annotations

from facility.core.sources import Source
from facility.physics.circuits.currents import three_phase_current
from facility.power.feeders.nec.transformer import protect_transformer
from facility.power.network.graph.types import Equipment
from facility.power.panels.board.breakers import standard_breakers

FULL = 1.25
"""Device over the rated current that practice under the IEC permits."""
BY_PRACTICE = Source(
    "planning-rule",
    "device of at most 125 % of the rated current, or the next"
    " standard rating; IEC 60364-4-43 has no figure",
    verified="memory",
)
_BAND = 0.06
"""Impedance whose row of 450.3(A) is read: that of secondaries to 1000 V is the same in all."""


def units_va(one: Equipment, runs: int = 1) -> float:
    """Return the rating of the units of a transformer that one circuit leaves [VA].

    runs: Equal circuits in parallel: as many as units where each has its own.
    """
    return float(one.rating_va or 0.0) * len(one.unit_tags) / runs


def next_rating(least_a: float) -> float:
    """Return the standard rating of the IEC not below a current; that above the largest [A]."""
    ratings = standard_breakers("IEC", "")
    return min((rating for rating in ratings if rating >= least_a), default=least_a)


def rated_current(one: Equipment, runs: int) -> float:
    """Return the secondary current of what one circuit leaves, at its rating [A]: `units_va`."""
    return float(three_phase_current.si(units_va(one, runs), one.voltage_v))


def largest_main(
    one: Equipment, runs: int, primary_v: float, code: str, edition: str
) -> tuple[float, Source]:
    """Return the largest device of one secondary circuit of an MV/LV transformer [A], by what.

    NEC 450.3(A) in a supervised location; 125 % or the next standard rating under the IEC.
    """
    rated_a = rated_current(one, runs)
    if code != "NEC":
        return next_rating(FULL * rated_a), BY_PRACTICE
    voltages = primary_v, one.voltage_v
    found = protect_transformer(units_va(one, runs), *voltages, edition, impedance=_BAND)
    source = Source("nec-450-3", "450.3(A), supervised location", edition)
    return float(found.secondary_max_a or rated_a), source


def largest_standard(most_a: float, code: str, edition: str) -> float:
    """Return the largest standard rating not above a current [A]; 0 below the least."""
    return max((a for a in standard_breakers(code, edition) if a <= most_a), default=0.0)
