"""Presentation of the commissioning plan and of the operating limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.table import Results, Value
from facility.core.views import System, view_unit, view_value
from facility.report.book.lists.commissioning import LIMITS, tags_text
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, OfDesign
from facility.study.commissioning.limits import OperatingLimit
from facility.study.commissioning.model import LEVELS, CommissioningPlan, ExpectedReading, PlanStep

_UNVERIFIED = (
    "Tolerances and test values without a source read are marked [unverified]; confirm them with "
    "the standard and the data sheets of the purchased equipment."
)
_AID = "Planning aid: the commissioning agent and the manufacturers decide the test procedures."


@dataclass(frozen=True)
class Commissioning(OfDesign):
    """Steps by level, and the inputs that decide the open expected values."""

    plan: CommissioningPlan
    verb = "commissioning"

    @property
    def results(self) -> Mapping[str, object]:
        """Number of steps and readings."""
        counts = {
            "steps.count": len(self.plan.steps),
            **{f"steps.level_{level}": len(self.plan.level(level)) for level in LEVELS},
            "readings.count": sum(len(step.readings) for step in self.plan.steps),
            "readings.not_evaluated": sum(len(step.open) for step in self.plan.steps),
        }
        return Results({key: Value(number, "count") for key, number in counts.items()}).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the steps."""
        return {"steps": [step_object(step) for step in self.plan.steps]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the levels, the open readings, and the steps of each level."""
        yield self.levels()
        open_readings = self.open_readings()
        if open_readings.rows:
            yield open_readings
        for step in self.plan.steps:
            yield _step_table(step, system)

    def levels(self) -> TextTable:
        """Return the number of steps and readings by level."""
        rows = []
        for level, title in LEVELS.items():
            steps = self.plan.level(level)
            counts = (
                len(steps),
                sum(len(step.readings) for step in steps),
                sum(len(step.open) for step in steps),
            )
            if steps:
                rows.append((f"{level}", title, *(f"{count:,}" for count in counts)))
        heads = ("Level", "Tests", "Steps", "Readings", "Not evaluated")
        return TextTable("Commissioning plan", heads, rows)

    def open_readings(self) -> TextTable:
        """Return the inputs that decide the expected values that are not evaluated."""
        by_quantity: dict[str, list[str]] = {}
        for step in self.plan.steps:
            for one in step.open:
                by_quantity.setdefault(one.quantity.partition(":")[0], []).append(one.missing)
        rows = []
        for quantity, reasons in by_quantity.items():
            others = len(dict.fromkeys(reasons)) - 1
            more = f"; {others} further reasons for others (--full)" if others else ""
            rows.append((quantity, f"{len(reasons):,}", f"{reasons[0]}{more}"))
        return TextTable("Not evaluated", ("Reading", "Readings", "Decided by"), rows)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the plan."""
        return (_AID, _UNVERIFIED)


@dataclass(frozen=True)
class OperatingLimits(OfDesign):
    """Set points, limits and actions."""

    limits: Sequence[OperatingLimit]
    verb = "limits"

    @property
    def results(self) -> Mapping[str, object]:
        """Number of limits."""
        number = sum(one.limit is not None for one in self.limits)
        return Results({"limits.count": Value(number, "count")}).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the limits."""
        return {"limits": LIMITS.objects(self.limits)}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return limits with their actions."""
        rows = [
            (
                f"{one.equipment}{f', {tags_text(one.tags)}' if one.tags else ''}",
                (one.limit or one.setpoint).quantity,
                one.setpoint.expected(system),
                one.level or "not stated",
                one.limit.expected(system) if one.limit is not None else "",
                one.action,
            )
            for one in self.limits
        ]
        heads = ("Equipment", "Quantity", "Design", "Limit", "Value", "Action")
        yield TextTable("Operating limits", heads, rows)


def step_object(step: PlanStep) -> Object:
    """Return a step as a JSON object; numbers in the unit of their reading."""
    return {
        "id": step.id,
        "level": step.level,
        "equipment": list(step.tags),
        "initial_state": step.initial,
        "action": step.action,
        "acceptance": step.acceptance,
        "restoration": step.restoration,
        "source": step.source,
        "readings": [_reading_object(one) for one in step.readings],
    }


def _reading_object(one: ExpectedReading) -> Object:
    def plain(number: float | str | None) -> float | str | None:
        if isinstance(number, str) or number is None or not one.kind:
            return number
        return view_value(number, one.kind)

    return {
        "quantity": one.quantity,
        "expected": plain(one.value),
        "unit": view_unit(one.kind) if one.kind else one.unit,
        "lowest": plain(one.low),
        "highest": plain(one.high),
        "tolerance": one.tolerance,
        "tolerance_source": one.tolerance_source,
        "expected_from": one.origin,
        "outcome": "NOT_EVALUATED" if one.missing else "",
        "decided_by": one.missing,
    }


def _step_table(step: PlanStep, system: System) -> TextTable:
    """Return the readings of a step, with its states below."""
    rows = [
        (one.quantity, one.expected(system), one.missing or one.accepted(system))
        for one in step.readings
    ]
    states = (("Initial state", step.initial), ("Restoration", step.restoration))
    below = [f"{name}: {text}." for name, text in states if text]
    title = f"{step.id} {step.equipment}: {step.action}"
    heads = ("Reading", "Expected", "Accepted")
    return TextTable(title, heads, rows, [*below, ""])
