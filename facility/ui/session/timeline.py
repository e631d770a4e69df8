"""The session of the visitor and its history, kept by the server while the page is open."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from facility.files.project.file import default_project
from facility.ui.session.edits import Session
from facility.ui.session.history import History, recorded, redone, says_the_same, undone

_SESSION = "session"
_HISTORY = "history"


def session() -> Session:
    """Return the session of this visitor; it begins with the embedded project."""
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = Session(default_project())
    found: Session = st.session_state[_SESSION]
    return found


def past() -> History:
    """Return what can be undone and redone; the project it begins with counts as saved."""
    if _HISTORY not in st.session_state:
        st.session_state[_HISTORY] = History(saved=session().project)
    found: History = st.session_state[_HISTORY]
    return found


def commit(after: Session, label: str) -> None:
    """Make `after` the session; an accepted change can be undone, and is called `label`."""
    st.session_state[_HISTORY] = recorded(past(), session(), after, label)
    st.session_state[_SESSION] = after


def undo() -> None:
    """Go back to the session before the last accepted change."""
    st.session_state[_HISTORY], st.session_state[_SESSION] = undone(past(), session())


def redo() -> None:
    """Make the change again that was undone last."""
    st.session_state[_HISTORY], st.session_state[_SESSION] = redone(past(), session())


def mark_saved() -> None:
    """Remember the project as it is as saved."""
    st.session_state[_HISTORY] = replace(past(), saved=session().project)


def is_saved() -> bool:
    """Return whether the project is the one that was opened or saved last."""
    saved = past().saved
    return saved is not None and says_the_same(saved, session().project)
