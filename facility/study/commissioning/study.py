"""Commissioning plan of a design: levels 1 to 5, numbered in order."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from facility.catalogue import sources
from facility.core.errors import FacilityError
from facility.study.commissioning.earth_loops import earth_loop_steps
from facility.study.commissioning.expected import ExpectedValues
from facility.study.commissioning.integrated import IntegratedTests, chained
from facility.study.commissioning.loops import loop_steps
from facility.study.commissioning.model import LEVELS, CommissioningPlan, PlanStep
from facility.study.commissioning.subjects import Subject, subjects
from facility.study.commissioning.tolerances import Tolerances, source_text
from facility.study.design.design import Design
from facility.study.equipped import equipped

_BY_CODE = {"NEC": "memory-ieee-c57-12-00", "IEC": "memory-iec-60076-1"}
"""Standard of transformer tests by electrical code."""


@dataclass(frozen=True)
class _ListedStep:
    """A step of `steps.csv` with its readings: quantity, expected, tolerance, missing."""

    level: int
    code: str
    subject: str
    action: str
    acceptance: str
    source: str
    readings: tuple[tuple[str, str, str, str], ...]


@lru_cache(maxsize=1)
def _listed() -> tuple[_ListedStep, ...]:
    text = Path(__file__).with_name("steps.csv").read_text(encoding="utf-8")
    found: list[_ListedStep] = []
    for row in csv.DictReader(text.splitlines()):
        reading = (row["quantity"], row["expected"], row["tolerance"], row["missing"])
        readings = (reading,) if row["quantity"] else ()
        if row["action"]:
            found.append(
                _ListedStep(
                    level=int(row["level"]),
                    code=row["code"],
                    subject=row["subject"],
                    action=row["action"],
                    acceptance=row["acceptance"],
                    source=row["source"],
                    readings=readings,
                )
            )
        else:
            found[-1] = replace(found[-1], readings=(*found[-1].readings, *readings))
    return tuple(found)


@equipped
def commissioning(design: Design, levels: Sequence[int] = tuple(LEVELS)) -> CommissioningPlan:
    """Return the commissioning plan of a design: ordered steps with expected values.

    Every expected value is read from the design, its failure and ride-through studies, a
    check, the catalogue or a table of tests; an unknown one names the input that decides it.

    Parameters
    ----------
    design : Design
        The design.
    levels : sequence of int
        Levels 1 (factory witness) to 5 (integrated systems); all by default.

    Raises
    ------
    FacilityError
        ``OPTIONS`` for another level, and the errors of the distribution.
    """
    for level in levels:
        if level not in LEVELS:
            raise FacilityError(
                "OPTIONS", "level", f"{level!r} is not a level.", "Enter 1, 2, 3, 4 or 5."
            )
    values = ExpectedValues(design, Tolerances(design.facility.criteria.code))
    steps = [step for step in _steps(values) if step.level in levels]
    if 5 in levels:
        steps += IntegratedTests(values).steps()
    count: Counter[tuple[int, str]] = Counter()
    known, numbered = sources(), list[PlanStep]()
    for step in sorted(steps, key=lambda step: step.level):
        of = step.level, step.id
        count[of] += 1
        source = source_text(known[step.source]) if step.source in known else step.source
        id = f"L{step.level}-{step.id}-{count[of]:02d}"
        numbered.append(replace(step, id=id, source=source))
    first = next((n for n, step in enumerate(numbered) if step.level == 5), len(numbered))
    return CommissioningPlan((*numbered[:first], *chained(numbered[first:])))


def _steps(values: ExpectedValues) -> Iterator[PlanStep]:
    """Yield the steps of levels 1 to 4 for the equipment of the design."""
    present: dict[str, list[Subject]] = {}
    for subject in subjects(values.design):
        present.setdefault(subject.name, []).append(subject)
    for listed in _listed():
        for subject in present.get(listed.subject, ()):
            readings = (values.reading(*reading, subject) for reading in listed.readings)
            source = listed.source
            if source == "code":
                source = _BY_CODE.get(values.tolerances.code, source)
            yield PlanStep(
                listed.code,
                listed.level,
                subject.tags,
                listed.action,
                listed.acceptance,
                source,
                tuple(readings),
            )
    yield from earth_loop_steps(values)
    yield from loop_steps(values)
