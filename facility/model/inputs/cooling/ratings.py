"""Rating points of the user's own cooling equipment, as the data sheet states them."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import Name, Section, problem, quantity

_MOST_OWN_POWER = 0.2
"""Power of fans or pumps over the heat of their unit: more is a mistake of units."""
_Heat = Annotated[Measured, quantity("heat_flow", above=0.0)]
_Power = Annotated[Measured, quantity("active_power")]
_Air = Annotated[Measured, quantity("air_flow", above=0.0)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0)]
_Head = Annotated[Measured, quantity("pressure", above=0.0, maximum=2e6)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=90.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]


class CrahRatingSection(Section):
    """An air handler at its rating point: net sensible capacity, air, water, fan."""

    model: Name | None = None
    net_sensible: _Heat
    airflow: _Air
    return_air: _Temperature
    supply_air: _Temperature | None = None
    water_in: _Temperature
    water_out: _Temperature
    fan_power: _Power | None = None

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> CrahRatingSection:
        if not self.water_in.si < self.water_out.si < self.return_air.si:
            raise problem(
                "CRAH_RATING",
                "the water must warm up, and stay below the return air.",
                "Check water_in, water_out and return_air.",
                at="water_out",
            )
        return self


class CduRatingSection(Section):
    """A CDU at its rating point: capacity, approach and flows; the flows default to equal.

    `head` is the pressure it leaves for the coolant loop outside it at its flow.
    """

    model: Name | None = None
    capacity: _Heat
    approach: _Difference
    tcs_flow: _Flow
    fws_flow: _Flow | None = None
    pump_power: _Power | None = None
    head: _Head | None = None

    @model_validator(mode="after")
    def _pumps_are_small(self) -> CduRatingSection:
        power = self.pump_power
        if power is not None and power.si > _MOST_OWN_POWER * self.capacity.si:
            raise problem(
                "CDU_RATING",
                "the pumps take over 20 % of the heat of the CDU.",
                "Check pump_power and capacity: pumps take 1 or 2 % of it.",
                at="pump_power",
            )
        return self


class DryCoolerRatingSection(Section):
    """A dry cooler at its rating point: heat, entering air, fluid in and out, fans."""

    model: Name | None = None
    heat: _Heat
    air_in: _Temperature
    fluid_in: _Temperature
    fluid_out: _Temperature
    fan_power: _Power

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> DryCoolerRatingSection:
        if self.fan_power.si > _MOST_OWN_POWER * self.heat.si:
            raise problem(
                "DRY_COOLER_RATING",
                "the fans take over 20 % of the heat of the dry cooler.",
                "Check fan_power and heat: fans take 2 to 6 % of it.",
                at="fan_power",
            )
        if not self.air_in.si < self.fluid_out.si < self.fluid_in.si:
            raise problem(
                "DRY_COOLER_RATING",
                "the fluid must cool down, and stay above the air.",
                "Check fluid_in, fluid_out and air_in.",
                at="fluid_out",
            )
        return self
