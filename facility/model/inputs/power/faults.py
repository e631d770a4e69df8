"""The faults section of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from facility.core.parse import Measured
from facility.model.inputs.scalars import Number, Section, quantity

_Level = Annotated[Measured, quantity("apparent_power", above=0.0, plausible="fault")]
_Fraction = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=1.0)]
_Reactance = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=1.0)]
_Factor = Annotated[Measured, quantity("ratio", minimum=0.5, maximum=1.2)]
_Multiple = Annotated[Measured, quantity("ratio", minimum=0.1, maximum=20.0)]
_Ratio = Annotated[Measured, quantity("ratio", above=0.0, maximum=1000.0)]
_Duration = Annotated[Measured, quantity("time", above=0.0, maximum=60.0)]
_Rating = Annotated[Measured, quantity("current", above=0.0)]
_Method = Annotated[
    Literal["per-unit", "point-to-point", "iec-60909"],
    Field(description="How impedances add: R + jX, magnitudes, or IEC 60909 with its factors."),
]


class FaultSection(Section):
    """The short-circuit study; the fault level of the utility stands in the site section.

    `prefault_highest` and `prefault_lowest` are the voltage before the fault over the nominal one
    (per-unit and point-to-point); `low_voltage_tolerance` is 6 % or 10 % and picks the voltage
    factor of IEC 60909. `motor_share` is the part of the mechanical load on motors without drives.
    `trip_multiple` is the instantaneous trip of branch breakers over their rating.
    The ratings are interrupting ratings or SCCR of medium-voltage switchgear, LV boards,
    panelboards and rack PDUs.
    """

    method: _Method | None = None
    prefault_highest: _Factor | None = None
    prefault_lowest: _Factor | None = None
    low_voltage_tolerance: Annotated[Measured, quantity("fraction", maximum=0.10)] | None = None
    utility_minimum_level: _Level | None = None
    utility_zero_sequence: _Ratio | None = None
    generator_reactance: _Reactance | None = None
    generator_x_over_r: _Ratio | None = None
    generator_zero_sequence: _Ratio | None = None
    generator_sustained: _Multiple | None = None
    motor_multiple: _Multiple | None = None
    motor_x_over_r: _Ratio | None = None
    motor_share: _Fraction | None = None
    ups_multiple: _Multiple | None = None
    ups_duration: _Duration | None = None
    transformer_tolerance: _Fraction | None = None
    dry_transformer_tolerance: _Fraction | None = None
    transformer_zero_sequence: Number | None = None
    cable_zero_resistance: _Ratio | None = None
    cable_zero_reactance: _Ratio | None = None
    clearing_time: _Duration | None = None
    trip_multiple: _Multiple | None = None
    switchgear_rating: _Rating | None = None
    board_rating: _Rating | None = None
    panel_rating: _Rating | None = None
    rack_pdu_rating: _Rating | None = None
