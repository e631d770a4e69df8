"""Feeder and cable schedule: devices, conductors, raceways, lengths, ampacities, drops."""

from __future__ import annotations

from dataclasses import replace

from facility.core.rounding import closes
from facility.power.feeders.schedule import TIGHT
from facility.power.feeders.types import ConductorChoice
from facility.report.book.distribution.feeders import (
    FeederFacts,
    FeederRow,
    feeder_columns,
    schedule_rows,
    sized,
)
from facility.report.book.distribution.voltage_drop import VOLTAGE_DROP
from facility.report.book.panels.supply import conductors_text
from facility.report.issue.content import SheetContent
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import listing
from facility.report.sheet.grid import Column, SheetTable

_SERIES = 200
_WIDTHS = {
    "tag": 34.0,
    "origin": 18.0,
    "target": 24.0,
    "count": 12.0,
    "voltage": 13.0,
    "worst": 14.0,
    "required": 14.0,
    "ocpd": 12.0,
    "trip": 26.0,
    "ambient": 13.0,
    "bundling": 14.0,
    "corrected": 15.0,
    "harmonic": 14.0,
    "used": 14.0,
    "raceway": 20.0,
    "fill": 9.0,
    "held": 13.0,
}
"""Columns of the feeder schedule that are printed, with their widths [mm]."""
_NOTE = (
    "One row per circuit down to the panels; branch circuits by type, for the most loaded one. "
    "Conductors: sets, line conductors with count, neutral, grounding or protective conductor. "
    "Ampacity used: after the factors, and of the terminations under the NEC. Length: one way, "
    "route of the design. Drop: at the worst-case load. Size decided by wiring losses: conductors "
    "are larger until the wiring losses equal the assumed losses."
)
_MV = (
    "MV circuits: the device is the pickup of the overcurrent relay; size and withstand of the "
    "metallic screen are not evaluated. Not sized, without length or impedance in the design: "
    "transfer switch to LV board, UPS and bypasses to their output board, batteries; they are by "
    "the manufacturers of the assemblies."
)


_CONDUCTORS = sized(
    "conductors",
    "Conductors",
    62,
    lambda r, c: conductors_text(c, r.facts.criteria.code, r.feeder.circuit.poles),
)


def size_basis(row: FeederRow, choice: ConductorChoice) -> str:
    """Return what decides a conductor size.

    A drop limit below the criterion of the project, and not its half for devices that are given,
    limits the losses of the wiring.
    """
    criteria, branch = row.facts.criteria, row.feeder.circuit.stage == "branch"
    criterion = criteria.voltage_drop_branch if branch else criteria.voltage_drop_feeder
    limits = (c.limit for c in choice.checks if c.rule.endswith("VOLTAGE-DROP"))
    limit = next(limits, None)
    of_criterion = limit is None or closes(limit, criterion) or closes(limit, TIGHT * criterion)
    if choice.governed_by != "voltage drop" or of_criterion:
        return choice.governed_by
    return "wiring losses"


_LENGTH: Column[FeederRow] = Column(
    "length", "Length", 13, "length", number_format="n1", of=lambda r: r.feeder.length_m
)
_DROPS = {"drop": ("Drop", 10.0), "held": ("Drop verdict", 13.0)}
"""Columns of the table of voltage drops, with heading and width."""


def cable_schedule(facts: ElectricalFacts) -> SheetContent:
    """Return the circuits of the network, the branch circuits by type."""
    found = {column.key: column for column in feeder_columns(facts.code)}
    columns_printed = [replace(found[key], width=_WIDTHS[key]) for key in _WIDTHS if key in found]
    drops = [
        replace(column, head=_DROPS[column.key][0], width=_DROPS[column.key][1])
        for column in VOLTAGE_DROP.columns
        if column.key in _DROPS
    ]
    at = [column.key for column in columns_printed].index("raceway")
    basis = sized("basis", "Size decided by", 24, size_basis)
    columns = (
        *columns_printed[:at],
        _CONDUCTORS,
        columns_printed[at],
        _LENGTH,
        *columns_printed[at + 1 :],
        *drops,
        basis,
    )
    table = SheetTable("Feeder and cable schedule", columns)
    rows = list(schedule_rows(facts.feeders, FeederFacts.of(facts.design.facility)))
    keys = [row.feeder.circuit.tag for row in rows]
    block = listing(table, rows, facts.system, f"{_NOTE} {_MV}", keys=keys, dense=True)
    return SheetContent("E", _SERIES, "Feeder and cable schedule", (block,), large=True)
