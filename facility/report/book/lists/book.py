"""The workbook of flat lists: circuits, directories, labels, receptacles, cables, racks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from facility.report.book.lists.cables import cable_totals_sheet, cables_sheet, directories_sheet
from facility.report.book.lists.circuits import (
    circuit_racks_sheet,
    circuits_sheet,
    listed_circuits,
    rack_circuits_sheet,
    receptacles_sheet,
)
from facility.report.book.lists.labels import labels_sheet
from facility.report.book.lists.studies import study_buses_sheet, study_devices_sheet
from facility.report.book.panels.supply import panel_supplies
from facility.report.sheet.model import Ref, Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.design.design import Design

LIST_INDEX = "Lists"
LIST_CONTENTS: Mapping[str, str] = MappingProxyType(
    {
        "Circuits": "One row per circuit, for DCIM import; the key stays when a circuit moves",
        "Directories": "Circuit directory of every panel, one page each (NEC 408.4)",
        "Labels": "One row per label: panels with source and fault current, service equipment, "
        "circuits at the panels, cords with their source circuit, limited UPS inputs",
        "Receptacles": "Receptacles and connectors by hall, feed and rating, counted on Circuits",
        "Cables": "Every circuit from the utility to the racks; conductor metres include all sets",
        "Cable totals": "Conductor metres by size, total of sheet Cables, without waste",
        "Racks by circuit": "Rack fed by each circuit",
        "Circuits by rack": "Circuits feeding each rack",
        "Study buses": "Inputs of coordination and arc-flash studies: fault currents by bus",
        "Study devices": "Inputs of these studies: devices, trips, conductors, impedances",
    }
)


def list_sheets(design: Design, page_setup: PageSetup) -> list[Sheet]:
    """Return the lists of a design, an index sheet first."""
    rows = list(listed_circuits(design))
    circuits = circuits_sheet("Circuits", rows, page_setup)
    cables, grid = cables_sheet(
        "Cables", design.distribution.feeders.feeders, design.facility.criteria.code, page_setup
    )
    supplies = panel_supplies(design)
    panels = [(panel, supplies[panel.tag]) for panel in design.panels.panels]
    sheets = [
        circuits,
        directories_sheet("Directories", panels, page_setup),
        labels_sheet("Labels", rows, design, page_setup),
        receptacles_sheet("Receptacles", rows, circuits, page_setup),
        cables,
        cable_totals_sheet("Cable totals", cables, grid, page_setup),
        circuit_racks_sheet("Racks by circuit", rows, page_setup),
        rack_circuits_sheet("Circuits by rack", rows, page_setup),
        study_buses_sheet("Study buses", design, page_setup),
        study_devices_sheet("Study devices", design, page_setup),
    ]
    return [_index(design, sheets, page_setup), *sheets]


def _index(design: Design, sheets: list[Sheet], page_setup: PageSetup) -> Sheet:
    sheet = Sheet(LIST_INDEX, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(sheet, "Lists for the site", page_setup.project)
    sheet.set_widths(24, 70)
    sheet.row(4, 1, ("Sheet", "Content"), "head")
    for row, one in enumerate(sheets, start=5):
        sheet.link(row, 1, one.name, Ref(one.quoted, 1, 1), "celllink")
        sheet.put(row, 2, LIST_CONTENTS[one.name], "cell")
    row = 6 + len(sheets)
    for offset, text in enumerate(
        (
            f"{page_setup.status} · {page_setup.revision} · project {design.sha256[:12]}",
            "Lengths are one-way design routes without waste; measure on site.",
            "Labels name the circuit and the rack input; cords inside a rack are not listed.",
            "The first row of a list is its heading. Normal and failover are alternatives.",
        )
    ):
        sheet.merge(Span(row + offset, 1, row + offset, 2), text, "note")
    fit_heights(sheet, 4)
    return sheet
