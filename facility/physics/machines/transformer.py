"""Transformers: rated current, losses against load, reactive power, short-circuit current."""

from __future__ import annotations

import math

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    ApparentPower,
    Count,
    Current,
    Fraction,
    LineVoltage,
    Ratio,
    ReactivePower,
)
from facility.core.sources import DERIVED, Source

_DOE = Source("doe-10-cfr-431-196", "efficiency at a stated fraction of the nameplate load")
_EU = Source("eu-548-2014", "annex II, peak efficiency index")
_REGULATION = Source("transformer-regulation-page", "to the second order")
_SQRT3 = math.sqrt(3.0)


@equation(
    "P_l",
    r"n\left(P_0 + x^2 P_k\right),\quad x = \frac{S}{n\,S_r}",
    DERIVED,
    excel="{units}*({no_load_w}+({load_va}/({units}*{rating_va}))^2*{load_loss_w})",
)
def transformer_loss(
    load_va: ApparentPower,
    units: Count,
    rating_va: ApparentPower,
    no_load_w: ActivePower,
    load_loss_w: ActivePower,
) -> ActivePower:
    """Return the loss of `units` equal transformers that share a load.

    The core loss `no_load_w` is there whenever a transformer is energised; the winding loss goes
    with the square of the current and is `load_loss_w` at rated load. Both per transformer.

    load_va: of all transformers together.
    units: transformers in service.
    rating_va: of one.
    no_load_w, load_loss_w: losses of one: energised, and of the winding at rated load.
    """
    x = load_va / (units * rating_va)
    return units * (no_load_w + x * x * load_loss_w)


@equation(
    r"\eta",
    r"\frac{x S_r \cos\varphi}{x S_r \cos\varphi + P_0 + x^2 P_k}",
    DERIVED,
    excel="{load_fraction}*{rating_va}*{power_factor}/({load_fraction}*{rating_va}*{power_factor}"
    "+{no_load_w}+{load_fraction}^2*{load_loss_w})",
)
def transformer_efficiency(
    load_fraction: Fraction,
    rating_va: ApparentPower,
    power_factor: Ratio,
    no_load_w: ActivePower,
    load_loss_w: ActivePower,
) -> Fraction:
    """Return the efficiency of one transformer: output / (output + losses).

    load_fraction: load over rating.
    no_load_w, load_loss_w: no-load loss, and load loss at rated load.
    """
    output = load_fraction * rating_va * power_factor
    return output / (output + no_load_w + load_fraction * load_fraction * load_loss_w)


@equation(
    "(P_0, P_k)",
    r"\left(\frac{P_l}{2}, \frac{P_l}{2x^2}\right),\quad P_l = x S_r\left(\frac{1}{\eta}-1\right)",
    _DOE,
)
def losses_of_efficiency(
    rating_va: ApparentPower, load_fraction: Fraction, efficiency: Fraction
) -> tuple[ActivePower, ActivePower]:
    """Return no-load loss and load loss of a transformer from one efficiency.

    An efficiency rule states one point, at unity power factor and the load where the transformer
    is expected to work. The total loss there is split evenly between core and winding, which puts
    the highest efficiency at that point, as a transformer designed to the rule has it.

    load_fraction: load over rating at which the efficiency is stated.
    efficiency: output over input there.
    returns: no-load loss, and load loss at rated load.
    """
    total = load_fraction * rating_va * (1.0 / efficiency - 1.0)
    return total / 2.0, total / (2.0 * load_fraction * load_fraction)


@equation(r"\eta_p", r"1 - \frac{2\sqrt{P_0 P_k}}{S_r}", _EU)
def peak_efficiency(
    rating_va: ApparentPower, no_load_w: ActivePower, load_loss_w: ActivePower
) -> Fraction:
    """Return the peak efficiency index: the highest efficiency, at unity power factor.

    At the `best_load` no-load loss and load loss are equal; cooling takes no power.

    no_load_w, load_loss_w: no-load loss, and load loss at rated load.
    """
    product = no_load_w * load_loss_w
    return 1.0 - 2.0 * product**0.5 / rating_va


@equation("(P_0, P_k)", r"\frac{(1 - \eta_p) S_r}{2}\left(\frac{1}{\sqrt r}, \sqrt r\right)", _EU)
def losses_of_peak_efficiency(
    rating_va: ApparentPower, peak: Fraction, split: Ratio
) -> tuple[ActivePower, ActivePower]:
    """Return no-load loss and load loss of a transformer from its `peak_efficiency`.

    peak: peak efficiency index.
    split: load loss at the rating over no-load loss.
    returns: no-load loss, and load loss at rated load.
    """
    half = (1.0 - peak) * rating_va / 2.0
    return half / split**0.5, half * split**0.5


