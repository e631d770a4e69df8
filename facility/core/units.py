"""The quantity interface: pint quantities in and out, with remembered conversions.

The registry is built once, eagerly, from a small definition file: a lazily built registry is not
safe when several threads touch it first, and the stock one reads ``cfm`` as a length and ``ton``
as a mass. Watt, volt-ampere and var share a dimension but do not convert into each other here.

A unit belongs to a kind by its token. Units made by arithmetic (``kW * h``, ``kV * A``) belong to
the kinds of their dimension, with one exception: volts times amperes are apparent power, never
active power, because the power factor is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Number, Real
from pathlib import Path
from typing import Any

import numpy as np
import pint

from facility.core.errors import FacilityError, unknown
from facility.core.kinds import KINDS, Affine, Kind, conversion_hint

Quantity = pint.Quantity[Any]


class _Registry(pint.UnitRegistry[Any]):
    """A registry in which W, VA and var, each by its name, do not convert into one another."""

    def _convert(self, value: Any, src: Any, dst: Any, *args: Any, **options: Any) -> Any:
        characters = {_power_character(src), _power_character(dst)} - {""}
        if len(characters) > 1:
            raise pint.DimensionalityError(
                src, dst, extra_msg=": active, apparent and reactive power are different kinds"
            )
        return super()._convert(value, src, dst, *args, **options)


_ACTIVE = ("watt", "horsepower", "MBH", "ton_refrigeration")


def _power_character(units: Any) -> str:
    """Return W, VA or var for a unit of power that is named as such, else an empty text."""
    names = tuple(units)
    if len(names) == 1 and units[names[0]] == 1:
        if names[0].endswith("volt_ampere"):
            return "VA"
        if names[0].endswith("var"):
            return "var"
        return "W" if names[0].endswith(_ACTIVE) else ""
    return "VA" if _is_volts_times_amperes(units) else ""


def _is_volts_times_amperes(units: Any) -> bool:
    names = [name for name, exponent in units.items() if exponent == 1]
    volts = [name for name in names if name.endswith("volt")]
    amperes = [name for name in names if name.endswith("ampere") and "volt_" not in name]
    return len(units) == len(names) == 2 and len(volts) == len(amperes) == 1


_DEFINITIONS = Path(__file__).with_name("units.txt")

ureg: pint.UnitRegistry[Any] = _Registry(
    _DEFINITIONS.read_text(encoding="utf-8").splitlines(),
    autoconvert_offset_to_baseunit=False,
    cache_folder=None,
)

_TOKEN_TO_PINT = {
    "": "dimensionless",
    "C": "degC",
    "°C": "degC",
    "°F": "degF",
    "K": "kelvin",
    "Ω": "ohm",
    "Mvar": "megavar",
    "Mvarh": "megavar_hour",
    "MVA": "megavolt_ampere",
    "kVA": "kilovolt_ampere",
    "VA": "volt_ampere",
    "A2s": "ampere**2*second",
    "kA2s": "kiloampere_squared_second",
    "MA2s": "megaampere_squared_second",
    "in": "inch",
    "in2": "inch**2",
}
_POWERS = (("m2", "m**2"), ("m3", "m**3"), ("ft2", "ft**2"), ("ft3", "ft**3"))
_AMBIGUOUS_ABROAD = {"cfm", "ton"}
_ANGLE = "radian"


def _parsed_unit(token: str) -> Any:
    text = _TOKEN_TO_PINT.get(token, token)
    if text == token:
        for old, new in _POWERS:
            text = text.replace(old, new)
    return ureg.parse_units(text)


_UNITS = {token: _parsed_unit(token) for kind in KINDS.values() for token in kind.units}
_TOKENS = {units._units: token for token, units in _UNITS.items()}
_SI_UNITS = {kind.name: _UNITS[kind.si]._units for kind in KINDS.values()}
# Conversion by unit and kind; None where the unit is not of the kind. Grows with first use.
_AFFINE: dict[tuple[Any, str], Affine | None] = {
    (_UNITS[token]._units, kind.name): conversion
    for kind in KINDS.values()
    for token, conversion in kind.units.items()
}
_QUANTITY: Any = ureg.Quantity
_NEW = object.__new__
_BARE = (float, int, np.ndarray)


def quantity(value: Any, unit: str, kind: str | None = None) -> Quantity:
    """Return `value` in `unit` (a token of a kind, e.g. ``"kW"``) as a quantity.

    Parameters
    ----------
    value : float or ndarray
        Magnitude.
    unit : str
        Unit token of some kind; text from a user is refused unless it is one.
    kind : str, optional
        Kind the unit must belong to.

    Raises
    ------
    FacilityError
        ``UNIT_UNKNOWN`` when the token belongs to no kind (or not to `kind`), ``UNKNOWN_KIND``
        for an unknown kind, ``NOT_A_NUMBER`` for a magnitude that is text or a quantity.

    Examples
    --------
    >>> quantity(12.5, "kW").to("W").magnitude
    12500.0
    >>> quantity(1.0, "kWh") + quantity(1.0, "kW")
    Traceback (most recent call last):
    ...
    pint.errors.DimensionalityError: ...
    """
    if kind is not None and kind not in KINDS:
        raise unknown("UNKNOWN_KIND", "kind", f"{kind!r} is not a kind.", kind, KINDS)
    known = _UNITS if kind is None else KINDS[kind].units
    if not isinstance(unit, str) or unit not in known:
        belongs = f"not a unit of {kind.replace('_', ' ')}" if kind else "not a unit known here"
        raise unknown(
            "UNIT_UNKNOWN", "unit", f"{unit!r} is {belongs}.", str(unit), filter(None, known)
        )
    built: Quantity = _QUANTITY(_magnitude(value), _UNITS[unit])
    return built


def typed_text(value: object, where: str = "value") -> str:
    """Return the scalar quantity `value` as a user types it: ``"12.5 kW"``.

    Raises ``INPUT_TYPE`` for anything but a scalar quantity, ``UNIT_UNKNOWN`` for a unit that has
    no token (one made by arithmetic; convert it first), ``UNIT_FOREIGN`` for a unit of a foreign
    registry that is ambiguous or unknown here.
    """
    if not isinstance(value, pint.Quantity) or np.ndim(value.magnitude) != 0:
        raise FacilityError(
            "INPUT_TYPE",
            where,
            f"text, a number or a quantity is expected, not a {type(value).__name__}.",
            'Write e.g. "12.5 kW", 12, or facility.quantity(12.5, "kW").',
        )
    if value._REGISTRY is not ureg and len(value._units) > 0:
        _check_foreign(value, where)
    token = "" if len(value._units) == 0 else _TOKENS.get(value._units)
    if token is None:
        raise FacilityError(
            "UNIT_UNKNOWN",
            where,
            f"{_short(value)} has an unsupported unit.",
            'Convert it first, e.g. value.to("kW").',
        )
    return f"{float(value.magnitude)!r} {token}".strip()


def _magnitude(value: Any) -> Any:
    try:
        if value is None or isinstance(value, (str, bytes, bool, np.bool_, pint.Quantity)):
            raise TypeError
        array = np.asarray(value, dtype=float)
        if not np.all(np.isfinite(array)):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise FacilityError(
            "NOT_A_NUMBER",
            "value",
            f"a finite number, or an array of them, is expected, not {_short(value)}.",
            "Text is read by facility.core.parse.parse_quantity.",
        ) from None
    return array if array.ndim else float(array)


def from_si(si_value: Any, kind_name: str) -> Quantity:
    """Return `si_value` of the kind named as a quantity in the kind's SI unit."""
    # What pint's own constructor ends in, without its parsing of text and units: 0.3 us, not 2.5.
    built: Quantity = _NEW(_QUANTITY)
    built._magnitude = si_value
    built._units = _SI_UNITS[kind_name]
    return built


