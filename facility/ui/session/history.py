"""Undo and redo history: earlier sessions with the labels of their changes.

Undo reverts the last entry, accepted or rejected: undo after a rejected paste must not revert an
earlier change. Sessions are immutable and share unchanged parts, so fifty of them need little
memory. The steps before a project was opened are its saved revisions, read when they are reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from facility.files.project.merge import merged
from facility.model.inputs.document import Project, as_typed
from facility.ui.session.edits import Session
from facility.ui.session.title import retitled

if TYPE_CHECKING:
    from facility.files.store.records import SavedRevision

MAX_STEPS = 50
MAX_REVISIONS = 4 * MAX_STEPS
"""Saved revisions from which the steps are taken: undone and redone ones pair up."""
UNDONE, REDONE = "undone: ", "redone: "
"""How the label of a revision begins that undo or redo saved."""
Read = Callable[[int], Project]
"""Reads a saved revision by its number."""


@dataclass(frozen=True)
class UndoStep:
    """A session to return to, and the label of the change that follows it."""

    session: Session | None  # None: revision `number`, not yet read
    label: str
    accepted: bool  # Whether it changed the project; otherwise the entry was rejected
    number: int = 0
    # Changes of other users merged since: their common original, and the project with them
    merges: tuple[tuple[Project, Project], ...] = ()


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


def stored(revisions: Iterable[SavedRevision]) -> History:
    """Return the history from the saved revisions of a project, oldest first.

    A revision saved by undo or redo moves a step, so that both work on after a reload.
    """
    past, future = list[UndoStep](), list[UndoStep]()
    hashes, before = dict[int, str](), 0
    for one in revisions:
        step = UndoStep(None, one.label, True, before)
        if _goes_to(one, UNDONE, past, hashes):
            future.append(replace(past.pop(), number=before))
        elif _goes_to(one, REDONE, future, hashes):
            past.append(replace(future.pop(), number=before))
        elif before:
            past, future = [*past, step], []
        hashes[one.number], before = one.sha256, one.number
    return History(tuple(past[-MAX_STEPS:]), tuple(future[-MAX_STEPS:]))


def _goes_to(
    one: SavedRevision, begins: str, steps: list[UndoStep], hashes: dict[int, str]
) -> bool:
    """Return whether undo or redo saved a revision, with the content of the last of `steps`."""
    is_named = one.label.startswith(begins) and bool(steps)
    return is_named and hashes[steps[-1].number] == one.sha256


def undone(history: History, now: Session, read: Read) -> tuple[History, Session]:
    """Return history and session with the last change undone, if any.

    Raises as `read`.
    """
    if not history.past:
        return history, now
    step = history.past[-1]
    moved = replace(history, past=history.past[:-1], future=(*history.future, _at(step, now)))
    return moved, _reached(step, now, read)


def redone(history: History, now: Session, read: Read) -> tuple[History, Session]:
    """Return history and session with the last undone change redone.

    Raises as `read`.
    """
    if not history.future:
        return history, now
    step = history.future[-1]
    moved = replace(history, past=(*history.past, _at(step, now)), future=history.future[:-1])
    return moved, _reached(step, now, read)


def with_merge(history: History, base: Project, theirs: Project) -> History:
    """Return the history after a merge: undo reverts changes of this user only.

    base: Project from which both users began.
    theirs: The project that the other user saved.
    """
    past, future = (
        tuple(replace(step, merges=(*step.merges, (base, theirs))) for step in steps)
        for steps in (history.past, history.future)
    )
    return History(past, future)


def _at(step: UndoStep, now: Session) -> UndoStep:
    return replace(step, session=now, number=0, merges=())


def _reached(step: UndoStep, now: Session, read: Read) -> Session:
    """Return the session of a step, with the changes of others merged since."""
    found = step.session or Session(read(step.number))
    for base, theirs in step.merges:
        project = merged(base, found.project, theirs, prefer="mine").project
        if project is not None:
            found = replace(found, project=retitled(project, found.project))
    # Every input is created again, with the value of this step.
    return replace(found, generation=now.generation + 1)


def equal_content(one: Project, other: Project) -> bool:
    """Return whether two projects have equal content, whatever their source."""
    return one is other or as_typed(one) == as_typed(other)


def _entered(session: Session) -> tuple[object, ...]:
    """Return the rejected entries and rows."""
    return (
        {path: entry.value for path, entry in session.refused.items()},
        {tag: draft.rows for tag, draft in session.drafts.items()},
    )
