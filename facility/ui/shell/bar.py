"""Bar above every view: project, save state, verdict, scenario, search, undo and units.

On a narrow screen the project, its violations and the search stay; a menu has the rest.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from facility.ui import verdict
from facility.ui.library import saved, shelf, titles
from facility.ui.objects.find import show_find
from facility.ui.scenarios import switch
from facility.ui.session import state, timeline
from facility.ui.shell import style

_UNITS = state.UNITS_KEY
_SYSTEMS = {"SI": "si", "IP": "ip"}


def show(*, of_project: bool) -> None:
    """Show the bar.

    of_project: Whether it shows the open project, and not only the units.
    """
    narrow = style.is_narrow()
    with st.container(
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute" if of_project else "right",
        gap="small",
        key="bar",
    ):
        if of_project:
            _project(narrow=narrow)
        if narrow:
            with _group("menu"):
                show_find()  # not in the menu, where its shortcut would work only while it is open
                with st.popover("Menu of the project", icon=":material/more_vert:", key="bar-more"):
                    if of_project:
                        saved.badge()
                    _tools(of_project=of_project, narrow=True)
        else:
            with _group("tools"):
                _tools(of_project=of_project, narrow=False)


def _project(*, narrow: bool) -> None:
    with _group("project"):
        titles.show(state.current(), brief=narrow)
        if not narrow:
            saved.badge()
    verdict.show_line(brief=narrow)


def _tools(*, of_project: bool, narrow: bool) -> None:
    if of_project:
        with _group("scenarios"):
            switch.show(narrow=narrow)
    with _group("steps"):
        if not narrow:
            show_find()
        if of_project:
            _steps()
    _units()


def _group(name: str) -> DeltaGenerator:
    return st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="xsmall",
        width="content",
        key=f"bar-{name}",
    )


def _steps() -> None:
    """Show undo and redo."""
    known = timeline.past()
    for name, steps, action in (
        ("Undo", known.past, shelf.undo),
        ("Redo", known.future, shelf.redo),
    ):
        what = f"{name}: {steps[-1].label}" if steps else f"Nothing to {name.lower()}"
        st.button(
            name,
            on_click=action,
            disabled=not steps,
            help=what,
            icon=f":material/{name.lower()}:",
            key=name.lower(),
            shortcut="Ctrl+Z" if name == "Undo" else "Ctrl+Shift+Z",
        )


def _units() -> None:
    """Show the selection of units, which the URL contains in any letter case: ``?units=ip``."""
    units = st.query_params.get(_UNITS, "")
    # A value set through the state is sent once, and lost if another run begins before that.
    st.segmented_control(
        "Units",
        list(_SYSTEMS.values()),
        default="si" if units in _SYSTEMS else _SYSTEMS.get(units.upper(), "si"),
        required=True,
        bind="query-params",
        key=_UNITS,
        format_func=str.upper,
        label_visibility="collapsed",
    )
