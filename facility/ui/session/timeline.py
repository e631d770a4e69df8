"""The session of the visitor and its history, kept by the server while the page is open."""

from __future__ import annotations

from dataclasses import replace
from secrets import randbelow

import streamlit as st

from facility.files.project.file import default_project
from facility.ui.session import opened
from facility.ui.session.edits import Session
from facility.ui.session.history import History, recorded, redone, undone

_SESSION = "session"
_HISTORY = "history"
_GENERATIONS = 10**9


def session() -> Session:
    """Return the session of this visitor; it begins with the embedded project."""
    if _SESSION not in st.session_state:
        # A browser whose server was started again brings the inputs of the page it still shows:
        # those of another generation are not taken for inputs of this session.
        first = Session(default_project(), generation=randbelow(_GENERATIONS))
        st.session_state[_SESSION] = first
    found: Session = st.session_state[_SESSION]
    return found


def past() -> History:
    """Return what can be undone and redone."""
    if _HISTORY not in st.session_state:
        st.session_state[_HISTORY] = History()
    found: History = st.session_state[_HISTORY]
    return found


def commit(after: Session, label: str) -> None:
    """Make `after` the session, and save what changed; it can be undone, and is called `label`."""
    before = session()
    put(after, label)
    opened.save(before, after, label)


def put(after: Session, label: str) -> None:
    """Make `after` the session, without saving it: what was saved already."""
    st.session_state[_HISTORY] = recorded(past(), session(), after, label)
    st.session_state[_SESSION] = after


def begin(first: Session) -> None:
    """Make `first` the session of another project, in which nothing earlier can be undone."""
    st.session_state[_SESSION] = replace(first, generation=session().generation + 1)
    st.session_state[_HISTORY] = History()


def undo() -> None:
    """Go back to the session before the last change."""
    _moved(undone(past(), session()), "undone")


def redo() -> None:
    """Make the change again that was undone last."""
    _moved(redone(past(), session()), "made again")


def _moved(there: tuple[History, Session], label: str) -> None:
    before = session()
    st.session_state[_HISTORY], st.session_state[_SESSION] = there
    opened.save(before, there[1], label)
