"""Import of racks and devices: lists, bills of materials, NetBox exports and RacksDB files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.incoming.columns import IGNORE, MappedColumn, vocabulary
from facility.files.incoming.inventory.answers import (
    LIMIT,
    NO_MODEL,
    POWERS,
    RACK_POWER,
    Answers,
    answers_in,
    options_of,
)
from facility.files.incoming.inventory.listing import PATHS
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import WORDS, read_tables
from facility.files.incoming.inventory.update import difference_rows
from facility.files.incoming.profile import SUFFIX, ImportProfile, headings_of, parse_profile
from facility.report.objects.known_names import known_names
from facility.report.tables.names import input_name
from facility.ui import controls
from facility.ui.blocks import render
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import CellMark, Edited, Event, GridColumn, GridContents, RowValues
from facility.ui.imports.view import (
    Given,
    ImportFound,
    ImportKind,
    Sources,
    show_import,
    source_columns,
)
from facility.ui.inspector import notices
from facility.ui.session import state

_READ, _PROFILES = "inventory-read", "inventory-profiles"
_HEADS = ("Change", "Hall", "Name (number)", "Was", "Is")
_MAX_ROWS, _LETTERS = 200, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FIELD = re.compile(r"\b(?:it|panels)\.[a-z_.]+\b")
_MEANINGS = {"Rack power as stated": RACK_POWER, "Omit these rows": IGNORE}
"""Words of the meanings of a model that are not a device."""
_OFFERS = {
    ("fill_down", ""): "Repeat the cell above",
    ("skip", ""): "Omit these rows",
    ("room", "NAME"): "Room",
    ("decimal", "."): "Decimal point",
    ("decimal", ","): "Decimal comma",
    ("other_halls", "keep"): "Keep these halls",
    ("other_halls", "remove"): "Remove these halls",
    ("designed", "keep"): "Keep both",
    ("designed", "remove"): "Only those of the list",
    ("ports", "sum"): "Sum of the ports",
    ("ports", "each"): "Each port carries the full draw",
    ("rack_power", ""): "Rack power",
    ("rack_units", ""): "Rack height (U)",
}
"""Words of an answer by option and value; without a value, of any."""


def show_inventory() -> None:
    """Show the import of racks and devices."""
    render.heading("Import", state.current())
    show_import(_INVENTORY)


def _begin(sources: Sources, given: Given) -> tuple[list[MappedColumn], Callable[[], ImportFound]]:
    """Return the columns of the sources, and what compares their racks with the project."""
    texts: dict[str, list[str]] = {}
    for (option, subject), meaning in given.items():
        named = subject if option in ("map", "value") else ""
        texts.setdefault(option, []).append(f"{named}={meaning}" if named else meaning)
    with st.expander("Import profile"):
        file = st.file_uploader("Profile", type=["json"], key="inventory-profile", width=300)
    answers = answers_in(texts)
    if file is not None:
        text = file.getvalue().decode("utf-8", "replace")
        answers = answers.over(answers_in(parse_profile(text, file.name, WORDS).options))
    tables = read_tables(sources, answers).inventory
    saved: dict[tuple[str, ...], Answers] = st.session_state.setdefault(_PROFILES, {})
    known = saved.get(headings_of(tables))
    title = "Use the answers of the last import with these headings"
    if known is not None and st.checkbox(title, key="inventory-saved"):
        answers = answers.over(known)
        tables = read_tables(sources, answers).inventory
    columns = [one for table in tables for one in source_columns(table.columns, table.questions)]
    return columns, lambda: _found(sources, answers, given)


def _found(sources: Sources, answers: Answers, given: Given) -> ImportFound:
    found = _read(sources, answers)
    rows = list(difference_rows(found.update.differences))
    unread = [f"not read: {', '.join(found.unread)[:500]}"] if found.unread else []

    def profile() -> None:
        made = ImportProfile(WORDS, headings_of(found.tables), options_of(answers))
        help = "Import profile for tables with the same headings"
        name, key = f"{WORDS}{SUFFIX}", "inventory-profile-file"
        controls.download("Save answers as profile", name, made.text(), key, help=help)

    def accept() -> FacilityError | None:
        error = state.enter_all(found.update.changes, "inventory imported")
        if error is None:
            st.session_state[_PROFILES][headings_of(found.tables)] = answers
            notes = "; ".join((found.summary, *found.update.notes))
            words = _FIELD.sub(lambda path: input_name(path[0]), notes)
            st.session_state[notices.IMPORTED] = "design", state.text(), f"Imported: {words}"
        return error

    return ImportFound(
        [*(question.as_error() for question in found.questions), *found.problems],
        [*found.notes, *unread],
        {head: [row[n] for row in rows] for n, head in enumerate(_HEADS)},
        found.summary,
        "Use these racks",
        found.ready and bool(found.update.changes),
        accept,
        found.sums,
        found.warning,
        lambda: _rows(found, given),
        profile,
    )


def _rows(found: Inventory, given: Given) -> None:
    """Show each row as it is read; a model entered for one row is that of all with its text."""
    missing = {id(row): found.models.open.get(found.models.key(row), "") for row in found.rows}
    listed = sorted(found.rows, key=lambda row: not missing[id(row)])[:_MAX_ROWS]
    by_id = {row.at(): row for row in listed}

    def edited(event: Event) -> None:
        for id, _, text in event.cells if isinstance(event, Edited) else ():
            written = by_id[id].written or NO_MODEL
            given["value", written] = _MEANINGS.get(text, text)

    if not listed:
        return
    words = {meaning: text for text, meaning in _MEANINGS.items()}
    number = len(found.rows)
    more = f", the first {_MAX_ROWS}" if number > _MAX_ROWS else ""
    st.markdown(f"#### {number:,} row{'s' if number != 1 else ''} as read{more}")
    columns = (
        GridColumn("row", "Line"),
        GridColumn("rack", "Rack"),
        GridColumn("written", "Model in the list"),
        GridColumn("model", "Read as", "choice", editable=True, options=_choices()),
        GridColumn("devices", "Devices", "number", digits=0),
        GridColumn("power", "Power stated"),
        GridColumn("missing", "Missing"),
    )
    values = []
    for id_, row in by_id.items():
        cells, open_text = row.cells, missing[id(row)]
        key = "" if open_text else found.models.key(row)
        power = next((cells[name] for name in POWERS if name in cells), "")
        shown = words[RACK_POWER] if row.stated else key
        marks = {"model": CellMark(f"{open_text}. Select a model or the rack power.", "")}
        texts = (id_.rpartition("!")[2].lstrip(_LETTERS), cells.get("rack", ""), row.written)
        count = int(cells.get("devices", "1"))
        line = (*texts, shown, count, power, open_text)
        values.append(RowValues(id_, line, marks if open_text else {}))
    show_grid(GridContents("Rows", columns, values, sorts=True), "inventory-rows", edited)


@cache
def _choices() -> tuple[str, ...]:
    """Return what a model can mean: a rack power, an omitted row, a device of the catalogue."""
    return (*_MEANINGS, *known_names(f"{PATHS['devices'].removesuffix('count')}model"))


def _offer(option: str, subject: str, meaning: str) -> str:
    """Return the words of an answer."""
    if option == "value":
        model, at, power = subject.rpartition(" at ")
        if at and meaning == LIMIT:
            return f"1 {model}, {power} is only the limit"
        if at and meaning.isdecimal():
            return f"{meaning} {model} in each rack"
        known = {text: words for words, text in _MEANINGS.items()} | {"count": "Count these rows"}
        named = "Select the catalogue model" if meaning.startswith("<") else f"Read as {meaning}"
        return known.get(meaning, named)
    named = meaning if option in ("sheet", "room") else ""
    return _OFFERS.get((option, meaning)) or named or _OFFERS.get((option, ""), "")


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
    offer=_offer,
    for_all={("value", RACK_POWER): "models", ("map", IGNORE): "columns"},
    names=lambda: _choices()[len(_MEANINGS) :],
    after=lambda: state.go_to("design", "hall"),
)
