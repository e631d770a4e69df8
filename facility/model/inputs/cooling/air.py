"""Air handlers and the air path of the project: type of hall unit, rating point."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.sources import DEFINITION, PRACTICE, UNSTATED, Source
from facility.model.inputs.cooling.machines import RedundantSection, refuse_both
from facility.model.inputs.cooling.ratings import CrahRatingSection, refuse_impossible_air
from facility.model.inputs.declare import Default, factor, optional, required
from facility.model.inputs.scalars import Name, PositiveCount, Section, problem, quantity

FANS = Source("lbnl-dcpro-manual", "CRAH fan system: 0.67 W/cfm", "", "secondary")
FANS_W_PER_M3_S = 1420.0
"""Fans of air handlers and similar units without known fan power."""
_VENTILATION = Source("ashrae-62-1-computer-rooms", "0.06 cfm/ft2", "", "memory")


_Heat = Annotated[Measured, quantity("heat_flow", above=0.0)]
_Power = Annotated[Measured, quantity("active_power")]
_Air = Annotated[Measured, quantity("air_flow", above=0.0)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=90.0)]
_Flow = Annotated[Measured, quantity("air_flow")]
_FanPower = Annotated[Measured, quantity("specific_fan_power", maximum=5e3)]
_Open = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Leak = Annotated[Measured, quantity("fraction", maximum=0.5)]
_Pressure = Annotated[Measured, quantity("pressure", above=0.0, maximum=250.0)]
_Rise = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=20.0)]
_Part = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_MinFan = Annotated[Measured, quantity("fraction", minimum=0.1, maximum=1.0)]
_Film = Annotated[Measured, quantity("ratio", minimum=0.05, maximum=20.0)]
_MGX = Source("ocp-mgx-rack-spec", "85 % to liquid, 15 % to air", "", "secondary")
_COIL = Source("modelica-buildings-heat-exchangers", "HADryCoil: r_nominal")


class AirRatingSection(Section):
    """Hall cooling unit at its rating point.

    Units with a water coil have `water_in` and `water_out`, CRACs `evaporating` and `outdoor`.
    """

    model: Name | None = optional("Unit model")
    net_sensible: _Heat = required("Net sensible capacity, fan heat deducted")
    airflow: _Air = required("Unit air flow")
    return_air: _Temperature = required(
        "Coil entering air temperature; for a rear door the rack exhaust"
    )
    water_in: _Temperature | None = optional("Coil entering water temperature")
    water_out: _Temperature | None = optional("Coil leaving water temperature")
    evaporating: _Temperature | None = optional(
        "Evaporating temperature",
        Default(15.0, "refrigerant at the usual room dew point: dry coil", PRACTICE),
    )
    outdoor: _Temperature | None = optional(
        "Condenser entering air temperature",
        Default(35.0, "95 F, common condenser rating point", PRACTICE),
    )
    fan_power: _Power | None = optional("Fan power", Default(None, "unknown for the unit"))

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> AirRatingSection:
        water = (self.water_in, self.water_out)
        given = [m.si for m in water if m is not None]
        if len(given) == 1:
            raise problem(
                "AIR_RATING",
                "one of water_in and water_out is missing.",
                "Enter both water temperatures.",
                at="water_in",
            )
        if given and not given[0] < given[1] < self.return_air.si:
            raise problem(
                "AIR_RATING",
                "the leaving water must be warmer than the entering water and colder than the "
                "return air.",
                "Check water_in, water_out and return_air.",
                at="water_out",
            )
        if self.evaporating is not None and not self.evaporating.si < self.return_air.si:
            raise problem(
                "AIR_RATING",
                "the evaporating temperature must be below the return air.",
                "Check evaporating and return_air.",
                at="evaporating",
            )
        air, coldest = (self.net_sensible, self.airflow, self.return_air), self.water_in
        refuse_impossible_air("AIR_RATING", air, self.fan_power, coldest or self.evaporating)
        return self


class AirPathSection(Section):
    """The air path: hall cooling units and air delivery to the racks.

    CRAHs have their model and rating in `cooling.crah`.
    """

    terminal: (
        Literal["crah", "crac", "in-row", "rear-door", "active-rear-door", "fan-wall"] | None
    ) = optional(
        "Type of hall cooling unit",
        Default("crah", "chilled-water air handlers around the halls", UNSTATED),
    )
    model: Name | None = optional("Catalogue unit of the terminal type")
    rating: AirRatingSection | None = None
    room_rise: _Rise | None = optional(
        "Mean equipment inlet above the CRAH supply temperature, with rear doors",
        Default(
            3.0,
            "mean equipment inlet above the supply air; the remaining inlet air is door "
            "discharge air",
            PRACTICE,
        ),
    )
    supply: Literal["raised-floor", "direct"] | None = optional(
        "Air supply: raised-floor tiles or direct room supply",
        Default(
            None, "direct with hot-aisle containment or in-row units, else raised floor", UNSTATED
        ),
    )
    tile_open_area: _Open | None = optional(
        "Open area fraction of a floor tile",
        Default(0.56, "grate tiles, largest open area in use", PRACTICE),
    )
    plenum_pressure: _Pressure | None = optional(
        "Static pressure under the raised floor", Default(12.5, "0.05 in. w.c.", PRACTICE)
    )
    floor_leakage: _Leak | None = optional(
        "Supply air fraction leaking through floor seams and cut-outs"
    )
    blanking: Literal["full", "none"] | None = optional("Blanking panels in open rack units")
    ventilation: _Flow | None = optional(
        "Outdoor air flow of the halls",
        Default(None, "proportional to the floor area of the halls", _VENTILATION),
    )
    ventilation_fan: _FanPower | None = optional(
        "Specific fan power of the outdoor air",
        Default(FANS_W_PER_M3_S, "same as air handlers: 0.67 W/cfm", FANS),
    )
    humidifier: Literal["adiabatic", "steam"] | None = optional(
        "Humidifier type", Default("adiabatic", "water evaporated in the air stream", UNSTATED)
    )

    @model_validator(mode="after")
    def _floor_is_raised(self) -> AirPathSection:
        for name in ("tile_open_area", "plenum_pressure", "floor_leakage"):
            if getattr(self, name) is not None and self.supply != "raised-floor":
                raise problem(
                    "AIR_CONTRADICTION",
                    f"{name} is specified without a raised floor.",
                    "Set supply to raised-floor, or omit it.",
                    at=name,
                )
        if self.terminal == "in-row" and self.supply == "raised-floor":
            raise problem(
                "AIR_CONTRADICTION",
                "in-row coolers discharge into the aisle, not under a raised floor.",
                "Omit supply, or select crah as the terminal.",
                at="supply",
            )
        return self

    @model_validator(mode="after")
    def _one_basis(self) -> AirPathSection:
        refuse_both(self.model, self.rating, "AIR_CONTRADICTION")
        if (self.terminal or "crah") == "crah" and (self.model or self.rating):
            raise problem(
                "AIR_CONTRADICTION",
                "a unit is specified for the air path, but the halls have CRAHs.",
                "Enter the CRAH in cooling.crah, or select another terminal.",
                at="model",
            )
        if self.room_rise is not None and "rear-door" not in (self.terminal or ""):
            raise problem(
                "AIR_CONTRADICTION",
                "room_rise is specified without rear doors.",
                "Select a rear door as the terminal, or omit room_rise.",
                at="room_rise",
            )
        return self


class CrahSection(RedundantSection):
    """Air handlers: catalogue model or user rating, and count."""

    model: Name | None = optional(
        "Catalogue air handler",
        Default(
            None,
            "class row from a heat balance, not a product: enter the rating of the selected unit",
        ),
    )
    rating: CrahRatingSection | None = None
    count: PositiveCount | None = optional(
        "Air handlers of the halls, including spares", max_count=10_000
    )
    electrical_count: PositiveCount | None = optional(
        "Air handlers of the electrical rooms", max_count=10_000
    )
    fan_curve: Name | None = optional(
        "Fan part-load curve",
        Default(
            "ideal cube law",
            "fans on speed control against coil, filter and plenum; other curves selectable",
            DEFINITION,
        ),
    )
    least_fan_flow: _MinFan | None = factor(
        "Minimum fan speed over full speed",
        Default(0.30, "common minimum fan speed; below it, units are switched off", PRACTICE),
    )
    film_ratio: _Film | None = optional(
        "Air-side over water-side hA of the coil at its rating",
        Default(0.5, "the air has two thirds of the resistance", _COIL),
    )
    design_fraction: _Part | None = optional(
        "Air-side sizing share of the IT heat of liquid-cooled racks",
        Default(0.15, "15 % of rack heat to air", _MGX),
        within=(0.05, 1.0),
    )

    @model_validator(mode="after")
    def _one_basis(self) -> CrahSection:
        refuse_both(self.model, self.rating, "CRAH_CONTRADICTION")
        return self
