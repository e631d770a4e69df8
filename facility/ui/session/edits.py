"""What a session holds, and how an entry, a file or an example changes it. No widgets here.

An entry that is refused leaves the project as it was and waits: it is tried again together with
every later entry, so that two changes which only hold together (another GPU, and the cooling it
needs) can be made one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, islice
from typing import Any

from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project
from facility.model.inputs.entries import text_of, with_entries
from facility.model.inputs.scalars import Section
from facility.ui.session.panel_rows import GridRow
from facility.ui.session.title import retitled

_BOARDS = ("panels.boards", "panels.cords")

BELONGS_TO = {
    "it.gpu_model": ("it.server", "it.servers_per_rack", "it.cords", *_BOARDS),
    "it.gpus": _BOARDS,
    "power.redundancy": ("it.feeds", "it.cords", *_BOARDS),
    "cooling.method": _BOARDS,
    "site.station": ("site.weather_file",),
    "site.weather_file": ("site.station",),
    "site.grid_carbon": ("site.grid_carbon_file",),
    "site.grid_carbon_file": ("site.grid_carbon",),
    "it.load_profile.file": tuple(
        f"it.load_profile.{name}" for name in ("kind", "hours", "busy", "job_time", "ramp", "seed")
    ),
}
"""Fields that were stated for the old value of a field, and may contradict a new one."""

_MOST_TRIES = 63
_MOST_VALUE, _MOST_KEPT = 2_000, 100
_Try = Callable[[Project], object]


@dataclass(frozen=True)
class Refused:
    """What was entered in a field, and why it is not part of the project."""

    value: str
    error: FacilityError


@dataclass(frozen=True)
class PanelDraft:
    """Rows of a panel as they were entered, and why they are not part of the project."""

    rows: tuple[GridRow, ...]
    error: FacilityError


@dataclass(frozen=True)
class Session:
    """What the app remembers of one visitor."""

    project: Project  # The last valid project
    # Entries that wait, by path of the field, in the order they were made.
    refused: Mapping[str, Refused] = field(default_factory=dict)
    released: tuple[str, ...] = ()  # Fields that the last entry left to be designed again
    # Rows of panels that wait to be mended, by tag.
    drafts: Mapping[str, PanelDraft] = field(default_factory=dict)
    generation: int = 0  # Changes when the project is replaced as a whole: inputs then start afresh


def shown_value(session: Session, path: str) -> str | None:
    """Return what the input of a field shows: what waits, else the project's, else None.

    None also for a field that the project file gives as a section.
    """
    if path in session.refused:
        return session.refused[path].value
    value = given(session.project, path)
    return None if value is None or isinstance(value, Section) else text_of(_as_entered(value))


def _as_entered(value: object) -> object:
    """Return a value of the project, or the values of a list, as the file holds them."""
    if isinstance(value, list | tuple):
        return [_as_entered(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.text if isinstance(value, Measured) else value


def with_entry(session: Session, path: str, value: str, attempt: _Try) -> Session:
    """Return the session after `value` was entered for the field `path`.

    session: Session before.
    path, value: Field and text; an empty text leaves the field to be designed.
    attempt: Designs a project, and raises FacilityError where there is none.
    """
    waiting = {name: entry.value for name, entry in session.refused.items() if name != path}
    waiting[path] = value
    project, released, taken = _most(session.project, waiting, attempt)
    refused: dict[str, Refused] = {}
    for name in [name for name in waiting if name not in taken]:
        try:
            project, left = _applied(project, {name: waiting[name]}, attempt)
            released = (*released, *left)
        except FacilityError as error:
            refused[name] = Refused(waiting[name], error)
    ordered = {name: refused[name] for name in waiting if name in refused}
    if project is session.project:
        return replace(session, refused=ordered)
    shared = with_shared(project, session.project)
    return replace(session, project=shared, refused=ordered, released=released)


def with_changes(session: Session, changes: Mapping[str, Typed], attempt: _Try) -> Session:
    """Return the session with several fields changed at once.

    Entries that wait for these very fields are gone.

    Raises where the project cannot be designed with all of them; the session then stays.
    """
    project, released = _applied(session.project, changes, attempt)
    return replace(
        session,
        project=with_shared(project, session.project),
        refused={path: one for path, one in session.refused.items() if path not in changes},
        released=released,
    )


def without(session: Session, path: str) -> Session:
    """Return the session without the entry of a field that waits; its input shows the project's."""
    waiting = {name: entry for name, entry in session.refused.items() if name != path}
    return replace(session, refused=waiting, generation=session.generation + 1)


