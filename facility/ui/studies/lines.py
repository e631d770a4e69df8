"""Result of each study in one line, and its status, without running anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import streamlit as st

from facility.core.check import Check, counted
from facility.core.errors import FacilityError
from facility.core.table import Results
from facility.report.tables.verdict import word_of
from facility.study.design.design import Design
from facility.study.parts import is_known
from facility.ui.blocks.blocks import Look
from facility.ui.session import state
from facility.ui.shell.views import ViewLine
from facility.ui.studies import requests
from facility.ui.work.known import KnownChecks, known

CURRENT, NOT_RUN, STALE, RUNNING = "Up to date", "Not run", "Stale", "Running"
_RESULTS = "study-results"
_LOOKS: dict[str, Look] = {CURRENT: "ok", STALE: "tight", "Failed": "over"}


def line(text: str, status: str) -> ViewLine:
    """Return the line of a study with this status."""
    return ViewLine(text, status, _LOOKS.get(status, ""))


def of_part(
    name: str,
    known_line: Callable[[Design], str],
    from_results: Callable[[Results], str] | None = None,
    from_checks: Callable[[Sequence[Check]], str] | None = None,
) -> ViewLine:
    """Return the line of a study of the design.

    name: Its name in `facility.study.studies.PARTS`.
    known_line: Returns the text once the design has the study.
    from_results, from_checks: Return the text from the results of all studies, or from the checks
        of this study, until then.
    """
    now, design = known(), state.current()
    if is_known(design, name):
        try:
            text = known_line(design)
        except FacilityError:
            return line("No result", "Failed")
    elif from_checks is not None:
        text = from_checks(now.found[name]) if name in now.found else ""
    else:
        found = None if from_results is None else _results(now)
        text = "" if found is None or from_results is None else from_results(found)
    if name not in now.found:
        return line(text, RUNNING if name in now.going else NOT_RUN)
    counts = counted(design.with_waivers(now.found[name]))
    looks: tuple[tuple[str, Look], ...] = (("VIOLATION", "over"), ("WARNING", "tight"))
    for word, look in looks:
        if counts[word]:
            return ViewLine(text, f"{counts[word]} {word_of(word, counts[word])}", look)
    return line(text, CURRENT)


def of_request(key: str, before: str, words: Callable[[object], str]) -> ViewLine:
    """Return the line of a study that a view requests.

    before: Text until it has run.
    words: Returns the text of its result.
    """
    run = requests.requested(key)
    if run is None or run.state == "cancelled":
        return line(before, NOT_RUN)
    text, status = before, RUNNING
    if run.state == "done":
        text, status = words(run.found), CURRENT
    elif run.state == "failed":
        text, status = "No result", "Failed"
    return line(text, STALE if run.is_stale else status)


def _results(now: KnownChecks) -> Results | None:
    """Return the results of all studies of the project; None until they are known."""
    if now.results.state != "done":
        return None
    text, found = st.session_state.get(_RESULTS, ("", None))
    if text != state.text():
        found = now.results.result()
        st.session_state[_RESULTS] = (state.text(), found)
    return cast(Results, found)
