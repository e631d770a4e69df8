"""Transformers: rated current, losses against load, reactive power, short-circuit current."""

from __future__ import annotations

import math
from typing import Any

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source

_DOE = Source("doe-10-cfr-431-196", "efficiency at a stated fraction of the nameplate load")
_REGULATION = Source("transformer-regulation-page", "to the second order")
_SQRT3 = math.sqrt(3.0)


@equation(
    "P_l",
    r"n\left(P_0 + x^2 P_k\right),\quad x = \frac{S}{n\,S_r}",
    "active_power",
    DERIVED,
    load_va="apparent_power",
    units="count",
    rating_va="apparent_power",
    no_load_w="active_power",
    load_loss_w="active_power",
    excel="{units}*({no_load_w}+({load_va}/({units}*{rating_va}))^2*{load_loss_w})",
)
def transformer_loss(
    load_va: Any, units: float, rating_va: float, no_load_w: float, load_loss_w: float
) -> Any:
    """Return the loss of `units` equal transformers that share a load.

    The core loss `no_load_w` is there whenever a transformer is energised; the winding loss goes
    with the square of the current and is `load_loss_w` at rated load. Both per transformer.

    Parameters
    ----------
    load_va : float or ndarray
        Load of all transformers together [VA].
    units : int
        Transformers in service.
    rating_va : float
        Rating of one [VA].
    no_load_w, load_loss_w : float
        Losses of one: energised, and of the winding at rated load [W].
    """
    x = load_va / (units * rating_va)
    return units * (no_load_w + x * x * load_loss_w)


@equation(
    r"\eta",
    r"\frac{x S_r \cos\varphi}{x S_r \cos\varphi + P_0 + x^2 P_k}",
    "fraction",
    DERIVED,
    load_fraction="fraction",
    rating_va="apparent_power",
    power_factor="ratio",
    no_load_w="active_power",
    load_loss_w="active_power",
)
def transformer_efficiency(
    load_fraction: float,
    rating_va: float,
    power_factor: float,
    no_load_w: float,
    load_loss_w: float,
) -> float:
    """Return the efficiency of one transformer: output over output and losses.

    Parameters
    ----------
    load_fraction : float
        Load over rating.
    rating_va : float
        Rating [VA].
    power_factor : float
        Power factor of the load.
    no_load_w, load_loss_w : float
        No-load loss, and load loss at rated load [W].
    """
    output = load_fraction * rating_va * power_factor
    return output / (output + no_load_w + load_fraction * load_fraction * load_loss_w)


@equation(
    r"x_m",
    r"\sqrt{\frac{P_0}{P_k}}",
    "fraction",
    DERIVED,
    no_load_w="active_power",
    load_loss_w="active_power",
)
def best_load(no_load_w: Any, load_loss_w: Any) -> Any:
    r"""Return the load fraction at which the efficiency is highest.

    The loss per unit of output, :math:`P_0/x + x P_k`, is least where both terms are equal.

    Parameters
    ----------
    no_load_w, load_loss_w : float
        No-load loss, and load loss at rated load [W].
    """
    return (no_load_w / load_loss_w) ** 0.5


@equation(
    "(P_0, P_k)",
    r"\left(\frac{P_l}{2}, \frac{P_l}{2x^2}\right),\quad P_l = x S_r\left(\frac{1}{\eta}-1\right)",
    ("active_power", "active_power"),
    _DOE,
    rating_va="apparent_power",
    load_fraction="fraction",
    efficiency="fraction",
)
def losses_of_efficiency(
    rating_va: float, load_fraction: float, efficiency: float
) -> tuple[float, float]:
    """Return no-load loss and load loss of a transformer known by one efficiency.

    An efficiency rule states one point, at unity power factor and the load where the transformer
    is expected to work. The total loss there is split evenly between core and winding, which puts
    the highest efficiency at that point, as a transformer designed to the rule has it.

    Parameters
    ----------
    rating_va : float
        Rating [VA].
    load_fraction : float
        Load over rating at which the efficiency is stated.
    efficiency : float
        Output over input there.

    Returns
    -------
    tuple of float
        No-load loss, and load loss at rated load [W].
    """
    total = load_fraction * rating_va * (1.0 / efficiency - 1.0)
    return total / 2.0, total / (2.0 * load_fraction * load_fraction)


