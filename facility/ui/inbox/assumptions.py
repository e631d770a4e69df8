"""Assumptions page: the ledger, confirmations, and overrides with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from facility.core.ledger import OVERRIDDEN
from facility.core.views import System
from facility.report.book.record import ASSUMPTIONS, counted_assumptions
from facility.study.design.design import Design
from facility.study.overrides import input_of
from facility.ui import displays
from facility.ui.controls import edit
from facility.ui.inspector import override
from facility.ui.session import opened, state

_Change = Callable[[Sequence[str]], Mapping[str, str]]


def _ledger(design: Design, system: System) -> None:
    entries = list(design.ledger)
    st.text(counted_assumptions(entries))
    ledger = replace(ASSUMPTIONS.text(entries, system), keys=[entry.id for entry in entries])
    displays.table(ledger, "ledger")
    st.text("Click a value to see the results that depend on it.")


def _confirmations(design: Design) -> None:
    """Show the selections of assumptions to confirm or to reopen; Undo reverts both."""
    by_status = {
        word: [entry.id for entry in design.ledger if entry.status == word]
        for word in ("open", "confirmed")
    }
    left, right = st.columns(2, gap="medium")
    with left:
        _choice("Confirm assumptions", "confirm", by_status["open"], _confirm)
    with right:
        _choice("Reopen assumptions", "unconfirm", by_status["confirmed"], _open_again)
    _overriding(design)
    override.show_refused()


def _choice(title: str, key: str, ids: Sequence[str], change: _Change) -> None:
    """Show a selection of assumptions, and the button that changes the selected ones."""
    # The change removes the selected options, so the next selection is a new widget.
    chosen = st.multiselect(
        f"{title} ({len(ids)})",
        ids,
        key=f"{key}-ids@{len(ids)}",
        disabled=opened.reads_only() or not ids,
    )
    edit(title, "", key, _enter, change, tuple(chosen), ready=bool(chosen))


def _confirm(ids: Sequence[str]) -> dict[str, str]:
    first = len(state.session().project.confirmed or ())
    return {f"confirmed.{number}": id for number, id in enumerate(ids, start=first)}


def _open_again(ids: Sequence[str]) -> dict[str, str]:
    listed = state.session().project.confirmed or ()
    mine = [number for number, id in enumerate(listed) if id in ids]
    return {f"confirmed.{number}": "" for number in reversed(mine)}


def _enter(change: _Change, ids: Sequence[str]) -> None:
    what = f"{len(ids)} assumption{'s' if len(ids) > 1 else ''}"
    override.give(change(ids), f"{what} confirmed or reopened")


def _overriding(design: Design) -> None:
    """Show the controls that override an assumption and that remove an override."""
    inputs = {one.id: input_of(one.id) for one in design.ledger if one.status != OVERRIDDEN}
    ids = [id for id, path in inputs.items() if path]
    given = [one.id for one in design.ledger if one.status == OVERRIDDEN]
    with st.expander(f"Override an assumption ({len(ids)})", key="override"):
        id = st.selectbox("Assumption", ids, index=None, key=f"override-id@{len(given)}")
        if id is not None:
            override.show(design, id, inputs[id])
    if given:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            back = st.selectbox(
                f"Overridden assumptions ({len(given)})", given, key=f"override-back@{len(given)}"
            )
            label = f"override of {back} removed"
            edit(
                "Remove override", "", "override-take", override.give, override.without(back), label
            )


def show_assumptions() -> None:
    """Show the assumptions, with their confirmation and override."""
    design, system = state.current(), state.unit_system()
    displays.heading("Assumptions", design)
    _confirmations(design)
    _ledger(design, system)
