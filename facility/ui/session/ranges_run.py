"""The ranges of this session's project: as typed, and run beside the pages until it is done.

A run is a thread that the session keeps: pages come and go, and it goes on. One runs at a time in
the whole app; others wait for it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project
from facility.model.inputs.document import Project, as_typed, read_document
from facility.study.design.design import Design
from facility.study.ranges.draw import Method
from facility.study.ranges.result import RangesStudy
from facility.study.ranges.study import ranges
from facility.ui.session import edits, state
from facility.ui.session.edits import Refused
from facility.ui.session.timeline import commit, session

_RUN, _REFUSED = "ranges-run", "ranges-refused"
MOST_SAMPLES = 2000
"""Samples that the app runs; more by the command line."""
_TURN = threading.Lock()


@dataclass
class RangesRun:
    """One study of ranges: how far it is, and what came of it."""

    text: str  # The project that it is of
    design: Design
    done: int = 0
    whole: int = 0
    study: RangesStudy | None = None
    error: FacilityError | None = None
    over: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """End it before its next year."""
        self._stop.set()

    def start(self, samples: int, seed: int, method: Method) -> None:
        """Run it beside the page."""
        arguments = (samples, seed, method)
        threading.Thread(target=self._work, args=arguments, daemon=True).start()

    def _work(self, samples: int, seed: int, method: Method) -> None:
        try:
            with _TURN:
                self.study = ranges(
                    self.design,
                    samples,
                    seed,
                    method,
                    progress=self._progress,
                    cancel=self._stop.is_set,
                )
        except FacilityError as error:
            self.error = error
        finally:
            self.over = True

    def _progress(self, done: int, whole: int) -> None:
        self.done, self.whole = done, whole


def current() -> RangesRun | None:
    """Return the last run of this session; None before the first."""
    found: RangesRun | None = st.session_state.get(_RUN)
    return found


def is_of_the_project(run: RangesRun) -> bool:
    """Return whether a run is of the project as it is now."""
    return run.text == dump_project(session().project)


def start(samples: int, seed: int, method: Method) -> None:
    """Run the ranges of the project as it is now; a run that still goes on is ended."""
    before = current()
    if before is not None:
        before.cancel()
    run = RangesRun(dump_project(session().project), state.current())
    st.session_state[_RUN] = run
    run.start(samples, seed, method)


def rows_text() -> str:
    """Return the ranges as lines that can be edited: those refused, else the project's."""
    refused = _refused()
    if refused is not None:
        return refused.value
    rows = session().project.ranges or ()
    return "\n".join(f"{row.field} = {row.range}" for row in rows)


def refusal() -> FacilityError | None:
    """Return why the ranges as typed are not part of the project; None where they are."""
    refused = _refused()
    return None if refused is None else refused.error


def _refused() -> Refused | None:
    """Return what was refused, until another project is opened."""
    generation, refused = st.session_state.get(_REFUSED, (None, None))
    return refused if generation == session().generation else None


def enter(text: str) -> None:
    """Make lines ``field = range`` the ranges of the project, or remember why they are refused."""
    before = session()
    try:
        project = _with_rows(before.project, text)
    except FacilityError as error:
        st.session_state[_REFUSED] = (before.generation, Refused(text, error))
        return
    st.session_state.pop(_REFUSED, None)
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
                f"{line[:80]!r} is no range of an input.",
                "Write field = range on each line: site.tariff = 0.04 .. 0.06 USD/kWh.",
            )
        rows.append({"field": path.strip(), "range": words.strip()})
    document.pop("ranges", None)
    return read_document({**document, "ranges": rows} if rows else document, project.site.folder)
