"""The sheet Loads of an exported workbook: the load of each circuit by its row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from facility.core.errors import FacilityError
from facility.files.incoming.grid import ReadCells, plain_heading
from facility.files.workbook.reading import HEAD_ROWS
from facility.report.sheet.model import column_letter

PANEL_ROWS = 400
"""Maximum rows of a panel sheet."""
LOADS = "Loads"
_REFERENCE = re.compile(r"=\+?\$?'?Loads'?[!.]\$?([A-Z]{1,2})\$?(\d{1,6})", re.ASCII)
_NEEDED = ("panel", "circuit", "description", "class", "poles", "trip a", "conn.")


@dataclass(frozen=True)
class LoadRow:
    """One circuit on the Loads sheet.

    `texts` contains typed texts by heading; `power` the normal P and Q by heading, e.g.
    ``P AB W``; `va_columns` the letters of the three columns of normal VA, in phase order.
    """

    panel: str
    id: str
    row: int
    texts: Mapping[str, str]
    power: Mapping[str, Any]

    def leg(self, name: str) -> complex | None:
        """Return P + jQ of a phase or pair; None if a cell has no number."""
        p, q = self.power.get(f"p {name} w"), self.power.get(f"q {name} var")
        numbers = (int, float)
        if isinstance(p, numbers) and isinstance(q, numbers):
            return complex(p, q)
        return None


@dataclass(frozen=True)
class LoadsRead:
    """All rows of a Loads sheet, by row and by (panel, circuit), and the names of its phases."""

    rows: Mapping[int, LoadRow]
    by_circuit: Mapping[tuple[str, str], LoadRow]
    va_columns: Mapping[str, int]
    phases: tuple[str, str, str]

    def referred(self, formula: str) -> tuple[LoadRow, int] | None:
        """Return the row and phase of a formula that is a plain reference."""
        found = _REFERENCE.fullmatch(formula)
        if found is None or found[1] not in self.va_columns:
            return None
        row = self.rows.get(int(found[2]))
        return None if row is None else (row, self.va_columns[found[1]])

    def legs(self, row: LoadRow, connection: str) -> tuple[complex | None, ...]:
        """Return the power on A, B, C or on AB, BC, CA; None if a cell has no number."""
        a, b, c = (phase.casefold() for phase in self.phases)
        names = (a, b, c) if connection == "L-N" else (a + b, b + c, c + a)
        return tuple(row.leg(name) for name in names)

    def va(self, row: LoadRow, connection: str) -> tuple[float, float, float]:
        """Return the schedule VA of A, B, C from the typed power."""
        legs = [abs(leg or 0.0) for leg in self.legs(row, connection)]
        if connection != "L-N":
            legs = [(legs[x] + legs[x - 1]) / 2.0 for x in range(3)]
        return legs[0], legs[1], legs[2]


def read_loads(grid: ReadCells) -> LoadsRead:
    """Return the rows of the Loads sheet, columns found by their headings.

    Raises ``IMPORT_HEADING`` when a heading is missing.
    """
    top, heads = _headings(grid)
    first: dict[str, int] = {}
    for column, text in heads.items():
        first.setdefault(text, column)
    va = [text for text in first if text.endswith(" va") and text != "total va"][:3]
    missing = [name for name in _NEEDED if name not in first]
    if missing or len(va) != 3:
        raise FacilityError(
            "IMPORT_HEADING",
            grid.name,
            f"the heading {(missing or ['A VA'])[0]!r} in the sheet {LOADS} is missing.",
            "Restore the headings, or export the workbook again.",
        )
    power = [name for name in first if re.fullmatch(r"[pq] \w+ (w|var)", name)]
    rows = {}
    for row in sorted({r for r, _ in grid.values if r > top}):
        id = grid.text(row, first["circuit"])
        if id:
            texts = {name: grid.text(row, first[name]) for name in (*_NEEDED, "rack")}
            amounts = {name: grid.value(row, first[name]) for name in power}
            rows[row] = LoadRow(texts["panel"], id, row, texts, amounts)
    names = [name.removesuffix(" va").upper() for name in va]
    letters = {column_letter(first[name]): phase for phase, name in enumerate(va)}
    by_circuit = {(found.panel, found.id): found for found in rows.values()}
    return LoadsRead(rows, by_circuit, letters, (names[0], names[1], names[2]))


def _headings(grid: ReadCells) -> tuple[int, dict[int, str]]:
    for row, texts in grid.rows(HEAD_ROWS):
        heads = {column: plain_heading(text) for column, text in texts.items()}
        if {"panel", "circuit"} <= set(heads.values()):
            return row, heads
    return 0, {}
