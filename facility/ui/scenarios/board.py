"""The scenarios of a project: the changes of each.

Each user has separate scenarios, stored with the project as a draft. They follow the project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from secrets import token_hex
from typing import cast

import streamlit as st

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.store.records import Draft
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.model.inputs.entries import field_at, with_entries
from facility.report.book.scenarios import BASE, DESIGNED, refusal, text_at
from facility.report.tables.names import input_name
from facility.report.tables.verdict import headline, word_of
from facility.study.design.design import Design
from facility.study.scenarios import MAX_SCENARIOS, Scenarios
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import (
    Added,
    Asked,
    CellMark,
    Edited,
    Event,
    GridColumn,
    GridContents,
    Removed,
    RowValues,
)
from facility.ui.inspector.detail import known_names
from facility.ui.memory.cache import CACHE, session_id
from facility.ui.session import opened, scenario, timeline
from facility.ui.session.edits import Session
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here
from facility.ui.work.known import gather, known
from facility.ui.work.runs import Run
from facility.ui.work.scenario_board import ScenarioBoard, board_of, value_of

_BOARD = "scenarios"
_LETTERS = "ABCDEF"
MAX_ROWS, MAX_TEXT, MAX_NAME = 60, 200, 24


def board() -> ScenarioBoard:
    """Return the scenarios of this user, of the present project; initially one without changes."""
    if _BOARD not in st.session_state:
        stored = _read(opened.current().drafts.get(Draft.SCENARIOS, ""))
        st.session_state[_BOARD] = stored or ScenarioBoard("")
    found: ScenarioBoard = st.session_state[_BOARD]
    return replace(found, text=scenario.base_text())


def forget() -> None:
    """Discard the scenarios of the session, so that those of the next project are loaded."""
    st.session_state.pop(_BOARD, None)


def _take(after: ScenarioBoard) -> None:
    """Make `after` the scenarios, and store them with the project."""
    st.session_state[_BOARD] = after
    opened.keep(Draft.SCENARIOS, after.dumped(), timeline.base().project)


def _read(text: str) -> ScenarioBoard | None:
    """Return the stored scenarios; None if there are none or another version wrote them."""
    try:
        return board_of(text)
    except (ValueError, KeyError, TypeError):
        return None


def shown_names() -> tuple[str, ...]:
    """Return the names of the scenarios; none if there is only the first, without changes."""
    now = board()
    return () if now.names == ScenarioBoard.names and not now.rows else now.names


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
    return text


def remove(name: str) -> None:
    """Remove a scenario; without any, there is one without changes."""
    now = board()
    at = now.names.index(name)
    rows = (row[: 1 + at] + row[2 + at :] for row in now.rows)
    names = now.names[:at] + now.names[at + 1 :]
    left = ScenarioBoard(now.text, names, tuple(r for r in rows if any(r[1:])))
    _take(left if names else ScenarioBoard(now.text))


def found(over: Run) -> Scenarios:
    """Return the designs of the base project and of every scenario.

    Raises the error of the base project if it cannot be designed.
    """
    now = board()
    part = ("scenarios", now.dumped())
    return cast(Scenarios, CACHE.made(now.text, session_id(), part, 1, over.result))


def make_project(name: str, project: Project) -> None:
    """Make the project of a scenario the project, as one undoable step."""
    timeline.show_base()
    after = Session(project, generation=timeline.session().generation + 1)
    timeline.commit(after, f"scenario {name}")


NOT_RUN = "Not evaluated. Turn on the studies of every scenario."


@dataclass(frozen=True)
class VerdictText:
    """The verdict on one design, as far as known."""

    words: str
    going: bool = False  # Studies are still running


def verdicts(found: Scenarios) -> list[VerdictText]:
    """Return the verdicts on the project and each scenario; request the missing studies."""
    texts = [
        VerdictText(refusal(one)) if one.design is None else _of(one.design, f"scenario {one.name}")
        for one in found.scenarios
    ]
    return [_of(found.base, "scenarios, project"), *texts]


def no_verdicts(found: Scenarios) -> list[VerdictText]:
    """Return the verdicts when no studies were requested: the project's, and rejected scenarios."""
    here = None if scenario.name() else known()
    base = headline(here.checks) if here is not None and here.whole else NOT_RUN
    return [VerdictText(base), *(VerdictText(refusal(one) or NOT_RUN) for one in found.scenarios)]


