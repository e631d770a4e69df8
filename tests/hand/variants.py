"""Cases of the variants of a design: part load, growth, altitude, buses, spares."""

from __future__ import annotations

from tests.hand.power import SMALL
from tests.hand.registry import case
from tests.study.helpers import design_of


@case("estimate-at-the-load-factor")
def _() -> float:
    """Loss of the branches, square in the current, over the IT load at its full."""
    found = design_of(SMALL, "it.load_factor=50 %")
    assert found.estimate is not None
    return float(found.estimate.point.flow.part("branch").loss_w / found.it.it_w)
