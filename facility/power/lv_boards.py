"""LV boards: one for each output bus of a UPS system, with the transformers of its lineup."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.model.facility import Criteria
from facility.physics.circuits import three_phase_current
from facility.power.chain_results import ChainFlow
from facility.power.chain_types import ChainDesign

_BOARD = Rule(
    "LV-BOARD-BUS", "current of one LV board", Severity.WARNING,
    Source("nec-240-6", "largest standard rating; IEC: largest air circuit breaker"),
    "Split each system into several lineups with their own board and transformers:"
    " power.ups.buses.",
)  # fmt: skip


def largest_breaker_a(code: str) -> float:
    """Return the largest rating of an LV main breaker in the tables of `code` [A]."""
    if code == "NEC":
        return max(row.si("rating_a") for row in table("electrical/nec_240_6_standard_ocpd").rows)
    rows = table("electrical/iec_breaker_ratings").rows
    return max(row.si("rated_current_a") for row in rows)


def listed_for_full_load(limit_a: float, factor: float) -> str:
    """Return the limit in words: a breaker that is not listed for 100 % carries less."""
    words = f"largest breaker {limit_a:,.0f} A"
    if factor > 1.0:
        words += f" listed for 100 %; one that is not carries {limit_a / factor:,.0f} A"
    return words


def board_check(design: ChainDesign, flow: ChainFlow, criteria: Criteria) -> Check:
    """Return the check of the current of one LV board against the largest breaker.

    Parameters
    ----------
    design : ChainDesign
        The chain; a system has as many boards as its UPS has output buses.
    flow : ChainFlow
        The chain under the load with growth.
    criteria : Criteria
        Code, and the factor on continuous load.
    """
    buses, scheme = design.ups.buses, design.chain.scheme
    limit_a = largest_breaker_a(criteria.code)
    current_a = float(
        three_phase_current.si(
            flow.board_va_worst * design.chain.unevenness / buses,
            design.chain.wiring.lv_voltage_v,
        )
    )
    boards = buses * len(scheme.systems)
    why = (
        f"{current_a:,.0f} A on one of {boards} LV boards in the worst designed state;"
        f" {listed_for_full_load(limit_a, criteria.continuous_factor)}"
    )
    return _BOARD.compare(f"LV board {scheme.name}", current_a, "<=", limit_a, "current", why)
