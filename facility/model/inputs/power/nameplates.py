"""Nameplate data of the equipment of the power chain, as purchased."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.model.inputs.declare import optional, required
from facility.model.inputs.scalars import Section, Text, quantity

MAX_NAMEPLATES = 40

_Mass = Annotated[Measured, quantity("mass", above=0.0)]
_Length = Annotated[Measured, quantity("length", above=0.0, maximum=50.0)]


_Current = Annotated[Measured, quantity("current", above=0.0, maximum=1e4)]


class EquipmentNameplateSection(Section):
    """Nameplate of one type of equipment, for the equipment schedule and the one-line diagram."""

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
    relays: Text | None = optional(
        "Relay functions of the medium-voltage breakers by device number (IEEE C37.2), e.g. "
        "50/51, 50N/51N"
    )
    current_transformers: Text | None = optional("Current transformer ratio, e.g. 600:5")
    voltage_transformers: Text | None = optional("Voltage transformer ratio, e.g. 14,400:120")
    meters: Text | None = optional("Meters of one unit or bus, e.g. power quality, class 0.2")
    output_breaker: _Current | None = optional("Trip rating of the UPS output breaker")
    neutral: Literal["solid", "resistor", "reactor", "isolated"] | None = optional(
        "Neutral grounding of medium-voltage generators"
    )
