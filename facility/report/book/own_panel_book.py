"""The workbook of one panel that is not of the design: settings, loads, schedule, circuits."""

from __future__ import annotations

from facility.core.version import __version__
from facility.model.power.hall_distribution import IMBALANCE_LIMIT
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.report.book.panels.loads import ScheduledPanel, loads_sheet
from facility.report.book.panels.places import PanelContext
from facility.report.book.panels.schedule import panel_sheet
from facility.report.book.settings import (
    CONTINUOUS_NAME,
    IMBALANCE_NAME,
    Setting,
    settings_sheet,
)
from facility.report.sheet.model import Book
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design

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
        continuous_factor=criteria.continuous_factor, continuous_name=CONTINUOUS_NAME,
        imbalance_limit=IMBALANCE_LIMIT, imbalance_name=IMBALANCE_NAME, classes=places.classes,
        revisions=(), checker="", tool=f"facility {__version__} · {code}",
        page_setup=page_setup,
    )  # fmt: skip
    schedule, at = panel_sheet(_SCHEDULE, scheduled, load_places, context)
    names = dict(places.names)
    names["Panel_Phase_VA"] = f"{at.quoted}!{at.spans['phase_va'].fixed}"
    names["Panel_Demand_kVA"] = str(at.results["demand_kva"].cell)
    return Book(
        sheets=(schedule, loads, settings), names=names, title=f"Panel schedule {panel.tag}",
        subject="Panel schedule", author="", company="", keywords=code, created=_FIRST_DAY,
        properties={"tool_version": __version__, "code_edition": code},
    )  # fmt: skip
