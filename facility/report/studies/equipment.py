"""Presentation of the equipment of a design: power train, and cooling operating at one hour."""

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
    "Selected module first. Margin: remaining share of the permitted loading after the design "
    "failure. Loss and efficiency apply to all systems at the design output."
)
_BATTERIES = "Batteries of all UPS systems, sized for end of life and the design failure."
_FAULTS = (
    "Bolted faults; buses of one type with equal currents share a row. Interrupting duty is the "
    "higher of three-phase and line-to-ground. Unknown: the utility fault level is not specified "
    "and there is no upstream impedance, or part of the impedance is unknown."
)
_FEEDERS = "One row per circuit down to the panels, branch circuits by type."
_DROPS = "One row per circuit type, for its most loaded circuit at worst-case load."
_UNITS = (
    "Heats, flows and powers are for the selected hour; pump flows and the heat per unit used for "
    "sizing are for the design hour. Connections follow the pipe velocity limit."
)
_LOOPS = (
    "At the design hour. Calculated head: pipes, fittings and components of the critical path, "
    "with the assumed routes; pump head: basis of the pump power."
)
_PLANT = "Annual economizer operation, staging, storage and heat reuse, where present."

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
"""Result keys of the shortlist columns."""


def _shortlisted(heads: Sequence[str], number: int) -> dict[str, str]:
    """Return the result ids of a shortlisted module by heading."""
    named = zip(heads, _SHORTLISTED, strict=True)
    return {head: f"ups.shortlist.{number}.{name}" for head, name in named}


OPTIONS: SheetTable[Candidate] = SheetTable(
    "Catalogue units in this design",
    (
        Column("model", "Model", 0),
        Column("count", "Units", 0, "count", of=lambda o: o.count or None),
        Column("duty", "Duty", 0, "count", of=lambda o: o.duty or None),
        Column("normal", "Loading, all in service", 0, _PART),
        Column("failure", "Loading, after failure", 0, _PART),
        Column("margin", "Margin", 0, _PART),
        Column("pue", "PUE, design hour", 0, "ratio", of=lambda o: o.pue or None),
        Column(
            "violations", "Violations", 0, "count", of=lambda o: None if o.refused else o.violations
        ),
        Column("refused", "Not feasible because", 0),
        Column("source", "Source", 0),
    ),
)
OPTIONS_NOTE = (
    "Each row is the project designed with that model. Loadings are shares of the permitted value; "
    "margin is the remaining share after the design failure."
)


@dataclass(frozen=True)
class PowerTrain(DesignShown):
    """Modules, batteries, fault currents and circuits of a design."""

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the tables, as on the sheets of the workbook."""
        design = self.design
        facility, found = design.facility, design.distribution
        batteries = design.electrical.batteries
        unsized = () if batteries.bank is not None else (f"Not sized: {batteries.unknown}.",)
        faults = fault_rows(found.faults, found.plan.network)
        facts, feeders = FeederFacts.of(facility), found.feeders.feeders
        schedule = SheetTable("Feeder schedule", tuple(feeder_columns(facility.criteria.code)))
        shortlist = design.chain.ups.shortlist
        table = SHORTLIST.text(shortlist, system, _SHORTLIST, title="UPS shortlist")
        numbers = range(1, 1 + len(shortlist))
        yield replace(table, keys=[_shortlisted(table.heads, number) for number in numbers])
        yield section_table("Batteries", design.results, system, *unsized, _BATTERIES)
        yield self._faults().text(faults, system, _FAULTS)
        yield schedule.text(schedule_rows(feeders, facts), system, _FEEDERS)
        yield VOLTAGE_DROP.text(heaviest_rows(feeders, facts), system, _DROPS)

    def _faults(self) -> SheetTable[FaultRow]:
        """Return the table with the interrupting rating of the equipment, if stated."""
        ratings_a = self.design.facility.electrical.faults.ratings_a

        def rating(bus: FaultRow) -> float | str:
            return ratings_a.get(bus.kind.replace(" ", "-"), "not stated")

        stated = Column("stated", "Stated rating (kA)", 0, "current", "", "kA", "n2", of=rating)
        return replace(FAULTS, columns=(*FAULTS.columns, stated))


@dataclass(frozen=True)
class CoolingAtHour(DesignShown):
    """Equipment, loops, plant and sensors of the cooling, operating at one hour."""

    hour: CoolingHour

    @property
    def checks(self) -> Sequence[Check]:
        """Checks of the cooling, with operating temperatures at the hour."""
        design = self.design
        studies = (design.room_air, design.hydraulics, design.liquid_path, design.plant_options)
        own = (*design.cooling.checks, *self.hour.point.cooling.checks)
        return design.with_waivers((*own, *(check for study in studies for check in study.checks)))

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the tables, as on the sheets of the workbook."""
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
