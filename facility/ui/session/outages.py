"""The study of failures of this session's project, and single states of its network."""

from __future__ import annotations

from dataclasses import replace

from facility.core.views import System
from facility.power.network.outages.cases import Case, cases
from facility.power.network.outages.lost import losses
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.hall.places import HallPlaces, hall_places
from facility.report.drawings.live.moments import Instant, LiveState, live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.drawings.one_line.diagram import Diagram, draw, lay_out
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.tree import Detail
from facility.report.drawings.one_line.words import facts_of
from facility.report.sheet.grid import TextTable
from facility.report.studies.equipment import PowerTrain
from facility.report.tables.states import MatrixRow, choice_order, matrix_rows
from facility.report.why.known import Known
from facility.report.why.pages import of_outages
from facility.study.failures.study import FailureStudy, failures
from facility.ui.memory.kept import with_design
from facility.ui.session import state
from facility.ui.session.designs import text_of


def study() -> FailureStudy:
    """Return the study of single failures of this session's project."""
    return _studied(text_of(state.session().project))


def states() -> tuple[StateSolver, dict[str, Case]]:
    """Return what solves single states of this session's network, and the states by id."""
    return _states(text_of(state.session().project))


def part_names() -> tuple[str, ...]:
    """Return what of this session's network can be opened by name, down to the panels."""
    return _parts(text_of(state.session().project))


def hall_loads() -> HallLoads:
    """Return the IT loads of this session's network by the panelboards they hang on."""
    return _loads(text_of(state.session().project))


def known() -> Known:
    """Return how the verdicts and counts of this session's outages come about."""
    return _known(text_of(state.session().project))


def worst(most: int) -> tuple[MatrixRow, ...]:
    """Return the worst outages of this session's project, with the highest loading of each kind."""
    return _worst(text_of(state.session().project), most)


def moment(case: str, opened: tuple[str, ...], instant: Instant) -> LiveState:
    """Return a moment of a state of this session's network, with what is opened beside it.

    Raises as `live_state`.
    """
    return _moment(text_of(state.session().project), case, opened, instant)


def drawings(
    case: str, opened: tuple[str, ...], instant: Instant, detail: Detail, sheets: bool
) -> tuple[Drawing, ...]:
    """Return the one-line diagram of a `moment`: in one, or on sheets."""
    text = text_of(state.session().project)
    return _drawn(text, case, opened, instant, detail, sheets, state.unit_system())


def train() -> tuple[TextTable, ...]:
    """Return the tables of this session's power train."""
    return _train(text_of(state.session().project), state.unit_system())


def halls() -> tuple[HallPlaces, ...]:
    """Return the halls of this session's design with their racks."""
    return _halls(text_of(state.session().project))


@with_design("Failing everything in turn …")
def _studied(text: str) -> FailureStudy:
    return failures(state.designed(text))


@with_design("Drawing …")
def _states(text: str) -> tuple[StateSolver, dict[str, Case]]:
    solver = state.designed(text).states
    found = choice_order(cases(solver.network))
    return solver, {case.outage.id: case for case in found}


@with_design()
def _parts(text: str) -> tuple[str, ...]:
    network = state.designed(text).states.network
    return tuple(part.name for part in losses(network, down_to_panels=True))


@with_design()
def _loads(text: str) -> HallLoads:
    return HallLoads(state.designed(text).states.network)


@with_design()
def _halls(text: str) -> tuple[HallPlaces, ...]:
    return hall_places(state.designed(text))


@with_design()
def _known(text: str) -> Known:
    return of_outages(_studied(text))


@with_design()
def _worst(text: str, most: int) -> tuple[MatrixRow, ...]:
    return tuple(matrix_rows(_studied(text), most))


@with_design()
def _moment(text: str, case: str, opened: tuple[str, ...], instant: Instant) -> LiveState:
    solver, cases = _states(text)
    return live_state(solver, _loads(text), cases[case], opened, instant)


@with_design()
def _drawn(
    text: str,
    case: str,
    opened: tuple[str, ...],
    instant: Instant,
    detail: Detail,
    sheets: bool,
    system: System,
) -> tuple[Drawing, ...]:
    live = _moment(text, case, opened, instant)
    parts = (state.designed(text).facility.identity.name, f"state: {live.words}")
    title = " · ".join(part for part in parts if part)
    return draw(_laid_out(text, detail, sheets, system), live.flow, outage=live.drawn, title=title)


@with_design("Drawing …")
def _laid_out(text: str, detail: Detail, sheets: bool, system: System) -> Diagram:
    design = state.designed(text)
    return lay_out(
        design.states.network, facts_of(design), detail=detail, sheets=sheets, system=system
    )


@with_design()
def _train(text: str, system: System) -> tuple[TextTable, ...]:
    tables = PowerTrain(state.designed(text)).tables(system)
    return tuple(replace(one, rows=list(one.rows), below=list(one.below)) for one in tables)
