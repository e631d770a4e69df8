"""From the faults section of the project to its basis in SI."""

from __future__ import annotations

from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.power_chain import PowerChain
from facility.model.power_faults import FaultBasis
from facility.model.project.power_faults import FaultSection


def resolve_faults(
    section: FaultSection, power: PowerChain, criteria: Criteria, trace: Trace
) -> FaultBasis:
    """Return the short-circuit study: what is given of the network behind the service."""
    return FaultBasis()
