"""Geometry of a data hall in rows: floor area, and cable routes along a row."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation(
    "A",
    r"n \, w \, d \, c",
    "area",
    DERIVED,
    racks="count",
    rack_pitch_m="length",
    row_pitch_m="length",
    circulation="ratio",
)
def hall_area(racks: float, rack_pitch_m: float, row_pitch_m: float, circulation: float) -> float:
    """Return the floor area of `racks` racks in rows.

    Each rack takes its width along the row and, across it, its depth and half of the aisle on
    either side (the row pitch); circulation adds cross aisles and the perimeter.

    Parameters
    ----------
    racks : int
        Racks in the hall.
    rack_pitch_m, row_pitch_m : float
        Distance of rack to rack in a row, and of row to row [m].
    circulation : float
        Gross area over the area of the rows.
    """
    return racks * rack_pitch_m * row_pitch_m * circulation


@equation(
    r"\ell",
    r"\frac{n w}{2} + h + \frac{m d}{4}",
    "length",
    DERIVED,
    racks_per_row="count",
    rack_pitch_m="length",
    drops_m="length",
    rows_crossed="count",
    row_pitch_m="length",
)
def route_mean(
    racks_per_row: float,
    rack_pitch_m: float,
    drops_m: float,
    rows_crossed: float,
    row_pitch_m: float,
) -> float:
    """Return the mean length of a cable from the panel to the racks of a row.

    Racks are spread evenly from zero to the length of the row, so the mean is half of it; to that
    come the vertical drops at both ends, and on average a quarter of the rows to be crossed where
    the panel stands at the middle of a wall (none for a panel at the end of its row).

    Parameters
    ----------
    racks_per_row : float
        Racks in one row.
    rack_pitch_m, row_pitch_m : float
        Rack to rack and row to row [m].
    drops_m : float
        Vertical parts of the route together [m].
    rows_crossed : float
        Rows along the wall; 0 for a panel at the end of its row.
    """
    return racks_per_row * rack_pitch_m / 2.0 + drops_m + rows_crossed * row_pitch_m / 4.0


@equation(
    r"\ell_{max}",
    r"n w + h + \frac{m d}{2}",
    "length",
    DERIVED,
    racks_per_row="count",
    rack_pitch_m="length",
    drops_m="length",
    rows_crossed="count",
    row_pitch_m="length",
)
def route_longest(
    racks_per_row: float,
    rack_pitch_m: float,
    drops_m: float,
    rows_crossed: float,
    row_pitch_m: float,
) -> float:
    """Return the longest cable from the panel to a rack: the far end of the farthest row.

    Parameters
    ----------
    racks_per_row : float
        Racks in one row.
    rack_pitch_m, row_pitch_m : float
        Rack to rack and row to row [m].
    drops_m : float
        Vertical parts of the route together [m].
    rows_crossed : float
        Rows along the wall; 0 for a panel at the end of its row.
    """
    return racks_per_row * rack_pitch_m + drops_m + rows_crossed * row_pitch_m / 2.0
