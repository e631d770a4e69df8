"""Scenarios: variants of the project side by side, one of which can become the project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from facility.core.views import System
from facility.files.io.file_names import safe_file_name
from facility.files.workbook.split import scenarios_bytes
from facility.report.book import scenarios as tables
from facility.report.book.scenarios import text_at
from facility.report.drawings.charts.pareto import scenarios_chart
from facility.report.sheet.grid import TextTable
from facility.report.tables.names import input_name
from facility.report.why.known import known
from facility.study.design.design import Design
from facility.study.scenarios import MAX_SCENARIOS, ScenarioFigure, Scenarios
from facility.ui import controls
from facility.ui.blocks.blocks import Block, ChartBlock, Controls, DisplayTable
from facility.ui.controls import act, download, edit
from facility.ui.scenarios import board, switch
from facility.ui.scenarios.board import show_board
from facility.ui.session.timeline import session
from facility.ui.shell.views import ViewLine
from facility.ui.studies import lines
from facility.ui.studies.frame import StudyView
from facility.ui.work.ready import over
from facility.ui.work.scenario_board import ScenarioBoard

_REDUNDANCY = "power.redundancy"
_SCHEMES = ("N+1", "2N", "N")
"""Alternatives of a project without scenarios, in the order of preference."""
_ALONG, _UP = "load.facility", "cost.month_estimate"


def _shown() -> ScenarioBoard:
    """Return the scenarios of the user; without any, two alternatives of the project."""
    now = board.board()
    if board.shown_names():
        return now
    stated = text_at(session().project, _REDUNDANCY)
    first, second, *_ = (one for one in _SCHEMES if one != stated)
    return replace(now, names=("A", "B"), rows=((_REDUNDANCY, first, second),))


def _keep() -> None:
    """Make the alternatives that are shown the scenarios of the user."""
    shown = _shown()
    for index in range(len(shown.names)):
        board.change(board.begin(""), shown.changes(index))


def _alternatives() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text("No scenarios yet: two alternatives of this project.", width="content")
        act("Keep as scenarios", "add", "scenario-keep", _keep)


def _edit() -> None:
    """Show the changes of the scenarios in a grid, and the actions on one of them."""
    now = board.board()
    with st.expander("Edit the changes of each scenario"):
        show_board(now)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            full = len(now.names) >= MAX_SCENARIOS
            act("Add scenario", "add", "scenario-add", board.add, disabled=full)
            chosen = st.segmented_control(
                "Scenario", now.names, default=now.names[0], required=True, key="scenario-chosen"
            )
            name = chosen if chosen in now.names else now.names[0]
            act(f"Remove scenario {name}", "delete", "scenario-remove", board.remove, name)


def _choose(found: Scenarios) -> None:
    """Show a button for each scenario that makes it the project."""
    with st.container(horizontal=True):
        for one in found.scenarios:
            if one.design is not None and one.changes:
                project = one.design.project
                key = f"scenario-take-{one.name}"
                title = f"Make {switch.label(one.name)} the project"
                edit(title, "check", key, board.make_project, one.name, project)


def _refusals(found: Scenarios) -> None:
    for one in found.scenarios:
        if one.error is not None:
            controls.refused(f"Scenario {one.name}", one.error)


def _plot(found: Scenarios, system: System) -> ChartBlock:
    """Show the selection of two results; return their chart."""
    figures: dict[str, ScenarioFigure] = {}
    for figure in found.figures:  # the first currency of a cost is that of the project
        figures.setdefault(figure.key, figure)
    made = {one.name: one.design for one in found.scenarios if one.design is not None}
    designs = {tables.BASE: found.base, **made}
    with st.container(horizontal=True):
        along, up = (
            _axis(title, key, figures)
            for title, key in (("Horizontal axis", _ALONG), ("Vertical axis", _UP))
        )
    labels = tables.name_of(along.key), tables.name_of(up.key)
    names = [tables.BASE, *(one.name for one in found.scenarios)]
    return ChartBlock(
        "Comparison of two results",
        scenarios_chart(along, up, labels, names, system),
        "scenario-plot",
        f"Scatter chart: {labels[1]} vs. {labels[0]}, project and scenarios",
        page=lambda name: known(designs[name]),
    )


def _axis(title: str, usual: str, figures: dict[str, ScenarioFigure]) -> ScenarioFigure:
    keys = list(figures)
    chosen = st.selectbox(
        title,
        keys,
        index=keys.index(usual) if usual in keys else 0,
        format_func=tables.name_of,
        required=True,
        key=f"scenario-{title.lower()}",
        persist_state="session",
    )
    return figures.get(chosen, figures[keys[0]])


def _downloads(found: Scenarios, system: System) -> None:
    name = f"{safe_file_name(found.base.facility.identity.name)}-scenarios"
    with st.container(horizontal=True):
        book, text = "Download comparison (.xlsx)", "Download comparison (.csv)"
        download(book, f"{name}.xlsx", lambda: scenarios_bytes(found), "scenario-xlsx")
        content = tables.scenarios_csv(found, system)
        download(text, f"{name}.csv", content, "scenario-csv")


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield scenarios with the project: their changes, results with differences and checks."""
    if not board.shown_names():
        yield Controls(_alternatives)
    run = over("scenarios", "scenarios", text=_shown().dumped(), owner="scenarios")
    if run is None:
        yield Controls(_edit)
        return
    found = board.found(run)
    if found.paths:
        table = tables.inputs_table(found).text(tables.input_rows(found))
        paths = list(found.paths)
        rows = [[input_name(path), *row[1:]] for path, row in zip(paths, table.rows, strict=True)]
        yield DisplayTable(TextTable(table.title, table.heads, rows), "scenario-changes")
    yield Controls(lambda: _refusals(found))
    yield DisplayTable(tables.figures_table(found).text(found.figures, system), "scenario-results")
    yield DisplayTable(tables.verdict_table(found), "scenario-verdict")
    yield Controls(lambda: _choose(found))
    yield Controls(_edit)
    yield _plot(found, system)
    yield Controls(lambda: _downloads(found, system))


def _line() -> ViewLine:
    names = board.shown_names()
    if not names:
        return lines.line("Two alternatives", lines.CURRENT)
    return lines.line(", ".join(["Base", *map(switch.label, names)]), lines.CURRENT)


SCENARIOS = StudyView("scenarios", "Scenarios", _blocks, _line)
