"""The faults section of the power part."""

from __future__ import annotations

from facility.model.project.scalars import Section


class FaultSection(Section):
    """The short-circuit study: what is given of the network behind the service."""
