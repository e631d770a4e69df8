"""Calculation lines of a sheet: label, value, unit and basis, also from trace steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from facility.core.trace import Step, Trace
from facility.report.sheet.model import Ref, Sheet, Span
from facility.report.sheet.tables import is_converted, shown


def engine_role(kind: str, role: str = "given") -> str:
    """Return the style of an engine number: money and prices follow from prices too."""
    money = role == "given" and (kind.startswith("money") or "price" in kind)
    return "paid" if money else role


def note_conversion(sheet: Sheet, cell: Ref, kind: str) -> None:
    """Note that a cell has another unit than in SI."""
    if is_converted(kind):
        sheet.converted.add((cell.row, cell.column))


@dataclass(frozen=True)
class Cited:
    """Engine number in SI, and the cell that shows it in display units."""

    cell: Ref
    si: float
    kind: str

    def __str__(self) -> str:
        return str(self.cell)

    @property
    def here(self) -> str:
        """Address for a formula on the same sheet."""
        return self.cell.here

    @property
    def fixed(self) -> str:
        """Absolute address for a formula on the same sheet."""
        return self.cell.fixed


@dataclass
class Lines:
    """Writes lines downwards from `row`: label, value, unit, basis, from column `left` on.

    `basis_columns` is the number of columns the basis spans. Formulas refer to lines above by key,
    ``{key}``; `cells` contains the cell of each.
    """

    sheet: Sheet
    row: int
    left: int = 1
    basis_columns: int = 1
    cells: dict[str, Cited] = field(default_factory=dict)

    def section(self, title: str, *heads: str) -> None:
        """Start a section, with column headings below its title."""
        self.row += 1
        self.sheet.put(self.row, self.left, title, "section")
        self.row += 1
        names = heads or ("Quantity", "Value", "Unit", "Basis")
        self.sheet.row(self.row, self.left, names, "head")
        if self.basis_columns > 1 and len(names) == 4:
            self._basis(names[3], "head")
        self.row += 1

    def given(
        self,
        label: str,
        si: float,
        kind: str,
        basis: str = "",
        number_format: str = "",
        unit: str = "",
        key: str = "",
    ) -> Cited:
        """Write an input or selected number, in `unit` instead of the view unit."""
        number = shown(si, kind, unit)
        style = f"{engine_role(kind)}.{number_format or number.format}"
        cell = self.sheet.put(self.row, self.left + 1, number.value, style)
        note_conversion(self.sheet, cell, kind)
        return self._finish(label, Cited(cell, si, kind), number.unit, basis, key)

    def live(  # noqa: PLR0913 - what a line says
        self,
        label: str,
        formula: str,
        si: float,
        kind: str,
        basis: str = "",
        total: bool = False,
        number_format: str = "",
        unit: str = "",
        key: str = "",
    ) -> Cited:
        """Write a formula with its engine value."""
        number, formula = shown(si, kind, unit), self.formula(formula)
        style = f"{'total' if total else 'calc'}.{number_format or number.format}"
        cell = self.sheet.formula(self.row, self.left + 1, formula, number.value, style)
        note_conversion(self.sheet, cell, kind)
        return self._finish(label, Cited(cell, si, kind), number.unit, basis, key)

    def word(self, label: str, text: str, basis: str = "") -> None:
        """Write a line with a text value."""
        self.sheet.put(self.row, self.left + 1, text, "word")
        self._edges(label, "", basis)

    def verdict(self, label: str, formula: str, text: str, basis: str = "") -> None:
        """Write a line whose value is a verdict computed live."""
        self.sheet.formula(self.row, self.left + 1, self.formula(formula), text, "verdict")
        self._edges(label, "", basis)

    def check(self, label: str, condition: str, holds: bool, basis: str = "") -> None:
        """Write the verdict of a formula condition."""
        self.verdict(label, f'IF({condition},"OK","CHECK")', "OK" if holds else "CHECK", basis)

    def formula(self, template: str) -> str:
        """Return a formula with the cells of the lines it refers to."""
        return template.format_map({key: cited.here for key, cited in self.cells.items()})

    def _finish(self, label: str, cited: Cited, unit: str, basis: str, key: str) -> Cited:
        self._edges(label, unit, basis)
        if key:
            self.cells[key] = cited
        return cited

    def _edges(self, label: str, unit: str, basis: str) -> None:
        self.sheet.put(self.row, self.left, label, "cell")
        self.sheet.put(self.row, self.left + 2, unit, "cell")
        self._basis(basis, "cell")
        self.row += 1

    def _basis(self, text: str, style: str) -> None:
        first = self.left + 3
        if self.basis_columns > 1:
            span = Span(self.row, first, self.row, first + self.basis_columns - 1)
            self.sheet.merge(span, text, style)
        else:
            self.sheet.put(self.row, first, text, style)


def table_row(
    sheet: Sheet,
    row: int,
    column: int,
    si: float,
    kind: str,
    formula: str = "",
    style: str = "calc",
) -> Cited:
    """Write one number of a table: live with a formula, else the engine value."""
    number = shown(si, kind)
    if formula:
        cell = sheet.formula(row, column, formula, number.value, f"{style}.{number.format}")
    else:
        cell = sheet.put(row, column, number.value, f"{engine_role(kind)}.{number.format}")
    note_conversion(sheet, cell, kind)
    return Cited(cell, si, kind)


@dataclass(frozen=True)
class TraceLines:
    """Writes trace steps as lines, with the step's reason as default basis."""

    lines: Lines
    trace: Trace

    def __contains__(self, id: str) -> bool:
        return id in self.trace

    def given(
        self, label: str, id: str, basis: str = "", number_format: str = "", unit: str = ""
    ) -> Cited:
        """Write a step as a number; formulas refer to it by the last part of its id."""
        step = self.trace[id]
        cited = self.lines.given(
            label, float(step.value), step.kind, basis or step.because, number_format, unit
        )
        return self._known(id, cited)

    def inputs(self, id: str, **labels: str) -> None:
        """Write inputs of a step by argument name, which formulas refer to."""
        for argument, label in labels.items():
            kind = next(kind for name, _, kind, _ in self.trace[id].inputs if name == argument)
            self.lines.given(label, self.input(id, argument), kind, key=argument)

    def live(
        self,
        label: str,
        id: str,
        formula: str = "",
        basis: str = "",
        *,
        total: bool = False,
        number_format: str = "",
        unit: str = "",
        **lines: str,
    ) -> Cited:
        """Write a step as a formula with its number.

        Default formula: the equation of the step; an argument is the line given in `lines`, the
        line with its name, or the line of its source step.
        """
        step = self.trace[id]
        cited = self.lines.live(
            label,
            formula or self._equation(step, lines),
            float(step.value),
            step.kind,
            basis or step.because,
            total,
            number_format,
            unit or (step.equation.excel_unit if step.equation else ""),
        )
        return self._known(id, cited)

    def _equation(self, step: Step, lines: Mapping[str, str]) -> str:
        assert step.equation is not None
        cells = self.lines.cells
        found = {}
        for name, _, _, ref in step.inputs:
            keys = (lines.get(name, name), ref.rpartition(".")[2])
            found[name] = next(cells[key].here for key in keys if key in cells)
        return step.equation.in_cells(**found)

    def _known(self, id: str, cited: Cited) -> Cited:
        self.lines.cells[id.rpartition(".")[2]] = cited
        return cited

    def input(self, id: str, argument: str) -> float:
        """Return the SI value of a step argument."""
        return next(float(value) for name, value, _, _ in self.trace[id].inputs if name == argument)
