"""A case of the verification manual and its outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Status = Literal["pass", "fail", "explained", "not_covered"]

_SHOWN = (
    "id", "title", "source", "expected", "computed", "unit", "deviation", "tolerance", "status",
    "reason",
)  # fmt: skip
_BINARY_ROUNDING = 1e-9
"""Relative rounding allowance added to the tolerance: a tolerance of 0 requires equality, which
binary fractions meet only to the last digits."""


@dataclass(frozen=True)
class PublishedCase:
    """One published number and its computation."""

    id: str  # Stable id
    title: str  # Computed quantity
    # Name of an equation or of a case function; empty if not computed.
    compute: str
    inputs: Mapping[str, float | str]  # Arguments by name, in SI
    expected: float | str  # Published number, in `unit`; a text for a size or a verdict
    unit: str  # Unit of expected, computed and tolerance
    # Permitted deviation from `expected`, in `unit`; None for a text, which must be identical.
    tolerance: float | None
    # `pass` for a case that must pass, `explained` for a deviation with a known reason,
    # `not_covered` for a case that is not computed.
    status: Status
    reason: str  # Reason of the deviation, or why it is not covered
    source: str  # Publication

    def evaluated(self, computed: float | str | None, reason: str = "") -> CaseOutcome:
        """Return the outcome for a computed value, or for None.

        computed: The number, in the unit of the case, or the text; None if the computation failed.
        reason: Why the computation failed.
        """
        if self.status == "not_covered":
            return self._outcome(None, None, "not_covered", self.reason)
        if isinstance(computed, str) and isinstance(self.expected, str):
            return self._agreed(computed, None, computed == self.expected)
        if (
            not isinstance(computed, float)
            or not isinstance(self.expected, float)
            or self.tolerance is None
        ):
            return self._outcome(computed, None, "fail", reason or "no value to compare")
        deviation = computed - self.expected
        allowed = self.tolerance + _BINARY_ROUNDING * abs(self.expected)
        return self._agreed(computed, deviation, abs(deviation) <= allowed)

    def _agreed(self, computed: float | str, deviation: float | None, agrees: bool) -> CaseOutcome:
        status: Status = "pass" if agrees else "fail"
        if not agrees and (isinstance(computed, str) or math.isfinite(computed)):
            status = self.status if self.status == "explained" else "fail"
        return self._outcome(computed, deviation, status, self.reason)

    def _outcome(
        self, computed: float | str | None, deviation: float | None, status: Status, reason: str
    ) -> CaseOutcome:
        came = replace(self, status=status, reason=reason)
        return CaseOutcome(**vars(came), computed=computed, deviation=deviation)


@dataclass(frozen=True)
class CaseOutcome(PublishedCase):
    """Outcome of one case; `deviation` is computed minus expected, in `unit`, None for a text."""

    computed: float | str | None
    deviation: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the case as the ``cases`` entry of the JSON contract."""
        return {name: _finite_or_none(getattr(self, name)) for name in _SHOWN}

    def as_row(self) -> tuple[str, ...]:
        """Return the case as texts: id to reason, in the order of a printed table."""
        return (
            self.id,
            self.source,
            _number(self.expected),
            _number(self.computed),
            self.unit,
            "" if self.deviation is None else f"{self.deviation:+.3g}",
            "" if self.tolerance is None else f"±{self.tolerance:.3g}",
            self.status,
            self.reason,
        )


def _finite_or_none(value: float | str | None) -> float | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: float | str | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.8g}"
