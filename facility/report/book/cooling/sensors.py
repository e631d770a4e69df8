"""The Cooling sensors sheet: what is measured where, how many, and by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from facility.cooling.room.sensors import SensorRow
from facility.report.sheet.grid import Column, Grid
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_COLUMNS = (
    Column("quantity", "Quantity", 30, style="cell"),
    Column("place", "Place", 38, style="cell"),
    Column("count", "Sensors", 10, "count"),
    Column("rule", "Rule", 42, style="cell"),
    Column("source", "Source", 44, style="cell"),
)


def sensors_sheet(name: str, sensors: Sequence[SensorRow], furniture: Furniture) -> Sheet:
    """Return the sensor schedule of the air path.

    Parameters
    ----------
    name : str
        Sheet name.
    sensors : sequence of SensorRow
        Sensors by quantity and place.
    furniture : Furniture
        Page edges.
    """
    sheet = Sheet(name, page=furniture.page(repeat_rows=(4, 4)), freeze=(5, 2))
    write_heading(
        sheet,
        "Sensors of the air path",
        "Least numbers that follow from rows, aisles and units; the control design may ask for "
        "more.",
    )
    grid = Grid(sheet, 4, _COLUMNS, 28)
    grid.set_widths()
    for sensor in sensors:
        grid.write(
            {
                "quantity": sensor.quantity,
                "place": sensor.place,
                "count": sensor.count,
                "rule": sensor.rule,
                "source": str(sensor.source),
            }
        )
    sheet.put(grid.row, 1, "All sensors", "total")
    sheet.blank(grid.row, range(2, len(_COLUMNS) + 1), "total")
    total = sum(sensor.count for sensor in sensors)
    sheet.formula(grid.row, 3, f"SUM({grid.span('count')})", total, "total.n0")
    fit_heights(sheet, 4)
    return sheet
