"""Search for the further changes that make rejected entries possible, for the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import field_at, value_at
from facility.ui.session import edits
from facility.ui.session.designs import designed
from facility.ui.session.edits import Session

MAX_TRIES = 12
"""Maximum number of designs of a search."""


def remedy(
    project: Project, entries: Mapping[str, str], tell: Callable[[int], object]
) -> dict[str, str]:
    """Return the changes that make `entries` possible, proved by a design; empty if none is found.

    Only the field that an error names is changed: to each of its words, or released.

    project: The project without the entries.
    tell: Receives the number of designs evaluated.
    """
    tried, waiting = 0, [dict[str, str]()]
    while waiting and tried < MAX_TRIES:
        extra = waiting.pop(0)
        tell(tried)
        tried += 1
        try:
            edits.with_changes(
                Session(project), {**entries, **extra}, lambda one: designed(dump_project(one))
            )
        except FacilityError as error:
            where = error.where
        else:
            return extra
        if where not in entries and where not in extra:
            waiting += [{**extra, where: value} for value in _values(project, where)]
    return {}


def _values(project: Project, path: str) -> Iterator[str]:
    """Yield the other values of a field: its words, and none if it is stated."""
    field = field_at(path)
    if field is None:
        return
    stated = value_at(as_typed(project), path)
    yield from (word for word in field.words if word != stated)
    if stated is not None:
        yield ""
