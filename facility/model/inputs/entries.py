"""Fields of the document by user path, and their text entries.

An entry is text for one field: a value, list values separated by semicolons or commas, values by
name. It is converted to the file representation; this module declares no fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from facility.core.parse import plain_text
from facility.model.inputs.change import Typed, declared_path, normal_path, put
from facility.model.inputs.declare import Entry, fields_of
from facility.model.inputs.document import Project, as_typed, read_document, stated

# A comma between digits belongs to a number; any other comma separates two values.
_BETWEEN = re.compile(r",(?!\d)|(?<!\d),")


def fields() -> Mapping[str, Entry]:
    """Return every field of the document by its path, with `[]` for a list."""
    return fields_of(Project)


def field_at(path: str) -> Entry | None:
    """Return the field at a path such as ``it.halls.0.racks.1.count``; None if absent."""
    return fields().get(declared_path(path))


def typed_of(text: str, field: Entry | None) -> Typed:
    """Return the file representation of the text entered in a field.

    text: Entered text; empty text clears the field.
    field: The field; None for a section, or an entry of a list.
    """
    clean = text.strip()
    if field is None or not clean:
        return clean
    if field.declared.each is not None:
        pairs = (part.partition(":") for part in _parts(clean))
        return {name.strip(): _plain(value, field) for name, _, value in pairs}
    return [_plain(part, field) for part in _parts(clean)] if field.many else _plain(clean, field)


def text_of(value: object) -> str:
    """Return a stored field value as the text to enter."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {inner}" for name, inner in value.items())
    if isinstance(value, list):
        between = "; " if any("," in str(inner) for inner in value) else ", "
        return between.join(str(inner) for inner in value)
    return "" if value is None else str(value)


def with_entries(project: Project, entries: Mapping[str, Typed]) -> Project:
    """Return the project with field entries, by path.

    A mapping or a list is inserted as in a file.

    Raises as `read_document`, and as `put` for an unknown path.
    """
    document = as_typed(project)
    for path, value in entries.items():
        field = field_at(path)
        put(document, path, typed_of(value, field) if isinstance(value, str) else value)
        holder = normal_path(path).rpartition(".")[0]
        if value_at(document, holder) == []:
            put(document, holder, "")  # the last entry of the list was removed
    return read_document(stated(document), project.site.folder)


def value_at(document: Mapping[str, object], path: str) -> object:
    """Return the value at a path of a typed document; None if absent."""
    found: object = document
    for part in normal_path(path).split("."):
        if isinstance(found, list):
            found = found[int(part)] if part.isdecimal() and int(part) < len(found) else None
        else:
            found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _parts(text: str) -> list[str]:
    inner = text.removeprefix("[").removesuffix("]")
    parts = inner.split(";") if ";" in inner else _BETWEEN.split(inner)
    return [part.strip() for part in parts if part.strip()]


def _plain(text: str, field: Entry) -> str:
    """Return a value with its number written plainly; words are unchanged."""
    return plain_text(text.strip(), count=field.kind == "count") if field.kind else text.strip()
