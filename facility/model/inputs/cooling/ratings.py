"""Rating points of the user's own cooling equipment, as the data sheet states them."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import UNSTATED
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Name, Section, problem, quantity

_MOST_OWN_POWER = 0.2
"""Power of fans or pumps over the heat of their unit: more is a mistake of units."""
_AIR_J_M3K = 1.2 * 1006.0
"""Heat of standard air, which data sheets rate with."""
_LEAST_DROP_K = 2.0
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
    """Refuse air that would leave colder than its coil or is hardly cooled, and fans that heat it.

    air: Net sensible capacity, flow, and the air that enters.
    coldest: Water that enters the coil, or the refrigerant in it.
    """
    heat, flow, entering = air
    drop_k = heat.si / (_AIR_J_M3K * flow.si)
    leaving_c = entering.si - drop_k
    if coldest is not None and leaving_c <= coldest.si:
        raise problem(
            code,
            f"the air would leave at {leaving_c:.1f} degC, and the coil has {coldest.si:g} degC.",
            "Check net_sensible, airflow and return_air.",
            at="airflow",
        )
    if drop_k < _LEAST_DROP_K:
        raise problem(
            code,
            f"the air would fall by {drop_k:.2g} K alone.",
            "Check net_sensible and airflow: units cool their air by 5 to 20 K.",
            at="airflow",
        )
    if fan_power is not None and fan_power.si > _MOST_OWN_POWER * heat.si:
        raise problem(
            code,
            "the fans take over 20 % of the capacity.",
            "Check fan_power and net_sensible: fans take 3 to 8 % of it.",
            at="fan_power",
        )


class CrahRatingSection(Section):
    """An air handler at its rating point: net sensible capacity, air, water, fan."""

    model: Name | None = optional("Name of the air handler")
    net_sensible: _Heat = required("Net sensible capacity, fan heat taken off")
    airflow: _Air = required("Air through the unit")
    return_air: _Temperature = required("Air that enters the coil")
    supply_air: _Temperature | None = optional("Air that leaves the unit, to check the balance")
    water_in: _Temperature = required("Water that enters the coil")
    water_out: _Temperature = required("Water that leaves the coil")
    fan_power: _Power | None = optional(
        "Power of the fans", Default(None, "no fan power is known for the unit")
    )

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> CrahRatingSection:
        if not self.water_in.si < self.water_out.si < self.return_air.si:
            raise problem(
                "CRAH_RATING",
                "the water must warm up, and stay below the return air.",
                "Check water_in, water_out and return_air.",
                at="water_out",
            )
        air = self.net_sensible, self.airflow, self.return_air
        refuse_impossible_air("CRAH_RATING", air, self.fan_power, self.water_in)
        return self


class CduRatingSection(Section):
    """A CDU at its rating point."""

    model: Name | None = optional("Name of the CDU")
    capacity: _Heat = required("Heat that it moves")
    approach: _Difference = required("Coolant supply over the facility water that enters")
    tcs_flow: _Flow = required("Coolant to the racks")
    fws_flow: _Flow | None = optional(
        "Facility water", Default(None, "facility water at the rating as large as the coolant flow")
    )
    fws_fluid: Name | None = optional(
        "Fluid of the facility water at the rating",
        Default("water", "data sheets rate with water unless they say so", UNSTATED),
    )
    pump_power: _Power | None = optional(
        "Power of the pumps", Default(None, "for each L/s, as the XDU1350")
    )
    head: _Head | None = optional("Pressure left for the coolant loop outside the unit at its flow")

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

    model: Name | None = optional("Name of the dry cooler")
    heat: _Heat = required("Heat that it rejects")
    air_in: _Temperature = required("Air that enters")
    fluid_in: _Temperature = required("Fluid that enters")
    fluid_out: _Temperature = required("Fluid that leaves")
    fan_power: _Power = required("Power of the fans")

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


class TowerRatingSection(Section):
    """A cell of an open tower at its rating point: water or heat, wet bulb, range, approach, fan.

    The approach varies as that of the YorkCalc correlation, from this point.
    """

    model: Name | None = optional("Name of the tower")
    flow: _Flow | None = optional("Water through the cell; give it or the heat")
    heat: _Heat | None = optional("Heat that the cell rejects")
    wet_bulb: _Temperature = required("Wet bulb of the air that enters")
    range: _Difference = required("Range of the water")
    approach: _Difference = required("Leaving water above the wet bulb")
    fan_power: _Power = required("Power of the fan at full speed")

    @model_validator(mode="after")
    def _one_size(self) -> TowerRatingSection:
        if (self.flow is None) == (self.heat is None):
            raise problem(
                "TOWER_RATING",
                "the rating of a tower needs its flow or its heat, one of them.",
                "Give flow or heat; the range makes the one of the other.",
                at="flow",
            )
        heat_w = self.heat.si if self.heat is not None else 4.18e6 * _flow(self) * self.range.si
        if self.fan_power.si > _MOST_OWN_POWER * heat_w:
            raise problem(
                "TOWER_RATING",
                "the fan takes over 20 % of the heat of the tower.",
                "Check fan_power: fans of towers take 1 or 2 % of the heat.",
                at="fan_power",
            )
        return self


def _flow(section: TowerRatingSection) -> float:
    return section.flow.si if section.flow is not None else 0.0
