"""Inputs as rows, of one object or of the project: stated, default or inherited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from facility.core.views import System
from facility.model.inputs.change import declared_path
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import field_at, fields
from facility.report.objects.inputs import (
    UNSET,
    InputAction,
    ObjectInput,
    every_path,
    first_inputs,
    inputs_at,
    is_added,
    paths_of,
)
from facility.report.objects.objects import DesignObject
from facility.study.design.design import Design
from facility.ui.blocks.component import ListGroup, ListRow, show_list
from facility.ui.inspector import override
from facility.ui.inspector.field import show_field
from facility.ui.objects import known, selection
from facility.ui.session import opened, state
from facility.ui.session.state import of_design

FILTER, ORIGINS = "inputs-filter", "inputs-origins"
_ALL = "all-inputs-of"
_MAX_ROWS = 120
_ADDED = "Another entry of a list"
_GROUPS = ("Stated", "Default", "Inherited", _ADDED)


def show_inputs(one: DesignObject, system: System) -> None:
    """Show the important inputs of an object, or all of them on request."""
    objects, path = known.objects(), selection.opened_input()
    paths, first = paths_of(objects, one), first_inputs(one)
    is_all = st.session_state.get(_ALL) == one.id
    shown = list(paths if is_all else paths[:first])
    if path not in shown and field_at(path) is not None:
        shown.append(path)
    if not shown:
        return
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key="object-inputs",
    ):
        st.markdown("**Inputs**", width="content")
        if len(paths) > first:
            words, id = ("Fewer", "") if is_all else (f"All {len(paths)}", one.id)
            keep = {_ALL: id}
            st.button(
                words,
                key="inputs-all",
                type="tertiary",
                on_click=st.session_state.update,
                args=(keep,),
            )
    _show_rows(objects.design, inputs_at(objects.design, shown[:_MAX_ROWS], system), one.id, system)
    if len(shown) > _MAX_ROWS:
        st.text(f"{len(shown) - _MAX_ROWS:,} more: open All inputs of the site.")


def show_all_inputs(design: Design, system: System) -> None:
    """Show the inputs of the project that match a filter, as rows."""
    words = st.text_input(
        "Filter inputs",
        key=FILTER,
        placeholder=f"Search {len(fields())} inputs by name, meaning or field",
        persist_state="session",
    )
    chosen = st.pills(
        "Show", _GROUPS[:3], selection_mode="multi", key=ORIGINS, label_visibility="collapsed"
    )
    found = [one for one in _every_input(system) if _has(one, str(words or "").casefold().split())]
    found = [one for one in found if not chosen or one.origin in chosen]
    path = selection.opened_input()
    listed = [one for n, one in enumerate(found) if n < _MAX_ROWS or one.path == path]
    _show_rows(design, listed, "", system)
    if len(found) > len(listed):
        st.text(f"{len(found) - len(listed):,} more. Add a word to narrow the list.")
    if not found:
        st.text("No input has these words.")


@of_design()
def _every_input(design: Design, system: System) -> tuple[ObjectInput, ...]:
    """Return all inputs: stated, then default and inherited, then inputs to add."""
    document = as_typed(design.project)
    found = inputs_at(design, every_path(document), system)
    groups = [_ADDED if _adds(document, one) else one.origin for one in found]
    order = sorted(range(len(found)), key=lambda n: _GROUPS.index(groups[n]))
    return tuple(found[n] for n in order)


def _adds(document: Mapping[str, object], one: ObjectInput) -> bool:
    """Return whether a value would add an entry to a list; the design may have such an entry."""
    return one.value == UNSET and is_added(document, one.path)


def _has(one: ObjectInput, words: Sequence[str]) -> bool:
    meaning = fields()[declared_path(one.path)].declared.meaning
    text = f"{meaning} {one.path} {one.path.replace('_', ' ')}".casefold()
    return all(word in text for word in words)


def _show_rows(design: Design, listed: Sequence[ObjectInput], at: str, system: System) -> None:
    """Show inputs grouped by origin, with the editor of the open one below its row.

    at: Id of the object whose inputs they are; empty for all inputs.
    """
    document, refused = as_typed(design.project), state.session().refused
    grouped: dict[str, list[ObjectInput]] = {name: [] for name in _GROUPS}
    for one in listed:
        origin = "Stated" if one.path in refused else one.origin
        adds = not at and origin == "Default" and _adds(document, one)
        grouped[_ADDED if adds else origin].append(one)
    path, by_path = selection.opened_input(), {one.path: one for one in listed}
    parts: list[list[ListGroup]] = [[]]
    for name, inputs in grouped.items():
        title, rows = name, list[ListRow]()
        for one in inputs:
            rows.append(_row(one))
            if one.path == path:
                parts[-1].append(ListGroup(title, rows))
                parts.append([])
                title, rows = "", []
        if rows:
            parts[-1].append(ListGroup(title, rows))

    def act(id: str) -> None:
        do(by_path[id], by_path[id].actions[0], at)

    for number, groups in enumerate(parts):
        if groups:
            key = f"inputs-of-{'object' if at else 'all'}-{number}"
            show_list(groups, key, "Inputs", selection.open_input, path, act)
        if number < len(parts) - 1:
            show_field(design, by_path[path], system, lambda action: do(by_path[path], action, at))
    override.show_refused()


def _row(one: ObjectInput) -> ListRow:
    entry = state.session().refused.get(one.path)
    action = next((a for a in one.actions if a == "Go to" or not opened.reads_only()), "")
    row = ListRow(one.path, one.title.replace("`", ""), one.path, one.value, action=action)
    if entry is not None:
        return replace(row, value=entry.value, remark="Not applied", look="over")
    return replace(row, remark="Confirmed", look="ok") if one.confirmed else row


def do(one: ObjectInput, action: InputAction, at: str) -> None:
    """Do an action of an input that is listed at the object `at`."""
    confirmed = list(state.session().project.confirmed or ())
    if action == "Reset":
        override.reset(one.path)
    elif action == "Confirm":
        state.enter(f"confirmed.{len(confirmed)}", one.assumption)
    elif action == "Withdraw" and one.assumption in confirmed:
        state.enter(f"confirmed.{confirmed.index(one.assumption)}", "")
    elif action == "Go to" and at:
        selection.go_to_input(known.home_of_input(one.follows, at), one.follows)
    elif action == "Go to":
        st.session_state[FILTER] = one.follows
        selection.open_input(one.follows)
