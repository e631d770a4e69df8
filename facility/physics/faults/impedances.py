"""Impedances of what feeds and carries a short-circuit current, as resistance and reactance."""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import Source

_PER_UNIT = Source("derivation", "per-unit impedance on its rated voltage and power")
_FOOT_M = 0.3048


@equation(
    "(R, X)",
    r"Z = \frac{U^2}{S_k},\quad R = \frac{Z}{\sqrt{1 + (X/R)^2}},\quad X = R\,(X/R)",
    ("resistance", "resistance"),
    Source("derivation", "definition of the fault level"),
    fault_level_va="apparent_power",
    v_ll_v="line_voltage",
    x_over_r="ratio",
)
def source_impedance(fault_level_va: Any, v_ll_v: Any, x_over_r: Any) -> tuple[Any, Any]:
    """Return resistance and reactance behind a network of known fault level.

    The fault level is the square of the nominal line voltage over the impedance. IEC 60909
    multiplies by the voltage factor c, because there c times the nominal voltage drives the
    current.

    Parameters
    ----------
    fault_level_va : float or ndarray
        Fault level [VA]; above 0.
    v_ll_v : float or ndarray
        Nominal line-to-line voltage [V].
    x_over_r : float or ndarray
        Reactance over resistance.

    Returns
    -------
    tuple
        Resistance and reactance per phase [ohm].
    """
    impedance = v_ll_v * v_ll_v / fault_level_va
    resistance = impedance / np.sqrt(1.0 + x_over_r**2)
    return resistance, resistance * x_over_r


@equation(
    "(R, X)",
    r"Z = z\frac{U^2}{S_r},\quad R = \frac{Z}{\sqrt{1 + (X/R)^2}},\quad X = R\,(X/R)",
    ("resistance", "resistance"),
    _PER_UNIT,
    rating_va="apparent_power",
    voltage_v="line_voltage",
    impedance="fraction",
    x_over_r="ratio",
)
def rated_impedance(
    rating_va: Any, voltage_v: Any, impedance: Any, x_over_r: Any
) -> tuple[Any, Any]:
    """Return resistance and reactance of a transformer or motor of known per-unit impedance.

    The impedance of a transformer is its impedance voltage; that of a motor the reciprocal of its
    locked-rotor current in multiples of the rated one, here 4 to 6.

    Parameters
    ----------
    rating_va : float or ndarray
        Rated apparent power [VA].
    voltage_v : float or ndarray
        Rated line-to-line voltage of the side the result is for [V].
    impedance : float or ndarray
        Impedance as a fraction of the rated one.
    x_over_r : float or ndarray
        Reactance over resistance.

    Returns
    -------
    tuple
        Resistance and reactance per phase [ohm].
    """
    magnitude = impedance * voltage_v * voltage_v / rating_va
    resistance = magnitude / np.sqrt(1.0 + x_over_r**2)
    return resistance, resistance * x_over_r


@equation(
    "(R, X)",
    r"R = \frac{P_k}{S_r}\frac{U^2}{S_r},\quad"
    r" X = \sqrt{z^2 - \left(\frac{P_k}{S_r}\right)^2}\,\frac{U^2}{S_r}",
    ("resistance", "resistance"),
    _PER_UNIT,
    rating_va="apparent_power",
    voltage_v="line_voltage",
    impedance="fraction",
    load_loss_w="active_power",
)
def transformer_impedance(
    rating_va: Any, voltage_v: Any, impedance: Any, load_loss_w: Any
) -> tuple[Any, Any]:
    """Return resistance and reactance of a transformer of known load loss.

    The load loss at rated current is the loss of the resistance, so its per-unit value is the
    loss over the rating.

    Parameters
    ----------
    rating_va : float or ndarray
        Rating [VA].
    voltage_v : float or ndarray
        Rated line-to-line voltage of the side the result is for [V].
    impedance : float or ndarray
        Impedance as a fraction of the rated one.
    load_loss_w : float or ndarray
        Load loss at rated current [W].

    Returns
    -------
    tuple
        Resistance and reactance per phase [ohm].
    """
    share = load_loss_w / rating_va
    base = voltage_v * voltage_v / rating_va
    return share * base, np.sqrt(impedance**2 - share**2) * base


@equation(
    "(R, X)",
    r"X = x''_d\frac{U^2}{S_r},\quad R = \frac{X}{X/R}",
    ("resistance", "resistance"),
    _PER_UNIT,
    rating_va="apparent_power",
    voltage_v="line_voltage",
    reactance="fraction",
    x_over_r="ratio",
)
def generator_impedance(
    rating_va: Any, voltage_v: Any, reactance: Any, x_over_r: Any
) -> tuple[Any, Any]:
    """Return resistance and subtransient reactance of a synchronous generator.

    Parameters
    ----------
    rating_va : float or ndarray
        Rating of the alternator [VA].
    voltage_v : float or ndarray
        Rated line-to-line voltage [V].
    reactance : float or ndarray
        Subtransient reactance X"d as a fraction of the rated impedance.
    x_over_r : float or ndarray
        Reactance over resistance.

    Returns
    -------
    tuple
        Resistance and reactance per phase [ohm].
    """
    reactance_ohm = reactance * voltage_v * voltage_v / rating_va
    return reactance_ohm / x_over_r, reactance_ohm


@equation(
    "I",
    r"m\frac{S_r}{\sqrt{3} U}",
    "current",
    Source("definition", "multiple of the rated current"),
    rating_va="apparent_power",
    voltage_v="line_voltage",
    multiple="ratio",
)
def multiple_of_rated(rating_va: Any, voltage_v: Any, multiple: Any) -> Any:
    """Return a fault current that is stated as a multiple of the rated current.

    So are given: the sustained current of a generator with its exciter forcing, the current limit
    of a UPS on inverter, and the first-cycle contribution of motors (4 to 6 times).

    Parameters
    ----------
    rating_va : float or ndarray
        Rating [VA].
    voltage_v : float or ndarray
        Rated line-to-line voltage [V].
    multiple : float or ndarray
        Multiple of the rated current.

    Returns
    -------
    float or ndarray
        Current [A].
    """
    return multiple * rating_va / (np.sqrt(3.0) * voltage_v)


@equation(
    "Z",
    r"\frac{L}{C}",
    "resistance",
    Source("bussmann-c-values", "C = 1 / impedance of one foot", verified="memory"),
    empirical="C is published per foot of conductor",
    length_m="length",
    c_value="ratio",
)
def impedance_of_c(length_m: Any, c_value: Any) -> Any:
    """Return the impedance of one conductor from the C value of the point-to-point method.

    C is the reciprocal of the ohms of one foot. The published C are those of cold conductors,
    which gives the higher current.

    Parameters
    ----------
    length_m : float or ndarray
        Length, one way [m].
    c_value : float or ndarray
        C of the conductor [ft/ohm].

    Returns
    -------
    float or ndarray
        Magnitude of the impedance [ohm].
    """
    return length_m / _FOOT_M / c_value
