"""Resolving and rolling up an ``it`` section in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from facility.core.check import Check
from facility.core.trace import Trace
from facility.model.inputs.it import ItSection
from facility.model.it import ItPlan
from facility.power.it.load import ItLoad, roll_up
from facility.study.resolve.it.plan import resolve_it

DATA = Path(__file__).parent / "data"
THREE = ("A", "B", "C")
TWO = ("A", "B")


def plan_of(plant: tuple[str, ...] = THREE, trace: Trace | None = None, **fields: Any) -> ItPlan:
    """Return the plan of an ``it`` section with `fields`."""
    return resolve_it(ItSection.model_validate(fields), plant, trace or Trace())


def load_of(plant: tuple[str, ...] = THREE, trace: Trace | None = None, **fields: Any) -> ItLoad:
    """Return the roll-up of an ``it`` section with `fields`."""
    used = trace or Trace()
    return roll_up(plan_of(plant, used, **fields), used)


def found(checks: tuple[Check, ...], rule: str, subject: str) -> Check:
    """Return the one check of `rule` whose subject begins with `subject`."""
    (check,) = [c for c in checks if c.rule == rule and c.subject.startswith(subject)]
    return check
