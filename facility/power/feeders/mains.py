"""Largest permitted main on a transformer secondary."""

from __future__ import annotations

from facility.core.sources import Source
from facility.physics.circuits.currents import three_phase_current
from facility.power.feeders.nec.transformer import protect_transformer
from facility.power.network.graph.types import Equipment
from facility.power.panels.board.breakers import standard_breakers

FULL = 1.25
"""Device rating / rated current permitted by practice under the IEC."""
BY_PRACTICE = Source(
    "planning-rule",
    "device of at most 125 % of the rated current, or the next"
    " standard rating; IEC 60364-4-43 states no limit",
    verified="memory",
)
_BAND = 0.06
"""Impedance of the row of 450.3(A): equal in all rows for secondaries up to 1000 V."""


def units_va(one: Equipment, runs: int = 1) -> float:
    """Return the rating of the transformer units connected to one circuit [VA].

    runs: Identical parallel circuits: as many as units if each unit has one.
    """
    return float(one.rating_va or 0.0) * len(one.unit_tags) / runs


def next_rating(min_a: float) -> float:
    """Return the IEC standard rating of at least a current; above the largest, the current [A]."""
    ratings = standard_breakers("IEC", "")
    return min((rating for rating in ratings if rating >= min_a), default=min_a)


def rated_current(one: Equipment, runs: int) -> float:
    """Return the rated secondary current of one circuit [A]: `units_va`."""
    return float(three_phase_current.si(units_va(one, runs), one.voltage_v))


def largest_main(
    one: Equipment, runs: int, primary_v: float, code: str, edition: str
) -> tuple[float, Source]:
    """Return the largest device of one MV/LV transformer secondary [A], with its source.

    NEC 450.3(A) in a supervised location; 125 % or the next standard rating under the IEC.
    """
    rated_a = rated_current(one, runs)
    if code != "NEC":
        return next_rating(FULL * rated_a), BY_PRACTICE
    voltages = primary_v, one.voltage_v
    found = protect_transformer(units_va(one, runs), *voltages, edition, impedance=_BAND)
    source = Source("nec-450-3", "450.3(A), supervised location", edition)
    return float(found.secondary_max_a or rated_a), source


def largest_standard(max_a: float, code: str, edition: str) -> float:
    """Return the largest standard rating of at most a current [A]; 0 below the lowest."""
    return max((a for a in standard_breakers(code, edition) if a <= max_a), default=0.0)
