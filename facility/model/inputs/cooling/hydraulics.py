"""The hydraulics of the project: routes of the pipes, roughness, limits of the sizes."""

from __future__ import annotations

from typing import Annotated

from facility.core.parse import Measured
from facility.model.inputs.scalars import Section, quantity

_Route = Annotated[Measured, quantity("length", above=0.0, maximum=5000.0)]
_Roughness = Annotated[Measured, quantity("length", minimum=0.0, maximum=0.005)]
_Velocity = Annotated[Measured, quantity("velocity", minimum=0.3, maximum=6.0)]
_Gradient = Annotated[Measured, quantity("pressure", minimum=20.0, maximum=5000.0)]


class HydraulicsSection(Section):
    """Pipes of the loops.

    Routes are one way: `tcs_route` from the CDUs to the farthest rack of a row, `plant_route` from
    the plant to the farthest unit of the halls, `rejection_route` from the plant to the towers or
    dry coolers. `gradient_max` is the pressure drop allowed on one metre of pipe.
    """

    tcs_route: _Route | None = None
    plant_route: _Route | None = None
    rejection_route: _Route | None = None
    roughness: _Roughness | None = None
    velocity_max: _Velocity | None = None
    gradient_max: _Gradient | None = None
