"""Import of racks and devices: lists, bills of materials, NetBox exports and RacksDB files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.incoming.columns import IGNORE, TableMap, plain, vocabulary
from facility.files.incoming.inventory.answers import (
    FILLED,
    ROWS,
    SKIPPED,
    Answers,
    answers_in,
    answers_of,
    options_of,
)
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import WORDS, read_tables
from facility.files.incoming.inventory.update import difference_rows
from facility.files.incoming.profile import SUFFIX, ImportProfile, headings_of, parse_profile
from facility.ui import controls
from facility.ui.blocks import render
from facility.ui.imports.view import (
    ImportFound,
    ImportKind,
    Reader,
    SourceColumn,
    Sources,
    choice,
    show_import,
    source_columns,
)
from facility.ui.session import state

_READ, _PROFILES = "inventory-read", "inventory-profiles"
_HEADS = ("Change", "Hall", "Name (number)", "Was", "Is")


def show_inventory() -> None:
    """Show the import of racks and devices."""
    render.heading("Import", state.current())
    show_import(_INVENTORY)


def _label(name: object) -> str:
    """Return the label of a field, or of invalid rows."""
    return "Invalid rows" if name == ROWS else _INVENTORY.label(name)


def _first(sources: Sources) -> Answers:
    """Show what must be known first; return it with the answers of a profile.

    Raises for a profile that cannot be read.
    """
    with st.container(horizontal=True):
        file = st.file_uploader("Profile", type=["json"], key="inventory-profile", width=300)
        workbook = any(source.name.lower().endswith(".xlsx") for source in sources)
        sheet = st.text_input("Sheet", key="inventory-sheet", width=200) if workbook else ""
        decimal = choice("Decimal sign", ["", ".", ","], "inventory-decimal")
    heading = st.session_state.get("inventory-model", "").strip()
    named = answers_of([f"{heading}=model"] if heading else [])
    stated = named.over(answers_of(choices={"sheet": sheet, "decimal": decimal}))
    if file is None:
        return stated
    text = file.getvalue().decode("utf-8", "replace")
    return stated.over(answers_in(parse_profile(text, file.name, WORDS).options))


def _begin(sources: Sources) -> tuple[list[SourceColumn], Reader]:
    first = _first(sources)
    try:
        tables = read_tables(sources, first).inventory
    except FacilityError as error:
        if error.code in ("INVENTORY_COLUMNS", "TABLE_ANSWER"):
            st.text_input("Model column", key="inventory-model", width=300)
        raise
    columns = [one for table in tables for one in source_columns(table.columns, table.questions)]
    return columns, lambda changed: _found(sources, tables, first, changed)


def _found(
    sources: Sources, tables: Sequence[TableMap], first: Answers, changed: Sequence[SourceColumn]
) -> ImportFound:
    answers = _answers(tables, _mapped(tables, changed), first)
    found = _read(sources, answers)
    rows = list(difference_rows(found.update.differences))
    unread = [f"not read: {', '.join(found.unread)[:500]}"] if found.unread else []

    def profile() -> None:
        made = ImportProfile(WORDS, headings_of(found.tables), options_of(answers))
        help = "Import profile for tables with the same headings"
        name, key = f"{WORDS}{SUFFIX}", "inventory-profile-file"
        controls.download("Profile", name, made.text(), key, help=help)

    def accept() -> FacilityError | None:
        error = state.enter_all(found.update.changes, "inventory imported")
        if error is None:
            st.session_state[_PROFILES][headings_of(found.tables)] = answers
        return error

    return ImportFound(
        [*(question.as_error() for question in found.questions), *found.problems],
        [*found.notes, *unread],
        {head: [row[n] for row in rows] for n, head in enumerate(_HEADS)},
        found.summary,
        "Import inventory",
        found.ready and bool(found.update.changes),
        accept,
        profile,
    )


def _mapped(tables: Sequence[TableMap], changed: Sequence[SourceColumn]) -> list[str]:
    """Return changed columns as answers; of those with the same heading by their letter."""
    headings = [plain(column.heading) for table in tables for column in table.columns]
    found = []
    for one in changed:
        repeated = headings.count(plain(one.heading)) > 1
        letters = one.where.rpartition("!")[2].rstrip("0123456789")
        heading = f"column {letters}" if repeated else one.heading
        found.append(f"{heading}={one.field or IGNORE} {one.unit}".strip())
    return found


def _answers(tables: Sequence[TableMap], columns: Sequence[str], first: Answers) -> Answers:
    """Show the answers to questions; return them with those of the mapping.

    Raises for an answer that is not valid.
    """
    saved: dict[tuple[str, ...], Answers] = st.session_state.setdefault(_PROFILES, {})
    known = saved.get(headings_of(tables))
    if known is not None and st.checkbox(
        "Use the options of the last import with these headings", key="inventory-saved"
    ):
        first = first.over(known)
    with st.container(horizontal=True):
        fill = st.multiselect(
            "Fill down", FILLED, key="inventory-fill", width=220, format_func=_label
        )
        skip = st.multiselect("Skip", SKIPPED, key="inventory-skip", width=220, format_func=_label)
        choices = {
            "room": st.text_input("Room", key="inventory-room", width=160),
            "other_halls": choice("Other halls", ["", "keep", "remove"], "inventory-halls"),
            "designed": choice("Designed", ["", "keep", "remove"], "inventory-designed"),
            "ports": choice("Ports", ["", "sum", "each"], "inventory-ports"),
            "rack_power": st.text_input("Rack power", key="inventory-power", width=160),
            "rack_units": st.text_input("Rack units", key="inventory-units", width=160),
        }
        meanings = st.text_area(
            "Cell meanings, one per line: TEXT=MEANING", key="inventory-values", width=420
        )
    lines = [line for line in meanings.splitlines() if line.strip()]
    return answers_of(columns, lines, fill, skip, choices).over(first)


def _read(sources: Sources, answers: Answers) -> Inventory:
    """Return the inventory, read once for the same files, answers and project."""
    mark = hashlib.sha256(repr((answers, state.text())).encode())
    for source in sources:
        content = source.content
        mark.update(content.encode() if isinstance(content, str) else content)
    key, (known, found) = mark.hexdigest(), st.session_state.get(_READ, ("", None))
    if key == known and isinstance(found, Inventory):
        return found
    found = read_inventory(sources, answers, state.session().project)
    st.session_state[_READ] = key, found
    return found


def _after() -> None:
    if st.button("Open in Design", type="primary", key="inventory-open-design"):
        state.go_to("design", "hall")


_INVENTORY = ImportKind(
    "inventory",
    "Lists of racks or devices, bills of materials, NetBox exports and RacksDB files become "
    "the halls of this project. The project changes only after you confirm the import below.",
    "Tables (CSV, TSV, XLSX) or RacksDB files",
    ("csv", "tsv", "txt", "xlsx", "yml", "yaml"),
    32,
    vocabulary(WORDS),
    ("", "W", "kW", "MW", "kg", "lb", "A"),
    _begin,
    templates=("inventory", "racks", "bill"),
    several=True,
    here={
        "INVENTORY_COLUMNS": "Enter the heading of the model column below, as it is in the table.",
        "SHEET_QUESTION": "Enter one of them as the sheet in the options below.",
    },
    after=_after,
)
