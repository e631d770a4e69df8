"""A tank of chilled water that is charged in cheap hours and gives in dear ones."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import PRACTICE, UNSTATED
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Section, problem, quantity

_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=1e6)]
_Usable = Annotated[Measured, quantity("fraction", minimum=0.3, maximum=1.0)]
_Reserve = Annotated[Measured, quantity("fraction", maximum=1.0)]
_USABLE = 0.875
_Gain = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]


class StorageSection(Section):
    """A stratified tank beside the chillers, run by the tariff; ride-throughs count its reserve."""

    volume: _Volume = required("Water in the tank")
    usable: _Usable | None = optional(
        "Part of it that gives water at its supply temperature",
        Default(_USABLE, "85 to 90 % of a stratified tank", PRACTICE),
    )
    gain: _Gain | None = optional(
        "Part of what it holds when full that a day of standing takes from it",
        Default(0.02, "heat through the insulation, and between cold and warm water", PRACTICE),
    )
    reserve: _Reserve | None = optional(
        "Part of it that the tariff leaves charged at all times, for failures",
        Default(0.0, "none: the tariff may empty it, and no ride-through counts on it", UNSTATED),
    )

    @model_validator(mode="after")
    def _reserve_is_usable(self) -> StorageSection:
        usable = self.usable.si if self.usable is not None else _USABLE
        if self.reserve is not None and self.reserve.si > usable:
            raise problem(
                "OUT_OF_RANGE",
                "the reserve is more than the tank gives at its supply temperature.",
                "Give at most the usable part.",
                at="reserve",
            )
        return self
