"""Changes of a project document: one field, or one entry of a list, by its path."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from facility.core.errors import FacilityError

_INDEX = re.compile(r"\[(\d{1,6})\]", re.ASCII)
_PLACE = re.compile(r"\.\d{1,6}(?=\.|\Z)", re.ASCII)
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_PART = re.compile(r"[\w-]{1,64}")
_MAX_PATH = 300

Container = dict[str, Any] | list[Any]
Typed = str | None | dict[str, "Typed"] | list["Typed"]


def set_field(document: dict[str, Any], text: str) -> None:
    """Apply the change ``path=value`` to `document` in place, as `put` does; `[]` is an empty list.

    Raises ``SET_SYNTAX`` for anything but ``path=value``; see `put`.
    """
    path, equals, value = text.partition("=")
    if not equals:
        _refuse_syntax(text)
    clean = value.strip()
    put(document, path, [] if clean == "[]" else clean)


def put(document: dict[str, Any], path: str, value: Any) -> None:
    """Put `value` at `path` of `document` in place.

    document: A project as typed: nested mappings and lists of text.
    path: ``it.gpus``, ``it.halls.0.racks.1.count`` (or ``it.halls[0]...``). The index after the
        last appends.
    value: New value: text, mapping or list; empty text clears the field,
        or removes the entry of a list; an empty list means no entries.

    Missing intermediate mappings and lists are created; whether a name exists is left
    to the validation of the document.

    Raises ``SET_SYNTAX`` for anything but a path; ``SET_INDEX`` for an entry that a list does not
    have, an index where names are expected, or a name where an index is.
    """
    parts = normal_path(path).split(".")
    if len(path) > _MAX_PATH or not all(map(_PART.fullmatch, parts)):
        _refuse_syntax(f"{path}={value}")
    holder: Container = document
    for depth, part in enumerate(parts[:-1]):
        inside = _entry(holder, parts, depth)
        if inside is None:
            inside = [] if _NUMBER.fullmatch(parts[depth + 1]) else {}
            _put(holder, part, inside)
        if not isinstance(inside, dict | list):
            _refuse(parts[: depth + 1], "is a single value; it has no fields.")
        holder = inside
    last = _entry(holder, parts, len(parts) - 1)
    if value or isinstance(holder, dict):
        _put(holder, parts[-1], value if isinstance(value, list) else value or None)
    elif last is None:
        _refuse(parts[:-1], f"has no entry {parts[-1]} to remove.")
    else:
        del holder[int(parts[-1])]


def normal_path(path: str) -> str:
    """Return `path` with the index of a list entry between dots, as ``it.halls.0.racks``."""
    if not isinstance(path, str):
        _refuse_syntax(str(path))
    return _INDEX.sub(r".\1", path.strip())


def declared_path(path: str) -> str:
    """Return the path of a field as it is declared: ``it.halls[].racks[].count``."""
    return _PLACE.sub("[]", normal_path(path))


def _refuse_syntax(text: str) -> NoReturn:
    raise FacilityError(
        "SET_SYNTAX",
        "--set",
        f"{text[:80]!r} is not a change.",
        "Write path=value, e.g. it.gpus=2048 or it.halls.0.racks.1.count=4.",
    )


def _entry(holder: Container, parts: list[str], depth: int) -> Any:
    """Return the value at ``parts[depth]``, None for an empty position."""
    part = parts[depth]
    if isinstance(holder, dict):
        return holder.get(part)
    if not _NUMBER.fullmatch(part):
        _refuse(parts[:depth], f"is a list; {part[:40]!r} is not the number of an entry.")
    if int(part) > len(holder):
        _refuse(parts[:depth], f"has {len(holder)} entries; entry {part} does not exist.")
    return holder[int(part)] if int(part) < len(holder) else None


def _put(holder: Container, part: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder[part] = value
    elif int(part) < len(holder):
        holder[int(part)] = value
    else:
        holder.append(value)


def _refuse(parts: list[str], message: str) -> NoReturn:
    raise FacilityError(
        "SET_INDEX", ".".join(parts), message, "Entries count from 0; the next free one appends."
    )


def as_text(value: object, where: str = "project") -> Typed:
    """Return `value`, from a program, in document form: text, mappings and lists of it.

    value: A number without a unit is text without a unit: a field that needs one refuses it.

    Raises ``INPUT_TYPE`` for anything else, ``UNIT_UNKNOWN`` for a quantity in a unit that no field
    accepts.
    """
    if type(value).__module__ == "numpy":
        return as_text(value.tolist(), where)  # type: ignore[attr-defined]  # scalars and arrays
    if isinstance(value, Mapping):
        return {str(key): as_text(inner, f"{where}.{key}") for key, inner in value.items()}
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [as_text(inner, f"{where}[{index}]") for index, inner in enumerate(value)]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    from facility.core.units import typed_text  # the registry of units is built on first import

    return typed_text(value, where)
