"""How circuits and cables that share a way heat each other: arrangement, factor, largest group."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.core.errors import FacilityError

LARGEST_GROUP = 20
"""Last row of the factors of bunched circuits and of those in the ground."""

MOST_TRAYS = 3
"""Trays or ladders one above another that the tables know."""

_ARRANGEMENTS = {"C": "wall", "E": "tray", "F": "tray", "D1": "ducts", "D2": "buried"}
_TRAYS = ("tray", "ladder")
_ONE_LAYER = ("wall", "ceiling", *_TRAYS, "apart")
_LAST_ON_STACKED_TRAYS = 9


def arrangement_of(method: str) -> str:
    """Return how circuits of a reference method lie where nobody says: touching, never apart."""
    return _ARRANGEMENTS.get(method, "bunched")


def on_trays(arrangement: str) -> bool:
    """Return whether circuits that lie like this can lie on several trays or ladders."""
    return arrangement in _TRAYS


def largest_group(trays: int) -> int:
    """Return the largest group that the tables know, on one way or on each of several trays."""
    return LARGEST_GROUP if trays == 1 else _LAST_ON_STACKED_TRAYS


def grouping_row(arrangement: str, cables: int, method: str = "", trays: int = 1) -> Row:
    """Return the row of the factor for the next listed number not below `cables`.

    Single-core cables in free air (method F) have a table of their own for up to three circuits on
    a tray or ladder, B.52.21; beyond it, and for multicore cables, B.52.17 counts on one tray and
    B.52.20 on several. In one layer nothing more is taken off beyond the last row of B.52.17.

    arrangement: How they lie, a key of the table.
    cables: Circuits or multicore cables that share the way, every parallel cable counted; on
        several trays those of one tray.
    method: Reference method of installation.
    trays: Trays or ladders one above another, each as full.

    Raises ``GROUP_TOO_LARGE`` beyond the table.
    """
    rows = table("electrical/iec_60364_grouping").select(arrangement=arrangement, trays=trays)
    of_method = [row for row in rows if row["method"] == method]
    of_any = [row for row in rows if row["method"] is None]
    for known in (of_method, of_any):
        fitting = [row for row in known if row.integer("circuits") >= cables]
        if fitting:
            return min(fitting, key=lambda row: row.integer("circuits"))
    if arrangement in _ONE_LAYER and trays == 1:
        return max(of_any, key=lambda row: row.integer("circuits"))
    raise FacilityError(
        "GROUP_TOO_LARGE",
        "power.conductors.grouped_circuits",
        f"{cables} circuits in one group are beyond the table, which ends at "
        f"{largest_group(trays)}.",
        "Split the group, or choose larger conductors and fewer parallel cables.",
    )