def _of(design: Design, owner: str) -> VerdictText:
    now = gather(design, dump_project(design.project), owner)
    if now.whole:
        return VerdictText(headline(now.checks))
    against, going = counted(now.checks)["VIOLATION"], len(now.going)
    so_far = f"{against} {word_of('VIOLATION', against)} so far; " if against else ""
    left = (
        f"{going} studies running"
        if going
        else f"{len(now.stopped) + len(now.failed)} studies not run"
    )
    return VerdictText(so_far + left, bool(going))


_PATH = "path"
_IDS = "scenario-rows"


def show_board(now: ScenarioBoard) -> None:
    """Show the changes of each scenario: a row for each field, with its value in the project."""
    base = parse_project(now.text, "project")
    known_paths, keys = known_here(), {name: f"value-{name}" for name in now.names}
    columns = [
        GridColumn(_PATH, "Input", "choice", editable=True, options=tuple(_paths()), free=True),
        GridColumn(BASE, BASE, width=150),
        *(
            GridColumn(f"value-{name}", name, "choice", editable=True, free=True)
            for name in now.names
        ),
    ]
    rows, titles = [], {path: name for name, path in _paths().items()}
    for id, (path, *texts) in zip(_ids(now), now.rows, strict=True):
        stated = text_at(base, path) if path else ""
        marks = {BASE: CellMark(dim=True, why=path in known_paths)}
        for key, text in zip(keys.values(), texts, strict=True):
            marks[key] = _cell_mark(now.text, path, text, stated)
        rows.append(RowValues(id, (titles.get(path, path), stated, *texts), marks))
    show_grid(
        GridContents(
            "Scenarios", columns, rows, f"scenarios-{''.join(now.names)}", adds=True, removes=True
        ),
        "scenario-inputs",
        _handle,
    )


def _cell_mark(base: str, path: str, text: str, stated: str) -> CellMark:
    """Return the list of a cell, its error, or the value of the project in an empty one."""
    field = field_at(path) if path else None
    words = (DESIGNED, *(() if field is None else tuple(known_names(path) or field.words)))
    if not text:
        return CellMark(text=stated, entry="", dim=True, options=words)
    return CellMark(_error(base, path, text), text=text, options=words)


@lru_cache(500)
def _error(base: str, path: str, text: str) -> str:
    """Return why a text is not accepted in a field; empty if it is."""
    try:
        with_entries(
            parse_project(base, "project"), {path: "" if text == DESIGNED else value_of(text)}
        )
    except FacilityError as error:
        return f"{error.message} {error.hint}"
    return ""


@cache
def _paths() -> Mapping[str, str]:
    """Return the path of each input that a scenario can change, by its name."""
    paths = [entry.path for entry in leaves(Project) if "[]" not in entry.path]
    shared, named = Counter(input_name(path) for path in paths), {}
    for path in paths:
        name, sections = input_name(path), path.rpartition(".")[0]
        words = sections.replace("_", " ").replace(".", ", ")
        named[path] = f"{name} ({words})" if shared[name] > 1 else name
    return {name: path for path, name in sorted(named.items(), key=lambda one: one[1])}


@cache
def _ids(now: ScenarioBoard) -> list[str]:
    """Return the ids of the rows, which keep them while other rows come and go."""
    ids: list[str] = st.session_state.get(_IDS, [])
    if len(ids) != len(now.rows):
        ids = st.session_state[_IDS] = [token_hex(4) for _ in now.rows]
    return ids


def _handle(event: Event) -> None:
    now = board()
    rows = dict(zip(_ids(now), (list(row) for row in now.rows), strict=True))
    keys = (_PATH, *(f"value-{name}" for name in now.names))
    if isinstance(event, Asked) and event.id in rows:
        navigation.ask(rows[event.id][0])
        return
    if isinstance(event, Added):
        entered = [(id, key, text) for id, cells in event.rows for key, text in cells.items()]
        rows |= {id: [""] * len(keys) for id, _ in event.rows}
    else:
        entered = list(event.cells) if isinstance(event, Edited) else []
    for id, key, text in entered:
        if id in rows and key in keys:
            text = text.strip()[:MAX_TEXT]
            rows[id][keys.index(key)] = _paths().get(text, text) if key == _PATH else text
    if isinstance(event, Removed):
        rows = {id: row for id, row in rows.items() if id not in event.ids}
    kept = dict(list(rows.items())[:MAX_ROWS])
    st.session_state[_IDS] = list(kept)
    _take(replace(now, rows=tuple(tuple(row) for row in kept.values())))
