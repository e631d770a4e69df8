"""From the conductors section of the project to its basis in SI."""

from __future__ import annotations

from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.power_chain import PowerChain
from facility.model.power_conductors import ConductorBasis
from facility.model.project.power_conductors import ConductorSection


def resolve_conductors(
    section: ConductorSection, power: PowerChain, criteria: Criteria, trace: Trace
) -> ConductorBasis:
    """Return the conductors: material, insulation, installation and lengths."""
    return ConductorBasis()
