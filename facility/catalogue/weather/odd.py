"""What no weather is likely to have done: the places of a file to look at again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from facility.catalogue.weather.columns import Field, Records
from facility.catalogue.weather.record import DesignConditions
from facility.core.kinds import FloatArray

DEW_POINT, JUMP, EXTREME = "dew point", "jump", "extreme"
MOST_OVER_DRY_BULB_K = 1.0
"""Dew point over dry bulb that rounding to whole degrees explains."""
MOST_JUMP_K = 20.0
"""Change of the dry bulb from one record to the next; the carried records have up to 16.1 K."""


def odd_places(
    records: Records,
    fields: Mapping[str, Field],
    columns: Mapping[str, FloatArray],
    design: DesignConditions | None,
) -> dict[str, str | None]:
    """Return what is odd of a file, with line and column of the worst; empty where nothing is.

    None of the extremes where the header has none.
    """
    dry_c, dew_c = columns["dry_bulb"], columns["dew_point"]
    dry, dew = fields["dry_bulb"], fields["dew_point"]
    found: dict[str, str | None] = {}
    over_k = dew_c - dry_c
    place = int(np.argmax(over_k))
    found[DEW_POINT] = _told(
        over_k > MOST_OVER_DRY_BULB_K,
        f"{records.place(place, dew)}: {dew_c[place]:g} degC, over a dry bulb of "
        f"{dry_c[place]:g} degC",
    )
    change_k = np.diff(dry_c)
    place = int(np.argmax(np.abs(change_k)))
    found[JUMP] = _told(
        np.abs(change_k) > MOST_JUMP_K,
        f"{records.place(place + 1, dry)}: {dry_c[place + 1]:g} degC after {dry_c[place]:g} degC",
    )
    found[EXTREME] = None if design is None else _extremes(records, dry, dry_c, design)
    return found


def _extremes(records: Records, dry: Field, dry_c: FloatArray, design: DesignConditions) -> str:
    """Return how far the dry bulb is beyond the extremes of twenty years of its own header."""
    low_c, high_c = design.extreme_20_year_db_min_c, design.extreme_20_year_db_max_c
    beyond_k = np.maximum(dry_c - high_c, low_c - dry_c)
    place = int(np.argmax(beyond_k))
    words = (
        f"{records.place(place, dry)}: {dry_c[place]:g} degC, {beyond_k[place]:.1f} K beyond the "
        f"extremes of twenty years of its header, {low_c:g} to {high_c:g} degC"
    )
    return _told(beyond_k > 0.0, words)


def _told(odd: npt.NDArray[np.bool_], worst: str) -> str:
    """Return the worst place, and how many others there are; empty where there is none."""
    others = int(np.count_nonzero(odd)) - 1
    if others < 0:
        return ""
    return f"{worst}; {others:,} other records alike" if others else worst
