"""The sheets of the cooling studies: equipment, loops, sensors, design day, ride-through."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from facility.cooling.room.study import SensorRow
from facility.report.book.cooling.design_day import day_sheet
from facility.report.book.cooling.equipment import EquipmentFacts, equipment_sheet
from facility.report.book.cooling.loops import head_margin, loops_sheet
from facility.report.book.cooling.racks import racks_sheet
from facility.report.book.cooling.ride_through import curves_sheet, ride_sheet
from facility.report.sheet.grid import Column, SheetTable
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, refused_sheet, write_heading
from facility.study.design.design import Design
from facility.study.studies import StudyOutcome
from facility.study.transient.study import TransientStudy

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


def sensors_sheet(name: str, sensors: Sequence[SensorRow], page_setup: PageSetup) -> Sheet:
    """Return the sensor schedule of the air path."""
    sheet = Sheet(name, page=page_setup.page(repeat_rows=(4, 4)), freeze=(5, 2))
    write_heading(
        sheet,
        SENSORS.title,
        "Minimum numbers from rows, aisles and units; the control design may require more.",
    )
    grid = SENSORS.write_alone(sheet, 4, sensors)
    grid.total("All sensors", {"count": sum(sensor.count for sensor in sensors)})
    fit_heights(sheet, 4)
    return sheet


COOLING_CONTENTS = MappingProxyType(
    {
        "Cooling equipment": "Air units, CDUs, pumps, chillers, heat rejection: ratings, design "
        "duty",
        "Cooling loops": "Flows, temperatures, pipes, pressure drops by component, head, volume, "
        "pump power",
        "Cooling racks": "Air and coolant by rack type, catalogue CDUs, commissioning",
        "Cooling sensors": "Measured quantities, locations and sensor counts in the halls",
        "Design day": "Outdoor air, states of the room air, heat from the racks to the outdoors",
        "Ride-through": "First limit exceeded after each failure, limits, buffers, temperatures",
        "Ride-through curves": "Temperatures after loss of the utility, chart",
    }
)


def cooling_sheets(design: Design, page_setup: PageSetup) -> list[Sheet]:
    """Return the sheets in the order of `COOLING_CONTENTS`."""
    cooling, flow, trace = design.cooling, design.cooling_flow, design.trace
    room, hydraulics = design.room_air, design.hydraulics
    equipment = EquipmentFacts(cooling, flow, room, hydraulics, trace, trace)
    return [
        equipment_sheet("Cooling equipment", equipment, page_setup),
        loops_sheet("Cooling loops", hydraulics, head_margin(cooling), page_setup),
        racks_sheet("Cooling racks", design, page_setup),
        sensors_sheet("Cooling sensors", room.sensors, page_setup),
        day_sheet("Design day", design, page_setup),
        *_ride_sheets(design.ride_through, page_setup),
    ]


def _ride_sheets(ride: StudyOutcome[TransientStudy], page_setup: PageSetup) -> tuple[Sheet, Sheet]:
    first, second = "Ride-through", "Ride-through curves"
    if ride.study is None:
        return (
            refused_sheet(first, ride.refusal, page_setup),
            refused_sheet(second, ride.refusal, page_setup),
        )
    return (ride_sheet(first, ride.study, page_setup), curves_sheet(second, ride.study, page_setup))
