"""Projects page: library cards, examples and import of project files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import example_names, example_text, parse_project
from facility.files.store.records import ProjectEntry, Role
from facility.ui import controls
from facility.ui.library import cards, facts, sharing, shelf
from facility.ui.session import identity, state

_MAX_UPLOAD_MB = 1
_PER_PAGE = 12
_PX = 260
_SEEN = "import-seen"
_SINGLE = (
    "Single-user mode: no sign-in. Anyone who can reach this app can edit every project. With "
    "sign-in, projects are shared by role and by link."
)


def _number(key: str) -> Callable[[ProjectEntry], float]:
    """Return a sort key for a figure of the card: largest first, missing values last."""

    def figure(entry: ProjectEntry) -> float:
        found = entry.head.facts.get(key)
        return -float(found) if isinstance(found, float | int) else float("inf")

    return figure


_ORDERS: dict[str, Callable[[ProjectEntry], float | str]] = {
    "Last edit": lambda entry: -entry.head.saved_at.timestamp(),
    "Title": lambda entry: cards.title_of(entry).casefold(),
    "Facility power, largest first": _number("load.facility"),
    "PUE, lowest first": lambda entry: -_number("pue.annual")(entry),
}


def show_projects() -> None:
    """Show the projects of the library, and the examples."""
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        st.subheader("Projects", anchor=False, width="content")
        with st.popover("Import a project file", icon=":material/upload_file:"):
            _import()
    visitor = identity.who()
    if visitor is not None and visitor.single:
        st.text(_SINGLE)
    try:
        _library()
    except FacilityError as error:
        controls.refused("The project library cannot be read", error)
        st.text(
            "You can continue working: edits are kept in this session and saved when the library "
            "is available again."
        )
    st.markdown("#### Start from an example")
    _examples()


def _library() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            "Search",
            key="projects-search",
            max_chars=80,
            width=_PX,
            placeholder="Title, name or number",
        )
        order = st.selectbox("Sort by", list(_ORDERS), key="projects-order", width=_PX)
        archived = st.toggle("Archive", key="projects-archive")
    found = sorted(shelf.library().entries(search, archived=archived), key=_ORDERS[order])
    if not found:
        st.info(_empty(search, archived=archived), icon=":material/folder_off:")
        return
    pages = -(-len(found) // _PER_PAGE)
    first = 0
    if pages > 1:
        first = (st.pagination(pages, key="projects-page") - 1) * _PER_PAGE
    cards.show_cards(found[first : first + _PER_PAGE], state.unit_system(), _more)


def _more(entry: ProjectEntry) -> None:
    """Show the further actions on a project."""
    id, archived = entry.id, entry.archived_at is not None
    owns = entry.role.allows(Role.OWNER)
    with st.popover("More actions", key=f"more-{id}"):
        sharing.button(id, cards.title_of(entry), entry.role, wide=True)
        controls.act(
            "Duplicate project",
            "content_copy",
            f"duplicate-{id}",
            shelf.duplicate,
            id,
            width="stretch",
        )
        controls.act(
            "Unarchive project" if archived else "Archive project",
            "unarchive" if archived else "archive",
            f"archive-{id}",
            shelf.archive,
            *(id, not archived),
            disabled=not owns,
            width="stretch",
        )
        if st.button(
            "Delete project …",
            icon=":material/delete:",
            key=f"delete-{id}",
            disabled=not owns,
            help=None if owns else "Only an owner can delete a project.",
            width="stretch",
        ):
            _ask_delete(entry)


def _empty(search: str, *, archived: bool) -> str:
    if search:
        return "No project matches. Search for words of the title, name, number or company."
    if archived:
        return "No archived projects."
    return (
        "No saved projects. Answer the questions of the place Start, open an example below, "
        "or import a project file."
    )


@st.dialog("Delete this project?")
def _ask_delete(entry: ProjectEntry) -> None:
    count = entry.head.number
    st.text(
        f"{cards.title_of(entry)}\n\nIts {count} revision{'' if count == 1 else 's'} will be "
        "deleted permanently. To hide it without deleting it, archive it."
    )
    with st.container(horizontal=True):
        if st.button("Delete project", key="delete-sure", on_click=shelf.delete, args=(entry.id,)):
            st.rerun()
        if st.button("Keep project", key="delete-not"):
            st.rerun()


def _import() -> None:
    files = st.file_uploader(
        "Project file (YAML or JSON) with the files it references, or a .zip of them",
        type=["yaml", "yml", "json", "zip", "epw", "csv", "gz"],
        accept_multiple_files=True,
        key=f"import@{state.session().generation}",
        max_upload_size=_MAX_UPLOAD_MB,
    )
    seen = tuple(file.file_id for file in files)
    if any(shelf.is_project(file.name) for file in files) and seen != st.session_state.get(_SEEN):
        st.session_state[_SEEN] = seen
        given = {file.name: file.getvalue() for file in files}
        shelf.import_files(given)
        cards.show_result()


def _examples() -> None:
    system, grid = state.unit_system(), cards.grid("examples")
    for name in example_names():
        lines = cards.fact_lines(facts.of_examples().get(name, {}), system)
        with cards.card(grid, _example_title(name), lines):
            if st.button("Open example", key=f"example-{name}", icon=":material/science:"):
                shelf.begin_example(name)
                cards.show_result()


@st.cache_data
def _example_title(name: str) -> str:
    return parse_project(example_text(name)).project.title or name
