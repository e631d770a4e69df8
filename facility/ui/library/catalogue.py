"""Equipment catalogue with the source of each row, and own equipment of the open project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from facility.catalogue import schema, sources, table
from facility.catalogue.schema import VERIFIED, SchemaColumn, TableSchema
from facility.catalogue.table import Row
from facility.core.errors import FacilityError
from facility.core.table import csv_text
from facility.ui import controls
from facility.ui.controls import act
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import (
    CellMark,
    Event,
    GridColumn,
    GridContents,
    RowValues,
    Selected,
    Value,
    edited_rows,
)
from facility.ui.library.own_import import show_own_import
from facility.ui.library.own_tables import (
    Rows,
    copied,
    heading_of,
    own_rows,
    place_of,
    tables_with,
    text_of_cell,
)
from facility.ui.session import opened, state

TABLES = {
    "equipment/ups": "UPS",
    "electrical/battery_blocks": "Battery blocks",
    "equipment/generators": "Generators",
    "electrical/mv_transformers": "Transformers",
    "equipment/pdus": "Power distribution units",
    "equipment/rpps": "Remote power panels",
    "equipment/busway": "Busway",
    "equipment/rack_pdus": "Rack PDUs",
    "equipment/chillers": "Chillers",
    "equipment/towers_drycoolers": "Cooling towers and dry coolers",
    "equipment/crah_crac": "Room air handlers",
    "equipment/in_row_rdhx": "In-row coolers and rear doors",
    "equipment/cdu": "Coolant distribution units",
    "equipment/gpus": "GPUs",
    "equipment/servers": "Servers",
    "equipment/network_storage": "Network, storage and CPU nodes",
    "equipment/cabinets": "Cabinets",
}
"""Title of each table of equipment."""
_WIDTHS = {"source": 260, "notes": 420}
_DETAILS = ("memory_fields", "notes")
"""Columns of remarks, which are shown below the catalogue for the selected row."""
_DRAFT, _CHOSEN = "own-draft", "catalogue-row"
_HEIGHT_PX = 420


def show_catalogue() -> None:
    """Show the tables of equipment, and the own equipment of the open project."""
    st.subheader("Equipment", anchor=False)
    left, right = st.columns(2)
    with left:
        name = st.selectbox(
            "Kind of equipment",
            list(TABLES),
            key="catalogue-table",
            format_func=TABLES.__getitem__,
            persist_state="session",
        )
    with right:
        words = st.text_input("Find", key="catalogue-words", max_chars=80, placeholder="Model")
    of = schema(name)
    listed = [
        row
        for row in table(name).rows
        for text in (" ".join(text_of_cell(row[column]) for column in of.columns).casefold(),)
        if all(word in text for word in words.casefold().split())
    ]
    st.text(f"{len(listed):,} of {len(table(name).rows):,} rows. Select one to copy it.")
    columns = [one for one in _columns(of, editable=False) if one.key not in _DETAILS]
    chosen = st.session_state.get(_CHOSEN, "")

    def select(event: Event) -> None:
        if isinstance(event, Selected):
            st.session_state[_CHOSEN] = event.id

    show_grid(
        GridContents(
            TABLES[name],
            columns,
            [_shown(row, of, columns) for row in listed],
            name=name,
            sorts=True,
            selects=True,
            selected=chosen,
            height=_HEIGHT_PX,
        ),
        "catalogue",
        select,
    )
    row = next((one for one in listed if one.label == chosen), None)
    with st.container(horizontal=True, vertical_alignment="center"):
        controls.edit(
            "Copy to own equipment",
            "content_copy",
            "catalogue-copy",
            _copy,
            of,
            row,
            ready=row is not None,
        )
        if row is not None:
            st.text(f"{row.label}: {_source_of(row, of)}")
    if row is not None and "notes" in of.columns and row["notes"]:
        st.text(f"Notes: {row['notes']}")
    _own(of)


def _source_of(row: Row, of: TableSchema) -> str:
    """Return the source of a row in words."""
    name = next((one.name for one in of.columns.values() if one.kind == "source"), "")
    entry = sources().get(str(row[name])) if name else None
    return "no source stated" if entry is None else f"{entry.publisher}, {entry.title}"


def _columns(of: TableSchema, *, editable: bool) -> list[GridColumn]:
    """Return the columns of a table: keys, source, then all others."""

    def order(one: SchemaColumn) -> int:
        return 0 if one.is_key else 1 if one.kind == "source" else 2

    found = []
    for one in sorted(of.columns.values(), key=order):
        choices: Mapping[str, Sequence[str]] = {
            "verified": VERIFIED,
            "source": tuple(sources()) if editable else (),
            "boolean": ("true", "false"),
        }
        options = choices.get(one.kind, ())
        found.append(
            GridColumn(
                one.name,
                heading_of(one),
                "number" if one.is_number else "choice" if options and editable else "text",
                unit=one.unit,
                editable=editable,
                options=options,
                free=one.kind == "source",
                help=one.description,
                width=_WIDTHS.get(one.name, 0),
            )
        )
    return found


def _shown(row: Row, of: TableSchema, columns: Sequence[GridColumn]) -> RowValues:
    def value(name: str) -> Value:
        if of.columns[name].kind == "source":
            return _source_of(row, of)
        return row[name]

    return RowValues(row.label, [value(one.key) for one in columns])


def _copy(of: TableSchema, row: Row) -> None:
    rows = _draft(of)
    taken = [text_of_cell(one[of.key_columns[0]]) for one in table(of.name).rows]
    taken += [one.get(of.key_columns[0], "") for one in rows]
    _enter(of, [*rows, copied(row, of, taken)])


def _draft(of: TableSchema) -> Rows:
    """Return the own rows as entered: the rejected rows, else the rows of the project."""
    drafts: dict[str, Rows] = st.session_state.setdefault(_DRAFT, {})
    return drafts.get(of.name) or own_rows(state.session().project, of.name)


def _enter(of: TableSchema, rows: Rows) -> FacilityError | None:
    """Change the own rows of the project; keep them as a draft if they are rejected."""
    project = state.session().project
    drafts: dict[str, Rows] = st.session_state.setdefault(_DRAFT, {})
    changes = {"equipment": tables_with(project, of, rows)}
    error = state.enter_all(changes, f"own equipment, {TABLES[of.name]}")  # type: ignore[arg-type]
    if error is None:
        drafts.pop(of.name, None)
        st.session_state.pop(f"{_DRAFT}-error-{of.name}", None)
    else:
        drafts[of.name] = rows
        st.session_state[f"{_DRAFT}-error-{of.name}"] = error
    return error


def _own(of: TableSchema) -> None:
    """Show the own equipment of the open project in a table, to be edited in place."""
    st.markdown("#### Own equipment of this project")
    rows, columns = _draft(of), _columns(of, editable=not opened.reads_only())
    error: FacilityError | None = st.session_state.get(f"{_DRAFT}-error-{of.name}")
    if error is not None:
        controls.refused("Not applied", error)
        act("Discard these rows", "undo", "own-discard", _discard, of)
    if not rows:
        st.text("None of this kind. Copy a row of the catalogue, add one, or import a file.")
    place = None if error is None else place_of(error)

    def handle(event: Event) -> None:
        by_id = {str(n): row for n, row in enumerate(rows)}
        after = list(edited_rows(by_id, event).values())
        if after != rows:
            _enter(of, after)

    show_grid(
        GridContents(
            f"Own equipment, {TABLES[of.name]}",
            columns,
            [_own_row(n, row, columns, error, place) for n, row in enumerate(rows)],
            name=f"own {of.name}",
            adds=not opened.reads_only(),
            removes=not opened.reads_only(),
        ),
        "own-equipment",
        handle,
    )
    _files(of, rows)


def _own_row(
    number: int,
    row: Mapping[str, str],
    columns: Sequence[GridColumn],
    error: FacilityError | None,
    error_cell: tuple[int, str] | None,
) -> RowValues:
    values: list[Value] = []
    marks = {}
    for one in columns:
        text = row.get(one.key, "")
        try:
            values.append(float(text) if one.kind == "number" and text else text or None)
        except ValueError:
            values.append(None)
            marks[one.key] = CellMark(error="Not a number", text=text, entry=text)
        if error is not None and error_cell == (number, one.key):
            marks[one.key] = CellMark(error=error.explanation, text=text, entry=text)
    return RowValues(str(number), values, marks)


def _discard(of: TableSchema) -> None:
    st.session_state[_DRAFT].pop(of.name, None)
    st.session_state.pop(f"{_DRAFT}-error-{of.name}", None)


def _files(of: TableSchema, rows: Sequence[Mapping[str, str]]) -> None:
    """Show the download of own rows as a table, and the import of one."""
    name = of.name.rpartition("/")[2]
    text = csv_text([list(of.columns), *([r.get(c, "") for c in of.columns] for r in rows)])
    controls.download("Download as CSV", f"{name}.csv", text, "own-file")
    if opened.reads_only():
        return
    with st.expander("Import a table", icon=":material/upload_file:"):
        show_own_import(of, TABLES[of.name], rows, lambda after: _enter(of, after))
