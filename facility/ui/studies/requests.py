"""Studies that run for minutes: requested for one version of the project, and kept with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.ui.session import state
from facility.ui.session.timeline import session
from facility.ui.work.ready import over


@dataclass
class StudyRequest:
    """A requested study: the project for which it was requested, and its result."""

    base: str  # Text of the project when it was requested
    text: str  # Text of the project that is studied
    options: tuple[str, ...]
    generation: int  # Of the session: another opened project has another one
    line: str = ""  # The result in one line
    found: object = None
    error: FacilityError | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the project has changed since the request."""
        return self.base != state.text()


def requested(key: str) -> StudyRequest | None:
    """Return the request of a study for the open project; None before the first."""
    found: StudyRequest | None = st.session_state.get(f"request-{key}")
    return found if found is not None and found.generation == session().generation else None


def request(key: str, options: tuple[str, ...] = (), text: str = "") -> None:
    """Request a study of the current project, or of `text` in its place."""
    base = state.text()
    made = StudyRequest(base, text or base, options, session().generation)
    st.session_state[f"request-{key}"] = made


def note(key: str, line: str) -> None:
    """Record the result of a requested study in one line."""
    run = requested(key)
    if run is not None:
        run.line = line


def result(key: str, job: str, title: str) -> object | None:
    """Return the result of a requested study; until it is done, show its progress.

    Raises the error of a failed study.
    """
    run = cast(StudyRequest, requested(key))
    if run.found is None and run.error is None:
        done = over(job, title, run.options, text=run.text, owner=key, key=key)
        if done is None:
            return None
        run.error = done.error
        run.found = None if done.error is not None else done.result()
    if run.error is not None:
        raise run.error
    return run.found
