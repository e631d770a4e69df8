"""Cases of panels: currents and volt-amperes of the phases are two things."""

from __future__ import annotations

from facility.power.panels.board.model import Panel
from facility.power.panels.design.checks import check_panel
from facility.study.verification.power.panel_cases import NEC
from tests.hand.registry import case
from tests.power.panels.helpers import load, panel


def _two_pairs() -> Panel:
    """Return a panel with equal loads between A and B and between B and C."""
    return panel(load("ab", 2, 10e3, position=1), load("bc", 2, 10e3, position=9))


@case("panel-imbalance-of-currents")
def _() -> float:
    found = check_panel(_two_pairs(), NEC)
    return next(float(c.value or 0.0) for c in found if c.rule == "PANEL-IMBALANCE")


@case("branch-load-of-the-fullest-circuit")
def _() -> float:
    """Two single-pole circuits, the second twice the first."""
    one = load("a", 1, 1200.0, position=1, breaker_a=30.0)
    two = load("b", 1, 2400.0, position=3, breaker_a=30.0)
    found = check_panel(panel(one, two), NEC)
    return next(float(c.value or 0.0) for c in found if c.rule == "BRANCH-LOAD")