def to_si(value: Any, kind_name: str, where: str = "") -> Any:
    """Return the SI magnitude of a quantity of the kind named.

    value: Scalar or array; an array in the SI unit comes back as the same object.
    kind_name: Key of :data:`facility.core.kinds.KINDS`.

    Raises ``UNIT_WRONG`` for a quantity of another kind, ``UNIT_MISSING`` for a bare number where
    the kind has a unit, ``UNIT_FOREIGN`` for a unit of a foreign registry that is ambiguous or
    unknown here, ``NOT_A_NUMBER`` for anything else.
    """
    if getattr(value, "_units", None) is _SI_UNITS[kind_name] and hasattr(value, "_magnitude"):
        return value._magnitude
    if not isinstance(value, pint.Quantity):
        return _bare(value, KINDS[kind_name], where)
    key = (value._units, kind_name)
    if value._REGISTRY is not ureg:
        _check_foreign(value, where)
    elif key not in _AFFINE:
        _AFFINE[key] = _by_dimension(value._units, KINDS[kind_name])
    conversion = _AFFINE.get(key)
    if conversion is None:
        raise _wrong_kind(value, KINDS[kind_name], where)
    factor, offset = conversion
    magnitude = value._magnitude
    if factor == 1.0 and offset == 0.0:
        return magnitude
    return magnitude * factor + offset


