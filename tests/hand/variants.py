"""Cases of the variants of a design: part load, growth, altitude, buses, spares."""

from __future__ import annotations

from tests.hand.power import SMALL
from tests.hand.registry import case
from tests.study.helpers import design_of, reference

_NOWHERE = (
    "site.station=",
    "site.place=Somewhere",
    "site.design_dry_bulb=40 degC",
    "site.design_wet_bulb=26 degC",
    "site.mean_dry_bulb=14 degC",
    "site.mean_wet_bulb=10 degC",
)
"""A place whose hours nobody knows."""


@case("estimate-at-the-load-factor")
def _() -> float:
    """Loss of the branches, square in the current, over the IT load at its full."""
    found = design_of(SMALL, "it.load_factor=50 %")
    assert found.mean is not None
    return float(found.mean.flow.part("branch").loss_w / found.it.it_w)


@case("pue-of-the-estimate")
def _() -> float:
    """The PUE over what the operating point adds up to at the load factor, 76 % here."""
    found = reference("dgx-su-32", *_NOWHERE)
    assert found.estimate is not None
    point = found.estimate
    parts_w = point.flow.losses_w + point.cooling.power.total_w + 0.001 * found.it.it_w + 3840.0
    return float(found.results["pue.estimate"].si) / (1.0 + parts_w / (0.76 * found.it.it_w))
