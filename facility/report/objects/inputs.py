"""Inputs that affect an object: value, and whether it is stated, default or inherited."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.core.views import System, show_exact
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import field_at, fields, text_of, value_at
from facility.model.inputs.schema import default_text
from facility.report.objects.designed import DesignedValue, default_of, designed
from facility.report.objects.objects import SITE, DesignObject, DesignObjects
from facility.report.tables.names import input_name
from facility.study.design.design import Design

Origin = Literal["Stated", "Default", "Inherited"]
InputAction = Literal["", "Reset", "Confirm", "Withdraw", "Go to"]
_FOLLOWS = "follows"
UNSET = "not specified"


@dataclass(frozen=True)
class ObjectInput:
    """An input that bears on an object."""

    path: str
    title: str  # In words
    value: str  # With its unit
    origin: Origin
    basis: str = ""  # Why a default or an inherited value is as it is
    assumption: str = ""  # Id of the default, to confirm it
    confirmed: bool = False
    follows: str = ""  # Path of the input that an inherited value follows from
    required: bool = False

    @property
    def actions(self) -> tuple[InputAction, ...]:
        """What can be done with the input besides editing it, the usual action first."""
        if self.origin == "Stated":
            return () if self.required else ("Reset",)
        found: tuple[InputAction, ...] = ("Go to",) if self.follows else ()
        if self.assumption:
            found = (*found, "Withdraw" if self.confirmed else "Confirm")
        return found


def first_inputs(one: DesignObject) -> int:
    """Return how many inputs of an object are listed before the others."""
    return next((len(first) for names, first, _ in _table() if _is_of(one, names)), 0)


def paths_of(objects: DesignObjects, one: DesignObject) -> tuple[str, ...]:
    """Return the paths of the inputs that affect an object, main inputs first."""
    found = next((row for row in _table() if _is_of(one, row[0])), None)
    if found is None:
        return ()
    hall = _hall_number(objects, one)
    _, first, sections = found
    named = [path.format(hall=hall) for path in first]
    inside = [path for section in sections for path in _inside(section.format(hall=hall))]
    return tuple(dict.fromkeys(path for path in (*named, *inside) if _is_field(path)))


def every_path(document: Mapping[str, object]) -> tuple[str, ...]:
    """Return the paths of all inputs; a list has paths for each entry and for one more."""
    return tuple(path for declared in fields() for path in _of_entries(document, declared))


def _of_entries(document: Mapping[str, object], declared: str) -> Iterator[str]:
    holder, _, rest = declared.partition("[].")
    if not rest:
        yield declared
        return
    entries = value_at(document, holder)
    for index in range(len(entries) + 1 if isinstance(entries, list) else 1):
        yield from _of_entries(document, f"{holder}.{index}.{rest}")


def entry_of(path: str) -> str:
    """Return the entry of a list that an input belongs to, such as it.halls.0; empty if none."""
    parts = path.split(".")
    last = max((n for n, part in enumerate(parts) if part.isdecimal()), default=-1)
    return ".".join(parts[: last + 1])


def is_added(document: Mapping[str, object], path: str) -> bool:
    """Return whether the input belongs to an entry that its list does not have yet."""
    entry = entry_of(path)
    return bool(entry) and value_at(document, entry) is None


def inputs_at(
    design: Design, paths: Iterable[str], system: System = "si"
) -> tuple[ObjectInput, ...]:
    """Return inputs of a design."""
    document = as_typed(design.project)
    return tuple(_input(design, document, path, system) for path in paths)


def _input(
    design: Design, document: Mapping[str, object], path: str, system: System
) -> ObjectInput:
    title, value, field = input_name(path), value_at(document, path), field_at(path)
    required = field is not None and field.required
    if value is not None and not isinstance(value, Mapping):
        text = _stated(path, value, system)
        return ObjectInput(path, title, text, "Stated", required=required)
    used = designed(design, path, system)
    stated = "" if field is None else default_of(field)
    inherits = field is not None and _inherits(field.declared.default is not None, path, used)
    origin: Origin = "Inherited" if inherits else "Default"
    follows = _follows().get(path, "")
    if used is None:
        text = _declared_value(path) or UNSET
        return ObjectInput(path, title, text, origin, stated, follows=follows)
    basis = used.basis or stated
    return ObjectInput(
        path, title, used.reading, origin, basis, used.assumption, used.confirmed, follows
    )


def _stated(path: str, value: object, system: System) -> str:
    """Return a stated value as text, a quantity in the unit of the view."""
    field, text = field_at(path), text_of(value)
    if field is None or not field.kind or not isinstance(value, str):
        return text
    try:
        return show_exact(parse_quantity(text, field.kind).si, field.kind, system)
    except FacilityError:
        return text


def _inherits(has_default: bool, path: str, used: DesignedValue | None) -> bool:
    """Return whether a value follows from another input, or from the sizing of the design."""
    if path in _follows():
        return True
    field = field_at(path)
    if used is None or field is None:
        return False
    return not used.assumption or (has_default and default_text(field) == _FOLLOWS)


def _declared_value(path: str) -> str:
    field = field_at(path)
    if field is None or field.declared.default is None:
        return ""
    text = default_text(field)
    return "" if text == _FOLLOWS else text


def objects_of_input(objects: DesignObjects, path: str) -> Iterator[str]:
    """Yield the objects affected by an input, in the order of the tree."""
    for one in objects.values():
        if one.kind != "rack" and path in paths_of(objects, one):
            yield one.id


def owner_of(objects: DesignObjects, path: str) -> str:
    """Return the object to go to for an input."""
    first = [
        id for id in objects_of_input(objects, path) if path in _first_of(objects, objects[id])
    ]
    return first[0] if first else next(objects_of_input(objects, path), SITE)


def _first_of(objects: DesignObjects, one: DesignObject) -> tuple[str, ...]:
    return paths_of(objects, one)[: first_inputs(one)]


def _is_field(path: str) -> bool:
    return field_at(path) is not None


@cache
def _inside(section: str) -> tuple[str, ...]:
    """Return the fields of a section without lists, or the field itself."""
    own = (section,) if _is_field(section) else ()
    inner = (path for path in fields() if path.startswith(f"{section}.") and "[]" not in path)
    return (*own, *inner)


def _hall_number(objects: DesignObjects, one: DesignObject) -> int:
    names = list(objects.halls)
    hall = next((id for id in objects.path(one.id) if id in objects.halls), "")
    return names.index(hall) if hall else 0


def _is_of(one: DesignObject, names: frozenset[str]) -> bool:
    return one.id in names or one.kind in names


@cache
def _table() -> tuple[tuple[frozenset[str], tuple[str, ...], tuple[str, ...]], ...]:
    text = Path(__file__).with_name("inputs.csv").read_text("utf-8")
    return tuple(
        (
            frozenset(row["objects"].split()),
            tuple(row["first"].split()),
            tuple(row["sections"].split()),
        )
        for row in csv.DictReader(text.splitlines())
    )


@cache
def _follows() -> Mapping[str, str]:
    text = Path(__file__).with_name("follows.csv").read_text("utf-8")
    return {row["field"]: row["from"] for row in csv.DictReader(text.splitlines())}