def quantity_interface(
    si: Callable[..., Any], arguments: Mapping[str, str], returns: tuple[str, ...]
) -> Callable[..., Any]:
    """Return the function `si` with quantities in, by position, and quantities out.

    si: The bare function on SI floats and arrays.
    arguments: Kind of each argument by name, in order.
    returns: Kind of each result.
    """
    expected = tuple(
        (None if KINDS[kind].is_plain else _SI_UNITS[kind], kind, name)
        for name, kind in arguments.items()
    )

    def on_quantities(*args: Any) -> Any:
        # The usual arguments, quantities in SI units and bare numbers, are not worth a call each.
        plain = [
            arg._magnitude
            if arg.__class__ is _QUANTITY and arg._units is units
            else arg
            if units is None and arg.__class__ in _BARE
            else to_si(arg, kind, name)
            for arg, (units, kind, name) in zip(args, expected, strict=True)
        ]
        return as_quantities(si(*plain), returns)

    return on_quantities


def as_quantities(result: Any, kinds: tuple[str, ...]) -> Any:
    """Return the SI `result` of a function as a quantity, or as one for each of several kinds."""
    if len(kinds) == 1:
        return from_si(result, kinds[0])
    return tuple(from_si(part, kind) for part, kind in zip(result, kinds, strict=True))


def _by_dimension(units: Any, kind: Kind) -> Affine | None:
    """Return the conversion of a unit that is no token into `kind`, where its dimension allows.

    A token of another kind stays of that kind; angles are not numbers, and an absolute
    temperature is never made from anything but its tokens.
    """
    registry: Any = ureg
    si_units = _SI_UNITS[kind.name]
    names = tuple(units)
    if units in _TOKENS or kind.si == "degC" or _ANGLE in names:
        return None
    if any(not registry._units[name].is_multiplicative for name in names):
        return None
    named = any(name.endswith(("volt_ampere", "var")) for name in names)
    if character := _power_character(si_units):
        apparent = _is_volts_times_amperes(units)
        if named or apparent is not (character == "VA"):
            return None
    elif named and kind.name == "energy":
        return None
    if registry._get_dimensionality(units) != registry._get_dimensionality(si_units):
        return None
    scale, si_scale = (float(registry._get_root_units(u)[0]) for u in (units, si_units))
    return scale / si_scale, 0.0


def _check_foreign(value: Any, where: str) -> None:
    if value._units in _TOKENS and not any(name in _AMBIGUOUS_ABROAD for name in value._units):
        return
    raise FacilityError(
        "UNIT_FOREIGN",
        where,
        f"'{value.units}' of another unit registry is ambiguous or unknown here.",
        "Build the quantity with facility.quantity(value, unit).",
    )


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, (Number, str)) else ""
    return text if 0 < len(text) < 40 else "value"


def _bare(value: Any, kind: Kind, where: str) -> Any:
    is_numeric = isinstance(value, (float, np.ndarray, Number)) or hasattr(value, "__array__")
    if kind.is_plain and is_numeric:
        return value
    name = kind.name.replace("_", " ")
    if is_numeric:
        unit = kind.likely_unit(float(value)) if isinstance(value, Real) else kind.view_si
        raise FacilityError(
            "UNIT_MISSING",
            where,
            f"a number without unit was supplied; {name} needs a unit.",
            f"Write facility.quantity({_short(value)}, {unit!r}) if intended.",
        )
    raise FacilityError(
        "NOT_A_NUMBER",
        where,
        f"a quantity is expected ({name}), not {type(value).__name__}.",
        f"Build one with facility.quantity(value, {kind.view_si!r}).",
    )


def _wrong_kind(value: Any, kind: Kind, where: str) -> FacilityError:
    allowed = ", ".join(token for token in kind.units if token) or "no unit"
    token = _TOKENS.get(value._units, "V*A" if _is_volts_times_amperes(value._units) else "")
    advice = conversion_hint(token, kind) or "Convert it first."
    return FacilityError(
        "UNIT_WRONG",
        where,
        f"a quantity in '{value.units}' is not of the kind {kind.name.replace('_', ' ')}.",
        f"Units of it: {allowed}. {advice}",
    )
