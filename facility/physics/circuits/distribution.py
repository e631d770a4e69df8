"""Power shared between sources, and losses in conductors."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import ActivePower, ApparentPower, Fraction, ReactivePower
from facility.core.sources import DERIVED


@equation("s'", r"\frac{s}{1 - s_l}", DERIVED)
def share_after_loss(share: Fraction, lost: Fraction) -> Fraction:
    """Return the share of a load on one source after the loss of another.

    A load shared by several sources keeps its power; the sources left share it in the proportion
    they had, so each part grows by the reciprocal of what is left.

    share: part that the source carries normally.
    lost: part that the lost source carried; below 1.
    """
    return share / (1.0 - lost)


@equation("P_g", r"(1 + g)\,P", DERIVED)
def with_growth(load_w: ActivePower, growth: Fraction) -> ActivePower:
    """Return a load with the growth that shared plant is kept spare for.

    load_w: of today.
    growth: over load.
    """
    return (1.0 + growth) * load_w


@equation("P_i", r"s\,P", DERIVED)
def shared_power(load_w: ActivePower, share: Fraction) -> ActivePower:
    """Return the active power of the load share on one source.

    load_w: whole load.
    share: part of it on the source.
    """
    return load_w * share


@equation("S_i", r"s\,S", DERIVED)
def shared_apparent(load_va: ApparentPower, share: Fraction) -> ApparentPower:
    """Return the apparent power of the load share on one source.

    load_va: whole load.
    share: part of it on the source.
    """
    return load_va * share


@equation("S", r"\sqrt{P^2 + Q^2}", DERIVED, excel="SQRT({power_w}^2+{reactive_var}^2)")
def apparent_of_parts(power_w: ActivePower, reactive_var: ReactivePower) -> ApparentPower:
    """Return the apparent power of an active and a reactive power, which are in quadrature."""
    return (power_w * power_w + reactive_var * reactive_var) ** 0.5


@equation("Q", r"\sqrt{S^2 - P^2}", DERIVED, excel="SQRT(ABS({apparent_va}^2-{power_w}^2))")
def reactive_of_parts(apparent_va: ApparentPower, power_w: ActivePower) -> ReactivePower:
    """Return the reactive power of a load from apparent and active power, assumed lagging.

    apparent_va: apparent power, not below `power_w`.
    """
    square = abs(apparent_va * apparent_va - power_w * power_w)
    return square**0.5  # type: ignore[operator]  # abs has no type for number or array


@equation(
    "P_l",
    r"f\,P_r\left(\frac{P}{P_r}\right)^2",
    DERIVED,
    excel="{fraction}*{load_w}^2/{reference_w}",
)
def conductor_loss(
    load_w: ActivePower, reference_w: ActivePower, fraction: Fraction
) -> ActivePower:
    """Return the loss of conductors that lose a known fraction of a reference load.

    Resistance and voltage are fixed, so the loss goes with the square of the load.

    reference_w: load at which the fraction is lost.
    fraction: loss over load there.
    """
    return fraction * load_w * load_w / reference_w
