"""The sections of a project as a tree, derived from the declaration of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import declared_path, fields, value_at

_MOST_ENTRIES = 300
_INDENT = "\u2003"


@dataclass(frozen=True)
class Place:
    """A section of a project, or an entry of one of its lists."""

    path: str  # ``it.halls.0``; empty for the fields of the document itself
    name: str  # As the tree shows it; of an entry with what it is called
    depth: int
    stated: int  # Fields that the project states in it
    is_next: bool = False  # Whether it is the entry that a list does not have yet

    @property
    def label(self) -> str:
        """Name behind its place in the tree."""
        return f"{_INDENT * self.depth}{self.name}"


@cache
def _below() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the sections in each section, a list with `[]`, by its declared path."""
    found: dict[str, dict[str, None]] = {"": {}}
    for path in fields():
        holder = ""
        for name in path.split(".")[:-1]:
            found.setdefault(holder, {})[name] = None
            holder = f"{holder}.{name}".strip(".")
            found.setdefault(holder, {})
    return {path: tuple(names) for path, names in found.items()}


def own_fields(path: str) -> tuple[tuple[str, Entry], ...]:
    """Return the fields of a section with their paths in the project, sections in it left out."""
    inside = declared_path(path) if path else ""
    holders = _below()
    return tuple(
        (f"{path}.{name}".strip("."), entry)
        for declared, entry in fields().items()
        for holder, _, name in [declared.rpartition(".")]
        if holder == inside and (declared not in holders or entry.type is not None)
    )


def visible(document: Mapping[str, object], at: str) -> tuple[Place, ...]:
    """Return the rows of the tree: the sections of the first level, and those around `at`."""
    return (Place("", "document", 0, 0), *_rows(document, "", "", 0, at))


def _rows(
    document: Mapping[str, object], declared: str, path: str, depth: int, at: str
) -> Iterator[Place]:
    for name in _below()[declared]:
        plain = name.removesuffix("[]")
        here, inside = f"{path}.{plain}".strip("."), f"{declared}.{name}".strip(".")
        for place in _places(document, here, plain, depth, is_list=plain != name):
            yield place
            if f"{at}.".startswith(f"{place.path}."):
                yield from _rows(document, inside, place.path, depth + 1, at)


def _places(
    document: Mapping[str, object], path: str, name: str, depth: int, *, is_list: bool
) -> Iterator[Place]:
    value = value_at(document, path)
    if not is_list:
        yield Place(path, name, depth, _stated(value))
        return
    entries = value if isinstance(value, list) else []
    for index, entry in enumerate(entries[:_MOST_ENTRIES]):
        called = next((text for text in entry.values() if isinstance(text, str)), "")
        title = f"{name} {index + 1}: {called}" if called else f"{name} {index + 1}"
        yield Place(f"{path}.{index}", title, depth, _stated(entry))
    yield Place(f"{path}.{len(entries)}", f"{name}: add", depth, 0, is_next=True)


def _stated(value: object) -> int:
    if isinstance(value, Mapping):
        return sum(map(_stated, value.values()))
    if isinstance(value, list):
        return sum(map(_stated, value))
    return int(value is not None)
