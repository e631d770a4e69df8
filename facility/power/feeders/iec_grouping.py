"""How circuits and cables that share a way heat each other: arrangement, factor, largest group."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.core.errors import FacilityError

LARGEST_GROUP = 20
"""Last row of the factors of bunched circuits and of those in the ground."""

_ARRANGEMENTS = {"C": "wall", "E": "tray", "F": "tray", "D1": "ducts", "D2": "buried"}
_ONE_LAYER = ("wall", "ceiling", "tray", "ladder", "apart")


def arrangement_of(method: str) -> str:
    """Return how circuits of a reference method lie where nobody says: touching, never apart."""
    return _ARRANGEMENTS.get(method, "bunched")


def grouping_row(arrangement: str, cables: int) -> Row:
    """Return the row of the factor for the next listed number not below `cables`.

    In one layer nothing more is taken off beyond the last row of the table.

    Parameters
    ----------
    arrangement : str
        How they lie, a key of the table.
    cables : int
        Circuits or multicore cables that share the way, every parallel cable counted.

    Raises
    ------
    FacilityError
        ``GROUP_TOO_LARGE`` beyond the table.
    """
    rows = table("electrical/iec_60364_grouping").select(arrangement=arrangement)
    fitting = [row for row in rows if row.integer("circuits") >= cables]
    if not fitting and arrangement in _ONE_LAYER:
        return max(rows, key=lambda row: row.integer("circuits"))
    if not fitting:
        raise FacilityError(
            "GROUP_TOO_LARGE", "power.conductors.grouped_circuits",
            f"{cables} circuits in one group are beyond the table, which ends at {LARGEST_GROUP}.",
            "Split the group, or choose larger conductors and fewer parallel cables.",
        )  # fmt: skip
    return min(fitting, key=lambda row: row.integer("circuits"))
