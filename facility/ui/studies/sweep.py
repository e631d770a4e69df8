"""Sweep: many designs of one project, two results plotted, one to apply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.views import System, view_unit
from facility.files.io.zipped import zipped
from facility.files.project.file import parse_project
from facility.model.inputs.document import Project, as_typed, read_document
from facility.report.drawings.charts.pareto import Better, ChartAxis, pareto_chart, points_of
from facility.report.sheet.grid import Amount, GridValue, TextTable
from facility.report.studies.sweep import number_text
from facility.report.tables.names import input_name
from facility.report.why.known import Known, known
from facility.report.why.names import title_of
from facility.study.design.design import Design
from facility.study.sweep.plan import changed
from facility.study.sweep.row import OK, Cells
from facility.ui import controls
from facility.ui.blocks import render
from facility.ui.blocks.blocks import Block, ChartBlock, Controls, DisplayTable, Tabs, TextBlock
from facility.ui.controls import act, download, one_of
from facility.ui.downloads.project_file import project_file
from facility.ui.session import state
from facility.ui.session.edits import Session
from facility.ui.session.timeline import commit, session
from facility.ui.studies import lines, requests
from facility.ui.studies.frame import StudyView
from facility.ui.studies.requests import StudyRequest
from facility.ui.studies.sweep_form import KEY, form, show_varied, start_first
from facility.ui.why import navigation
from facility.ui.work.sweep.designs import RunOutcome
from facility.ui.work.sweep.request import FRONT, PARQUET, ROWS, request_of

_CHOSEN, _CHART, _TABLE = "sweep-chosen", "sweep-chart", "sweep-table"
_NOT_TAKEN = "sweep-not-taken"
_BETTER: dict[Better, str] = {"less": "Minimise", "more": "Maximise"}
_USUAL = ("cost.annual", "pue.annual", "pue.design", "load.facility")
_LOST = ("SWEEP_WORKER", "RUN_LOST", "RUN_MEMORY")
"""Error codes after which a run can be resumed."""


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield the designs of the last sweep; without one, start a small sweep of the project."""
    yield Controls(show_varied)
    if requests.requested(KEY) is None:
        start_first()
    run = requests.requested(KEY)
    found = None if run is None else requests.result(run, "sweep", stops=True)
    if run is None or found is None:
        return
    outcome = cast(RunOutcome, found)
    if run.is_stale:
        yield TextBlock(
            "The project has changed since this sweep; the rows belong to the earlier project."
        )
    if outcome.error is not None:
        title = "Sweep not completed" if outcome.rows else "Sweep not run"
        yield Controls(partial(controls.refused, title, outcome.error))
    if outcome.stopped or (outcome.error is not None and outcome.error.code in _LOST):
        yield Controls(lambda: _go_on(run, outcome))
    if not outcome.rows:
        return
    yield TextBlock(outcome.opening)
    yield from _plot(outcome)
    yield Controls(lambda: _chosen(run, outcome, system))
    yield _rows(outcome, system)
    yield Controls(lambda: _files(run, outcome))
    if request_of(run.options[0]).best:
        yield Tabs(outcome.tables, "sweep")


def _go_on(run: StudyRequest, outcome: RunOutcome) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Stopped after {len(outcome.rows):,} designs, which are kept.")
        act("Resume sweep", "play_arrow", "sweep-on", run.resume)


def _plot(outcome: RunOutcome) -> Iterator[Block]:
    """Yield the scatter chart of two results; a click selects a design."""
    numeric = {
        head
        for row in outcome.rows
        for head, cell in row.items()
        if isinstance(cell, int | float) and not isinstance(cell, bool)
    }
    heads = [head for head in outcome.results if head in numeric]
    if len(heads) < 2:
        return
    along, up = _usual(outcome, heads)
    x, y = (_axis(key, usual, heads) for key, usual in (("x", along), ("y", up)))
    yield Controls(lambda: _axes(heads, along, up))
    points = points_of(outcome.rows, x, y)
    yield ChartBlock(
        f"{_title(y.head)} vs. {_title(x.head)}",
        pareto_chart(points, (_in_words(x), _in_words(y)), st.session_state.get(_CHOSEN)),
        _CHART,
        f"Scatter chart: {_title(y.head)} vs. {_title(x.head)}, {len(points)} designs, Pareto "
        "front marked",
        "Pareto front: designs without violations that cannot be improved in one result without "
        "worsening the other. Violations: from the selected studies only. Click a design to select "
        "it.",
        picked=_pick,
    )


