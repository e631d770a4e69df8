"""Conversion of validator findings to coded errors in terms of the project file."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from facility.core.errors import FacilityError, near_matches

Finding = Mapping[str, Any]
Location = tuple[str | int, ...]

_QUOTED = re.compile(r"'([^']*)'")
_SHAPES = {
    "model_type": ("NOT_A_SECTION", "a mapping of fields is expected here"),
    "model_attributes_type": ("NOT_A_SECTION", "a mapping of fields is expected here"),
    "dict_type": ("NOT_A_SECTION", "a mapping of fields is expected here"),
    "tuple_type": ("NOT_A_LIST", "a list is expected here"),
    "list_type": ("NOT_A_LIST", "a list is expected here"),
}
_FIELD_TERMS = {
    "city": ["site.station", "site.weather_file", "site.place"],
    "climate": ["site.station", "site.weather_file"],
    "electricity_price": ["site.tariff"],
    "epw": ["site.weather_file"],
    "location": ["site.station", "site.weather_file", "site.place"],
    "weather": ["site.station", "site.weather_file"],
}
"""Fields meant by names that no section has."""
_MAX_MEANT = 4


def problems_of(
    findings: Sequence[Finding], data: Mapping[str, Any], model: type[BaseModel], limit: int
) -> list[FacilityError]:
    """Return at most `limit` of the `findings` of a validation of `data` as errors.

    Unknown fields come first: a misspelt name explains the missing one.
    """
    ordered = sorted(findings, key=lambda finding: finding["type"] != "extra_forbidden")
    return [_error(finding, data, model) for finding in ordered[:limit]]


def path_text(location: Location) -> str:
    """Return a location as a user writes it: ``it.halls[0].racks[1].count``."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if part.isprintable() and len(part) <= 60 else repr(part[:40])
            text += f".{name}" if text else name
    return text


def _error(finding: Finding, data: Mapping[str, Any], model: type[BaseModel]) -> FacilityError:
    kind = finding["type"]
    location = _as_written(finding["loc"], data)
    where = path_text(location)
    context = finding.get("ctx", {})
    if kind == "facility":
        at = path_text((*location, context["at"])) if context.get("at") else where
        words = context["code"], at, context["message"], context["hint"]
        return FacilityError(*words, exit_code=3)  # invalid input, for any code
    if kind == "extra_forbidden":
        return _unknown_field(location, where, model, finding["input"])
    if kind == "missing":
        return FacilityError(
            "MISSING_FIELD",
            path_text((*_as_written(finding["loc"][:-1], data), finding["loc"][-1])),
            "the field is required.",
            _missing_hint(finding["loc"]),
        )
    if kind == "literal_error":
        return _not_one_of(finding["input"], str(context.get("expected", "")), where)
    if kind in _SHAPES:
        code, expected = _SHAPES[kind]
        return FacilityError(code, where, f"{expected}, not {_shape(finding['input'])}.")
    return FacilityError("INVALID_VALUE", where, f"{finding['msg']}.")


def _as_written(location: Location, data: Any) -> Location:
    """Return the part of `location` that exists in `data`, without marks of the validator."""
    written: list[str | int] = []
    for part in location:
        known = (isinstance(data, Mapping) and part in data) or (
            isinstance(data, list | tuple) and isinstance(part, int) and part < len(data)
        )
        if known:
            written.append(part)
            data = data[part]
    return tuple(written)


def _shape(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list | tuple) else f"the text {str(value)[:40]!r}"


def _missing_hint(location: Location) -> str:
    if location == ("schema_version",):
        return "Write 'schema_version: 1' at the top of the file."
    return f"Add {location[-1]!r}." if location else ""


def _unknown_field(
    location: Location, where: str, model: type[BaseModel], value: object
) -> FacilityError:
    name = str(location[-1]) if location else ""
    section = _model_at(model, location[:-1])
    hint = near_matches(name, section.model_fields) if section is not None else ""
    elsewhere = _field_paths(model, name)
    if len(location) > 1:  # another section's field of the same name is another quantity
        elsewhere = [path for path in elsewhere if path.startswith(f"{location[0]}.")]
    meant = _FIELD_TERMS.get(name, elsewhere)
    if 0 < len(meant) <= _MAX_MEANT:
        hint = f"Did you mean {' or '.join(repr(path) for path in meant)}?"
    elif value is None:
        cut = "The field has no value; if it follows a comma within {...}, quote the whole text"
        hint = f"{cut} (numbers are written without commas). {hint}".rstrip()
    return FacilityError("UNKNOWN_FIELD", where, "there is no such field.", hint)


def _field_paths(model: type[BaseModel], name: str) -> list[str]:
    """Return the paths of all fields with a name, down to any depth."""
    found = []
    for key, field in model.model_fields.items():
        inner = _model_in(field.annotation)
        if inner is None:
            continue
        section = f"{key}[]" if "list[" in str(field.annotation) else key
        found += [f"{section}.{name}"] if name in inner.model_fields else []
        found += [f"{section}.{path}" for path in _field_paths(inner, name)]
    return found


def _not_one_of(value: object, expected: str, where: str) -> FacilityError:
    allowed = _QUOTED.findall(expected)
    hint = near_matches(str(value), allowed)
    shown = _shape(value).removeprefix("the text ")
    if "Known" not in hint:
        hint = f"{hint} Known: {', '.join(allowed)}.".strip()
    if where == "cooling.method":
        hint += (
            " In-row coolers, rear doors and fan walls: cooling.air.terminal, with air or hybrid."
        )
    return FacilityError("NOT_ONE_OF", where, f"{shown} is not a valid option.", hint)


def _model_at(model: type[BaseModel] | None, location: Location) -> type[BaseModel] | None:
    for part in location:
        if isinstance(part, int):
            continue
        field = model.model_fields.get(part) if model is not None else None
        model = _model_in(field.annotation) if field is not None else None
    return model


def _model_in(annotation: object) -> type[BaseModel] | None:
    """Return the section class inside an optional, annotated or list type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Annotated, Union, types.UnionType, tuple, list):
        for argument in get_args(annotation):
            if (found := _model_in(argument)) is not None:
                return found
    return None
