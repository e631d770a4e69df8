"""The scenarios of a project: their base project, and the changes of each.

Each user has separate scenarios, stored with the project as a draft; empty ones are not stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import streamlit as st

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.store.records import Draft
from facility.model.inputs.document import Project
from facility.report.book.scenarios import BASE, DESIGNED, refusal, text_at
from facility.report.tables.verdict import headline, word_of
from facility.study.design.design import Design
from facility.study.scenarios import MAX_SCENARIOS, Scenario, Scenarios
from facility.ui.checks.known import gather, known
from facility.ui.memory.cache import CACHE, session_id
from facility.ui.panels.grid_mount import Mount, mounted
from facility.ui.session import opened
from facility.ui.session.edits import Session
from facility.ui.session.timeline import commit, session
from facility.ui.work import runs
from facility.ui.work.ready import over
from facility.ui.work.runs import Run
from facility.ui.work.scenario_board import Row, ScenarioBoard, board_of

_BOARD = "scenarios"
_OWNER = "scenarios"
_LETTERS = "ABCDEF"
MAX_ROWS, MAX_TEXT = 60, 200


def board() -> ScenarioBoard:
    """Return the scenarios of this user; initially one, based on the current project."""
    if _BOARD not in st.session_state:
        stored = _read(opened.current().drafts.get(Draft.SCENARIOS, ""))
        st.session_state[_BOARD] = stored or ScenarioBoard(dump_project(session().project))
    found: ScenarioBoard = st.session_state[_BOARD]
    return found


def forget() -> None:
    """Discard the scenarios of the session, so that those of the next project are loaded."""
    st.session_state.pop(_BOARD, None)


def _take(after: ScenarioBoard) -> None:
    """Make `after` the scenarios, and store them with the project."""
    st.session_state[_BOARD] = after
    opened.keep(Draft.SCENARIOS, after.dumped(), session().project)


def _read(text: str) -> ScenarioBoard | None:
    """Return the stored scenarios; None if there are none or another version wrote them."""
    try:
        found = board_of(text)
        parse_project(found.text, "project")
    except (ValueError, KeyError, TypeError, FacilityError):
        return None
    return found


def is_of_the_project() -> bool:
    """Return whether the scenarios are based on the current project."""
    return board().text == dump_project(session().project)


def start_here() -> None:
    """Base the scenarios on the current project, and keep their changes."""
    _take(replace(board(), text=dump_project(session().project)))


def set_rows(names: Sequence[str], rows: Sequence[Row]) -> None:
    """Set the rows from a grid of the scenarios `names`; empty rows are dropped.

    A scenario added since the grid was displayed gets the values of the last one in the grid.
    """
    now = board()
    edited = []
    for path, *texts in rows[:MAX_ROWS]:
        typed = dict(zip(names, texts, strict=True))
        row = (path, *(typed.get(name, texts[-1]) for name in now.names))
        edited.append(tuple(text.strip()[:MAX_TEXT] for text in row))
    _take(replace(now, rows=tuple(row for row in edited if any(row))))


def add() -> None:
    """Add a scenario with the changes of the last one."""
    now = board()
    if len(now.names) < MAX_SCENARIOS:
        name = next(letter for letter in _LETTERS if letter not in now.names)
        rows = tuple((*row, row[-1]) for row in now.rows)
        _take(ScenarioBoard(now.text, (*now.names, name), rows))


def remove(name: str) -> None:
    """Remove a scenario unless it is the only one."""
    now = board()
    if len(now.names) > 1 and name in now.names:
        at = now.names.index(name)
        rows = (row[: 1 + at] + row[2 + at :] for row in now.rows)
        names = now.names[:at] + now.names[at + 1 :]
        _take(ScenarioBoard(now.text, names, tuple(r for r in rows if any(r[1:]))))


def run() -> Run | None:
    """Return the run that designs the scenarios when it is done; until then show its progress."""
    return over("scenarios", "scenarios", text=board().dumped(), owner=_OWNER)


def found(over: Run) -> Scenarios:
    """Return the designs of the base project and of every scenario.

    Raises the error of the base project if it cannot be designed.
    """
    now = board()
    part = ("scenarios", now.dumped())
    return cast(Scenarios, CACHE.made(now.text, session_id(), part, 1, over.result))


def promote(name: str) -> None:
    """Make a scenario the project, as one undoable step."""
    over = runs.ask("scenarios", board().dumped(), owner=_OWNER)
    if over.state != "done":
        return
    one = next(one for one in found(over).scenarios if one.name == name)
    if one.design is not None:
        before = session()
        label = f"scenario {name}"
        after = Session(one.design.project, generation=before.generation + 1)
        commit(after, label)


NOT_RUN = "not run"


@dataclass(frozen=True)
class VerdictText:
    """The verdict on one design, as far as known."""

    words: str
    going: bool = False  # Studies are still running


def verdicts(found: Scenarios) -> list[VerdictText]:
    """Return the verdicts on the project and each scenario; request the missing studies."""
    return [_of(found.base, "scenarios, project"), *(_on(one) for one in found.scenarios)]


def no_verdicts(found: Scenarios) -> list[VerdictText]:
    """Return the verdicts when no studies were requested: the project's, and rejected scenarios."""
    here = known() if is_of_the_project() else None
    base = headline(here.checks) if here is not None and here.whole else NOT_RUN
    return [VerdictText(base), *(VerdictText(refusal(one) or NOT_RUN) for one in found.scenarios)]


