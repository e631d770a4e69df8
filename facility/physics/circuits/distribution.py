"""Power divided between sources, and lost in conductors on its way."""

from __future__ import annotations

from typing import Any

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation("s'", r"\frac{s}{1 - s_l}", "fraction", DERIVED, share="fraction", lost="fraction")
def share_after_loss(share: float, lost: float) -> float:
    """Return the part of a load that a source carries when another one is lost.

    A load shared by several sources keeps its power; the sources left share it in the proportion
    they had, so each part grows by the reciprocal of what is left.

    Parameters
    ----------
    share : float
        Part that the source carries normally.
    lost : float
        Part that the lost source carried; below 1.
    """
    return share / (1.0 - lost)


@equation("P_g", r"(1 + g)\,P", "active_power", DERIVED, load_w="active_power", growth="fraction")
def with_growth(load_w: Any, growth: float) -> Any:
    """Return a load with the growth that shared plant is kept spare for.

    Parameters
    ----------
    load_w : float or ndarray
        Load of today [W].
    growth : float
        Growth over load.
    """
    return (1.0 + growth) * load_w


@equation("P_i", r"s\,P", "active_power", DERIVED, load_w="active_power", share="fraction")
def shared_power(load_w: Any, share: float) -> Any:
    """Return the active power of the part of a load that one source carries.

    Parameters
    ----------
    load_w : float or ndarray
        Whole load [W].
    share : float
        Part of it on the source.
    """
    return load_w * share


@equation("S_i", r"s\,S", "apparent_power", DERIVED, load_va="apparent_power", share="fraction")
def shared_apparent(load_va: Any, share: float) -> Any:
    """Return the apparent power of the part of a load that one source carries.

    Parameters
    ----------
    load_va : float or ndarray
        Whole load [VA].
    share : float
        Part of it on the source.
    """
    return load_va * share


@equation(
    "S",
    r"\sqrt{P^2 + Q^2}",
    "apparent_power",
    DERIVED,
    power_w="active_power",
    reactive_var="reactive_power",
)
def apparent_of_parts(power_w: Any, reactive_var: Any) -> Any:
    """Return the apparent power of an active and a reactive power, which are in quadrature.

    Parameters
    ----------
    power_w : float or ndarray
        Active power [W].
    reactive_var : float or ndarray
        Reactive power [var].
    """
    return (power_w * power_w + reactive_var * reactive_var) ** 0.5


@equation(
    "Q",
    r"\sqrt{S^2 - P^2}",
    "reactive_power",
    DERIVED,
    apparent_va="apparent_power",
    power_w="active_power",
)
def reactive_of_parts(apparent_va: Any, power_w: Any) -> Any:
    """Return the reactive power of a load known by apparent and active power, taken as lagging.

    Parameters
    ----------
    apparent_va : float or ndarray
        Apparent power [VA], not below `power_w`.
    power_w : float or ndarray
        Active power [W].
    """
    return abs(apparent_va * apparent_va - power_w * power_w) ** 0.5


@equation(
    "P_l",
    r"f\,P_r\left(\frac{P}{P_r}\right)^2",
    "active_power",
    DERIVED,
    load_w="active_power",
    reference_w="active_power",
    fraction="fraction",
)
def conductor_loss(load_w: Any, reference_w: float, fraction: float) -> Any:
    """Return the loss of conductors that lose a known fraction of a reference load.

    Resistance and voltage are fixed, so the loss goes with the square of the load.

    Parameters
    ----------
    load_w : float or ndarray
        Load [W].
    reference_w : float
        Load at which the fraction is lost [W].
    fraction : float
        Loss over load there.
    """
    return fraction * load_w * load_w / reference_w
