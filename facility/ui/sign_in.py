"""Sign-in and sign-out, if the server is configured for them, and access by link."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.record.chain import Action
from facility.ui import controls
from facility.ui.access import state, store
from facility.ui.access.state import Mode
from facility.ui.session import opened
from facility.ui.session.identity import LINK, Visitor, who

_RECORDED = "sign-in-recorded"


def require() -> None:
    """Require sign-in before anything is displayed; show the name of the signed-in user.

    A visitor with a link is taken to its project. Without sign-in the app is open to all; with an
    incomplete sign-in configuration it shows nothing.
    """
    visitor = who()
    if state.current().mode is Mode.BROKEN:
        st.title("facility")
        st.error("Sign-in is not completely configured on this server. Contact the administrator.")
        st.stop()
    if visitor is None:
        _ask("Power and cooling design of AI data centers. Sign in to open your projects.")
    elif visitor.link:
        _follow(visitor)
    elif not visitor.single:
        _record_sign_in(visitor)
        with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
            st.text(visitor.name)
            # No callback: the page is rendered once more before the browser leaves it, so that
            # fragments that refresh themselves still have their containers.
            if st.button("Sign out", icon=":material/logout:"):
                with suppress(FacilityError):  # Sign-out works even if it cannot be recorded
                    store.for_signed_in().record.add(Action.SIGN_OUT, visitor.id)
                st.logout()


def _record_sign_in(visitor: Visitor) -> None:
    """Record a sign-in; if it cannot be recorded, show nothing else."""
    if st.session_state.get(_RECORDED) == visitor.id:
        return
    detail: dict[str, object] = {"address": str(st.context.ip_address or "this computer")}
    if visitor.issued is not None:
        detail["issued"] = datetime.fromtimestamp(visitor.issued, UTC).isoformat(timespec="seconds")
    try:
        store.for_signed_in().record.add_once(Action.SIGN_IN, visitor.id, None, detail)
    except FacilityError as error:
        st.title("facility")
        controls.refused("The sign-in cannot be recorded, so access is denied.", error)
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
    st.query_params[LINK] = visitor.link  # a reload follows the link again
    if opened.current().id != project:
        st.query_params[opened.ADDRESS] = project
    with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
        st.text(visitor.name)
        st.button("Sign in", icon=":material/login:", on_click=st.login)
