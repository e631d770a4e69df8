"""Air handlers and the air path of the project: kind of unit in the halls, its rating point."""

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
"""Fans of air handlers, and of what is like them, of which no power is known."""
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
_LeastFan = Annotated[Measured, quantity("fraction", minimum=0.1, maximum=1.0)]
_Film = Annotated[Measured, quantity("ratio", minimum=0.05, maximum=20.0)]
_MGX = Source("ocp-mgx-rack-spec", "85 % to liquid, 15 % to air", "", "secondary")
_COIL = Source("modelica-buildings-heat-exchangers", "HADryCoil: r_nominal")


class AirRatingSection(Section):
    """A unit of the halls at its rating point.

    Units with a water coil state `water_in` and `water_out`, CRACs `evaporating` and `outdoor`.
    """

    model: Name | None = optional("Name of the unit")
    net_sensible: _Heat = required("Net sensible capacity, fan heat taken off")
    airflow: _Air = required("Air through the unit")
    return_air: _Temperature = required(
        "Air that enters the coil: for a rear door the exhaust of the rack"
    )
    water_in: _Temperature | None = optional("Water that enters the coil")
    water_out: _Temperature | None = optional("Water that leaves the coil")
    evaporating: _Temperature | None = optional(
        "Evaporating temperature of the refrigerant in the coil",
        Default(
            15.0, "refrigerant in the coil: at the usual dew point, so that it stays dry", PRACTICE
        ),
    )
    outdoor: _Temperature | None = optional(
        "Air at the condenser",
        Default(35.0, "95 F, at which condensers are commonly rated", PRACTICE),
    )
    fan_power: _Power | None = optional(
        "Power of the fans", Default(None, "no fan power is known for the unit")
    )

    @model_validator(mode="after")
    def _temperatures_in_order(self) -> AirRatingSection:
        water = (self.water_in, self.water_out)
        given = [m.si for m in water if m is not None]
        if len(given) == 1:
            raise problem(
                "AIR_RATING",
                "one of water_in and water_out is missing.",
                "Give both temperatures of the water.",
                at="water_in",
            )
        if given and not given[0] < given[1] < self.return_air.si:
            raise problem(
                "AIR_RATING",
                "the water must warm up, and stay below the return air.",
                "Check water_in, water_out and return_air.",
                at="water_out",
            )
        if self.evaporating is not None and not self.evaporating.si < self.return_air.si:
            raise problem(
                "AIR_RATING",
                "the refrigerant must evaporate below the return air.",
                "Check evaporating and return_air.",
                at="evaporating",
            )
        air, coldest = (self.net_sensible, self.airflow, self.return_air), self.water_in
        refuse_impossible_air("AIR_RATING", air, self.fan_power, coldest or self.evaporating)
        return self


