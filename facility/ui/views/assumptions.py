"""Every assumption, every check with its margin, and how each result came about."""

from __future__ import annotations

import streamlit as st

from facility.core.trace import explain
from facility.core.views import System
from facility.report.book.record import ASSUMPTIONS, check_table
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.session import state

_DEFAULT = "pue.design"


def _ledger(design: Design, system: System) -> None:
    entries = list(design.ledger)
    open_count = sum(1 for _ in design.open_assumptions)
    st.text(f"{len(entries)} assumptions, {open_count} not confirmed.")
    displays.table(ASSUMPTIONS.text(entries, system), "ledger")


def _why(design: Design, system: System) -> None:
    ids = [step.id for step in design.full_trace]
    chosen = st.selectbox(
        "Result",
        ids,
        index=ids.index(_DEFAULT),
        key="explain-id",
        required=True,
        persist_state="session",
    )
    st.code("\n".join(explain(design.full_trace, chosen, system)), language=None)


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Checks & assumptions", design)
    ledger, checks, why = st.tabs(["Assumptions", "Checks", "How a result came about"])
    with ledger:
        _ledger(design, system)
    with checks:
        displays.verdicts(design, st.empty(), system)
        displays.table(check_table(design.checks, system), "all-checks")
    with why:
        _why(design, system)


_page()
