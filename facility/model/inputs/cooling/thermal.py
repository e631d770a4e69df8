"""Thermal ride-through after a failure: masses, volumes, restart times."""

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
    "as laid out", "volume of loop pipes and racks; CDUs and other machines excluded"
)
_AS_NEEDED = Default(
    "as the ride-through needs",
    "smallest standard size with which no failure "
    "with cooling restart exceeds an allowable limit; none if no limit is exceeded",
)


class ThermalSection(Section):
    """Thermal masses of halls and loops, and restart of the cooling after a failure.

    Masses and volumes are totals of the facility.
    """

    room_height: _Height | None = optional(
        "Air height of the halls, including raised floor and ceiling plenum",
        Default(4.0, "halls with plenums", PRACTICE),
    )
    cold_share: _Part | None = optional(
        "Supply-side share of the hall air volume",
        Default(0.4, "cold aisles and supply plenum, the smaller part of a hall", PRACTICE),
    )
    structure_mass: _Mass | None = optional(
        "Heat capacity of floor, ceiling and racks, effective within minutes",
        Default(None, "per m2 of floor area and per rack", PRACTICE),
    )
    structure_conductance: _Conductance | None = optional(
        "Thermal conductance from floor, ceiling and racks to the air",
        Default(None, "per m2 of floor area and per rack", PRACTICE),
    )
    server_mass: _Mass | None = optional(
        "Heat capacity of the air-cooled equipment", Default(None, "per rack unit", _SERVER)
    )
    server_effectiveness: _Part | None = optional(
        "Air temperature rise through a server over its metal-to-inlet temperature difference",
        Default(0.5, "metal warmer than the leaving air by one air temperature rise", PRACTICE),
    )
    coil_mass: _Mass | None = optional(
        "Heat capacity of the coils, including water",
        Default(
            "1.5 kJ/K per kW of coil load, 0.5 per kW of CRAC rating",
            "about 25 L of water (less refrigerant) and 80 kg of metal per 100 kW",
            PRACTICE,
        ),
    )
    shutdown_inlet: _Shutdown | None = optional(
        "Shutdown inlet temperature of air-cooled equipment",
        Default(50.0, "planning value; rarely published by manufacturers", PRACTICE),
    )
    plate_mass: _Mass | None = optional(
        "Heat capacity of chips and cold plates",
        Default(None, "per W of chips and cold plates", PRACTICE),
    )
    plate_rise: _Rise | None = optional(
        "Cold-plate temperature rise over coolant supply, at full heat and flow",
        Default(30.0, "chips at 70 degC with coolant at 40 degC", PRACTICE),
    )
    plate_limit: _Limit | None = optional(
        "Shutdown temperature of chips and cold plates",
        Default(95.0, "thermal shutdown of chips", PRACTICE),
    )
    tcs_volume: _Volume | None = optional("Coolant loop volume", _AS_LAID_OUT)
    facility_water_volume: _Volume | None = optional("Facility water loop volume", _AS_LAID_OUT)
    chilled_water_volume: _Volume | None = optional(
        "Chilled water loop volume, without tank", _AS_LAID_OUT
    )
    facility_water_tank: _Tank | None = optional("Facility water buffer tank", _AS_NEEDED)
    chilled_water_tank: _Tank | None = optional(
        "Chilled water buffer tank",
        Default(
            "as the ride-through and the chillers need",
            "smallest standard size with which no failure with cooling restart exceeds "
            "an allowable limit, and with which the loop has the volume that the chillers require "
            "for close control",
        ),
    )
    tank_kind: Literal["mixed", "stratified"] | None = optional(
        "Type of chilled water buffer tank: mixed or stratified",
        Default("mixed", "conservative: temperature rises from the start", UNSTATED),
    )
    tank_usable: _Usable | None = optional(
        "Usable fraction of the chilled water buffer tank",
        Default(None, "100 % for a mixed tank, 87.5 % for a stratified tank", DERIVED),
    )
    ramp: _Ramp | None = optional(
        "Ramp time of fans and pumps from standstill",
        Default(15.0, "fans and pumps on variable-speed drives", PRACTICE),
    )
    chiller_restart: _Time | None = optional(
        "Restart time of a chiller or CRAC compressor, power to first cooling",
        Default(240.0, "quick-start chillers: 30 s and more", _RESTART),
    )
    chiller_ramp: _Ramp | None = optional(
        "Ramp time of a chiller or compressor, first cooling to capacity",
        Default(120.0, "chillers to full capacity", PRACTICE),
    )
    rejection_restart: _Time | None = optional(
        "Start time of a tower or dry cooler, from power return or failure of another",
        Default(60.0, "towers and dry coolers with pumps", PRACTICE),
    )
    generator_step: _Time | None = optional(
        "Interval between generator load steps",
        Default(5.0, "next load step after frequency recovery", _ISO),
    )
    standby_pump: Flag | None = optional(
        "Standby pump in every CDU", Default("true", "two pumps per CDU, one on duty", PRACTICE)
    )
    pump_changeover: _Time | None = optional(
        "Changeover time to the CDU standby pump",
        Default(10.0, "standby pump at full speed", PRACTICE),
    )
    standby_water_pumps: Flag | None = optional(
        "Idle standby for spare water-loop pumps",
        Default("false", "all installed pumps share the flow at lower speed", PRACTICE),
    )
    water_pump_start: _Time | None = optional(
        "Start delay of a standby water pump after a pump failure",
        Default(
            15.0, "alarm delay for a missing pump status; drive fault contacts: 1 to 2 s", _STATUS
        ),
    )
    standby_rejection: Flag | None = optional(
        "Idle standby for spare towers and dry coolers",
        Default(
            "false",
            "all installed towers and dry coolers share the load at lower fan speed",
            PRACTICE,
        ),
    )
    header_flow: _Flow | None = optional(
        "Remaining loop flow fraction with one header section isolated",
        Default(
            "as the header network leaves",
            "calculated flow of the header network with the worst section isolated",
            DERIVED,
        ),
    )
    horizon: _Horizon | None = optional(
        "Duration of the failure simulation",
        Default(1800.0, "generators and chillers have started by then", UNSTATED),
    )
