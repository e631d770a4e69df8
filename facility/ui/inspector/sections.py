"""The inputs of a project: a tree of sections, the fields of a section, one field in detail."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import streamlit as st

from facility.core.views import System
from facility.model.inputs.change import declared_path
from facility.model.inputs.declare import Entry
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import fields, value_at
from facility.report.objects.designed import designed
from facility.study.design.design import Design
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Event, Selected
from facility.ui.grid.tables import values_grid
from facility.ui.inspector import detail
from facility.ui.session import edits, state

_MAX_ENTRIES = 300
_INDENT = "\u2003"


@dataclass(frozen=True)
class SectionRow:
    """A section of a project, or an entry of a list."""

    path: str  # ``it.halls.0``; empty for the top-level fields of the document
    name: str  # Name in the tree; for a list entry with its title
    depth: int
    stated: int  # Number of specified fields
    is_next: bool = False  # Whether it is the row that adds an entry

    @property
    def label(self) -> str:
        """Name, indented by its depth in the tree."""
        return f"{_INDENT * self.depth}{self.name}"


@cache
def _below() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the subsections (lists with `[]`) of each section by declared path."""
    found: dict[str, dict[str, None]] = {"": {}}
    for path in fields():
        holder = ""
        for name in path.split(".")[:-1]:
            found.setdefault(holder, {})[name] = None
            holder = f"{holder}.{name}".strip(".")
            found.setdefault(holder, {})
    return {path: tuple(names) for path, names in found.items()}


def own_fields(path: str) -> tuple[tuple[str, Entry], ...]:
    """Return the fields of a section with their paths in the project, without subsections."""
    inside = declared_path(path) if path else ""
    holders = _below()
    return tuple(
        (f"{path}.{name}".strip("."), entry)
        for declared, entry in fields().items()
        for holder, _, name in [declared.rpartition(".")]
        if holder == inside and (declared not in holders or entry.type is not None)
    )


def visible(document: Mapping[str, object], at: str) -> tuple[SectionRow, ...]:
    """Return the rows of the tree: top-level sections, and the sections along the path `at`."""
    return (SectionRow("", "document", 0, 0), *_rows(document, "", "", 0, at))


def _rows(
    document: Mapping[str, object], declared: str, path: str, depth: int, at: str
) -> Iterator[SectionRow]:
    for name in _below()[declared]:
        plain = name.removesuffix("[]")
        here, inside = f"{path}.{plain}".strip("."), f"{declared}.{name}".strip(".")
        for section in _section_rows(document, here, plain, depth, is_list=plain != name):
            yield section
            if f"{at}.".startswith(f"{section.path}."):
                yield from _rows(document, inside, section.path, depth + 1, at)


def _section_rows(
    document: Mapping[str, object], path: str, name: str, depth: int, *, is_list: bool
) -> Iterator[SectionRow]:
    value = value_at(document, path)
    if not is_list:
        yield SectionRow(path, name, depth, _stated(value))
        return
    entries = value if isinstance(value, list) else []
    for index, entry in enumerate(entries[:_MAX_ENTRIES]):
        called = next((text for text in entry.values() if isinstance(text, str)), "")
        title = f"{name} {index + 1}: {called}" if called else f"{name} {index + 1}"
        yield SectionRow(f"{path}.{index}", title, depth, _stated(entry))
    yield SectionRow(f"{path}.{len(entries)}", f"{name}: add", depth, 0, is_next=True)


def _stated(value: object) -> int:
    if isinstance(value, Mapping):
        return sum(map(_stated, value.values()))
    if isinstance(value, list):
        return sum(map(_stated, value))
    return int(value is not None)


SECTION, FIELD = "inspector-place", "inspector-field"
_SEARCH, _SEARCHES = "inspector-search", "inspector-searches"
_NOT_REMOVED = "inspector-not-removed"
_HEADS = ("Field", "Specified", "Design value", "Meaning", "Source")
_FIRST = "it"
_TREE_PX, _TABLE_PX = 560, 292


