"""The reliability section of the power part."""

from __future__ import annotations

from facility.model.project.scalars import Section


class ReliabilitySection(Section):
    """Failure and repair times of the equipment."""
