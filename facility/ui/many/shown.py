"""The results of a sweep: scatter chart of two results, rows, and the selected design."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from facility.core.errors import FacilityError
from facility.files.io.zipped import zipped
from facility.report.drawings.charts.pareto import Better, ChartAxis, points_of
from facility.report.studies.sweep import number_text
from facility.study.sweep.row import OK, Cells
from facility.ui import displays
from facility.ui.charts import palette
from facility.ui.charts.pareto import pareto_figure
from facility.ui.columns import shown_column
from facility.ui.controls import act, download, one_of
from facility.ui.documents.project_file import project_file
from facility.ui.many import sweep_state
from facility.ui.many.run import ManyRun
from facility.ui.session import state
from facility.ui.why import navigation
from facility.ui.work.sweep import RunOutcome
from facility.ui.work.sweep_request import FRONT, PARQUET, ROWS

_CHOSEN, _CHART, _TABLE = "many-chosen", "many-chart", "many-table"
_NOT_TAKEN = "many-not-taken"
_BETTER: dict[Better, str] = {"less": "Minimise", "more": "Maximise"}
_USUAL = ("cost.annual", "pue.annual", "pue.design", "load.facility")
_TALL_PX = 420
_LOST = ("SWEEP_WORKER", "RUN_LOST", "RUN_MEMORY")
"""Error codes after which a run can be resumed."""


def shown(run: ManyRun, outcome: RunOutcome) -> None:
    """Show the designs of a sweep."""
    if run.text != state.text():
        st.text("The project has changed since this sweep; the rows belong to the earlier project.")
    if outcome.error is not None:
        title = "Sweep not completed" if outcome.rows else "Sweep not run"
        displays.refused(title, outcome.error)
    if outcome.stopped or (outcome.error is not None and outcome.error.code in _LOST):
        _go_on(run, outcome)
    if not outcome.rows:
        return
    if outcome.opening:
        st.text(outcome.opening)
    _plot(outcome)
    _chosen(run, outcome)
    _rows(outcome)
    _files(run, outcome)
    if outcome.tables:
        displays.tabs(outcome.tables, "many")


def _go_on(run: ManyRun, outcome: RunOutcome) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Stopped after {len(outcome.rows):,} designs, which are kept.")
        st.button("Resume sweep", on_click=run.start, key="many-on", icon=":material/play_arrow:")


def _plot(outcome: RunOutcome) -> None:
    """Show the scatter chart of two results; a click selects a design."""
    heads = [head for head in outcome.results if _is_number(outcome, head)]
    if len(heads) < 2:
        return
    along, up = _usual(outcome, heads)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        x = _axis("Horizontal axis", heads, along, "x")
        y = _axis("Vertical axis", heads, up, "y")
    points = points_of(outcome.rows, x, y)
    figure = pareto_figure(points, (x, y), st.session_state.get(_CHOSEN), palette.ink())
    words = f"Scatter chart: {y.head} vs. {x.head}, {len(points)} designs, Pareto front marked"
    st.plotly_chart(
        figure,
        key=_CHART,
        config={"displaylogo": False, "displayModeBar": False},
        alt=words,
        on_select=_clicked,
        selection_mode="points",
    )
    st.text(
        "Pareto front: designs without violations that no other such design improves in one "
        "result without a loss in the other. Violations: from the selected studies only. Click a "
        "design to select it."
    )


def _axis(title: str, heads: list[str], usual: str, key: str) -> ChartAxis:
    head = st.selectbox(
        title, heads, index=heads.index(usual), key=f"many-{key}", persist_state="session"
    )
    better = one_of(f"{title}, direction", _BETTER, f"many-{key}-way", titled=False)
    return ChartAxis(head, better)


def _usual(outcome: RunOutcome, heads: list[str]) -> tuple[str, str]:
    """Return the results initially plotted: the objectives, else annual cost and PUE."""
    usual = [head for key in _USUAL for head in heads if head.partition(" ")[0] == key]
    aims = [head for head in outcome.aims if head in heads]
    found = list(dict.fromkeys([*aims, *usual, *heads]))
    return found[0], found[1]


def _is_number(outcome: RunOutcome, head: str) -> bool:
    cells = [row.get(head) for row in outcome.rows]
    return any(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)


def _clicked() -> None:
    points = st.session_state[_CHART].selection.points
    if points and "customdata" in points[0]:
        found = points[0]["customdata"]
        st.session_state[_CHOSEN] = int(found[0] if isinstance(found, list) else found)


def _picked() -> None:
    rows = st.session_state[_TABLE].selection.rows
    if rows:
        st.session_state[_CHOSEN] = st.session_state[f"{_TABLE}-numbers"][rows[0]]


def _chosen(run: ManyRun, outcome: RunOutcome) -> None:
    """Show the selected design, with the button that applies it."""
    number = st.session_state.get(_CHOSEN)
    cells = next((row for row in outcome.rows if row["row"] == number), None)
    if cells is None:
        return
    with st.container(border=True):
        st.markdown(f"##### Row {number}")
        made = cells["status"] == OK
        if not made:
            st.text(f"{cells['where']}: {cells['message']} [{cells['error']}]")
        else:
            st.text(_verdict(cells))
        left, right = st.columns(2, gap="medium")
        with left:
            _two("Input", outcome.paths, cells, "many-inputs")
        with right:
            _results(run, outcome, cells)
        _take(run, outcome, cells, made=made)


def _two(title: str, heads: tuple[str, ...], cells: Cells, key: str) -> None:
    values = [_text(cells.get(head)) or "Automatic" for head in heads]
    st.dataframe({title: list(heads), "Value": values}, hide_index=True, key=key, height="content")


def _results(run: ManyRun, outcome: RunOutcome, cells: Cells) -> None:
    """Show the results of a row, with their explanations from its design."""

    def explain(row: int, head: str) -> navigation.WhyRequest | None:
        id = outcome.results[row].partition(" ")[0]
        found = None if head == "Result" else sweep_state.known_of(run, outcome.paths, cells, id)
        return None if found is None else (id, found)

    values = [_text(cells.get(head)) or "-" for head in outcome.results]
    columns = {"Result": list(outcome.results), "Value": values}
    displays.explained_frame(columns, "many-found", explain, height="content")


def _verdict(cells: Cells) -> str:
    ran = [
        f"{head.removeprefix('verdict.')}: {cells[head]}"
        for head in cells
        if head.startswith("verdict.") and cells[head] != "not run"
    ]
    return "; ".join(ran)


def _take(run: ManyRun, outcome: RunOutcome, cells: Cells, *, made: bool) -> None:
    number = cells["row"]
    with st.container(horizontal=True, vertical_alignment="center"):
        title, row = "Use design as project", (run, outcome.paths, cells)
        act(title, "input", "many-take", _taken, *row, disabled=not made)
        if made:
            file = project_file(sweep_state.project_of(run, outcome.paths, cells), f"row-{number}")
            download(file.title, file.name, file.make, "many-project")
    error = st.session_state.pop(_NOT_TAKEN, None)
    if error is not None:
        displays.refused("Design not applied", error)


def _taken(run: ManyRun, paths: tuple[str, ...], cells: Cells) -> None:
    try:
        sweep_state.take_over(
            sweep_state.project_of(run, paths, cells), f"row {cells['row']} of a sweep"
        )
    except FacilityError as error:
        st.session_state[_NOT_TAKEN] = error


def _rows(outcome: RunOutcome) -> None:
    """Show every row; a check box selects one."""
    heads = ["row", *outcome.paths, "status", "violations", "warnings", *outcome.results]
    columns = [shown_column(head, [_text(row.get(head)) for row in outcome.rows]) for head in heads]
    st.session_state[f"{_TABLE}-numbers"] = [row["row"] for row in outcome.rows]
    st.dataframe(
        pa.table({column.head: column.cells for column in columns}),
        hide_index=True,
        key=_TABLE,
        height="content" if len(outcome.rows) < 10 else _TALL_PX,
        on_select=_picked,
        selection_mode="single-row",
        column_config={one.head: one.config for one in columns if one.config is not None},
        placeholder="",
    )


def _files(run: ManyRun, outcome: RunOutcome) -> None:
    searched = run.folder / FRONT
    rows = searched / "designs.csv" if run.request.best else run.folder / ROWS
    files = [
        ("Download rows (.csv)", rows, "rows.csv"),
        ("Download rows (.parquet)", run.folder / PARQUET, "rows.parquet"),
    ]
    with st.container(horizontal=True):
        for title, path, name in files:
            if path.exists():
                download(title, name, path.read_bytes, f"many-{name}")
        if run.request.best and (searched / "front.csv").exists():
            download(
                "Download Pareto front with project files (.zip)",
                "front.zip",
                lambda: zipped({one.name: one.read_bytes() for one in searched.iterdir()}),
                "many-zip",
            )
    if outcome.stopped:
        st.text("The files contain the designs finished before the stop.")


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return number_text(cell) if isinstance(cell, float) else "" if cell is None else str(cell)
