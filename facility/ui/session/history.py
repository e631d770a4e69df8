"""What can be undone and redone: whole sessions as they were, each with what changed it.

Whatever was entered last is what undo takes back, accepted or refused: an undo after a refused
paste must not reach behind it. Sessions are frozen and share what did not change, so that fifty
of them cost little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.model.inputs.document import Project, as_typed
from facility.ui.session.edits import Session

MAX_STEPS = 50


@dataclass(frozen=True)
class UndoStep:
    """A session to go back or forward to, and in words what leads away from it."""

    session: Session
    label: str
    accepted: bool  # Whether it changed the project; else it waits to be corrected


@dataclass(frozen=True)
class History:
    """Steps behind and ahead of the session that is shown."""

    past: tuple[UndoStep, ...] = ()  # Sessions to undo to, the nearest last
    future: tuple[UndoStep, ...] = ()  # Sessions to redo to, the nearest last


def recorded(history: History, before: Session, after: Session, label: str) -> History:
    """Return the history after a change; what changes nothing and enters nothing is no step.

    history: History before.
    before, after: Session before and after the change.
    label: The change in words.
    """
    accepted = not says_the_same(before.project, after.project)
    if not accepted and _entered(before) == _entered(after):
        return history
    past = (*history.past, UndoStep(before, label, accepted))[-MAX_STEPS:]
    return replace(history, past=past, future=())


def undone(history: History, now: Session) -> tuple[History, Session]:
    """Return history and session after the last change is undone; the same where there is none."""
    if not history.past:
        return history, now
    step = history.past[-1]
    future = (*history.future, replace(step, session=now))
    moved = replace(history, past=history.past[:-1], future=future)
    return moved, _anew(step.session, now)


def redone(history: History, now: Session) -> tuple[History, Session]:
    """Return history and session after the change undone last is made again."""
    if not history.future:
        return history, now
    step = history.future[-1]
    past = (*history.past, replace(step, session=now))
    moved = replace(history, past=past, future=history.future[:-1])
    return moved, _anew(step.session, now)


def says_the_same(one: Project, other: Project) -> bool:
    """Return whether two projects say the same, wherever they were read from."""
    return one is other or as_typed(one) == as_typed(other)


def _entered(session: Session) -> tuple[object, ...]:
    """Return what waits to be mended, as it was entered."""
    return (
        {path: entry.value for path, entry in session.refused.items()},
        {tag: draft.rows for tag, draft in session.drafts.items()},
    )


def _anew(session: Session, now: Session) -> Session:
    """Return `session` with a generation of its own: every input then shows what it holds."""
    return replace(session, generation=now.generation + 1)
