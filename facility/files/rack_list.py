"""Rack list: one row per device type of a rack type.

Read from CSV, XLSX, or rows pasted from a spreadsheet; nothing is applied here. Every cell is read
by the declaration of its field; errors name row and column.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from facility.core.errors import FacilityError, unknown
from facility.core.trace import Trace
from facility.files.incoming.grid import ReadCells, open_book, plain_heading
from facility.files.io.read_text import read_bytes
from facility.files.io.read_text import text_of as text_in
from facility.files.workbook.reading import HEAD_ROWS
from facility.model.inputs.change import Typed
from facility.model.inputs.declare import Entry
from facility.model.inputs.document import Project, as_typed
from facility.model.inputs.entries import fields, text_of, typed_of, value_at
from facility.study.resolve.it.devices import DeviceBook, device_book
from facility.study.resolve.it.long_form import SHORT_FORM

COLUMNS: Mapping[str, str] = {
    "hall": "it.halls[].name",
    "rack": "it.halls[].racks[].name",
    "count": "it.halls[].racks[].count",
    "purpose": "it.halls[].racks[].purpose",
    "device": "it.halls[].racks[].devices[].model",
    "devices": "it.halls[].racks[].devices[].count",
    "feeds": "it.halls[].racks[].feeds",
    "rack_units": "it.halls[].racks[].rack_units",
    "power_limit": "it.halls[].racks[].power_limit",
}
"""Columns of the list, with the input field of each."""
_ALIASES = {
    "hall": ("data hall", "room", "data center", "location"),
    "rack": ("rack name", "rack type", "cabinet", "kind of rack", "name"),
    "count": ("racks", "number of racks", "qty", "quantity", "no. of racks"),
    "purpose": ("use", "role"),
    "device": ("model", "device model", "equipment", "server", "server model", "device type"),
    "devices": ("device count", "devices per rack", "servers per rack", "units per rack"),
    "feeds": ("feed", "power feeds", "sides"),
    "rack_units": ("rack units", "height u", "height", "u height"),
    "power_limit": ("power limit", "rack power", "max power", "maximum power"),
}
_NAMES = {alias: name for name, more in _ALIASES.items() for alias in (name, *more)}
_NEEDED = ("rack", "device")
_ONE_HALL = "Hall 1"
_MAX_ROWS, MAX_BYTES = 2000, 1_000_000
_PASTED = "pasted rows"


@dataclass(frozen=True)
class RackList:
    """Rows of a list as read, and their errors."""

    rows: tuple[Mapping[str, str], ...]  # Text of every cell by column
    problems: tuple[FacilityError, ...] = ()  # Each with its row and column
    ignored: tuple[str, ...] = ()  # Unknown headings


def read_rack_file(content: bytes, name: str) -> RackList:
    """Return the racks of an uploaded CSV file, or of the first rack sheet of a workbook.

    Raises ``RACK_LIST_COLUMN`` if no sheet has the required headings; or errors of reading.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("racks.xlsx" if name.lower().endswith(".xlsx") else "racks.csv")
        path.write_bytes(content)
        if path.suffix == ".xlsx":
            with open_book(path) as book:
                listing = [sheet for sheet, head in book.heads().items() if _heading(head)]
                grids = [book.grid(sheet, _MAX_ROWS + HEAD_ROWS) for sheet in listing[:1]]
        else:
            grids = [_csv(text_in(read_bytes(path, MAX_BYTES), name), name)]
    return _first(grids, name)


def read_pasted_racks(text: str) -> RackList:
    """Return the racks of rows with headings, pasted from a spreadsheet.

    Raises ``RACK_LIST_COLUMN`` without the required headings.
    """
    return _first([_csv(text[:MAX_BYTES], _PASTED)], _PASTED)


def racks_of(project: Project) -> tuple[Mapping[str, str], ...]:
    """Return the racks of a project as rows of the list."""
    rows: list[Mapping[str, str]] = []
    for hall in _entries(as_typed(project), "it.halls"):
        for rack in _entries(hall, "racks"):
            for number, device in enumerate(_entries(rack, "devices")):
                first = rack if number == 0 else {"name": rack.get("name")}
                rows.append(_row(hall, first, device))
    return tuple(rows)


def checked(
    rows: Sequence[Mapping[str, str]], project: Project, ignored: Sequence[str] = ()
) -> RackList:
    """Return the rows with the errors of their cells, by row and column."""
    book, problems = device_book(project.it, Trace()), list[FacilityError]()
    filled = tuple(row for row in rows if any(row.values()))
    seen: dict[tuple[str, str], Mapping[str, str]] = {}
    for number, row in enumerate(filled, start=1):
        problems += _row_problems(number, row, book)
        mark = (row.get("hall") or _ONE_HALL, row.get("rack", ""))
        first = seen.setdefault(mark, row)
        for column in ("count", "purpose", "feeds", "rack_units", "power_limit"):
            if row.get(column) and row.get(column) != first.get(column):
                stated = first.get(column) or "nothing"
                message = (
                    f"{row[column][:40]!r} differs from the first row of the rack: {stated[:40]}."
                )
                hint = "Leave it empty, or rename racks that differ."
                problems.append(_wrong(number, column, "RACK_LIST_ROW", message, hint))
    if not filled:
        problems.append(FacilityError("RACK_LIST_ROW", "rack list", "it has no rows.", "Add one."))
    return RackList(filled, tuple(problems), tuple(ignored))


