"""Session data, and its changes by entries, files and examples. This module has no widgets.

A rejected entry leaves the project unchanged and is retried together with every later entry. So two
changes that are only valid together (another GPU, and the cooling it requires) can be entered one
after the other.
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
from facility.ui.session.title import own_identity, retitled

_BOARDS = ("panels.boards", "panels.cords")

BELONGS_TO = {
    "it.gpu_model": ("it.server", "it.servers_per_rack", "it.cords", *_BOARDS),
    "it.server": ("it.gpu_model", "it.servers_per_rack", "it.cords", *_BOARDS),
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
"""Fields that depend on the value of a field, and may contradict a new value."""

_MAX_TRIES = 63
_MAX_VALUE, _MAX_ENTRIES = 2_000, 100
_Try = Callable[[Project], object]


@dataclass(frozen=True)
class Refused:
    """A rejected entry of a field, with its error."""

    value: str
    error: FacilityError


@dataclass(frozen=True)
class PanelDraft:
    """Rejected rows of a panel as entered, with their error."""

    rows: tuple[GridRow, ...]
    error: FacilityError


@dataclass(frozen=True)
class Session:
    """The project of one user, with rejected entries."""

    project: Project  # The last valid project
    # Rejected entries by field path, in the order of entry.
    refused: Mapping[str, Refused] = field(default_factory=dict)
    released: tuple[str, ...] = ()  # Fields cleared by the last entry
    # Rejected rows of panels, by tag.
    drafts: Mapping[str, PanelDraft] = field(default_factory=dict)
    generation: int = 0  # Changes when the whole project is replaced; recreates the inputs


def shown_value(session: Session, path: str) -> str | None:
    """Return the text for the input of a field: the rejected entry, else the project value.

    None if neither exists, and for a field that the project file specifies as a section.
    """
    if path in session.refused:
        return session.refused[path].value
    value = given(session.project, path)
    return None if value is None or isinstance(value, Section) else text_of(_as_entered(value))


def _as_entered(value: object) -> object:
    """Return a value of the project, or the values of a list, as written in the file."""
    if isinstance(value, list | tuple):
        return [_as_entered(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.text if isinstance(value, Measured) else value


def with_entry(session: Session, path: str, value: str, attempt: _Try) -> Session:
    """Return the session after `value` was entered for the field `path`.

    session: Session before.
    path, value: Field and text; an empty text clears the field.
    attempt: Designs a project, and raises FacilityError if this fails.
    """
    waiting = {name: entry.value for name, entry in session.refused.items() if name != path}
    waiting[path] = value
    project, released, taken = _largest_valid(session.project, waiting, attempt)
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
    """Return the session with several fields changed in one step.

    Rejected entries of these fields are removed. Raises if the project cannot be designed with
    all changes; the session is then unchanged.
    """
    project, released = _applied(session.project, changes, attempt)
    return replace(
        session,
        project=with_shared(project, session.project),
        refused={path: one for path, one in session.refused.items() if path not in changes},
        released=released,
    )


def without(session: Session, path: str) -> Session:
    """Return the session without the rejected entry of a field, which then shows its value."""
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
    rows: All rows as entered; kept as a draft if rejected.
    change: Writes the rows into a project, or raises FacilityError.
    attempt: Designs a project, and raises FacilityError if this fails.
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
    """Return the rejected entries and rows as JSON to store; empty if there are none.

    Very long entries are omitted, and the number of entries is limited.
    """
    entries = [
        {"path": path, "value": one.value, **one.error.as_dict()}
        for path, one in session.refused.items()
        if len(one.value) <= _MAX_VALUE
    ]
    panels = [
        {"panel": tag, "rows": [asdict(row) for row in one.rows], **one.error.as_dict()}
        for tag, one in session.drafts.items()
    ]
    if not entries and not panels:
        return ""
    return json.dumps({"entries": entries[-_MAX_ENTRIES:], "panels": panels[-_MAX_ENTRIES:]})


def with_waiting(session: Session, text: str) -> Session:
    """Return the session with the rejected entries from `text_of_waiting`, in the same order.

    Text that cannot be read, e.g. from another version, is ignored.
    """
    try:
        stored = json.loads(text)
        refused = {one["path"]: Refused(one["value"], _refusal(one)) for one in stored["entries"]}
        drafts = {
            one["panel"]: PanelDraft(tuple(GridRow(**row) for row in one["rows"]), _refusal(one))
            for one in stored["panels"]
        }
    except (ValueError, KeyError, TypeError):
        return session
    return replace(session, refused=refused, drafts=drafts)


def _refusal(stored: Mapping[str, str]) -> FacilityError:
    return FacilityError(stored["code"], stored["where"], stored["message"], stored["hint"])


def with_shared(project: Project, before: Project) -> Project:
    """Return `project` with equal sections replaced by the objects of `before`."""
    same = {
        name: getattr(before, name)
        for name in type(project).model_fields
        if getattr(before, name) == getattr(project, name)
    }
    return project.model_copy(update=same)


def _largest_valid(
    project: Project, waiting: dict[str, str], attempt: _Try
) -> tuple[Project, tuple[str, ...], Mapping[str, str]]:
    """Apply the largest valid combination of entries, preferring later ones; return it.

    After `_MOST_TRIES` combinations only the last entry is tried.
    """
    latest = list(reversed(waiting))
    every = (names for count in range(len(latest), 0, -1) for names in combinations(latest, count))
    for names in (*islice(every, _MAX_TRIES), latest[:1]):
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
    """Return the project with the entries, and the fields that had to be cleared for them."""
    try:
        return _designed(project, entries, attempt)
    except FacilityError:
        dependants = [path for entry in entries for path in BELONGS_TO.get(entry, ())]
        left = tuple(
            path
            for path in dict.fromkeys(dependants)
            if path not in entries and given(project, path) is not None
        )
        if not left:
            raise
    changed, unconfirmed = _designed(project, {**entries, **dict.fromkeys(left, "")}, attempt)
    return changed, (*left, *unconfirmed)


def _designed(
    project: Project, entries: Mapping[str, Typed], attempt: _Try
) -> tuple[Project, tuple[str, ...]]:
    """Return the project with the entries, and the obsolete confirmations that were removed."""
    changed, left = own_identity(retitled(with_entries(project, entries), project), project), []
    while True:
        try:
            attempt(changed)
        except FacilityError as error:
            if error.code != "UNKNOWN_ASSUMPTION" or not changed.confirmed:
                raise
            index = error.where.removeprefix("confirmed[").removesuffix("]")
            if not index.isdecimal() or changed.confirmed[int(index)] not in (
                project.confirmed or ()
            ):
                raise
            left.append(f"confirmed: {changed.confirmed[int(index)]}")
            changed = with_entries(changed, {f"confirmed.{index}": ""})
        else:
            return changed, tuple(left)


def given(project: Project, path: str) -> Any:
    """Return the value of the project at a path, with list indices; None if absent."""
    value: Any = project
    for name in path.split("."):
        if isinstance(value, list | tuple):
            value = value[int(name)] if name.isdecimal() and int(name) < len(value) else None
        elif isinstance(value, dict):
            value = value.get(name)
        else:
            value = getattr(value, name, None)
    return value
