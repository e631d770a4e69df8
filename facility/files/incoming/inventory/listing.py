"""Rows of the tables of an inventory, each cell read by the declaration of its input field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from facility.core.errors import FacilityError
from facility.core.parse import plain_text
from facility.files.incoming.columns import IGNORE, NOT_CARRIED, TableMap, TableQuestion
from facility.files.incoming.inventory.answers import (
    NO_MODEL,
    POWERS,
    RACK_POWER,
    ROWS,
    STATED,
    Answers,
    value_option,
)
from facility.files.incoming.text_table import plain_number
from facility.model.inputs.declare import Entry
from facility.model.inputs.entries import fields
from facility.model.inputs.scalars import beyond_limit
from facility.model.rack_names import RUN

PATHS: Mapping[str, str] = {
    "rack": "it.halls[].racks[].name",
    "racks": "it.halls[].racks[].count",
    "room": "it.halls[].name",
    "site": "it.halls[].name",
    "model": "it.devices[].model",
    "manufacturer": "it.devices[].model",
    "name": "it.devices[].model",
    "devices": "it.halls[].racks[].devices[].count",
    "purpose": "it.halls[].racks[].purpose",
    "feeds": "it.halls[].racks[].feeds",
    "rack_units": "it.halls[].racks[].rack_units",
    "device_units": "it.devices[].rack_units",
    "power_limit": "it.halls[].racks[].power_limit",
    "max_power": "it.devices[].maximum_power",
    "typical_power": "it.devices[].typical_power",
    "idle_power": "it.devices[].idle_power",
    "peak_power": "it.devices[].peak_power",
    "input_power": "it.halls[].racks[].devices[].power",
    "supplies": "it.devices[].supplies.count",
    "supplies_needed": "it.devices[].supplies.needed",
    "supply_rating": "it.devices[].supplies.rating",
    "mass": "it.devices[].mass",
    "gpus": "it.devices[].gpus",
    "gpu_model": "it.devices[].gpu_model",
    "breaker": "it.halls[].racks[].circuits[].breaker",
    "poles": "it.halls[].racks[].circuits[].poles",
    "rack_pdu": "it.halls[].racks[].circuits[].rack_pdu",
    "connector": "it.halls[].racks[].connector",
    "position": "it.halls[].racks[].devices[].u_positions",
}
"""Input field of each column of an inventory; feeds and purposes may be translated."""
_IGNORED = ("model", "purpose", "room", "rack", "status")
COUNTED = "count"
"""Meaning of a status whose rows are read."""
_IN_USE = frozenset(
    f"{COUNTED}|active|in use|used|in service|installed|production|in production|operational|live"
    "|online|deployed|running|commissioned|aktiv|in betrieb|betrieb|produktiv|installiert"
    "|en service|actif|active|en production|installé|en exploitation".split("|")
)
ZERO_UNITS = "0 U"
"""Answer for all devices of a height of zero, however it is written."""
_ZERO_UNITS = re.compile(r"0+(?:[.,]0+)?\s*(?:U|RU|HE|OU)?", re.IGNORECASE)
_MAX_SHOWN = 8
_AS_WRITTEN = ("purpose", "feeds", "gpu_model", "rack_pdu", "connector", "position")
_TOTAL = re.compile(r"(?:sub|grand)?[\s-]*(?:totals?|summe|gesamt)\b", re.IGNORECASE)
_TENTHS = re.compile(r"(\d+)\.0+")
_UNITS = re.compile(r"(\d+)\s*(?:U|RU|HE|OU)", re.IGNORECASE)


@dataclass(slots=True)
class ListedRow:
    """Row of an inventory; `cells` are the typed texts by field."""

    table: TableMap
    number: int
    cells: dict[str, str]
    written: str = ""  # The model in the table
    stated: bool = False  # Whether its load is the power of the row

    def at(self, name: str = "rack") -> str:
        """Return the address of a cell."""
        return self.table.location(self.number, name)


@dataclass
class Listing:
    """Rows of an inventory: interpreted rows, and questions on the others."""

    rows: list[ListedRow] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)  # Each with its address
    questions: list[TableQuestion] = field(default_factory=list)
    left_out: int = 0  # Rows left out as answered
    by_status: dict[str, int] = field(default_factory=dict)  # Of these, by status
    notes: list[str] = field(default_factory=list)


def read_rows(tables: Sequence[TableMap], answers: Answers, *, needs_rack: bool) -> Listing:
    """Return the rows of tables.

    answers: States which blank cells repeat the cell above, and which rows are left out.
    needs_rack: Whether every row must name a rack; not so in a bill of materials.
    """
    found = Listing()
    blank: dict[str, list[ListedRow]] = {}
    waiting = _Waiting()
    for table in tables:
        reader = _CellReader(table, "devices" if needs_rack else "racks")
        have = {column.field for column in table.columns}
        required = [name for name in ("room", "rack", "model") if name in have]
        above: dict[str, str] = {}
        for number, cells in table.rows():
            names = ("room", "rack", "model")
            if any(_is_total(cells[name]) for name in names if name in cells):
                found.problems.append(
                    _not_understood(ListedRow(table, number, cells), "is a total")
                )
                continue
            for name in answers.fill_down:
                if name in have and name not in cells and name in above:
                    cells[name] = above[name]
            above.update((name, cells[name]) for name in answers.fill_down if name in cells)
            row = ListedRow(table, number, cells, cells.get("model", ""))
            if answers.is_stated_load(cells, have):
                cells["model"] = STATED
            if _left_out(row, answers, found) or waiting.holds(row, answers):
                continue
            absent = [name for name in required if name not in cells]
            if "room" in absent and answers.room:
                cells["room"] = answers.room
                absent.remove("room")
            if any(name in answers.skip for name in absent):
                found.left_out += 1
                continue
            if "model" not in cells and not any(name in cells for name in POWERS):
                found.problems.append(_not_understood(row, "has no model"))
                continue
            if absent:
                blank.setdefault(absent[0], []).append(row)
                continue
            if needs_rack or "rack" in cells or "rack" not in have:
                reader.read(row, found)
    _drop_repeated(found)
    _note_uncounted(found)
    found.questions += waiting.questions()
    found.questions += [_blank_question(name, rows) for name, rows in blank.items()]
    if ROWS in answers.skip:
        found.left_out += len(found.problems)
        found.problems = []
    return found


def _left_out(row: ListedRow, answers: Answers, found: Listing) -> bool:
    """Return whether an answer omits a row, and count it."""
    cells = row.cells
    no_height = ZERO_UNITS if is_zero_units(cells.get("device_units", "")) else ""
    texts = [no_height, *(cells.get(name, "") for name in _IGNORED)]
    if not answers.values or not any(map(answers.ignores, texts)):
        return False
    found.left_out += 1
    status = cells.get("status", "")
    if answers.ignores(status):
        same = (text for text in found.by_status if text.casefold() == status.casefold())
        status = next(same, status)
        found.by_status[status] = found.by_status.get(status, 0) + 1
    return True


@lru_cache(maxsize=65_536)
def is_zero_units(text: str) -> bool:
    """Return whether a cell states a height of zero rack units, as of a vertical rack PDU."""
    return _ZERO_UNITS.fullmatch(text) is not None


@dataclass
class _Waiting:
    """Rows whose status or height is a question, by status as written and by model."""

    statuses: dict[str, list[ListedRow]] = field(default_factory=dict)
    heights: dict[str, list[ListedRow]] = field(default_factory=dict)

    def holds(self, row: ListedRow, answers: Answers) -> bool:
        """Return whether a row waits for an answer; add it to the question."""
        cells = row.cells
        status = cells.get("status", "")
        if status and answers.meaning(status).casefold() not in _IN_USE:
            same = (text for text in self.statuses if text.casefold() == status.casefold())
            self.statuses.setdefault(next(same, status), []).append(row)
            return True
        if is_zero_units(cells.get("device_units", "")):
            height = answers.meaning(ZERO_UNITS)
            if height == ZERO_UNITS:
                self.heights.setdefault(cells.get("model", ""), []).append(row)
                return True
            cells["device_units"] = height
        return False

    def questions(self) -> Iterator[TableQuestion]:
        """Yield one question for all statuses, and one for all heights."""
        if self.statuses:
            first = next(iter(self.statuses.values()))[0]
            listed = list(self.statuses.items())[:_MAX_SHOWN]
            shown = ", ".join(f"{len(rows):,} {text[:40]!r}" for text, rows in listed)
            number = sum(map(len, self.statuses.values()))
            leave, count = (
                " ".join(value_option(text, word) for text, _ in listed)
                for word in (IGNORE, COUNTED)
            )
            heading = first.table.heading("status")
            yield TableQuestion(
                first.at("status"),
                f"{number:,} row{'s' * (number != 1)} may be out of service, by status: {shown}.",
                f"Add {leave} to omit the rows, {count} to count them, or "
                f"--map '{heading}={IGNORE}' to count all rows.",
                "INVENTORY_STATUS",
            )
        if self.heights:
            first = next(iter(self.heights.values()))[0]
            number = sum(map(len, self.heights.values()))
            shown = ", ".join(text[:40] for text in list(self.heights)[:_MAX_SHOWN])
            yield TableQuestion(
                first.at("device_units"),
                f"{number:,} row{'s' * (number != 1)} with 0 rack units: {shown}.",
                f"Add {value_option(ZERO_UNITS, IGNORE)} to omit the rows (rack PDUs are sized "
                f"automatically), or {value_option(ZERO_UNITS, '1')} to count 1 rack unit each.",
            )


def _note_uncounted(found: Listing) -> None:
    """Note the rows without a quantity in a table with a column of quantities."""
    uncounted = [
        row for row in found.rows if "devices" not in row.cells and row.table.heading("devices")
    ]
    if uncounted:
        number, plural = len(uncounted), "s" if len(uncounted) > 1 else ""
        where = uncounted[0].at("devices")
        text = f"{number:,} row{plural} without a quantity: 1 device each, first {where}"
        found.notes.append(text)


def _drop_repeated(found: Listing) -> None:
    """Make a row whose device is listed before a problem."""
    first: dict[tuple[str, str], ListedRow] = {}
    rows = []
    for row in found.rows:
        name, site = row.cells.get("name"), row.cells.get("site", "")
        folded = site, "" if name is None else name.casefold()
        if name is None or first.setdefault(folded, row) is row:
            rows.append(row)
            continue
        heading, before = row.table.heading("name"), first[folded].at("name")
        found.problems.append(
            FacilityError(
                "INVENTORY_ROW",
                row.at("name"),
                f"the device {name[:40]!r} is listed twice, first in {before}.",
                f"Correct the name, add --map '{heading}=ignore' if names repeat, or omit "
                "such rows (--skip rows).",
            )
        )
    found.rows = rows


@lru_cache(maxsize=65_536)
def _is_total(text: str) -> bool:
    """Return whether a cell begins a row of totals."""
    return _TOTAL.match(text) is not None


def _not_understood(row: ListedRow, why: str) -> FacilityError:
    shown = "; ".join(row.cells.values())[:60]
    return FacilityError(
        "INVENTORY_ROW",
        row.at("model"),
        f"the row {shown!r} {why}.",
        "Correct the row, repeat the cell above (--fill-down model), or omit such rows "
        "(--skip rows).",
    )


def _blank_question(name: str, rows: Sequence[ListedRow]) -> TableQuestion:
    count, first = len(rows), rows[0].at(name)
    plural = "s have" if count > 1 else " has"
    other = "--room NAME" if name == "room" else f"--skip {name}"
    meanings = "the room of all these rows" if name == "room" else "omits these rows"
    if name == "model":
        other = f"{value_option(NO_MODEL, RACK_POWER)} to use the power of the row, or {other}"
    return TableQuestion(
        first,
        f"{count:,} row{plural} no {name}.",
        f"Add --fill-down {name} if a blank cell repeats the cell above, or {other} ({meanings}).",
        "INVENTORY_BLANK",
    )


class _CellReader:
    """Reads the cells of a table, each distinct text once."""

    def __init__(self, table: TableMap, counted: str) -> None:
        """Initialise for a table; quantities have the limits of the field `counted`."""
        self.table, self.counted = table, counted
        self._read: dict[tuple[str, str], str | FacilityError] = {}

    def read(self, row: ListedRow, into: Listing) -> None:
        """Read the cells of a row; a row with a cell that is not valid is a problem."""
        typed = {}
        for name, text in row.cells.items():
            if name in NOT_CARRIED:
                continue
            value = self._read.get((name, text))
            if value is None:
                value = self._read[name, text] = self._typed(name, text)
            if isinstance(value, FacilityError):
                error = FacilityError(value.code, row.at(name), value.message, value.hint)
                into.problems.append(error)
                return
            typed[name] = value
        row.cells = typed
        into.rows.append(row)

    def _typed(self, name: str, text: str) -> str | FacilityError:
        entry = fields().get(PATHS.get(self.counted if name == "devices" else name, ""))
        if entry is None or name in _AS_WRITTEN:
            return text
        if name in ("rack", "name") and RUN in text:
            message = f"{text[:40]!r} is a range of names, not a single name."
            return FacilityError("INVENTORY_ROW", "", message, "Enter one row per name.")
        try:
            return _plain(text, entry, name, self.table)
        except FacilityError as error:
            return error


def _plain(text: str, entry: Entry, name: str, table: TableMap) -> str:
    """Return a cell as text that its input field accepts.

    Raises the error of the field.
    """
    if entry.kind == "count":
        found = _UNITS.fullmatch(text) if "units" in name else None
        number = found[1] if found else plain_text(text, count=True)
        if number == text and table.decimal == ",":
            number = plain_number(text, ",")
        whole = _TENTHS.fullmatch(number)
        text = whole[1] if whole else number
    elif entry.kind:
        text = table.quantity_text(name, text)
    if entry.type is not None:
        value = entry.type.read(text)
        limit = entry.declared.max_count
        if limit is not None and isinstance(value, int) and value > limit:
            raise beyond_limit("", f"{value:,}", limit)
    return text


def distinct(rows: Sequence[ListedRow], name: str) -> Iterator[tuple[str, ListedRow]]:
    """Yield each distinct text of a field, with its first row."""
    seen: dict[str, ListedRow] = {}
    for row in rows:
        text = row.cells.get(name)
        if text:
            seen.setdefault(text, row)
    yield from seen.items()
