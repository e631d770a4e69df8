"""Every assumption, and what has been confirmed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.book.record import ASSUMPTIONS
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.session import state

_REFUSED = "confirm-refused"
_Change = Callable[[Sequence[str]], Mapping[str, str]]


def _ledger(design: Design, system: System) -> None:
    entries = list(design.ledger)
    open_count = sum(1 for _ in design.open_assumptions)
    st.text(f"{len(entries)} assumptions, {open_count} not confirmed.")
    told = replace(ASSUMPTIONS.text(entries, system), keys=[entry.id for entry in entries])
    displays.table(told, "ledger")
    st.text("Click a value to see what rests on it. To override one, give its field a value.")


def _confirmations(design: Design) -> None:
    """Show which assumptions to confirm, and which to open again: edits, which Undo takes back."""
    by_status = {
        word: [entry.id for entry in design.ledger if entry.status == word]
        for word in ("open", "confirmed")
    }
    left, right = st.columns(2, gap="medium")
    with left:
        _choice("Confirm", "confirm", by_status["open"], _confirm)
    with right:
        _choice("Open again", "unconfirm", by_status["confirmed"], _open_again)
    refused: FacilityError | None = st.session_state.get(_REFUSED)
    if refused is not None:
        st.error(f"Not applied: {refused.code}", icon=":material/error:")
        st.text(str(refused))


def _choice(title: str, key: str, ids: Sequence[str], change: _Change) -> None:
    """Show assumptions to choose from, and the button that changes those chosen."""
    # What was chosen is gone with the change: the next choice is a widget of its own.
    chosen = st.multiselect(
        f"{title} ({len(ids)})", ids, key=f"{key}-ids@{len(ids)}", disabled=not ids
    )
    st.button(title, key=key, disabled=not chosen, on_click=_enter, args=(change, tuple(chosen)))


def _confirm(ids: Sequence[str]) -> dict[str, str]:
    first = len(state.session().project.confirmed or ())
    return {f"confirmed.{number}": id for number, id in enumerate(ids, start=first)}


def _open_again(ids: Sequence[str]) -> dict[str, str]:
    listed = state.session().project.confirmed or ()
    mine = [number for number, id in enumerate(listed) if id in ids]
    return {f"confirmed.{number}": "" for number in reversed(mine)}


def _enter(change: _Change, ids: Sequence[str]) -> None:
    what = f"{len(ids)} assumption{'s' if len(ids) > 1 else ''}"
    st.session_state[_REFUSED] = state.enter_all(change(ids), f"{what} confirmed or opened again")


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Assumptions", design)
    _confirmations(design)
    _ledger(design, system)


_page()
