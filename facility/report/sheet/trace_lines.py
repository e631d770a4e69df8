"""Numbers of the calculation trace, as lines of a sheet: given ones and live ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.core.trace import Step, Trace
from facility.report.sheet.lines import Cited, Lines


@dataclass(frozen=True)
class TraceLines:
    """Writes steps of a trace as lines, each with its own reason unless another is given."""

    lines: Lines
    trace: Trace

    def __contains__(self, id: str) -> bool:
        return id in self.trace

    def given(
        self, label: str, id: str, basis: str = "", number_format: str = "", unit: str = ""
    ) -> Cited:
        """Write a step as a number; formulas name it by the last part of its id."""
        step = self.trace[id]
        cited = self.lines.given(
            label, float(step.value), step.kind, basis or step.because, number_format, unit
        )
        return self._known(id, cited)

    def inputs(self, id: str, **labels: str) -> None:
        """Write numbers that a step was given, by argument; formulas name them so."""
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

        Without a formula it is that of the equation of the step: an argument is the line that
        `lines` names, the line called like it, or that of the step it came from.
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
        """Return the SI value that a step was given for an argument."""
        return next(float(value) for name, value, _, _ in self.trace[id].inputs if name == argument)
