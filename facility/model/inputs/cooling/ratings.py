"""Rating points of the user's own cooling equipment, as the data sheet states them."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import UNSTATED
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Name, Section, problem, quantity

_MAX_OWN_POWER = 0.2
"""Power of fans or pumps over the heat of their unit: more indicates a unit error."""
_AIR_J_M3K = 1.2 * 1006.0
"""Volumetric heat capacity of standard air, as in data sheets."""
_MIN_DROP_K = 2.0
_Heat = Annotated[Measured, quantity("heat_flow", above=0.0)]
_Power = Annotated[Measured, quantity("active_power")]
_Air = Annotated[Measured, quantity("air_flow", above=0.0)]
_Flow = Annotated[Measured, quantity("liquid_flow", above=0.0)]
_Head = Annotated[Measured, quantity("pressure", above=0.0, maximum=2e6)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=90.0)]
_Difference = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=40.0)]


def refuse_impossible_air(
    code: str,
    air: tuple[Measured, Measured, Measured],
    fan_power: Measured | None,
    coldest: Measured | None,
) -> None:
    """Reject ratings with air colder than the coil, too little cooling, or excessive fan power.

    air: Net sensible capacity, flow, and entering air temperature.
    coldest: Entering water temperature, or evaporating temperature.
    """
    heat, flow, entering = air
    drop_k = heat.si / (_AIR_J_M3K * flow.si)
    leaving_c = entering.si - drop_k
    if coldest is not None and leaving_c <= coldest.si:
        raise problem(
            code,
            f"leaving air of {leaving_c:.1f} degC is colder than the coil at {coldest.si:g} degC.",
            "Check net_sensible, airflow and return_air.",
            at="airflow",
        )
    if drop_k < _MIN_DROP_K:
        raise problem(
            code,
            f"the air temperature drop is only {drop_k:.2g} K.",
            "Check net_sensible and airflow: typical air temperature drop is 5 to 20 K.",
            at="airflow",
        )
    if fan_power is not None and fan_power.si > _MAX_OWN_POWER * heat.si:
        raise problem(
            code,
            "the fan power exceeds 20 % of the capacity.",
            "Check fan_power and net_sensible: typical fan power is 3 to 8 % of capacity.",
            at="fan_power",
        )


class CrahRatingSection(Section):
    """Air handler at its rating point: net sensible capacity, air, water, fan."""

    model: Name | None = optional("Air handler model")
    net_sensible: _Heat = required("Net sensible capacity, fan heat deducted")
    airflow: _Air = required("Unit air flow")
    return_air: _Temperature = required("Coil entering air temperature")
    supply_air: _Temperature | None = optional(
        "Leaving air temperature, for the heat balance check"
    )
    water_in: _Temperature = required("Coil entering water temperature")
    water_out: _Temperature = required("Coil leaving water temperature")
    fan_power: _Power | None = optional("Fan power", Default(None, "unknown for the unit"))

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> CrahRatingSection:
        if not self.water_in.si < self.water_out.si < self.return_air.si:
            raise problem(
                "CRAH_RATING",
                "the leaving water must be warmer than the entering water and colder than the "
                "return air.",
                "Check water_in, water_out and return_air.",
                at="water_out",
            )
        air = self.net_sensible, self.airflow, self.return_air
        refuse_impossible_air("CRAH_RATING", air, self.fan_power, self.water_in)
        return self


class CduRatingSection(Section):
    """CDU at its rating point."""

    model: Name | None = optional("CDU model")
    capacity: _Heat = required("Heat transfer capacity")
    approach: _Difference = required("Approach: coolant supply minus entering facility water")
    tcs_flow: _Flow = required("Coolant flow")
    fws_flow: _Flow | None = optional(
        "Facility water flow", Default(None, "equal to the coolant flow at the rating")
    )
    fws_fluid: Name | None = optional(
        "Facility water fluid at the rating",
        Default("water", "data sheet ratings with water unless stated", UNSTATED),
    )
    pump_power: _Power | None = optional(
        "Pump power", Default(None, "same power per L/s as the XDU1350")
    )
    head: _Head | None = optional("External head for the coolant loop at rated flow")

    @model_validator(mode="after")
    def _pumps_are_small(self) -> CduRatingSection:
        power = self.pump_power
        if power is not None and power.si > _MAX_OWN_POWER * self.capacity.si:
            raise problem(
                "CDU_RATING",
                "the pump power exceeds 20 % of the CDU capacity.",
                "Check pump_power and capacity: typical pump power is 1 to 2 % of capacity.",
                at="pump_power",
            )
        return self


class DryCoolerRatingSection(Section):
    """Dry cooler at its rating point: heat, entering air, fluid in and out, fans."""

    model: Name | None = optional("Dry cooler model")
    heat: _Heat = required("Heat rejection capacity")
    air_in: _Temperature = required("Entering air temperature")
    fluid_in: _Temperature = required("Entering fluid temperature")
    fluid_out: _Temperature = required("Leaving fluid temperature")
    fan_power: _Power = required("Fan power")

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> DryCoolerRatingSection:
        if self.fan_power.si > _MAX_OWN_POWER * self.heat.si:
            raise problem(
                "DRY_COOLER_RATING",
                "the fan power exceeds 20 % of the heat of the dry cooler.",
                "Check fan_power and heat: typical fan power is 2 to 6 % of the heat.",
                at="fan_power",
            )
        if not self.air_in.si < self.fluid_out.si < self.fluid_in.si:
            raise problem(
                "DRY_COOLER_RATING",
                "the leaving fluid must be colder than the entering fluid and warmer than the air.",
                "Check fluid_in, fluid_out and air_in.",
                at="fluid_out",
            )
        return self


class TowerRatingSection(Section):
    """Open tower cell at its rating point: water or heat, wet bulb, range, approach, fan.

    The approach follows the YorkCalc correlation from this point.
    """

    model: Name | None = optional("Tower model")
    flow: _Flow | None = optional("Cell water flow; enter flow or heat")
    heat: _Heat | None = optional("Cell heat rejection")
    wet_bulb: _Temperature = required("Entering wet-bulb temperature")
    range: _Difference = required("Range")
    approach: _Difference = required("Approach: leaving water minus wet bulb")
    fan_power: _Power = required("Fan power at full speed")

    @model_validator(mode="after")
    def _one_size(self) -> TowerRatingSection:
        if (self.flow is None) == (self.heat is None):
            raise problem(
                "TOWER_RATING",
                "a tower rating requires either flow or heat.",
                "Enter flow or heat; the range relates the two.",
                at="flow",
            )
        heat_w = self.heat.si if self.heat is not None else 4.18e6 * _flow(self) * self.range.si
        if self.fan_power.si > _MAX_OWN_POWER * heat_w:
            raise problem(
                "TOWER_RATING",
                "the fan power exceeds 20 % of the heat of the tower.",
                "Check fan_power: typical tower fan power is 1 to 2 % of the heat.",
                at="fan_power",
            )
        return self


def _flow(section: TowerRatingSection) -> float:
    return section.flow.si if section.flow is not None else 0.0