@equation(
    "Q_l",
    r"n\,S_r\,x^2\sqrt{z^2 - \left(\frac{P_k}{S_r}\right)^2},\quad x = \frac{S}{n\,S_r}",
    DERIVED,
    excel="{units}*{rating_va}*({load_va}/({units}*{rating_va}))^2"
    "*SQRT({impedance}^2-({load_loss_w}/{rating_va})^2)",
)
def transformer_reactive(
    load_va: ApparentPower,
    units: Count,
    rating_va: ApparentPower,
    load_loss_w: ActivePower,
    impedance: Fraction,
) -> ReactivePower:
    """Return the reactive power of the leakage reactance of equal transformers sharing a load.

    The reactance is what is left of the impedance after the resistance :math:`P_k/S_r`. The
    magnetising part, a few tenths of a percent of the rating, is not included.

    load_va: of all transformers together.
    units: transformers in service.
    rating_va: of one.
    load_loss_w: of one at rated load.
    impedance: as a fraction of the rated one.
    """
    x = load_va / (units * rating_va)
    resistance = load_loss_w / rating_va
    return units * rating_va * x * x * (impedance * impedance - resistance * resistance) ** 0.5


@equation(
    r"\Delta u",
    r"x\left(r\cos\varphi + x_s\sin\varphi\right)"
    r" + \frac{x^2}{2}\left(x_s\cos\varphi - r\sin\varphi\right)^2,\quad x_s = \sqrt{z^2 - r^2}",
    _REGULATION,
    excel="{load_fraction}*({resistance}*{power_factor}+SQRT({impedance}^2-{resistance}^2)"
    "*SQRT(1-{power_factor}^2))+({load_fraction}*(SQRT({impedance}^2-{resistance}^2)"
    "*{power_factor}-{resistance}*SQRT(1-{power_factor}^2)))^2/2",
)
def voltage_regulation(
    load_fraction: Fraction, resistance: Fraction, impedance: Fraction, power_factor: Ratio
) -> Fraction:
    """Return the secondary voltage drop from no load, constant primary voltage, lagging load.

    The first term is the part of the drop along the voltage, the second what the part across it
    adds, to second order.

    load_fraction: load over rating.
    resistance: load loss at rating over rating.
    impedance: as a fraction of the rated one.
    power_factor: of the load, lagging.
    """
    reactance = (impedance * impedance - resistance * resistance) ** 0.5
    sine = (1.0 - power_factor * power_factor) ** 0.5
    along = resistance * power_factor + reactance * sine
    across = reactance * power_factor - resistance * sine
    return load_fraction * along + (load_fraction * across) ** 2 / 2.0


@equation(
    "I_k",
    r"\frac{S_r}{\sqrt{3}\,U\,z}\,t",
    Source("bussmann-c-values", "transformer secondary with an infinite primary"),
)
def secondary_fault_current(
    rating_va: ApparentPower, voltage_v: LineVoltage, impedance: Fraction, tolerance: Ratio
) -> Current:
    """Return the three-phase fault current downstream of one transformer, infinite primary.

    `tolerance` multiplies the current: 1.0 for the nameplate impedance, 1/0.9 or 1/0.925 for the
    minimum impedance within the tolerance of the standard.

    voltage_v: secondary voltage, line to line.
    impedance: as a fraction of the rated one.
    tolerance: factor on the current.
    """
    return rating_va / (_SQRT3 * voltage_v * impedance) * tolerance


@equation("I_k", r"\frac{U}{\sqrt{3}\left(z\,U^2/S_r + U^2/S_k\right)}", DERIVED)
def fault_current_downstream(
    rating_va: ApparentPower, voltage_v: LineVoltage, impedance: Fraction, source_va: ApparentPower
) -> Current:
    """Return the three-phase fault current downstream of one transformer, finite network.

    The impedances of transformer and network, both at the secondary voltage, are added as
    magnitudes; the true sum is a little smaller where their angles differ, the current larger.

    voltage_v: secondary voltage, line to line.
    impedance: as a fraction of the rated one.
    source_va: short-circuit power of the network at the primary.
    """
    square = voltage_v * voltage_v
    return voltage_v / (_SQRT3 * (impedance * square / rating_va + square / source_va))
