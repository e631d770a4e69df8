"""LV boards: one for each output bus of a UPS system, with the transformers of its lineup."""

from __future__ import annotations

from facility.catalogue import table
from facility.catalogue.loader import per_catalogue
from facility.core.check import Check
from facility.model.facility import Criteria
from facility.model.power.chain import PowerChain
from facility.physics.circuits.currents import sizing_factor, three_phase_current
from facility.power.rules import RULES
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDesign


@per_catalogue(4)
def largest_breaker_a(code: str) -> float:
    """Return the largest rating of an LV main breaker in the tables of `code` [A]."""
    if code == "NEC":
        return max(row.si("rating_a") for row in table("electrical/nec_240_6_standard_ocpd").rows)
    rows = table("electrical/iec_breaker_ratings").rows
    return max(row.si("rated_current_a") for row in rows)


def carried_by_largest_breaker(chain: PowerChain, criteria: Criteria) -> tuple[float, str]:
    """Return the continuous load of the largest main breaker [A], and why.

    The load is defined as in `board_current`, at nominal voltage; constant power draws more at the
    lowest permitted voltage, which the continuous factor covers if it is larger.
    """
    limit_a = largest_breaker_a(criteria.code)
    whole = chain.panels.listed_100 or criteria.continuous_factor <= 1.0
    factor = 1.0 if whole else criteria.continuous_factor
    factor_at_drop = float(sizing_factor.si(factor, criteria.sized_drop))
    carried_a = limit_a / factor_at_drop
    if whole:
        return carried_a, (
            f"largest breaker {limit_a:,.0f} A, listed for 100 %: {carried_a:,.0f} A at nominal"
            f" voltage, for constant power at {1.0 - criteria.sized_drop:.0%} of it"
        )
    return carried_a, (
        f"largest breaker {limit_a:,.0f} A, {carried_a:,.0f} A continuous: 100 % listing not stated"
    )


def board_current(design: ChainDesign, flow: ChainFlow) -> float:
    """Return the current of the most loaded LV board over all designed states of a flow [A].

    At least the value with the UPS of its lineup at its rating.
    """
    worst_va = flow.board_va_worst * design.chain.unevenness / design.ups.buses
    board_va = max(worst_va, design.rated_board_va)
    return float(three_phase_current.si(board_va, design.chain.wiring.lv_voltage_v))


def board_check(design: ChainDesign, flow: ChainFlow, criteria: Criteria) -> Check:
    """Return the check of the LV board current vs. the largest breaker.

    design: Power chain; a system has one board per UPS output bus.
    flow: Power flow with growth.
    criteria: Code, and the continuous-load factor.
    """
    buses, scheme = design.ups.buses, design.chain.scheme
    limit_a, words = carried_by_largest_breaker(design.chain, criteria)
    current_a = board_current(design, flow)
    boards = buses * len(scheme.systems)
    why = (
        f"{current_a:,.0f} A on one of {boards} LV boards in the worst designed state, or with its"
        f" UPS at its rating; {words}"
    )
    return RULES["LV-BOARD-BUS"].at_most(
        f"LV board {scheme.name}", current_a, limit_a, "current", why
    )


def parallel_check(design: ChainDesign) -> Check:
    """Return the check of the duty transformers in parallel on one LV board."""
    buses = design.ups.buses
    spare, found = design.chain.transformer.spare, design.transformers.per_carrier // buses
    why = (
        f"{found} x {design.transformers.unit.rating_va / 1e3:,.0f} kVA on each LV board,"
        f" including {spare} spare; fault currents of parallel transformers add"
    )
    subject = f"LV board {design.chain.scheme.name}"
    return RULES["LV-BOARD-TRANSFORMERS"].at_most(subject, found, 1 + spare, "count", why)
