"""Trace steps of a conductor selection: silent during the search, recorded when selected."""

from __future__ import annotations

from dataclasses import dataclass

from facility.catalogue.articles import article
from facility.core.equation import AnyEquation
from facility.core.trace import SILENT, Trace


@dataclass(frozen=True)
class CircuitSteps:
    """Steps of one circuit, and the edition that numbers their articles."""

    trace: Trace = SILENT
    id: str = ""
    edition: str = ""

    def locator(self, subject: str) -> str:
        """Return the number of the article on `subject`."""
        return article(subject, self.edition).locator

    def link(self, name: str, value: float) -> float | str:
        """Return the id of the step `name` if it has exactly this `value`."""
        return self.trace.link(f"{self.id}.{name}", value)

    def do(
        self, name: str, equation: AnyEquation, because: str, /, **arguments: float | str
    ) -> float:
        """Apply an equation and record it."""
        return float(self.trace.do(f"{self.id}.{name}", equation, because, **arguments))

    def choose(
        self, name: str, value: float, kind: str, because: str, subject: str, **inputs: str
    ) -> float:
        """Record a choice by the article on `subject`; `inputs` are steps of this circuit."""
        refs = {label: f"{self.id}.{step}" for label, step in inputs.items()}
        source = article(subject, self.edition)
        return self.trace.choose(f"{self.id}.{name}", value, kind, because, source, **refs)


QUIET = CircuitSteps()
