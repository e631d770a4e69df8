"""Import page: an inventory uploaded or pasted, its columns mapped, confirmed and imported."""

from __future__ import annotations

import hashlib
import re
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
from facility.files.incoming.inventory.tables import PASTED, WORDS, InventoryFile, read_tables
from facility.files.incoming.inventory.update import difference_rows
from facility.files.incoming.profile import SUFFIX, ImportProfile, headings_of, parse_profile
from facility.files.incoming.templates import template_text
from facility.report.drawings.text import sentence
from facility.ui import controls, displays
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Edited, Event, GridColumn, GridContents, RowValues
from facility.ui.grid.tables import values_grid
from facility.ui.session import state

_MAX_UPLOAD_MB = 32
_MAX_SHOWN = 200
_READ, _PROFILES, _DONE, _REFUSED, _NUMBER, _MAPPED = (
    f"inventory-{name}" for name in ("read", "profiles", "done", "refused", "number", "mapped")
)
_TEMPLATES = ("inventory", "racks", "bill")
_TYPES = ["csv", "tsv", "txt", "xlsx", "yml", "yaml"]
_UNITS = ["", "W", "kW", "MW", "kg", "lb", "A"]
_SLUG = re.compile(r"(?<![.\w])[a-z]+(?:_[a-z]+)+\b")
_AS_HERE = (
    (re.compile(r"--value '([^=']+)=([^']+)'"), r"meaning of '\1': \2"),
    (re.compile(r"--(\w+)-(\w+)"), r"\1 \2:"),
    (re.compile(r"--(\w+)"), r"\1:"),
)


_OTHER_WORDS = {IGNORE: "Not read", ROWS: "Invalid rows"}
_HERE = {
    "INVENTORY_COLUMNS": "Enter the heading of the model column below, as it is in the table.",
    "SHEET_QUESTION": "Enter one of them as the sheet in the options below.",
}
"""What to do on this page, by code of the error."""


def _label(name: object) -> str:
    """Return the label of a field, of unread columns or of invalid rows."""
    field = vocabulary(WORDS).fields.get(str(name))
    return field.label if field else _OTHER_WORDS.get(str(name), str(name))


def _choice(label: str, options: list[str], key: str) -> str:
    """Show a choice of words; the first is empty."""

    def shown(word: str) -> str:
        return word.capitalize() or "Not specified"

    return st.selectbox(label, options, key=key, width=160, format_func=shown)


def _in_words(text: str) -> str:
    """Return a message with labels in place of names of fields and options."""
    named: set[str] = set()

    def field_of(found: re.Match[str]) -> str:
        head = "" if found[1] in named else f"field of '{found[1]}': "
        named.add(found[1])
        return f"{head}{_label(found[2])}{found[3] or ''}"

    text = re.sub(r"^Add (?=--)", "Set ", text)
    text = re.sub(r"--map '([^=']+)=([^' ]+)( [^']+)?'", field_of, text)
    text = re.sub(
        r"(?<= can mean )[^.]+", lambda m: " or ".join(map(_label, m[0].split(" or "))), text
    )
    for pattern, words in _AS_HERE:
        text = pattern.sub(words, text)
    fields = vocabulary(WORDS).fields
    return _SLUG.sub(lambda m: fields[m[0]].label if m[0] in fields else m[0], text)


def _on_page(error: FacilityError) -> FacilityError:
    """Return an error in the words of this page."""
    where = "Model column" if error.where == "--map" else _in_words(error.where).rstrip(":")
    hint = _HERE.get(error.code) or _in_words(error.hint)
    return FacilityError(error.code, where, sentence(_in_words(error.message)), hint)


