"""The sweep run of a session, kept while the user changes pages."""

from __future__ import annotations

from itertools import chain

import streamlit as st

from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project, as_typed, read_document
from facility.report.why.known import Known, known
from facility.study.sweep.plan import changed
from facility.study.sweep.row import Cells
from facility.ui.many.run import ManyRun
from facility.ui.session import state
from facility.ui.session.edits import Session
from facility.ui.session.timeline import commit, session
from facility.ui.work.sweep_request import SweepRequest

_RUN = "many-run"
LINES = "many-lines"
"""Session key of the fields and values, as typed."""


def current() -> ManyRun | None:
    """Return the last run of this session; None before the first."""
    found: ManyRun | None = st.session_state.get(_RUN)
    return found


def start(request: SweepRequest) -> None:
    """Start a sweep of the current project; stop a running one."""
    before = current()
    if before is not None:
        before.stop()
    run = ManyRun(state.text(), request)
    st.session_state[_RUN] = run
    run.start()


def forget() -> None:
    """Discard the lines of the session, so that those of the next project are loaded."""
    st.session_state.pop(LINES, None)


def end_if_edited() -> None:
    """Stop a running sweep if the project has changed; finished designs are kept."""
    run = current()
    if run is not None and run.outcome is None and run.text != state.text():
        run.stop()


def project_of(run: ManyRun, paths: tuple[str, ...], cells: Cells) -> Project:
    """Return the project of a row: the project of the run with the values of the row."""
    project = parse_project(run.text, "project")
    inputs = {path: str(cells[path] or "") for path in paths}
    return read_document(changed(as_typed(project), inputs), project.site.folder)


def known_of(run: ManyRun, paths: tuple[str, ...], cells: Cells, id: str) -> Known | None:
    """Return the explanations of the design of a row; None if it has no result `id`.

    The row is designed again, and its studies are run in order until one has the result.
    """
    design = state.designed(dump_project(project_of(run, paths, cells)))
    results = chain([design.results], (study.results for study in design.studies))
    return known(design) if any(id in found for found in results) else None


def take_over(project: Project, label: str) -> None:
    """Make the project of a row the open project, as one undoable step.

    Raises if it cannot be designed.
    """
    state.designed(dump_project(project))
    before = session()
    commit(Session(project, generation=before.generation + 1), label)
