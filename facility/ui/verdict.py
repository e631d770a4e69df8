"""The verdict on the design of the session, from the checks of all studies.

Studies run in worker processes. Until they are done, the verdict lists them and counts the checks
evaluated so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from facility.core.check import Check, counted
from facility.core.views import System
from facility.report.tables.verdict import DEFINITIONS, findings, verdict_of, word_of
from facility.study.studies import PARTS
from facility.ui.blocks.component import ListGroup, show_list
from facility.ui.checks import causes, inbox, since
from facility.ui.checks.words import COLOURS
from facility.ui.controls import act
from facility.ui.session import state
from facility.ui.work.known import KnownChecks, known, needs_fix
from facility.ui.work.ready import TITLES, again, cancel, words
from facility.ui.work.runs import every_s

_MAX_ROWS = 8


def show(system: System) -> None:
    """Show the verdict with every finding that needs a fix.

    While studies run, the verdict refreshes itself; the page reruns when they are done, and when
    the search for fixes is done.
    """
    _refreshed(lambda now: _inside(now, system))


def show_line(*, brief: bool = False) -> None:
    """Show running studies and the numbers of violations and warnings in one line.

    brief: Show warnings only if there are no violations.
    """
    _refreshed(lambda now: _line(now, brief=brief))


def _refreshed(paint: Callable[[KnownChecks], None]) -> None:
    now = known()
    if now.stage == 2:
        paint(now)
        return
    st.fragment(_watch, run_every=every_s())(paint, now.stage)


def _watch(paint: Callable[[KnownChecks], None], stage: int) -> None:
    now = known()
    if now.stage != stage:
        st.rerun()
    paint(now)


def _line(now: KnownChecks, *, brief: bool) -> None:
    """Show the numbers of violations and warnings, which open the checks, and running studies."""
    with st.container(
        horizontal=True, gap="xsmall", vertical_alignment="center", width="content", key="verdict"
    ):
        if now.going:
            studies = len(PARTS) + 1  # with the sizing, which is done
            st.badge(
                f"Studies {studies - len(now.going)} of {studies}",
                color="blue",
                icon=":material/progress_activity:",
                help="The counts grow until all studies are done.",
            )
        elif not now.whole:
            st.badge(now.still, color="orange", help="See the place Checks.")
        counts = counted(now.checks)
        words: tuple[str, ...] = ("VIOLATION", "WARNING")
        if brief:
            words = tuple(word for word in words if counts[word])[:1] or words[:1]
        for word in words:
            count = counts[word]
            if count or (now.whole and word == "VIOLATION"):
                _badge(word, count, f"verdict-{word}", now.answer)


def _inside(now: KnownChecks, system: System) -> None:
    st.markdown(f"#### Verdict: {now.answer}")
    badges(now.checks, whole=now.whole)
    st.text("\n".join(line.text for line in verdict_of(now.checks)))
    st.text(DEFINITIONS)  # The contrast of a caption is below WCAG 2.2, 1.4.3
    if now.going:
        _running(now)
    for name, error in now.failed.items():
        with st.container(border=True):
            st.error(f"Study not run: {TITLES[name]}", icon=":material/error:")
            st.text(str(error))
    if now.stopped:
        _stopped(now)
    _findings(now, system)


def _findings(now: KnownChecks, system: System) -> None:
    """List the worst findings that need a fix; a selected one opens in the place Checks."""
    if st.session_state.get(inbox.OPENED):
        state.go_to("checks", "checks")
    against = [check for one in findings(now.checks) for check in one.checks if needs_fix(check)]
    if not against:
        return

    def select(id: str) -> None:
        st.session_state[inbox.SELECTED] = id
        st.session_state[inbox.OPENED] = True

    rows = [causes.row(check, system) for check in against[:_MAX_ROWS]]
    show_list([ListGroup("", rows)], "verdict-findings", "Findings", select)
    if len(against) > _MAX_ROWS:
        st.text(f"{len(against) - _MAX_ROWS:,} more in Checks.")


def _running(now: KnownChecks) -> None:
    running = [
        f"{TITLES[name]} ({words(run.state, run.progress)})"
        for name, run in now.going.items()
        if run.state == "running"
    ]
    waiting = [TITLES[name] for name, run in now.going.items() if run.state == "waiting"]
    lines = [f"Running: {', '.join(running)}."] if running else []
    lines += [f"Waiting: {', '.join(waiting)}."] if waiting else []
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(" ".join(lines), width="stretch")
        act("Cancel studies", "close", "verdict-cancel", cancel, list(now.going.values()))


def _stopped(now: KnownChecks) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(
            f"Cancelled: {', '.join(TITLES[name] for name in now.stopped)}. Their checks are not "
            "included in this verdict.",
            width="stretch",
        )
        act("Run studies", "refresh", "verdict-again", again, list(now.stopped.values()))


def badges(checks: Sequence[Check], *, whole: bool) -> None:
    """Show the number of checks by result; zero counts only if `whole`, all studies being done.

    A badge opens the place Checks, filtered by its result.
    """
    counts = counted(checks)
    with st.container(horizontal=True, gap="small"):
        for word in COLOURS:
            count = counts[word]
            if count or (whole and word != "WAIVED"):
                _badge(word, count, f"badge-{word}", "Show these checks")


def _badge(word: str, count: int, key: str, help: str) -> None:
    """Show a number of checks as a button that opens them."""
    colour = COLOURS[word] if count else "green" if word == "VIOLATION" else "grey"
    label = f"{count or 'No'} {word_of(word, count)}"
    if st.button(f":{colour}-badge[{label}]", key=key, type="tertiary", help=help):
        st.session_state[inbox.WORDS] = [word]
        st.session_state[inbox.DISCIPLINE] = None
        st.session_state.pop(since.KEY, None)
        state.go_to("checks", "checks")
