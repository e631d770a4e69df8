"""Rows of a power roll-up: active, reactive and apparent power side by side, live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.physics.circuits.currents import reactive_power
from facility.physics.circuits.distribution import apparent_of_parts
from facility.power.train.state import Power
from facility.report.sheet.lines import Cited, table_row
from facility.report.sheet.model import Ref, Sheet, Span
from facility.report.sheet.tables import shown

_W, _VAR, _VA = "active_power", "reactive_power", "apparent_power"
_HEADS = ("Stage", "kW", "kvar", "kVA", "Factor", "Unit", "Basis")
_LABEL, _KW, _KVAR, _KVA, _FACTOR, _UNIT, _BASIS = range(1, 8)


@dataclass(frozen=True)
class CitedPower:
    """Active and reactive power, each with its cell; `va` is the address of the apparent power."""

    w: Cited
    var: Cited
    va: str = ""

    @property
    def power(self) -> Power:
        """The two numbers as complex power."""
        return Power(self.w.si, self.var.si)


@dataclass(frozen=True)
class RackSide:
    """Roll-up results up to the UPS output, with losses by part."""

    output: CitedPower
    mech_ups: CitedPower
    other: CitedPower
    losses: dict[str, Cited]
    it: Cited


@dataclass
class PowerRows:
    """Writes rows downwards from `row`; the basis spans `basis_columns` columns."""

    sheet: Sheet
    row: int
    basis_columns: int = 1

    def section(self, title: str) -> None:
        """Start a section with its column headings."""
        self.row += 1
        self.sheet.put(self.row, 1, title, "section")
        self.sheet.row(self.row + 1, 1, _HEADS, "head")
        self._basis(self.row + 1, "Basis", "head")
        self.row += 2

    def power(
        self, label: str, power: Power, w: str, var: str, basis: str = "", total: bool = False
    ) -> CitedPower:
        """Write a row from the formulas of its active and reactive power."""
        style = "total" if total else "calc"
        row = self.row
        cited_w = table_row(self.sheet, row, _KW, float(power.w), _W, w, style)
        cited_var = table_row(self.sheet, row, _KVAR, float(power.var), _VAR, var, style)
        va = apparent_of_parts.in_cells(power_w=cited_w.here, reactive_var=cited_var.here)
        cited_va = table_row(self.sheet, row, _KVA, float(power.va), _VA, va, style)
        self._edges(label, basis, "")
        return CitedPower(cited_w, cited_var, cited_va.here)

    def total(self, label: str, power: Power, parts: Sequence[CitedPower]) -> CitedPower:
        """Write the complex sum of rows above."""
        w = "+".join(part.w.here for part in parts)
        var = "+".join(part.var.here for part in parts)
        return self.power(label, power, w, var, "sum of the rows above", total=True)

    def load(self, label: str, active: Cited, factor: float) -> CitedPower:
        """Write a load from its active power on another sheet and its power factor."""
        cell = self.factor_here(factor, "ratio")
        w = Ref("", self.row, _KW).here
        var = float(reactive_power.si(active.si, factor))
        return self.power(
            label,
            Power(active.si, var),
            str(active),
            reactive_power.in_cells(power_w=w, power_factor=cell),
            "with its power factor",
        )

    def of_sheet(self, label: str, there: CitedPower, basis: str) -> CitedPower:
        """Write a power that another sheet computes."""
        return self.power(label, there.power, str(there.w), str(there.var), basis)

    def given_kw(self, label: str, si: float) -> Cited:
        """Write a row with an active power of the design."""
        cited = table_row(self.sheet, self.row, _KW, float(si), _W)
        self._blank((_KVAR, _KVA))
        self._edges(label, "", "")
        return cited

    def factor(self, label: str, si: float, kind: str, basis: str = "") -> Cited:
        """Write a row with one number of the design."""
        cited = table_row(self.sheet, self.row, _FACTOR, float(si), kind)
        self._blank((_KW, _KVAR, _KVA))
        self._edges(label, basis, shown(si, kind).unit)
        return cited

    def factor_here(self, si: float, kind: str) -> str:
        """Write a number into the row that is written next; return its address."""
        return table_row(self.sheet, self.row, _FACTOR, float(si), kind).here

    def ratio(self, label: str, formula: str, si: float, kind: str, style: str = "calc") -> Cited:
        """Write a row with one live number; powers are in the kW column."""
        column = _KW if kind == _W else _FACTOR
        cited = table_row(self.sheet, self.row, column, float(si), kind, formula, style)
        self._blank(tuple(c for c in (_KW, _KVAR, _KVA) if c != column))
        self._edges(label, "", "" if kind == _W else shown(si, kind).unit)
        return cited

    def verdict(self, label: str, formula: str, text: str) -> None:
        """Write a row with a verdict computed live."""
        self.sheet.formula(self.row, _KW, formula, text, "verdict")
        self._blank((_KVAR, _KVA))
        self._edges(label, "", "")

    def va_cell(self, row: CitedPower) -> Ref:
        """Return the cell of the apparent power of a row."""
        return Ref(self.sheet.quoted, row.w.cell.row, _KVA)

    def _blank(self, columns: Sequence[int]) -> None:
        for column in columns:
            self.sheet.put(self.row, column, None, "pna")

    def _edges(self, label: str, basis: str, unit: str) -> None:
        self.sheet.put(self.row, _LABEL, label, "cell")
        if (self.row, _FACTOR) not in self.sheet.cells:
            self.sheet.put(self.row, _FACTOR, None, "cell")
        self.sheet.put(self.row, _UNIT, unit, "cell")
        self._basis(self.row, basis, "cell")
        self.row += 1

    def _basis(self, row: int, text: str, style: str) -> None:
        if self.basis_columns > 1:
            self.sheet.merge(Span(row, _BASIS, row, _BASIS + self.basis_columns - 1), text, style)
        else:
            self.sheet.put(row, _BASIS, text, style)
