"""The scenarios of a project: the changes of each.

Each user has separate scenarios, stored with the project as a draft. They follow the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import cast

from facility.files.project.file import parse_project
from facility.files.store.records import Draft
from facility.model.inputs.document import Project
from facility.model.inputs.entries import field_at, with_entries
from facility.report.book.scenarios import BASE, DESIGNED, text_at
from facility.report.objects.known_names import known_names
from facility.study.scenarios import MAX_SCENARIOS, Scenarios
from facility.ui.grid.model import CellMark
from facility.ui.memory.cache import CACHE
from facility.ui.scenarios import inputs
from facility.ui.session import opened, scenario, timeline
from facility.ui.session.edits import Session
from facility.ui.work.runs import Run
from facility.ui.work.scenario_board import ScenarioBoard, board_of, value_of

_LETTERS = "ABCDEF"
MAX_NAME = 24


def board() -> ScenarioBoard:
    """Return the scenarios of this user, of the present project; initially one without changes."""
    stored = _read(opened.current().drafts.get(Draft.SCENARIOS, ""))
    return replace(stored, text=scenario.base_text())


def _take(after: ScenarioBoard) -> None:
    """Make `after` the scenarios, and store them with the project."""
    opened.keep(Draft.SCENARIOS, after.dumped(), timeline.base().project)


@lru_cache(64)
def _read(text: str) -> ScenarioBoard:
    """Return the stored scenarios; one without changes if none, or another version wrote them."""
    try:
        return board_of(text)
    except (ValueError, KeyError, TypeError):
        return ScenarioBoard("")


def shown_names() -> tuple[str, ...]:
    """Return the names of the scenarios; none if there is only the first, without entries."""
    now = board()
    is_empty = now.names == ScenarioBoard.names and not now.rows
    return () if is_empty and not timeline.waiting_entries() else now.names


def add(like: str = "") -> None:
    """Add a scenario with the changes of `like`, or of the last one."""
    now = board()
    if len(now.names) < MAX_SCENARIOS:
        name = next(letter for letter in _LETTERS if letter not in now.names)
        at = now.names.index(like) if like in now.names else -1
        rows = tuple((*row, row[1:][at]) for row in now.rows)
        _take(ScenarioBoard(now.text, (*now.names, name), rows))


def begin(like: str) -> str:
    """Add a scenario with the changes of `like`, of the project if empty; return its name."""
    if len(board().names) >= MAX_SCENARIOS:
        return ""
    if shown_names() or like:
        add(like)
        name = board().names[-1]
        if not like:
            change(name, {})
        return name
    return board().names[0]


def change(name: str, changes: Mapping[str, str]) -> None:
    """Set the changes of a scenario, by path."""
    now = board()
    _take(now.with_changes(now.names.index(name), changes))


def rename(name: str, after: str) -> str:
    """Rename a scenario, and return its name; one that is empty or in use changes nothing."""
    now, text = board(), " ".join(after.split())[:MAX_NAME]
    if not text or text in (*now.names, BASE, "Base"):
        return name
    names = tuple(text if one == name else one for one in now.names)
    _take(replace(now, names=names))
    timeline.keep_waiting(text, renamed=name)
    return text


def remove(name: str) -> None:
    """Remove a scenario; without any, there is one without changes."""
    now = board()
    at = now.names.index(name)
    rows = (row[: 1 + at] + row[2 + at :] for row in now.rows)
    names = now.names[:at] + now.names[at + 1 :]
    left = ScenarioBoard(now.text, names, tuple(r for r in rows if any(r[1:])))
    _take(left if names else ScenarioBoard(now.text))
    timeline.keep_waiting(name)


def found(over: Run) -> Scenarios:
    """Return the designs of the base project and of every scenario.

    Raises the error of the base project if it cannot be designed.
    """
    now = board()
    part = ("scenarios", now.dumped())
    return cast(Scenarios, CACHE.made(now.text, part, 1, over.result))


def make_project(name: str, project: Project) -> None:
    """Make the project of a scenario the project, as one undoable step."""
    timeline.show_base()
    after = Session(project, generation=timeline.session().generation + 1)
    timeline.commit(after, f"scenario {name}")


def show_board(now: ScenarioBoard) -> None:
    """Show the changes of each scenario: a row for each field, with its value in the project."""
    base = parse_project(now.text, "project")

    def mark(path: str, text: str, stated: str) -> CellMark:
        """Return the list of a cell, its error, or the value of the project in an empty one."""
        field = field_at(path) if path else None
        words = (DESIGNED, *(() if field is None else tuple(known_names(path) or field.words)))
        if not text:
            return CellMark(text=stated, entry="", dim=True, options=words)
        return CellMark(_error(now.text, path, text), text=text, options=words)

    inputs.show_inputs(
        "Scenarios",
        "scenario-inputs",
        lambda: (board().names, board().rows),
        lambda path: text_at(base, path),
        mark,
        lambda rows: _take(replace(board(), rows=tuple(rows))),
    )


@lru_cache(500)
def _error(base: str, path: str, text: str) -> str:
    """Return why a text is not accepted in a field; empty if it is."""
    value = "" if text == DESIGNED else value_of(text)
    return inputs.problem(lambda: with_entries(parse_project(base, "project"), {path: value}))