class AirPathSection(Section):
    """The air path: what cools the halls, and how the air comes to the racks.

    CRAHs have their model and rating in `cooling.crah`.
    """

    terminal: (
        Literal["crah", "crac", "in-row", "rear-door", "active-rear-door", "fan-wall"] | None
    ) = optional(
        "Kind of unit that cools the halls",
        Default("crah", "chilled-water air handlers around the halls", UNSTATED),
    )
    model: Name | None = optional("Unit of the catalogue, of the kind of the terminal")
    rating: AirRatingSection | None = None
    room_rise: _Rise | None = optional(
        "With rear doors: mean equipment inlet above the supply of the CRAHs that take the rest",
        Default(
            3.0,
            "mean equipment inlet above the supply air: the rest is air that doors have cooled",
            PRACTICE,
        ),
    )
    supply: Literal["raised-floor", "direct"] | None = optional(
        "Whether the air comes through tiles of a raised floor or straight into the room",
        Default(
            None,
            "direct where hot aisles are contained or units stand in the rows, else a raised floor",
            UNSTATED,
        ),
    )
    tile_open_area: _Open | None = optional(
        "Open part of the area of a floor tile",
        Default(0.56, "grates, the most open tiles in use", PRACTICE),
    )
    plenum_pressure: _Pressure | None = optional(
        "Pressure under the raised floor",
        Default(12.5, "0.05 in of water under the floor", PRACTICE),
    )
    floor_leakage: _Leak | None = optional(
        "Part of the supply air that leaks through seams and cut-outs of the floor"
    )
    blanking: Literal["full", "none"] | None = optional(
        "Whether panels close the open slots of the racks"
    )
    ventilation: _Flow | None = optional(
        "Outdoor air brought into the halls",
        Default(None, "outdoor air of the halls by their floor area", _VENTILATION),
    )
    ventilation_fan: _FanPower | None = optional(
        "Power of the fans of this outdoor air for its flow",
        Default(FANS_W_PER_M3_S, "as those of air handlers: 0.67 W/cfm", FANS),
    )
    humidifier: Literal["adiabatic", "steam"] | None = optional(
        "What adds moisture to the halls",
        Default("adiabatic", "water evaporated in the air itself", UNSTATED),
    )

    @model_validator(mode="after")
    def _floor_is_raised(self) -> AirPathSection:
        for name in ("tile_open_area", "plenum_pressure", "floor_leakage"):
            if getattr(self, name) is not None and self.supply != "raised-floor":
                raise problem(
                    "AIR_CONTRADICTION",
                    f"{name} is given without a raised floor.",
                    "Set supply to raised-floor, or leave it out.",
                    at=name,
                )
        if self.terminal == "in-row" and self.supply == "raised-floor":
            raise problem(
                "AIR_CONTRADICTION",
                "in-row coolers blow into the aisle, not under a floor.",
                "Leave supply out, or choose crah as the terminal.",
                at="supply",
            )
        return self

    @model_validator(mode="after")
    def _one_basis(self) -> AirPathSection:
        refuse_both(self.model, self.rating, "AIR_CONTRADICTION")
        if (self.terminal or "crah") == "crah" and (self.model or self.rating):
            raise problem(
                "AIR_CONTRADICTION",
                "a unit is given for the air path, but the halls have CRAHs.",
                "Give the CRAH in cooling.crah, or choose another terminal.",
                at="model",
            )
        if self.room_rise is not None and "rear-door" not in (self.terminal or ""):
            raise problem(
                "AIR_CONTRADICTION",
                "room_rise is given without rear doors.",
                "Choose a rear door as the terminal, or leave room_rise out.",
                at="room_rise",
            )
        return self


class CrahSection(RedundantSection):
    """Air handlers: a catalogue model or a rating of your own, and how many."""

    model: Name | None = optional(
        "Air handler of the catalogue",
        Default(
            None,
            "class row from a heat balance, not a product: give the rating of the selected one",
        ),
    )
    rating: CrahRatingSection | None = None
    count: PositiveCount | None = optional(
        "Air handlers of the halls, spare ones included", most=10_000
    )
    electrical_count: PositiveCount | None = optional(
        "Air handlers of the electrical rooms", most=10_000
    )
    fan_curve: Name | None = optional(
        "Part-load curve of the fans",
        Default(
            "ideal cube law",
            "fans on speed control against coil, filter and plenum; other curves by name",
            DEFINITION,
        ),
    )
    least_fan_flow: _LeastFan | None = factor(
        "Least speed of the fans over full speed",
        Default(
            0.30,
            "speed below which the fans do not slow down; fewer of them would have to run",
            PRACTICE,
        ),
    )
    film_ratio: _Film | None = optional(
        "Air-side over water-side hA of the coil at its rating",
        Default(0.5, "the air has two thirds of the resistance", _COIL),
    )
    design_fraction: _Part | None = optional(
        "Part of the IT heat of liquid-cooled racks to size for in air",
        Default(
            0.15, "share of the heat of liquid-cooled racks that the air side is sized for", _MGX
        ),
        within=(0.05, 1.0),
    )

    @model_validator(mode="after")
    def _one_basis(self) -> CrahSection:
        refuse_both(self.model, self.rating, "CRAH_CONTRADICTION")
        return self
