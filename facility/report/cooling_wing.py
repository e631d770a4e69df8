"""The sheets of the cooling studies: equipment, loops, sensors, design day, ride-through."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from facility.cooling.hydraulics import Hydraulics
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.report.sheet_model import Sheet
from facility.report.sheet_tables import Furniture
from facility.report.sheets_cooling_day import DayFacts, day_sheet
from facility.report.sheets_cooling_equipment import EquipmentFacts, equipment_sheet
from facility.report.sheets_cooling_loops import loops_sheet
from facility.report.sheets_cooling_racks import RackFacts, racks_sheet
from facility.report.sheets_cooling_ride import curves_sheet, refused_sheet, ride_sheet
from facility.report.sheets_cooling_sensors import sensors_sheet
from facility.study.design import Design
from facility.study.transient import TransientStudy, transient
from facility.study.transient_checks import RULES

COOLING_CONTENTS = MappingProxyType({
    "Cooling equipment": "Air units, CDUs, pumps, chillers, heat rejection: ratings, design duty",
    "Cooling loops": "Flows, temperatures, pipes, drops part by part, head, volume, pump power",
    "Cooling racks": "Air and coolant by kind of rack, CDUs of the catalogue, commissioning",
    "Cooling sensors": "What is measured where in the halls, and how many",
    "Design day": "Outdoor air, states of the room air, heat from the racks to the outdoors",
    "Ride-through": "What overheats first after each failure, limits, buffers, temperatures",
    "Ride-through curves": "Temperatures after loss of the utility, drawn",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class RideThrough:
    """The failures of the cooling through time, or why they are not modelled.

    `study` is None with `refusal` where the design has units that the model lacks.
    """

    study: TransientStudy | None
    refusal: str = ""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks; one that is not evaluated where there is no model."""
        if self.study is not None:
            return self.study.checks
        return (RULES["allowable"].not_evaluated("cooling after a failure", self.refusal),)


def ride_study(design: Design) -> RideThrough:
    """Return the failures of the cooling through time as the workbook shows them.

    The smallest buffers are not sought: that takes longer than the rest of the workbook.
    """
    try:
        return RideThrough(transient(design, storage=False))
    except FacilityError as error:
        if error.code != "RIDE_THROUGH_TERMINAL":
            raise
        return RideThrough(None, f"{error.message} {error.hint}")


def cooling_sheets(design: Design, ride: RideThrough, furniture: Furniture) -> list[Sheet]:
    """Return the sheets in the order of `COOLING_CONTENTS`."""
    cooling, flow, trace = design.cooling, design.cooling_flow, design.trace
    room, hydraulics = design.room_air, _at_the_hour(design)
    liquid = cooling.chain.liquid
    margin = liquid.head_margin if liquid is not None else 0.0
    equipment = EquipmentFacts(cooling, flow, room, hydraulics, trace)
    day = DayFacts(cooling, flow, trace, design.plant_options.hours)
    return [
        equipment_sheet("Cooling equipment", equipment, furniture),
        loops_sheet("Cooling loops", hydraulics, margin, furniture),
        racks_sheet("Cooling racks", RackFacts(room, design.liquid_path, cooling.cdus), furniture),
        sensors_sheet("Cooling sensors", room.sensors, furniture),
        day_sheet("Design day", day, furniture),
        *_ride_sheets(ride, furniture),
    ]


def _ride_sheets(ride: RideThrough, furniture: Furniture) -> tuple[Sheet, Sheet]:
    first, second = "Ride-through", "Ride-through curves"
    if ride.study is None:
        return (refused_sheet(first, ride.refusal, furniture),
                refused_sheet(second, ride.refusal, furniture))  # fmt: skip
    return (ride_sheet(first, ride.study, furniture),
            curves_sheet(second, ride.study, furniture))  # fmt: skip


def book_checks(design: Design, ride: RideThrough) -> tuple[Check, ...]:
    """Return the checks of the design and those of its ride-through."""
    return (*design.checks, *ride.checks)


def _at_the_hour(design: Design) -> Hydraulics:
    """Return the loops with the flow that their heat rejection has at the design hour."""
    study, flow = design.hydraulics, "fws.rejection.flow"
    loops = tuple(
        replace(loop, running_m3_s=design.trace.value(flow))
        if loop.name == "fws_tower" and flow in design.trace else loop
        for loop in study.loops
    )  # fmt: skip
    return replace(study, loops=loops)
