"""What is entered here, and what somebody else saved meanwhile, brought together by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.project.merge import FieldConflict, Merged, Side, merged
from facility.files.store.library import StoreConflict
from facility.files.store.records import SavedRevision
from facility.ui.library import shelf
from facility.ui.session import opened, state, timeline
from facility.ui.session.title import retitled, without_told_titles


def conflicts() -> tuple[tuple[FieldConflict, ...], int]:
    """Return the fields that both changed, each otherwise, and the number of their revision.

    Raises where one of the revisions cannot be read.
    """
    found, head = _merged({})
    return found.conflicts, head.number


def merge_with_theirs(choices: Mapping[str, Side], seen: int) -> FacilityError | None:
    """Show and save both changes; return why it was refused.

    choices: The side that is taken, by path of each conflict.
    seen: Number of their revision that the choices were made on.
    """
    now, mine = opened.current(), timeline.session()
    try:
        found, head = _merged(choices)
        if found.project is None or head.number != seen:
            raise StoreConflict(head, seen)
        state.design_of(found.project)
    except FacilityError as error:
        return error
    now.saver.drop()
    now.number, now.newer = head.number, None
    both = replace(mine, project=found.project, generation=mine.generation + 1)
    label = f"merged with revision {head.number} by {head.who}"
    timeline.put(both, label)
    opened.save_project(found.project, label)
    opened.save_panels(both)
    opened.keep_again()
    return None


def _merged(choices: Mapping[str, Side]) -> tuple[Merged, SavedRevision]:
    now, library = opened.current(), shelf.library()
    head = library.entry(now.id).head
    text = library.text(now.id, head.number)
    opened.fetch_files(library, now.id, text)
    theirs = parse_project(text, "stored project")
    base = parse_project(library.text(now.id, now.number), "stored project")
    # Titles that nobody typed are told anew by what comes out, and are nothing to decide.
    mine, others = without_told_titles(base, timeline.session().project, theirs)
    found = merged(base, mine, others, choices)
    if found.project is not None:
        found = replace(found, project=retitled(found.project, base))
    return found, head
