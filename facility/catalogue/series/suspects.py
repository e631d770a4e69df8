"""Readings above a limit: their row and time, and the remedy for a spike or a stuck register."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.catalogue.series.plausible import high_level, row_text, rows_to_empty
from facility.catalogue.series.read import TimeSeries
from facility.catalogue.series.roles import MAX_GAP_H
from facility.catalogue.series.year import start_of


@dataclass(frozen=True)
class HighReading:
    """The highest reading of some steps."""

    value: float  # In SI
    rows: str  # Row, or first and last row, of the cells that cause it
    start: str  # Start of its step in standard time
    remedy: str  # Cells to empty, and the effect; empty if it is not a spike

    @property
    def where(self) -> str:
        """Row and time."""
        return f"{self.rows} ({self.start}, standard time)"


def highest_reading(series: TimeSeries, first: int, last: int) -> HighReading:
    """Return the highest reading of the steps `first` to `last`, the last one excluded."""
    at = first + int(np.argmax(series.values[first:last]))
    unread = np.zeros(len(series.values), bool) if series.unread is None else series.unread
    value = float(series.values[at])
    start = start_of(at, series.step_s, series.days)
    if value <= high_level(series.values):
        return HighReading(value, f"row {series.lines[at]:,}", start, "")
    found = rows_to_empty(series.values, unread, series.lines, at, register=series.register)
    rows = row_text(found)
    if found[0] < found[1]:
        remedy = (
            f"Clear the cells in {rows}, column {series.column[:40]}, which repeat one reading: "
            "the register increase is then spread evenly over these hours."
        )
    elif series.register:
        remedy = (
            f"Clear the cell in {rows}, column {series.column[:40]}: the mean power between the "
            "readings before and after is then used."
        )
    else:
        remedy = (
            f"Clear the cell in {rows}, column {series.column[:40]}: a gap of up to {MAX_GAP_H} "
            "h is then interpolated and reported."
        )
    return HighReading(value, rows, start, remedy)
