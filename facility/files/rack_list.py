"""Rack list of a project: one row per device type of a rack type, edited as a table.

Every cell is read by the declaration of its field; errors name row and column. Tables from outside
are read by `facility.files.incoming.inventory`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.errors import FacilityError, unknown
from facility.core.trace import Trace
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
    "connector": "it.halls[].racks[].connector",
    "u_positions": "it.halls[].racks[].devices[].u_positions",
}
"""Columns of the list, with the input field of each."""
_NEEDED = ("rack", "device")
_ONE_HALL = "Hall 1"


@dataclass(frozen=True)
class RackList:
    """Rows of a list as read, and their errors."""

    rows: tuple[Mapping[str, str], ...]  # Text of every cell by column
    problems: tuple[FacilityError, ...] = ()  # Each with its row and column


def racks_of(project: Project) -> tuple[Mapping[str, str], ...]:
    """Return the racks of a project as rows of the list."""
    rows: list[Mapping[str, str]] = []
    for hall in _entries(as_typed(project), "it.halls"):
        for rack in _entries(hall, "racks"):
            for number, device in enumerate(_entries(rack, "devices")):
                first = rack if number == 0 else {"name": rack.get("name")}
                rows.append(_row(hall, first, device))
    return tuple(rows)


def checked(rows: Sequence[Mapping[str, str]], project: Project) -> RackList:
    """Return the rows with the errors of their cells, by row and column."""
    book, problems = device_book(project.it, Trace()), list[FacilityError]()
    filled = tuple(row for row in rows if any(row.values()))
    seen: dict[tuple[str, str], Mapping[str, str]] = {}
    for number, row in enumerate(filled, start=1):
        problems += _row_problems(number, row, book)
        mark = (row.get("hall") or _ONE_HALL, row.get("rack", ""))
        first = seen.setdefault(mark, row)
        for column in ("count", "purpose", "feeds", "rack_units", "power_limit", "connector"):
            if row.get(column) and row.get(column) != first.get(column):
                stated = first.get(column) or "nothing"
                message = (
                    f"{row[column][:40]!r} differs from the first row of the rack: {stated[:40]}."
                )
                hint = "Leave it empty, or rename racks that differ."
                problems.append(_wrong(number, column, "RACK_LIST_ROW", message, hint))
    if not filled:
        problems.append(
            FacilityError("RACK_LIST_ROW", "rack list", "the list has no rows.", "Add one.")
        )
    return RackList(filled, tuple(problems))


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
    """Return a rack type from its rows; an existing type keeps unlisted data."""
    name = rows[0]["rack"]
    old = (rack for rack in _entries(hall, "racks") if rack.get("name") == name)
    before = next(old, {})
    same_count = str(before.get("count", "1")) == (rows[0].get("count") or "1")
    retained_keys = ("circuits", *(("names",) if same_count else ()))
    retained: dict[str, Typed] = {key: before[key] for key in retained_keys if before.get(key)}
    known = {str(one.get("model")): one for one in _entries(before, "devices")}
    left = ("model", "count", "u_positions", *(() if same_count else ("names",)))
    devices: list[Typed] = []
    for row in rows:
        stated = _filled(row, "it.halls[].racks[].devices[].")
        other = known.get(row["device"], {})
        gone = (
            left if stated.get("count", "1") == str(other.get("count", "1")) else (*left, "names")
        )
        devices.append({**stated, **{k: v for k, v in other.items() if k not in gone}})
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
