"""The inbox: checks grouped by cause, worst first, and the selected one with its fix."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.core.check import Check, counted
from facility.report.tables.verdict import word_of
from facility.ui.blocks.component import show_list
from facility.ui.blocks.elements import show_style
from facility.ui.checks import causes, inbox
from facility.ui.checks.causes import Cause
from facility.ui.checks.detail import badge, show_detail
from facility.ui.checks.inbox import pages_of
from facility.ui.controls import one_of
from facility.ui.library import since
from facility.ui.session import state
from facility.ui.work.known import KnownChecks, known

_WORDS = ("VIOLATION", "WARNING", "ADVICE", "NOT_EVALUATED", "WAIVED", "PASS")
_FIRST = ("VIOLATION", "WARNING")
_ORDERS = {"cause": "By cause", "object": "By object"}
_LIST_PX = 440


def _filters(now: KnownChecks) -> inbox.Filter:
    """Show the filters in the sidebar: outcome, discipline and earlier design."""
    counts, where = counted(now.checks), pages_of(now)
    # Set once: a default that follows the studies would change while the user reads.
    st.session_state.setdefault(inbox.WORDS, list(_FIRST))
    with st.sidebar:
        chosen = st.pills(
            "Outcome",
            _WORDS,
            selection_mode="multi",
            key=inbox.WORDS,
            format_func=lambda word: f"{counts[word]} {word_of(word, counts[word])}",
            persist_state="session",
        )
        of = [where(one).discipline for one in now.checks if not chosen or one.word in chosen]
        listed = sorted({where(one).discipline for one in now.checks})
        discipline = st.pills(
            "Discipline",
            listed,
            key=inbox.DISCIPLINE,
            format_func=lambda name: f"{name} {of.count(name)}",
            persist_state="session",
        )
        before = since.choose(now)
    return inbox.Filter(chosen, discipline, before)


def _step(listed: Sequence[Check], at: int) -> None:
    """Show the number of the check, and the buttons to the one before and after it."""
    for words, icon, to, key in (
        ("Before", "chevron_left", at - 1, "k"),
        ("Next", "chevron_right", at + 1, "j"),
    ):
        st.button(
            words,
            icon=f":material/{icon}:",
            key=f"checks-{words.lower()}",
            on_click=_select,
            args=(causes.key(listed[min(max(to, 0), len(listed) - 1)]),),
            disabled=not 0 <= to < len(listed),
            shortcut=key,
            type="tertiary",
        )


def _select(id: str) -> None:
    st.session_state[inbox.SELECTED] = id


def _chosen(listed: Sequence[Check]) -> int:
    """Return the index of the selected check; the first if it is not listed."""
    ids = [causes.key(check) for check in listed]
    found = st.session_state.get(inbox.SELECTED)
    return ids.index(found) if found in ids else 0


def _of_cause(found: Sequence[Cause], check: Check) -> str:
    cause = next(one for one in found if check in one.checks)
    number = cause.checks.index(check) + 1
    return f"{number} of {len(cause.checks)} with one cause"


def show_checks() -> None:
    """Show the checks, filtered, and the selected one with its fix."""
    show_style()
    system, now = state.unit_system(), known()
    filters, where = _filters(now), pages_of(now)
    found = inbox.shown(now, filters)
    with st.container(horizontal=True, key="inbox", gap=None):
        with st.container(key="inbox-list", width=_LIST_PX):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.subheader("Checks", anchor=False, width="content")
                order = one_of("Order", _ORDERS, "checks-order", titled=False)
            if not found:
                st.text("No checks with these outcomes. Select other outcomes.")
                return
            grouped = (
                causes.by_object(found, where)
                if order == "object"
                else causes.causes(found, now, where)
            )
            listed = [check for cause in grouped for check in cause.checks]
            at = _chosen(listed)
            rows = causes.groups(grouped, system)
            show_list(rows, "checks-list", "Checks", _select, causes.key(listed[at]))
        with st.container(key="inbox-detail"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                badge(listed[at])
                st.text(_of_cause(grouped, listed[at]), width="stretch")
                _step(listed, at)
            show_detail(listed[at], where(listed[at]), now, system)
