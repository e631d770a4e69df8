"""What can be undone and redone: whole sessions as they were, each with what changed it.

Sessions are frozen and share what did not change, so that fifty of them cost little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.model.inputs.document import Project, as_typed
from facility.ui.session.edits import Session

MAX_STEPS = 50


@dataclass(frozen=True)
class Step:
    """A session to go back or forward to, and in words what leads away from it."""

    session: Session
    label: str


@dataclass(frozen=True)
class History:
    """Steps behind and ahead of the session that is shown."""

    past: tuple[Step, ...] = ()  # Sessions to undo to, the nearest last
    future: tuple[Step, ...] = ()  # Sessions to redo to, the nearest last
    revision: int = 0  # Accepted changes since the first session; undoing takes one off
    # Project that was opened or saved last; None while it is the first one.
    saved: Project | None = None


def recorded(history: History, before: Session, after: Session, label: str) -> History:
    """Return the history after a change; what was not accepted is no step of its own.

    Parameters
    ----------
    history : History
        History before.
    before, after : Session
        Session before and after the change.
    label : str
        The change in words.
    """
    if not is_change(before, after):
        return history
    past = (*history.past, Step(before, label))[-MAX_STEPS:]
    return replace(history, past=past, future=(), revision=history.revision + 1)


def undone(history: History, now: Session) -> tuple[History, Session]:
    """Return history and session after the last change is undone; the same where there is none."""
    if not history.past:
        return history, now
    step = history.past[-1]
    future = (*history.future, Step(now, step.label))
    moved = replace(history, past=history.past[:-1], future=future, revision=history.revision - 1)
    return moved, _anew(step.session, now)


def redone(history: History, now: Session) -> tuple[History, Session]:
    """Return history and session after the change undone last is made again."""
    if not history.future:
        return history, now
    step = history.future[-1]
    past = (*history.past, Step(now, step.label))
    moved = replace(history, past=past, future=history.future[:-1], revision=history.revision + 1)
    return moved, _anew(step.session, now)


def is_change(before: Session, after: Session) -> bool:
    """Return whether anything that counts differs: the project, or the own panel as accepted."""
    return not says_the_same(before.project, after.project) or (
        before.own.accepted != after.own.accepted
    )


def says_the_same(one: Project, other: Project) -> bool:
    """Return whether two projects say the same, wherever they were read from."""
    return one is other or as_typed(one) == as_typed(other)


def _anew(session: Session, now: Session) -> Session:
    """Return `session` with a generation of its own: every input then shows what it holds."""
    return replace(session, generation=now.generation + 1)
