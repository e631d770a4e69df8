"""Checks page: results by severity, findings, remedies and waivers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from facility.core.check import Check, counted
from facility.core.views import System
from facility.report.tables.verdict import word_of
from facility.ui import displays
from facility.ui.checks import inbox
from facility.ui.checks.cards import card
from facility.ui.checks.inbox import pages_of
from facility.ui.checks.known import KnownChecks, known
from facility.ui.checks.words import list_hash
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Event, Selected
from facility.ui.grid.tables import values_grid
from facility.ui.library import since
from facility.ui.session import state

_WORDS = ("VIOLATION", "WARNING", "ADVICE", "NOT_EVALUATED", "WAIVED", "PASS")
_FIRST = ("VIOLATION", "WARNING")
_ORDERS = ("Worst first", "By object")
_PICKED = "checks-picked"


def _filters(now: KnownChecks) -> inbox.Filter:
    """Show the filters: check result, discipline and earlier design."""
    counts = counted(now.checks)
    # Set once: a default that follows the studies would change while the user reads.
    st.session_state.setdefault(inbox.WORDS, list(_FIRST))
    chosen = st.pills(
        "Result",
        _WORDS,
        selection_mode="multi",
        key=inbox.WORDS,
        format_func=lambda word: f"{counts[word]} {word_of(word, counts[word])}",
        persist_state="session",
    )
    left, right = st.columns([3, 2], vertical_alignment="bottom", gap="medium")
    listed = sorted({page.discipline for page in map(pages_of(now), now.checks)})
    with left:
        discipline = st.pills("Discipline", listed, key=inbox.DISCIPLINE, persist_state="session")
        order = st.segmented_control(
            "Order",
            _ORDERS,
            default=_ORDERS[0],
            required=True,
            key="checks-order",
            persist_state="session",
        )
    with right:
        before = since.choose(now)
    return inbox.Filter(chosen, discipline, before, order == _ORDERS[1])


def _rows(found: Sequence[Check], now: KnownChecks, system: System, *, by_object: bool) -> int:
    """Show the list, and return the index of the selected row."""
    columns = inbox.columns(found, pages_of(now), system, by_object=by_object)
    key = f"checks-list-{list_hash(found)}"

    def picked(event: Event) -> None:
        if isinstance(event, Selected) and event.id.isdecimal():
            st.session_state[_PICKED] = key, int(event.id)

    listed, row = st.session_state.get(_PICKED, ("", 0))
    row = row if listed == key and row < len(found) else 0
    grid = replace(values_grid("Checks", columns), selects=True, selected=str(row))
    show_grid(grid, key, picked)
    return row


def show_checks() -> None:
    """Show the checks, filtered, and the selected one with its fix."""
    design, system = state.current(), state.unit_system()
    displays.heading("Checks", design)
    now = known()
    filters = _filters(now)
    found = inbox.shown(now, filters)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if not found:
            st.text("No check matches the filters. Select more results or another discipline.")
            return
        row = _rows(found, now, system, by_object=filters.by_object)
        st.text(f"{len(found):,} of {len(now.checks):,} checks. Select a row to see its remedy.")
    with right:
        card(found[row], now, system, key="chosen")
