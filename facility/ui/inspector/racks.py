"""The rack list of a project as a grid: edited, and applied as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.parse import plain_text
from facility.files.rack_list import COLUMNS, RackList, changes_for, checked, racks_of
from facility.files.store.records import Draft
from facility.model.inputs.entries import fields
from facility.model.it import Rack
from facility.report.objects.known_names import known_names
from facility.report.why.pages import of_rack_kind
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import (
    Asked,
    CellMark,
    Event,
    GridColumn,
    GridContents,
    RowValues,
    Value,
    edited_rows,
)
from facility.ui.session import opened, state
from facility.ui.why import navigation

_DRAFT, _WHY = "racks-draft", "racks-refused"
_COUNTS = ("count", "devices", "rack_units")
_POWERS = {"rack.input": "Input power", "rack.peak": "Peak power"}
"""Results of a rack type, by key."""
_Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class _Draft:
    """Rows by id, not yet applied; `listed` if they are the racks of the project."""

    rows: Mapping[str, Mapping[str, str]]
    listed: bool = False

    @property
    def filled(self) -> list[str]:
        """Ids of the rows that have a text."""
        return [id for id, row in self.rows.items() if any(row.values())]


def show() -> None:
    """Show the rack list with its errors and actions."""
    _refused()
    draft = _draft()
    found = checked(list(draft.rows.values()), state.session().project)
    made = state.session().generation

    def handle(event: Event) -> None:
        if isinstance(event, Asked):
            kind = _kinds().get(_draft().rows.get(event.id, {}).get("rack", ""))
            if kind is not None and event.key in _POWERS:
                navigation.ask(event.key, of_rack_kind(kind, kind.name))
        elif not opened.reads_only() and state.session().generation == made:
            after = edited_rows(_draft().rows, event, COLUMNS)
            filled = {
                id: {name: row[name] for name in COLUMNS if row.get(name)}
                for id, row in after.items()
            }
            _keep(_Draft(filled))

    show_grid(_grid(draft, found), "racks-list", handle)
    _verdict(draft, found)


def _grid(draft: _Draft, found: RackList) -> GridContents:
    edits, declared = not opened.reads_only(), fields()
    names = known_names(COLUMNS["device"])
    columns = [
        GridColumn(
            name,
            name.replace("_", " ").capitalize(),
            "number" if name in _COUNTS else "choice" if name == "device" else "text",
            digits=0 if name in _COUNTS else None,
            editable=edits,
            options=names if name == "device" else (),
            free=True,
            help=declared[path].declared.meaning,
        )
        for name, path in COLUMNS.items()
    ]
    kinds = _kinds() if draft.listed else {}
    if kinds:
        columns += [
            GridColumn(id, head, "number", unit="kW", digits=1, why=True)
            for id, head in _POWERS.items()
        ]
    marks = _marks(draft, found)
    rows = [
        RowValues(id, [*_values(row), *(_powers(row, kinds) if kinds else ())], marks.get(id, {}))
        for id, row in draft.rows.items()
    ]
    return GridContents("Rack list", columns, rows, "racks", adds=edits, removes=edits)


def _values(row: Mapping[str, str]) -> Iterator[Value]:
    for name in COLUMNS:
        text = row.get(name, "")
        yield int(text) if name in _COUNTS and text.isdecimal() else text or None


def _powers(row: Mapping[str, str], kinds: Mapping[str, Rack]) -> list[Value]:
    """Return input and peak power of a rack type, on its first row [kW]."""
    kind = kinds.get(row["rack"]) if row.get("rack") and row.get("count") else None
    return [None, None] if kind is None else [kind.input_w / 1e3, kind.peak_w / 1e3]


def _kinds() -> dict[str, Rack]:
    """Return the rack types of the design by name."""
    return {kind.name: kind for kind in reversed(state.current().facility.it.racks)}


def _marks(draft: _Draft, found: RackList) -> dict[str, dict[str, CellMark]]:
    """Return the errors by id of the row and column; errors count the filled rows from 1."""
    marks: dict[str, dict[str, CellMark]] = {}
    filled = draft.filled
    for one in found.problems:
        row, _, column = one.where.removeprefix("row ").partition(", ")
        if row.isdecimal() and column in COLUMNS:
            id = filled[int(row) - 1]
            text = draft.rows[id].get(column, "")
            marks.setdefault(id, {})[column] = CellMark(one.explanation, text)
    return marks


def _draft() -> _Draft:
    """Return the draft of this project, or its current racks if there is none."""
    generation, draft = st.session_state.get(_DRAFT, (None, None))
    if isinstance(draft, _Draft) and generation == state.session().generation:
        changed = not _same(draft.rows.values(), racks_of(state.session().project))
        if not (draft.listed and changed):  # else changed by undo or on another page
            return draft
        return _listed()
    return _stored_draft() or _listed()


def _keep(draft: _Draft) -> None:
    """Make `draft` the rows, and store them with the project unless they are its racks."""
    st.session_state[_DRAFT] = (state.session().generation, draft)
    same = _same(draft.rows.values(), racks_of(state.session().project))
    rows = [dict(row) for row in draft.rows.values()]
    text = "" if same else json.dumps({"rows": rows})
    opened.keep(Draft.RACKS, text, state.session().project)


def _stored_draft() -> _Draft | None:
    """Return the stored draft of this project; None if there is none."""
    try:
        stored = json.loads(opened.current().drafts.get(Draft.RACKS, ""))
        rows = [{name: str(row[name]) for name in COLUMNS if name in row} for row in stored["rows"]]
    except (ValueError, KeyError, TypeError):
        return None
    draft = _numbered(rows)
    st.session_state[_DRAFT] = (state.session().generation, draft)
    return draft


def _listed() -> _Draft:
    """Reset the rows to the racks of the project."""
    draft = _Draft(_numbered(racks_of(state.session().project)).rows, listed=True)
    st.session_state[_DRAFT] = (state.session().generation, draft)
    return draft


def _numbered(rows: _Rows) -> _Draft:
    return _Draft({str(number): row for number, row in zip(count(1), rows, strict=False)})


def _verdict(draft: _Draft, found: RackList) -> None:
    """Show the errors in the rows, or the button that applies them."""
    if _same(draft.rows.values(), racks_of(state.session().project)):
        if not draft.filled:
            st.text(
                "No rack list: racks are derived automatically. Enter rows to specify them, or "
                "import an inventory."
            )
            if st.button("Import an inventory", type="tertiary", key="racks-import"):
                state.go_to("start", "import")
        return
    if found.problems:
        many = len(found.problems)
        st.error(
            f"{many} error{'s' if many > 1 else ''} in the rows. Correct them to apply the list."
        )
        controls.problems(found.problems, "racks-problems")
    counts = (row.get("count") or "1" for row in _first_rows(found.rows))
    racks = 0 if found.problems else sum(int(plain_text(one, count=True)) for one in counts)
    with st.container(horizontal=True):
        words, ready = f"Apply {racks:,} racks" if racks else "Apply racks", not found.problems
        controls.edit(words, "", "racks-accept", _accept, found.rows, ready=ready)
        st.button("Discard draft", key="racks-discard", on_click=_discard)


def _first_rows(rows: _Rows) -> list[Mapping[str, str]]:
    return list({(row.get("hall", ""), row["rack"]): row for row in reversed(rows)}.values())


def _same(rows: Iterable[Mapping[str, str]], others: _Rows) -> bool:
    def plain(some: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
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
    _keep(_listed())


def _refused() -> None:
    found: tuple[str, FacilityError | None] = st.session_state.get(_WHY, ("", None))
    how, error = found
    if error is not None:
        controls.refused(how, error)
