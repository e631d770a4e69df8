"""How an input is declared: once, where its section is written.

A section is a class of typed fields. The type carries kind and bounds, what stands to its right
carries the rest, and everything else is read from there::

    _Height = Annotated[Measured, quantity("length", minimum=2.0, maximum=20.0)]

    class ThermalSection(Section):
        room_height: _Height | None = optional(
            "Height of the air of the halls, ceiling plenum included",
            Default(4.0, "halls with their plenums", PRACTICE),
        )

From this follow
- the value in SI and, where the field is left open, the default with its entry in the ledger:
  ``read("room_height")`` of `facility.study.resolve.reader.Reader`;
- with `factor` in place of `optional`: a number without unit that no decision rests on, which the
  machine reads by name, ``plan.factors["fan_margin"]``; its plan and resolver do not name it;
- what a project may ask for (`facility.model.inputs.limits`): `most` and `within`;
- the JSON Schema, ``docs/inputs.md`` and ``docs/inputs.csv``, which ``make inputs`` writes anew;
- the fields that tests vary, by `leaves`.

A default that depends on other inputs has a `Default` without a value: its words say in general
what it follows from, and the section's module in ``study/resolve`` computes it. Nothing else about
an input is written there but decisions.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, Field
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo

from facility.core.sources import DERIVED, Source
from facility.model.inputs.scalars import Scalar


@dataclass(frozen=True)
class Default:
    """What is taken for a field left open, and why."""

    # In SI, a count, or the words of the ledger; None where it is computed.
    value: float | str | None
    basis: str  # Why, or for None what it follows from
    source: Source = DERIVED  # Where it is from


@dataclass(frozen=True)
class Declared:
    """What is declared of a field beside its type."""

    meaning: str  # What it is, in one line, to who plans a facility
    # What is taken where it is left open; None where nothing is, or the design chooses.
    default: Default | None = None
    symbol: str = ""  # Symbol in formulas, LaTeX
    most: int | None = None  # Most of what it counts, or most entries of a list
    each: int | None = None  # Most that each entry counts
    within: tuple[float, float] | None = None  # What a factor may be; the ends are allowed
    factor: bool = False  # Whether its machine reads it by name, see `factor`

    def __call__(self, schema: JsonDict) -> None:
        """Write the meaning into the JSON Schema of the field."""
        schema["description"] = self.meaning + "."


def optional(
    meaning: str,
    default: Default | None = None,
    *,
    symbol: str = "",
    most: int | None = None,
    each: int | None = None,
    within: tuple[float, float] | None = None,
    value: int | None = None,
) -> Any:
    """Declare a field that may be left open; see `Declared`. `value` stands in for one left out."""
    declared = Declared(meaning, default, symbol, most, each, within)
    return Field(value, json_schema_extra=declared)


def factor(meaning: str, default: Default, *, within: tuple[float, float] | None = None) -> Any:
    """Declare a number without unit that may be left open and that its machine reads by name."""
    return Field(None, json_schema_extra=Declared(meaning, default, within=within, factor=True))


def required(meaning: str, *, symbol: str = "", most: int | None = None) -> Any:
    """Declare a field that its section cannot do without; see `Declared`."""
    return Field(json_schema_extra=Declared(meaning, symbol=symbol, most=most))


class Entry(NamedTuple):
    """A field of the project document."""

    section: type[BaseModel]  # The class it is a field of
    path: str  # As a user writes it, with `[]` for a list
    type: Scalar | None  # What reads its value, or one of its values; None for one of a few words
    words: tuple[str, ...]  # The words it may be
    declared: Declared  # What is said of it
    required: bool  # Whether its section cannot do without
    many: bool  # Whether it is a list of such values

    @property
    def kind(self) -> str:
        """Kind of quantity, ``"count"``, or empty for words."""
        return "" if self.type is None else self.type.kind


def declared(field: FieldInfo) -> Declared:
    """Return what is declared of a field of a section."""
    found = field.json_schema_extra
    return found if isinstance(found, Declared) else Declared("")


@cache
def entry(section: type[BaseModel], name: str) -> Entry:
    """Return the field `name` of `section`, by its name alone.

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
    """Return every field of a section and of those in it by its path, with `[]` for a list."""
    return {entry.path: entry for entry in leaves(section)}


def _entry(section: type[BaseModel], path: str, field: FieldInfo) -> Entry:
    parts = [*field.metadata, *_parts(field.annotation)]
    scalar = next((part for part in reversed(parts) if isinstance(part, Scalar)), None)
    words = tuple(part for part in parts if isinstance(part, str))
    many = list in parts or tuple in parts
    return Entry(section, path, scalar, words, declared(field), field.is_required(), many)


def _parts(annotation: object) -> Iterator[object]:
    """Yield what an annotation is made of: types, marks, and the words of a literal."""
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
