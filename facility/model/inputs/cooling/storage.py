"""A tank of chilled water that is charged in cheap hours and gives in dear ones."""

from __future__ import annotations

from typing import Annotated

from facility.core.parse import Measured
from facility.core.sources import PRACTICE
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Section, quantity

_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=1e6)]
_Usable = Annotated[Measured, quantity("fraction", minimum=0.3, maximum=1.0)]
_Gain = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]


class StorageSection(Section):
    """A stratified tank beside the chillers, run by the tariff; ride-throughs count none of it."""

    volume: _Volume = required("Water in the tank")
    usable: _Usable | None = optional(
        "Part of it that gives water at its supply temperature",
        Default(0.875, "85 to 90 % of a stratified tank", PRACTICE),
    )
    gain: _Gain | None = optional(
        "Part of what it holds when full that a day of standing takes from it",
        Default(0.02, "heat through the insulation, and between cold and warm water", PRACTICE),
    )
