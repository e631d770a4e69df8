"""Options of the plant in the project: pumping, staging of chillers, use of the heat elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import Section, problem, quantity

_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Share = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Head = Annotated[Measured, quantity("pressure", above=0.0, maximum=2e6)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=90.0)]


class PumpingSection(Section):
    """Pumping of the chilled water, and the staging of the chillers.

    `minimum_flow` is the least flow of a running chiller over its design flow; a bypass makes it
    up (variable-primary). `primary_head` is the part of the loop's head that primary pumps take
    (primary-secondary). Chillers start above `stage_up` of their capacity and stop below
    `stage_down`.
    """

    scheme: Literal["variable-primary", "primary-secondary", "constant-primary"] | None = None
    minimum_flow: _Share | None = None
    primary_head: _Head | None = None
    stage_up: _Part | None = None
    stage_down: _Part | None = None

    @model_validator(mode="after")
    def _of_its_scheme(self) -> PumpingSection:
        scheme = self.scheme or "variable-primary"
        for name, owner in (
            ("minimum_flow", "variable-primary"),
            ("primary_head", "primary-secondary"),
        ):
            if getattr(self, name) is not None and scheme != owner:
                raise problem(
                    "PUMPING_CONTRADICTION",
                    f"{name} is given for {scheme}.",
                    f"It belongs to {owner}.",
                    at=name,
                )
        up, down = self.stage_up, self.stage_down
        if up is not None and down is not None and down.si >= up.si:
            raise problem(
                "OUT_OF_RANGE",
                "stage_down is not below stage_up.",
                "Chillers that start at 0.9 stop at about 0.4.",
                at="stage_down",
            )
        return self


class HeatReuseSection(Section):
    """Heat given to others: the part of what is warm enough, and how warm it must be."""

    fraction: _Share | None = None
    temperature: _Temperature | None = None

    @model_validator(mode="after")
    def _both(self) -> HeatReuseSection:
        if (self.fraction is None) != (self.temperature is None):
            missing = "fraction" if self.fraction is None else "temperature"
            raise problem(
                "REUSE_INCOMPLETE",
                f"{missing} is missing.",
                "Give the part of the heat that is used, and the temperature it is needed at.",
                at=missing,
            )
        return self
