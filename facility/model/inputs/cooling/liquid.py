"""The liquid path of the project: where the CDUs stand, margins, a chip on its cold plate."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.model.inputs.scalars import Section, quantity

_Heat = Annotated[Measured, quantity("heat_flow", above=0.0, maximum=2e4)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0, maximum=1e-3)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=30.0, maximum=130.0)]
_Margin = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Pressure = Annotated[Measured, quantity("pressure", above=0.0, maximum=3e6)]
_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=2.0)]


class ColdPlateSection(Section):
    """A chip on its cold plate: heat, flow through the plate, highest case temperature."""

    chip_power: _Heat
    flow: _Flow
    case_max: _Temperature


class LiquidPathSection(Section):
    """The coolant between CDUs and chips.

    With `cdu_mount` and no model the CDU is chosen from those of the catalogue that stand there.
    `head_margin` is kept spare of the head of the CDUs, `design_pressure` is the highest working
    pressure of the racks, `rack_volume` the coolant inside one rack.
    """

    cdu_mount: Literal["in-rack", "in-row", "row/perimeter"] | None = None
    head_margin: _Margin | None = None
    design_pressure: _Pressure | None = None
    rack_volume: _Volume | None = None
    cold_plate: ColdPlateSection | None = None
