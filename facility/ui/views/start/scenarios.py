"""Scenarios: the project beside itself with inputs changed, and one of them to go on with."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.core.views import System
from facility.files.io.file_names import safe_file_name
from facility.files.workbook.split import scenarios_bytes
from facility.report.book import scenarios as tables
from facility.report.why.known import known
from facility.study.scenarios import MOST, ScenarioFigure, Scenarios
from facility.ui import displays
from facility.ui.charts import palette
from facility.ui.charts.pareto import scenarios_figure
from facility.ui.controls import act, download
from facility.ui.scenarios import board
from facility.ui.scenarios.board import Told, show_grid
from facility.ui.session import state
from facility.ui.why.drawer import known_here
from facility.ui.work.runs import every_s
from facility.ui.work.scenario_board import ScenarioBoard

_WHAT = (
    "One field a row, one scenario a column, written as in the project file. An empty cell is as "
    f"in the project; `{tables.DESIGNED}` leaves the field to be designed."
)
_ALONG, _UP = "load.facility", "cost.month_estimate"


def _inputs() -> None:
    now = board.board()
    st.markdown(_WHAT)
    if not board.is_of_the_project():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text("The project has changed since these scenarios were begun.", width="content")
            st.button("Start from it as it is now", on_click=board.start_here, key="scenario-here")
    show_grid(now)
    _numbers(now)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        act("Add a scenario", "add", "scenario-add", board.add, disabled=len(now.names) >= MOST)
        chosen = st.segmented_control(
            "Scenario", now.names, default=now.names[0], required=True, key="scenario-chosen"
        )
        name = chosen if chosen in now.names else now.names[0]
        act(f"Make {name} the project", "check", "scenario-promote", board.promote, name)
        alone = len(now.names) == 1
        act(f"Remove {name}", "delete", "scenario-remove", board.remove, name, disabled=alone)


def _numbers(now: ScenarioBoard) -> None:
    """Show the inputs of the project that scenarios change, to be asked about beside the grid."""
    design = known_here()
    paths = [row[0] for row in now.rows if row[0] in design]
    displays.choice_to_ask(
        "Why an input of the project", paths, "why-scenarios", lambda n: (paths[n], None)
    )


def _refusals(found: Scenarios) -> None:
    for one in found.scenarios:
        if one.error is not None:
            displays.refused(f"Scenario {one.name}", one.error)


def _plot(found: Scenarios, system: System) -> None:
    figures = {figure.key: figure for figure in found.figures}
    made = {one.name: one.design for one in found.scenarios if one.design is not None}
    designs = {tables.BASE: found.base, **made}
    st.markdown("##### Two results against each other")
    with st.container(horizontal=True):
        along, up = (_axis(title, key, figures) for title, key in (("Along", _ALONG), ("Up", _UP)))
    displays.chart_to_ask(
        scenarios_figure(along, up, [one.name for one in found.scenarios], palette.ink(), system),
        "scenario-plot",
        f"Points: {tables.name_of(up.key)} of the project and of each scenario over "
        f"{tables.name_of(along.key)}",
        lambda name: known(designs[name]),
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


def _verdicts(found: Scenarios) -> Sequence[Told]:
    """Show the verdict on each; all studies of all of them run when they are asked for."""
    st.markdown("##### Verdict")
    asked = st.toggle(
        "Run all studies of every scenario", key="scenario-verdicts", persist_state="session"
    )
    told = board.verdicts(found) if asked else board.no_verdicts(found)
    if any(one.going for one in told):
        st.fragment(_watch, run_every=every_s())(found)
    else:
        _told(found, told)
    return told


def _watch(found: Scenarios) -> None:
    told = board.verdicts(found)
    if not any(one.going for one in told):
        st.rerun()
    _told(found, told)


def _told(found: Scenarios, told: Sequence[Told]) -> None:
    displays.table(tables.verdict_table(found, [one.words for one in told]), "scenario-verdict")


def _downloads(found: Scenarios, told: Sequence[Told], system: System) -> None:
    words = [one.words for one in told]
    name = f"{safe_file_name(found.base.facility.identity.name)}-scenarios"
    with st.container(horizontal=True):
        book, text = "Comparison (.xlsx)", "Comparison (.csv)"
        download(book, f"{name}.xlsx", lambda: scenarios_bytes(found, words), "scenario-xlsx")
        content = tables.scenarios_csv(found, words, system)
        download(text, f"{name}.csv", content, "scenario-csv")


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Scenarios", design)
    _inputs()
    run = board.run()
    if run is None:
        return
    if run.error is not None:
        displays.refused("Not designed", run.error)
        return
    found = board.found(run)
    _refusals(found)
    st.markdown("##### Results")
    displays.table(tables.figures_table(found).text(found.figures, system), "scenario-results")
    told = _verdicts(found)
    _downloads(found, told, system)
    _plot(found, system)


_page()