@equation(
    "Q_l",
    r"n\,S_r\,x^2\sqrt{z^2 - \left(\frac{P_k}{S_r}\right)^2},\quad x = \frac{S}{n\,S_r}",
    "reactive_power",
    DERIVED,
    load_va="apparent_power",
    units="count",
    rating_va="apparent_power",
    load_loss_w="active_power",
    impedance="fraction",
    excel="{units}*{rating_va}*({load_va}/({units}*{rating_va}))^2"
    "*SQRT({impedance}^2-({load_loss_w}/{rating_va})^2)",
)
def transformer_reactive(
    load_va: Any, units: float, rating_va: float, load_loss_w: float, impedance: float
) -> Any:
    r"""Return the reactive power of the leakage reactance of equal transformers sharing a load.

    The reactance is what is left of the impedance after the resistance :math:`P_k/S_r`. The
    magnetising part, a few tenths of a percent of the rating, is not included.

    Parameters
    ----------
    load_va : float or ndarray
        Load of all transformers together [VA].
    units : int
        Transformers in service.
    rating_va : float
        Rating of one [VA].
    load_loss_w : float
        Load loss of one at rated load [W].
    impedance : float
        Impedance as a fraction of the rated one.
    """
    x = load_va / (units * rating_va)
    resistance = load_loss_w / rating_va
    return units * rating_va * x * x * (impedance * impedance - resistance * resistance) ** 0.5


@equation(
    r"\Delta u",
    r"x\left(r\cos\varphi + x_s\sin\varphi\right)"
    r" + \frac{x^2}{2}\left(x_s\cos\varphi - r\sin\varphi\right)^2,\quad x_s = \sqrt{z^2 - r^2}",
    "fraction",
    _REGULATION,
    load_fraction="fraction",
    resistance="fraction",
    impedance="fraction",
    power_factor="ratio",
)
def voltage_regulation(
    load_fraction: Any, resistance: Any, impedance: Any, power_factor: Any
) -> Any:
    """Return the fall of the secondary voltage from no load, primary voltage held, lagging load.

    The first term is the part of the drop along the voltage, the second what the part across it
    adds, to second order.

    Parameters
    ----------
    load_fraction : float or ndarray
        Load over rating.
    resistance : float or ndarray
        Load loss at rating over rating.
    impedance : float or ndarray
        Impedance as a fraction of the rated one.
    power_factor : float or ndarray
        Power factor of the load, lagging.
    """
    reactance = (impedance * impedance - resistance * resistance) ** 0.5
    sine = (1.0 - power_factor * power_factor) ** 0.5
    along = resistance * power_factor + reactance * sine
    across = reactance * power_factor - resistance * sine
    return load_fraction * along + (load_fraction * across) ** 2 / 2.0


@equation(
    "I_k",
    r"\frac{S_r}{\sqrt{3}\,U\,z}\,t",
    "current",
    Source("bussmann-c-values", "transformer secondary with an infinite primary"),
    rating_va="apparent_power",
    voltage_v="line_voltage",
    impedance="fraction",
    tolerance="ratio",
)
def secondary_fault_current(
    rating_va: float, voltage_v: float, impedance: float, tolerance: float
) -> float:
    """Return the three-phase short-circuit current behind one transformer, infinite primary.

    `tolerance` multiplies the current: 1.0 for the nameplate impedance, 1/0.9 or 1/0.925 for the
    least impedance that the tolerance of the standard allows.

    Parameters
    ----------
    rating_va : float
        Rating [VA].
    voltage_v : float
        Secondary voltage, line to line [V].
    impedance : float
        Impedance as a fraction of the rated one.
    tolerance : float
        Factor on the current.
    """
    return rating_va / (_SQRT3 * voltage_v * impedance) * tolerance


@equation(
    "I_k",
    r"\frac{U}{\sqrt{3}\left(z\,U^2/S_r + U^2/S_k\right)}",
    "current",
    DERIVED,
    rating_va="apparent_power",
    voltage_v="line_voltage",
    impedance="fraction",
    source_va="apparent_power",
)
def fault_current_behind(
    rating_va: float, voltage_v: float, impedance: float, source_va: float
) -> float:
    """Return the three-phase short-circuit current behind one transformer on a real network.

    The impedances of transformer and network, both at the secondary voltage, are added as
    magnitudes; the true sum is a little smaller where their angles differ, the current larger.

    Parameters
    ----------
    rating_va : float
        Rating [VA].
    voltage_v : float
        Secondary voltage, line to line [V].
    impedance : float
        Impedance as a fraction of the rated one.
    source_va : float
        Short-circuit power of the network at the primary [VA].
    """
    square = voltage_v * voltage_v
    return voltage_v / (_SQRT3 * (impedance * square / rating_va + square / source_va))
