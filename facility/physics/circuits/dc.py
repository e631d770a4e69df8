"""Direct-current distribution: resistance of bars and cables, current, loss, transferable power."""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source

_TABLE_8 = Source("nec-chapter-9-table-8", "resistance per 1000 ft", "2017")


@equation(
    r"R",
    r"\frac{\rho L}{A}",
    "resistance",
    DERIVED,
    length_m="length",
    area_m2="cross_section",
    resistivity_ohm_m="resistivity",
)
def bar_resistance(length_m: Any, area_m2: Any, resistivity_ohm_m: Any) -> Any:
    """Return the DC resistance of one bar over its length, one way.

    Joints and taps are not in it: they belong to the maker's data.

    Parameters
    ----------
    length_m : float or ndarray
        Length of one bar [m].
    area_m2 : float or ndarray
        Cross-section of one bar [m2].
    resistivity_ohm_m : float or ndarray
        Resistivity of the metal at its temperature [ohm m].
    """
    return resistivity_ohm_m * length_m / area_m2


@equation(
    r"R",
    r"R_l \frac{L}{L_l\,n}",
    "resistance",
    _TABLE_8,
    listed_ohm="resistance",
    listed_length_m="length",
    length_m="length",
    sets="count",
)
def resistance_of_sets(listed_ohm: Any, listed_length_m: Any, length_m: Any, sets: Any) -> Any:
    """Return the resistance of one pole of a feeder from a table of resistance per length.

    Parameters
    ----------
    listed_ohm, listed_length_m : float or ndarray
        Resistance of one conductor as the table lists it, and the length it is listed for:
        0.0258 ohm for 1000 ft [ohm, m].
    length_m : float or ndarray
        Length of the feeder, one way [m].
    sets : float or ndarray
        Conductors in parallel on the pole.
    """
    return listed_ohm * (length_m / listed_length_m) / sets


@equation(
    "I",
    r"\frac{2P}{V + \sqrt{V^2 - 8 P R}}",
    "current",
    DERIVED,
    source_v="dc_voltage",
    load_w="active_power",
    resistance_ohm="resistance",
)
def constant_power_current(source_v: Any, load_w: Any, resistance_ohm: Any) -> Any:
    """Return the current of a load that draws constant power at the end of a two-wire circuit.

    The load sees V - 2 I R, out and back, so that P = I (V - 2 I R): a quadratic whose smaller
    root is the stable state. It is written with the root in the denominator, which loses no digits
    where the drop is small and holds for R = 0. Not a number beyond `maximum_power`.

    Parameters
    ----------
    source_v : float or ndarray
        Voltage at the source [V].
    load_w : float or ndarray
        Power at the terminals of the load [W].
    resistance_ohm : float or ndarray
        Resistance of one conductor, one way [ohm].

    Returns
    -------
    float or ndarray
        Current [A].
    """
    with np.errstate(invalid="ignore"):
        root = np.sqrt(source_v * source_v - 8.0 * load_w * resistance_ohm)
    return 2.0 * load_w / (source_v + root)


@equation(
    r"P_{max}",
    r"\frac{V^2}{8R}",
    "active_power",
    DERIVED,
    source_v="dc_voltage",
    resistance_ohm="resistance",
)
def maximum_power(source_v: Any, resistance_ohm: Any) -> Any:
    """Return the largest power a two-wire circuit can transfer, at half the source voltage.

    I (V - 2 I R) is largest at I = V / (4 R). No constant-power load beyond it has a steady state.

    Parameters
    ----------
    source_v : float or ndarray
        Voltage at the source [V].
    resistance_ohm : float or ndarray
        Resistance of one conductor, one way [ohm].
    """
    return source_v * source_v / (8.0 * resistance_ohm)


@equation(
    "P_l", r"2 I^2 R", "active_power", DERIVED, current_a="current", resistance_ohm="resistance"
)
def two_wire_loss(current_a: Any, resistance_ohm: Any) -> Any:
    """Return the loss in both conductors of a two-wire circuit.

    Parameters
    ----------
    current_a : float or ndarray
        Current [A].
    resistance_ohm : float or ndarray
        Resistance of one conductor, one way [ohm].
    """
    return 2.0 * current_a * current_a * resistance_ohm


@equation(
    "A",
    r"\frac{2 \rho L P (1 + f)^2}{f V^2}",
    "cross_section",
    DERIVED,
    source_v="dc_voltage",
    load_w="active_power",
    length_m="length",
    resistivity_ohm_m="resistivity",
    loss_fraction="fraction",
)
def section_for_loss(
    source_v: Any, load_w: Any, length_m: Any, resistivity_ohm_m: Any, loss_fraction: Any
) -> Any:
    """Return the cross-section of one pole that keeps the loss to a fraction of the load.

    The source delivers P (1 + f), which fixes the current; f P = 2 I^2 R fixes R, and with it the
    section. It goes with the inverse square of the voltage: 800 V needs 1/219 of what 54 V needs.

    Parameters
    ----------
    source_v : float or ndarray
        Voltage at the source [V].
    load_w : float or ndarray
        Power at the terminals of the load [W].
    length_m : float or ndarray
        Length, one way [m].
    resistivity_ohm_m : float or ndarray
        Resistivity at the conductor temperature [ohm m].
    loss_fraction : float or ndarray
        Loss over load.
    """
    current_a = load_w * (1.0 + loss_fraction) / source_v
    return 2.0 * resistivity_ohm_m * length_m * current_a * current_a / (loss_fraction * load_w)
