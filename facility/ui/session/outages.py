"""The study of failures of this session's project, and single states of its network."""

from __future__ import annotations

import streamlit as st

from facility.files.project.file import dump_project
from facility.power.network.outages.cases import Case, cases
from facility.power.network.outages.states import StateSolver
from facility.report.tables.states import choice_order
from facility.study.failures.study import FailureStudy, failures
from facility.ui.session import state


def study() -> FailureStudy:
    """Return the study of single failures of this session's project."""
    return _studied(dump_project(state.session().project))


def states() -> tuple[StateSolver, dict[str, Case]]:
    """Return what solves single states of this session's network, and the states by id."""
    return _states(dump_project(state.session().project))


@st.cache_resource(max_entries=8, show_spinner="Failing everything in turn …")
def _studied(text: str) -> FailureStudy:
    return failures(state.designed(text))


@st.cache_resource(max_entries=8, show_spinner="Drawing …")
def _states(text: str) -> tuple[StateSolver, dict[str, Case]]:
    solver = state.designed(text).states
    found = choice_order(cases(solver.network))
    return solver, {case.outage.id: case for case in found}
