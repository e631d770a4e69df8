"""The liquid path of the project: where the CDUs stand, margins, a chip on its cold plate."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.core.sources import PRACTICE
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Section, quantity

_Heat = Annotated[Measured, quantity("heat_flow", above=0.0, maximum=2e4)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0, maximum=1e-3)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=30.0, maximum=130.0)]
_Margin = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Pressure = Annotated[Measured, quantity("pressure", above=0.0, maximum=3e6)]
_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=2.0)]


class ColdPlateSection(Section):
    """A chip on its cold plate: heat, flow through the plate, highest case temperature."""

    chip_power: _Heat = required("Heat of the chip")
    flow: _Flow = required("Coolant through the plate")
    case_max: _Temperature = required("Highest temperature of the case")


class LiquidPathSection(Section):
    """The coolant between CDUs and chips."""

    cdu_mount: Literal["in-rack", "in-row", "row/perimeter"] | None = optional(
        "Where the CDUs stand; without a model one is chosen from those that stand there"
    )
    head_margin: _Margin | None = optional(
        "Part of the head of the CDUs that is kept spare",
        Default(0.1, "head of the CDUs kept spare for fouling and balancing", PRACTICE),
    )
    design_pressure: _Pressure | None = optional(
        "Highest working pressure of the racks, gauge",
        Default(None, "highest working pressure of the racks, gauge"),
    )
    rack_volume: _Volume | None = optional(
        "Coolant inside one rack",
        Default(
            0.020,
            "coolant in plates, hoses and manifold of one rack: no maker publishes it",
            PRACTICE,
        ),
    )
    cold_plate: ColdPlateSection | None = None
