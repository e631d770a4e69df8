"""The sheets of the electrical studies: feeders, plant, batteries, faults, failures."""

from __future__ import annotations

from types import MappingProxyType

from facility.report.book.distribution.failures import failures_sheet
from facility.report.book.distribution.faults import arc_flash_sheet, faults_sheet
from facility.report.book.distribution.feeders import FeederFacts, feeders_sheet
from facility.report.book.distribution.mechanical import mechanical_sheet
from facility.report.book.distribution.voltage_drop import voltage_drop_sheet
from facility.report.book.power.battery import battery_sheet
from facility.report.book.power.generators import generators_sheet
from facility.report.book.power.transformers import transformers_sheet
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from facility.study.failures.study import failures

ELECTRICAL_CONTENTS = MappingProxyType(
    {
        "Feeders": "Every circuit to the panels: load, device, conductors, ampacity, raceway",
        "Voltage drop": "Voltage drop by circuit type, sizing criterion, articles",
        "Mechanical circuits": "Cooling load by equipment: unit circuits, mechanical boards",
        "Transformers": "Losses, efficiency, regulation, harmonics, currents, protection",
        "Generators": "Load by component, sets, load steps, motor start, minimum load, fuel",
        "Batteries": "Blocks, strings, cabinets, autonomy by state, charging, hydrogen",
        "Faults": "Fault currents on utility, generator and inverter, minimum device ratings",
        "Arc flash": "Inputs of an arc-flash study; incident energy is not computed",
        "Failures": "Verdicts, single points of failure, effect of every outage",
    }
)


def electrical_sheets(design: Design, page_setup: PageSetup) -> list[Sheet]:
    """Return the sheets in the order of `ELECTRICAL_CONTENTS`."""
    found, circuits = design.distribution, FeederFacts.of(design.facility)
    study = failures(design)
    return [
        feeders_sheet("Feeders", found.feeders.feeders, circuits, page_setup),
        voltage_drop_sheet("Voltage drop", found.feeders.feeders, circuits, page_setup),
        mechanical_sheet("Mechanical circuits", design, page_setup),
        transformers_sheet("Transformers", design, page_setup),
        generators_sheet("Generators", design, page_setup),
        battery_sheet("Batteries", design.electrical.batteries, design.trace, page_setup),
        faults_sheet("Faults", found.faults, found.plan.network, page_setup),
        arc_flash_sheet("Arc flash", found.arc_flash, page_setup),
        failures_sheet("Failures", study, page_setup),
    ]
