"""Power: the one-line diagram in every state, what each outage does, and the equipment."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from facility.core.views import System, show
from facility.files.io.file_names import safe_file_name
from facility.files.svg.one_line import PAGE_PX, drawing_size_px, drawing_svg
from facility.files.svg.shapes import LIGHT, Paint
from facility.files.svg.sheets import sheet_documents
from facility.power.network.outages.cases import Case
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.one_line.diagram import lay_out
from facility.report.drawings.one_line.facts import facts_of
from facility.report.drawings.one_line.state import Moment, state_drawings, state_words
from facility.report.sheet.grid import TextTable
from facility.report.studies.equipment import PowerTrain
from facility.report.tables.failures import verdict_lines, worst_first
from facility.report.tables.states import (
    KIND_NAMES,
    case_name,
    highest_by_kind,
    matrix_rows,
    state_facts,
)
from facility.study.design.design import Design
from facility.study.failures.study import FailureStudy
from facility.ui import displays
from facility.ui.charts import bars as charts
from facility.ui.charts import palette
from facility.ui.charts.one_line_frame import page_paint, show_one_line
from facility.ui.session import outages, state

_ROW_PX = 30
_MATRIX_ROWS = 40
_FULL = 120.0
_MOMENTS: tuple[Moment, ...] = ("settled", "on battery")
Picture = Literal["overview", "grouped", "full"]
_PICTURES: tuple[Picture, ...] = ("overview", "grouped", "full")
_PICTURE_NAMES = {"overview": "overview", "grouped": "sheets", "full": "sheets, every panel"}
_DRAWN = "Down to the panelboards; branch circuits, racks and mechanical loads are not drawn."
_ONCE = f"{_DRAWN} Equal panels behind one source are drawn once."
_DIAGRAM_TEXT = {"overview": _ONCE, "grouped": _ONCE, "full": _DRAWN}
_MOMENT_NAMES = {"settled": "final", "on battery": "on battery"}


def _choose(known: dict[str, Case]) -> tuple[Case, Moment]:
    """Show the choice of the state and of its moment."""
    state_box, moment_box = st.columns([3, 2], vertical_alignment="bottom")
    chosen = state_box.selectbox(
        f"State ({len(known):,} to choose from)",
        list(known),
        key="power-state",
        format_func=lambda id: case_name(known[id]),
        required=True,
        persist_state="session",
    )
    moment = moment_box.segmented_control(
        "Moment",
        _MOMENTS,
        default="settled",
        required=True,
        key="power-moment",
        format_func=_MOMENT_NAMES.__getitem__,
        persist_state="session",
        help="On battery: before the generators have started. Final: generators carry, "
        "batteries are exhausted.",
    )
    return known[chosen], moment


def _strip(design: Design, study: FailureStudy, system: System) -> None:
    """Show the verdicts, and what decides them."""
    losses = [s for s in study.states if s.case.kind in ("loss", "utility")]
    worst = worst_first(losses)[0]
    maintained = sum(s.case.size for s in study.states if s.case.kind == "maintenance")
    with st.container(horizontal=True):
        displays.metric("Redundancy", design.facility.power.scheme.name, _systems(design))
        for title, verdict, tried in (
            (
                "Concurrently maintainable",
                study.concurrently_maintainable,
                f"{maintained:,} outages tried",
            ),
            (
                "Fault tolerant",
                study.fault_tolerant,
                f"{sum(s.case.size for s in losses):,} losses tried",
            ),
        ):
            displays.metric(
                title, "yes" if verdict.holds else "no", tried, "green" if verdict.holds else "red"
            )
        dropped_w = worst.dropped_w + worst.interrupted_w
        lost = show(dropped_w, "active_power", system) if dropped_w else "none"
        displays.metric(
            "IT dropped, worst loss",
            lost,
            f"{len(worst.racks):,} racks",
            "red" if dropped_w else "green",
        )
        points = sum(len(point.alike) for point in study.single_points)
        displays.metric(
            "Single points of failure", f"{points:,}", "components", "red" if points else "green"
        )
    st.text("\n".join(verdict_lines(study)))


def _systems(design: Design) -> str:
    ups = design.chain.ups
    return f"{len(ups.systems)} systems, {ups.modules:,} modules"


def _diagram(design: Design, solver: StateSolver, case: Case, moment: Moment) -> None:
    """Show the diagram: in one piece, or one of its sheets."""
    picture_box, sheet_box = st.columns([3, 2], vertical_alignment="bottom")
    picture: Picture = picture_box.segmented_control(
        "Diagram", _PICTURES, default="overview", required=True, key="power-picture",
        format_func=_PICTURE_NAMES.__getitem__, persist_state="session",
        help="Sheets A3 with a title block, equal panels drawn once or each by its name.",
    )  # fmt: skip
    diagram = lay_out(
        solver.network, facts_of(design), detail="full" if picture == "full" else "grouped",
        sheets=picture != "overview", system=state.unit_system(),
    )  # fmt: skip
    drawings = state_drawings(diagram, solver, case, moment, design.facility.identity.name)
    sheet = 1
    if len(drawings) > 1:
        sheet = sheet_box.selectbox(
            f"Sheet (of {len(drawings)})", range(1, len(drawings) + 1), key="power-sheet",
            required=True,
        )  # fmt: skip
    drawing, suffix = drawings[sheet - 1], f"-{sheet}" if len(drawings) > 1 else ""

    def svg(paint: Paint) -> str:
        if picture == "overview":
            return drawing_svg(drawing, paint)
        return sheet_documents(design, drawings, state_words(case, moment), paint)[sheet - 1]

    height = drawing_size_px(drawing)[1] if picture == "overview" else PAGE_PX[1]
    show_one_line(svg(page_paint()), height, drawing.title)
    st.text(_DIAGRAM_TEXT[picture])
    name = safe_file_name(design.facility.identity.name)
    st.download_button(
        "One-line (.svg)", data=lambda: svg(LIGHT), file_name=f"{name}-one-line{suffix}.svg",
        mime="image/svg+xml", icon=":material/download:", on_click="ignore", key="one-line-svg",
    )  # fmt: skip


def _state(study: FailureStudy, case: Case, system: System) -> None:
    """Show what the chosen state does, in its final moment."""
    number = next(n for n, s in enumerate(study.states) if s.case.outage.id == case.outage.id)
    facts, bars = st.columns([3, 2], gap="medium")
    with facts:
        st.markdown("##### What this state does")
        found = study.states[number]
        facts_of_state = TextTable("", ("Quantity", "Value"), state_facts(found, system))
        displays.table(facts_of_state, "state-facts")
        st.text("The final state; the time on battery is that before the generators carry.")
        st.text(f"What switches: {'; '.join(found.transfers) or 'nothing'}.")
    with bars:
        st.markdown("##### Highest loading by kind")
        loading = highest_by_kind(study.network, study.columns[number])
        displays.chart(
            charts.loading_bars(loading, palette.ink()),
            "state-loading",
            "Bars: highest loading of each kind of equipment",
        )


def _matrix(study: FailureStudy, system: System) -> None:
    st.markdown("##### Failure matrix")
    rows = list(matrix_rows(study, _MATRIX_ROWS))
    shown = [name for name in KIND_NAMES.values() if any(row.loading.get(name) for row in rows)]
    st.dataframe(
        {
            "state": [row.state for row in rows],
            "IT dropped": [
                show(row.dropped_w, "active_power", system) if row.dropped_w else "none"
                for row in rows
            ],
            "racks": [row.racks for row in rows],
            "worst overload": [row.overload for row in rows],
            **{name: [_percent(row.loading.get(name)) for row in rows] for name in shown},
        },
        hide_index=True,
        width="stretch",
        height=440,
        row_height=_ROW_PX,
        key="failure-matrix",
        column_config={
            "state": st.column_config.TextColumn(width=250),
            **{
                name: st.column_config.ProgressColumn(
                    width=105, format="%.1f %%", min_value=0.0, max_value=_FULL, color="blue"
                )
                for name in shown
            },
        },
    )
    st.text(
        f"Highest loading of each kind of equipment in the {len(rows)} worst of "
        f"{len(study.states):,} states ({study.outages:,} outages), load dropped first, then "
        "overloads, then the highest loading. A full bar is 120 % of the rating."
    )


def _percent(loading: float | None) -> float | None:
    return None if loading is None else 100.0 * loading


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Power", design)
    strip = st.container()
    solver, known = outages.states()
    case, moment = _choose(known)
    _diagram(design, solver, case, moment)
    with strip:
        study = outages.study()
        _strip(design, study, system)
    _state(study, case, system)
    _matrix(study, system)
    displays.tabs(PowerTrain(design).tables(system), "power")


_page()
