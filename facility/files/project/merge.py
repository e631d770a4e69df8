"""Field differences of two projects, and three-way merge of two changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from facility.core.errors import unknown
from facility.files.project.safe_yaml import yaml_text
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed, read_document

_NAMES = ("name", "id", "tag", "rev", "field", "model")
"""Fields that identify a list entry; the first present is used."""


@dataclass(frozen=True)
class FieldChange:
    """Field that differs between two projects."""

    path: str  # ``it.halls.0.racks.1.count``; the list path, if its entries do not match
    before: Typed  # None where it is left open
    after: Typed


def differences(before: Project, after: Project) -> tuple[FieldChange, ...]:
    """Return the fields of `after` that differ from `before`, in project order."""
    return tuple(_between(as_typed(before), as_typed(after), ""))


def shown(value: Typed) -> str:
    """Return the one-line text of a field; an unspecified field is "designed"."""
    if value is None:
        return "designed"
    return value if isinstance(value, str) else yaml_text(value, flow=True).strip()


def _between(before: Typed, after: Typed, path: str) -> Iterator[FieldChange]:
    if before == after:
        return
    parts = fields_of(before, after)
    if parts is None:
        yield FieldChange(path, before, after)
        return
    for name, (one, other) in parts.items():
        yield from _between(one, other, under(path, name))


def under(path: str, name: str) -> str:
    """Return the path of a field below `path`."""
    return f"{path}.{name}" if path else name


def fields_of(*values: Typed) -> dict[str, tuple[Typed, ...]] | None:
    """Return the common subfields of `values`, each with its value in every one.

    Sections are split by field (all unspecified in an unspecified section); lists of entries by
    index if all have equal length and entry names. None for single values: text, a list of text,
    lists whose entries do not match.
    """
    sections = [value or {} for value in values if isinstance(value, Mapping | None)]
    if len(sections) == len(values) and any(sections):
        names = dict.fromkeys(name for section in sections for name in section)
        return {name: tuple(section.get(name) for section in sections) for name in names}
    lists = [value for value in values if isinstance(value, list)]
    if len(lists) < len(values) or len({len(entries) for entries in lists}) > 1:
        return None
    rows = list(zip(*lists, strict=True))
    if all(_is_one_entry(row) for row in rows):
        return {str(index): row for index, row in enumerate(rows)}
    return None


def _is_one_entry(row: tuple[Typed, ...]) -> bool:
    """Return whether values at one index are the same entry, possibly changed."""
    names = {_name(value) for value in row}
    return len(names) == 1 and None not in names


def _name(value: Typed) -> str | None:
    """Return the identifying name of an entry; None without one."""
    if not isinstance(value, Mapping):
        return None
    return next((f"{key}={value[key]}" for key in _NAMES if key in value), None)


Side = Literal["base", "mine", "theirs"]


@dataclass(frozen=True)
class FieldConflict:
    """Field changed differently by both."""

    path: str
    base: Typed  # None where the field is left open
    mine: Typed
    theirs: Typed


@dataclass(frozen=True)
class Merged:
    """Merged project, or the conflicts to decide first."""

    project: Project | None  # None while conflicts are left
    conflicts: tuple[FieldConflict, ...]  # In the order of the project


def merged(
    base: Project,
    mine: Project,
    theirs: Project,
    choices: Mapping[str, Side] | None = None,
    prefer: Side | None = None,
) -> Merged:
    """Return the merge of two changes of `base`.

    A field changed by one side, or equally by both, takes the change. For fields changed
    differently, `choices` decide. Values that cannot be split into fields (a list with entries
    added or removed) are one field.

    base: Common original.
    mine, theirs: The two changes.
    choices: ``base``, ``mine`` or ``theirs`` by path of the conflict.
    prefer: Side of every other conflict.

    Raises ``UNKNOWN_CONFLICT`` for a choice without conflict; errors of a project file with the
    merged content, if the changes are incompatible.
    """
    merging = _Merging(choices or {}, prefer)
    sides = (as_typed(base), as_typed(mine), as_typed(theirs))
    found = merging.of(sides, "")
    vain = sorted(set(merging.choices) - merging.chosen)
    if vain:
        raise unknown(
            "UNKNOWN_CONFLICT",
            vain[0],
            "this field is not in conflict.",
            vain[0],
            [conflict.path for conflict in merging.conflicts],
        )
    if merging.conflicts or not isinstance(found, dict):
        return Merged(None, tuple(merging.conflicts))
    return Merged(read_document(found, mine.site.folder), ())


@dataclass
class _Merging:
    choices: Mapping[str, Side]
    prefer: Side | None = None
    chosen: set[str] = field(default_factory=set)  # Paths whose choice was used
    conflicts: list[FieldConflict] = field(default_factory=list)  # Those left

    def of(self, sides: tuple[Typed, ...], path: str) -> Typed:
        base, mine, theirs = sides
        if mine == theirs or theirs == base:
            return mine
        if mine == base:
            return theirs
        parts = fields_of(base, mine, theirs)
        if parts is not None:
            values = {name: self.of(found, under(path, name)) for name, found in parts.items()}
            if isinstance(base, list):
                return list(values.values())
            return {name: value for name, value in values.items() if value is not None} or None
        side = self.choices.get(path, self.prefer)
        if side is None:
            self.conflicts.append(FieldConflict(path, base, mine, theirs))
            return None
        self.chosen.add(path)
        return {"base": base, "mine": mine, "theirs": theirs}[side]
