"""Operating limits: set points, alarm limits and the action at each.

The limits are those of the points list (`study.points.limits`); the set points are results of the
design, and the actions are listed by equipment and quantity in `operating.csv`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import get_args

from facility.power.network.graph.types import EquipmentKind
from facility.study.commissioning.expected import ExpectedValues
from facility.study.commissioning.model import ExpectedReading
from facility.study.commissioning.tolerances import Tolerances
from facility.study.design.design import Design
from facility.study.equipped import equipped
from facility.study.points.limits import CONTACTS, LimitSet
from facility.study.points.points import design_points
from facility.study.points.schedule import QUANTITIES

_LEVELS = {"low-low": "low_low", "low": "low", "high": "high", "high-high": "high_high"}
"""Column of the action by level."""


@dataclass(frozen=True)
class OperatingLimit:
    """One limit of a quantity with its action, or only the set point."""

    equipment: str
    tags: tuple[str, ...]  # Empty for all equipment of the class
    setpoint: ExpectedReading  # Quantity with the value in the design; no value without one
    level: str = ""  # low-low, low, high, high-high; empty for a set point without a limit
    limit: ExpectedReading | None = None  # None where no check, rating or input has one
    delay_s: float | None = None
    action: str = ""


@lru_cache(maxsize=1)
def limit_rows() -> tuple[Mapping[str, str], ...]:
    """Return the rows of `operating.csv`: equipment, quantity, set point and actions."""
    text = Path(__file__).with_name("operating.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@equipped
def operating_limits(design: Design) -> tuple[OperatingLimit, ...]:
    """Return set points, limits and actions of a design, in the order of the power and heat flow.

    Parameters
    ----------
    design : Design
        The design; its studies are run.

    Raises
    ------
    FacilityError
        The errors of the distribution.
    """
    values = ExpectedValues(design, Tolerances(design.facility.criteria.code))
    sets: dict[tuple[str, str], list[LimitSet]] = {}
    for one in design_points(design).sets.sets:
        sets.setdefault((one.equipment, one.quantity), []).append(one)
    present = {one.kind for one in design.distribution.plan.network.equipment}
    return tuple(
        limit
        for row in limit_rows()
        if row["equipment"] not in get_args(EquipmentKind) or row["equipment"] in present
        for limit in _limits(values, row, sets.get((row["equipment"], row["quantity"]), []))
    )


def _limits(
    values: ExpectedValues, row: Mapping[str, str], sets: list[LimitSet]
) -> Iterator[OperatingLimit]:
    """Yield the limits of one quantity; without any, its set point."""
    value, _, _, origin = values.figure(row["setpoint"])
    about = QUANTITIES[row["quantity"]]
    label, name, contact = row["label"], about.words, row["quantity"] in CONTACTS
    kind = "time" if contact else about.kind
    at = ExpectedReading(name, value, kind, "", origin if row["setpoint"] else "")
    if contact and row["quantity"] != "on_battery":
        at = ExpectedReading(name, "open", "", "", "state of the contact")
    found = False
    for one in sets:
        for limit in one.limits:
            found = True
            origin = f"check {limit.rule}; {limit.source}" if limit.rule else limit.source
            reading = ExpectedReading(name, limit.value, kind, "", origin)
            if contact:
                timed = limit.delay_s if row["quantity"] == "on_battery" else None
                closed = "closed" if timed is None else timed
                reading = ExpectedReading(name, closed, kind, "", origin)
            yield OperatingLimit(
                label, one.tags, at, limit.level, reading, limit.delay_s, row[_LEVELS[limit.level]]
            )
    if not found and value is not None:
        yield OperatingLimit(label, (), at)
