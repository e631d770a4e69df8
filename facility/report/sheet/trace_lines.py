"""Numbers of the calculation trace, as lines of a sheet: given ones and live ones."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.trace import Trace
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
        """Write a step as a number."""
        step = self.trace[id]
        return self.lines.given(
            label, float(step.value), step.kind, basis or step.because, number_format, unit
        )

    def live(
        self,
        label: str,
        id: str,
        formula: str,
        basis: str = "",
        *,
        total: bool = False,
        number_format: str = "",
        unit: str = "",
    ) -> Cited:
        """Write a step as a formula with its number."""
        step = self.trace[id]
        return self.lines.live(
            label,
            formula,
            float(step.value),
            step.kind,
            basis or step.because,
            total,
            number_format,
            unit,
        )

    def input(self, id: str, argument: str) -> float:
        """Return the SI value that a step was given for an argument."""
        return next(float(value) for name, value, _, _ in self.trace[id].inputs if name == argument)
