"""Two changes of one project brought together, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from facility.core.errors import unknown
from facility.files.project.differences import fields_of, under
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed, read_document

Side = Literal["base", "mine", "theirs"]


@dataclass(frozen=True)
class FieldConflict:
    """A field that both changed, each otherwise."""

    path: str
    base: Typed  # None where the field is left open
    mine: Typed
    theirs: Typed


@dataclass(frozen=True)
class Merged:
    """Both changes in one project, or what has to be decided first."""

    project: Project | None  # None while conflicts are left
    conflicts: tuple[FieldConflict, ...]  # In the order of the project


def merged(
    base: Project, mine: Project, theirs: Project, choices: Mapping[str, Side] | None = None
) -> Merged:
    """Return two changes of `base` in one project.

    A field that one of them changed is as that one has it; one that both changed alike, too.
    Where both changed it otherwise, `choices` decide. What cannot be told apart field by field (a
    list with entries added or removed) is one field.

    base: What both began from.
    mine, theirs: The two changes.
    choices: ``base``, ``mine`` or ``theirs`` by path of the conflict.

    Raises ``UNKNOWN_CONFLICT`` for a choice where none is to be made; what a project file of this
    content would be refused for, where the two changes do not go together.
    """
    merging = _Merging(choices or {})
    sides = (as_typed(base), as_typed(mine), as_typed(theirs))
    found = merging.of(sides, "")
    vain = sorted(set(merging.choices) - merging.chosen)
    if vain:
        raise unknown(
            "UNKNOWN_CONFLICT",
            vain[0],
            "both did not change this field, each otherwise.",
            vain[0],
            [conflict.path for conflict in merging.conflicts],
        )
    if merging.conflicts or not isinstance(found, dict):
        return Merged(None, tuple(merging.conflicts))
    return Merged(read_document(found, mine.site.folder), ())


@dataclass
class _Merging:
    choices: Mapping[str, Side]
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
        side = self.choices.get(path)
        if side is None:
            self.conflicts.append(FieldConflict(path, base, mine, theirs))
            return None
        self.chosen.add(path)
        return {"base": base, "mine": mine, "theirs": theirs}[side]
