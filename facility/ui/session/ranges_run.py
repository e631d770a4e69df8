"""The ranges of the session's project: typed text, requested run and its result."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.records import Draft
from facility.model.inputs.document import Project, as_typed, read_document
from facility.study.ranges.draw import Method
from facility.study.ranges.result import RangesStudy
from facility.ui.session import edits, opened, state
from facility.ui.session.edits import Refused
from facility.ui.session.timeline import commit, session

_RUN, _REFUSED = "ranges-run", "ranges-refused"
MAX_SAMPLES = 2000
"""Maximum number of samples in the app; the command line has no such limit."""


@dataclass
class RangesRun:
    """A requested study of ranges, and its result."""

    text: str  # Text of the project
    options: tuple[str, str, str]  # Samples, seed and method, as the options of the worker job
    study: RangesStudy | None = None


def current() -> RangesRun | None:
    """Return the last run of this session; None before the first."""
    found: RangesRun | None = st.session_state.get(_RUN)
    return found


def start(samples: int, seed: int, method: Method) -> None:
    """Request the ranges of the current project; the page that shows them runs them."""
    options = (str(samples), str(seed), method)
    st.session_state[_RUN] = RangesRun(state.text(), options)


def rows_text() -> str:
    """Return the ranges as editable lines: the rejected text, else the project ranges."""
    refused = _refused()
    if refused is not None:
        return refused.value
    rows = session().project.ranges or ()
    return "\n".join(f"{row.field} = {row.range}" for row in rows)


def refusal() -> FacilityError | None:
    """Return the error of the typed ranges; None if they are applied."""
    refused = _refused()
    return None if refused is None else refused.error


def _refused() -> Refused | None:
    """Return the rejected text, until another project is opened."""
    now = session()
    generation, refused = st.session_state.get(_REFUSED, (None, None))
    if generation == now.generation:
        found: Refused | None = refused
        return found
    stored = opened.current().drafts.get(Draft.RANGES, "")
    found = _tried(stored, now.project) if stored else None
    st.session_state[_REFUSED] = (now.generation, found)
    return found


def _tried(text: str, project: Project) -> Refused | None:
    try:
        _with_rows(project, text)
    except FacilityError as error:
        return Refused(text, error)
    return None


def enter(text: str) -> None:
    """Apply lines ``field = range`` to the project; store the error if they are rejected."""
    before = session()
    try:
        project = _with_rows(before.project, text)
    except FacilityError as error:
        st.session_state[_REFUSED] = (before.generation, Refused(text, error))
        opened.keep(Draft.RANGES, text, before.project)
        return
    st.session_state[_REFUSED] = (before.generation, None)
    opened.keep(Draft.RANGES, "", before.project)
    shared = edits.with_shared(project, before.project)
    commit(replace(before, project=shared), "ranges")


def _with_rows(project: Project, text: str) -> Project:
    document = as_typed(project)
    rows = []
    for line in filter(None, map(str.strip, text.splitlines())):
        path, equals, words = line.partition("=")
        if not equals:
            raise FacilityError(
                "RANGE_TEXT",
                "ranges",
                f"{line[:80]!r} is not an input range.",
                "Enter field = range on each line, e.g. site.tariff = 0.04 .. 0.06 USD/kWh.",
            )
        rows.append({"field": path.strip(), "range": words.strip()})
    document.pop("ranges", None)
    return read_document({**document, "ranges": rows} if rows else document, project.site.folder)
