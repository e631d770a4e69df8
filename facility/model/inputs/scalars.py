"""Field types of the project document: text input, validated value, identical text output.

A section uses only these types::

    Power = Annotated[Measured, quantity("active_power", plausible="rack")]

    class RackSection(Section):
        name: Name
        count: PositiveCount | None = None
        max_power: Power | None = None

An omitted field is None: a design variable. `Number` is a bare ratio: a `Measured` like every
quantity. A field whose value is wrong adds one problem with a code; validators of sections do the
same with ``raise problem(...)``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, NamedTuple, Self, cast

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from facility.core.errors import FacilityError
from facility.core.kinds import CURRENCIES, KINDS, demand_kind, kind_in, si_from, value_in
from facility.core.parse import Measured, parse_count, parse_number, parse_quantity
from facility.core.rounding import reaches, within
from facility.core.views import show_exact

_CENTS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?(ct|c|¢|cents?|p)/([A-Za-z0-9]{1,12})\Z", re.ASCII)
_UNPRINTED = frozenset({"Cc", "Cs", "Cn", "Zl", "Zp"})
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the following text, which disguises a name."""
_LOWEST = {"temperature": -273.15, "rating_temperature": -273.15, "length": None}


class _Window(NamedTuple):
    low: float
    high: float
    typical: str


_WINDOWS = {
    "rack": _Window(1e3, 1e6, "5-250 kW"),
    "utility": _Window(200.0, 5e5, "400 V to 138 kV"),
    "fault": _Window(1e6, 1e11, "50-5000 MVA"),
}


class Section(BaseModel):
    """Base of all sections: unknown fields rejected, frozen after reading."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        protected_namespaces=(),
        hide_input_in_errors=True,
        regex_engine="python-re",
        defer_build=True,
    )

    @classmethod
    def unstated(cls) -> Self:
        """Return the section with every field omitted; pydantic builds nothing for it."""
        return cast(Self, _unstated(cls))

    def __setattr__(self, name: str, value: object) -> None:
        if name in type(self).model_fields:
            raise FacilityError(
                "READ_ONLY",
                name,
                "a project cannot be modified in place.",
                "Use the copy that project.with_(...) returns, e.g. project.with_(it__gpus=512).",
            )
        super().__setattr__(name, value)


@cache
def _unstated(section: type[Section]) -> Section:
    return section.model_construct()


def problem(code: str, message: str, hint: str = "", at: str = "") -> PydanticCustomError:
    """Return the error that a validator of a section raises.

    code, message, hint: Stable code, what is wrong, and how to fix it.
    at: Faulty field of the section, where the validator checks several.
    """
    context = {"code": code, "message": message, "hint": hint, "at": at}
    return PydanticCustomError("facility", "{message}", context)


def beyond_limit(where: str, found: str, limit: int) -> FacilityError:
    """Return the error of a field that exceeds the limit of its declaration."""
    return FacilityError(
        "LIMIT",
        where,
        f"{found} exceed the limit of {limit:,}.",
        f"Enter at most {limit:,}, or divide the plant.",
    )


def below_the_project(
    value: str | None, name: re.Pattern[str], code: str, what: str, ending: str
) -> str | None:
    """Return the path of a file below the project file, or raise `code`.

    `name` is the pattern of the path; `what` (file type) and `ending` are used in the message.
    """
    if value is None or (name.fullmatch(value) and ".." not in value.split("/")):
        return value
    raise problem(
        code,
        f"{value[:80]!r} is not a valid path of a {what} below the project file.",
        f"Enter a relative path with forward slashes that ends in {ending}.",
    )


def _text_of(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    found = "a mapping" if isinstance(value, dict) else "nothing" if value is None else "a list"
    raise problem(
        "NOT_A_VALUE",
        f"one value is expected here, not {found}.",
        "Enter one value; write several parts as one text, with commas.",
    )


def bound_text(measured: Measured, limit: float) -> str:
    """Return the text of an SI bound for `measured`: in the typed unit, without powers of ten.

    Bounds below a millionth or above a trillion of that unit use a power of ten.
    """
    value = value_in(KINDS[measured.kind], limit, measured.unit)
    plain = value == 0.0 or 1e-6 <= abs(value) < 1e12
    if not plain:
        return f"{value:g} {measured.unit}".strip()
    number = f"{Decimal(f'{value:.6g}'):,f}"
    return f"{number} {measured.unit}".strip()


class Scalar:
    """Annotation that reads one value from text and writes it back as text.

    `kind` is the kind of quantity or ``"count"``, empty for text.
    """

    kind: str

    def bounds(self) -> str:
        """Return the permitted values as text; empty where the type is sufficient."""
        return ""

    def limits(self) -> tuple[float, float]:
        """Return the minimum and maximum of a number, in SI; infinite without a limit."""
        return -math.inf, math.inf

    def kind_of(self, text: str) -> str:
        """Return the kind for reading `text`."""
        return self.kind

    def read(self, text: str) -> object:
        """Return the value of `text`."""
        raise NotImplementedError

    def write(self, value: Any) -> str:
        """Return the value as in the project file."""
        return str(value)

    def json_schema(self) -> JsonSchemaValue:
        """Return the JSON Schema of the text."""
        raise NotImplementedError

    def _validate(self, value: object) -> object:
        try:
            return self.read(_text_of(value))
        except FacilityError as error:
            raise problem(error.code, error.message, error.hint) from None

    def __get_pydantic_core_schema__(self, _: object, __: GetCoreSchemaHandler) -> CoreSchema:
        """Read with `read`, write with `write`."""
        return core_schema.no_info_plain_validator_function(
            self._validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self.write, return_schema=core_schema.str_schema()
            ),
        )

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, __: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the value as in the file."""
        return self.json_schema()


