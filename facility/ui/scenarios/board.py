"""The scenarios of a project: what they start from, and what each changes.

They are each visitor's own, and kept beside the project; those of which nothing is said are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.store.records import Draft
from facility.study.scenarios import MOST, Scenarios
from facility.ui.memory.kept import SHELF, session_id
from facility.ui.session import opened
from facility.ui.session.edits import Session
from facility.ui.session.timeline import commit, session
from facility.ui.work import runs
from facility.ui.work.ready import over
from facility.ui.work.runs import Run
from facility.ui.work.scenario_board import Row, ScenarioBoard, board_of

_BOARD = "scenarios"
_PLACE = "scenarios"
_LETTERS = "ABCDEF"
MAX_ROWS, MAX_TEXT = 60, 200


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
    opened.keep(Draft.SCENARIOS, after.dumped(), session().project)


def _read(text: str) -> ScenarioBoard | None:
    """Return the scenarios that were kept; None where none were, or another version wrote them."""
    try:
        found = board_of(text)
        parse_project(found.text, "project")
    except (ValueError, KeyError, TypeError, FacilityError):
        return None
    return found


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


def run() -> Run | None:
    """Return the run that designs the scenarios once it is over; until then it is on the page."""
    return over("scenarios", "scenarios", text=board().dumped(), place=_PLACE)


def found(over: Run) -> Scenarios:
    """Return the designs of the project they start from and of every scenario.

    Raises what refuses the project itself.
    """
    now = board()
    part = ("scenarios", now.dumped())
    return cast(Scenarios, SHELF.made(now.text, session_id(), part, 1, over.result))


def promote(name: str) -> None:
    """Make a scenario the project: one step that can be undone."""
    over = runs.ask("scenarios", board().dumped(), place=_PLACE)
    if over.state != "done":
        return
    one = next(one for one in found(over).scenarios if one.name == name)
    if one.design is not None:
        before = session()
        label = f"scenario {name}"
        after = Session(
            one.design.project, own_panels=before.own_panels, generation=before.generation + 1
        )
        commit(after, label)
