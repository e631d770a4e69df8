"""The run of many designs that a session keeps, while its pages come and go."""

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
from facility.ui.work.sweep_asked import Asked

_RUN = "many-run"
LINES = "many-lines"
"""Key of the fields and their values, as typed."""


def current() -> ManyRun | None:
    """Return the last run of this session; None before the first."""
    found: ManyRun | None = st.session_state.get(_RUN)
    return found


def start(asked: Asked) -> None:
    """Make designs of the project as it is now; a run that still goes on is ended."""
    before = current()
    if before is not None:
        before.stop()
    run = ManyRun(state.text(), asked)
    st.session_state[_RUN] = run
    run.start()


def forget() -> None:
    """Have the lines of another project be shown, once it is open."""
    st.session_state.pop(LINES, None)


def end_if_edited() -> None:
    """End a run that goes on where the project is another now; what was made stays."""
    run = current()
    if run is not None and run.outcome is None and run.text != state.text():
        run.stop()


def project_of(run: ManyRun, paths: tuple[str, ...], cells: Cells) -> Project:
    """Return the project of a row: the one of the run, with the values of the row."""
    project = parse_project(run.text, "project")
    inputs = {path: str(cells[path] or "") for path in paths}
    return read_document(changed(as_typed(project), inputs), project.site.folder)


def known_of(run: ManyRun, paths: tuple[str, ...], cells: Cells, id: str) -> Known | None:
    """Return what is known of the design of a row with its result `id`; None without that.

    The design is made anew, and of its studies the first ones up to that which has the result.
    """
    design = state.designed(dump_project(project_of(run, paths, cells)))
    results = chain([design.results], (study.results for study in design.studies))
    return known(design) if any(id in found for found in results) else None


def take_over(project: Project, label: str) -> None:
    """Make a design of a run the project; one step of the history.

    Raises where it cannot be designed.
    """
    state.designed(dump_project(project))
    before = session()
    commit(Session(project, generation=before.generation + 1), label)
