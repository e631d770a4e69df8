"""From the reliability section of the project to its basis in SI."""

from __future__ import annotations

from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.power_chain import PowerChain
from facility.model.power_reliability import ReliabilityBasis
from facility.model.project.power_reliability import ReliabilitySection


def resolve_reliability(
    section: ReliabilitySection, power: PowerChain, criteria: Criteria, trace: Trace
) -> ReliabilityBasis:
    """Return failure and repair times of the equipment."""
    return ReliabilityBasis()