def show_inventory() -> None:
    """Show the import of racks and devices."""
    displays.heading("Import", state.current())
    st.text(
        "Lists of racks or devices, bills of materials, NetBox exports and RacksDB files become "
        "the halls of this project. The project changes only after you confirm the import below."
    )
    with st.container(horizontal=True):
        for kind in _TEMPLATES:
            text = template_text(kind)
            controls.download(f"Template: {kind}", f"{kind}.csv", text, f"template-{kind}")
    done = st.container()
    refused = st.session_state.pop(_REFUSED, None)
    if isinstance(refused, FacilityError):
        controls.refused("Not imported", refused)
    sources = _sources()
    if not sources:
        words, generation = st.session_state.get(_DONE, ("", None))
        if generation == state.session().generation:
            with done:
                st.success(words)
                if st.button("Open in Design", type="primary", key="inventory-open-design"):
                    state.go_to("design", "hall")
        return
    st.session_state.pop(_DONE, None)
    mapping, outcome = st.container(), st.container()
    with st.expander("Import options", expanded=True):
        first = _first_answers(sources)
        if first is None:
            return
        heading = st.session_state.get("inventory-model", "").strip()
        named = answers_of([f"{heading}=model"]).over(first) if heading else first
        with mapping:
            tables = _tables(sources, named)
            columns = [] if tables is None else _mapping(tables)
        answers = None if tables is None else _answers(tables, columns, named)
    with outcome:
        found = None if answers is None else _read(sources, answers)
        if answers is not None and found is not None:
            _confirm(found, answers)


def _sources() -> list[InventoryFile]:
    """Return the uploaded files, or the pasted rows."""
    number = st.session_state.get(_NUMBER, 0)
    left, right = st.columns(2)
    with left:
        files = st.file_uploader(
            "Tables (CSV, TSV, XLSX) or RacksDB files",
            type=_TYPES,
            accept_multiple_files=True,
            key=f"inventory-files-{number}",
            max_upload_size=_MAX_UPLOAD_MB,
        )
    with right:
        text = st.text_area("Rows copied from a spreadsheet", key=f"inventory-text-{number}")
        st.button("Read rows", key="inventory-read-rows")  # The click ends the entry of the rows
    found = [InventoryFile(file.name, file.getvalue()) for file in files]
    return found or ([InventoryFile(PASTED, text)] if text.strip() else [])


def _first_answers(sources: Sequence[InventoryFile]) -> Answers | None:
    """Return the answers of a profile, and the sheet; None for a profile that cannot be read."""
    with st.container(horizontal=True):
        file = st.file_uploader("Profile", type=["json"], key="inventory-profile", width=300)
        workbook = any(source.name.lower().endswith(".xlsx") for source in sources)
        sheet = st.text_input("Sheet", key="inventory-sheet", width=200) if workbook else ""
        decimal = _choice("Decimal sign", ["", ".", ","], "inventory-decimal")
    try:
        stated = answers_of(choices={"sheet": sheet, "decimal": decimal})
        if file is None:
            return stated
        text = file.getvalue().decode("utf-8", "replace")
        return stated.over(answers_in(parse_profile(text, file.name, WORDS).options))
    except FacilityError as error:
        controls.refused("Profile not read", _on_page(error))
        return None


def _tables(sources: Sequence[InventoryFile], named: Answers) -> tuple[TableMap, ...] | None:
    """Return the tables of the inventory; a heading of the models may be asked first."""
    try:
        return read_tables(sources, named).inventory
    except FacilityError as error:
        controls.refused("Not read", _on_page(error))
        if error.code in ("INVENTORY_COLUMNS", "TABLE_ANSWER"):
            st.text_input("Model column", key="inventory-model", width=300)
        return None


def _answers(tables: Sequence[TableMap], columns: Sequence[str], first: Answers) -> Answers | None:
    """Show the answers to questions; return them with those of the mapping."""
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
            "other_halls": _choice("Other halls", ["", "keep", "remove"], "inventory-halls"),
            "designed": _choice("Designed", ["", "keep", "remove"], "inventory-designed"),
            "ports": _choice("Ports", ["", "sum", "each"], "inventory-ports"),
            "rack_power": st.text_input("Rack power", key="inventory-power", width=160),
            "rack_units": st.text_input("Rack units", key="inventory-units", width=160),
        }
        meanings = st.text_area(
            "Cell meanings, one per line: TEXT=MEANING", key="inventory-values", width=420
        )
    try:
        lines = [line for line in meanings.splitlines() if line.strip()]
        return answers_of(columns, lines, fill, skip, choices).over(first)
    except FacilityError as error:
        controls.refused("Option not accepted", _on_page(error))
        return None


