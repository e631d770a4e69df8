"""The foot of a panel schedule while it is written: what it is of, and its cells."""

from __future__ import annotations

from dataclasses import dataclass

from facility.power.panels.board.model import Panel
from facility.report.book.panels.loads import LoadsPlaces, ScheduledPanel
from facility.report.book.panels.places import PanelContext, PanelFrame, PanelPlaces
from facility.report.sheet.model import CellValue, Ref, Sheet, Span


@dataclass(frozen=True)
class Foot:
    """A panel, its circuits on this sheet and on Loads, and what has been found of it so far."""

    sheet: Sheet
    scheduled: ScheduledPanel
    places: LoadsPlaces
    context: PanelContext
    frame: PanelFrame
    found: PanelPlaces

    @property
    def panel(self) -> Panel:
        """The panel."""
        return self.scheduled.panel

    @property
    def neutral_load(self) -> str:
        """What the largest load to neutral is called: by its article, of the NEC alone."""
        return "L-N" if self.context.code.startswith("IEC") else "220.61"

    @property
    def states(self) -> tuple[tuple[int, int, str], ...]:
        """Columns of VA on Loads, number and name of the normal and the failover state."""
        failover = (self.places.failover, self.scheduled.failover, "failover")
        return (self.places.normal, 0, "normal"), failover

    def wide(self, row: int, first: int, last: int, value: CellValue, style: str) -> Ref:
        """Write a value into one row, from column `first` to `last`; return its address."""
        if first == last:
            return self.sheet.put(row, first, value, style)
        return self.sheet.merge(Span(row, first, row, last), value, style)

    def wide_formula(
        self, row: int, first: int, last: int, formula: str, value: CellValue, style: str
    ) -> Ref:
        """Write a formula with its value from column `first` to `last`; return its address."""
        if first != last:
            self.sheet.merge(Span(row, first, row, last), None, style)
        return self.sheet.formula(row, first, formula, value, style)
