"""From the dc section of the project to its basis in SI."""

from __future__ import annotations

from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.power_chain import PowerChain
from facility.model.power_dc import DcBasis
from facility.model.project.power_dc import DcSection


def resolve_dc(section: DcSection, power: PowerChain, criteria: Criteria, trace: Trace) -> DcBasis:
    """Return direct-current distribution: 54 V rack busbars and 800 V feeders."""
    return DcBasis()
