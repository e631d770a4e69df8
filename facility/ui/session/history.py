"""Undo and redo history: earlier sessions with the labels of their changes.

Undo reverts the last entry, accepted or rejected: undo after a rejected paste must not revert an
earlier change. Sessions are immutable and share unchanged parts, so fifty of them need little
memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.model.inputs.document import Project, as_typed
from facility.ui.session.edits import Session

MAX_STEPS = 50


@dataclass(frozen=True)
class UndoStep:
    """A session to return to, and the label of the change that follows it."""

    session: Session
    label: str
    accepted: bool  # Whether it changed the project; otherwise the entry was rejected


@dataclass(frozen=True)
class History:
    """Undo and redo steps of the current session."""

    past: tuple[UndoStep, ...] = ()  # Undo steps, the next one last
    future: tuple[UndoStep, ...] = ()  # Redo steps, the next one last


def recorded(history: History, before: Session, after: Session, label: str) -> History:
    """Return the history after a change; without a change there is no new step.

    history: History before.
    before, after: Session before and after the change.
    label: Description of the change.
    """
    accepted = not equal_content(before.project, after.project)
    if not accepted and _entered(before) == _entered(after):
        return history
    past = (*history.past, UndoStep(before, label, accepted))[-MAX_STEPS:]
    return replace(history, past=past, future=())


def undone(history: History, now: Session) -> tuple[History, Session]:
    """Return history and session with the last change undone; unchanged if there is none."""
    if not history.past:
        return history, now
    step = history.past[-1]
    future = (*history.future, replace(step, session=now))
    moved = replace(history, past=history.past[:-1], future=future)
    return moved, _with_new_generation(step.session, now)


def redone(history: History, now: Session) -> tuple[History, Session]:
    """Return history and session with the last undone change redone."""
    if not history.future:
        return history, now
    step = history.future[-1]
    past = (*history.past, replace(step, session=now))
    moved = replace(history, past=past, future=history.future[:-1])
    return moved, _with_new_generation(step.session, now)


def equal_content(one: Project, other: Project) -> bool:
    """Return whether two projects have equal content, whatever their source."""
    return one is other or as_typed(one) == as_typed(other)


def _entered(session: Session) -> tuple[object, ...]:
    """Return the rejected entries and rows."""
    return (
        {path: entry.value for path, entry in session.refused.items()},
        {tag: draft.rows for tag, draft in session.drafts.items()},
    )


def _with_new_generation(session: Session, now: Session) -> Session:
    """Return `session` with a new generation, so that every input is recreated."""
    return replace(session, generation=now.generation + 1)
