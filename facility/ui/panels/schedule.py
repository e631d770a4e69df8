"""The schedule of a panel as a grid of two sides: circuits are edited, moved and explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.moves import moves_between
from facility.report.book.panels.text_grid import occupants, row_positions
from facility.report.why.pages import of_pole
from facility.ui.grid.model import (
    Asked,
    CellMark,
    GridColumn,
    GridContents,
    Moved,
    RowValues,
    Value,
)
from facility.ui.session.panel_rows import EDITABLE, GridRow, grid_rows, moved_rows, row_ids
from facility.ui.why.navigation import WhyRequest

LEFT, RIGHT = "l", "r"
_ENTERED = {
    "load": "description",
    "ckt": "position",
    "fixed": "fixed",
    "together": "together",
    "apart": "apart",
}
"""Editable columns of a side, with what is entered there."""
_EXPLAINED = {"va": "pole_va", "trip": "trip", "pf": "power_factor"}
"""Columns of results, with the last part of their result key."""
_Rows = tuple[GridRow, ...]
CellTexts = Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class PoleCell:
    """A pole in the schedule: its circuit, by id of `row_ids`, and its number from 0."""

    id: str
    circuit: Circuit
    pole: int


@dataclass(frozen=True)
class PoleGrid:
    """A panel as the rows of its schedule.

    panel: The panel, with the positions that are shown.
    state: Index of the state of the loads.
    details: Whether the columns are for balancing instead of loads.
    only: The side that is shown; empty for both.
    """

    panel: Panel
    state: int = 0
    details: bool = False
    only: str = ""

    @cached_property
    def poles(self) -> Mapping[tuple[str, str], PoleCell]:
        """The occupied poles by id of the row and side; circuits without a position at the end."""
        panel, found = self.panel, dict[tuple[str, str], PoleCell]()
        ids = {id(circuit): name for name, circuit in row_ids(panel).items()}
        at = occupants(panel)
        for row, positions in enumerate(row_positions(panel)):
            for side, position in zip((LEFT, RIGHT), positions, strict=True):
                if position in at:
                    circuit, pole = at[position]
                    found[str(row), side] = PoleCell(ids[id(circuit)], circuit, pole)
        for circuit in panel.circuits:
            if circuit.position is None:
                name = ids[id(circuit)]
                found[f"unplaced {name}", LEFT] = PoleCell(name, circuit, 0)
        return found

    def grid(
        self,
        label: str,
        entered: _Rows | None = None,
        rejected: tuple[str, str, str] | None = None,
        before: Panel | None = None,
    ) -> GridContents:
        """Return the schedule as a grid.

        entered: Rows as entered, which may differ from the panel; None: the grid only reads.
        rejected: Id of a circuit, column, and why its entry is rejected.
        before: The panel before the moves, to mark the moved circuits.
        """
        edits = entered is not None
        drafts = {row.id: row for row in entered or ()}
        accepted = {row.id: row for row in grid_rows(self.panel)}
        moved = {} if before is None else _moved(before, self.panel)
        rows = []
        for id, values in self._rows():
            marks = dict[str, CellMark]()
            for side in (LEFT, RIGHT):
                cell = self.poles.get((id, side))
                if cell is None or cell.pole:
                    marks |= self._rest(side, cell)
                if cell is not None and not cell.pole and edits:
                    marks |= self._marks(side, drafts[cell.id], accepted[cell.id], rejected)
                if cell is not None and cell.circuit.id in moved:
                    was = moved[cell.circuit.id]
                    for key in (f"{name}-{side}" for name in self._of_side):
                        marks[key] = replace(marks.get(key, CellMark()), was=was)
            shown = {key: mark for key, mark in marks.items() if key in self._keys}
            rows.append(RowValues(id, values, shown))
        columns = [self._column(key, edits=edits) for key in self._keys]
        name = f"schedule-{self.panel.tag}"
        return GridContents(label, columns, rows, name=name, moves=edits)

    def entries(self, cells: CellTexts) -> CellTexts:
        """Return texts entered in cells of the grid as texts by circuit and column.

        A position is entered as its label; of an IEC board a number alone is the first pole of
        that way.
        """
        labels = {self.panel.layout.label(n): str(n) for n in range(1, self.panel.poles + 1)}
        found = []
        for id, key, text in cells:
            name, _, side = key.partition("-")
            cell = self.poles.get((id, side))
            if cell is not None and name in _ENTERED:
                if name == "ckt":
                    if self.panel.layout.whole_ways and text.strip().isdecimal():
                        text = f"{text.strip()}L1"
                    text = labels.get(text.strip().upper(), text)
                found.append((cell.id, _ENTERED[name], text))
        return found

    def moved(self, rows: _Rows, event: Moved) -> _Rows:
        """Return rows with a circuit moved down, or to the other side."""
        side = event.key.partition("-")[2]
        cell, positions = self.poles.get((event.id, side)), row_positions(self.panel)
        if cell is None or cell.circuit.position is None:
            return rows
        first = next(n for n, pair in enumerate(positions) if cell.circuit.position in pair)
        to = first + event.rows
        across = int(side == RIGHT) + event.columns
        if not 0 <= to < len(positions) or across not in (0, 1):
            return rows
        target = positions[to][across]
        return rows if target is None else moved_rows(self.panel, rows, cell.id, target)

    def explained(self, event: Asked) -> WhyRequest | None:
        """Return the result that a cell shows."""
        name, _, side = event.key.partition("-")
        cell = self.poles.get((event.id, side))
        if cell is None or name not in _EXPLAINED:
            return None
        page = of_pole(self.panel, cell.circuit, cell.pole, self.state)
        return f"panel.circuit.{_EXPLAINED[name]}", page

    @property
    def _of_side(self) -> tuple[str, ...]:
        if self.details:
            return ("load", "fixed", "together", "apart", "ckt")
        return ("load", "poles", "trip", "pf", "va", "ckt")

    @property
    def _keys(self) -> tuple[str, ...]:
        left = [f"{name}-{LEFT}" for name in self._of_side if self.only != RIGHT]
        right = [f"{name}-{RIGHT}" for name in self._of_side if self.only != LEFT]
        return (*left, "phase", *reversed(right))

    def _column(self, key: str, *, edits: bool) -> GridColumn:
        name = key.partition("-")[0]
        column = {
            "load": GridColumn(key, "Load", help="Empty: the description of the design"),
            "poles": GridColumn(key, "P", "number", digits=0, width=30, help="Poles"),
            "trip": GridColumn(key, "Trip", "number", unit="A", width=58, why=True),
            "va": GridColumn(key, "VA", "number", digits=0, width=66, why=True),
            "ckt": GridColumn(
                key,
                "Ckt",
                width=56 if self.panel.layout.whole_ways else 44,
                help="Pole number of the first pole",
            ),
            "phase": GridColumn(key, "Ø", width=34),
            "pf": GridColumn(key, "PF", "number", digits=3, width=54, why=True),
            "fixed": GridColumn(
                key, "Fixed", "flag", width=56, help="Balancing does not move this circuit"
            ),
            "together": GridColumn(
                key, "Together", width=78, help="Equal entries: adjacent positions"
            ),
            "apart": GridColumn(key, "Apart", width=64, help="Equal entries: never on one phase"),
        }[name]
        return replace(column, editable=edits and name in _ENTERED)

    def _rows(self) -> list[tuple[str, list[Value]]]:
        panel, found = self.panel, list[tuple[str, list[Value]]]()
        for row, (left, right) in enumerate(row_positions(panel)):
            before = self._side(str(row), LEFT, left)
            after = self._side(str(row), RIGHT, right)
            found.append((str(row), [*before, self._phase(left or right), *reversed(after)]))
        for id, side in self.poles:
            if id.startswith("unplaced ") and self.only != RIGHT:
                after = self._side(id, RIGHT, None)
                found.append((id, [*self._side(id, side, None), None, *reversed(after)]))
        return found

    def _phase(self, position: int | None) -> str:
        if self.panel.is_busway or position is None:
            return ""
        return PHASE_NAMES[self.panel.numbering][self.panel.layout.phase(position)]

    def _side(self, id: str, side: str, position: int | None) -> list[Value]:
        """Return the cells of one side of a row, as the left side has them."""
        if self.only not in ("", side):
            return []
        cell = self.poles.get((id, side))
        values: dict[str, Value] = {}
        if cell is not None:
            circuit = cell.circuit
            values["va"] = circuit.pole_va(self.state)[cell.pole] or None
            if not cell.pole:
                total = circuit.total_va(self.state)
                values |= {
                    "load": circuit.description,
                    "poles": circuit.poles,
                    "trip": circuit.breaker_a,
                    "pf": total.real / abs(total) if abs(total) > 0.0 else None,
                    "fixed": circuit.fixed,
                    "together": circuit.together,
                    "apart": circuit.apart,
                }
        elif position is not None:
            values["load"] = "Space"
        if position is not None:
            values["ckt"] = self.panel.layout.label(position)
        return [values.get(name) for name in self._of_side]

    def _rest(self, side: str, cell: PoleCell | None) -> dict[str, CellMark]:
        """Return the marks of cells that belong to no circuit, or to the circuit above."""
        names = [name for name in self._of_side if name != "va" or cell is None]
        joined = cell is not None
        return {
            f"{name}-{side}": CellMark(rest=True, joined=joined and name != "ckt", dim=not joined)
            for name in names
        }

    def _marks(
        self, side: str, row: GridRow, accepted: GridRow, rejected: tuple[str, str, str] | None
    ) -> dict[str, CellMark]:
        """Return the marks of the entries of a circuit that are not applied."""
        keys = {column: f"{name}-{side}" for name, column in _ENTERED.items()}
        marks = {"ckt-" + side: CellMark(entry=self._text(accepted.position))}
        for column in EDITABLE:
            text, was = self._text(getattr(row, column)), self._text(getattr(accepted, column))
            if text != was:
                marks[keys[column]] = CellMark(text=text, was=was)
        if rejected is not None and rejected[0] == row.id:
            _, column, why = rejected
            marks[keys[column]] = CellMark(error=why, text=self._text(getattr(row, column)))
        return marks

    def _text(self, value: object) -> str:
        """Return an entry as it is typed: a position by its label."""
        if type(value) is int and 1 <= value <= self.panel.poles:
            return self.panel.layout.label(value)
        return "" if value is None else str(value)


def _moved(before: Panel, after: Panel) -> Mapping[str, str]:
    """Return the former position of each circuit that was moved or placed, by id."""
    moves = moves_between((before,), (after,))
    unplaced = {circuit.id: "unplaced" for circuit in before.circuits if circuit.position is None}
    return unplaced | {move.id: f"Ckt {move.before.label}" for move in moves}
