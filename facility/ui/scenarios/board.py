"""The scenarios of a project: what they start from, and what each changes.

They are each visitor's own, and kept beside the project; those of which nothing is said are not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.store.records import Draft
from facility.model.inputs.document import Project
from facility.report.scenarios.tables import DESIGNED
from facility.study.design.design import Design
from facility.study.scenarios import MOST, Scenario, Scenarios
from facility.ui.session import edits, opened, state
from facility.ui.session.edits import Session
from facility.ui.session.timeline import commit, session

_BOARD = "scenarios"
_LETTERS = "ABCDEF"
MAX_ROWS, MAX_TEXT = 60, 200

Row = tuple[str, ...]
"""A field that scenarios change: its path, and its text in each; empty as in the project."""


@dataclass(frozen=True)
class ScenarioBoard:
    """Scenarios side by side."""

    text: str  # The project that they start from
    names: tuple[str, ...] = ("A",)
    rows: tuple[Row, ...] = ()

    def changes(self, place: int) -> dict[str, str]:
        """Return what a scenario changes, by path; an empty text is left to be designed."""
        typed = ((row[0], row[1 + place]) for row in self.rows if row[0] and row[1 + place])
        return {path: "" if text == DESIGNED else text for path, text in typed}


def board() -> ScenarioBoard:
    """Return the scenarios of this visitor; they begin with one of the project as it is."""
    if _BOARD not in st.session_state:
        kept = _read(opened.current().kept.get(Draft.SCENARIOS, ""))
        st.session_state[_BOARD] = kept or ScenarioBoard(dump_project(session().project))
    found: ScenarioBoard = st.session_state[_BOARD]
    return found


def forget() -> None:
    """Have the scenarios of another project be shown, once it is open."""
    st.session_state.pop(_BOARD, None)


def _take(after: ScenarioBoard) -> None:
    """Make `after` the scenarios, and keep them beside the project."""
    st.session_state[_BOARD] = after
    opened.keep(Draft.SCENARIOS, json.dumps(asdict(after), ensure_ascii=False), session().project)


def _read(text: str) -> ScenarioBoard | None:
    """Return the scenarios that were kept; None where none were, or another version wrote them."""
    try:
        kept = json.loads(text)
        names, rows = tuple(kept["names"]), tuple(tuple(row) for row in kept["rows"])
        found = ScenarioBoard(kept["text"], names, rows)
        parse_project(found.text, "project")
    except (ValueError, KeyError, TypeError, FacilityError):
        return None
    sound = 0 < len(names) <= MOST and all(len(row) == 1 + len(names) for row in rows)
    return found if sound else None


def is_of_the_project() -> bool:
    """Return whether they start from the project as it is now."""
    return board().text == dump_project(session().project)


def start_here() -> None:
    """Have the scenarios start from the project as it is now; what they change stays."""
    _take(replace(board(), text=dump_project(session().project)))


def set_rows(names: Sequence[str], rows: Sequence[Row]) -> None:
    """Take the rows of a grid of the scenarios `names`; rows that say nothing are forgotten.

    A scenario that was added meanwhile is like the last one of the grid.
    """
    now = board()
    kept = []
    for path, *texts in rows[:MAX_ROWS]:
        typed = dict(zip(names, texts, strict=True))
        row = (path, *(typed.get(name, texts[-1]) for name in now.names))
        kept.append(tuple(text.strip()[:MAX_TEXT] for text in row))
    _take(replace(now, rows=tuple(row for row in kept if any(row))))


def add() -> None:
    """Add a scenario that changes what the last one changes."""
    now = board()
    if len(now.names) < MOST:
        name = next(letter for letter in _LETTERS if letter not in now.names)
        rows = tuple((*row, row[-1]) for row in now.rows)
        _take(ScenarioBoard(now.text, (*now.names, name), rows))


def remove(name: str) -> None:
    """Forget a scenario; one stays."""
    now = board()
    if len(now.names) > 1 and name in now.names:
        at = now.names.index(name)
        rows = (row[: 1 + at] + row[2 + at :] for row in now.rows)
        names = now.names[:at] + now.names[at + 1 :]
        _take(ScenarioBoard(now.text, names, tuple(r for r in rows if any(r[1:]))))


def found() -> Scenarios:
    """Return the designs of the project they start from and of every scenario."""
    now = board()
    base = parse_project(now.text, "project")
    listed = [_scenario(base, name, now.changes(n)) for n, name in enumerate(now.names)]
    return Scenarios(state.designed(now.text), tuple(listed))


def _scenario(base: Project, name: str, changes: Mapping[str, str]) -> Scenario:
    """Return one scenario; fields that belong to a changed one are left to be designed."""
    try:
        after = edits.with_changes(Session(base), changes, _attempt) if changes else Session(base)
        design = _attempt(after.project)
    except FacilityError as error:
        return Scenario(name, changes, None, error)
    return Scenario(name, {**changes, **dict.fromkeys(after.released, "")}, design)


def _attempt(project: Project) -> Design:
    return state.designed(dump_project(project))


def promote(name: str) -> None:
    """Make a scenario the project: one step that can be undone."""
    one = next(one for one in found().scenarios if one.name == name)
    if one.design is not None:
        before = session()
        label = f"scenario {name}"
        after = Session(one.design.project, own=before.own, generation=before.generation + 1)
        commit(after, label)
