"""The verdict on the design of the session, shown on every page, from the checks of all studies.

Studies run in worker processes. Until they are done, the verdict lists them and counts the checks
evaluated so far.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.core.check import Check, counted
from facility.core.views import System
from facility.report.tables.verdict import DEFINITIONS, findings, verdict_of, word_of
from facility.ui.checks import inbox
from facility.ui.checks.cards import card
from facility.ui.checks.known import KnownChecks, known, needs_fix
from facility.ui.checks.words import COLOURS
from facility.ui.controls import act
from facility.ui.library import since
from facility.ui.session import state
from facility.ui.work.ready import TITLES, again, cancel, words
from facility.ui.work.runs import every_s

_MAX_CARDS = 8
_CHECKS = "views/record/checks.py"


def show(system: System, *, whole: bool) -> None:
    """Show the verdict: with every card, or as one expandable line.

    While studies run, the verdict refreshes itself; the page reruns when they are done, and when
    the search for fixes is done.
    """
    now = known()
    if now.stage == 2:
        _paint(now, system, whole)
        return
    st.fragment(_watch, run_every=every_s())(system, whole, now.stage)


def _watch(system: System, whole: bool, stage: int) -> None:
    now = known()
    if now.stage != stage:
        st.rerun()
    _paint(now, system, whole)


def _paint(now: KnownChecks, system: System, whole: bool) -> None:
    if whole:
        st.markdown(f"##### Verdict: {now.answer}")
        _inside(now, system)
        return
    line = f"Verdict: {now.answer}"
    if now.still:
        line += f" · {now.still}"
    with st.expander(line, icon=":material/fact_check:", key="verdict"):
        _inside(now, system)


def _inside(now: KnownChecks, system: System) -> None:
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
    _cards(now, system)


def _cards(now: KnownChecks, system: System) -> None:
    """Show the findings that need a fix, worst first, one card per rule."""
    against = [one for one in findings(now.checks) if needs_fix(one.checks[0])]
    for number, one in enumerate(against[:_MAX_CARDS]):
        card(one.checks[0], now, system, key=str(number))
        more = len(one.checks) - 1
        if more:
            st.text(f"{one.rule}: {more} more on the page Checks.")
    if len(against) > _MAX_CARDS:
        st.text(f"{len(against) - _MAX_CARDS} more rules on the page Checks.")


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

    A badge opens the page Checks, filtered by its result.
    """
    counts = counted(checks)
    with st.container(horizontal=True, gap="small"):
        for word, colour in COLOURS.items():
            count = counts[word]
            if not count and not (whole and word != "WAIVED"):
                continue
            label = f"{count} {word_of(word, count)}"
            if st.button(
                f":{colour if count else 'grey'}-badge[{label}]",
                key=f"badge-{word}",
                type="tertiary",
                help="Show these checks on the page Checks",
            ):
                _show_checks(word)


def _show_checks(word: str) -> None:
    st.session_state[inbox.WORDS] = [word]
    st.session_state[inbox.DISCIPLINE] = None
    st.session_state.pop(since.KEY, None)
    state.go_to(_CHECKS)
