"""The sweep of a session: a worker job with a folder, kept while the user changes places."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from itertools import chain
from pathlib import Path
from typing import cast

import streamlit as st

from facility.files.project.file import dump_project, parse_project
from facility.model.inputs.document import Project, as_typed, read_document
from facility.report.why.known import Known, known
from facility.study.sweep.plan import changed
from facility.study.sweep.row import Cells
from facility.ui.session import state
from facility.ui.session.edits import Session
from facility.ui.session.timeline import commit, session
from facility.ui.work import runs
from facility.ui.work.runs import Run
from facility.ui.work.sweep.designs import RunOutcome
from facility.ui.work.sweep.request import SweepRequest

_OWNER = "sweep"
_RUN = "sweep-run"
LINES = "sweep-lines"
"""Session key of the fields and values, as typed."""


class SweepRun:
    """A running or finished sweep of one project; its folder is deleted with it."""

    def __init__(self, text: str, request: SweepRequest, generation: int = 0) -> None:
        self.text, self.request, self.generation = text, request, generation
        self.folder = Path(tempfile.mkdtemp(prefix="facility-many-"))
        self._run: Run | None = None
        self._begun = 0
        self._outcome: RunOutcome | None = None
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def start(self) -> None:
        """Run the missing designs in a worker process."""
        self._begun += 1  # A resumed sweep is a separate job
        options = (self.request.dumped(), str(self.folder), str(self._begun))
        self._run, self._outcome = runs.ask("sweep", self.text, options, _OWNER), None

    def stop(self) -> None:
        """Stop the run; finished designs are kept."""
        if self._run is not None:
            self._run.stop()

    @property
    def outcome(self) -> RunOutcome | None:
        """Outcome of the run; None while it runs."""
        run = self._run
        if self._outcome is None and run is not None:
            if run.state == "done":
                self._outcome = cast(RunOutcome, run.result())
            elif run.state in ("failed", "cancelled"):
                self._outcome = RunOutcome(error=run.error, stopped=run.error is None)
        return self._outcome

    @property
    def progress(self) -> tuple[int, int]:
        """Number of finished designs and of all designs; 0 of 0 before the first."""
        return (0, 0) if self._run is None else self._run.progress[:2]


def current() -> SweepRun | None:
    """Return the last run of the open project in this session; None before the first."""
    found: SweepRun | None = st.session_state.get(_RUN)
    return found if found is not None and found.generation == session().generation else None


def start(request: SweepRequest) -> None:
    """Start a sweep of the current project; stop a running one."""
    before = current()
    if before is not None:
        before.stop()
    run = SweepRun(state.text(), request, session().generation)
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


def project_of(run: SweepRun, paths: tuple[str, ...], cells: Cells) -> Project:
    """Return the project of a row: the project of the run with the values of the row."""
    project = parse_project(run.text, "project")
    inputs = {path: str(cells[path] or "") for path in paths}
    return read_document(changed(as_typed(project), inputs), project.site.folder)


def known_of(run: SweepRun, paths: tuple[str, ...], cells: Cells, id: str) -> Known | None:
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