def show(design: Design, system: System) -> None:
    """Show the section tree, the fields of a section and one field in detail."""
    document = as_typed(state.session().project)
    _search()
    rows = visible(document, st.session_state.get(SECTION, _FIRST))
    known = {row.path: row for row in rows}
    section = known.get(st.session_state.get(SECTION, _FIRST), known[_FIRST])
    left, right = st.columns([1, 3])
    with left:
        columns = {
            "Section": [row.label for row in rows],
            "Specified": [str(row.stated or "") for row in rows],
        }
        paths = [row.path for row in rows]
        _choice("Sections of the project", columns, paths, section.path, SECTION, _TREE_PX)
    with right:
        _heading(section)
        listed = own_fields(section.path)
        if not listed:
            st.text("This section has no fields. Select one of its subsections.")
            return
        chosen = st.session_state.get(FIELD)
        paths = [path for path, _ in listed]
        path = chosen if chosen in paths else paths[0]
        _table(design, system, section, paths, path)
        detail.show(design, path, system)


def _search() -> None:
    """Show the search for a field by name or meaning."""
    declared, count = fields(), st.session_state.get(_SEARCHES, 0)
    key = f"{_SEARCH}-{count}"

    def found() -> None:
        path = st.session_state[key]
        if path is not None:
            go_to(path.replace("[]", ".0"))
            st.session_state[_SEARCHES] = count + 1

    st.selectbox(
        "Search all inputs",
        list(declared),
        index=None,
        key=key,
        on_change=found,
        format_func=lambda path: f"{path}: {declared[path].declared.meaning}",
        placeholder=f"Search {len(declared)} inputs by name or meaning",
    )


def go_to(path: str) -> None:
    """Show the field at `path`."""
    st.session_state[SECTION], st.session_state[FIELD] = path.rpartition(".")[0], path


def _choice(
    label: str,
    columns: Mapping[str, Sequence[object]],
    ids: Sequence[str],
    chosen: str,
    name: str,
    height: int,
) -> None:
    """Show rows of which one is selected; its id becomes the session value `name`."""
    made = state.session().generation

    def picked(event: Event) -> None:
        if isinstance(event, Selected) and event.id in ids and state.session().generation == made:
            st.session_state[name] = event.id

    grid = values_grid(label, columns)
    rows = [row._replace(id=id) for row, id in zip(grid.rows, ids, strict=True)]
    grid = replace(grid, rows=rows, sorts=False, selects=True, selected=chosen, height=height)
    show_grid(grid, f"{name}-rows", picked)


def _heading(section: SectionRow) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        entry = section.path.rpartition(".")[2].isdecimal()
        st.text(f"{section.path} · {section.name}" if entry else section.path or section.name)
        if entry and not section.is_next:
            controls.edit("Remove entry", "delete", "inspector-remove", _remover(section.path))
    refused = st.session_state.pop(_NOT_REMOVED, None)
    if refused is not None:
        controls.refused("Entry not removed", refused)
    entries = own_fields(section.path)
    about = inspect.getdoc(entries[0][1].section) if entries else None
    if about and section.path:
        st.text(" ".join(about.replace("`", "").split()))


def _remover(path: str) -> Callable[[], None]:
    def remove() -> None:
        st.session_state[_NOT_REMOVED] = state.enter_all({path: ""}, f"{path} removed")

    return remove


def _table(
    design: Design, system: System, section: SectionRow, paths: list[str], chosen: str
) -> None:
    """Show the fields of a section; the selected row is shown in detail."""
    rows = [_row(design, system, path) for path in paths]
    columns = {head: [row[n] for row in rows] for n, head in enumerate(_HEADS)}
    label = f"Fields of {section.path or 'the document'}"
    _choice(label, columns, paths, chosen, FIELD, _TABLE_PX)


def _row(design: Design, system: System, path: str) -> tuple[str, ...]:
    """Return the cells of a field in the table."""
    meaning = fields()[declared_path(path)].declared.meaning.replace("`", "")
    session = state.session()
    name, stated = path.rpartition(".")[2], edits.shown_value(session, path)
    if stated is not None:
        source = "not applied" if path in session.refused else "project"
        return name, stated, "", meaning, source
    made = designed(design, path, system)
    return (name, "", made.text, meaning, made.source) if made else (name, "", "", meaning, "")
