"""Every check with its margin, every assumption, and how each result came about."""

from __future__ import annotations

import streamlit as st

from facility.core.trace import explain
from facility.core.views import show
from facility.study.design import Design
from facility.ui import inputs, state


def _ledger(design: Design) -> None:
    entries = list(design.ledger)
    open_count = sum(a.status == "open" for a in entries)
    st.markdown(f"{len(entries)} assumptions, {open_count} not confirmed.")
    st.dataframe(
        {
            "id": [a.id for a in entries],
            "value": [a.text or show(a.value or 0.0, a.kind) for a in entries],
            "status": [a.status for a in entries],
            "basis": [a.basis for a in entries],
            "source": [str(a.source) for a in entries],
        },
        hide_index=True,
        width="stretch",
        height=560,
    )


def _why(design: Design) -> None:
    ids = [step.id for step in design.trace]
    default = ids.index("pue.design") if "pue.design" in ids else 0
    chosen = st.selectbox("Result", ids, index=default, key="explain-id")
    st.code("\n".join(explain(design.trace, chosen)), language=None)


def _page() -> None:
    design = state.current()
    st.title("Checks & assumptions", anchor=False)
    st.caption(design.title)
    ledger, checks, why = st.tabs(["Assumptions", "Checks", "How a result came about"])
    with ledger:
        _ledger(design)
    with checks:
        inputs.check_table(list(design.checks))
    with why:
        _why(design)


_page()