def _mapping(tables: Sequence[TableMap]) -> list[str]:
    """Show heading, first cell, field and unit of each column; return the changed ones."""
    columns = [column for table in tables for column in table.columns]
    open_cells = {question.where for table in tables for question in table.questions}
    before = {
        column.where: ("" if column.where in open_cells else column.field or IGNORE, column.unit)
        for column in columns
    }
    mark, now = (before, state.session().generation), dict(before)
    of_mark, chosen = st.session_state.get(_MAPPED, (None, {}))
    now |= chosen if of_mark == mark else {}
    names = {_label(name): name for name in ("", *vocabulary(WORDS).fields, IGNORE)}

    def edited(event: Event) -> None:
        for where, key, text in event.cells if isinstance(event, Edited) else ():
            if where in now:
                field, unit = now[where]
                now[where] = (names.get(text, field), unit) if key == "field" else (field, text)
        st.session_state[_MAPPED] = (mark, now)

    grid = GridContents(
        "Column mapping",
        (
            GridColumn("heading", "Heading"),
            GridColumn("example", "First cell"),
            GridColumn("field", "Field", "choice", editable=True, options=list(names)),
            GridColumn("unit", "Unit", "choice", editable=True, options=_UNITS),
        ),
        [
            RowValues(
                one.where, (one.heading, one.example, _label(now[one.where][0]), now[one.where][1])
            )
            for one in columns
        ],
    )
    show_grid(grid, "inventory-map", edited)
    headings = [plain(column.heading) for column in columns]
    found = []
    for column in columns:
        field, unit = now[column.where]
        if (field, unit) != before[column.where]:
            repeated = headings.count(plain(column.heading)) > 1
            letters = column.where.rpartition("!")[2].rstrip("0123456789")
            heading = f"column {letters}" if repeated else column.heading
            found.append(f"{heading}={field or IGNORE} {unit}".strip())
    return found


def _read(sources: Sequence[InventoryFile], answers: Answers) -> Inventory | None:
    """Return the inventory, read once for the same files, answers and project."""
    mark = hashlib.sha256(repr((answers, state.text())).encode())
    for source in sources:
        content = source.content
        mark.update(content.encode() if isinstance(content, str) else content)
    key, (known, found) = mark.hexdigest(), st.session_state.get(_READ, ("", None))
    if key != known:
        try:
            found = read_inventory(sources, answers, state.session().project)
        except FacilityError as error:
            controls.refused("Not read", _on_page(error))
            return None
        st.session_state[_READ] = key, found
    return found if isinstance(found, Inventory) else None


def _confirm(found: Inventory, answers: Answers) -> None:
    """Show what is open, what changes, and the button that imports."""
    errors = [question.as_error() for question in found.questions] + found.problems
    if errors:
        shown = [_on_page(one) for one in errors[:_MAX_SHOWN]]
        count = len(errors)
        what = f"{count:,} open question{'s' if count > 1 else ''}"
        st.warning(f"{what}: resolve in the mapping above or below, or correct the table.")
        controls.problems(shown, "inventory-open")
    for note in found.notes[:_MAX_SHOWN]:
        st.text(f"Note: {_in_words(note)}.")
    if found.unread:
        st.text(f"Not read: {', '.join(found.unread)[:500]}.")
    rows = list(difference_rows(found.update.differences))[:_MAX_SHOWN]
    if rows:
        heads = ("Change", "Hall", "Name (number)", "Was", "Is")
        cells = {head: [row[n] for row in rows] for n, head in enumerate(heads)}
        show_grid(values_grid("Differences", cells), "inventory-differences")
    if found.summary:
        st.info(found.summary, icon=":material/fact_check:")
    if found.ready and not found.update.changes:
        st.text("The project already contains this inventory.")
    with st.container(horizontal=True):
        ready = found.ready and bool(found.update.changes)
        controls.edit(
            "Import inventory", "check", "inventory-accept", _accept, found, answers, ready=ready
        )
        profile = ImportProfile(WORDS, headings_of(found.tables), options_of(answers))
        help = "Import profile for tables with the same headings"
        name, key = f"{WORDS}{SUFFIX}", "inventory-profile-file"
        controls.download("Profile", name, profile.text(), key, help=help)


def _accept(found: Inventory, answers: Answers) -> None:
    error = state.enter_all(found.update.changes, "inventory imported")
    if error is not None:
        st.session_state[_REFUSED] = error
        return
    st.session_state[_PROFILES][headings_of(found.tables)] = answers
    st.session_state[_DONE] = (f"Imported: {found.summary}.", state.session().generation)
    st.session_state[_NUMBER] = st.session_state.get(_NUMBER, 0) + 1
