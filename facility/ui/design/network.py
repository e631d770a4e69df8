"""All single outages of a design: verdicts, effect of a state, and the matrix of the worst."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.core.views import System, show
from facility.files.io.file_names import safe_file_name
from facility.files.svg.shapes import LIGHT
from facility.files.svg.sheets import drawing_svg
from facility.power.network.outages.by_kind import KIND_NAMES, highest_by_kind
from facility.report.drawings.charts.bars import loading_bars
from facility.report.drawings.live.moments import LiveState
from facility.report.sheet.grid import TextTable
from facility.report.tables.states import (
    STATE_KEYS,
    MatrixRow,
    state_facts,
    verdict_lines,
    worst_first,
)
from facility.report.why.pages import loading_id, of_moment, of_state
from facility.study.design.design import Design
from facility.study.failures.study import FailureStudy
from facility.study.rules import RULES
from facility.ui import displays
from facility.ui.canvas.views import ShownState
from facility.ui.controls import download
from facility.ui.session import outages, state
from facility.ui.why import navigation

_YES: tuple[str, displays.Colour] = ("Yes", "green")
_NO: tuple[str, displays.Colour] = ("No", "red")
_COLUMN_KEYS = {
    "IT dropped": "state.load_dropped",
    "IT capped": "state.load_capped",
    "Racks": "state.racks",
    "Worst overload": "state.overload",
}
"""Result keys of the columns of the failure matrix that are not loadings."""
_MATRIX_ROWS = 40


def _strip(design: Design, study: FailureStudy, system: System) -> None:
    """Show the redundancy verdicts and the figures behind them."""
    losses = [s for s in study.states if s.case.kind in ("loss", "utility")]
    worst = worst_first(losses)[0]
    maintained = sum(s.case.size for s in study.states if s.case.kind == "maintenance")
    card = partial(displays.metric, page=outages.known())
    with st.container(horizontal=True):
        name = design.facility.power.scheme.name
        ups = design.chain.ups
        systems = "1 system" if len(ups.systems) == 1 else f"{len(ups.systems)} systems"
        displays.metric(
            "Redundancy", name, f"{systems}, {ups.modules:,} modules", why="ups.systems"
        )
        for title, rule, verdict, tried in (
            (
                "Concurrently maintainable",
                RULES["CONCURRENTLY-MAINTAINABLE"].id,
                study.concurrently_maintainable,
                f"{maintained:,} outages evaluated",
            ),
            (
                "Fault tolerant",
                RULES["FAULT-TOLERANT"].id,
                study.fault_tolerant,
                f"{sum(s.case.size for s in losses):,} losses evaluated",
            ),
        ):
            word, colour = _YES if verdict.holds else _NO
            card(title, word, tried, colour, why=rule)
        dropped_w = worst.dropped_w + worst.interrupted_w
        lost = show(dropped_w, "active_power", system) if dropped_w else "None"
        card(
            "IT dropped, worst loss",
            lost,
            f"{len(worst.racks):,} racks",
            "red" if dropped_w else "green",
            why="load_dropped.loss",
        )
        points = sum(len(point.alike) for point in study.single_points)
        title, colour = "Single points of failure", "red" if points else "green"
        card(title, f"{points:,}", "Components", colour, why="single_points")
    st.text("\n".join(verdict_lines(study)))


def show_downloads(design: Design, shown: ShownState) -> None:
    """Show the downloads of the diagram in the shown state: one drawing, or sheets."""
    name = safe_file_name(design.facility.identity.name)
    args = shown.case, shown.opened, shown.instant

    def whole() -> str:
        (drawing,) = outages.drawings(*args, "grouped", False)
        drawing = outages.hall_loads().drawn(drawing, shown.live.flow)
        return drawing_svg(drawing, LIGHT, opened=shown.opened)

    download("Download one-line diagram (.svg)", f"{name}-one-line.svg", whole, "one-line-svg")


def _state(design: Design, live: LiveState, system: System) -> None:
    """Show the effect of the whole outage, and the highest loadings."""
    network = design.states.network
    facts, side = st.columns([3, 2], gap="medium")
    with facts:
        st.markdown("#### Effect of this state")
        rows, page = list(state_facts(live.state, system)), of_state(live, network)
        ids = [STATE_KEYS[quantity] for quantity, _ in rows]
        keys = [id if id in page else "" for id in ids]
        facts_table = TextTable("", ("Quantity", "Value"), rows, keys=keys)
        displays.table(facts_table, "state-facts", page)
        st.text("Final state. Time on battery: until the generators carry the load.")
    with side:
        st.markdown("#### Highest loading by equipment type")
        loading = highest_by_kind(network, live.loading)
        displays.explained_chart(
            loading_bars(loading, loading_id),
            "state-loading",
            "Bar chart: highest loading of each equipment type",
            of_moment(live, network),
        )


def _matrix(study: FailureStudy, system: System) -> None:
    st.markdown("#### Failure matrix")
    rows = outages.worst(_MATRIX_ROWS)
    shown = [name for name in KIND_NAMES.values() if any(row.loading.get(name) for row in rows)]
    displays.explained_frame(
        "Failure matrix",
        {
            "State": [row.state for row in rows],
            "IT dropped": [show(row.dropped_w, "active_power", system) for row in rows],
            "IT capped": [show(row.capped_w, "active_power", system) for row in rows],
            "Racks": [row.racks for row in rows],
            "Worst overload": [row.overload for row in rows],
            **{
                f"{name} (%)": [
                    None if part is None else round(100.0 * part, 1)
                    for part in (row.loading.get(name) for row in rows)
                ]
                for name in shown
            },
        },
        "failure-matrix",
        lambda row, head: _of_cell(rows[row], head.removesuffix(" (%)")),
    )
    st.text(
        f"Highest loading of each equipment type in the {len(rows)} worst of "
        f"{len(study.states):,} states ({study.outages:,} outages), sorted by load dropped, load "
        "capped, overload, then highest loading."
    )


def _of_cell(row: MatrixRow, head: str) -> navigation.WhyRequest | None:
    """Return the result that a cell of the failure matrix shows, in its state."""
    id = _COLUMN_KEYS.get(head) or (loading_id(head) if row.loading.get(head) else "")
    if not id or (head == "Worst overload" and row.overload == "none"):
        return None
    solver, _ = outages.states()
    return id, of_state(outages.moment(row.case.outage.id, (), "settled"), solver.network)


def show_outages(design: Design, shown: ShownState) -> None:
    """Show the verdicts on all single outages, the effect of the state shown, and all states."""
    system, study = state.unit_system(), outages.study()
    _strip(design, study, system)
    _state(design, shown.live, system)
    _matrix(study, system)
