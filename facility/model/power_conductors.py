"""The conductors: material, insulation, installation and lengths, in SI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConductorBasis:
    """The conductors: material, insulation, installation and lengths."""
