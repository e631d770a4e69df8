"""One panel schedule on one page: mirrored circuits, or one list of ways for an IEC board.

Columns A to J hold the left circuits, K the phase, L to U the right circuits mirrored, or the
details of each way of an IEC board. Every VA cell refers to the Loads sheet; a number typed over it
shows red.
"""

from __future__ import annotations

from facility.report.book.panels.body import (
    FED_FROM_ROWS,
    FIRST_ROW,
    Body,
    write_header,
    write_mirrored,
)
from facility.report.book.panels.columns import FORM, Form, widths
from facility.report.book.panels.footer import write_footer
from facility.report.book.panels.loads import LoadsCells, ScheduledPanel
from facility.report.book.panels.phases import Foot
from facility.report.book.panels.places import PanelCells, PanelContext
from facility.report.book.panels.ways import write_ways
from facility.report.sheet.model import Page, Sheet
from facility.report.sheet.tables import fit_heights

_SMALL_ROW, _LARGE_ROW = 12.5, 13.5
_SMALL_PANEL = 42


def panel_sheet(
    name: str, scheduled: ScheduledPanel, load_cells: LoadsCells, context: PanelContext
) -> tuple[Sheet, PanelCells]:
    """Return the schedule of one panel and its result cells.

    name: Sheet name, allocated for the whole book.
    scheduled: Panel and its loads by state.
    load_cells: Cells of its circuits on the Loads sheet.
    context: Shared data of all schedules: code basis, limits, class factors, page set-up.
    """
    panel = scheduled.panel
    sheet = Sheet(name, freeze=(FIRST_ROW, 3), protected=True)
    large, ways = panel.poles > _SMALL_PANEL, panel.numbering == "IEC"
    sheet.set_widths(*widths(2 if ways else 1 if large else 0, single=ways))
    write_header(sheet, panel, context)
    body = Body(sheet, panel, load_cells, context.supply(panel))
    frame = write_ways(body) if ways else write_mirrored(body)
    found = PanelCells(panel.tag, sheet.quoted)
    last = write_footer(Foot(sheet, scheduled, load_cells, context, frame, found))
    fit_heights(sheet, *FED_FROM_ROWS)
    for row in range(2, last + 1):
        sheet.heights.setdefault(row, _SMALL_ROW if large else _LARGE_ROW)
    sheet.heights[1], sheet.heights[7], sheet.heights[8] = 20, 4, 26
    sheet.page = _page(context, last, ways=ways, large=large)
    return sheet, found


def _page(context: PanelContext, last: int, *, ways: bool, large: bool) -> Page:
    """Return the page: landscape for mirrored schedules, larger portrait for a list of ways."""
    return context.page_setup.page(
        landscape=not ways,
        large=large or ways,
        fit_height=1,
        repeat_rows=(1, 8),
        area=Form(ways).span(1, 1, last, FORM),
    )
