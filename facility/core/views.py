"""Views: how a stored SI value is shown. A view never changes what is stored."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Literal

from facility.core.kinds import KINDS, value_in

System = Literal["si", "ip"]


def view_unit(kind_name: str, system: System = "si") -> str:
    """Return the unit token that the view of `kind_name` is shown in."""
    kind = KINDS[kind_name]
    return kind.view_si if system == "si" else kind.view_ip


def view_value(si_value: float, kind_name: str, system: System = "si") -> float:
    """Return `si_value` in the unit of the view."""
    return value_in(KINDS[kind_name], si_value, view_unit(kind_name, system))


def with_unit(si_value: float | None, kind_name: str) -> dict[str, float | str] | None:
    """Return a number of the JSON contract with its unit; None where there is none of a kind."""
    if si_value is None or not kind_name:
        return None
    return {"value": view_value(si_value, kind_name), "unit": view_unit(kind_name)}


def readable_unit(si_value: float, kind_name: str, system: System = "si") -> str:
    """Return the unit token in which a person reads `si_value`: a smaller one for small energies.

    JSON, sheets and curves keep the unit of the view.
    """
    unit = view_unit(kind_name, system)
    for smaller in _SMALLER.get(unit, ()):
        value = abs(value_in(KINDS[kind_name], si_value, unit))
        if value >= _SMALL or value < _NOTHING:
            break
        unit = smaller
    return unit


def show(
    si_value: float, kind_name: str, system: System = "si", *, digits: int | None = None
) -> str:
    """Return `si_value` as text with its unit, rounded for reading only.

    Decimals are those of the kind, or `digits`; a small value keeps three significant digits, so
    that 45 W is not shown as 0.0 kW. A share under 0.000005 % has a power of ten.
    """
    decimals = KINDS[kind_name].digits if digits is None else digits
    unit = readable_unit(si_value, kind_name, system)
    value = value_in(KINDS[kind_name], si_value, unit)
    value = 0.0 if abs(value) < _NOTHING else value
    if digits is None and unit in _WHOLE and abs(value) >= _LARGE:
        decimals = 0
    is_small = 0.0 < abs(value) < 10.0 ** (1 - decimals)
    if kind_name == "fraction" and 0.0 < abs(value) < _TINY:
        number = f"{value:.3g}"
    else:
        number = f"{Decimal(f'{value:.3g}'):f}" if is_small else f"{value:,.{decimals}f}"
    return f"{number} {printed_unit(unit)}".strip()


def printed_unit(unit: str) -> str:
    """Return a unit token as a person reads it."""
    return _PRINTED.get(unit, unit)


def show_exact(si_value: float, kind_name: str, system: System = "si") -> str:
    """Return `si_value` as text with six significant digits, for computing it again by hand.

    Zeros beyond the decimals of the kind are left out.
    """
    unit = readable_unit(si_value, kind_name, system)
    least, value = KINDS[kind_name].digits, abs(value_in(KINDS[kind_name], si_value, unit))
    if kind_name == "fraction" and _NOTHING <= value < _TINY:
        return f"{math.copysign(value, si_value):.{_SIGNIFICANT}g} {unit}"
    if not (value > 0.0 and math.isfinite(value)):
        return show(si_value, kind_name, system)
    number, space, unit = show(
        si_value,
        kind_name,
        system,
        digits=max(least, _SIGNIFICANT - 1 - math.floor(math.log10(value))),
    ).partition(" ")
    whole, point, decimals = number.partition(".")
    if point and "e" not in number:
        decimals = decimals[:least] + decimals[least:].rstrip("0")
        number = whole + (point if decimals else "") + decimals
    return number + space + unit


_SIGNIFICANT = 6
_SMALLER = {"MWh": ("kWh", "Wh")}
_SMALL = 0.1  # below it the next smaller unit is read more easily
_TINY = 5e-6  # a share below it has more zeros than a person counts [%]
_WHOLE, _LARGE = ("cfm",), 100.0
"""Small units, whose decimals say nothing of a number from there on."""
_NOTHING = 1e-12  # below it a number is what rounding left of a difference
_PRINTED = {
    "degC": "°C",
    "degF": "°F",
    "delta_degF": "Δ°F",
    "m3/s": "m³/s",
    "m2": "m²",
    "ft2": "ft²",
    "ohm": "Ω",
    "kW/(m3/s)": "kW/(m³/s)",
    "kg/m3": "kg/m³",
    "lb/ft3": "lb/ft³",
    "W/m2": "W/m²",
    "W/ft2": "W/ft²",
    "m3": "m³",
    "m3/kg": "m³/kg",
    "ft3/lb": "ft³/lb",
    "mPa*s": "mPa·s",
    "mm2": "mm²",
    "um": "µm",
    "kJ/(kg*K)": "kJ/(kg·K)",
    "W/(m*K)": "W/(m·K)",
}
