"""The battery section of the power part."""

from __future__ import annotations

from facility.model.project.scalars import Section


class BatterySection(Section):
    """The UPS batteries: technology, block, autonomy and room."""
