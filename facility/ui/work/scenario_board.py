"""Scenarios and their designs, independent of a page, for the workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project
from facility.report.book.scenarios import DESIGNED
from facility.study.design.design import Design
from facility.study.scenarios import MAX_SCENARIOS, Scenario, Scenarios
from facility.ui.session import edits
from facility.ui.session.designs import designed
from facility.ui.session.edits import Session

Row = tuple[str, ...]
"""A changed field: its path, and its text in each scenario; empty: project value."""


@dataclass(frozen=True)
class ScenarioBoard:
    """Scenarios side by side."""

    text: str  # The base project
    names: tuple[str, ...] = ("A",)
    rows: tuple[Row, ...] = ()

    def changes(self, index: int) -> dict[str, str]:
        """Return the changes of a scenario by path; an empty text clears the field."""
        typed = ((row[0], row[1 + index]) for row in self.rows if row[0] and row[1 + index])
        return {path: "" if text == DESIGNED else text for path, text in typed}

    def dumped(self) -> str:
        """Return the board as JSON, to be stored or sent to another process."""
        return json.dumps(asdict(self), ensure_ascii=False)


def board_of(text: str) -> ScenarioBoard:
    """Return the board from the text of `ScenarioBoard.dumped`.

    Raises
    ------
    ValueError, KeyError, TypeError
        If the text is not such a board.
    """
    stored = json.loads(text)
    names, rows = tuple(stored["names"]), tuple(tuple(row) for row in stored["rows"])
    if not 0 < len(names) <= MAX_SCENARIOS or any(len(row) != 1 + len(names) for row in rows):
        raise ValueError(text[:80])
    return ScenarioBoard(stored["text"], names, rows)


def designed_scenarios(board: ScenarioBoard, tell: Callable[[int], object]) -> Scenarios:
    """Return the designs of the base project and of every scenario.

    `tell` receives the number of finished designs. Raises the error of the base project if it
    cannot be designed.
    """
    tell(0)
    base, base_design = parse_project(board.text, "project"), _designed(board.text)
    listed = list[Scenario]()
    for index, name in enumerate(board.names):
        tell(1 + index)
        listed.append(_scenario(base, name, board.changes(index)))
    return Scenarios(base_design, tuple(listed))


_designed = lru_cache(maxsize=1 + MAX_SCENARIOS)(designed)
"""Cached, so that an edit of one scenario redesigns only this one."""


def _scenario(base: Project, name: str, changes: Mapping[str, str]) -> Scenario:
    """Return one scenario; fields that depend on a changed field are cleared."""
    try:
        after = edits.with_changes(Session(base), changes, _attempt) if changes else Session(base)
        design = _attempt(after.project)
    except FacilityError as error:
        return Scenario(name, changes, None, error)
    return Scenario(name, {**changes, **dict.fromkeys(after.released, "")}, design)


def _attempt(project: Project) -> Design:
    return _designed(dump_project(project))
