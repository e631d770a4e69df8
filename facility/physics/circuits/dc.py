"""Direct-current distribution: resistance of bars and cables, current, loss, transferable power."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    Count,
    CrossSection,
    Current,
    DcVoltage,
    Fraction,
    Length,
    Resistance,
    Resistivity,
)
from facility.core.sources import DERIVED, Source

_TABLE_8 = Source("nec-chapter-9-table-8", "resistance per 1000 ft", "2017")


@equation(r"R", r"\frac{\rho L}{A}", DERIVED)
def bar_resistance(
    length_m: Length, area_m2: CrossSection, resistivity_ohm_m: Resistivity
) -> Resistance:
    """Return the DC resistance of one bar over its length, one way.

    Joints and taps are excluded: see the manufacturer's data.

    length_m: of one bar.
    area_m2: cross-section of one bar.
    resistivity_ohm_m: of the metal at its temperature.
    """
    return resistivity_ohm_m * length_m / area_m2


@equation(r"R", r"R_l \frac{L}{L_l\,n}", _TABLE_8)
def resistance_of_sets(
    listed_ohm: Resistance, listed_length_m: Length, length_m: Length, sets: Count
) -> Resistance:
    """Return the resistance of one pole of a feeder from a table of resistance per length.

    listed_ohm, listed_length_m: resistance of one conductor as the table lists it, and the length
        it is listed for: 0.0258 ohm for 1000 ft.
    length_m: of the feeder, one way.
    sets: conductors in parallel on the pole.
    """
    return listed_ohm * (length_m / listed_length_m) / sets


@equation("I", r"\frac{2P}{V + \sqrt{V^2 - 8 P R}}", DERIVED)
def constant_power_current(
    source_v: DcVoltage, load_w: ActivePower, resistance_ohm: Resistance
) -> Current:
    """Return the current of a load that draws constant power at the end of a two-wire circuit.

    The load sees V - 2 I R, out and back, so that P = I (V - 2 I R): a quadratic whose smaller
    root is the stable state. It is written with the root in the denominator, which loses no digits
    where the drop is small and holds for R = 0. Not a number beyond `maximum_power`.

    load_w: power at the terminals of the load.
    resistance_ohm: of one conductor, one way.
    """
    with np.errstate(invalid="ignore"):
        root = np.sqrt(source_v * source_v - 8.0 * load_w * resistance_ohm)
    return 2.0 * load_w / (source_v + root)


@equation(r"P_{max}", r"\frac{V^2}{8R}", DERIVED)
def maximum_power(source_v: DcVoltage, resistance_ohm: Resistance) -> ActivePower:
    """Return the largest power a two-wire circuit can transfer, at half the source voltage.

    I (V - 2 I R) is largest at I = V / (4 R). No constant-power load beyond it has a steady state.

    resistance_ohm: of one conductor, one way.
    """
    return source_v * source_v / (8.0 * resistance_ohm)


@equation("P_l", r"2 I^2 R", DERIVED)
def two_wire_loss(current_a: Current, resistance_ohm: Resistance) -> ActivePower:
    """Return the loss in both conductors of a two-wire circuit.

    resistance_ohm: of one conductor, one way.
    """
    return 2.0 * current_a * current_a * resistance_ohm


@equation("A", r"\frac{2 \rho L P (1 + f)^2}{f V^2}", DERIVED)
def section_for_loss(
    source_v: DcVoltage,
    load_w: ActivePower,
    length_m: Length,
    resistivity_ohm_m: Resistivity,
    loss_fraction: Fraction,
) -> CrossSection:
    """Return the cross-section of one pole that limits the loss to a fraction of the load.

    The source delivers P (1 + f), which fixes the current; f P = 2 I^2 R fixes R, and with it the
    section. It goes with the inverse square of the voltage: 800 V needs 1/219 of what 54 V needs.

    load_w: power at the terminals of the load.
    length_m: one way.
    resistivity_ohm_m: at the conductor temperature.
    loss_fraction: loss over load.
    """
    current_a = load_w * (1.0 + loss_fraction) / source_v
    return 2.0 * resistivity_ohm_m * length_m * current_a * current_a / (loss_fraction * load_w)