def _on(one: Scenario) -> VerdictText:
    return (
        VerdictText(refusal(one)) if one.design is None else _of(one.design, f"scenario {one.name}")
    )


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


_PATH = "Input"
_Rows = tuple[Row, ...]


def show_grid(now: ScenarioBoard) -> None:
    """Show the changes of each scenario in an editable grid."""
    name = f"scenario-inputs-{''.join(now.names)}"
    mount = mounted(name, now.rows, lambda one: _applied(one, now) == now.rows)
    base = parse_project(now.text, "project")
    heads = (_PATH, *now.names)
    rows = _shown(mount, heads)
    cells = {head: [row[n] for row in rows] for n, head in enumerate(heads)}
    shown = {
        _PATH: cells.pop(_PATH),
        BASE: [text_at(base, row[0]) if row[0] else "" for row in rows],
    }

    def edited() -> None:
        set_rows(now.names, _applied(mount, now))

    st.data_editor(
        {**shown, **cells},
        num_rows="dynamic",
        hide_index=True,
        disabled=[BASE],
        key=mount.key,
        on_change=edited,
        column_config={
            _PATH: st.column_config.TextColumn(
                width="medium",
                max_chars=MAX_TEXT,
                help="Field path, e.g. it.gpus, power.redundancy, site.tariff",
            ),
            **{
                one: st.column_config.TextColumn(
                    max_chars=MAX_TEXT,
                    help=f"Value as in the project file; empty: project value; {DESIGNED}: unset",
                )
                for one in now.names
            },
        },
    )
    _in_project(base, [row[0] for row in now.rows if row[0] not in shown[_PATH]])


def _in_project(base: Project, paths: Sequence[str]) -> None:
    """Show the project values of inputs entered since the grid received its rows."""
    lines = [f"{path} {text_at(base, path)}" for path in paths if path]
    if lines:
        st.text(f"In the project: {'; '.join(lines)}.")


def _shown(mount: Mount[_Rows], heads: Sequence[str]) -> _Rows:
    """Return the rows that the grid received, or one empty row."""
    return mount.base or (("",) * len(heads),)


def _applied(mount: Mount[_Rows], now: ScenarioBoard) -> _Rows:
    """Return the rows of the grid with its edits applied."""
    heads = (_PATH, *now.names)
    delta = mount.delta
    rows = [list(row) for row in _shown(mount, heads)]
    for index, cells in delta.get("edited_rows", {}).items():
        _write(rows[int(index)], cells, heads)
    gone = {int(index) for index in delta.get("deleted_rows", ())}
    edited = [row for index, row in enumerate(rows) if index not in gone]
    for cells in delta.get("added_rows", ()):
        row = [""] * len(heads)
        _write(row, cells, heads)
        edited.append(row)
    return tuple(tuple(cell.strip() for cell in row) for row in edited if any(row))


def _write(row: list[str], cells: Mapping[str, object], heads: Sequence[str]) -> None:
    for head, value in cells.items():
        if head in heads:
            row[heads.index(head)] = "" if value is None else str(value)
