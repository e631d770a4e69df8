"""Tables of the files of an inventory: text, sheets of workbooks, pasted rows, RacksDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.errors import FacilityError
from facility.files.incoming.columns import (
    HEAD_ROWS,
    IGNORE,
    TableMap,
    Vocabulary,
    map_option,
    map_table,
    plain,
    vocabulary,
)
from facility.files.incoming.grid import MAX_ROWS, ReadBook, ReadCells, open_book
from facility.files.incoming.inventory.answers import Answers
from facility.files.incoming.inventory.netbox import netbox_table
from facility.files.incoming.inventory.racksdb import racksdb_table
from facility.files.incoming.inventory.unread import unread_questions
from facility.files.incoming.text_table import MAX_BYTES, Decimal, text_table
from facility.files.io.read_text import check_size, text_of

_YAML = (".yml", ".yaml")
PASTED = "pasted rows"
WORDS = "inventory"
MAX_FILES = 20
_NEEDED, _NEEDED_OF_POWERS = ("model",), ("rack", "power_limit")
"""Fields without which a row is not the row of headings, and those of racks of stated power."""
_HEIGHTS = ("u", "ru", "he", "height", "height u", "hauteur", "hauteur u")
"""Headings of a bill of materials that are the height of a device."""


@dataclass(frozen=True)
class InventoryFile:
    """A file of an inventory, or pasted text."""

    name: str
    content: bytes | str

    def text(self) -> str:
        """Return the content as text.

        Raises ``FILE_TOO_LARGE``, ``FILE_EMPTY`` or ``FILE_NOT_TEXT``.
        """
        if isinstance(self.content, str):
            return self.content
        check_size(self.content, self.name, MAX_BYTES)
        return text_of(self.content, self.name)


@dataclass(frozen=True)
class Tables:
    """Tables by their kind, in the order of the files."""

    inventory: tuple[TableMap, ...]
    netbox: Mapping[str, tuple[TableMap, ...]]

    @property
    def every(self) -> tuple[TableMap, ...]:
        """All tables."""
        return (*self.inventory, *(one for tables in self.netbox.values() for one in tables))


def read_tables(sources: Sequence[InventoryFile], answers: Answers) -> Tables:
    """Return the tables of files, their columns mapped.

    Raises ``INVENTORY_COLUMNS`` without a row of headings, ``SHEET_QUESTION`` where several sheets
    have one; errors of reading.
    """
    if len(sources) > MAX_FILES:
        raise FacilityError(
            "INVENTORY_FILES", "FILE", f"{len(sources)} files.", f"Specify at most {MAX_FILES}."
        )
    if len({source.content for source in sources}) < len(sources):
        text = "two files have the same content."
        raise FacilityError("INVENTORY_FILES", "FILE", text, "Specify each file once.")
    words = vocabulary(WORDS)
    inventory: list[TableMap] = []
    netbox: dict[str, list[TableMap]] = {}
    heads: list[tuple[ReadCells, str]] = []
    for grid in _grids(sources, answers, words):
        heads.append((grid, netbox_table(grid)))
    read = [grid for grid, kind in heads if not kind]
    for grid, kind in heads:
        chosen = vocabulary(kind) if kind else words
        own = _own_answers(grid, answers.columns, len(heads) > 1, chosen)
        found = (
            map_table(grid, chosen, (), own, answers.decimal)
            if kind
            else _inventory_map(grid, chosen, own, answers.decimal)
        )
        if found is None:
            raise _no_headings(grid, own)
        if not kind:
            found = _without_racks(found, grid, words, own, answers)
            questions = *found.questions, *unread_questions(found, own)
            found = replace(found, questions=questions)
        (netbox.setdefault(kind, []) if kind else inventory).append(found)
    if not read:
        raise FacilityError(
            "INVENTORY_COLUMNS",
            sources[0].name if sources else "FILE",
            "no file lists racks or devices.",
            "Add the device table.",
        )
    return Tables(tuple(inventory), {kind: tuple(found) for kind, found in netbox.items()})


def _inventory_map(
    grid: ReadCells, words: Vocabulary, columns: Mapping[str, str], decimal: Decimal | None = None
) -> TableMap | None:
    """Return the map of a table of models, else of racks with their power."""
    return map_table(grid, words, _NEEDED, columns, decimal) or map_table(
        grid, words, _NEEDED_OF_POWERS, columns, decimal
    )


def _own_answers(
    grid: ReadCells, answers: Mapping[str, str], several: bool, words: Vocabulary
) -> Mapping[str, str]:
    """Return the answers for headings and fields of this table, where there are several tables."""
    if not several:
        return answers
    texts = {plain(text) for _, row in grid.rows(HEAD_ROWS) for text in row.values()}
    bare = {text.split("(")[0].strip() for text in texts}
    return {
        heading: field
        for heading, field in answers.items()
        if heading in texts | bare and field.split()[0] in (*words.fields, IGNORE)
    }


def _without_racks(
    found: TableMap,
    grid: ReadCells,
    words: Vocabulary,
    columns: Mapping[str, str],
    answers: Answers,
) -> TableMap:
    """Return the map of a bill of materials, where counts and heights can only be of devices."""
    listed = {column.field for column in found.columns}
    open_racks = any(" rack " in f"{one.text} ".replace(".", " ") for one in found.questions)
    if "rack" in listed or open_racks:
        return found
    devices = {
        plain(column.heading): "devices"
        for column in found.columns
        if set(words.by_heading.get(plain(column.heading), ())) == {"racks", "devices"}
        and plain(column.heading) not in columns
    }
    if "device_units" not in listed:  # No rack has a U position
        devices |= {
            plain(column.heading): "device_units"
            for column in found.columns
            if plain(column.heading) in _HEIGHTS and plain(column.heading) not in columns
        }
    if not devices:
        return found
    again = map_table(grid, words, _NEEDED, {**columns, **devices}, answers.decimal)
    return again or found


def _grids(
    sources: Sequence[InventoryFile], answers: Answers, words: Vocabulary
) -> Iterator[ReadCells]:
    for source in sources:
        name = source.name.lower()
        if name.endswith((".xlsx", ".xlsm")) and isinstance(source.content, bytes):
            yield from _sheets(source.content, source.name, answers, words)
        elif not name.endswith(_YAML):
            yield text_table(source.content, source.name)
    database = [source for source in sources if source.name.lower().endswith(_YAML)]
    if database:
        yield racksdb_table({source.name: source.text() for source in database})


def _sheets(content: bytes, name: str, answers: Answers, words: Vocabulary) -> Iterator[ReadCells]:
    """Yield the sheet that is named, or the only one with the headings of an inventory."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "inventory.xlsx"
        path.write_bytes(content)
        with open_book(path) as book:
            if answers.sheet:
                yield _whole(book, answers.sheet)
                return
            suits = [
                sheet
                for sheet, head in book.heads().items()
                if netbox_table(head)
                or _inventory_map(head, words, _own_answers(head, answers.columns, True, words))
            ]
            if len(suits) > 1:
                options = " or ".join(f"--sheet '{sheet}'" for sheet in suits[:8])
                raise FacilityError(
                    "SHEET_QUESTION",
                    name,
                    f"{len(suits)} sheets list models: {', '.join(suits[:8])}.",
                    f"Add {options}.",
                )
            chosen = suits[0] if suits else next(iter(book.names), "")
            yield _whole(book, chosen)


def _whole(book: ReadBook, sheet: str) -> ReadCells:
    """Return a sheet; one that may go on below the rows that are read is refused."""
    grid = book.grid(sheet)
    if max((row for row, _ in grid.values), default=0) >= MAX_ROWS:
        raise FacilityError(
            "FILE_TOO_LARGE",
            sheet,
            f"the sheet has {MAX_ROWS:,} rows or more.",
            "Save it as CSV, or split it.",
        )
    return grid


def _no_headings(grid: ReadCells, columns: Mapping[str, str]) -> FacilityError:
    shown = next((list(texts.values()) for _, texts in grid.rows(HEAD_ROWS) if len(texts) > 1), [])
    listed = ", ".join(repr(text[:30]) for text in shown[:12]) or "nothing"
    options = " or ".join(map_option(text[:30], "model", "") for text in shown[:8] or ["Type"])
    fields = ", ".join((*vocabulary(WORDS).fields, IGNORE))
    return FacilityError(
        "INVENTORY_COLUMNS",
        grid.name,
        f"there is no heading for the model; the first row with several cells is {listed}.",
        f"Add {options}, the heading of the model column. Fields: {fields}.",
    )