def with_panel(
    session: Session,
    tag: str,
    rows: tuple[GridRow, ...],
    change: Callable[[Project], Project],
    attempt: _Try,
) -> Session:
    """Return the session after the rows of panel `tag` were edited.

    session: Session before.
    tag: Panel.
    rows: All rows as they were entered; they wait where they are refused.
    change: Writes the rows into a project, or raises FacilityError.
    attempt: Designs a project, and raises FacilityError where there is none.
    """
    drafts = {name: draft for name, draft in session.drafts.items() if name != tag}
    try:
        project = change(session.project)
        attempt(project)
    except FacilityError as error:
        return replace(session, drafts=drafts | {tag: PanelDraft(rows, error)})
    shared = with_shared(project, session.project)
    return replace(session, project=shared, drafts=drafts, released=())


def text_of_waiting(session: Session) -> str:
    """Return what waits to be mended as a text to keep; empty where nothing does.

    Entries longer than anybody types, and those beyond the most that are kept, are left out.
    """
    entries = [
        {"path": path, "value": one.value, **one.error.as_dict()}
        for path, one in session.refused.items()
        if len(one.value) <= _MOST_VALUE
    ]
    panels = [
        {"panel": tag, "rows": [asdict(row) for row in one.rows], **one.error.as_dict()}
        for tag, one in session.drafts.items()
    ]
    if not entries and not panels:
        return ""
    return json.dumps({"entries": entries[-_MOST_KEPT:], "panels": panels[-_MOST_KEPT:]})


def with_waiting(session: Session, text: str) -> Session:
    """Return the session with what `text_of_waiting` kept, waiting in the same order.

    What cannot be read, by another version perhaps, is left out: it was no part of the project.
    """
    try:
        kept = json.loads(text)
        refused = {one["path"]: Refused(one["value"], _refusal(one)) for one in kept["entries"]}
        drafts = {
            one["panel"]: PanelDraft(tuple(GridRow(**row) for row in one["rows"]), _refusal(one))
            for one in kept["panels"]
        }
    except (ValueError, KeyError, TypeError):
        return session
    return replace(session, refused=refused, drafts=drafts)


def _refusal(kept: Mapping[str, str]) -> FacilityError:
    return FacilityError(kept["code"], kept["where"], kept["message"], kept["hint"])


def with_shared(project: Project, before: Project) -> Project:
    """Return `project` with those sections taken from `before` that are equal to its own."""
    same = {
        name: getattr(before, name)
        for name in type(project).model_fields
        if getattr(before, name) == getattr(project, name)
    }
    return project.model_copy(update=same)


def _most(
    project: Project, waiting: dict[str, str], attempt: _Try
) -> tuple[Project, tuple[str, ...], Mapping[str, str]]:
    """Apply as many entries as hold together, rather the later ones; return which they are.

    Of many entries not every combination is tried: after `_MOST_TRIES` the last one alone is.
    """
    latest = list(reversed(waiting))
    every = (names for count in range(len(latest), 0, -1) for names in combinations(latest, count))
    for names in (*islice(every, _MOST_TRIES), latest[:1]):
        entries = {name: waiting[name] for name in waiting if name in names}
        try:
            changed, released = _applied(project, entries, attempt)
        except FacilityError:
            continue
        return changed, released, entries
    return project, (), {}


def _applied(
    project: Project, entries: Mapping[str, Typed], attempt: _Try
) -> tuple[Project, tuple[str, ...]]:
    """Return the project with the entries, and the fields that had to be left for them."""
    try:
        return _designed(project, entries, attempt)
    except FacilityError:
        left = _released(project, entries)
        if not left:
            raise
    changed, unconfirmed = _designed(project, {**entries, **dict.fromkeys(left, "")}, attempt)
    return changed, (*left, *unconfirmed)


def _designed(
    project: Project, entries: Mapping[str, Typed], attempt: _Try
) -> tuple[Project, tuple[str, ...]]:
    """Return the project with the entries, and the confirmations of what it assumes no longer."""
    changed, left = retitled(with_entries(project, entries), project), []
    while True:
        try:
            attempt(changed)
        except FacilityError as error:
            if error.code != "UNKNOWN_ASSUMPTION" or not changed.confirmed:
                raise
            place = error.where.removeprefix("confirmed[").removesuffix("]")
            if not place.isdecimal() or changed.confirmed[int(place)] not in (
                project.confirmed or ()
            ):
                raise
            left.append(f"confirmed: {changed.confirmed[int(place)]}")
            changed = with_entries(changed, {f"confirmed.{place}": ""})
        else:
            return changed, tuple(left)


def _released(project: Project, entries: Mapping[str, Typed]) -> tuple[str, ...]:
    dependants = [path for entry in entries for path in BELONGS_TO.get(entry, ())]
    return tuple(
        path
        for path in dict.fromkeys(dependants)
        if path not in entries and given(project, path) is not None
    )


def given(project: Project, path: str) -> Any:
    """Return what the project holds at a path, into lists by index; None where nothing is."""
    value: Any = project
    for name in path.split("."):
        if isinstance(value, list | tuple):
            value = value[int(name)] if name.isdecimal() and int(name) < len(value) else None
        elif isinstance(value, dict):
            value = value.get(name)
        else:
            value = getattr(value, name, None)
    return value
