"""Powers that a list states of its racks: number of known devices, or the IT load itself."""

from __future__ import annotations

import re

from facility.catalogue import match_device
from facility.core.errors import FacilityError
from facility.core.parse import parse_quantity
from facility.core.trace import Trace
from facility.files.incoming.columns import TableQuestion
from facility.files.incoming.inventory.answers import (
    LIMIT,
    POWERS,
    RACK_POWER,
    STATED,
    Answers,
    value_option,
)
from facility.files.incoming.inventory.listing import ListedRow, Listing
from facility.model.inputs.document import Project
from facility.model.it import Device
from facility.study.resolve.it.devices import DeviceBook, device_book
from facility.study.resolve.it.long_form import DEFAULT_RACK_UNITS

SAME_POWER = 0.01
"""Relative difference up to which the powers of a list and of its racks are equal."""
_OF_THE_RACK = (
    *("site", "room", "row", "rack", "racks", "status", "purpose", "feeds", "rack_units"),
    *("breaker", "poles", "rack_pdu", "connector"),
)
_LIMITS = re.compile(r"limit|budget|capacity|grenz", re.IGNORECASE)
"""Headings of a power that is not the load of the rack."""


def stated_powers(listing: Listing) -> dict[str, float]:
    """Return the power [W] that each rack states, by the address of each of its rows.

    A limit by its heading is not a load; a rack whose rows state no power is left out.
    """
    by_rack: dict[tuple[str, ...], list[ListedRow]] = {}
    for row in listing.rows:
        by_rack.setdefault(_rack(row), []).append(row)
    found: dict[str, float] = {}
    for rows in by_rack.values():
        of_rack = next((row for row in rows if _is_load(row)), None)
        powers_w = []
        for row in rows if of_rack is None else [of_rack]:
            names = POWERS[:1] if of_rack is not None else POWERS[1:3]
            text = next((row.cells[name] for name in names if name in row.cells), "")
            number = 1 if of_rack is not None else int(row.cells.get("devices", "1"))
            powers_w += [number * parse_quantity(text, "active_power").si] if text else []
        if powers_w and len(powers_w) == (len(rows) if of_rack is None else 1):
            found |= dict.fromkeys((row.at() for row in rows), sum(powers_w))
    return found


def count_devices(listing: Listing, answers: Answers, project: Project) -> list[TableQuestion]:
    """Count the known devices of racks with one row by the power of the rack; return questions.

    A rack of 40.8 kW with a model of 10.2 kW has 4 devices, if they fit in it. Other powers are
    asked once per model and power. A column of quantities, names or positions states the number.
    """
    book = device_book(project.it, Trace())
    rows_of: dict[tuple[str, ...], int] = {}
    for row in listing.rows:
        rows_of[_rack(row)] = rows_of.get(_rack(row), 0) + 1
    questions: dict[str, TableQuestion] = {}
    for row in listing.rows:
        cells = row.cells
        counted = any(name in cells for name in ("devices", "name", "position"))
        if counted or rows_of[_rack(row)] > 1 or not _is_load(row):
            continue
        device = _known(row, answers, book)
        if device is None:
            continue
        power, each_w = cells["power_limit"], device.maximum_w
        if "max_power" in cells:
            each_w = parse_quantity(cells["max_power"], "active_power").si
        power_w = parse_quantity(power, "active_power").si
        number = max(1, round(power_w / each_w))
        fits = number * device.rack_units <= int(cells.get("rack_units", DEFAULT_RACK_UNITS))
        text = f"{row.written} at {power}"
        answer = answers.meaning(text)
        if answer == RACK_POWER:
            number = number if fits else 1
            cells["devices"], cells["input_power"] = f"{number}", f"{power_w / number / 1e3:g} kW"
            del cells["power_limit"]
        elif answer.isdecimal() and int(answer) > 0:
            cells["devices"] = answer
        elif (fits or number == 1) and abs(power_w - number * each_w) <= SAME_POWER * power_w:
            if number > 1:
                cells["devices"] = str(number)
            if number * each_w > power_w:
                del cells["power_limit"]  # Rounded in the list, not a lower limit
        elif answer != LIMIT:
            several = value_option(text, str(number)) if number > 1 and fits else ""
            option = f"{several} for {number} devices ({number * each_w / 1e3:g} kW), " * bool(
                several
            )
            questions[text] = TableQuestion(
                row.at("power_limit"),
                f"{row.written[:60]!r} draws {each_w / 1e3:g} kW, and the list states {power} for "
                "its rack.",
                f"Add {option}{value_option(text, LIMIT)} if it is only the limit of 1 device, or "
                f"{value_option(text, RACK_POWER)} for the stated power with this model.",
            )
    return list(questions.values())


def _is_load(row: ListedRow) -> bool:
    """Return whether a row states the load of its rack."""
    return "power_limit" in row.cells and not _LIMITS.search(row.table.heading("power_limit"))


def _known(row: ListedRow, answers: Answers, book: DeviceBook) -> Device | None:
    """Return the device of a row with a known model and maximum power."""
    model = answers.meaning(row.cells["model"])
    for text in (f"{row.cells.get('manufacturer', '')} {model}".strip(), model):
        key = text if text in book.given else match_device(text).key
        if key:
            try:
                return book.get(key, "")
            except FacilityError:
                return None
    return None


def state_powers(found: Listing) -> frozenset[str]:
    """Give racks of stated power one load; return the fields that stated powers give.

    Further rows of such a rack are part of its load.
    """
    stated = [row for row in found.rows if row.cells["model"] == STATED]
    fields = frozenset({"input_power"} & {name for row in found.rows for name in row.cells})
    if not stated:
        return fields
    heights = (int(row.cells.get("rack_units", DEFAULT_RACK_UNITS)) for row in stated)
    units = str(min(heights))
    first: dict[tuple[str, ...], ListedRow] = {}
    for row in stated:
        if "power_limit" in row.cells:
            first.setdefault(_rack(row), row)
        power = next(name for name in POWERS if name in row.cells)
        count = "1" if power == "power_limit" else row.cells.get("devices", "1")
        # An unknown model is the name of its load; one of the catalogue keeps its own data.
        match = match_device(row.written)
        known = not row.written or match.key or match.is_question
        row.stated = True
        row.cells = {
            **{name: text for name, text in row.cells.items() if name in _OF_THE_RACK},
            **{"model": STATED if known else row.written[:60], "input_power": row.cells[power]},
            **{"devices": count, "device_units": units},
        }
    rows = [row for row in found.rows if first.get(_rack(row), row) is row]
    racks = len({_rack(row) for row in stated})
    text = f"{racks:,} rack{'s' * (racks != 1)} without a known model: load as stated in the rows"
    if len(rows) < len(found.rows):
        text += f"; {len(found.rows) - len(rows):,} further rows of these racks are part of it"
    found.notes.append(text)
    found.rows = rows
    return fields | {"input_power"}


def _rack(row: ListedRow) -> tuple[str, ...]:
    return tuple(row.cells.get(name, "").casefold() for name in ("site", "room", "row", "rack"))
