"""Text a person typed, read as a quantity of a known kind.

User text never reaches a unit library's own parser: a number pattern, a whitelisted unit token of
the field's kind, a length cap, a finite result. Nothing else is accepted. Signs are left to the
fields: a negative temperature is fine where a negative power is not.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, Kind, conversion_hint, kind_in, si_from

MAX_TEXT = 64

_NUMBER = re.compile(
    r"[+-]?(?:(?:\d{1,3}(?:_\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3}(?!\d))?", re.ASCII
)
_COUNT = re.compile(r"-?(?:0|[1-9]\d*)\Z", re.ASCII)
_MAX_COUNT_DIGITS = 9
# What may not follow a number: a second number, a separator, an operator, a broken exponent.
_BROKEN = re.compile(r"[.,_'’*^+\-−]|[eE][+-]?\d| ?\d(?!/)", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d[\d.,'’_ ]*\d", re.ASCII)
# Numbers with separators that can be read in one way alone, in any country: "1,250" is not one.
_COMMAS = re.compile(r"[1-9]\d{0,2}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+)", re.ASCII)
_DOTS = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3}){2,}(?:,\d+)?|\.\d{3},\d+)", re.ASCII)
_TICKS = re.compile(r"[1-9]\d{0,2}(?:['’]\d{3})+(?:\.\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"(?![1-9]\d{0,2},\d{3}\Z)\d+,\d+", re.ASCII)
_RANGE = re.compile(r"[-+]?\d[^.]{0,30}(?:\.\d[^.]{0,30})?\s*\.\.\s*[-+]?\.?\d.{0,40}")
"""A range as `ranges` takes it."""
_GROUPED_COUNT = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+", re.ASCII)
_DOTTED_COUNT = re.compile(r"([1-9]\d{0,2})\.(\d{3})", re.ASCII)
_SHORT_COUNT = re.compile(r"(\d{1,6})(?:\.(\d{1,6}))? ?([kM])", re.ASCII)
_WITH_CENTS = ("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD")
_IN_CENTS = frozenset(kind_in("energy_price", currency) for currency in _WITH_CENTS)
_ANY = -math.inf, math.inf
_CENTS = 1.0, 100.0
"""Energy prices per kWh from which a price in hundredths of the currency is likely."""
_SHORT_DIGITS = {"k": 3, "M": 6}
_SPELLINGS = {
    "²": "2",
    "³": "3",
    "^": "",
    "**": "",
    "·": "*",
    "⋅": "*",
    "℃": "°C",
    "℉": "°F",
    "º": "°",
    "\u2126": "Ω",
    "Δ°F": "delta_degF",
    "Δ°C": "delta_degC",
    "ΔK": "K",
}
_ALIASES = {
    "VAr": "var",
    "VAR": "var",
    "kVAr": "kvar",
    "kVAR": "kvar",
    "MVAr": "Mvar",
    "MVAR": "Mvar",
    "CFM": "cfm",
    "GPM": "gpm",
    "Btu/hr": "Btu/h",
    "BTU/h": "Btu/h",
    "BTU/hr": "Btu/h",
}
_LITRE = re.compile(r"(?<![A-Za-z])l(?![A-Za-z])")


@dataclass(frozen=True)
class Measured:
    """A quantity as typed: the text, its unit token, and its value in the SI unit of its kind."""

    text: str
    kind: str
    unit: str
    value: float
    si: float


def parse_number(text: str, where: str = "") -> float:
    """Return the finite decimal number in `text`.

    Raises ``NOT_A_NUMBER`` when the text is anything but one plain decimal number.
    """
    clean = _cleaned(text, where)
    if not _NUMBER.fullmatch(clean):
        raise _not_a_number(text, clean, "", where)
    return _finite(float(clean), text, where)


def parse_count(text: str, where: str = "", minimum: int = 0) -> int:
    """Return the whole number in `text`, at least `minimum`.

    Raises ``NOT_A_COUNT`` for anything but plain decimal digits without a leading zero.
    """
    clean = text.strip()[:MAX_TEXT]
    if not _COUNT.match(clean):
        plain = plain_text(clean, count=True)
        dotted = _DOTTED_COUNT.fullmatch(clean)
        readings = [dotted[1] + dotted[2], dotted[1]] if dotted else [plain] * (plain != clean)
        example = " or ".join(readings) or "8"
        raise FacilityError(
            "NOT_A_COUNT",
            where,
            f"{_shown(text)} is not a whole number.",
            _range_hint(clean)
            or f"Write plain digits, e.g. {example} (no leading zero, no exponent, no unit).",
        )
    if len(clean) > _MAX_COUNT_DIGITS:
        raise FacilityError(
            "NOT_A_COUNT",
            where,
            f"{_shown(text)} is too large.",
            f"At most {_MAX_COUNT_DIGITS} digits are read.",
        )
    value = int(clean)
    if value < minimum:
        raise FacilityError(
            "NOT_A_COUNT",
            where,
            f"{value} is below the minimum of {minimum}.",
            f"Write {minimum} or more.",
        )
    return value


def parse_quantity(
    text: str, kind_name: str, where: str = "", limits: tuple[float, float] = _ANY
) -> Measured:
    """Read `text` as a quantity of the kind named.

    text: Number and unit, e.g. ``"10.2 kW"``, ``"27 °C"``, ``"80 %"``.
    kind_name: Key of :data:`facility.core.kinds.KINDS`.
    where: Path of the field, for the error.
    limits: Least and greatest value that the field accepts [SI], for the proposed unit.

    Raises ``NOT_A_NUMBER``, ``UNIT_MISSING`` or ``UNIT_WRONG``, with the units that fit.

    Examples
    --------
    >>> parse_quantity("12.5 kW", "active_power").si
    12500.0
    >>> parse_quantity("2 bar", "pressure").si
    200000.0
    """
    kind = KINDS[kind_name]
    clean = _cleaned(text, where)
    match = _NUMBER.match(clean)
    if match is None or _BROKEN.match(clean, match.end()):
        raise _not_a_number(text, clean, kind.view_si, where)
    token = unit_token(clean[match.end() :])
    if token not in kind.units:
        raise _unit_error(text, match[0], token, kind, where, limits)
    value = _finite(float(match[0]), text, where)
    si = _finite(si_from(kind, value, token), text, where)
    return Measured(text=clean, kind=kind_name, unit=token, value=value, si=si)


def plain_text(text: str, *, count: bool) -> str:
    """Return user text with its number in plain form, if unambiguous.

    Files hold plain numbers; a person at a keyboard also writes ``12,5 kW``, ``1,250,000 W`` and,
    for a number of things, ``12,000`` or ``5k``. What may be meant in two ways (``1,250 kW``) comes
    back as it is, and is refused with both readings.

    Examples
    --------
    >>> plain_text("12,000", count=True), plain_text("5k", count=True)
    ('12000', '5000')
    >>> plain_text("12,5 kW", count=False), plain_text("1,250 kW", count=False)
    ('12.5 kW', '1,250 kW')
    """
    clean = " ".join(text.split()) if len(text) <= MAX_TEXT else ""
    if count:
        short = _SHORT_COUNT.fullmatch(clean)
        if short:
            whole, part, digits = short[1], short[2] or "", _SHORT_DIGITS[short[3]]
            exact = (whole + part.ljust(digits, "0")).lstrip("0") or "0"
            return exact if len(part) <= digits else text
        if _GROUPED_COUNT.fullmatch(clean) or _TICKS.fullmatch(clean):
            return re.sub(r"\D", "", clean)
        return text
    grouped = _GROUPED.match(clean)
    number = "" if grouped is None else grouped[0].lstrip("+-")
    if _COMMAS.fullmatch(number) or _TICKS.fullmatch(number):
        plain = re.sub(r"[,'’]", "", number)
    elif _DOTS.fullmatch(number) or _DECIMAL_COMMA.fullmatch(number):
        plain = number.replace(".", "").replace(",", ".")
    else:
        return text
    return clean.replace(number, plain, 1)


def unit_token(text: str) -> str:
    """Return the unit token meant by `text`: ``"m³/s"`` is ``"m3/s"``, ``"kVAr"`` is ``"kvar"``.

    The result is a token only if some kind has it; nothing is looked up here.
    """
    token = text.strip()
    for old, new in _SPELLINGS.items():
        token = token.replace(old, new)
    return _LITRE.sub("L", _ALIASES.get(token, token))


def _cleaned(text: str, where: str) -> str:
    if len(text) > MAX_TEXT:
        raise FacilityError(
            "NOT_A_NUMBER",
            where,
            f"{_shown(text)} is longer than {MAX_TEXT} characters.",
            "Write only a number and its unit.",
        )
    return " ".join(text.split()).replace("−", "-", 1)


def _finite(value: float, text: str, where: str) -> float:
    if math.isfinite(value):
        return value
    raise FacilityError(
        "NOT_A_NUMBER", where, f"{_shown(text)} is too large.", "Check the exponent and the unit."
    )


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _not_a_number(text: str, clean: str, unit: str, where: str) -> FacilityError:
    message = f"{_shown(text)} is not {'a number with a unit' if unit else 'a number'}"
    readings = ["12.5"]
    grouped = _GROUPED.match(clean)
    if grouped and (found := _readings(grouped[0])):
        readings = found
        used = "commas" if "," in grouped[0] else "thousands separators"
        message += f"; {used} are not accepted"
        unit = clean[grouped.end() :].strip() if unit else ""
    examples = " or ".join(repr(f"{number} {unit}".strip()) for number in readings)
    return FacilityError(
        "NOT_A_NUMBER",
        where,
        f"{message}.",
        _range_hint(clean) or f"Write one number with a decimal point, e.g. {examples}.",
    )


def _readings(number: str) -> list[str]:
    """Return the possible readings of a number with thousands separators or decimal comma."""
    plain = re.sub(r"['’_ ]", "", number)
    if "," not in plain:
        candidates = [plain if plain.count(".") <= 1 else plain.replace(".", "")]
    elif "." in plain:
        decimal = max(plain.rfind(","), plain.rfind("."))
        whole = plain[:decimal].replace(",", "").replace(".", "")
        candidates = [f"{whole}.{plain[decimal + 1 :]}"]
    elif re.fullmatch(r"[+-]?\d{1,3},\d{3}", plain):
        candidates = [plain.replace(",", ""), plain.replace(",", ".")]
    else:
        candidates = [plain.replace(",", "." if plain.count(",") == 1 else "")]
    return [c for c in candidates if c != number and _NUMBER.fullmatch(c)]


def _range_hint(text: str) -> str:
    """Return the field for a range of values; empty if the text is not a range."""
    if not _RANGE.fullmatch(text.strip()):
        return ""
    return (
        "The design uses one value. Enter its distribution under ranges: "
        f"[{{field: this field, range: {text.strip()}}}], for `facility ranges`."
    )


def _likely(number: str, kind: Kind, limits: tuple[float, float]) -> str:
    """Return the suggested text for a number without a unit: one within `limits`, if any."""
    value, low, high = float(number), *limits
    units = (kind.likely_unit(value), *kind.units)
    fitting = (one for one in units if one and low <= si_from(kind, value, one) <= high)
    unit = next(fitting, "")
    if not unit:
        return "Write a value within the range of the field, with its unit"
    meant = f"'{number} {unit}' if intended"
    is_cents = kind.name in _IN_CENTS and _CENTS[0] <= float(number) <= _CENTS[1]
    if not is_cents:
        return f"Write {meant}"
    return f"Write '{float(number) / 100.0:g} {kind.view_si}' for {number} ct/kWh, {meant}"


def _unit_error(
    text: str, number: str, token: str, kind: Kind, where: str, limits: tuple[float, float]
) -> FacilityError:
    name = kind.name.replace("_", " ")
    allowed = ", ".join(unit or "none" for unit in kind.units)
    if not token:
        return FacilityError(
            "UNIT_MISSING",
            where,
            f"{_shown(text)} has no unit; {name} needs one.",
            f"{_likely(number, kind, limits)} (units: {allowed}).",
        )
    article = "an" if name[0] in "aeiou" else "a"
    message = f"{_shown(text)} is not {article} {name}"
    other = [known for known in KINDS.values() if token in known.units]
    if other:
        message += f" ({token} measures {other[0].name.replace('_', ' ')})"
        advice = conversion_hint(token, kind)
    else:
        meant = [unit for unit in kind.units if unit.casefold() == token.casefold()]
        advice = f"Write e.g. '{number} {(meant or [kind.view_si])[0]}'."
    if token in ("ton", "tons"):
        advice = "A ton is a mass or a cooling power: write ton_refrigeration for the latter."
    hint = _range_hint(text) or f"Units of {name}: {allowed}. {advice}".strip()
    return FacilityError("UNIT_WRONG", where, f"{message}.", hint)
