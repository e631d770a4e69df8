"""Nameplate data of the equipment of the power chain, as purchased."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.model.inputs.declare import optional, required
from facility.model.inputs.scalars import Section, Text, quantity

MAX_NAMEPLATES = 40

_Mass = Annotated[Measured, quantity("mass", above=0.0)]
_Length = Annotated[Measured, quantity("length", above=0.0, maximum=50.0)]


class EquipmentNameplateSection(Section):
    """Nameplate of one type of equipment, for the equipment schedule."""

    equipment: Literal[
        "mv-switchgear",
        "transformer",
        "generator",
        "ats",
        "lv-board",
        "ups",
        "battery",
        "sts",
        "pdu",
    ] = required("Equipment type")
    manufacturer: Text | None = optional("Manufacturer")
    type: Text | None = optional("Type")
    catalogue_number: Text | None = optional("Catalogue number")
    weight: _Mass | None = optional("Weight of one unit")
    width: _Length | None = optional("Width of one unit")
    depth: _Length | None = optional("Depth of one unit")
    height: _Length | None = optional("Height of one unit")
