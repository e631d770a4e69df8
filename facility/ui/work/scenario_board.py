"""Scenarios and their designs, independent of a page, for the workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.project.merge import differences
from facility.model.inputs.change import Typed
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import field_at, text_of, typed_of, value_at
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

    def with_changes(self, index: int, changes: Mapping[str, str]) -> ScenarioBoard:
        """Return the board with the changes of a scenario, by path as from `changes`."""
        paths = dict.fromkeys((*(row[0] for row in self.rows), *changes))
        known = {row[0]: row for row in self.rows}
        rows = []
        for path in paths:
            texts = list(known.get(path, (path, *("" for _ in self.names))))
            texts[1 + index] = (changes[path] or DESIGNED) if path in changes else ""
            if any(texts[1:]):
                rows.append(tuple(texts))
        return replace(self, rows=tuple(rows))

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
    return Scenarios(_alone(base_design), base_design.checks, tuple(listed))


def _alone(made: Design) -> Design:
    """Return a design without its studies, which would multiply the size of the answer."""
    return replace(made)


_designed = lru_cache(maxsize=1 + MAX_SCENARIOS)(designed)
"""Cached, so that an edit of one scenario redesigns only this one."""


def _scenario(base: Project, name: str, changes: Mapping[str, str]) -> Scenario:
    """Return one scenario; fields that depend on a changed field are cleared."""
    try:
        after = with_texts(base, changes, _attempt)
        design = _attempt(after.project)
    except FacilityError as error:
        return Scenario(name, changes, None, error=error)
    released = dict.fromkeys(after.released, "")
    return Scenario(name, {**changes, **released}, _alone(design), design.checks)


def with_texts(
    base: Project, changes: Mapping[str, str], attempt: Callable[[Project], object]
) -> Session:
    """Return the session of a project with the changes of a scenario.

    Raises if the project cannot be designed with them.
    """
    values = {path: value_of(text) for path, text in changes.items()}
    return edits.with_changes(Session(base), values, attempt) if changes else Session(base)


def texts_between(base: Project, after: Project, known: Mapping[str, str]) -> dict[str, str]:
    """Return the changes that lead from `base` to `after`, as texts by path.

    known: Changes made so far; they are kept where they still apply, even if `base` now has the
        same value. Titles and the identity of an example follow the inputs by themselves.
    """
    of_example = base.project.started_from != after.project.started_from
    hidden = "project." if of_example else "project.title"
    found = {
        one.path: _text(one.path, one.after)
        for one in differences(base, after)
        if not one.path.startswith(hidden)
    }
    document = as_typed(after)
    kept = {
        path: text
        for path, text in known.items()
        if path not in found and text == _text(path, value_at(document, path))
    }
    return {**kept, **found}


def _text(path: str, value: object) -> str:
    """Return a value as entered for a scenario; a section, or entries of a list, as JSON."""
    text, field = text_of(value), field_at(path)
    if not value or isinstance(value, str) or (field and typed_of(text, field) == value):
        return text
    return json.dumps(value, ensure_ascii=False)


def value_of(text: str) -> Typed:
    """Return the value of a text; of JSON, the section or entries of a list."""
    if text.startswith(("{", "[{", "[[", '["')):
        try:
            found: Typed = json.loads(text)
        except ValueError:
            return text
        return found
    return text


def _attempt(project: Project) -> Design:
    return _designed(dump_project(project))
