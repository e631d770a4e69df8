"""Loads of the building: lights by share of the IT load or by floor area."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation("P", r"f \, P_{IT}", "active_power", DERIVED, load_w="active_power", share="fraction")
def share_of_load(load_w: float, share: float) -> float:
    """Return a load stated as a part of another one.

    Parameters
    ----------
    load_w : float
        Load that the share refers to [W].
    share : float
        Part of it, as a fraction.
    """
    return share * load_w


@equation("P", r"p \, A", "active_power", DERIVED, density_w_m2="power_density", area_m2="area")
def load_on_area(density_w_m2: float, area_m2: float) -> float:
    """Return a load stated per floor area.

    Parameters
    ----------
    density_w_m2 : float
        Power per floor area [W/m2].
    area_m2 : float
        Floor area [m2].
    """
    return density_w_m2 * area_m2