@dataclass(frozen=True)
class _Quantity(Scalar):
    kind: str
    minimum: float | None
    above: float | None
    maximum: float | None
    plausible: _Window | None

    def _validate(self, value: object) -> object:
        return super()._validate(value.text if isinstance(value, Measured) else value)

    def limits(self) -> tuple[float, float]:
        """Return the bounds; including a plausible range."""
        lower = [x for x in (self.minimum, self.above) if x is not None]
        upper = [] if self.maximum is None else [self.maximum]
        if self.plausible is not None:
            lower.append(self.plausible.low)
            upper.append(self.plausible.high)
        return max(lower, default=-math.inf), min(upper, default=math.inf)

    def read(self, text: str) -> Measured:
        if not any(KINDS[self.kind].units):
            parse_number(text)
        low, high = self.limits()
        if self.above is not None:
            low = max(low, math.nextafter(self.above, math.inf))
        measured = parse_quantity(text, self.kind_of(text), limits=(low, high))
        if self.minimum is not None and not reaches(measured.si, self.minimum):
            raise self._out_of_range(measured, "at least", self.minimum)
        if self.above is not None and measured.si <= self.above:
            raise self._out_of_range(measured, "above", self.above)
        if self.maximum is not None and not within(measured.si, self.maximum):
            raise self._out_of_range(measured, "at most", self.maximum)
        window = self.plausible
        if window is not None and not (
            reaches(measured.si, window.low) and within(measured.si, window.high)
        ):
            raise _implausible(measured, window)
        low, high = self.limits()
        return replace(measured, si=min(max(measured.si, low), high))

    def write(self, value: Any) -> str:
        return str(value.text)

    def bounds(self) -> str:
        """Return the bounds for display: ``2.0 m to 20.0 m``, ``above 0``."""
        if self.plausible is not None:
            return self.plausible.typical
        low, high = self.minimum, self.maximum
        shown = "" if low is None or low in (0.0, _LOWEST.get(self.kind)) else self._shown(low)
        if self.above is not None:
            shown = f"above {self._shown(self.above) if self.above else 0}"
        if high is None:
            return f"{shown} or more" if shown and self.above is None else shown
        return f"{shown} to {self._shown(high)}" if shown else f"up to {self._shown(high)}"

    def _shown(self, limit: float) -> str:
        return show_exact(limit, self.kind)

    def _out_of_range(self, measured: Measured, sense: str, limit: float) -> FacilityError:
        name = self.kind.replace("_", " ")
        return FacilityError(
            "OUT_OF_RANGE",
            "",
            f"{measured.text!r} is out of range.",
            f"The {name} must be {sense} {bound_text(measured, limit)}.",
        )

    def json_schema(self) -> JsonSchemaValue:
        kind = KINDS[self.kind]
        units = [unit for unit in kind.units if unit]
        bare = "" in kind.units
        described = f"{kind.name.replace('_', ' ')}: a number" + (
            f" and its unit ({', '.join(units)})" if units else ""
        )
        return {
            "type": ["string", "number"] if bare else "string",
            "maxLength": 64,
            "description": described + (", or a bare number" if bare and units else ""),
        }


@dataclass(frozen=True)
class _Price(_Quantity):
    """Price or amount in any supported currency, which determines the kind."""

    def kind_of(self, text: str) -> str:
        """Return the kind of prices in the currency of `text`."""
        named = next((c for c in CURRENCIES if c in text), "")
        if not named and "/" in text:
            raise FacilityError(
                "UNIT_WRONG",
                "",
                f"{text[:40]!r} has no supported currency.",
                _in_cents(text)
                or f"Write e.g. {_PRICES[self.kind]!r}; supported: {', '.join(CURRENCIES)}.",
            )
        currency = named or "USD"
        if self.kind == "demand_price":
            return demand_kind(currency, apparent="VA" in text)
        return kind_in(self.kind, currency)

    def json_schema(self) -> JsonSchemaValue:
        name = self.kind.replace("_", " ")
        described = f"{name}: a number and its unit in any supported currency, e.g. "
        described += repr(_PRICES[self.kind])
        return {"type": "string", "maxLength": 64, "description": described}


