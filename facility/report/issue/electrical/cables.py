"""Feeder and cable schedule: devices, conductors, raceways, lengths, ampacities, drops."""

from __future__ import annotations

from dataclasses import replace

from facility.core.rounding import within
from facility.power.feeders.types import ConductorChoice
from facility.report.book.distribution.feeders import (
    FeederFacts,
    FeederRow,
    feeder_columns,
    schedule_rows,
    sized,
)
from facility.report.book.panels.supply import conductors_text
from facility.report.issue.content import SheetContent
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import listing
from facility.report.sheet.grid import Column, GridValue, SheetTable, verdict_word

_SERIES = 200
_WIDTHS = {
    "tag": 34.0, "origin": 18.0, "target": 24.0, "count": 12.0, "voltage": 13.0,
    "worst": 14.0, "required": 14.0, "ocpd": 12.0, "trip": 26.0, "ambient": 13.0,
    "bundling": 14.0, "harmonic": 14.0, "corrected": 15.0, "used": 14.0, "raceway": 20.0,
    "fill": 9.0, "held": 13.0,
}  # fmt: skip
"""Columns of the feeder schedule that are printed, with their widths [mm]."""
_NOTE = (
    "One row per circuit down to the panels; branch circuits by type, for the most loaded one. "
    "Conductors: sets, line conductors with count, neutral, grounding or protective conductor. "
    "Ampacity used: after the factors, and of the terminations under the NEC. Length: one way, "
    "route of the design. Drop: at the worst-case load."
)
_MV = "MV circuits: the device is the pickup of the overcurrent relay."


def _drop(row: FeederRow, choice: ConductorChoice) -> GridValue:
    return "not known" if choice.drop is None else choice.drop


def _drop_verdict(row: FeederRow, choice: ConductorChoice) -> GridValue:
    criteria, branch = row.facts.criteria, row.feeder.circuit.stage == "branch"
    limit = criteria.voltage_drop_branch if branch else criteria.voltage_drop_feeder
    return None if choice.drop is None else verdict_word(within(choice.drop, limit))


_CONDUCTORS = sized(
    "conductors", "Conductors", 62,
    lambda r, c: conductors_text(c, r.facts.criteria.code, r.feeder.circuit.poles),
)  # fmt: skip
_LENGTH: Column[FeederRow] = Column(
    "length", "Length", 13, "length", number_format="n1", of=lambda r: r.feeder.length_m
)
_DROPS = (
    sized("drop", "Drop", 10, _drop, "fraction", number_format="n2"),
    sized("drop_held", "Drop verdict", 13, _drop_verdict),
)


def cable_schedule(facts: ElectricalFacts) -> SheetContent:
    """Return the circuits of the network, the branch circuits by type."""
    found = {column.key: column for column in feeder_columns(facts.code)}
    shown = [replace(found[key], width=_WIDTHS[key]) for key in _WIDTHS if key in found]
    at = [column.key for column in shown].index("raceway")
    columns = (*shown[:at], _CONDUCTORS, shown[at], _LENGTH, *shown[at + 1 :], *_DROPS)
    table = SheetTable("Feeder and cable schedule", columns)
    rows = list(schedule_rows(facts.feeders, FeederFacts.of(facts.design.facility)))
    keys = [row.feeder.circuit.tag for row in rows]
    block = listing(table, rows, facts.system, f"{_NOTE} {_MV}", keys=keys, dense=True)
    return SheetContent("E", _SERIES, "Feeder and cable schedule", (block,), large=True)
