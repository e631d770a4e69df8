"""The session of the user and its history, kept by the server while the page is open.

The app shows the project, called Base, or one of its scenarios, with a session and history of its
own: an edit changes what is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from secrets import randbelow

import streamlit as st

from facility.files.project.file import default_project
from facility.files.store.records import Draft
from facility.model.inputs.document import Project
from facility.ui.session import opened
from facility.ui.session.edits import Session, text_of_waiting, with_waiting
from facility.ui.session.history import (
    REDONE,
    UNDONE,
    History,
    recorded,
    redone,
    undone,
    with_merge,
)

_SESSION = "session"
_HISTORY = "history"
_ACTIVE = "scenario-shown"
_GENERATIONS = 10**9


@dataclass(frozen=True)
class ActiveScenario:
    """The scenario that the app shows instead of the project."""

    name: str
    session: Session
    keep: Callable[[Project], object]  # Stores what a change made of it
    history: History = field(default_factory=History)


def active() -> ActiveScenario | None:
    """Return the scenario that is shown; None for the project."""
    found: ActiveScenario | None = st.session_state.get(_ACTIVE)
    return found


def show(name: str, project: Project, keep: Callable[[Project], object]) -> None:
    """Show a scenario with its rejected entries; edits change it, and not the project."""
    first = Session(project, generation=session().generation + 1)
    first = with_waiting(first, waiting_entries().get(name, ""))
    st.session_state[_ACTIVE] = ActiveScenario(name, first, keep)


def show_base() -> None:
    """Show the project."""
    if active() is not None:
        st.session_state[_SESSION] = replace(base(), generation=session().generation + 1)
        st.session_state[_ACTIVE] = None


def keep_waiting(name: str, text: str = "", *, renamed: str = "") -> None:
    """Store the rejected entries of a scenario with the project; of a renamed one, under `name`."""
    found = waiting_entries()
    found[name] = found.pop(renamed, "") if renamed else text
    stored = {name: text for name, text in found.items() if text}
    opened.keep(Draft.SCENARIO_WAITING, json.dumps(stored) if stored else "", base().project)


def waiting_entries() -> dict[str, str]:
    """Return the rejected entries of each scenario, as text, for this version only."""
    try:
        stored = json.loads(opened.current().drafts.get(Draft.SCENARIO_WAITING, "") or "{}")
    except ValueError:
        return {}
    entries = stored if isinstance(stored, dict) else {}
    return {name: text for name, text in entries.items() if isinstance(text, str)}


def base() -> Session:
    """Return the session of the project; it starts with the embedded one."""
    if _SESSION not in st.session_state:
        # After a server restart the browser sends the inputs of the page it still shows; a random
        # generation prevents that they are taken as inputs of this session.
        first = Session(default_project(), generation=randbelow(_GENERATIONS))
        st.session_state[_SESSION] = first
    found: Session = st.session_state[_SESSION]
    return found


def session() -> Session:
    """Return the displayed session: of the scenario, else of the project."""
    shown = active()
    return base() if shown is None else shown.session


def past() -> History:
    """Return the undo and redo history of what is shown."""
    shown = active()
    return _past_of_base() if shown is None else shown.history


def _past_of_base() -> History:
    if _HISTORY not in st.session_state:
        st.session_state[_HISTORY] = History()
    found: History = st.session_state[_HISTORY]
    return found


def commit(after: Session, label: str) -> None:
    """Make `after` the session and save the change as an undoable step named `label`."""
    before = session()
    named = opened.change_label(before.project, after.project, label)
    _become(after, recorded(past(), before, after, named), named)


def put(after: Session, label: str) -> None:
    """Make `after` the session of the project without saving it: it is already saved."""
    st.session_state[_HISTORY] = recorded(_past_of_base(), base(), after, label)
    st.session_state[_SESSION] = after


def put_merged(after: Session, original: Project, theirs: Project) -> None:
    """Make `after` the session of the project: it has the changes of another user; no step.

    original: Project from which both users began.
    theirs: The project that the other user saved.
    """
    st.session_state[_HISTORY] = with_merge(_past_of_base(), original, theirs)
    st.session_state[_SESSION] = after


def begin(first: Session, history: History) -> None:
    """Show another project, with the history of its saved revisions."""
    st.session_state[_SESSION] = replace(first, generation=session().generation + 1)
    st.session_state[_HISTORY] = history
    st.session_state[_ACTIVE] = None


def undo() -> None:
    """Undo the last change.

    Raises as `opened.read` if the change was made before the project was opened.
    """
    history = past()
    if history.past:
        after, now = undone(history, session(), opened.read)
        _become(now, after, UNDONE + history.past[-1].label)


def redo() -> None:
    """Redo the last undone change.

    Raises as `undo`.
    """
    history = past()
    if history.future:
        after, now = redone(history, session(), opened.read)
        _become(now, after, REDONE + history.future[-1].label)


def _become(after: Session, history: History, label: str) -> None:
    """Make `after` the displayed session, and save it as a change named `label`."""
    shown, before = active(), session()
    if shown is not None:
        st.session_state[_ACTIVE] = replace(shown, session=after, history=history)
        shown.keep(after.project)
        keep_waiting(shown.name, text_of_waiting(after))
        return
    st.session_state[_SESSION], st.session_state[_HISTORY] = after, history
    opened.save(before, after, label)