def _axis(key: str, usual: str, heads: list[str]) -> ChartAxis:
    head, way = st.session_state.get(f"sweep-{key}"), st.session_state.get(f"sweep-{key}-way")
    return ChartAxis(str(head) if head in heads else usual, "more" if way == "more" else "less")


def _axes(heads: list[str], along: str, up: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for title, usual, key in (("Horizontal axis", along, "x"), ("Vertical axis", up, "y")):
            st.selectbox(
                title,
                heads,
                index=heads.index(usual),
                key=f"sweep-{key}",
                format_func=_title,
                persist_state="session",
            )
            one_of(f"{title}, direction", _BETTER, f"sweep-{key}-way", titled=False)


def _in_words(axis: ChartAxis) -> ChartAxis:
    return replace(axis, head=_title(axis.head))


def _title(head: str) -> str:
    """Return the heading of a result in words, with its unit."""
    id, _, unit = head.partition(" ")
    return f"{title_of(id)} {unit}".strip()


def _pick(row: int) -> None:
    st.session_state[_CHOSEN] = row


def _usual(outcome: RunOutcome, heads: list[str]) -> tuple[str, str]:
    """Return the results initially plotted: the objectives, else annual cost and PUE."""
    usual = [head for key in _USUAL for head in heads if head.partition(" ")[0] == key]
    aims = [head for head in outcome.aims if head in heads]
    found = list(dict.fromkeys([*aims, *usual, *heads]))
    return found[0], found[1]


def _chosen(run: StudyRequest, outcome: RunOutcome, system: System) -> None:
    """Show the selected design, with the button that applies it."""
    number = st.session_state.get(_CHOSEN)
    cells = next((row for row in outcome.rows if row["row"] == number), None)
    if cells is None:
        return
    with st.container(border=True):
        st.markdown(f"**Design {number}**")
        succeeded = cells["status"] == OK
        if not succeeded:
            st.text(f"{cells['where']}: {cells['message']} [{cells['error']}]")
        else:
            ran = [
                f"{head.removeprefix('verdict.')}: {cells[head]}"
                for head in cells
                if head.startswith("verdict.") and cells[head] != "not run"
            ]
            st.text("; ".join(ran))
        _results(run, outcome, cells, system)
        _take(run, outcome, cells, succeeded=succeeded)


def _results(run: StudyRequest, outcome: RunOutcome, cells: Cells, system: System) -> None:
    """Show the results of a row, with their explanations from its design."""
    ids = [head.partition(" ")[0] for head in outcome.results]
    rows = [
        (title_of(id), _value(cells.get(head), kind))
        for id, head, kind in zip(ids, outcome.results, outcome.kinds, strict=True)
    ]
    keys = [{"Value": id} for id in ids]
    table = TextTable.of("Results", ("Result", "Value"), rows, system, keys)

    def explain(row: int, head: str) -> navigation.WhyRequest | None:
        found = known_of(run, outcome.paths, cells, ids[row]) if head == "Value" else None
        return None if found is None else (ids[row], found)

    render.show([DisplayTable(table, "sweep-found", explain=explain)])


def _take(run: StudyRequest, outcome: RunOutcome, cells: Cells, *, succeeded: bool) -> None:
    number = cells["row"]
    with st.container(horizontal=True, vertical_alignment="center"):
        title, row = "Use design as project", (run, outcome.paths, cells)
        act(title, "input", "sweep-take", _taken, *row, disabled=not succeeded)
        if succeeded:
            file = project_file(_project_of(run, outcome.paths, cells), f"row-{number}")
            download(file.title, file.name, file.make, "sweep-project")
    error = st.session_state.pop(_NOT_TAKEN, None)
    if error is not None:
        controls.refused("Design not applied", error)


def _taken(run: StudyRequest, paths: tuple[str, ...], cells: Cells) -> None:
    """Make the project of a row the open project, as one undoable step, if it can be designed."""
    try:
        project = _project_of(run, paths, cells)
        state.design_of(project)
    except FacilityError as error:
        st.session_state[_NOT_TAKEN] = error
        return
    after = Session(project, generation=session().generation + 1)
    commit(after, f"row {cells['row']} of a sweep")


def _project_of(run: StudyRequest, paths: tuple[str, ...], cells: Cells) -> Project:
    """Return the project of a row: the project of the run with the values of the row."""
    project = parse_project(run.text, "project")
    typed = {path: str(cells[path] or "") for path in paths}
    return read_document(changed(as_typed(project), typed), project.site.folder)


def known_of(run: StudyRequest, paths: tuple[str, ...], cells: Cells, id: str) -> Known | None:
    """Return the explanations of the design of a row; None if it has no result `id`.

    The row is designed again, and its studies are run in order until one has the result.
    """
    design = state.design_of(_project_of(run, paths, cells))
    results = chain([design.results], (study.results for study in design.studies))
    return known(design) if any(id in found for found in results) else None


def _rows(outcome: RunOutcome, system: System) -> DisplayTable:
    """Return every row; a row is selected."""
    counts = ("violations", "warnings")
    heads = ("Row", *map(input_name, outcome.paths), "Status", *map(str.capitalize, counts))
    names = [title_of(head.partition(" ")[0]) for head in outcome.results]
    rows = [
        (
            str(row["row"]),
            *(str(row.get(path) or "") for path in outcome.paths),
            str(row["status"]),
            *(_value(row.get(count), "count") for count in counts),
            *(
                _value(row.get(head), kind)
                for head, kind in zip(outcome.results, outcome.kinds, strict=True)
            ),
        )
        for row in outcome.rows
    ]
    numbers = [row["row"] for row in outcome.rows]
    chosen = st.session_state.get(_CHOSEN)
    return DisplayTable(
        TextTable.of("Designs", (*heads, *names), rows, system),
        _TABLE,
        chosen=lambda index: _pick(cast(int, numbers[index])),
        selected=numbers.index(chosen) if chosen in numbers else None,
    )


def _value(cell: object, kind: str) -> GridValue:
    """Return a cell of a row, a number of a kind in SI."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, int | float):
        return None if cell is None else str(cell)
    if kind not in KINDS:
        return number_text(cell)
    factor, offset = KINDS[kind].units[view_unit(kind)]
    return Amount(cell * factor + offset, kind)


def _files(run: StudyRequest, outcome: RunOutcome) -> None:
    best, folder = request_of(run.options[0]).best, Path(run.options[1])
    searched = folder / FRONT
    files = [
        ("Download rows (.csv)", searched / "designs.csv" if best else folder / ROWS, "rows.csv"),
        ("Download rows (.parquet)", folder / PARQUET, "rows.parquet"),
    ]
    with st.container(horizontal=True):
        for title, path, name in files:
            if path.exists():
                download(title, name, path.read_bytes, f"sweep-{name}")
        if best and (searched / "front.csv").exists():
            download(
                "Download Pareto front with project files (.zip)",
                "front.zip",
                lambda: zipped({one.name: one.read_bytes() for one in searched.iterdir()}),
                "sweep-zip",
            )
    if outcome.stopped:
        st.text("The files contain the designs finished before the stop.")


SWEEP = StudyView(
    KEY,
    "Sweep",
    _blocks,
    lambda: lines.of_request(
        KEY,
        "Designs of other sizes",
        lambda found: f"{len(cast(RunOutcome, found).rows):,} designs",
    ),
    own=form,
)
