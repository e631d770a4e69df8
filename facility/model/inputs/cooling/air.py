"""The air path of the project: kind of unit in the halls, and its rating point."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import Name, Section, problem, quantity

_Heat = Annotated[Measured, quantity("heat_flow", above=0.0)]
_Power = Annotated[Measured, quantity("active_power")]
_Air = Annotated[Measured, quantity("air_flow", above=0.0)]
_Temperature = Annotated[Measured, quantity("temperature", minimum=-40.0, maximum=90.0)]
_Flow = Annotated[Measured, quantity("air_flow")]
_Open = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Leak = Annotated[Measured, quantity("fraction", maximum=0.5)]
_Pressure = Annotated[Measured, quantity("pressure", above=0.0, maximum=250.0)]
_Rise = Annotated[Measured, quantity("temperature_difference", above=0.0, maximum=20.0)]


class AirRatingSection(Section):
    """A unit of the halls at its rating point.

    `return_air` is the air that enters the coil: for a rear door the exhaust of the rack. Units
    with a water coil state `water_in` and `water_out`, CRACs `evaporating` and `outdoor`.
    """

    model: Name | None = None
    net_sensible: _Heat
    airflow: _Air
    return_air: _Temperature
    water_in: _Temperature | None = None
    water_out: _Temperature | None = None
    evaporating: _Temperature | None = None
    outdoor: _Temperature | None = None
    fan_power: _Power | None = None

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
        return self


class AirPathSection(Section):
    """The air path: `terminal` is the kind of unit that cools the halls.

    `model` is a catalogue model of that kind, `rating` a rating point of your own; CRAHs have
    theirs in ``cooling.crah``. `room_rise` belongs to rear doors: mean equipment inlet above the
    supply of the CRAHs that take what the doors leave. `supply` says whether the air comes through
    tiles of a raised floor; `tile_open_area`, `plenum_pressure` and `floor_leakage` (of the supply
    air, through seams and cut-outs) belong to it. Racks without `blanking` panels let exhaust
    through to their inlets. `ventilation` is the outdoor air brought into the halls.
    """

    terminal: (
        Literal["crah", "crac", "in-row", "rear-door", "active-rear-door", "fan-wall"] | None
    ) = None
    model: Name | None = None
    rating: AirRatingSection | None = None
    room_rise: _Rise | None = None
    supply: Literal["raised-floor", "direct"] | None = None
    tile_open_area: _Open | None = None
    plenum_pressure: _Pressure | None = None
    floor_leakage: _Leak | None = None
    blanking: Literal["full", "none"] | None = None
    ventilation: _Flow | None = None
    humidifier: Literal["adiabatic", "steam"] | None = None

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
        if self.model is not None and self.rating is not None:
            raise problem(
                "AIR_CONTRADICTION",
                "a catalogue model and a rating are both given.",
                "Give the model, or the rating point of your own unit.",
                at="model",
            )
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
