"""The Arc flash sheet: what a study of incident energy asks for, and what is left to its user."""

from __future__ import annotations

from collections.abc import Sequence

from facility.power.faults.arc_flash import ArcFlashInput
from facility.report.book.distribution.faults import NO_ENERGY, UNKNOWN
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, Grid, GridValue
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_COLUMNS = (
    Column("state", "Source", 19),
    Column("bus", "Bus", 19),
    Column("voltage", "Voltage V", 10, "line_voltage"),
    Column("highest", "Bolted, highest kA", 12, "current", unit="kA", number_format="n2"),
    Column("lowest", "Bolted, lowest kA", 12, "current", unit="kA", number_format="n2"),
    Column("xr", "X/R", 9, "ratio", number_format="n1"),
    Column("clearing", "Clearing time s", 12, "time", number_format="n3", style="inputword"),
    Column("gap", "Gap mm", 10, style="inputword"),
    Column("configuration", "Electrode configuration", 14, style="inputword"),
    Column("enclosure", "Enclosure, H x W x D mm", 18, style="inputword"),
    Column("distance", "Working distance mm", 12, style="inputword"),
)


def arc_flash_sheet(name: str, inputs: Sequence[ArcFlashInput], furniture: Furniture) -> Sheet:
    """Return the inputs of an arc-flash study; blue cells are for its user to fill.

    Parameters
    ----------
    name : str
        Sheet name.
    inputs : sequence of ArcFlashInput
        One for each bus in each source state.
    furniture : Furniture
        Page edges.
    """
    sheet = Sheet(name, page=furniture.page(repeat_rows=(4, 4)), freeze=(5, 3))
    write_heading(
        sheet,
        "Inputs of an arc-flash study",
        f"{NO_ENERGY} Blank cells are for the engineer of the study.",
    )
    grid = Grid(sheet, 4, _COLUMNS, 40)
    grid.set_widths()
    for one in inputs:
        grid.write(_row(one))
    sheet.filter_span = Span(4, 1, grid.row - 1, len(_COLUMNS))
    sheet.merge(
        Span(grid.row + 1, 1, grid.row + 1, len(_COLUMNS)),
        "Three-phase bolted currents. Clearing times need the curves of the devices chosen; gap, "
        "configuration and enclosure those of the equipment ordered. Panels and rack PDUs on equal "
        "circuits from one source are one bus.",
        "note",
    )
    fit_heights(sheet, 5)
    return sheet


def _row(one: ArcFlashInput) -> dict[str, GridValue]:
    def known(value: float | None) -> GridValue:
        return UNKNOWN if value is None else value

    return {
        "state": one.state,
        "bus": one.bus,
        "voltage": one.voltage_v,
        "highest": known(one.bolted_max_a),
        "lowest": known(one.bolted_min_a),
        "xr": known(one.x_over_r),
        "clearing": "" if one.clearing_s is None else one.clearing_s,
        "gap": "",
        "configuration": "",
        "enclosure": "",
        "distance": "",
    }
