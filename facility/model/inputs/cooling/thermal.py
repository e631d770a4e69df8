"""What holds temperatures back after a failure: masses, volumes, restart times."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.model.inputs.scalars import Flag, Section, quantity

_Time = Annotated[Measured, quantity("time", maximum=3600.0)]
_Ramp = Annotated[Measured, quantity("time", minimum=1.0, maximum=3600.0)]
_Horizon = Annotated[Measured, quantity("time", minimum=60.0, maximum=7200.0)]
_Mass = Annotated[Measured, quantity("heat_capacity", above=0.0)]
_Volume = Annotated[Measured, quantity("volume", above=0.0, maximum=1e5)]
_Tank = Annotated[Measured, quantity("volume", maximum=1e5)]
_Height = Annotated[Measured, quantity("length", minimum=2.0, maximum=20.0)]
_Part = Annotated[Measured, quantity("fraction", minimum=0.05, maximum=0.95)]
_Usable = Annotated[Measured, quantity("fraction", minimum=0.3, maximum=1.0)]
_Flow = Annotated[Measured, quantity("fraction", maximum=1.0)]
_Rise = Annotated[Measured, quantity("temperature_difference", minimum=1.0, maximum=80.0)]
_Limit = Annotated[Measured, quantity("temperature", minimum=40.0, maximum=150.0)]
_Shutdown = Annotated[Measured, quantity("temperature", minimum=35.0, maximum=80.0)]
_Conductance = Annotated[Measured, quantity("thermal_conductance")]


class ThermalSection(Section):
    """Thermal masses of halls and loops, and how the cooling comes back after a failure.

    Masses and volumes are totals of the facility. `room_height` is that of the air of the halls,
    raised floor and ceiling plenum included. `coil_mass` is that of the coils with their water,
    `shutdown_inlet` the inlet air from which air-cooled equipment sheds its load. `plate_rise` is
    the temperature of chips and cold plates over the coolant supply, `plate_limit` where they
    stop. `header_flow` is the part of the flow of a loop left when one header is shut; with
    `standby_pump` every CDU has a second pump. `tank_usable` is the part of the chilled-water tank
    that gives water at its supply. With `standby_rejection` spare towers and dry coolers stand
    still until another fails; else all that are installed share the load.
    """

    room_height: _Height | None = None
    cold_share: _Part | None = None
    structure_mass: _Mass | None = None
    structure_conductance: _Conductance | None = None
    server_mass: _Mass | None = None
    server_effectiveness: _Part | None = None
    coil_mass: _Mass | None = None
    shutdown_inlet: _Shutdown | None = None
    plate_mass: _Mass | None = None
    plate_rise: _Rise | None = None
    plate_limit: _Limit | None = None
    tcs_volume: _Volume | None = None
    facility_water_volume: _Volume | None = None
    chilled_water_volume: _Volume | None = None
    facility_water_tank: _Tank | None = None
    chilled_water_tank: _Tank | None = None
    tank_kind: Literal["mixed", "stratified"] | None = None
    tank_usable: _Usable | None = None
    ramp: _Ramp | None = None
    chiller_restart: _Time | None = None
    chiller_ramp: _Ramp | None = None
    rejection_restart: _Time | None = None
    generator_step: _Time | None = None
    standby_pump: Flag | None = None
    pump_changeover: _Time | None = None
    standby_rejection: Flag | None = None
    header_flow: _Flow | None = None
    horizon: _Horizon | None = None
