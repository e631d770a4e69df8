"""What a study of the room collects: results with their steps, and checks."""

from __future__ import annotations

from dataclasses import dataclass, field

from facility.core.check import Check
from facility.core.equation import AnyEquation
from facility.core.table import Value
from facility.core.trace import Trace


@dataclass
class Findings:
    """Results by key and checks in order; every number has its step in the trace."""

    trace: Trace
    results: dict[str, Value] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)

    def note(self, key: str, value: float, kind: str, because: str, **inputs: str) -> float:
        """Record a number that follows as `because` says; `inputs` name steps, where they exist."""
        known = {name: ref for name, ref in inputs.items() if ref in self.trace}
        self.trace.derive(key, value, kind, because, **known)
        self.results[key] = Value(float(value), kind, because)
        return float(value)

    def do(
        self, key: str, equation: AnyEquation, basis: str = "", **arguments: float | str
    ) -> float:
        """Apply an equation and record what it gives."""
        value = float(self.trace.do(key, equation, basis, **arguments))
        self.results[key] = Value(value, equation.returns[0], basis)
        return value

    def text(self, key: str, words: str) -> None:
        """Record a result in words."""
        self.results[key] = Value(words)
