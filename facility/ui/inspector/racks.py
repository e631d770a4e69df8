"""The rack list of a project as a table: edited, and applied as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from facility.core.parse import plain_text
from facility.files.rack_list import COLUMNS, changes_for, checked, racks_of
from facility.files.store.records import Draft
from facility.model.inputs.entries import fields
from facility.report.why.pages import of_rack_kind
from facility.ui import controls, displays
from facility.ui.session import opened, state
from facility.ui.why import navigation

_DRAFT, _WHY = "racks-draft", "racks-refused"
_Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class _Draft:
    """Rows that are not yet applied."""

    given: tuple[Mapping[str, str], ...]  # Initial rows of the table
    rows: tuple[Mapping[str, str], ...]  # Current rows
    number: int  # Changes when the table must be recreated
    listed: bool = False  # Whether the initial rows are the racks of the project


def show() -> None:
    """Show the rack table, its import and its actions."""
    _refused()
    draft = _draft()
    key = f"racks-{state.session().generation}-{draft.number}"
    if key not in st.session_state and draft.rows != draft.given:
        draft = _replaced(draft.rows)  # the user left the page and returned
        key = f"racks-{state.session().generation}-{draft.number}"
    edited = _table(draft, key)
    if edited != draft.rows:
        draft = _Draft(draft.given, edited, draft.number)
        st.session_state[_DRAFT] = (state.session().generation, draft)
    if not opened.reads_only():
        opened.keep(Draft.RACKS, _text_of(draft), state.session().project)
    _verdict(draft)


def _text_of(draft: _Draft) -> str:
    """Return the draft rows as JSON to store; empty if the project has the same rows."""
    if _same(draft.rows, racks_of(state.session().project)):
        return ""
    rows = [dict(row) for row in draft.rows]
    return json.dumps({"rows": rows})


def _stored_draft() -> _Draft | None:
    """Return the stored draft of this project; None if there is none."""
    try:
        stored = json.loads(opened.current().drafts.get(Draft.RACKS, ""))
        rows = [{name: str(row[name]) for name in COLUMNS if name in row} for row in stored["rows"]]
        return _replaced(rows)
    except (ValueError, KeyError, TypeError):
        return None


def _draft() -> _Draft:
    """Return the draft of this project, or its current racks if there is none."""
    generation, draft = st.session_state.get(_DRAFT, (None, None))
    if isinstance(draft, _Draft) and generation == state.session().generation:
        changed = not _same(draft.rows, racks_of(state.session().project))
        if not (draft.listed and changed):  # else changed by undo or on another page
            return draft
        return _listed()
    return _stored_draft() or _listed()


def _listed() -> _Draft:
    """Reset the table to the racks of the project."""
    draft = replace(_replaced(racks_of(state.session().project)), listed=True)
    st.session_state[_DRAFT] = (state.session().generation, draft)
    return draft


def _replaced(rows: _Rows) -> _Draft:
    _, before = st.session_state.get(_DRAFT, (None, None))
    number = 0 if before is None else before.number + 1
    draft = _Draft(tuple(rows), tuple(rows), number)
    st.session_state[_DRAFT] = (state.session().generation, draft)
    return draft


def _table(draft: _Draft, key: str) -> tuple[Mapping[str, str], ...]:
    """Show the rows in an editor, and return the edited rows."""
    import pandas as pd  # slow import, only for this page

    columns = {name: [row.get(name, "") for row in draft.given] for name in COLUMNS}
    frame = pd.DataFrame(columns, pd.RangeIndex(1, len(draft.given) + 1), dtype="str")
    meanings = {name: fields()[path].declared.meaning for name, path in COLUMNS.items()}
    edited = st.data_editor(
        frame,
        num_rows="fixed" if opened.reads_only() else "dynamic",
        disabled=opened.reads_only(),
        hide_index=False,
        key=key,
        column_config={
            name: st.column_config.TextColumn(
                name, help=meanings[name], width="small", max_chars=200
            )
            for name in COLUMNS
        },
        alt="Rack list: one row per device type in a rack type",
    )
    rows = edited.fillna("").to_dict("records")
    return tuple({name: str(row[name]).strip() for name in COLUMNS if row[name]} for row in rows)


def _numbers() -> None:
    """Show the power of the rack types, each with its explanation."""
    kinds = state.current().facility.it.racks
    ids = {"input power": "rack.input", "peak power": "rack.peak"}
    numbers = [(kind, id) for kind in kinds for id in ids.values()]
    names = [f"{kind.name}: {title}" for kind in kinds for title in ids]

    def explain(number: int) -> navigation.WhyRequest:
        kind, id = numbers[number]
        return id, of_rack_kind(kind, kind.name)

    displays.explained_choice("Explain the power of a rack", names, "why-racks", explain)


def _verdict(draft: _Draft) -> None:
    """Show the errors in the rows, or the button that applies them."""
    project = state.session().project
    if _same(draft.rows, racks_of(project)):
        if not draft.rows:
            st.text(
                "No rack list: racks are derived automatically. Enter rows to specify them, or "
                "import an inventory (menu Project, Import)."
            )
        else:
            _numbers()
        return
    found = checked(draft.rows, project)
    if found.problems:
        count = len(found.problems)
        st.error(
            f"{count} error{'s' if count > 1 else ''} in the rows. Correct them to apply the list."
        )
        st.dataframe(
            {
                "Location": [one.where for one in found.problems],
                "Error": [f"{one.message} {one.hint}" for one in found.problems],
                "Code": [one.code for one in found.problems],
            },
            hide_index=True,
            key="racks-problems",
        )
    racks = 0 if found.problems else sum(map(_count, _kinds(found.rows)))
    with st.container(horizontal=True):
        words, ready = f"Apply {racks:,} racks" if racks else "Apply racks", not found.problems
        controls.edit(words, "", "racks-accept", _accept, found.rows, ready=ready)
        st.button("Discard draft", key="racks-discard", on_click=_discard)


def _kinds(rows: _Rows) -> list[Mapping[str, str]]:
    return list({(row.get("hall", ""), row["rack"]): row for row in reversed(rows)}.values())


def _count(row: Mapping[str, str]) -> int:
    return int(plain_text(row.get("count") or "1", count=True))


def _same(rows: _Rows, others: _Rows) -> bool:
    def plain(some: _Rows) -> list[dict[str, str]]:
        return [{k: v for k, v in row.items() if v} for row in some if any(row.values())]

    return plain(rows) == plain(others)


def _accept(rows: _Rows) -> None:
    error = state.enter_all(changes_for(rows, state.session().project), "racks listed")
    if error is not None:
        st.session_state[_WHY] = ("Rack list not applied", error)
        return
    _discard()


def _discard() -> None:
    st.session_state.pop(_WHY, None)
    _listed()


def _refused() -> None:
    how, error = st.session_state.get(_WHY, ("", None))
    if error is not None:
        controls.refused(how, error)
