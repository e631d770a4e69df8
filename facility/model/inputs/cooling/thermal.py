"""What holds temperatures back after a failure: masses, volumes, restart times."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.core.sources import DERIVED, PRACTICE, UNSTATED, Source
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Flag, Section, quantity

_SERVER = Source("server-thermal-mass", "12 kJ/K for a server of 2 units", "", "secondary")
_RESTART = Source("chiller-restart-times", "4 to 8 min for a conventional chiller", "", "secondary")
_STATUS = Source("ashrae-guideline-36", "status alarm after 15 s", "2021", "secondary")
_ISO = Source("iso-8528-5", "frequency recovery of class G2", "2005")

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

_AS_LAID_OUT = Default(
    "as laid out",
    "pipes of the loop, and what its racks hold; CDUs and other machines are not counted",
)
_AS_NEEDED = Default(
    "as the ride-through needs",
    "the smallest standard size with which no failure "
    "that cooling comes back from passes an allowable limit; none where none is passed",
)


class ThermalSection(Section):
    """Thermal masses of halls and loops, and how the cooling comes back after a failure.

    Masses and volumes are totals of the facility.
    """

    room_height: _Height | None = optional(
        "Height of the air of the halls, raised floor and ceiling plenum included",
        Default(4.0, "halls with their plenums", PRACTICE),
    )
    cold_share: _Part | None = optional(
        "Part of the air of the halls that is on the supply side",
        Default(0.4, "cold aisles and supply plenum, the lesser part of a hall", PRACTICE),
    )
    structure_mass: _Mass | None = optional(
        "Heat capacity of floor, ceiling and racks that take part within minutes",
        Default(None, "for each m2 of floor and each rack", PRACTICE),
    )
    structure_conductance: _Conductance | None = optional(
        "Conductance from floor, ceiling and racks to the air",
        Default(None, "for each m2 of floor and each rack", PRACTICE),
    )
    server_mass: _Mass | None = optional(
        "Heat capacity of the equipment that air cools",
        Default(None, "for each rack unit", _SERVER),
    )
    server_effectiveness: _Part | None = optional(
        "Rise of the air through a server over the difference of its metal and its inlet",
        Default(0.5, "metal one rise of the air above what leaves it", PRACTICE),
    )
    coil_mass: _Mass | None = optional(
        "Heat capacity of the coils with the water in them",
        Default(
            "1.5 kJ/K for each kW of coil load, of the rating of CRACs 0.5",
            "some 25 L of water, of refrigerant less, and 80 kg of metal for 100 kW",
            PRACTICE,
        ),
    )
    shutdown_inlet: _Shutdown | None = optional(
        "Inlet air from which air-cooled equipment sheds its load",
        Default(
            50.0,
            "inlet air from which equipment sheds its load; makers seldom publish it",
            PRACTICE,
        ),
    )
    plate_mass: _Mass | None = optional(
        "Heat capacity of cold plates and what they cool",
        Default(None, "for each W of chips and cold plates", PRACTICE),
    )
    plate_rise: _Rise | None = optional(
        "Temperature of chips and cold plates over the coolant supply, at full heat and flow",
        Default(30.0, "chips of 70 degC on coolant of 40 degC", PRACTICE),
    )
    plate_limit: _Limit | None = optional(
        "Temperature of chips and cold plates at which the equipment stops itself",
        Default(95.0, "where chips stop themselves", PRACTICE),
    )
    tcs_volume: _Volume | None = optional("Coolant in the loops of the racks", _AS_LAID_OUT)
    facility_water_volume: _Volume | None = optional(
        "Water in the loop of the facility water", _AS_LAID_OUT
    )
    chilled_water_volume: _Volume | None = optional(
        "Water in the loop of the chilled water, without its tank", _AS_LAID_OUT
    )
    facility_water_tank: _Tank | None = optional("Buffer tank of the facility water", _AS_NEEDED)
    chilled_water_tank: _Tank | None = optional(
        "Buffer tank of the chilled water",
        Default(
            "as the ride-through and the chillers need",
            "the smallest standard size with which no failure that cooling comes back from passes "
            "an allowable limit, and with which the loop holds the water that the chillers need "
            "for close control",
        ),
    )
    tank_kind: Literal["mixed", "stratified"] | None = optional(
        "Whether warm and cold water mix in the tank of the chilled water",
        Default("mixed", "the careful choice: it warms from the start", UNSTATED),
    )
    tank_usable: _Usable | None = optional(
        "Part of the tank of the chilled water that gives water at its supply temperature",
        Default(None, "all of a mixed tank, 87.5 % of a stratified one", DERIVED),
    )
    ramp: _Ramp | None = optional(
        "Fans and pumps from standstill to their speed",
        Default(15.0, "fans and pumps on drives, up to their speed", PRACTICE),
    )
    chiller_restart: _Time | None = optional(
        "From power to the first cooling of a chiller, or of the compressor of a CRAC",
        Default(240.0, "from power to cooling; quick-start chillers take 30 s and more", _RESTART),
    )
    chiller_ramp: _Ramp | None = optional(
        "A chiller or compressor from its first cooling to its capacity",
        Default(120.0, "chillers up to capacity", PRACTICE),
    )
    rejection_restart: _Time | None = optional(
        "From power, or the failure of another, to a tower or dry cooler at work",
        Default(60.0, "towers and dry coolers with their pumps", PRACTICE),
    )
    generator_step: _Time | None = optional(
        "Time between two load steps of the generators",
        Default(5.0, "the next load step when the frequency is back", _ISO),
    )
    standby_pump: Flag | None = optional(
        "Whether every CDU has a second pump",
        Default("true", "two pumps in each CDU, one at work", PRACTICE),
    )
    pump_changeover: _Time | None = optional(
        "Until the standby pump of a CDU has taken over",
        Default(10.0, "standby pump up to its speed", PRACTICE),
    )
    standby_water_pumps: Flag | None = optional(
        "Whether spare pumps of the water loops stand still until another fails",
        Default("false", "all installed pumps of a loop share its flow at lower speed", PRACTICE),
    )
    water_pump_start: _Time | None = optional(
        "From the failure of a pump of a water loop to the start of its standby pump",
        Default(
            15.0,
            "alarm delay of a pump that reports no status; fault contacts of drives take 1 to 2 s",
            _STATUS,
        ),
    )
    standby_rejection: Flag | None = optional(
        "Whether spare towers and dry coolers stand still until another fails",
        Default(
            "false", "all installed towers and dry coolers share the load at slower fans", PRACTICE
        ),
    )
    header_flow: _Flow | None = optional(
        "Part of the flow of a loop that is left when a section of its headers is shut",
        Default(
            "as the header network leaves",
            "flows of the network of headers, branches and pumps with the worst section shut",
            DERIVED,
        ),
    )
    horizon: _Horizon | None = optional(
        "How long a failure is followed",
        Default(1800.0, "sets and chillers have started by then, or never will", UNSTATED),
    )