def changes_for(rows: Sequence[Mapping[str, str]], project: Project) -> dict[str, Typed]:
    """Return the project changes for the racks of a list, by path.

    Halls and racks with known names keep fields outside the list; the GPU count fields are removed,
    since the racks define them.
    """
    before = {str(hall.get("name")): hall for hall in _entries(as_typed(project), "it.halls")}
    by_hall: dict[str, dict[str, list[Mapping[str, str]]]] = {}
    for row in rows:
        racks = by_hall.setdefault(row.get("hall") or _ONE_HALL, {})
        racks.setdefault(row["rack"], []).append(row)
    halls: list[Typed] = []
    for name, racks in by_hall.items():
        old = before.get(name, {})
        stated = {key: value for key, value in old.items() if key not in ("name", "racks")}
        halls.append({"name": name, **stated, "racks": [_rack(r, old) for r in racks.values()]})
    gone = (*(f"it.{name}" for name in SHORT_FORM), "panels.boards", "panels.cords")
    return {**dict.fromkeys(gone, ""), "it.halls": halls}


def _rack(rows: Sequence[Mapping[str, str]], hall: Mapping[str, Typed]) -> Typed:
    """Return a rack type from its rows; an existing one with the name keeps its circuits."""
    name = rows[0]["rack"]
    old = (rack for rack in _entries(hall, "racks") if rack.get("name") == name)
    circuits = next((rack["circuits"] for rack in old if rack.get("circuits")), None)
    retained: dict[str, Typed] = {} if circuits is None else {"circuits": circuits}
    devices: list[Typed] = [_filled(row, "it.halls[].racks[].devices[].") for row in rows]
    return {**_filled(rows[0], "it.halls[].racks[]."), "devices": devices, **retained}


def _filled(row: Mapping[str, str], section: str) -> dict[str, Typed]:
    """Return the fields of a section from a row."""
    return {
        path.removeprefix(section): typed_of(row[column], fields()[path])
        for column, path in COLUMNS.items()
        if path.rpartition(".")[0] == section[:-1] and row.get(column)
    }


def _entries(holder: Mapping[str, Typed], path: str) -> list[dict[str, Typed]]:
    found = value_at(holder, path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _row(
    hall: Mapping[str, Typed], rack: Mapping[str, Typed], device: Mapping[str, Typed]
) -> Mapping[str, str]:
    holders = {"it.halls[]": hall, "it.halls[].racks[]": rack}
    return {
        column: text_of(holders.get(path.rpartition(".")[0], device).get(path.rpartition(".")[2]))
        for column, path in COLUMNS.items()
    }


def _row_problems(number: int, row: Mapping[str, str], book: DeviceBook) -> Iterator[FacilityError]:
    for column in _NEEDED:
        if not row.get(column):
            yield _wrong(number, column, "RACK_LIST_ROW", "it is empty.", "Write a name.")
    for column, path in COLUMNS.items():
        text = row.get(column, "")
        if not text:
            continue
        try:
            _read(text, fields()[path])
            if column == "device":
                book.get(text.strip(), "")
        except FacilityError as error:
            yield _wrong(number, column, error.code, error.message, error.hint)


def _read(text: str, field: Entry) -> None:
    """Read a cell by its field declaration; raise its error."""
    typed = typed_of(text, field)
    if field.words and typed not in field.words:
        raise unknown("NOT_ONE_OF", "", f"{text[:40]!r} is unknown.", text, field.words)
    for value in typed if isinstance(typed, list) else [typed]:
        if field.type is not None:
            field.type.read(str(value))


def _wrong(row: int, column: str, code: str, message: str, hint: str) -> FacilityError:
    return FacilityError(code, f"row {row}, {column}", message, hint)


def _csv(text: str, name: str) -> ReadCells:
    head = text.partition("\n")[0]
    delimiter = max("\t;,", key=head.count)
    values: dict[tuple[int, int], str] = {}
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, start=1):
            values |= {(number, c): cell for c, cell in enumerate(cells, 1) if cell.strip()}
    except csv.Error as error:
        raise FacilityError(
            "RACK_LIST_ROW",
            f"{name}, line {reader.line_num}",
            f"not readable as a table: {error}.",
            "Check the quotation marks.",
        ) from None
    return ReadCells(name, values, {})


def _first(grids: Sequence[ReadCells], name: str) -> RackList:
    """Return the unchecked rows of the first sheet with the required headings."""
    for grid in grids:
        heading = _heading(grid)
        if heading is not None:
            top, texts = heading
            columns = {c: _NAMES.get(plain_heading(text)) for c, text in texts.items()}
            named = {c: column for c, column in columns.items() if column is not None}
            rows = tuple(
                {named[c]: text.strip() for c, text in cells.items() if c in named}
                for row, cells in grid.rows(_MAX_ROWS + HEAD_ROWS)
                if row > top
            )
            if len(rows) > _MAX_ROWS:
                raise FacilityError(
                    "FILE_TOO_LARGE",
                    name,
                    f"over {_MAX_ROWS:,} rows.",
                    "Use one row with a count for equal racks.",
                )
            ignored = tuple(texts[c] for c, column in columns.items() if column is None)
            return RackList(rows, (), ignored)
    raise FacilityError(
        "RACK_LIST_COLUMN",
        name,
        "no heading row with rack and device columns was found.",
        f"Columns: {', '.join(COLUMNS)}; needed: {', '.join(_NEEDED)}.",
    )


def _heading(grid: ReadCells) -> tuple[int, dict[int, str]] | None:
    """Return the heading row and its texts; None without the required headings."""
    for row, texts in grid.rows(HEAD_ROWS):
        if set(_NEEDED) <= {_NAMES.get(plain_heading(text)) for text in texts.values()}:
            return row, texts
    return None
