"""Failure study of the session's project, and single states of its power network."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from facility.core.views import System
from facility.power.network.outages.cases import Case, cases
from facility.power.network.outages.lost import losses
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.live.moments import Instant, LiveState, live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.drawings.one_line.diagram import Diagram, draw, lay_out
from facility.report.drawings.one_line.facts import facts_of
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.tree import Detail
from facility.report.sheet.grid import TextTable
from facility.report.studies.equipment import PowerTrain
from facility.report.tables.states import MatrixRow, choice_order, matrix_rows, worst_first
from facility.report.why.known import Known
from facility.report.why.pages import of_outages
from facility.study.design.design import Design
from facility.study.design.rack_positions import HallLayout, hall_layouts
from facility.study.failures.study import FailureStudy, failures
from facility.ui.session import state
from facility.ui.session.state import of_design

CASE = "state-case"
"""Widget key of the selected state, kept in the session."""


def select_case(id: str) -> None:
    """Select a state of the power network by its id."""
    st.session_state[CASE] = id


@of_design("Simulating electrical outages …")
def study(design: Design) -> FailureStudy:
    """Return the study of single failures."""
    return failures(design)


@of_design("Drawing …")
def states(design: Design) -> tuple[StateSolver, dict[str, Case]]:
    """Return the solver of single network states, and the states by id."""
    found = choice_order(cases(design.states.network))
    return design.states, {case.outage.id: case for case in found}


@of_design()
def part_names(design: Design) -> tuple[str, ...]:
    """Return the names of all equipment that can be opened, down to the panels."""
    return tuple(part.name for part in losses(design.states.network, down_to_panels=True))


@of_design()
def hall_loads(design: Design) -> HallLoads:
    """Return the IT loads of the network by supplying panelboard."""
    return HallLoads(design.states.network)


@of_design()
def halls(design: Design) -> tuple[HallLayout, ...]:
    """Return the halls with their racks."""
    return hall_layouts(design)


@of_design()
def known(design: Design) -> Known:
    """Return the explanations of the verdicts and counts of the outages."""
    return of_outages(study())


@of_design()
def worst(design: Design, max_rows: int) -> tuple[MatrixRow, ...]:
    """Return the worst outages, with the highest loading of each equipment type."""
    return tuple(matrix_rows(study(), max_rows))


@of_design()
def worst_cases(design: Design) -> tuple[Case, ...]:
    """Return the single outages, the worst first, as the failure study sorts them."""
    return tuple(found.case for found in worst_first(study().single))


@of_design()
def moment(design: Design, case: str, opened: tuple[str, ...], instant: Instant) -> LiveState:
    """Return a moment of a network state, with additional opened devices.

    Raises as `live_state`.
    """
    solver, cases = states()
    return live_state(solver, hall_loads(), cases[case], opened, instant)


def drawings(
    case: str, opened: tuple[str, ...], instant: Instant, detail: Detail, sheets: bool
) -> tuple[Drawing, ...]:
    """Return the one-line diagram of a `moment` as one drawing, or on sheets."""
    return _drawn(case, opened, instant, detail, sheets, state.unit_system())


def train() -> tuple[TextTable, ...]:
    """Return the tables of the power train."""
    return _train(state.unit_system())


@of_design()
def _drawn(
    design: Design,
    case: str,
    opened: tuple[str, ...],
    instant: Instant,
    detail: Detail,
    sheets: bool,
    system: System,
) -> tuple[Drawing, ...]:
    live = moment(case, opened, instant)
    parts = (design.facility.identity.name, f"state: {live.words}")
    title = " · ".join(part for part in parts if part)
    return draw(_laid_out(detail, sheets, system), live.flow, outage=live.drawn, title=title)


@of_design("Drawing …")
def _laid_out(design: Design, detail: Detail, sheets: bool, system: System) -> Diagram:
    return lay_out(
        design.states.network, facts_of(design), detail=detail, sheets=sheets, system=system
    )


@of_design()
def _train(design: Design, system: System) -> tuple[TextTable, ...]:
    tables = PowerTrain(design).tables(system)
    return tuple(replace(one, rows=list(one.rows), below=list(one.below)) for one in tables)
