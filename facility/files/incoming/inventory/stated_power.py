"""Racks of stated power: their rows have no known model, and a power that is the IT load."""

from __future__ import annotations

from facility.files.incoming.inventory.answers import POWERS, STATED
from facility.files.incoming.inventory.listing import ListedRow, Listing
from facility.study.resolve.it.long_form import DEFAULT_RACK_UNITS

_OF_THE_RACK = (
    *("site", "room", "row", "rack", "racks", "status", "purpose", "feeds", "rack_units"),
    *("breaker", "poles", "rack_pdu", "connector"),
)


def state_powers(found: Listing) -> frozenset[str]:
    """Give racks of stated power one load; return the fields that this states.

    Further rows of such a rack are part of its load.
    """
    stated = [row for row in found.rows if row.cells["model"] == STATED]
    if not stated:
        return frozenset()
    heights = (int(row.cells.get("rack_units", DEFAULT_RACK_UNITS)) for row in stated)
    units = str(min(heights))
    first: dict[tuple[str, ...], ListedRow] = {}
    for row in stated:
        if "power_limit" in row.cells:
            first.setdefault(_rack(row), row)
        power = next(name for name in POWERS if name in row.cells)
        count = "1" if power == "power_limit" else row.cells.get("devices", "1")
        row.cells = {
            **{name: text for name, text in row.cells.items() if name in _OF_THE_RACK},
            **{"model": STATED, "input_power": row.cells[power]},
            **{"devices": count, "device_units": units},
        }
    rows = [row for row in found.rows if first.get(_rack(row), row) is row]
    racks = len({_rack(row) for row in stated})
    text = f"{racks:,} rack{'s' * (racks != 1)} without a known model: load as stated in the rows"
    if len(rows) < len(found.rows):
        text += f"; {len(found.rows) - len(rows):,} further rows of these racks are part of it"
    found.notes.append(text)
    found.rows = rows
    return frozenset({"input_power"})


def _rack(row: ListedRow) -> tuple[str, ...]:
    return tuple(row.cells.get(name, "").casefold() for name in ("site", "room", "row", "rack"))
