"""The inbox: checks grouped by cause, worst first, and the selected one with its fix."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.core.check import Check, counted
from facility.report.tables.verdict import word_of
from facility.ui.blocks.component import show_list
from facility.ui.blocks.elements import show_style
from facility.ui.checks import causes, since
from facility.ui.checks.causes import Cause
from facility.ui.checks.detail import badge, show_detail
from facility.ui.checks.fix import fixed
from facility.ui.checks.pages import PageOf, pages_of
from facility.ui.checks.words import COLOURS
from facility.ui.controls import one_of
from facility.ui.session import state
from facility.ui.why.labels import plain
from facility.ui.work.known import KnownChecks, known, mark

WORDS, DISCIPLINE, SELECTED = "checks-words", "checks-discipline", "checks-selected"
"""Session keys of the filters, and of the selected check."""
OPENED = "checks-opened"
"""Session key of a request to open this place, which a newer request may replace."""
_ORDER = list(COLOURS)
_FIRST = ("VIOLATION", "WARNING")
_ORDERS = {"cause": "By cause", "object": "By object"}
_LIST_PX = 440


def _filtered(now: KnownChecks, where: PageOf) -> list[Check]:
    """Show the filters in the sidebar; return the checks with these outcomes, worst first."""
    counts = counted(now.checks)
    # Set once: a default that follows the studies would change while the user reads.
    st.session_state.setdefault(WORDS, list(_FIRST))
    with st.sidebar:
        words = st.pills(
            "Outcome",
            _ORDER,
            selection_mode="multi",
            key=WORDS,
            format_func=lambda word: f"{counts[word]} {word_of(word, counts[word])}",
            persist_state="session",
        )
        found = [check for check in now.checks if not words or check.word in words]
        of = [where(check).discipline for check in found]
        discipline = st.pills(
            "Discipline",
            sorted({where(check).discipline for check in now.checks}),
            key=DISCIPLINE,
            format_func=lambda name: f"{name} {of.count(name)}",
            persist_state="session",
        )
        before = since.choose(now)

    def worst(check: Check) -> tuple[int, float, str, str]:
        # A check without a margin counts as -100 %.
        margin = -1.0 if check.margin is None else check.margin
        return _ORDER.index(check.word), margin, check.rule, check.subject

    if discipline:
        found = [check for check in found if where(check).discipline == discipline]
    if before is not None:
        found = [check for check in found if mark(check) not in before]
    return sorted(found, key=worst)


def _step(listed: Sequence[Check], at: int) -> None:
    """Show the number of the check, and the buttons to the one before and after it."""
    for words, icon, to, key in (
        ("Previous", "chevron_left", at - 1, "k"),
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
    st.session_state[SELECTED] = id


def _chosen(listed: Sequence[Check]) -> int:
    """Return the index of the selected check; the first if it is not listed."""
    ids = [causes.key(check) for check in listed]
    found = st.session_state.get(SELECTED)
    return ids.index(found) if found in ids else 0


def _of_cause(found: Sequence[Cause], check: Check) -> str:
    cause = next(one for one in found if check in one.checks)
    number = cause.checks.index(check) + 1
    return f"{number} of {len(cause.checks)} with one cause" if len(cause.checks) > 1 else ""


def show_checks() -> None:
    """Show the checks, filtered, and the selected one with its fix."""
    show_style()
    st.session_state.pop(OPENED, None)
    system, now = state.unit_system(), known()
    where = pages_of(now)
    found = _filtered(now, where)
    with st.container(horizontal=True, key="inbox", gap=None):
        with st.container(key="inbox-list", width=_LIST_PX):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.subheader("Checks", anchor=False, width="content")
                order = one_of("Order", _ORDERS, "checks-order", titled=False)
            if fixed():
                st.success(f"Fixed: {plain(fixed())}", icon=":material/check:")
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
