"""The conductors section of the power part."""

from __future__ import annotations

from facility.model.project.scalars import Section


class ConductorSection(Section):
    """The conductors: material, insulation, installation and lengths."""
