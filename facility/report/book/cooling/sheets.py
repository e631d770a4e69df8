"""The sheets of the cooling studies: equipment, loops, racks, design day, ride-through."""

from __future__ import annotations

from types import MappingProxyType

from facility.cooling.room.study import SensorRow
from facility.report.book.cooling.design_day import day_sheet
from facility.report.book.cooling.equipment import EquipmentFacts, equipment_sheet
from facility.report.book.cooling.loops import head_margin, loops_sheet
from facility.report.book.cooling.racks import racks_sheet
from facility.report.book.cooling.ride_through import ride_sheet
from facility.report.sheet.grid import Column, SheetTable
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, refused_sheet
from facility.study.design.design import Design

SENSORS: SheetTable[SensorRow] = SheetTable(
    "Sensors of the air path",
    (
        Column("quantity", "Quantity", 30, style="cell"),
        Column("location", "Location", 38, style="cell"),
        Column("count", "Sensors", 10, "count"),
        Column("rule", "Rule", 42, style="cell"),
        Column("source", "Source", 44, style="cell", of=lambda s: str(s.source)),
    ),
    head_height=28,
)


COOLING_CONTENTS = MappingProxyType(
    {
        "Cooling equipment": "Air units, CDUs, pumps, chillers, heat rejection: ratings, design "
        "duty",
        "Cooling loops": "Flows, temperatures, pipes, pressure drops by component, head, volume, "
        "pump power",
        "Cooling racks": "Air and coolant by rack type, catalogue CDUs, commissioning",
        "Design day": "Outdoor air, states of the room air, heat from the racks to the outdoors",
        "Ride-through": "First limit exceeded after each failure, limits, buffers, temperatures",
    }
)


def cooling_sheets(design: Design, page_setup: PageSetup) -> list[Sheet]:
    """Return the sheets in the order of `COOLING_CONTENTS`."""
    cooling, flow, trace = design.cooling, design.cooling_flow, design.trace
    room, hydraulics, ride = design.room_air, design.hydraulics, design.ride_through
    equipment = EquipmentFacts(cooling, flow, room, hydraulics, trace, trace)
    return [
        equipment_sheet("Cooling equipment", equipment, page_setup),
        loops_sheet("Cooling loops", hydraulics, head_margin(cooling), page_setup),
        racks_sheet("Cooling racks", design, page_setup),
        day_sheet("Design day", design, page_setup),
        refused_sheet("Ride-through", ride.refusal, page_setup)
        if ride.study is None
        else ride_sheet("Ride-through", ride.study, page_setup),
    ]
