"""One panel schedule on one page: mirrored circuits, or one list of ways for an IEC board.

Columns A to J hold the left circuits, K the phase, L to U the right circuits mirrored, or what
an IEC board states of each way. Every VA cell refers to the Loads sheet; a number typed over it
shows red.
"""

from __future__ import annotations

from facility.core.version import __version__
from facility.model.power.hall_distribution import IMBALANCE_LIMIT
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.report.book.panels.body import (
    FED_FROM_ROWS,
    FIRST_ROW,
    Body,
    write_header,
    write_mirrored,
)
from facility.report.book.panels.footer import write_footer
from facility.report.book.panels.loads import LoadsPlaces, ScheduledPanel, loads_sheet
from facility.report.book.panels.phases import Foot
from facility.report.book.panels.places import PanelContext, PanelPlaces
from facility.report.book.panels.ways import write_ways
from facility.report.book.settings import CONTINUOUS_NAME, IMBALANCE_NAME, Setting, settings_sheet
from facility.report.sheet.model import Book, Page, Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights
from facility.study.design.design import Design

_WIDTHS = (4.5, 23, 6, 4.5, 5, 7, 9, 7.5, 7.5, 7.5, 3, 7.5, 7.5, 7.5, 9, 7, 5, 4.5, 6, 23, 4.5)
_LARGE_WIDTHS = (5, 42, 9, 6, 6, 12, 11, 11, 11, 11, 4, 11, 11, 11, 11, 12, 6, 6, 9, 42, 5)
_WAY_WIDTHS = (5, 25, 7, 5, 5, 8, 5, 8, 8, 8, 4, 9, 8, 8, 6, 7, 7, 7, 7, 25, 5)
_SMALL_ROW, _LARGE_ROW = 12.5, 13.5
_SMALL_PANEL = 42


def panel_sheet(
    name: str, scheduled: ScheduledPanel, places: LoadsPlaces, context: PanelContext
) -> tuple[Sheet, PanelPlaces]:
    """Return the schedule of one panel, and where its results stand.

    name: Sheet name, allocated for the whole book.
    scheduled: Panel and its loads by state.
    places: Where its circuits stand on the Loads sheet.
    context: What all schedules share: code basis, limits, class factors, page set-up.
    """
    panel = scheduled.panel
    sheet = Sheet(name, freeze=(FIRST_ROW, 3), protected=True)
    large, ways = panel.poles > _SMALL_PANEL, panel.numbering == "IEC"
    sheet.set_widths(*(_WAY_WIDTHS if ways else _LARGE_WIDTHS if large else _WIDTHS))
    write_header(sheet, panel, context)
    body = Body(sheet, panel, places, context.supply(panel))
    frame = write_ways(body) if ways else write_mirrored(body)
    found = PanelPlaces(panel.tag, sheet.quoted)
    last = write_footer(Foot(sheet, scheduled, places, context, frame, found))
    fit_heights(sheet, *FED_FROM_ROWS)
    for row in range(2, last + 1):
        sheet.heights.setdefault(row, _SMALL_ROW if large else _LARGE_ROW)
    sheet.heights[1], sheet.heights[7], sheet.heights[8] = 20, 4, 26
    sheet.page = _page(context, last, ways=ways, large=large)
    return sheet, found


def _page(context: PanelContext, last: int, *, ways: bool, large: bool) -> Page:
    """Return the page: mirrored ones lie, a list of ways stands on the larger sheet."""
    return context.page_setup.page(
        landscape=not ways,
        large=large or ways,
        fit_height=1,
        repeat_rows=(1, 8),
        area=Span(1, 1, last, len(_WIDTHS)),
    )


_FIRST_DAY = (1980, 1, 1)
_NOT_ISSUED = "PRELIMINARY · NOT FOR CONSTRUCTION"
_SCHEDULE = "Schedule"


def own_panel_book(panel: Panel, design: Design) -> Book:
    """Return the workbook of `panel`, scheduled under the criteria of `design`.

    Nothing else of the design is in it: neither its name, nor its loads, nor its supplies.

    panel: Panel with every circuit placed.
    design: States code, continuous factor, frequency and trip ratings.
    """
    criteria = design.facility.criteria
    code = f"{criteria.code} {criteria.edition}"
    page_setup = PageSetup(f"Panel {panel.tag}", _NOT_ISSUED, "Rev not issued", code[:3] != "NEC")
    scheduled = ScheduledPanel(panel, panel_loads(panel))
    settings, places = settings_sheet(
        "Settings",
        [
            Setting("Factor on continuous load", criteria.continuous_factor, "ratio",
                    CONTINUOUS_NAME, f"of {code}; 1 for assemblies listed for 100 %"),
            Setting("Imbalance limit", IMBALANCE_LIMIT, "fraction", IMBALANCE_NAME,
                    "maximum deviation from the mean / mean; design practice"),
        ],
        [("Code basis", code), ("Voltage system", panel.system), ("Units", "SI")],
        design.facility.power.panels.breaker_sizes_a, page_setup,
    )  # fmt: skip
    loads, load_places = loads_sheet("Loads", [scheduled], criteria.continuous_factor, page_setup)
    context = PanelContext(
        code=code, issue=_NOT_ISSUED, frequency_hz=design.facility.site.frequency_hz,
        continuous_factor=criteria.continuous_factor, imbalance_limit=IMBALANCE_LIMIT,
        classes=places.classes, revisions=(), checker="", tool=f"facility {__version__} · {code}",
        page_setup=page_setup,
    )  # fmt: skip
    schedule, at = panel_sheet(_SCHEDULE, scheduled, load_places, context)
    return Book(
        sheets=(schedule, loads, settings), names=places.names | at.names("Panel"),
        title=f"Panel schedule {panel.tag}", subject="Panel schedule", author="", company="",
        keywords=code, created=_FIRST_DAY,
        properties={"tool_version": __version__, "code_edition": code},
    )  # fmt: skip
