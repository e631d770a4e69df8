"""The session of the user and its history, kept by the server while the page is open."""

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
    """Return the session of this user; it starts with the embedded project."""
    if _SESSION not in st.session_state:
        # After a server restart the browser sends the inputs of the page it still shows; a random
        # generation prevents that they are taken as inputs of this session.
        first = Session(default_project(), generation=randbelow(_GENERATIONS))
        st.session_state[_SESSION] = first
    found: Session = st.session_state[_SESSION]
    return found


def past() -> History:
    """Return the undo and redo history."""
    if _HISTORY not in st.session_state:
        st.session_state[_HISTORY] = History()
    found: History = st.session_state[_HISTORY]
    return found


def commit(after: Session, label: str) -> None:
    """Make `after` the session and save the change as an undoable step named `label`."""
    before = session()
    put(after, label)
    opened.save(before, after, label)


def put(after: Session, label: str) -> None:
    """Make `after` the session without saving it, because it is already saved."""
    st.session_state[_HISTORY] = recorded(past(), session(), after, label)
    st.session_state[_SESSION] = after


def begin(first: Session) -> None:
    """Make `first` the session of another project, with an empty history."""
    st.session_state[_SESSION] = replace(first, generation=session().generation + 1)
    st.session_state[_HISTORY] = History()


def undo() -> None:
    """Undo the last change."""
    _moved(undone(past(), session()), "undone")


def redo() -> None:
    """Redo the last undone change."""
    _moved(redone(past(), session()), "redone")


def _moved(there: tuple[History, Session], label: str) -> None:
    before = session()
    st.session_state[_HISTORY], st.session_state[_SESSION] = there
    opened.save(before, there[1], label)
