"""Import of a table: source, mapping of its columns, questions, problems, differences, button.

A kind of table is declared as an `ImportKind`; its engine is in `facility.files`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.incoming.columns import (
    COLUMN,
    IGNORE,
    MappedColumn,
    TableQuestion,
    Vocabulary,
    plain,
)
from facility.files.incoming.inventory.answers import options_in
from facility.files.incoming.inventory.tables import PASTED, InventoryFile
from facility.files.incoming.templates import template_text
from facility.report.drawings.text import sentence
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Edited, Event, GridColumn, GridContents, RowValues
from facility.ui.grid.tables import values_grid
from facility.ui.session import opened, state

_MAX_SHOWN, _MAX_QUESTIONS = 200, 20
_TYPED = ("room", "rack_power", "rack_units")
"""Options with a text that the user types."""
LISTED = ("skip", "fill_down")
"""Options with several words, each an answer."""
_SLUG = re.compile(r"(?<![.\w])[a-z]+(?:_[a-z]+)+\b")
_AS_HERE = (
    (re.compile(r"--value '([^=']+)=([^']+)'"), r"meaning of '\1': \2"),
    (re.compile(r"--(\w+)-(\w+)"), r"\1 \2:"),
    (re.compile(r"--(\w+)"), r"\1:"),
)
NOT_READ = "Not read"


Sources = Sequence[InventoryFile]
"""Uploaded files, or pasted rows."""


def source_columns(
    columns: Iterable[MappedColumn], questions: Iterable[TableQuestion]
) -> list[MappedColumn]:
    """Return the columns of a table, without field if one of the questions about it is open."""
    open_cells = {question.where for question in questions}
    return [
        replace(one, field="" if one.where in open_cells else one.field or IGNORE)
        for one in columns
    ]


@dataclass(frozen=True)
class ImportFound:
    """What the sources contain, and what they change.

    problems: Questions and errors; the options in their hints are offered as answers.
    accept: Changes the project; returns why it was rejected.
    sums: Sums of the sources and of what they become; the warning names where they differ.
    rows: Shows the rows as they are read.
    more: Shows further controls next to the button.
    """

    problems: Sequence[FacilityError]
    notes: Sequence[str]
    differences: Mapping[str, Sequence[object]]
    summary: str
    button: str
    changes: bool
    accept: Callable[[], FacilityError | None]
    sums: str = ""
    warning: str = ""
    rows: Callable[[], None] = lambda: None
    more: Callable[[], None] = lambda: None


Given = dict[tuple[str, str], str]
"""Answers by option and its subject, such as a heading or a cell."""


@dataclass(frozen=True)
class ImportKind:
    """A kind of table that is imported.

    begin: Reads the sources with the answers given; returns their columns, and what returns their
        contents.
    offer: Returns the words of an answer other than the field of a heading, by its option.
    for_all: Answers, as option and meaning, that one button gives to all questions that have it,
        with the noun of what they are about.
    names: Names of the catalogue, of which one can be meant by an unknown text.
    after: Opens what was imported.
    """

    key: str
    what: str
    upload: str
    types: Sequence[str]
    max_mb: int
    words: Vocabulary
    units: Sequence[str]
    begin: Callable[[Sources, Given], tuple[Sequence[MappedColumn], Callable[[], ImportFound]]]
    templates: Sequence[str] = ()
    several: bool = False
    offer: Callable[[str, str, str], str] = lambda *_: ""
    for_all: Mapping[tuple[str, str], str] = field(default_factory=dict)
    names: Callable[[], Sequence[str]] = tuple
    after: Callable[[], None] | None = None

    def words_of(self, option: str, subject: str, meaning: str) -> str:
        """Return the words of an answer; empty where it is not offered."""
        if option != "map":
            return self.offer(option, subject, meaning)
        name, _, unit = meaning.partition(" ")
        return self.label(name) + (f" ({unit})" if unit else "")

    def label(self, name: object) -> str:
        """Return the label of a field, or of a column that is not read."""
        found = self.words.fields.get(str(name))
        return found.label if found else NOT_READ if name == IGNORE else str(name)


@dataclass
class _Import:
    """The sources of a kind of table, kept while other pages are shown."""

    number: int = 0  # Of the import; changes the keys of the widgets
    files: Sources = ()
    given: Given = field(default_factory=dict)
    done: tuple[str, int] = ("", 0)  # Summary of the last import, and its generation
    refused: FacilityError | None = None


def show_import(kind: ImportKind) -> None:
    """Show the import of a kind of table."""
    now: _Import = st.session_state.setdefault(f"{kind.key}-import", _Import())
    summary, generation = now.done
    if summary and generation == state.session().generation and not now.files:
        if kind.after is not None:
            now.done = ("", 0)
            kind.after()
        st.success(f"Imported: {summary}.", icon=":material/check:")
    if now.refused is not None:
        controls.refused("Not imported", now.refused)
        now.refused = None
    if not now.files:
        st.text(kind.what)
        with st.container(horizontal=True):
            for name in kind.templates:
                text = template_text(name)
                controls.download(f"Template: {name}", f"{name}.csv", text, f"template-{name}")
    sources = _sources(kind, now)
    if not sources:
        return
    outcome = st.container()
    try:
        columns, read = kind.begin(sources, now.given)
        found = read()
    except FacilityError as error:
        with outcome:
            if any(kind.words_of(*_parted(pair)) for pair in options_in(error.hint)):
                _questions(kind, now, [error])
            else:
                controls.refused(NOT_READ, _on_page(kind, error))
            _given(kind, now)
        return
    with outcome:
        _outcome(kind, now, found)
    found.rows()
    _mapping(kind, now, columns)
    for note in found.notes[:_MAX_SHOWN]:
        st.text(f"Note: {_in_words(kind, note)}.")
    if any(found.differences.values()):
        shown_rows = {head: cells[:_MAX_SHOWN] for head, cells in found.differences.items()}
        show_grid(values_grid("Differences", shown_rows), f"{kind.key}-differences")


def _sources(kind: ImportKind, now: _Import) -> Sources:
    """Show upload and pasted rows; return the files, else the rows."""
    files, text = f"{kind.key}-files-{now.number}", f"{kind.key}-text-{now.number}"

    def uploaded() -> None:
        found = st.session_state[files]
        listed = found if isinstance(found, list) else [found] if found else []
        now.files = [InventoryFile(one.name, one.getvalue()) for one in listed]

    if now.files:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Read from {', '.join(one.name for one in now.files)}")
            controls.act("Close", "close", f"{kind.key}-close", _close, now)
        return now.files
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
    with right:
        pasted = st.text_area("Rows copied from a spreadsheet", key=text, persist_state="session")
        st.button("Read rows", key=f"{kind.key}-read-rows")  # The click ends the entry of the rows
    return [InventoryFile(PASTED, pasted)] if pasted and pasted.strip() else []


def _close(now: _Import) -> None:
    now.number, now.files, now.given = now.number + 1, (), {}


def _mapping(kind: ImportKind, now: _Import, columns: Sequence[MappedColumn]) -> None:
    """Show heading, first cell, field and unit of each column; a change of them is an answer."""
    headings = [plain(one.heading) for one in columns]
    # Fields by label; the first column may have an open question.
    names = {kind.label(name): name for name in ("", *kind.words.fields, IGNORE)}
    keys, meant = dict[str, tuple[str, str]](), dict[str, list[str]]()
    for one in columns:
        letters = one.where.rpartition("!")[2].rstrip("0123456789")
        repeated = headings.count(plain(one.heading)) > 1
        keys[one.where] = "map", f"{COLUMN} {letters}" if repeated else one.heading
        answer = now.given.get(keys[one.where], f"{one.field} {one.unit}")
        name, _, unit = answer.partition(" ")
        meant[one.where] = [name, unit or one.unit]

    def edited(event: Event) -> None:
        for where, key, text in event.cells if isinstance(event, Edited) else ():
            if where in meant:
                name, unit = meant[where]
                name, unit = (names.get(text, name), unit) if key == "field" else (name, text)
                now.given[keys[where]] = f"{name} {unit}".strip()

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
                (one.heading, one.example, kind.label(meant[one.where][0]), meant[one.where][1]),
            )
            for one in columns
        ],
    )
    st.markdown("#### Columns")
    show_grid(grid, f"{kind.key}-map", edited)


def _outcome(kind: ImportKind, now: _Import, found: ImportFound) -> None:
    """Show the import button, open questions, and the entered answers."""

    def accept() -> None:
        now.refused = found.accept()
        if now.refused is None:
            now.done = (found.summary, state.session().generation)
            _close(now)

    ready = not found.problems and found.changes
    if found.summary:
        st.info(found.summary, icon=":material/fact_check:")
    if found.sums:
        st.text(found.sums)
    if found.warning:
        st.warning(found.warning, icon=":material/warning:")
    if not found.problems and not found.changes:
        st.text("The project already contains these values.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            found.button,
            f"{kind.key}-accept",
            "Undo reverts it.",
            on_click=accept,
            icon=":material/check:",
            type="primary",
            disabled=opened.reads_only() or not ready,
        )
        found.more()
    _questions(kind, now, found.problems)
    _given(kind, now)


def _questions(kind: ImportKind, now: _Import, problems: Sequence[FacilityError]) -> None:
    """Show each question with its answers, those with equal answers once; other errors in a table.

    One answer is for all rows with the same text.
    """
    groups: dict[tuple[tuple[str, str], ...], list[FacilityError]] = {}
    for one in problems:
        offered = (pair for pair in options_in(one.hint) if kind.words_of(*_parted(pair)))
        groups.setdefault(tuple(offered), []).append(one)
    left = groups.pop((), [])
    if groups:
        count = len(groups)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"#### {count:,} open question{'s' if count > 1 else ''}", width="content")
            _for_all(kind, now, [pair for offers in groups for pair in offers])
    for number, (offers, found) in enumerate(list(groups.items())[:_MAX_QUESTIONS]):
        with st.container(border=True, key=f"{kind.key}-question-{number}"):
            others = len(found) - 1
            also = f" The same for {others:,} further row{'s' if others > 1 else ''}."
            text = sentence(_in_words(kind, found[0].message))
            st.text(f"{text[:1].upper()}{text[1:]}{also if others else ''} ({found[0].where})")
            with st.container(horizontal=True, vertical_alignment="bottom"):
                several = len({_parted(one)[1] for one in offers if one[0] == "map"}) > 1
                for pair in offers:
                    _offered(kind, now, pair, several=several)
    if len(groups) > _MAX_QUESTIONS:
        st.text(f"{len(groups) - _MAX_QUESTIONS:,} further questions follow.")
    if left:
        st.warning("Correct these cells in the table, or its columns below.")
        controls.problems([_on_page(kind, one) for one in left[:_MAX_SHOWN]], f"{kind.key}-open")


def _for_all(kind: ImportKind, now: _Import, pairs: Sequence[tuple[str, str]]) -> None:
    """Show the buttons that give one answer to several questions."""
    parted = [_parted(pair) for pair in pairs]
    for (option, meaning), noun in kind.for_all.items():
        subjects = [one for name, one, meant in parted if (name, meant) == (option, meaning)]
        if len(subjects) > 1:
            label = f"{kind.words_of(option, '', meaning)}, all {len(subjects):,} {noun}"
            answers = dict.fromkeys(((option, subject) for subject in subjects), meaning)
            key = f"{kind.key}-all-{option}"
            controls.act(label, "done_all", key, now.given.update, answers)


def _parted(pair: tuple[str, str]) -> tuple[str, str, str]:
    """Return option, subject and meaning of an answer: a heading or cell, and what it means."""
    option, value = pair
    subject, sign, meaning = value.rpartition("=")
    return (option, subject, meaning) if sign else (option, "", value)


def _offered(kind: ImportKind, now: _Import, pair: tuple[str, str], *, several: bool) -> None:
    """Show the answer to a question as a button, a list of the catalogue, or a text input.

    several: Whether the question is about several headings.
    """
    option, subject, meaning = _parted(pair)
    label, key = kind.words_of(option, subject, meaning), f"{kind.key}-{option}-{pair[1]}"
    label = f"{subject}: {label}" if several and option == "map" else label

    def answer(text: str) -> None:
        if text:
            now.given[option, subject or (text if option in LISTED else "")] = text

    if meaning.startswith("<"):
        st.selectbox(
            label,
            kind.names(),
            None,
            key=key,
            on_change=lambda: answer(st.session_state[key]),
            width=300,
            label_visibility="collapsed",
            placeholder=label,
            filter_mode="contains",
        )
    elif option in _TYPED and (meaning == "NAME" or option != "room"):
        st.text_input(
            label,
            "" if meaning == "NAME" else meaning,
            key=key,
            on_change=lambda: answer(st.session_state[key].strip()),
            width=180,
        )
        controls.act("Use", "", f"{key}-use", lambda: answer(st.session_state[key].strip()))
    else:
        controls.act(label, "", key, answer, meaning)


def _given(kind: ImportKind, now: _Import) -> None:
    """Show the answers given, each with a button that withdraws it."""
    if now.given:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.text("Answers:")
            for (option, subject), meaning in now.given.items():
                words = kind.words_of(option, subject, meaning)
                typed = meaning if option in _TYPED else ""
                parts = (subject if subject != meaning else "", words, typed)
                label = ": ".join(filter(None, dict.fromkeys(parts)))
                key = f"{kind.key}-given-{option}-{subject}"
                help = "Withdraw this answer"
                withdraw = now.given.__delitem__
                controls.act(label, "close", key, withdraw, (option, subject), help=help)


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
    message, hint = sentence(_in_words(kind, error.message)), _in_words(kind, error.hint)
    return FacilityError(error.code, where, message, hint)
