"""One ``path=value`` change to a document of nested mappings and lists."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from facility.core.errors import FacilityError

_INDEX = re.compile(r"\[(\d{1,6})\]", re.ASCII)
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_PART = re.compile(r"[\w-]{1,64}")
_MAX_PATH = 300

Container = dict[str, Any] | list[Any]


def set_field(document: dict[str, Any], text: str) -> None:
    """Apply the change `text` to `document` in place.

    Mappings and lists on the way are made where they are missing; whether a name exists is left
    to the validation of the document.

    Raises
    ------
    FacilityError
        ``SET_SYNTAX`` for anything but ``path=value``; ``SET_INDEX`` for an entry that a list
        does not have, an index where names are expected, or a name where an index is.
    """
    path, equals, value = text.partition("=")
    parts = _INDEX.sub(r".\1", path.strip()).split(".")
    if not equals or len(path) > _MAX_PATH or not all(map(_PART.fullmatch, parts)):
        raise FacilityError(
            "SET_SYNTAX",
            "--set",
            f"{text[:80]!r} is not a change.",
            "Write path=value, e.g. it.gpus=2048 or it.halls.0.racks.1.count=4.",
        )
    _assign(document, parts, value.strip())


def _assign(document: dict[str, Any], parts: list[str], value: str) -> None:
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
        _put(holder, parts[-1], value or None)
    elif last is None:
        _refuse(parts[:-1], f"has no entry {parts[-1]} to remove.")
    else:
        del holder[int(parts[-1])]


def _entry(holder: Container, parts: list[str], depth: int) -> Any:
    """Return what stands at ``parts[depth]``, None where something may be put."""
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
