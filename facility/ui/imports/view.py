"""Import of a table: source, mapping of its columns, questions, problems, differences, button.

A kind of table is declared as an `ImportKind`; its engine is in `facility.files`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.incoming.columns import IGNORE, MappedColumn, TableQuestion, Vocabulary
from facility.files.incoming.inventory.tables import PASTED, InventoryFile
from facility.files.incoming.templates import template_text
from facility.report.drawings.text import sentence
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Edited, Event, GridColumn, GridContents, RowValues
from facility.ui.grid.tables import values_grid
from facility.ui.session import state

_MAX_SHOWN = 200
_SLUG = re.compile(r"(?<![.\w])[a-z]+(?:_[a-z]+)+\b")
_AS_HERE = (
    (re.compile(r"--value '([^=']+)=([^']+)'"), r"meaning of '\1': \2"),
    (re.compile(r"--(\w+)-(\w+)"), r"\1 \2:"),
    (re.compile(r"--(\w+)"), r"\1:"),
)
NOT_READ = "Not read"


Sources = Sequence[InventoryFile]
"""Uploaded files, or pasted rows."""


@dataclass(frozen=True)
class SourceColumn:
    """A column of a source, and what is read from it: empty if a question is open."""

    where: str
    heading: str
    example: str
    field: str
    unit: str = ""


def source_columns(
    columns: Iterable[MappedColumn], questions: Iterable[TableQuestion]
) -> list[SourceColumn]:
    """Return the columns of a table; `questions` are those about it."""
    open_cells = {question.where for question in questions}
    return [
        SourceColumn(
            one.where,
            one.heading,
            one.example,
            "" if one.where in open_cells else one.field or IGNORE,
            one.unit,
        )
        for one in columns
    ]


@dataclass(frozen=True)
class ImportFound:
    """What the sources contain, and what they change.

    accept: Changes the project; returns why it was rejected.
    more: Shows further controls next to the button.
    """

    problems: Sequence[FacilityError]
    notes: Sequence[str]
    differences: Mapping[str, Sequence[object]]
    summary: str
    button: str
    changes: bool
    accept: Callable[[], FacilityError | None]
    more: Callable[[], None] = lambda: None


Reader = Callable[[Sequence[SourceColumn]], ImportFound]


@dataclass(frozen=True)
class ImportKind:
    """A kind of table that is imported.

    begin: Shows what must be known first; returns the columns of the sources, and what shows
        further questions and returns the contents with changed columns.
    here: What to do on this page, by code of an error.
    after: Shows what can be done after the import.
    """

    key: str
    what: str
    upload: str
    types: Sequence[str]
    max_mb: int
    words: Vocabulary
    units: Sequence[str]
    begin: Callable[[Sources], tuple[Sequence[SourceColumn], Reader]]
    templates: Sequence[str] = ()
    several: bool = False
    asks: bool = True  # Whether there are questions besides the mapping
    here: Mapping[str, str] = field(default_factory=dict)
    after: Callable[[], None] = lambda: None

    def label(self, name: object) -> str:
        """Return the label of a field, or of a column that is not read."""
        found = self.words.fields.get(str(name))
        return found.label if found else NOT_READ if name == IGNORE else str(name)


@dataclass
class _Import:
    """The sources of a kind of table, kept while other pages are shown."""

    number: int = 0  # Of the import; changes the keys of the widgets
    files: Sources = ()
    done: tuple[str, int] = ("", 0)  # Summary of the last import, and its generation
    refused: FacilityError | None = None


def show_import(kind: ImportKind) -> None:
    """Show the import of a kind of table."""
    st.text(kind.what)
    with st.container(horizontal=True):
        for name in kind.templates:
            text = template_text(name)
            controls.download(f"Template: {name}", f"{name}.csv", text, f"template-{name}")
    now: _Import = st.session_state.setdefault(f"{kind.key}-import", _Import())
    done = st.container()
    if now.refused is not None:
        controls.refused("Not imported", now.refused)
        now.refused = None
    sources = _sources(kind, now)
    if not sources:
        summary, generation = now.done
        if summary and generation == state.session().generation:
            with done:
                st.success(f"Imported: {summary}.", icon=":material/check:")
                kind.after()
        return
    mapping, outcome = st.container(), st.container()
    found: ImportFound | None = None
    with st.expander("Import options", expanded=True) if kind.asks else st.container():
        try:
            columns, read = kind.begin(sources)
            with mapping:
                changed = _mapping(kind, columns)
            found = read(changed)
        except FacilityError as error:
            with outcome:
                controls.refused(NOT_READ, _on_page(kind, error))
    if found is not None:
        with outcome:
            _outcome(kind, now, found)


def _sources(kind: ImportKind, now: _Import) -> Sources:
    """Show upload and pasted rows; return the files, else the rows."""
    files, text = f"{kind.key}-files-{now.number}", f"{kind.key}-text-{now.number}"

    def uploaded() -> None:
        found = st.session_state[files]
        listed = found if isinstance(found, list) else [found] if found else []
        now.files = [InventoryFile(one.name, one.getvalue()) for one in listed]

    left, right = st.columns(2)
    with left:
        st.file_uploader(
            kind.upload,
            type=kind.types,
            accept_multiple_files=kind.several,
            key=files,
            on_change=uploaded,
            max_upload_size=kind.max_mb,
        )
        if now.files:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"Read from {', '.join(one.name for one in now.files)}")
                controls.act("Close", "close", f"{kind.key}-close", _close, now)
    with right:
        pasted = st.text_area("Rows copied from a spreadsheet", key=text, persist_state="session")
        st.button("Read rows", key=f"{kind.key}-read-rows")  # The click ends the entry of the rows
    return now.files or ([InventoryFile(PASTED, pasted)] if pasted and pasted.strip() else [])


def _close(now: _Import) -> None:
    now.number, now.files = now.number + 1, ()


def _mapping(kind: ImportKind, columns: Sequence[SourceColumn]) -> list[SourceColumn]:
    """Show heading, first cell, field and unit of each column; return the changed ones."""
    stored = f"{kind.key}-mapped"
    mark, now = (tuple(columns), state.session().generation), {one.where: one for one in columns}
    of_mark, chosen = st.session_state.get(stored, (None, {}))
    now |= chosen if of_mark == mark else {}
    # Fields by label; the first column may have an open question.
    names = {kind.label(name): name for name in ("", *kind.words.fields, IGNORE)}

    def edited(event: Event) -> None:
        for where, key, text in event.cells if isinstance(event, Edited) else ():
            if where in now:
                one = now[where]
                meant = {"field": names.get(text, one.field)} if key == "field" else {"unit": text}
                now[where] = replace(one, **meant)
        st.session_state[stored] = (mark, now)

    grid = GridContents(
        "Column mapping",
        (
            GridColumn("heading", "Heading"),
            GridColumn("example", "First cell"),
            GridColumn("field", "Field", "choice", editable=True, options=list(names)),
            GridColumn("unit", "Unit", "choice", editable=True, options=kind.units),
        ),
        [
            RowValues(
                one.where,
                (one.heading, one.example, kind.label(now[one.where].field), now[one.where].unit),
            )
            for one in columns
        ],
    )
    show_grid(grid, f"{kind.key}-map", edited)
    return [now[one.where] for one in columns if now[one.where] != one]


def _outcome(kind: ImportKind, now: _Import, found: ImportFound) -> None:
    """Show what is open, what changes, and the button that imports."""
    if found.problems:
        count = len(found.problems)
        what = f"{count:,} open question{'s' if count > 1 else ''}"
        st.warning(f"{what}: resolve in the mapping above or below, or correct the table.")
        shown = [_on_page(kind, one) for one in found.problems[:_MAX_SHOWN]]
        controls.problems(shown, f"{kind.key}-open")
    for note in found.notes[:_MAX_SHOWN]:
        st.text(f"Note: {_in_words(kind, note)}.")
    if any(found.differences.values()):
        shown_rows = {head: cells[:_MAX_SHOWN] for head, cells in found.differences.items()}
        show_grid(values_grid("Differences", shown_rows), f"{kind.key}-differences")
    if found.summary:
        st.info(found.summary, icon=":material/fact_check:")
    if not found.problems and not found.changes:
        st.text("The project already contains these values.")

    def accept() -> None:
        now.refused = found.accept()
        if now.refused is None:
            now.done = (found.summary, state.session().generation)
            _close(now)

    with st.container(horizontal=True):
        key, ready = f"{kind.key}-accept", not found.problems and found.changes
        controls.edit(found.button, "check", key, accept, ready=ready, help="Undo reverts it.")
        found.more()


def choice(label: str, options: list[str], key: str) -> str:
    """Show a choice of words; the first is empty."""

    def shown(word: str) -> str:
        return word.capitalize() or "Not specified"

    return st.selectbox(
        label, options, key=key, width=160, format_func=shown, persist_state="session"
    )


def _in_words(kind: ImportKind, text: str) -> str:
    """Return a message with labels in place of names of fields and options."""
    named: set[str] = set()

    def field_of(found: re.Match[str]) -> str:
        head = "" if found[1] in named else f"field of '{found[1]}': "
        named.add(found[1])
        return f"{head}{kind.label(found[2])}{found[3] or ''}"

    text = re.sub(r"^Add (?=--)", "Set ", text)
    text = re.sub(r"--map '([^=']+)=([^' ]+)( [^']+)?'", field_of, text)
    text = re.sub(
        r"(?<= can mean )[^.]+", lambda m: " or ".join(map(kind.label, m[0].split(" or "))), text
    )
    for pattern, words in _AS_HERE:
        text = pattern.sub(words, text)
    fields = kind.words.fields
    return _SLUG.sub(lambda m: fields[m[0]].label if m[0] in fields else m[0], text)


def _on_page(kind: ImportKind, error: FacilityError) -> FacilityError:
    """Return an error in the words of this page."""
    where = "Column mapping" if error.where == "--map" else _in_words(kind, error.where).rstrip(":")
    hint = kind.here.get(error.code) or _in_words(kind, error.hint)
    return FacilityError(error.code, where, sentence(_in_words(kind, error.message)), hint)
