"""Steps of the commissioning plan and the readings of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.views import System, printed_unit, show

LEVELS = {
    1: "Factory witness tests",
    2: "Delivery and installation checks",
    3: "Start-up and component tests",
    4: "Functional tests of systems",
    5: "Integrated systems tests",
}
"""Commissioning levels, by number."""
_NAMED = 3
"""Maximum number of tags listed one by one."""
NORMAL = "normal operation, all equipment in service"
"""Initial state of the first integrated test."""


@dataclass(frozen=True)
class ExpectedReading:
    """Quantity to be measured in a step, with its expected value.

    `value` is in SI for a `kind`; without a kind it is in `unit`, or text. None is an expected
    value that is not known: `missing` names the reason and the input that decides it.
    """

    quantity: str
    value: float | str | None = None
    kind: str = ""
    unit: str = ""
    origin: str = ""  # Result id, check, catalogue row, state or case with the expected value
    tolerance: str = ""  # As text; empty for a value that is recorded only
    low: float | None = None  # Acceptance limits, as `value`; None for no limit
    high: float | None = None
    tolerance_source: str = ""
    missing: str = ""

    def text(self, number: float | str | None, system: System = "si") -> str:
        """Return a number as text with its unit; empty for None."""
        if number is None or isinstance(number, str):
            return number or ""
        if self.kind:
            return show(number, self.kind, system)
        return f"{number:,.6g} {printed_unit(self.unit)}".strip()

    def expected(self, system: System = "si") -> str:
        """Return the expected value as text, or that it is not evaluated."""
        if self.value is None:
            return "NOT_EVALUATED" if self.missing else ""
        return self.text(self.value, system)

    def accepted(self, system: System = "si") -> str:
        """Return the acceptance limits as text; empty for a value that is recorded only."""
        low, high = (self.text(limit, system) for limit in (self.low, self.high))
        if low and high:
            return low if low == high else f"{low} to {high}"
        return f"at least {low}" if low else f"at most {high}" if high else ""


@dataclass(frozen=True)
class PlanStep:
    """One step of the plan.

    `initial` and `restoration` are for integrated tests: each begins from the verified end of the
    preceding one.
    """

    id: str
    level: int
    tags: tuple[str, ...]  # Equipment, grouped where identical
    action: str
    acceptance: str
    source: str
    readings: tuple[ExpectedReading, ...] = ()
    initial: str = ""
    restoration: str = ""

    @property
    def equipment(self) -> str:
        """Its equipment as text: one tag, or first and last with the number."""
        tags = self.tags
        if len(tags) <= _NAMED:
            return ", ".join(tags)
        return f"{tags[0]} to {tags[-1]} ({len(tags):,})"

    @property
    def open(self) -> tuple[ExpectedReading, ...]:
        """Readings without an expected value."""
        return tuple(one for one in self.readings if one.missing)


@dataclass(frozen=True)
class CommissioningPlan:
    """The steps of a design, in order."""

    steps: tuple[PlanStep, ...]

    def __repr__(self) -> str:
        return f"<CommissioningPlan: {len(self.steps)} steps>"

    def level(self, number: int) -> Sequence[PlanStep]:
        """Return the steps of one level."""
        return [step for step in self.steps if step.level == number]
