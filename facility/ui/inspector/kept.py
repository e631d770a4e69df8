"""What a project still states because the example it began as does, and nobody typed.

Nothing is remembered of where a project is from: one that has the name, the number or the title of
an example began as that example, also after it was stored, sent and opened again. What it states
just as the example does was not entered for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from facility.files.project.file import example_names, example_text, parse_project
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import text_of, value_at

QUICK = (
    "it.gpu_model",
    "it.gpus",
    "power.redundancy",
    "cooling.method",
    "site.station",
    "site.country",
    "site.tariff",
)
"""Fields of the quick design: always in sight, so that nothing in them is kept in silence."""

_IDENTITY = ("project.name", "project.number", "project.title")
_IN_SIGHT = ("schema_version", "project", "it.halls", *QUICK)


@dataclass(frozen=True)
class Kept:
    """Fields that a project states as its example does."""

    example: str  # Name of the example
    things: Mapping[
        str, Mapping[str, str]
    ]  # Text of each field by its path, by what they belong to

    @property
    def fields(self) -> tuple[str, ...]:
        """Paths of all of them."""
        return tuple(path for fields in self.things.values() for path in fields)


def kept(project: Project) -> Kept | None:
    """Return what a changed project keeps of its example; None where it keeps nothing.

    Also None for the example as it is: it says what it says.
    """
    typed: Mapping[str, object] = as_typed(project)
    identity = [value_at(typed, mark) for mark in _IDENTITY]
    for name, example in _examples().items():
        began = [value_at(example, mark) for mark in _IDENTITY]
        if typed == example or not any(
            mine and mine == its for mine, its in zip(identity, began, strict=True)
        ):
            continue
        now, things = dict(_fields(typed)), dict[str, dict[str, str]]()
        for path, value in _fields(example):
            if now.get(path) == value:
                things.setdefault(".".join(path.split(".")[:2]), {})[path] = text_of(value)
        return Kept(name, things) if things else None
    return None


@cache
def _examples() -> Mapping[str, Mapping[str, object]]:
    """Return every example as typed, by name."""
    return {name: as_typed(parse_project(example_text(name), name)) for name in example_names()}


def _fields(value: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield every field that is stated and not in sight, a list as one; with its value."""
    for name, inner in value.items():
        path = f"{prefix}{name}"
        if path in _IN_SIGHT:
            continue
        if isinstance(inner, Mapping):
            yield from _fields(inner, f"{path}.")
        else:
            yield path, inner
