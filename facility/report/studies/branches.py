"""Presentation of measured branch currents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.table import Value
from facility.core.views import System
from facility.report.sheet.grid import Column, SheetTable, TextTable
from facility.report.studies.protocol import Object, StudyReport
from facility.study.measured.branches import BranchStudy, CircuitReading, MeasuredPanel

_A = "current"
PANELS: SheetTable[MeasuredPanel] = SheetTable(
    "Panels, measured",
    (
        Column("panel", "Panel", 12, of=lambda p: p.design.tag),
        Column("circuits", "Circuits measured", 9, "count", of=lambda p: len(p.readings)),
        Column("at_design", "At design load", 9, "count", of=lambda p: p.at_design),
        Column("a", "Line A (A)", 9, _A, of=lambda p: float(p.line_a[0])),
        Column("b", "Line B (A)", 9, _A, of=lambda p: float(p.line_a[1])),
        Column("c", "Line C (A)", 9, _A, of=lambda p: float(p.line_a[2])),
        Column("limit", "Permitted (A)", 9, _A, of=lambda p: p.limit_a),
        Column("headroom", "Headroom (A)", 9, _A, of=lambda p: p.headroom_a),
        Column("imbalance", "Imbalance", 9, "fraction", of=lambda p: p.imbalance),
        Column("design", "Imbalance, design", 9, "fraction", of=lambda p: p.design_imbalance),
        Column("moves", "Moves", 7, "count", of=lambda p: len(p.plan.moves) if p.plan else 0),
    ),
    because="measured currents; mains readings if included in the file",
)


@dataclass(frozen=True)
class _DifferentCircuit:
    """A circuit that differs from the design, in its panel."""

    panel: str
    reading: CircuitReading

    def line(self, index: int) -> float | None:
        """Mean current of a line [A]; None if it was not measured."""
        mean_a = float(self.reading.mean_a[index])
        return None if math.isnan(mean_a) else mean_a


_CIRCUITS: SheetTable[_DifferentCircuit] = SheetTable(
    "Circuits different from the design",
    (
        Column("panel", "Panel", 12),
        Column("circuit", "Circuit", 12, of=lambda c: c.reading.circuit.id),
        Column("design", "Phases, design", 9, of=lambda c: c.reading.phases),
        Column("measured", "Phases, measured", 9, of=lambda c: c.reading.measured_phases),
        Column("a", "Line A (A)", 9, _A, of=lambda c: c.line(0)),
        Column("b", "Line B (A)", 9, _A, of=lambda c: c.line(1)),
        Column("c", "Line C (A)", 9, _A, of=lambda c: c.line(2)),
        Column(
            "share",
            "Share of design",
            9,
            "fraction",
            number_format="n0",
            of=lambda c: c.reading.ratio,
        ),
    ),
    because="measured means",
)


@dataclass(frozen=True)
class BranchReport(StudyReport):
    """Measured panels compared with the design."""

    study: BranchStudy
    verb = "import-measured"

    def opening(self) -> Iterator[str]:
        """Return the number of circuits and panels, and which circuits are at design load."""
        yield f"Readings: {self.study.title}."
        for panel in self.study.panels:
            if panel.at_design or any(one.unmeasured for one in panel.readings):
                yield f"{panel.design.tag}: {panel.coverage}."

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the panels, and the moves of each."""
        moves: list[Object] = [
            {"panel": panel.design.tag, "step": step}
            for panel in self.study.panels
            for step in (panel.plan.steps if panel.plan else ())
        ]
        panels: list[Object] = [
            {"coverage": panel.coverage}
            | {
                column.key: Value(column.number(panel), column.kind).as_json(column.key)
                if column.kind and column.value(panel) is not None
                else column.plain(panel)
                for column in PANELS.columns
            }
            for panel in self.study.panels
        ]
        return {"panels": panels, "moves": moves}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the panels, and the circuits that differ from the design."""
        yield PANELS.text(self.study.panels, system)
        rows = [
            _DifferentCircuit(panel.design.tag, one)
            for panel in self.study.panels
            for one in panel.readings
            if one.is_swapped or one in panel.drifted or one in panel.trending
        ]
        if rows:
            yield _CIRCUITS.text(rows, system)

    def closing(self, system: System) -> Iterator[str]:
        """Return the moves as instructions."""
        for panel in self.study.panels:
            if panel.plan is not None:
                change = f"{panel.imbalance:.1%} to {panel.plan.imbalance:.1%}"
                count = len(panel.plan.moves)
                moves = f"{count} move{'s' * (count > 1)}"
                yield f"{panel.design.tag}: {moves}, imbalance {change}"
                yield from (f"    {n}. {step}" for n, step in enumerate(panel.plan.steps, 1))
