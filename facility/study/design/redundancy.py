"""Redundancy of a design by system and machine, compared with the goal of the project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.cooling.parts.loads import CoolingCounts
from facility.core.check import Check, Severity
from facility.model.facility import Goal
from facility.model.power.redundancy import ONE_SYSTEM
from facility.power.train.types import ChainDesign
from facility.study.rules import RULES


@dataclass(frozen=True)
class SpareUnits:
    """Identical units: number installed and on duty."""

    name: str
    field: str  # Field with their redundancy
    installed: int
    duty: int

    @property
    def spare(self) -> int:
        """Standby units."""
        return max(0, self.installed - self.duty)

    @property
    def text(self) -> str:
        """Name and redundancy."""
        if self.duty > 1 and self.installed == 2 * self.duty:
            return f"{self.name} 2N"
        return f"{self.name} {f'N+{self.spare}' if self.spare else 'N'}"


def spare_units(chain: ChainDesign, counts: CoolingCounts) -> Iterator[SpareUnits]:
    """Yield the units of power and cooling that are installed."""
    sets, transformers = chain.generators, chain.transformers
    for name, field, installed, duty in (
        ("transformers", "power.transformer.redundancy", transformers.count, transformers.duty),
        ("generator sets", "power.generator.redundancy", sets.count, sets.count - sets.spare),
        ("room units", "cooling.crah.redundancy", counts.crah, counts.crah_duty),
        ("CDUs", "cooling.cdu.redundancy", counts.cdu, counts.cdu_duty),
        ("chillers", "cooling.plant.chiller.redundancy", counts.chillers, counts.chillers_duty),
        (
            "heat rejection",
            "cooling.plant.rejection.redundancy",
            counts.rejection,
            counts.rejection_duty,
        ),
        (
            "facility-water heat rejection",
            "cooling.facility_water.rejection.redundancy",
            counts.fws_rejection,
            counts.fws_rejection_duty,
        ),
    ):
        if installed:
            yield SpareUnits(name, field, installed, duty)


def redundancy_check(goal: Goal, chain: ChainDesign, counts: CoolingCounts) -> Check:
    """Return the redundancy check; without a goal it reports the redundancy of the design.

    A goal of spare units (N+1, N+2) applies to every machine; a goal of systems applies to the UPS
    systems, whose scheme meets it or is rejected with the input.
    """
    scheme, units = chain.chain.scheme, list(spare_units(chain, counts))
    systems = len(scheme.systems)
    has = f"UPS {scheme.name}" + (f" ({systems} systems)" if systems > 1 else "")
    words = "; ".join((has, ", ".join(one.text for one in units)))
    rule = RULES["REDUNDANCY"]
    if not goal.redundancy:
        return rule.verdict("as designed", True, words)
    required = ONE_SYSTEM.get(goal.redundancy, 0)
    short = [one for one in units if one.spare < required]
    named = ", ".join(f"{one.text} ({one.field})" for one in short)
    why = f"{named}; criteria.redundancy_goal is {goal.redundancy}" if short else words
    binding = replace(rule, severity=Severity.VIOLATION)
    return binding.verdict(f"{goal.redundancy} required", not short, why)
