"""Signing in and out, where the server is set up for it, and coming by a link."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.record.chain import Action
from facility.ui.access import state, store
from facility.ui.access.state import Mode
from facility.ui.session import opened
from facility.ui.session.identity import LINK, Visitor, who

_RECORDED = "sign-in-recorded"


def require() -> None:
    """Ask who has yet to sign in to do so, and show nothing else; say who is signed in.

    Who came by a link is led to its project. Where nobody signs in, nothing is asked; where access
    is broken, nothing is shown to anybody.
    """
    visitor = who()
    if state.current().mode is Mode.BROKEN:
        st.title("facility")
        st.error("The sign-in of this server is not configured completely.")
        st.stop()
    if visitor is None:
        _ask("Power and cooling design of AI data centers.")
    elif visitor.link:
        _follow(visitor)
    elif not visitor.single:
        _record_sign_in(visitor)
        with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
            st.text(visitor.name)
            # No callback: the page is drawn whole once more until the browser has left it, so that
            # what refreshes itself on it still finds its place.
            if st.button("Sign out", icon=":material/logout:"):
                with suppress(FacilityError):  # Who wants to leave may, recorded or not
                    store.for_signed_in().record.add(Action.SIGN_OUT, visitor.id)
                st.logout()


def _record_sign_in(visitor: Visitor) -> None:
    """Record that somebody has signed in; without a record nothing is shown."""
    if st.session_state.get(_RECORDED) == visitor.id:
        return
    detail: dict[str, object] = {"address": str(st.context.ip_address or "this computer")}
    if visitor.issued is not None:
        detail["issued"] = datetime.fromtimestamp(visitor.issued, UTC).isoformat(timespec="seconds")
    try:
        store.for_signed_in().record.add_once(Action.SIGN_IN, visitor.id, None, detail)
    except FacilityError as error:
        st.title("facility")
        st.error("The sign-in cannot be recorded, so nothing is shown.")
        st.text(str(error))
        st.stop()
    st.session_state[_RECORDED] = visitor.id


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
