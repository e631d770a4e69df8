"""Checks page: results by severity, findings, remedies and waivers."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
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
from facility.ui.columns import shown_column
from facility.ui.library import since
from facility.ui.session import state

_WORDS = ("VIOLATION", "WARNING", "ADVICE", "NOT_EVALUATED", "WAIVED", "PASS")
_FIRST = ("VIOLATION", "WARNING")
_ORDERS = ("Worst first", "By object")
_OF_PX = 150
"""Width of the object column when sorted by object, so that the margins stay visible."""


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


def _rows(
    found: Sequence[Check], now: KnownChecks, system: System, *, by_object: bool
) -> int | None:
    """Show the list, and return the index of the selected row."""
    columns = [
        shown_column(head, texts)
        for head, texts in inbox.columns(found, pages_of(now), system, by_object=by_object).items()
    ]
    sized = {one.head: one.config for one in columns if one.config is not None}
    chosen = st.dataframe(
        pa.table({one.head: one.cells for one in columns}),
        hide_index=True,
        height="content" if len(found) <= inbox.SHORT else inbox.TALL_PX,
        row_height=30,
        key=f"checks-list-{list_hash(found)}",
        on_select="rerun",
        selection_mode="single-row",
        placeholder="",
        column_config={
            **sized,
            "Finding": st.column_config.TextColumn(width="large"),
            **({"Subject": st.column_config.TextColumn(width=_OF_PX)} if by_object else {}),
        },
    )
    rows = chosen.selection.rows
    return rows[0] if rows and rows[0] < len(found) else None


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
        card(found[row or 0], now, system, key="chosen")
