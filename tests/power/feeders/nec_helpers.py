"""Choices by the NEC of the circuits that published cases are built from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from facility.core.check import Check
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.types import ConductorChoice
from facility.study.verification.power.conductor_cases import COPPER, feeder
from facility.study.verification.power.panel_cases import NEC


def nec(edition: str) -> Criteria:
    """Return the criteria of an edition."""
    return replace(NEC, edition=edition)


def choose(
    continuous_a: float, basis: ConductorBasis = COPPER, by: Criteria = NEC, **changes: Any
) -> ConductorChoice:
    """Return the choice for such a feeder."""
    return choose_nec(feeder(continuous_a, **changes), basis, by, id="F1")


def check(choice: ConductorChoice, rule: str) -> Check:
    """Return the one check of a rule."""
    (found,) = [c for c in choice.checks if c.rule == rule]
    return found


def failed(choice: ConductorChoice) -> set[str]:
    """Return the rules that failed."""
    return {c.rule for c in choice.checks if c.failed}
