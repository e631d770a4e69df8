"""Mutual heating of circuits on one route: arrangement, grouping factor, largest group."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.core.errors import FacilityError

LARGEST_GROUP = 20
"""Last row of the factors of bunched circuits and of circuits in the ground."""

MAX_TRAYS = 3
"""Maximum number of trays or ladders one above another in the tables."""

_ARRANGEMENTS = {"C": "wall", "E": "tray", "F": "tray", "D1": "ducts", "D2": "buried"}
_TRAYS = ("tray", "ladder")
_ONE_LAYER = ("wall", "ceiling", *_TRAYS, "apart")
_LAST_ON_STACKED_TRAYS = 9


def arrangement_of(method: str) -> str:
    """Return the default arrangement of a reference method: touching, never spaced."""
    return _ARRANGEMENTS.get(method, "bunched")


def on_trays(arrangement: str) -> bool:
    """Return whether circuits with this arrangement can be on several trays or ladders."""
    return arrangement in _TRAYS


def largest_group(trays: int) -> int:
    """Return the largest tabulated group, on one route or on each of several trays."""
    return LARGEST_GROUP if trays == 1 else _LAST_ON_STACKED_TRAYS


def grouping_row(arrangement: str, cables: int, method: str = "", trays: int = 1) -> Row:
    """Return the row of the factor for the next listed number of at least `cables`.

    Single-core cables in free air (method F) have a separate table for up to three circuits on a
    tray or ladder, B.52.21; above that, and for multicore cables, B.52.17 applies on one tray and
    B.52.20 on several. In one layer no further reduction applies beyond the last row of B.52.17.

    arrangement: Key of the table.
    cables: Circuits or multicore cables that share the route, every parallel cable counted; on
        several trays the number on one tray.
    method: Reference method of installation.
    trays: Trays or ladders one above another, equally full.

    Raises ``GROUP_TOO_LARGE`` above the table limit.
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
        f"{cables} circuits in one group exceed the table limit of {largest_group(trays)}.",
        "Split the group, or select larger conductors and fewer parallel cables.",
    )
