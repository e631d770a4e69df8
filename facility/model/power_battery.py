"""The UPS batteries: technology, block, autonomy and room, in SI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BatteryBasis:
    """The UPS batteries: technology, block, autonomy and room."""