_PRICES = {
    "energy_price": "0.10 USD/kWh",
    "demand_price": "12 USD/kW",
    "reactive_price": "0.04 USD/kvarh",
    "volume_price": "2.5 USD/m3",
    "money": "1000 USD",
}


def _in_cents(text: str) -> str:
    """Return how to write a price in cents or pence; empty for other prices."""
    found = _CENTS.match(" ".join(text.split()))
    if found is None:
        return ""
    whole = f"{float(found[1]) / 100.0:.10g}"
    meant = ("GBP",) if found[2] == "p" else ("EUR", "USD")
    forms = " or ".join(f"'{whole} {currency}/{found[3]}'" for currency in meant)
    return f"Prices require a currency and its main unit: enter {forms}."


def _implausible(measured: Measured, window: _Window) -> FacilityError:
    kind = KINDS[measured.kind]
    number = measured.text.removesuffix(measured.unit).strip()
    meant = next(
        (
            unit
            for unit in kind.units
            if unit != measured.unit
            and window.low <= si_from(kind, measured.value, unit) <= window.high
        ),
        "",
    )
    if meant:
        return FacilityError(
            "IMPLAUSIBLE",
            "",
            f"{measured.text} looks like {meant} (typical {window.typical}).",
            f"Enter '{number} {meant}'.",
        )
    return FacilityError(
        "IMPLAUSIBLE",
        "",
        f"{measured.text} is not plausible (typical {window.typical}).",
        "Check the number and the unit.",
    )


def quantity(
    kind: str,
    *,
    minimum: float | None = None,
    above: float | None = None,
    maximum: float | None = None,
    plausible: str = "",
) -> Any:
    """Return the annotation of a `Measured` field: ``Annotated[Measured, quantity("time")]``.

    Parameters
    ----------
    kind : str
        Kind of quantity; determines the accepted units.
    minimum, above, maximum : float, optional
        Bounds in the SI unit. Without a lower bound negative values are rejected, except for
        temperatures (absolute zero) and lengths (an elevation may be negative).
    plausible : str
        Name of a range of plausible values: ``"rack"`` (power of one rack), ``"utility"``
        (supply voltage), ``"fault"`` (fault level). Values outside it are rejected, with the
        probable unit.
    """
    if minimum is None and above is None:
        minimum = _LOWEST.get(kind, 0.0)
    window = _WINDOWS[plausible] if plausible else None
    field = _Price if kind in _PRICES else _Quantity
    return field(KINDS[kind].name, minimum, above, maximum, window)


@dataclass(frozen=True)
class _Count(Scalar):
    minimum: int
    kind: str = "count"

    def limits(self) -> tuple[float, float]:
        """Return the minimum count."""
        return float(self.minimum), math.inf

    def read(self, text: str) -> int:
        return parse_count(text, minimum=self.minimum)

    def json_schema(self) -> JsonSchemaValue:
        return {"type": ["integer", "string"], "minimum": self.minimum, "pattern": r"^\d{1,9}$"}


_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class _Flag(Scalar):
    kind: str = ""

    def bounds(self) -> str:
        """Return the two values."""
        return "true or false"

    def read(self, text: str) -> bool:
        flag = _FLAGS.get(text.casefold())
        if flag is None:
            raise FacilityError(
                "NOT_A_FLAG",
                "",
                f"{text[:40]!r} is neither true nor false.",
                "Enter true or false, or yes or no.",
            )
        return flag

    def write(self, value: Any) -> str:
        return "true" if value else "false"

    def json_schema(self) -> JsonSchemaValue:
        return {"enum": [True, False, "true", "false"]}


@dataclass(frozen=True)
class _Text(Scalar):
    longest: int
    shortest: int = 0
    kind: str = ""

    def read(self, text: str) -> str:
        if len(text) > self.longest:
            raise FacilityError(
                "TEXT_TOO_LONG",
                "",
                f"the text has {len(text):,} characters.",
                f"Enter at most {self.longest:,}.",
            )
        clean = text.strip()
        if len(clean) < self.shortest:
            raise FacilityError("TEXT_EMPTY", "", "the text is empty.", "Enter a name.")
        bad = [c for c in clean if c in _TURNS or unicodedata.category(c) in _UNPRINTED]
        if bad:
            raise FacilityError(
                "TEXT_CONTROL",
                "",
                f"the text contains U+{ord(bad[0]):04X}, which cannot be printed.",
                "Remove it; the text must be one line.",
            )
        return clean

    def json_schema(self) -> JsonSchemaValue:
        return {"type": ["string", "number"], "minLength": self.shortest, "maxLength": self.longest}


Count = Annotated[int, _Count(0)]
PositiveCount = Annotated[int, _Count(1)]
Number = Annotated[Measured, quantity("ratio")]
Flag = Annotated[bool, _Flag()]
Text = Annotated[str, _Text(200)]
Name = Annotated[str, _Text(64, shortest=1)]
TableLine = Annotated[str, _Text(4000)]
