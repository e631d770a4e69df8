"""Search for the further changes that make rejected entries possible, for the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import field_at, value_at
from facility.study.resolve.it.short_form import liquid_cooled, offered_gpus
from facility.ui.session import edits
from facility.ui.session.designs import designed
from facility.ui.session.edits import Session

MAX_TRIES = 12
"""Maximum number of designs of a search."""


NO_COOLANT = "NO_LIQUID_RACKS"
"""Code of the error of a cooling method whose remedy is another GPU, not another method."""


def remedies(
    project: Project, entries: Mapping[str, str], tell: Callable[[int], object]
) -> tuple[dict[str, str], ...]:
    """Return alternative changes that make `entries` possible, each proved by a design.

    Only the field that an error names is changed: to each of its words until one succeeds, or
    released. Liquid cooling of air-cooled equipment changes the GPU: to each liquid-cooled one.

    project: The project without the entries.
    tell: Receives the number of designs evaluated.
    """
    found, tried, waiting = list[dict[str, str]](), 0, [dict[str, str]()]
    while waiting and tried < MAX_TRIES:
        extra = waiting.pop(0)
        tell(tried)
        tried += 1
        try:
            edits.with_changes(
                Session(project), {**entries, **extra}, lambda one: designed(dump_project(one))
            )
        except FacilityError as error:
            where, values = error.where, _values(project, error.where)
            if error.code == NO_COOLANT:
                where = "it.gpu_model"
                values = (gpu for gpu in offered_gpus() if gpu in liquid_cooled())
            if not found and where not in entries and where not in extra:
                waiting += [{**extra, where: value} for value in values]
        else:
            found.append(extra)
            # Which GPU is the choice of the user; of other values the first suffices.
            waiting = [one for one in waiting if "it.gpu_model" in one.keys() & extra.keys()]
    return tuple(filter(None, found))


def _values(project: Project, path: str) -> Iterator[str]:
    """Yield the other values of a field: its words, and none if it is stated."""
    field = field_at(path)
    if field is None:
        return
    stated = value_at(as_typed(project), path)
    yield from (word for word in field.words if word != stated)
    if stated is not None:
        yield ""
