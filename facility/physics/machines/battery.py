"""Stationary batteries: what a discharge at constant power asks of each block.

A UPS draws constant power: as the voltage falls the current rises, until the end voltage stops it.
The energy a battery gives depends on how fast it is taken, so that power times time says nothing
about the battery; the maker's table of power against time and end voltage does.

A *block* is one battery case of several cells in series; blocks in series make a *string*.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source

_SIZING = Source(
    "ieee-485", "temperature, ageing and design margin multiply the size", "", "secondary"
)
_CEILING_SLACK = 1e-9
_AH = 3600.0


@equation(
    "P_b",
    r"\frac{P}{\eta_i\,n_s\,n_b}\,k_a\,k_t\,k_m",
    "active_power",
    _SIZING,
    load_w="active_power",
    efficiency="fraction",
    blocks="count",
    strings="count",
    ageing="ratio",
    temperature="ratio",
    margin="ratio",
)
def block_power(
    load_w: Any,
    efficiency: Any,
    blocks: float,
    strings: float,
    ageing: float,
    temperature: float,
    margin: float,
) -> Any:
    """Return the power for which a block has to be listed at the time and end voltage wanted.

    The inverter takes the load over its efficiency; the blocks of all strings share it equally.
    The factors allow for the capacity that is gone at the end of life, for cold electrolyte, and
    for what the load list forgot.

    Parameters
    ----------
    load_w : float or ndarray
        Output of the UPS on this battery [W].
    efficiency : float or ndarray
        Efficiency from battery to output.
    blocks, strings : int
        Blocks in a string, and strings in parallel.
    ageing, temperature, margin : float
        Factors of 1 or more.
    """
    return load_w / (efficiency * blocks * strings) * ageing * temperature * margin


@equation(
    "n_s",
    r"\left\lceil\frac{P_b(n_s = 1)}{P_{table}}\right\rceil",
    "count",
    _SIZING,
    one_string_w="active_power",
    listed_w="active_power",
)
def strings_needed(one_string_w: Any, listed_w: Any) -> Any:
    """Return the strings in parallel after which a block need not give more than it is listed for.

    At least one; a relative slack of 1e-9 keeps a need equal to the listed power from asking for
    one more.

    Parameters
    ----------
    one_string_w : float or ndarray
        `block_power` of a single string [W].
    listed_w : float or ndarray
        Power of a block by the maker's table at the time and end voltage wanted [W].
    """
    return np.maximum(np.ceil(one_string_w / listed_w * (1.0 - _CEILING_SLACK)), 1.0)


@equation(
    "n_b",
    r"\left\lfloor\frac{U_{max}}{n_c\,u_f}\right\rfloor",
    "count",
    DERIVED,
    dc_max_v="dc_voltage",
    float_v_per_cell="dc_voltage",
    cells_per_block="count",
)
def blocks_in_series(dc_max_v: Any, float_v_per_cell: Any, cells_per_block: float) -> Any:
    """Return the blocks that a string may have under the highest voltage of the DC bus.

    A charged string stands at its float voltage for years; that voltage must not exceed what the
    charger of the UPS delivers.

    Parameters
    ----------
    dc_max_v : float or ndarray
        Highest voltage of the DC bus on float [V].
    float_v_per_cell : float or ndarray
        Float voltage of a cell [V].
    cells_per_block : int
        Cells in series in a block.
    """
    exact = dc_max_v / (cells_per_block * float_v_per_cell)
    return np.floor(exact * (1.0 + _CEILING_SLACK))


@equation(
    "P_b",
    r"P_1\left(\frac{t}{t_1}\right)^{\ln(P_2/P_1)/\ln(t_2/t_1)}",
    "active_power",
    DERIVED,
    time_s="time",
    time_1_s="time",
    power_1_w="active_power",
    time_2_s="time",
    power_2_w="active_power",
)
def power_between(time_s: Any, time_1_s: Any, power_1_w: Any, time_2_s: Any, power_2_w: Any) -> Any:
    """Return the power a block gives for a time between two times of the maker's table.

    The discharge curve is nearly straight on logarithmic axes (Peukert); between two points it is
    taken as straight. Beyond the table it is not.

    Parameters
    ----------
    time_s : float or ndarray
        Time between `time_1_s` and `time_2_s` [s].
    time_1_s, time_2_s : float or ndarray
        Neighbouring times of the table [s].
    power_1_w, power_2_w : float or ndarray
        Powers at these times [W].
    """
    slope = np.log(power_2_w / power_1_w) / np.log(time_2_s / time_1_s)
    return power_1_w * (time_s / time_1_s) ** slope


@equation(
    "t",
    r"t_1\left(\frac{P_b}{P_1}\right)^{\ln(t_2/t_1)/\ln(P_2/P_1)}",
    "time",
    DERIVED,
    power_w="active_power",
    time_1_s="time",
    power_1_w="active_power",
    time_2_s="time",
    power_2_w="active_power",
)
def time_between(power_w: Any, time_1_s: Any, power_1_w: Any, time_2_s: Any, power_2_w: Any) -> Any:
    """Return the time for which a block gives a power between two powers of the maker's table.

    The inverse of `power_between`.

    Parameters
    ----------
    power_w : float or ndarray
        Power between `power_1_w` and `power_2_w` [W].
    time_1_s, time_2_s : float or ndarray
        Neighbouring times of the table [s].
    power_1_w, power_2_w : float or ndarray
        Powers at these times [W].
    """
    slope = np.log(time_2_s / time_1_s) / np.log(power_2_w / power_1_w)
    return time_1_s * (power_w / power_1_w) ** slope


@equation(
    "C",
    r"\frac{P\,t}{\eta_i\,n_c\,u_e}\,k_a\,k_t\,k_m",
    "charge",
    Source("ups-battery-sheet", "ampere-hour method"),
    load_w="active_power",
    efficiency="fraction",
    cells="count",
    end_v_per_cell="dc_voltage",
    time_s="time",
    ageing="ratio",
    temperature="ratio",
    margin="ratio",
)
def ampere_hours(
    load_w: Any,
    efficiency: Any,
    cells: float,
    end_v_per_cell: Any,
    time_s: Any,
    ageing: float,
    temperature: float,
    margin: float,
) -> Any:
    """Return the charge that a discharge takes at the current of the end voltage.

    The method of many sizing sheets. It knows no rate: the capacity on the label belongs to a
    discharge over hours, and a block gives far less of it in minutes. Sound for discharges about
    as long as the rating, and far too small for a UPS.

    Parameters
    ----------
    load_w : float or ndarray
        Output of the UPS on this battery [W].
    efficiency : float or ndarray
        Efficiency from battery to output.
    cells : int
        Cells in series.
    end_v_per_cell : float or ndarray
        End voltage of a cell [V].
    time_s : float or ndarray
        Time wanted [s].
    ageing, temperature, margin : float
        Factors of 1 or more.
    """
    current_a = load_w / (efficiency * cells * end_v_per_cell)
    return current_a * time_s * ageing * temperature * margin


@equation(
    "I_c",
    r"\frac{k_r\,C}{t}",
    "current",
    Source("open-electrical-ups", "charger example"),
    capacity_as="charge",
    recharge_factor="ratio",
    time_s="time",
)
def charging_current(capacity_as: Any, recharge_factor: float, time_s: Any) -> Any:
    """Return the current that puts a capacity back in a time.

    A lead-acid battery takes about a tenth more charge than it gave.

    Parameters
    ----------
    capacity_as : float or ndarray
        Charge to be put back [A s].
    recharge_factor : float
        Charge put in over charge taken out.
    time_s : float or ndarray
        Time for it [s].
    """
    return recharge_factor * capacity_as / time_s


@equation(
    "F",
    r"\Delta I\,K_t\,T_t",
    "charge",
    _SIZING,
    change_a="current",
    factor_s="time",
    temperature="ratio",
)
def period_size(change_a: Any, factor_s: Any, temperature: Any) -> Any:
    """Return what one period of a duty cycle adds to the size of a section (current method).

    A section is all periods up to the end of one: it is the sum over them, each with the change of
    its current counted to that end, and the battery is the largest section. A falling current
    takes away from the section.

    Parameters
    ----------
    change_a : float or ndarray
        Current of the period less that of the period before [A].
    factor_s : float or ndarray
        Rated capacity over the current that the cell gives to the end of the section [s].
    temperature : float or ndarray
        Factor for cold electrolyte.
    """
    return change_a * factor_s * temperature
