"""Failure and repair times of the equipment, in SI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReliabilityBasis:
    """Failure and repair times of the equipment."""
