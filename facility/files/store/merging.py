"""A change that came second, merged with what was saved before it."""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.project.merge import Merged, Side, merged
from facility.files.store.library import Library, StoreConflict
from facility.files.store.records import SavedRevision


def merged_with_head(
    library: Library, conflict: StoreConflict, text: str, choices: Mapping[str, Side]
) -> Merged:
    """Return a refused change of a project brought together with its head.

    library: Where the project is.
    conflict: The refusal.
    text: What was to be saved.
    choices: ``base``, ``mine`` or ``theirs`` by path of a field that both changed.

    Raises as `Library.text` and `merged`.
    """
    project = conflict.head.project
    base = parse_project(library.text(project, conflict.based_on))
    theirs = parse_project(library.text(project, conflict.head.number))
    return merged(base, parse_project(text), theirs, choices)


def save_merged(
    library: Library, conflict: StoreConflict, text: str, choices: Mapping[str, Side]
) -> SavedRevision:
    """Save a refused change of a project merged with its head; return the new revision.

    Raises ``MERGE_CONFLICT`` naming the fields to decide; `StoreConflict` where somebody saved
    again; as `merged_with_head`.
    """
    found = merged_with_head(library, conflict, text, choices)
    if found.project is None:
        shown = "; ".join(
            f"{one.path}: {one.mine!s:.60} here, {one.theirs!s:.60} there"
            for one in found.conflicts[:10]
        )
        raise FacilityError(
            "MERGE_CONFLICT",
            conflict.head.project,
            f"both changed {len(found.conflicts)} fields, each otherwise: {shown}.",
            "Choose a side for each, or branch; nothing was saved.",
        )
    label = f"merged revision {conflict.based_on} changed with revision {conflict.head.number}"
    head = conflict.head
    return library.save(
        head.project, dump_project(found.project), based_on=head.number, label=label
    )
