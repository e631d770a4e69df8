"""Views: display of a stored SI value. A view never changes the stored value."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
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
    """Return a number of the JSON contract with its unit; None without a kind of quantity."""
    if si_value is None or not kind_name:
        return None
    return {"value": view_value(si_value, kind_name), "unit": view_unit(kind_name)}


def readable_unit(si_value: float, kind_name: str, system: System = "si") -> str:
    """Return the unit token of `si_value` in text: of small energies and large values another one.

    JSON, sheets and curves keep the unit of the view.
    """
    unit = _exact_unit(si_value, kind_name, system)
    for limit, larger in _LARGER.get(unit, ()):
        if abs(value_in(KINDS[kind_name], si_value, unit)) > limit:
            unit = larger
    return unit


def _exact_unit(si_value: float, kind_name: str, system: System) -> str:
    """Return the unit of the view, or a smaller one for small energies."""
    unit = view_unit(kind_name, system)
    for smaller in _SMALLER.get(unit, ()):
        value = abs(value_in(KINDS[kind_name], si_value, unit))
        if value >= _SMALL or value < _NOTHING:
            break
        unit = smaller
    return unit


def show(
    si_value: float,
    kind_name: str,
    system: System = "si",
    *,
    digits: int | None = None,
    unit: str = "",
) -> str:
    """Return `si_value` as text with its unit, rounded for reading only.

    `unit` is a token of the kind where several values are shown in one unit.
    Decimals are those of text (`_IN_TEXT`), else of the kind, or `digits`. A small value keeps
    three significant digits, so that 45 W is not shown as 0.0 kW; a share under 0.000005 % has a
    power of ten, and a negligible water usage is zero.
    """
    unit = unit or readable_unit(si_value, kind_name, system)
    value = value_in(KINDS[kind_name], si_value, unit)
    value = 0.0 if abs(value) < _NOTHING else value
    decimals = _decimals(abs(value), kind_name, unit) if digits is None else digits
    is_small = 0.0 < abs(value) < 10.0 ** (1 - decimals)
    if value != 0.0 and abs(value) < _LEAST_PRINTED.get(kind_name, 0.0):
        value, is_small = 0.0, False
    significant = 2 if kind_name == "fraction" and digits is None else 3
    if kind_name == "fraction" and 0.0 < abs(value) < _TINY:
        number = f"{value:.3g}"
    else:
        number = (
            f"{Decimal(f'{value:.{significant}g}'):f}" if is_small else f"{value:,.{decimals}f}"
        )
    return f"{number} {printed_unit(unit)}".strip()


def show_difference(si_value: float, kind_name: str, system: System = "si") -> str:
    """Return the difference of two values as text of a card; of shares in percentage points."""
    kind_name = _DIFFERENCES.get(kind_name, kind_name)
    text = show_short(si_value, kind_name, system)
    return f"{text} points" if kind_name == "fraction" else text


def show_short(si_value: float, kind_name: str, system: System = "si") -> str:
    """Return `si_value` as text of a card or headline: three significant digits from 10 MW on.

    Money is in thousands from six digits on, a ramp below 0.1 MW/s in kW/s.
    """
    unit = readable_unit(si_value, kind_name, system)
    value = abs(value_in(KINDS[kind_name], si_value, unit))
    if kind_name == "power_ramp" and 0.0 < value < 0.1:
        unit = "kW/s"
    elif kind_name.startswith("money") and value >= 1e5:
        unit = f"k{unit}"
    elif value >= 1e4:
        unit = _CARD_UNITS.get(unit, unit)
    value = abs(value_in(KINDS[kind_name], si_value, unit))
    if unit not in _CARD_UNITS.values() or value == 0.0:
        return show(si_value, kind_name, system, unit=unit)
    digits = max(0, 2 - math.floor(math.log10(value)))
    return show(si_value, kind_name, system, digits=digits, unit=unit)


def shared_scale(largest: float, kind_name: str, system: System = "si") -> tuple[str, int | None]:
    """Return unit and decimals of values shown together, by the largest [SI].

    From 10 MW on all are in MW, with three significant digits of the largest. Decimals are None
    where each value has those of text.
    """
    unit = readable_unit(largest, kind_name, system)
    value = abs(value_in(KINDS[kind_name], largest, unit))
    if value < 1e4 or unit not in _CARD_UNITS:
        return unit, None
    unit = _CARD_UNITS[unit]
    value = abs(value_in(KINDS[kind_name], largest, unit))
    return unit, max(0, 2 - math.floor(math.log10(value)))


def _decimals(value: float, kind_name: str, unit: str) -> int:
    """Return the decimals of a value in text."""
    decimals, whole_from = _IN_TEXT.get(unit, (KINDS[kind_name].digits, math.inf))
    return 0 if round(value, decimals) >= whole_from else decimals


def shared_decimals(largest: float, kind_name: str, unit: str) -> int | None:
    """Return the decimals of numbers in one column, by the largest [SI]; None of shares."""
    if kind_name == "fraction":
        return None
    return _decimals(abs(value_in(KINDS[kind_name], largest, unit)), kind_name, unit)


def prose_in(text: str, system: System) -> str:
    """Return prose written in SI with its quantities in the units of a view, three digits each.

    Temperatures are converted only where a word of air or water follows: the columns of ampacity
    tables are named in degrees Celsius in both systems.
    """
    if system == "si":
        return printed_text(text)

    def converted(match: re.Match[str]) -> str:
        kind = KINDS[_PROSE[match["unit"]]]
        factor, offset = kind.units[match["unit"].replace("³", "3")]
        si_value = float(match["number"].replace(",", "")) * factor + offset
        value = view_value(si_value, kind.name, system)
        digits = 0 if value == 0.0 else max(0, 2 - math.floor(math.log10(abs(value))))
        return f"{value:,.{digits}f} {printed_unit(view_unit(kind.name, system))}"

    return printed_text(_QUANTITY.sub(converted, text))


def printed_text(text: str) -> str:
    """Return a text with the units of its numbers as a person reads them: ``°C``, ``20 %``.

    Commands, files and JSON have the ASCII tokens, which the inputs accept.
    """
    return _TOKEN.sub(lambda match: printed_unit(match[0]), _PERCENT.sub(" %", text))


def printed_unit(unit: str) -> str:
    """Return a unit token as a person reads it."""
    return _PRINTED.get(unit, unit)


def show_exact(si_value: float, kind_name: str, system: System = "si") -> str:
    """Return `si_value` as text with six significant digits, for computing it again by hand.

    Zeros beyond the decimals of the kind are left out.
    """
    unit = _exact_unit(si_value, kind_name, system)
    minimum, value = KINDS[kind_name].digits, abs(value_in(KINDS[kind_name], si_value, unit))
    if kind_name == "fraction" and _NOTHING <= value < _TINY:
        return f"{math.copysign(value, si_value):.{_SIGNIFICANT}g} {unit}"
    if not (value > 0.0 and math.isfinite(value)):
        return show(si_value, kind_name, system, digits=minimum)
    number, space, unit = show(
        si_value,
        kind_name,
        system,
        digits=max(minimum, _SIGNIFICANT - 1 - math.floor(math.log10(value))),
        unit=unit,
    ).partition(" ")
    whole, point, decimals = number.partition(".")
    if point and "e" not in number:
        decimals = decimals[:minimum] + decimals[minimum:].rstrip("0")
        number = whole + (point if decimals else "") + decimals
    return number + space + unit


_DIFFERENCES = {"temperature": "temperature_difference"}
"""Kind of the difference of two values of a kind, if it is another one."""
_SIGNIFICANT = 6
_SMALLER = {"MWh": ("kWh", "Wh")}
_SMALL = 0.1  # below it the next smaller unit is read more easily
_TINY = 5e-6  # a share below it has more zeros than a person counts [%]
_LARGER: Mapping[str, tuple[tuple[float, str], ...]] = {
    "s": ((120.0, "min"), (120.0, "h")),
    "kg": ((10_000.0, "t"),),
    "m": ((10_000.0, "km"),),
    "W/m2": ((10_000.0, "kW/m2"),),
}
"""Larger units of text by unit: the value above which each is used."""
_CARD_UNITS = {"kW": "MW", "kVA": "MVA", "kvar": "Mvar", "MWh": "GWh"}
"""Units of large values on cards and in headlines; nameplates stay in kW and kVA."""
_IN_TEXT: Mapping[str, tuple[int, float]] = {
    **dict.fromkeys(
        ("kW", "kVA", "kvar", "MBH", "A", "kW/s", "m3", "kg", "L/min", "gpm"), (1, 100.0)
    ),
    **dict.fromkeys(("cfm", "gal", "lb", "ft", "Btu/delta_degF", "Btu/(h*delta_degF)"), (1, 100.0)),
    "m": (2, 100.0),
    **dict.fromkeys(("W/m2", "W/ft2"), (1, 100.0)),
    "kW/m2": (1, math.inf),
    **dict.fromkeys(("kPa", "psi", "ftH2O", "hp", "GWh"), (1, math.inf)),
    "t": (1, 100.0),
    "km": (1, 100.0),
    "ton_refrigeration": (1, 1000.0),
    "MWh": (1, 10_000.0),
    **dict.fromkeys(("L/kWh", "kg/kWh", "lb/MWh"), (2, math.inf)),
}
"""Decimals in text by unit, and the value from which there are none."""
_LEAST_PRINTED = {"water_per_energy": 1e-4}
"""Values of kinds that are zero in text [unit of the view]; of WUE two decimals are usual."""
_NOTHING = 1e-12  # below it a number is what rounding left of a difference
_PRINTED = {
    "m3/h": "m³/h",
    "ton_refrigeration": "tons",
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
    "kW/m2": "kW/m²",
    "W/ft2": "W/ft²",
    "m3": "m³",
    "m3/kg": "m³/kg",
    "ft3/lb": "ft³/lb",
    "mPa*s": "mPa·s",
    "mm2": "mm²",
    "um": "µm",
    "Btu/delta_degF": "Btu/°F",
    "Btu/(h*delta_degF)": "Btu/(h·°F)",
    "kJ/(kg*K)": "kJ/(kg·K)",
    "W/(m*K)": "W/(m·K)",
}
_PERCENT = re.compile(r"(?<=\d)%(?!\w)")
_TOKEN = re.compile(
    r"(?<=\d )(?:"
    + "|".join(re.escape(token) for token in sorted(_PRINTED, key=len, reverse=True))
    + r")(?![\w/*])"
)
_PROSE = {
    "m³/s": "air_flow", "m3/s": "air_flow", "m³/h": "air_flow", "m3/h": "air_flow",
    "L/min": "liquid_flow", "kPa": "pressure", "m³": "volume", "m3": "volume", "m": "length",
    "L/kWh": "water_per_energy", "K": "temperature_difference",
    "°C": "temperature", "degC": "temperature",
}  # fmt: skip
"""Kind of quantity by unit in prose."""
_OF_AIR_OR_WATER = "(?= (?:\\(cooling|dry|wet|supply|return|leaving|entering|air|water|coolant))"
_ENDS = r"(?![\w³/*·]| rat| \(\d)"  # another unit, K rating, both systems written
_QUANTITY = re.compile(
    r"(?<![\w.,-])(?P<number>-?\d[\d,]*(?:\.\d+)?) (?P<unit>"
    + "|".join(
        re.escape(unit) + (_OF_AIR_OR_WATER if kind == "temperature" else _ENDS)
        for unit, kind in _PROSE.items()
    )
    + ")"
)
