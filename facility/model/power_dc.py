"""Direct-current distribution: 54 V rack busbars and 800 V feeders, in SI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DcBasis:
    """Direct-current distribution: 54 V rack busbars and 800 V feeders."""
