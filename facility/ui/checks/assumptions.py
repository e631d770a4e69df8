"""Assumptions: default values by section, each confirmed, overridden or opened again in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.views import System, printed_text, show_exact
from facility.report.book.record import counted_assumptions
from facility.report.tables.names import input_name
from facility.study.design.design import Design
from facility.study.overrides import input_of
from facility.ui.blocks.component import ListGroup, ListRow, show_list
from facility.ui.blocks.elements import show_style
from facility.ui.controls import edit
from facility.ui.inspector import override
from facility.ui.session import state
from facility.ui.why import navigation
from facility.ui.why.drawer import show_drawer

_STATUS = ("open", "confirmed", OVERRIDDEN)
_WORDS, _SELECTED = "assumptions-words", "assumptions-selected"
_LIST_PX, _LEAST = 440, 3
_SECTIONS = {"it": "IT", "panels": "Panels"}


def _sections(entries: Sequence[Assumption]) -> Mapping[str, list[Assumption]]:
    """Return the entries by section; a small section is part of the one above it."""
    found: dict[str, list[Assumption]] = {}
    for one in entries:
        found.setdefault(".".join(one.id.split(".")[:2]), []).append(one)
    merged: dict[str, list[Assumption]] = {}
    for section, listed in found.items():
        whole, _, part = section.partition(".")
        name = _SECTIONS.get(whole, whole.capitalize())
        words = f"{name}, {part.replace('_', ' ')}" if len(listed) >= _LEAST else name
        merged.setdefault(words, []).extend(listed)
    return merged


def _value(one: Assumption, system: System) -> str:
    return one.text or show_exact(one.value or 0.0, one.kind, system)


def _groups(sections: Mapping[str, list[Assumption]], system: System) -> list[ListGroup]:
    groups = []
    for title, entries in sections.items():
        rows = [
            ListRow(
                one.id,
                input_name(one.id),
                printed_text(one.basis),
                _value(one, system),
                remark=one.status.capitalize(),
                look="ok" if one.status == "confirmed" else "",
            )
            for one in entries
        ]
        left = sum(one.status == "open" for one in entries)
        groups.append(ListGroup(title, rows, f"{left} of {len(entries)} open"))
    return groups


def _filter(entries: Sequence[Assumption]) -> list[Assumption]:
    """Show the filter in the sidebar, and return the entries with a selected status."""
    counts = {word: sum(one.status == word for one in entries) for word in _STATUS}
    with st.sidebar:
        chosen = st.pills(
            "Status",
            _STATUS,
            selection_mode="multi",
            key=_WORDS,
            format_func=lambda word: f"{counts[word]} {word}",
            persist_state="session",
        )
    return [one for one in entries if not chosen or one.status in chosen]


def _select(id: str) -> None:
    st.session_state[_SELECTED] = id


def _confirm(ids: Sequence[str]) -> dict[str, str]:
    first = len(state.session().project.confirmed or ())
    return {f"confirmed.{number}": id for number, id in enumerate(ids, start=first)}


def _open_again(id: str) -> dict[str, str]:
    listed = state.session().project.confirmed or ()
    mine = [number for number, one in enumerate(listed) if one == id]
    return {f"confirmed.{number}": "" for number in reversed(mine)}


def _detail(design: Design, one: Assumption, section: Sequence[Assumption], system: System) -> None:
    """Show an assumption, with its confirmation and its override."""
    name = input_name(one.id)
    st.badge(one.status.capitalize(), color="green" if one.status == "confirmed" else "grey")
    st.markdown(f"### {name}")
    st.text(f"{_value(one, system)}: {printed_text(one.basis)}")
    with st.container(horizontal=True, gap="small"):
        if one.status == "open":
            _act("Confirm", "confirm", _confirm([one.id]), f"{name} confirmed")
            ids = [other.id for other in section if other.status == "open"]
            words = f"Confirm all {len(ids)} of this section"
            _act(words, "confirm-section", _confirm(ids), f"{len(ids)} assumptions confirmed")
        elif one.status == OVERRIDDEN:
            _act("Remove override", "override-take", override.without(one.id), f"{name} restored")
        else:
            _act("Open again", "unconfirm", _open_again(one.id), f"{name} opened again")
        _results(one.id)
    override.show_refused()
    path = input_of(one.id)
    if path and one.status != OVERRIDDEN:
        st.markdown("**Override**")
        override.show(design, one.id, path)
    with st.expander("Details"):
        st.text(f"{one.id}\nSource: {one.source}")


@st.fragment
def _results(id: str) -> None:
    """Show the button that opens the results that depend on an assumption."""
    st.button(
        "Results that depend on it", on_click=navigation.ask, args=(id,), key="assumption-why"
    )
    show_drawer()


def _act(words: str, key: str, changes: Mapping[str, str], label: str) -> None:
    edit(words, "", key, override.give, changes, label)


def show_assumptions() -> None:
    """Show the assumptions by section, and the selected one."""
    show_style()
    design, system = state.current(), state.unit_system()
    entries = list(design.ledger)
    shown = _filter(entries)
    sections = _sections(shown)
    with st.container(horizontal=True, key="inbox", gap=None):
        with st.container(key="inbox-list", width=_LIST_PX):
            st.subheader("Assumptions", anchor=False)
            st.text(counted_assumptions(entries))
            if not shown:
                st.text("No assumption has this status. Select another one.")
                return
            found = st.session_state.get(_SELECTED)
            one = next((one for one in shown if one.id == found), None)
            one = one or next(iter(sections.values()))[0]
            groups = _groups(sections, system)
            show_list(groups, "assumptions-list", "Assumptions", _select, one.id)
        with st.container(key="inbox-detail"):
            section = next(listed for listed in sections.values() if one in listed)
            _detail(design, one, section, system)
