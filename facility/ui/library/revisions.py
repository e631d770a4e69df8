"""Revisions page: name, restore, compare and download revisions of the open project."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.io.file_names import safe_file_name
from facility.files.project import compared
from facility.files.project.file import parse_project
from facility.files.project.merge import differences
from facility.files.store.records import SavedRevision
from facility.ui.blocks import render
from facility.ui.blocks.blocks import Tabs
from facility.ui.controls import download, edit, refused
from facility.ui.downloads.project_file import file_of_text
from facility.ui.grid.component import show_grid
from facility.ui.grid.tables import values_grid
from facility.ui.library import sharing, shelf, times
from facility.ui.library.listed import figures
from facility.ui.session import opened, state

_PX = 420


def show_revisions() -> None:
    """Show the revisions of the open project."""
    render.heading("Revisions", state.current())
    now = opened.current()
    if not now.id:
        st.info(
            "Examples have no revisions. Change an input to save this example as a project; each "
            "later change is listed here as a revision.",
            icon=":material/history:",
        )
        return
    try:
        found = {one.number: one for one in shelf.library().revisions(now.id)}
    except FacilityError as error:
        refused("Revisions not read", error)
        return
    sharing.button(now.id, state.current().title, now.role)
    _list(found)
    _work_on(found)
    st.markdown("#### Compare")
    _compare(found)


def _list(found: Mapping[int, SavedRevision]) -> None:
    system = state.unit_system()
    listed = found.values()
    show_grid(
        values_grid(
            "Revisions",
            {
                "Revision": [one.number for one in listed],
                "Name": [one.name or "" for one in listed],
                "Change": [one.label for one in listed],
                "Saved": [times.at(one.saved_at) for one in listed],
                "By": [times.by(one, here=True) for one in listed],
                "Key results": [figures(one.facts, system) for one in listed],
            },
        ),
        "revisions",
    )


def _work_on(found: Mapping[int, SavedRevision]) -> None:
    now = opened.current()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = _choice("Revision", found, 0, "revision-chosen")
        name = st.text_input(
            "Revision name",
            key="revision-name",
            max_chars=100,
            width=260,
            placeholder="e.g. issued for review",
        )
        help, do = "A named revision is never removed.", _named(number)
        edit("Name revision", "label", "revision-name-it", do, ready=bool(name), help=help)
        help = "Save this revision again as the newest; the revisions in between are kept."
        ready = number != now.number
        edit(
            "Restore revision",
            "restore",
            "revision-restore",
            shelf.restore,
            number,
            ready=ready,
            help=help,
        )
        _file(number)


def _file(number: int) -> None:
    """Show the download of a revision, with the files it references."""
    library, id = shelf.library(), opened.current().id
    text = library.text(id, number)
    name = f"{safe_file_name(state.current().facility.identity.name)}-r{number}"
    try:
        opened.fetch_files(library, id, text)
        file = file_of_text(lambda: text, parse_project(text), name)
    except FacilityError as error:
        st.text(f"No project file available: {error}")
        return
    download(file.title, file.name, file.make, "revision-file")


def _named(number: int) -> Callable[[], None]:
    def named() -> None:
        shelf.name_revision(number, st.session_state["revision-name"])
        st.session_state["revision-name"] = ""

    return named


def _choice(title: str, found: Mapping[int, SavedRevision], default: int, key: str) -> int:
    def label(number: int) -> str:
        one = found[number]
        return f"{number} · {one.name or one.label}"

    return st.selectbox(
        title,
        list(found),
        index=min(default, len(found) - 1),
        key=key,
        format_func=label,
        width=_PX,
    )


def _compare(found: Mapping[int, SavedRevision]) -> None:
    if len(found) < 2:
        st.text("Only one revision. Change an input to save a second one.")
        return
    with st.container(horizontal=True):
        first = _choice("From", found, 1, "compare-from")
        second = _choice("To", found, 0, "compare-to")
    if first == second:
        st.text("Choose two different revisions.")
        return
    library, project = shelf.library(), opened.current().id
    names = (f"Revision {first}", f"Revision {second}")
    try:
        was, now = (opened.read_revision(library, project, number) for number in (first, second))
        before, after = state.design_of(was), state.design_of(now)
    except FacilityError as error:
        refused("Revisions not compared", error)
        return
    system = state.unit_system()
    for number in (first, second):
        verdict = found[number].facts.get("verdict")
        st.text(f"Verdict, revision {number}: {verdict or 'unknown, not all studies were run'}")
    inputs, results = st.columns(2, gap="medium")
    with inputs:
        table = compared.input_table(differences(was, now), names)
        render.show([Tabs([table], "compared-inputs")])
    with results:
        made = [
            compared.figure_table(before, after, names, system),
            compared.result_table(before, after, names, system),
        ]
        render.show([Tabs(made, "compared-results")])
