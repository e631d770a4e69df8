"""Geometry of a data hall in rows: floor area, and cable routes along a row."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import Area, Count, Length, Ratio
from facility.core.sources import DERIVED


@equation("A", r"n \, w \, d \, c", DERIVED)
def hall_area(racks: Count, rack_pitch_m: Length, row_pitch_m: Length, circulation: Ratio) -> Area:
    """Return the floor area of `racks` racks in rows.

    Each rack takes its width along the row and, across it, its depth and half of the aisle on
    either side (the row pitch); circulation adds cross aisles and the perimeter.

    rack_pitch_m, row_pitch_m: distance of rack to rack in a row, and of row to row.
    circulation: gross area over the area of the rows.
    """
    return racks * rack_pitch_m * row_pitch_m * circulation


@equation(r"\ell", r"\frac{n w}{2} + h + \frac{m d}{4}", DERIVED)
def route_mean(
    racks_per_row: Count,
    rack_pitch_m: Length,
    drops_m: Length,
    rows_crossed: Count,
    row_pitch_m: Length,
) -> Length:
    """Return the mean length of a cable from the panel to the racks of a row.

    Racks are spread evenly from zero to the length of the row, so the mean is half of it; to that
    come the vertical drops at both ends, and on average a quarter of the rows to be crossed where
    the panel is at the middle of a wall (none for a panel at the end of its row).

    drops_m: vertical parts of the route together.
    rows_crossed: rows along the wall; 0 for a panel at the end of its row.
    """
    return racks_per_row * rack_pitch_m / 2.0 + drops_m + rows_crossed * row_pitch_m / 4.0


@equation(r"\ell_{max}", r"n w + h + \frac{m d}{2}", DERIVED)
def route_longest(
    racks_per_row: Count,
    rack_pitch_m: Length,
    drops_m: Length,
    rows_crossed: Count,
    row_pitch_m: Length,
) -> Length:
    """Return the longest cable from the panel to a rack: the far end of the farthest row.

    drops_m: vertical parts of the route together.
    rows_crossed: rows along the wall; 0 for a panel at the end of its row.
    """
    return racks_per_row * rack_pitch_m + drops_m + rows_crossed * row_pitch_m / 2.0
