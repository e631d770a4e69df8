"""Declaration of an input, once, in the class of its section.

A section is a class of typed fields. The type contains kind and bounds, the call to its right
all other properties, from which the following are derived::

    _Height = Annotated[Measured, quantity("length", minimum=2.0, maximum=20.0)]

    class ThermalSection(Section):
        room_height: _Height | None = optional(
            "Air height of the halls, including ceiling plenum",
            Default(4.0, "halls with their plenums", PRACTICE),
        )

Derived from the declaration:
- the value in SI and, for an omitted field, the default with its entry in the ledger:
  ``read("room_height")`` of `facility.study.resolve.reader.Reader`;
- with `factor` instead of `optional`: a dimensionless number without influence on decisions, which
  the
  equipment model reads by name, ``plan.factors["fan_margin"]``; its plan and resolver do not name
  it;
- limits of the inputs (`facility.model.inputs.limits`): `max_count` and `within`;
- the JSON Schema, ``docs/inputs.md`` and ``docs/inputs.csv``, which ``make inputs`` regenerates;
- the fields varied by tests, by `leaves`.

A default that depends on other inputs has a `Default` without a value: its text states in general
what it depends on, and the section's module in ``study/resolve`` computes it. That module contains
nothing else about an input except decisions.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, Field
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo

from facility.core.sources import DERIVED, Source
from facility.model.inputs.scalars import Scalar, beyond_limit, problem


@dataclass(frozen=True)
class Default:
    """Default of an omitted field, with its basis."""

    # In SI, a count, or the ledger text; None if computed.
    value: float | str | None
    basis: str  # Reason, or for None the inputs it depends on
    source: Source = DERIVED  # Source


@dataclass(frozen=True)
class Declared:
    """Declaration of a field, besides its type."""

    meaning: str  # Meaning in one line, for the user
    # Default of an omitted field; None for no default, or a design variable.
    default: Default | None = None
    symbol: str = ""  # Symbol in formulas, LaTeX
    max_count: int | None = None  # Maximum count, or maximum entries of a list
    each: int | None = None  # Maximum count of each entry
    within: tuple[float, float] | None = None  # Permitted range of a factor, inclusive
    factor: bool = False  # Whether equipment models read it by name, see `factor`

    def __call__(self, schema: JsonDict) -> None:
        """Write the meaning into the JSON Schema of the field."""
        schema["description"] = self.meaning + "."

    def field(self, value: object = ...) -> FieldInfo:
        """Return the field with the value of an omitted one; without a value it is required."""
        found = Field(value, json_schema_extra=self)
        assert isinstance(found, FieldInfo)
        if self.max_count is not None:
            found.metadata.append(BeforeValidator(self._not_too_long))
        return found

    def _not_too_long(self, value: object) -> object:
        """Reject a list that is too long, before its entries are read."""
        limit = self.max_count
        if limit is not None and isinstance(value, list | tuple | dict) and len(value) > limit:
            error = beyond_limit("", f"{len(value):,} entries", limit)
            raise problem(error.code, error.message, error.hint)
        return value


def optional(
    meaning: str,
    default: Default | None = None,
    *,
    symbol: str = "",
    max_count: int | None = None,
    each: int | None = None,
    within: tuple[float, float] | None = None,
    value: int | None = None,
) -> Any:
    """Declare an optional field; see `Declared`. `value` is the value of an omitted field."""
    return Declared(meaning, default, symbol, max_count, each, within).field(value)


def factor(meaning: str, default: Default, *, within: tuple[float, float] | None = None) -> Any:
    """Declare an optional dimensionless number that equipment models read by name."""
    return Declared(meaning, default, within=within, factor=True).field(None)


def required(meaning: str, *, symbol: str = "", max_count: int | None = None) -> Any:
    """Declare a required field; see `Declared`."""
    return Declared(meaning, symbol=symbol, max_count=max_count).field()


class Entry(NamedTuple):
    """A field of the project document."""

    section: type[BaseModel]  # Section class of the field
    path: str  # Path as typed by a user, with `[]` for a list
    type: Scalar | None  # Reader of its value or list values; None for an enumeration
    words: tuple[str, ...]  # Values of an enumeration
    declared: Declared  # Its declaration
    required: bool  # Whether the field is required
    many: bool  # Whether it is a list

    @property
    def kind(self) -> str:
        """Kind of quantity, ``"count"``, or empty for text."""
        return "" if self.type is None else self.type.kind


def declared(field: FieldInfo) -> Declared:
    """Return the declaration of a section field."""
    found = field.json_schema_extra
    return found if isinstance(found, Declared) else Declared("")


@cache
def entry(section: type[BaseModel], name: str) -> Entry:
    """Return the field `name` of `section`, by its name only.

    Raises
    ------
    KeyError
        For a name that the section does not have.
    """
    return _entry(section, name, section.model_fields[name])


def leaves(section: type[BaseModel], prefix: str = "") -> Iterator[Entry]:
    """Yield every field of a section and of the sections in it, in their order.

    A field that is a value or a section is both.
    """
    for name, field in section.model_fields.items():
        parts = list(_parts(field.annotation))
        inner = [part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)]
        if inner:
            if any(isinstance(part, Scalar) for part in parts):
                yield _entry(section, prefix + name, field)
            mark = "[]" if list in parts or tuple in parts else ""
            yield from leaves(inner[0], f"{prefix}{name}{mark}.")
        else:
            yield _entry(section, prefix + name, field)


@cache
def fields_of(section: type[BaseModel]) -> Mapping[str, Entry]:
    """Return every field of a section and its subsections by path, with `[]` for a list."""
    return {entry.path: entry for entry in leaves(section)}


def _entry(section: type[BaseModel], path: str, field: FieldInfo) -> Entry:
    parts = [*field.metadata, *_parts(field.annotation)]
    scalar = next((part for part in reversed(parts) if isinstance(part, Scalar)), None)
    words = tuple(part for part in parts if isinstance(part, str))
    many = list in parts or tuple in parts
    return Entry(section, path, scalar, words, declared(field), field.is_required(), many)


def _parts(annotation: object) -> Iterator[object]:
    """Yield the parts of an annotation: types, annotations, and literal values."""
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        for inner in get_args(annotation):
            yield from _parts(inner)
    elif origin is None:
        yield annotation
    else:
        yield origin
        for inner in get_args(annotation):
            yield from _parts(inner) if origin in (Annotated, list, tuple, dict) else (inner,)
