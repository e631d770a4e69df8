"""Projects page: list of the library, examples and import of project files."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import example_names, example_text, parse_project
from facility.files.store.records import ProjectEntry, Role
from facility.ui import controls
from facility.ui.library import facts, listed, sharing, shelf
from facility.ui.session import identity, opened, state

_MAX_UPLOAD_MB = 1
_PX = 260
_SEEN = "import-seen"
_SINGLE = (
    "Single-user mode: no sign-in. Anyone who can reach this app can edit every project. With "
    "sign-in, projects are shared by role and by link."
)


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
        archived = st.toggle("Archive", key="projects-archive")
    found = {one.id: one for one in shelf.library().entries(search, archived=archived)}
    if not found:
        st.info(_empty(search, archived=archived), icon=":material/folder_off:")
        return
    actions = st.container(horizontal=True, vertical_alignment="center", gap="small")
    chosen = listed.show_entries(list(found.values()), "projects", selects=True)
    with actions:
        _actions(found[chosen])


def _actions(entry: ProjectEntry) -> None:
    """Show the selected project and the actions on it."""
    id, archived = entry.id, entry.archived_at is not None
    owns = entry.role.allows(Role.OWNER)
    lines = [listed.title_of(entry), *([entry.name] if entry.title and entry.name else [])]
    lines.append(f"Revision {entry.head.number}")
    if entry.origin is not None:
        lines.append(f"Copied from revision {entry.origin[1]} of another project")
    st.text(" · ".join(lines), width="stretch")
    words = "Continue" if opened.current().id == id else "Open"
    if st.button(words, icon=":material/folder_open:", key=f"open-{id}"):
        listed.open_entry(id)
    sharing.button(id, listed.title_of(entry), entry.role)
    controls.act("Duplicate", "content_copy", f"duplicate-{id}", shelf.duplicate, id)
    controls.act(
        "Unarchive" if archived else "Archive",
        "unarchive" if archived else "archive",
        f"archive-{id}",
        shelf.archive,
        *(id, not archived),
        disabled=not owns,
    )
    if st.button(
        "Delete …",
        icon=":material/delete:",
        key=f"delete-{id}",
        disabled=not owns,
        help=None if owns else "Only an owner can delete a project.",
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
        f"{listed.title_of(entry)}\n\nIts {count} revision{'' if count == 1 else 's'} will be "
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
        listed.show_result()


def _examples() -> None:
    known = facts.of_examples()
    examples = [
        listed.ListedProject(name, _example_title(name), known.get(name, {}))
        for name in example_names()
    ]

    def begin(name: str) -> None:
        shelf.begin_example(name)
        listed.show_result()

    listed.show_list(examples, "examples", begin)


@st.cache_data
def _example_title(name: str) -> str:
    return parse_project(example_text(name)).project.title or name
