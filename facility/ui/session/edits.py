"""What a session holds, and how an entry, a file or an example changes it. No widgets here.

An entry that is refused leaves the project as it was and waits: it is tried again together with
every later entry, so that two changes which only hold together (another GPU, and the cooling it
needs) can be made one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.files.project.file import apply_sets, parse_project
from facility.model.inputs.document import Project
from facility.model.inputs.scalars import Section
from facility.ui.session.own_panel import OwnEntry
from facility.ui.session.panel_rows import GridRow

_BOARDS = ("panels.boards", "panels.cords")

BELONGS_TO = {
    "it.gpu_model": ("it.server", "it.servers_per_rack", "it.cords", *_BOARDS),
    "it.gpus": _BOARDS,
    "power.redundancy": ("it.feeds", "it.cords", *_BOARDS),
    "cooling.method": _BOARDS,
}
"""Fields that were stated for the old value of a field, and may contradict a new one."""

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
    refused_file: FacilityError | None = None  # Why the last file was refused
    released: tuple[str, ...] = ()  # Fields that the last entry left to be designed again
    # Rows of panels that wait to be mended, by tag.
    drafts: Mapping[str, PanelDraft] = field(default_factory=dict)
    # The panel that the visitor brought, as entered and as last accepted.
    own: OwnEntry = field(default_factory=OwnEntry)
    generation: int = 0  # Changes when the project is replaced as a whole: inputs then start afresh


def shown_value(session: Session, path: str) -> str | None:
    """Return what the input of a field shows: what waits, else the project's, else None.

    None also for a field that the project file gives as a section.
    """
    if path in session.refused:
        return session.refused[path].value
    value = _given(session.project, path)
    if value is None or isinstance(value, Section):
        return None
    return value.text if isinstance(value, Measured) else str(value)


def with_entry(session: Session, path: str, value: str, attempt: _Try) -> Session:
    """Return the session after `value` was entered for the field `path`.

    Parameters
    ----------
    session : Session
        Session before.
    path, value : str
        Field and text; an empty text leaves the field to be designed.
    attempt : Callable[[Project], object]
        Designs a project, and raises FacilityError where there is none.
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
    return replace(session, project=shared, refused=ordered, refused_file=None, released=released)


def with_file(session: Session, content: bytes, name: str, attempt: _Try) -> Session:
    """Return the session with the project of a file, or with the reason why it was refused."""
    try:
        project = parse_project(content, name)
        attempt(project)
    except FacilityError as error:
        return replace(session, refused_file=error)
    return Session(project, own=session.own, generation=session.generation + 1)


def with_panel(
    session: Session,
    tag: str,
    rows: tuple[GridRow, ...],
    change: Callable[[Project], Project],
    attempt: _Try,
) -> Session:
    """Return the session after the rows of panel `tag` were edited.

    Parameters
    ----------
    session : Session
        Session before.
    tag : str
        Panel.
    rows : tuple[GridRow, ...]
        All rows as they were entered; they wait where they are refused.
    change : Callable[[Project], Project]
        Writes the rows into a project, or raises FacilityError.
    attempt : Callable[[Project], object]
        Designs a project, and raises FacilityError where there is none.
    """
    drafts = {name: draft for name, draft in session.drafts.items() if name != tag}
    try:
        project = change(session.project)
        attempt(project)
    except FacilityError as error:
        return replace(session, drafts=drafts | {tag: PanelDraft(rows, error)})
    shared = with_shared(project, session.project)
    return replace(session, project=shared, drafts=drafts, refused_file=None, released=())


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
    """Apply as many entries as hold together, rather the later ones; return which they are."""
    for count in range(len(waiting), 0, -1):
        for names in combinations(reversed(waiting), count):
            entries = {name: waiting[name] for name in waiting if name in names}
            try:
                changed, released = _applied(project, entries, attempt)
            except FacilityError:
                continue
            return changed, released, entries
    return project, (), {}


def _applied(
    project: Project, entries: Mapping[str, str], attempt: _Try
) -> tuple[Project, tuple[str, ...]]:
    """Return the project with the entries, and the fields that had to be left for them."""
    sets = [f"{path}={value}" for path, value in entries.items()]
    try:
        changed = apply_sets(project, sets)
        attempt(changed)
    except FacilityError:
        released = _released(project, entries)
        if not released:
            raise
    else:
        return changed, ()
    changed = apply_sets(project, [*sets, *(f"{path}=" for path in released)])
    attempt(changed)
    return changed, released


def _released(project: Project, entries: Mapping[str, str]) -> tuple[str, ...]:
    dependants = [path for entry in entries for path in BELONGS_TO.get(entry, ())]
    return tuple(
        path
        for path in dict.fromkeys(dependants)
        if path not in entries and _given(project, path) is not None
    )


def _given(project: Project, path: str) -> Any:
    value: Any = project
    for name in path.split("."):
        value = None if value is None else getattr(value, name)
    return value
