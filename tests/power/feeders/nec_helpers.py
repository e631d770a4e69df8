"""Circuits, bases and criteria that the tests of the NEC rules are built from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from facility.core.check import Check
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.types import CircuitDemand, ConductorChoice

NEC = Criteria("NEC", "2023", 1.25, 0.0, 0.03, 0.03, 0.05, "A2", 27.0, 18.0, 32.0, "W32", 32.0)
COPPER = ConductorBasis(
    material="cu",
    insulation="THHN/THWN-2",
    insulation_c=90.0,
    termination_c=75.0,
    ambient_c=30.0,
    raceway="EMT",
    method="",
    largest_size="600",
    neutral_counted=True,
    grouped_circuits=1,
    transformer_length_m=25.0,
    generator_length_m=40.0,
    ups_length_m=20.0,
    feeder_length_m=45.0,
    panel_length_m=15.0,
    mechanical_length_m=60.0,
    branch_length_m=None,
)
LINE = CircuitDemand(100.0, 0.0, 3, 480.0, 480.0 / 3.0**0.5, "none", 10.0, 0.95)


def nec(edition: str) -> Criteria:
    """Return the criteria of an edition."""
    return replace(NEC, edition=edition)


def circuit(continuous_a: float, **changes: Any) -> CircuitDemand:
    """Return a three-phase 480 V feeder of 10 m without a neutral, with changes."""
    return replace(LINE, continuous_a=continuous_a, **changes)


def choose(
    continuous_a: float, basis: ConductorBasis = COPPER, by: Criteria = NEC, **changes: Any
) -> ConductorChoice:
    """Return the choice for such a feeder."""
    return choose_nec(circuit(continuous_a, **changes), basis, by, id="F1")


def check(choice: ConductorChoice, rule: str) -> Check:
    """Return the one check of a rule."""
    (found,) = [c for c in choice.checks if c.rule == rule]
    return found


def failed(choice: ConductorChoice) -> set[str]:
    """Return the rules that failed."""
    return {c.rule for c in choice.checks if c.failed}
