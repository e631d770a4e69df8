"""The dc section of the power part."""

from __future__ import annotations

from facility.model.project.scalars import Section


class DcSection(Section):
    """Direct-current distribution: 54 V rack busbars and 800 V feeders."""
