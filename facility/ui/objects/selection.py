"""The selected object of the design, one value for tree, canvas, search and inspector."""

from __future__ import annotations

import streamlit as st

from facility.report.objects.objects import SITE, DesignObjects

ADDRESS = "o"
"""URL parameter of the selected object."""
_SELECTED, _VIEW, _INPUT = "design-object", "design-view", "design-input"
_DRAWN, _WRITTEN = "design-drawn", "design-address"
DRAWING = "drawing"
"""View of an object that every object has: the canvas."""
_FIRST_VIEW = {"panel": "schedule", "busway": "schedule", "site": "summary"}
"""View shown when an object of this kind is selected in the tree or the search."""


def selected(objects: DesignObjects) -> str:
    """Return the id of the selected object: that of a new URL, else of the session, else the site.

    An object that a change of the project removed is no longer selected; one of the power network
    stays selected while the network is calculated again. The site is shown first by its summary,
    which needs no study.
    """
    chosen, address = st.session_state.get(_SELECTED), st.query_params.get(ADDRESS)
    is_new = address != st.session_state.get(_WRITTEN)
    for id in (address, chosen) if is_new else (chosen, address):
        if id in objects:
            return str(id)
    if objects.network is not None or not (chosen or address):
        select(SITE, "site")
    return SITE


def select(id: str, kind: str = "") -> None:
    """Select an object in the tree or the search; `kind` decides its first view."""
    pick(id)
    st.session_state[_VIEW] = _FIRST_VIEW.get(kind, DRAWING)


def pick(id: str) -> None:
    """Select an object in the drawing, which stays displayed."""
    st.session_state[_SELECTED] = id
    st.session_state.pop(_INPUT, None)


def keep_in_address(id: str) -> None:
    """Write the selected object to the URL."""
    st.session_state[_SELECTED] = st.session_state[_WRITTEN] = id
    if st.query_params.get(ADDRESS) != id:
        st.query_params[ADDRESS] = id


def view() -> str:
    """Return the view of the selected object that is shown."""
    return str(st.session_state.get(_VIEW) or DRAWING)


def show_view(view: str) -> None:
    """Show another view of the selected object."""
    st.session_state[_VIEW] = view


def opened_input() -> str:
    """Return the path of the input that is opened in the inspector; empty if none is."""
    return str(st.session_state.get(_INPUT) or "")


def open_input(path: str) -> None:
    """Open an input in the inspector, or close it if it is open."""
    st.session_state[_INPUT] = "" if path == opened_input() else path


def go_to_input(id: str, path: str) -> None:
    """Select the object of an input and open the input in the inspector."""
    select(id)
    st.session_state[_INPUT] = path


def is_new(id: str) -> bool:
    """Return whether the drawing is shown for the first time since this object was selected."""
    before = st.session_state.get(_DRAWN)
    st.session_state[_DRAWN] = id
    return bool(before != id)
