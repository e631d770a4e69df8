"""Studies that run for minutes: requested for one version of the project, and kept with it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from facility.core.errors import FacilityError
from facility.ui.session import opened, state
from facility.ui.session.opened import Opened
from facility.ui.work import runs
from facility.ui.work.pool import State
from facility.ui.work.ready import over
from facility.ui.work.runs import Run


@dataclass(eq=False)
class StudyRequest:
    """A requested study: the project for which it was requested, and its result."""

    job: str  # A name of `facility.ui.work.jobs.JOBS`
    key: str  # Of the study, owner of the run
    base: str  # Text of the project when it was requested
    text: str  # Text of the project that is studied
    options: tuple[str, ...]
    project: Opened  # The open project
    found: object = None
    error: FacilityError | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the project has changed since the request."""
        return self.base != state.text()

    @property
    def state(self) -> State:
        """State of the run; takes its result over when it has ended."""
        if self.found is not None or self.error is not None:
            return "done" if self.error is None else "failed"
        run = self._run()
        if run.state in ("done", "failed"):
            self.error = run.error
            self.found = None if run.error is not None else run.result()
        return run.state

    def stop(self) -> None:
        """Stop the run, which returns its partial result."""
        if self.state in ("waiting", "running"):
            self._run().stop()

    def _run(self) -> Run:
        return runs.ask(self.job, self.text, self.options, self.key)

    def resume(self) -> None:
        """Run it again as another job; designs in its files are not repeated."""
        *options, begun = self.options
        self.options, self.found, self.error = (*options, f"{int(begun) + 1}"), None, None


def requested(key: str) -> StudyRequest | None:
    """Return the request of a study for the open project; None before the first."""
    found: StudyRequest | None = st.session_state.get(f"request-{key}")
    return found if found is not None and found.project is opened.current() else None


def request(key: str, job: str, options: tuple[str, ...] = (), text: str = "") -> StudyRequest:
    """Request a study of the current project, or of `text` in its place."""
    base = state.text()
    made = StudyRequest(job, key, base, text or base, options, opened.current())
    st.session_state[f"request-{key}"] = made
    return made


def result(run: StudyRequest, title: str, *, stops: bool = False) -> object | None:
    """Return the result of a requested study; until it is done, show its progress.

    stops: Whether the run can be stopped with a partial result.

    Raises the error of a failed study.
    """
    if run.state not in ("done", "failed"):
        over(run.job, title, run.options, text=run.text, owner=run.key, key=run.key, stops=stops)
    if run.error is not None:
        raise run.error
    return run.found


def stop_stale(key: str) -> None:
    """Stop a requested study if the project has changed; partial results are kept."""
    run = requested(key)
    if run is not None and run.is_stale:
        run.stop()
