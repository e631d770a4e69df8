"""Failure and repair times of the equipment, in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReliabilityBasis:
    """Failure and repair times of the equipment."""

    # Kind of component (of the network, or "circuit") to mean operating time between failures and
    # mean time to repair [s]; kinds that the project does not name are missing.
    times: Mapping[str, tuple[float, float]] = field(default_factory=dict)
