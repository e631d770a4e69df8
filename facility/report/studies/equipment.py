"""The equipment of a design as the doors show it: power train, and cooling at work at an hour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from facility.core.check import Check
from facility.core.views import System
from facility.report.book.cooling.equipment import EquipmentFacts, equipment
from facility.report.book.cooling.loops import LOOPS, head_margin, loops_with_pumps
from facility.report.book.cooling.sheets import SENSORS
from facility.report.book.distribution.faults import FAULTS, FaultRow, fault_rows
from facility.report.book.distribution.feeders import (
    FeederFacts,
    feeder_columns,
    heaviest_rows,
    schedule_rows,
)
from facility.report.book.distribution.voltage_drop import VOLTAGE_DROP
from facility.report.book.power.ups import SHORTLIST
from facility.report.sheet.grid import Column, SheetTable, TextTable
from facility.report.studies.design import DesignShown
from facility.report.tables.summary import section_table
from facility.study.cooling_hour import CoolingHour
from facility.study.shortlist import Candidate

_SHORTLIST = (
    "The chosen module first. Margin: what is left of the permitted loading after the designed "
    "failure. Loss and efficiency are those of all systems at the design output."
)
_BATTERIES = "The batteries of all UPS systems, sized at the end of life for the designed failure."
_FAULTS = (
    "Bolted faults, buses of one kind and equal currents in one row. A device there must interrupt "
    "the higher of three-phase and line-to-ground. Unknown: the fault level of the utility is not "
    "given and no impedance lies before the bus, or a share of it is not known."
)
_FEEDERS = "One row per circuit down to the panels, branch circuits by sort."
_DROPS = "One row by sort of circuit, the heaviest of the sort, at its worst load."
_UNITS = (
    "Heats, flows and powers are those of the hour shown, flows of the pumps and the heat of one "
    "unit that must hold those of the design hour. Connections by the velocity limit of the pipes."
)
_LOOPS = (
    "At the design hour. Head worked out: pipes, fittings and components of the worst path, laid "
    "out by the routes assumed; head of the pumps: what their power is reckoned with."
)
_PLANT = "Economizer over the year, staging, storage, heat reuse, as far as the design has them."

_PART = "fraction"
_SHORTLISTED = (
    "model",
    "modules",
    "installed",
    "loading_normal",
    "loading_failure",
    "efficiency_normal",
    "efficiency_failure",
    "loss_normal",
    "loss_failure",
    "margin",
)
"""What the results call the columns of the shortlist."""


def _shortlisted(heads: Sequence[str], place: int) -> dict[str, str]:
    """Return the results of a module of the shortlist by heading."""
    named = zip(heads, _SHORTLISTED, strict=True)
    return {head: f"ups.shortlist.{place}.{name}" for head, name in named}


OPTIONS: SheetTable[Candidate] = SheetTable(
    "Units of the catalogue in this design",
    (
        Column("model", "Model", 0),
        Column("count", "Units", 0, "count", of=lambda o: o.count or None),
        Column("duty", "Needed", 0, "count", of=lambda o: o.duty or None),
        Column("normal", "Loading, all at work", 0, _PART),
        Column("failure", "Loading, after failure", 0, _PART),
        Column("margin", "Margin", 0, _PART),
        Column("pue", "PUE, design hour", 0, "ratio", of=lambda o: o.pue or None),
        Column(
            "violations", "Violations", 0, "count", of=lambda o: None if o.refused else o.violations
        ),
        Column("refused", "Cannot be", 0),
        Column("source", "Source", 0),
    ),
)
OPTIONS_NOTE = (
    "Each model is named in the project, which is designed with it. Loadings are parts of what is "
    "permitted; margin is what is left of it after the designed failure."
)


@dataclass(frozen=True)
class PowerTrain(DesignShown):
    """Modules, batteries, fault currents and circuits of a design."""

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return them, as on the sheets of the workbook."""
        design = self.design
        facility, found = design.facility, design.distribution
        batteries = design.electrical.batteries
        unsized = () if batteries.bank is not None else (f"Not sized: {batteries.unknown}.",)
        faults = fault_rows(found.faults, found.plan.network)
        facts, feeders = FeederFacts.of(facility), found.feeders.feeders
        schedule = SheetTable("Feeder schedule", tuple(feeder_columns(facility.criteria.code)))
        shortlist = design.chain.ups.shortlist
        told = SHORTLIST.text(shortlist, system, _SHORTLIST, title="UPS shortlist")
        places = range(1, 1 + len(shortlist))
        yield replace(told, keys=[_shortlisted(told.heads, place) for place in places])
        yield section_table("Batteries", design.results, system, *unsized, _BATTERIES)
        yield self._faults().text(faults, system, _FAULTS)
        yield schedule.text(schedule_rows(feeders, facts), system, _FEEDERS)
        yield VOLTAGE_DROP.text(heaviest_rows(feeders, facts), system, _DROPS)

    def _faults(self) -> SheetTable[FaultRow]:
        """Return the table with the interrupting rating of the equipment, where stated."""
        ratings_a = self.design.facility.electrical.faults.ratings_a

        def rating(bus: FaultRow) -> float | str:
            return ratings_a.get(bus.kind.replace(" ", "-"), "not stated")

        stated = Column("stated", "Rating stated kA", 0, "current", "", "kA", "n2", of=rating)
        return replace(FAULTS, columns=(*FAULTS.columns, stated))


@dataclass(frozen=True)
class CoolingAtHour(DesignShown):
    """Equipment, loops, plant and sensors of the cooling, at work at one hour."""

    hour: CoolingHour

    @property
    def checks(self) -> Sequence[Check]:
        """Checks of the cooling; temperatures at work are those of the hour."""
        design = self.design
        studies = (design.room_air, design.hydraulics, design.liquid_path, design.plant_options)
        own = (*design.cooling.checks, *self.hour.point.cooling.checks)
        return design.with_waivers((*own, *(check for study in studies for check in study.checks)))

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return them, as on the sheets of the workbook."""
        design, hour = self.design, self.hour
        facts = EquipmentFacts.of(design, hour.point.cooling, hour.trace)
        for table, rows, note in equipment(facts):
            yield table.text(rows, system, *([note] if note else []), _UNITS)
        loops = loops_with_pumps(design.hydraulics, head_margin(design.cooling))
        yield LOOPS.text(loops, system, _LOOPS)
        found = design.plant_options.results
        plant = [(key, value.shown(system), value.basis) for key, value in found.items()]
        yield TextTable("Plant", ("Result", "Value", "Basis"), plant, [_PLANT], list(found))
        yield SENSORS.text(design.room_air.sensors, system, title="Sensors")
