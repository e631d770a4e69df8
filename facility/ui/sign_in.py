"""Signing in and out, where the server is set up for it, and coming by a link."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.ui.session import opened
from facility.ui.session.identity import LINK, Visitor, who


def require() -> None:
    """Ask who has yet to sign in to do so, and show nothing else; say who is signed in.

    Who came by a link is led to its project. Where nobody signs in, nothing is asked.
    """
    visitor = who()
    if visitor is None:
        _ask("Power and cooling design of AI data centers.")
    elif visitor.link:
        _follow(visitor)
    elif not visitor.single:
        with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
            st.text(visitor.name)
            # No callback: the page is drawn whole once more until the browser has left it, so that
            # what refreshes itself on it still finds its place.
            if st.button("Sign out", icon=":material/logout:"):
                st.logout()


def _ask(words: str) -> None:
    st.title("facility")
    st.text(words)
    st.button("Sign in", icon=":material/login:", on_click=st.login)
    st.stop()


def _follow(visitor: Visitor) -> None:
    try:
        project = opened.linked(visitor.link)
    except FacilityError as error:
        st.session_state.pop(LINK, None)
        _ask(str(error))
        return
    st.query_params[LINK] = visitor.link  # a reload comes here again
    if opened.current().id != project:
        st.query_params[opened.ADDRESS] = project
    with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
        st.text(visitor.name)
        st.button("Sign in", icon=":material/login:", on_click=st.login)
