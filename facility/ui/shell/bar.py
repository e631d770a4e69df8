"""Bar above every page of the open project: title, save state, verdict, search, undo and units."""

from __future__ import annotations

import streamlit as st

from facility.ui import verdict
from facility.ui.library import saved, titles
from facility.ui.session import state, timeline
from facility.ui.why.drawer import show_search

_UNITS = state.UNITS_KEY
_SYSTEMS = {"SI": "si", "IP": "ip"}


def show(*, of_project: bool) -> None:
    """Show the bar.

    of_project: Whether it shows the open project, and not only the units.
    """
    with st.container(
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
        gap="small",
        key="bar",
    ):
        if of_project:
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                titles.show(state.current())
                saved.badge()
            verdict.show_line()
        with st.container(
            horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        ):
            if of_project:
                show_search()
                _steps()
            _units()


def _steps() -> None:
    """Show undo and redo."""
    known = timeline.past()
    for name, steps, action in (
        ("Undo", known.past, timeline.undo),
        ("Redo", known.future, timeline.redo),
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
    st.session_state.setdefault(_UNITS, _SYSTEMS.get(units.upper(), "si"))
    st.segmented_control(
        "Units",
        list(_SYSTEMS.values()),
        required=True,
        bind="query-params",
        key=_UNITS,
        format_func=str.upper,
        label_visibility="collapsed",
    )
