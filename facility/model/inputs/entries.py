"""Fields of the document by the path that a person uses, and what is entered for them as text.

An entry is text for one field: a value, values of a list between semicolons or commas, values by
name. It becomes what the file would hold; nothing about a field is written here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from facility.core.parse import plain_text
from facility.model.inputs.change import Typed, declared_path, normal_path, put
from facility.model.inputs.declare import Entry, fields_of
from facility.model.inputs.document import Project, as_typed, read_document, stated

# A comma between digits belongs to a number; any other stands between two values.
_BETWEEN = re.compile(r",(?!\d)|(?<!\d),")


def fields() -> Mapping[str, Entry]:
    """Return every field of the document by its path, with `[]` for a list."""
    return fields_of(Project)


def field_at(path: str) -> Entry | None:
    """Return the field at a path such as ``it.halls.0.racks.1.count``; None where none is."""
    return fields().get(declared_path(path))


def typed_of(text: str, field: Entry | None) -> Typed:
    """Return what the file would hold for the text entered in a field.

    text: What was entered; an empty text leaves the field open.
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
    """Return the value of a field, as the file holds it, as the text to enter for it."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {inner}" for name, inner in value.items())
    if isinstance(value, list):
        between = "; " if any("," in str(inner) for inner in value) else ", "
        return between.join(str(inner) for inner in value)
    return "" if value is None else str(value)


def with_entries(project: Project, entries: Mapping[str, Typed]) -> Project:
    """Return the project with what was entered for fields, by their paths.

    A mapping or a list is put where it belongs as a file holds it.

    Raises as `read_document`, and for a path that leads nowhere as `put`.
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
    """Return what stands at a path of a document as typed; None where nothing does."""
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
    """Return a value with its number written plainly; words stay as they are."""
    return plain_text(text.strip(), count=field.kind == "count") if field.kind else text.strip()
