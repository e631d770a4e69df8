"""Loads of the building: lights by share of the IT load or by floor area."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import ActivePower, Area, Fraction, PowerDensity
from facility.core.sources import DERIVED


@equation("P", r"f \, P_{IT}", DERIVED)
def share_of_load(load_w: ActivePower, share: Fraction) -> ActivePower:
    """Return a load stated as a fraction of another load.

    load_w: that the share refers to.
    """
    return share * load_w


@equation("P", r"p \, A", DERIVED)
def load_on_area(density_w_m2: PowerDensity, area_m2: Area) -> ActivePower:
    """Return a load stated per floor area."""
    return density_w_m2 * area_m2
