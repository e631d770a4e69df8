"""Shared data of panel schedules, and the result cells of one schedule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from facility.power.panels.board.model import Panel
from facility.report.book.panels.columns import LEFT, RIGHT, Form, Side
from facility.report.book.panels.supply import NOTHING_KNOWN, PanelSupply
from facility.report.sheet.entries import InputCell
from facility.report.sheet.model import CellValue, Ref, Span
from facility.report.sheet.tables import PageSetup


class PanelFrame(NamedTuple):
    """First and last row of the circuit body, and whether it is a single list of ways."""

    first: int
    last: int
    single: bool = False

    @property
    def form(self) -> Form:
        """Form of header and footer."""
        return Form(self.single)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides of the schedule."""
        return (LEFT,) if self.single else (LEFT, RIGHT)

    def cells(self, side: Side, key: str) -> Span:
        """Return a column of a side."""
        return Span(self.first, side.at[key], self.last, side.at[key])

    def codes(self, side: Side) -> str:
        """Return the load class cells of a side, for formulas."""
        return self.cells(side, "code").fixed

    def va(self, side: Side) -> Span:
        """Return the VA of a side, all phases."""
        return Span(self.first, side.va, self.last, side.va + 2)


class PlacedCell(NamedTuple):
    """Cell with the value computed by the engine."""

    cell: Ref
    value: CellValue


@dataclass(frozen=True)
class PanelContext:
    """Shared data of all panel schedules of a workbook.

    `issue` is revision, date and status in one line; `revisions` (rev, date, by, description);
    `supplies` contains the supply of each panel, by tag; `triplen` are the triplen harmonics of the
    rack currents over their root mean square, None where no spectrum is stated. Formulas refer to
    factor and limit by the cell names of the sheet Inputs.
    """

    code: str
    issue: str
    frequency_hz: float
    continuous_factor: float
    imbalance_limit: float
    revisions: tuple[tuple[str, str, str, str], ...]
    checker: str
    tool: str
    page_setup: PageSetup
    supplies: Mapping[str, PanelSupply] = field(default_factory=dict)
    triplen: float | None = None
    bus_a: float | None = None  # Rating of all panels, an input; None if it is not
    main_a: float | None = None
    sccr: Mapping[str, InputCell] = field(default_factory=dict)  # The stated SCCR, by tag

    def supply(self, panel: Panel) -> PanelSupply:
        """Return the supply of a panel; all unknown if it is not in the network."""
        return self.supplies.get(panel.tag, NOTHING_KNOWN)

    def factor(self, panel: Panel) -> float:
        """Return the continuous-load factor of a panel: 1 if listed for 100 %."""
        return 1.0 if panel.listed_100 else self.continuous_factor


@dataclass
class PanelCells:
    """Results of one schedule by name, for the sheets that total panels.

    `quoted` is the sheet name as written in formulas; `spans` contains rows of three cells, one per
    phase.
    """

    tag: str
    quoted: str
    results: dict[str, PlacedCell] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)

    def put(self, name: str, cell: Ref, value: CellValue) -> Ref:
        """Store the cell of a result; return its address."""
        self.results[name] = PlacedCell(cell, value)
        return cell

    def names(self, of: str) -> dict[str, str]:
        """Return the workbook names of its phases and its demand, each beginning with `of`."""
        return {
            f"{of}_Phase_VA": f"{self.quoted}!{self.spans['phase_va'].fixed}",
            f"{of}_Demand_kVA": str(self.results["demand_kva"].cell),
        }
