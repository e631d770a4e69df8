"""The Arc flash sheet: what a study of incident energy asks for, and what is left to its user."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from facility.power.faults.arc_flash import ArcFlashInput
from facility.report.book.distribution.faults import NO_ENERGY, UNKNOWN
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, GridValue, SheetTable
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes


def _known(value: float | None) -> GridValue:
    return UNKNOWN if value is None else value


def _blank(key: str, head: str, width: float) -> Column[ArcFlashInput]:
    """Return a column that the user of the study fills."""
    return Column(key, head, width, style="inputword", of=lambda one: "")


def _kiloamperes(
    key: str, head: str, of: Callable[[ArcFlashInput], float | None]
) -> Column[ArcFlashInput]:
    return Column(key, head, 12, "current", "", "kA", "n2", of=lambda one: _known(of(one)))


ARC_FLASH: SheetTable[ArcFlashInput] = SheetTable(
    "Inputs of an arc-flash study",
    (
        Column("state", "Source", 19, of=lambda one: one.state),
        Column("bus", "Bus", 19, of=lambda one: one.bus),
        Column("voltage", "Voltage V", 10, "line_voltage", of=lambda one: one.voltage_v),
        _kiloamperes("highest", "Bolted, highest kA", lambda one: one.bolted_max_a),
        _kiloamperes("lowest", "Bolted, lowest kA", lambda one: one.bolted_min_a),
        Column("xr", "X/R", 9, "ratio", number_format="n1", of=lambda one: _known(one.x_over_r)),
        Column("clearing", "Clearing time s", 12, "time", number_format="n3", style="inputword",
               of=lambda one: "" if one.clearing_s is None else one.clearing_s),
        _blank("gap", "Gap mm", 10),
        _blank("configuration", "Electrode configuration", 14),
        _blank("enclosure", "Enclosure, H x W x D mm", 18),
        _blank("distance", "Working distance mm", 12),
    ),
)  # fmt: skip


def arc_flash_sheet(name: str, inputs: Sequence[ArcFlashInput], page_setup: PageSetup) -> Sheet:
    """Return the inputs of an arc-flash study; blue cells are for its user to fill."""
    sheet = Sheet(name, page=page_setup.page(repeat_rows=(4, 4)), freeze=(5, 3))
    write_heading(
        sheet, ARC_FLASH.title, f"{NO_ENERGY} Blank cells are for the engineer of the study."
    )
    grid, wide = ARC_FLASH.write_alone(sheet, 4, inputs), len(ARC_FLASH.columns)
    sheet.filter_span = Span(4, 1, grid.row - 1, wide)
    note = (
        "Three-phase bolted currents. Clearing times are those below the instantaneous trip, for "
        "the arcing current is not computed; others need the curves of the devices chosen; gap, "
        "configuration and enclosure those of the equipment ordered. Panels and rack PDUs on equal "
        "circuits from one source are one bus."
    )
    write_notes(sheet, grid.row + 1, wide, [note])
    fit_heights(sheet, 5)
    return sheet
