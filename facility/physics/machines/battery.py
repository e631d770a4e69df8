"""Stationary batteries: power required of each block in a constant-power discharge.

A UPS draws constant power: as the voltage falls the current rises, until the end voltage stops it.
The energy a battery gives depends on how fast it is taken, so that power times time says nothing
about the battery; the manufacturer's table of power against time and end voltage does.

A *block* is one battery case of several cells in series; blocks in series make a *string*.
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    Charge,
    Count,
    Current,
    DcVoltage,
    Fraction,
    Ratio,
    Time,
)
from facility.core.rounding import ROUNDING, whole_units_each, whole_units_in_cells
from facility.core.sources import DERIVED, Source

_SIZING = Source(
    "ieee-485", "temperature, ageing and design margin multiply the size", "", "secondary"
)


@equation("P_b", r"\frac{P}{\eta_i\,n_s\,n_b}\,k_a\,k_t\,k_m", _SIZING)
def block_power(
    load_w: ActivePower,
    efficiency: Fraction,
    blocks: Count,
    strings: Count,
    ageing: Ratio,
    temperature: Ratio,
    margin: Ratio,
) -> ActivePower:
    """Return the required block power at the required time and end voltage.

    The inverter takes the load over its efficiency; the blocks of all strings share it equally.
    The factors allow for the capacity that is gone at the end of life, for cold electrolyte, and
    for what the load list forgot.

    load_w: output of the UPS on this battery.
    efficiency: from battery to output.
    blocks, strings: blocks in a string, and strings in parallel.
    ageing, temperature, margin: factors of 1 or more.
    """
    return load_w / (efficiency * blocks * strings) * ageing * temperature * margin


@equation(
    "n_s",
    r"\left\lceil\frac{P_b(n_s = 1)}{P_{table}}\right\rceil",
    _SIZING,
    excel=f"MAX(1,{whole_units_in_cells('{one_string_w}/{listed_w}')})",
)
def strings_needed(one_string_w: ActivePower, listed_w: ActivePower) -> Count:
    """Return the number of parallel strings that limits the power of a block to its listed value.

    At least one.

    one_string_w: `block_power` of a single string.
    listed_w: power of a block from the manufacturer's table at the required time and end voltage.
    """
    return whole_units_each(one_string_w / listed_w, 1)


@equation("n_b", r"\left\lfloor\frac{U_{max}}{n_c\,u_f}\right\rfloor", DERIVED)
def blocks_in_series(
    dc_max_v: DcVoltage, float_v_per_cell: DcVoltage, cells_per_block: Count
) -> Count:
    """Return the blocks that a string may have under the highest voltage of the DC bus.

    A charged string is at float voltage for years; that voltage must not exceed what the
    charger of the UPS delivers.

    dc_max_v: highest voltage of the DC bus on float.
    cells_per_block: cells in series in a block.
    """
    exact = dc_max_v / (cells_per_block * float_v_per_cell)
    return np.floor(exact * (1.0 + ROUNDING))


@equation(
    "P_b",
    r"P_1\left(\frac{t}{t_1}\right)^{\ln(P_2/P_1)/\ln(t_2/t_1)}",
    DERIVED,
    excel="{power_1_w}"
    "*({time_s}/{time_1_s})^(LN({power_2_w}/{power_1_w})/LN({time_2_s}/{time_1_s}))",
)
def power_between(
    time_s: Time, time_1_s: Time, power_1_w: ActivePower, time_2_s: Time, power_2_w: ActivePower
) -> ActivePower:
    """Return the block power at a time between two times of the manufacturer's table.

    The discharge curve is nearly straight on logarithmic axes (Peukert); between two points it is
    taken as straight. Beyond the table it is not.

    time_s: between `time_1_s` and `time_2_s`.
    time_1_s, time_2_s: neighbouring times of the table.
    power_1_w, power_2_w: powers at these times.
    """
    slope = np.log(power_2_w / power_1_w) / np.log(time_2_s / time_1_s)
    return power_1_w * (time_s / time_1_s) ** slope


@equation(
    "t",
    r"t_1\left(\frac{P_b}{P_1}\right)^{\ln(t_2/t_1)/\ln(P_2/P_1)}",
    DERIVED,
    excel="{time_1_s}"
    "*({power_w}/{power_1_w})^(LN({time_2_s}/{time_1_s})/LN({power_2_w}/{power_1_w}))",
)
def time_between(
    power_w: ActivePower,
    time_1_s: Time,
    power_1_w: ActivePower,
    time_2_s: Time,
    power_2_w: ActivePower,
) -> Time:
    """Return the time of a block for a power between two powers of the manufacturer's table.

    The inverse of `power_between`.

    power_w: between `power_1_w` and `power_2_w`.
    time_1_s, time_2_s: neighbouring times of the table.
    power_1_w, power_2_w: powers at these times.
    """
    slope = np.log(time_2_s / time_1_s) / np.log(power_2_w / power_1_w)
    return time_1_s * np.power(power_w / power_1_w, slope)


@equation(
    "C",
    r"\frac{P\,t}{\eta_i\,n_c\,u_e}\,k_a\,k_t\,k_m",
    Source("ups-battery-sheet", "ampere-hour method"),
)
def ampere_hours(
    load_w: ActivePower,
    efficiency: Fraction,
    cells: Count,
    end_v_per_cell: DcVoltage,
    time_s: Time,
    ageing: Ratio,
    temperature: Ratio,
    margin: Ratio,
) -> Charge:
    """Return the discharged charge at the current of the end voltage.

    The method of many sizing sheets. It knows no rate: the capacity on the label belongs to a
    discharge over hours, and a block gives far less of it in minutes. Sound for discharges about
    as long as the rating, and far too small for a UPS.

    load_w: output of the UPS on this battery.
    efficiency: from battery to output.
    cells: in series.
    ageing, temperature, margin: factors of 1 or more.
    """
    current_a = load_w / (efficiency * cells * end_v_per_cell)
    return current_a * time_s * ageing * temperature * margin


@equation(
    "I_c",
    r"\frac{k_r\,C}{t}",
    Source("open-electrical-ups", "charger example"),
    excel="{recharge_factor}*{capacity_as}/{time_s:h}",
)
def charging_current(capacity_as: Charge, recharge_factor: Ratio, time_s: Time) -> Current:
    """Return the current that puts a capacity back in a time.

    A lead-acid battery takes about a tenth more charge than it gave.

    capacity_as: charge to be put back.
    recharge_factor: charge put in over charge taken out.
    """
    return recharge_factor * capacity_as / time_s
