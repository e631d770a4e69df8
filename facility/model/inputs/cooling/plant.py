"""Options of the plant in the project: pumping, staging of chillers, use of the heat elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import PRACTICE, UNSTATED
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Section, problem, quantity

_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Share = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Head = Annotated[Measured, quantity("pressure", above=0.0, maximum=2e6)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=0.0, maximum=90.0)]


class PumpingSection(Section):
    """Pumping of the chilled water, and the staging of the chillers."""

    scheme: Literal["variable-primary", "primary-secondary", "constant-primary"] | None = optional(
        "How the pumps of the chilled water are arranged",
        Default("variable-primary", "the flow follows the coils", UNSTATED),
    )
    minimum_flow: _Share | None = optional(
        "Least over design flow of a running chiller (variable-primary)",
        Default(0.4, "least flow of a running chiller; a bypass makes it up", PRACTICE),
    )
    primary_head: _Head | None = optional(
        "Head of the loop that primary pumps take (primary-secondary)"
    )
    stage_up: _Part | None = optional(
        "Part load of the running chillers above which one more starts",
        Default(0.9, "part load of the running chillers at which one more starts", PRACTICE),
    )
    stage_down: _Part | None = optional(
        "Part load of the running chillers below which one stops",
        Default(0.4, "part load of the running chillers at which one stops", PRACTICE),
    )

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

    fraction: _Share | None = optional("Part of the heat that is used, of what is warm enough")
    temperature: _Temperature | None = optional("Temperature that the heat is needed at")

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
