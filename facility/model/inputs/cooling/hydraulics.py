"""The hydraulics of the project: pipe routes, roughness, sizing limits."""

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
_Pressure = Annotated[Measured, quantity("pressure", above=0.0, maximum=4e6)]
_Gradient = Annotated[Measured, quantity("pressure", minimum=20.0, maximum=5000.0)]


class HydraulicsSection(Section):
    """Pipes of the loops; routes are one way."""

    tcs_route: _Route | None = optional(
        "Route from the CDUs to the farthest rack of a row",
        Default(None, "CDUs at the row ends: longest route along a row of racks", DERIVED),
    )
    plant_route: _Route | None = optional(
        "Route from the plant to the farthest hall unit",
        Default(None, "50 m from the plant to the hall, plus half the hall perimeter", PRACTICE),
    )
    rejection_route: _Route | None = optional(
        "Route from the plant to the towers or dry coolers",
        Default(40.0, "plant room below the roof or next to the yard", PRACTICE),
    )
    header: Literal["single", "ring", "dual"] | None = optional(
        "Arrangement of the water supply and return headers",
        Default(
            None,
            "by cooling.crah.redundancy: one pair of headers for N, a ring fed at two points for "
            "spare units, two pairs for 2N",
            PRACTICE,
        ),
    )
    tcs_header: Literal["single", "ring", "dual"] | None = optional(
        "Arrangement of the coolant headers, CDUs to racks",
        Default(
            None,
            "one pair of headers fed from the CDUs; two pairs that feed every rack where "
            "criteria.availability_goal covers the cooling",
            PRACTICE,
        ),
    )
    header_valves: Flag | None = optional(
        "Isolation valves that divide the headers into sections of at most as many units as are "
        "spare",
        Default("true", "sections, or individual racks, can be isolated", PRACTICE),
    )
    pump_shutoff: _Shutoff | None = optional(
        "Shutoff head of the pumps over design head",
        Default(1.2, "flat centrifugal pump curves, 1.1 to 1.25", PRACTICE),
    )
    branch: _Route | None = optional(
        "Branch length from a header to one unit",
        Default(10.0, "short run from header to unit, including its valves", PRACTICE),
    )
    hose: _Route | None = optional(
        "Hose length from the header to one rack",
        Default(3.0, "header above or below the racks", PRACTICE),
    )
    valve_drop: _Drop | None = optional(
        "Pressure drop of the control valves of units and CDUs at design flow",
        Default(
            None,
            "catalogue value, or the drop for a valve authority of 0.25 over its unit and branch",
            PRACTICE,
        ),
    )
    elbow_spacing: _Spacing | None = optional(
        "Pipe length per elbow",
        Default(
            12.0,
            "one elbow per this length; plus four tees, four valves, one check valve",
            PRACTICE,
        ),
    )
    roughness: _Roughness | None = optional(
        "Pipe roughness",
        Default(45e-6, "commercial steel; 1.5 um for plastic", PRACTICE),
        symbol=r"\varepsilon",
    )
    velocity_min: _Velocity | None = optional(
        "Minimum velocity for air entrainment in the mains",
        Default(1.2, "twice the 0.6 m/s for small pipes", PRACTICE),
    )
    velocity_max: _Velocity | None = optional(
        "Maximum velocity for pipe sizing",
        Default(3.0, "noise and erosion; the ASHRAE 90.1 table depends on pipe size", PRACTICE),
    )
    gradient_max: _Gradient | None = optional(
        "Maximum pressure gradient of pipes",
        Default(400.0, "4 ft of water per 100 ft, usual for closed loops", PRACTICE),
    )
    design_pressure: _Pressure | None = optional(
        "Design pressure of the water loops, gauge, for their pressure test",
        Default(None, "not stated: the commissioning plan has no test pressure for these loops"),
    )
    fill: _Fill | None = optional(
        "Coolant filling temperature", Default(15.0, "unheated building", PRACTICE)
    )
