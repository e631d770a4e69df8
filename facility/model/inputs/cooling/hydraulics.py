"""The hydraulics of the project: routes of the pipes, roughness, limits of the sizes."""

from __future__ import annotations

from typing import Annotated, Literal

from facility.core.parse import Measured
from facility.core.sources import DERIVED, PRACTICE
from facility.model.inputs.declare import Default, optional
from facility.model.inputs.scalars import Flag, Section, quantity

_Route = Annotated[Measured, quantity("length", above=0.0, maximum=5000.0)]
_Spacing = Annotated[Measured, quantity("length", minimum=0.5, maximum=5000.0)]
_Fill = Annotated[Measured, quantity("temperature", minimum=1.0, maximum=40.0)]
_Roughness = Annotated[Measured, quantity("length", minimum=0.0, maximum=0.005)]
_Velocity = Annotated[Measured, quantity("velocity", minimum=0.3, maximum=6.0)]
_Shutoff = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=3.0)]
_Drop = Annotated[Measured, quantity("pressure", minimum=1e3, maximum=5e5)]
_Gradient = Annotated[Measured, quantity("pressure", minimum=20.0, maximum=5000.0)]


class HydraulicsSection(Section):
    """Pipes of the loops; routes are one way."""

    tcs_route: _Route | None = optional(
        "From the CDUs to the farthest rack of a row",
        Default(
            None, "CDUs at the end of the rows: the longest route along a row of racks", DERIVED
        ),
    )
    plant_route: _Route | None = optional(
        "From the plant to the farthest unit of the halls",
        Default(None, "50 m from the plant to the hall and half of its perimeter", PRACTICE),
    )
    rejection_route: _Route | None = optional(
        "From the plant to the towers or dry coolers",
        Default(40.0, "plant room below its roof or beside its yard", PRACTICE),
    )
    header: Literal["single", "ring", "dual"] | None = optional(
        "Supply and return headers of the water loops",
        Default(
            None,
            "by cooling.crah.redundancy: one pair of headers for N, a ring fed at two points for "
            "spare units, two pairs for 2N",
            PRACTICE,
        ),
    )
    tcs_header: Literal["single", "ring", "dual"] | None = optional(
        "Supply and return headers of the coolant, from the CDUs to the racks",
        Default(
            None,
            "one pair of headers fed from the CDUs; two pairs that feed every rack where "
            "criteria.availability_goal covers the cooling",
            PRACTICE,
        ),
    )
    header_valves: Flag | None = optional(
        "Isolation valves part the headers into sections with as many units as are spare",
        Default("true", "a section is shut without the others; of the coolant each rack", PRACTICE),
    )
    pump_shutoff: _Shutoff | None = optional(
        "Shutoff head of the pumps over their head at design flow",
        Default(1.2, "flat curves of centrifugal pumps, 1.1 to 1.25", PRACTICE),
    )
    branch: _Route | None = optional(
        "From a header to one unit",
        Default(10.0, "unit beside its header, with its valves", PRACTICE),
    )
    hose: _Route | None = optional(
        "From the header to one rack", Default(3.0, "header above or below the racks", PRACTICE)
    )
    valve_drop: _Drop | None = optional(
        "Pressure drop of the control valves of units and CDUs at design flow",
        Default(
            None,
            "as catalogued, or as much as gives the valve an authority of 0.25 over its unit and "
            "branch",
            PRACTICE,
        ),
    )
    elbow_spacing: _Spacing | None = optional(
        "Pipe for each elbow",
        Default(
            12.0, "one elbow on this length; and four tees, four valves, a check valve", PRACTICE
        ),
    )
    roughness: _Roughness | None = optional(
        "Roughness of the pipes",
        Default(45e-6, "commercial steel; 1.5 um for plastic", PRACTICE),
        symbol=r"\varepsilon",
    )
    velocity_min: _Velocity | None = optional(
        "Velocity that carries air along in the mains",
        Default(1.2, "twice the 0.6 m/s that carries air along in small pipes", PRACTICE),
    )
    velocity_max: _Velocity | None = optional(
        "Highest velocity that the pipes are chosen for",
        Default(3.0, "noise and erosion; the table of ASHRAE 90.1 goes by size", PRACTICE),
    )
    gradient_max: _Gradient | None = optional(
        "Highest pressure drop on one metre of pipe",
        Default(400.0, "4 ft of water on 100 ft, usual of closed loops", PRACTICE),
    )
    fill: _Fill | None = optional(
        "Temperature of the coolant when it is filled in",
        Default(15.0, "a building that is not warm yet", PRACTICE),
    )
