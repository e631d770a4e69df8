"""Cooling equipment in SI, each unit at its rating point, and the pipes between.

Powers and heats are in W, temperatures in degC, volume flows in m3/s.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from facility.core.sources import Source

SinkKind = Literal["tower", "dry_cooler", "air_cooled"]
WaterSource = Literal["dry_cooler", "tower", "chilled_water"]
Curve = tuple[float, float, float, float]

DRY_AIR_J_KGK = 1006.0
"""Specific heat of the air at a rating point, as used by class rows and server guides."""


Header = Literal["single", "ring", "dual"]
"""A header fed from one end, a ring fed at two points, or two headers that serve every unit."""


@dataclass(frozen=True)
class Spares:
    """Redundancy of equal units: N duty units and `spare` more, or every duty unit twice.

    With `of_board` the spares cover the units of one mechanical board (`spares_of_board`).
    """

    name: str
    spare: int
    doubled: bool = False
    of_board: bool = False
    # Redundancy or count stated in the project, e.g. "cooling.crah.redundancy is N+1".
    stated: str = ""

    def installed(self, duty: int) -> int:
        """Return the number of units installed for `duty` units."""
        if duty == 0:
            return 0
        if self.of_board:
            return duty + spares_of_board(duty)
        return 2 * duty if self.doubled else duty + self.spare

    def remaining(self, installed: int, duty: int) -> int:
        """Return the units in service after the loss that the redundancy covers."""
        return max(installed - (self.installed(duty) - duty), 0)

    def left(self, installed: int) -> int:
        """Return the duty units for a number of installed units including spares."""
        if self.of_board:
            fitting = (n for n in range(installed, 0, -1) if self.installed(n) <= installed)
            return next(fitting, 0)
        return installed // 2 if self.doubled else installed - self.spare


def spares_of_board(duty: int) -> int:
    """Return the spare units with which one mechanical board can be out of service.

    With k spares and at most k units per board, 1 + duty / k boards are required, rounded up.
    The sum of spares and boards is minimal for k = floor(sqrt(duty)).
    """
    return max(math.isqrt(duty), 1)


@dataclass(frozen=True)
class Fluid:
    """A coolant at rising temperatures: density, specific heat, dynamic viscosity, conductivity.

    `freezing_c` is None where it is not known.
    """

    name: str
    temperatures_c: tuple[float, ...]
    densities_kg_m3: tuple[float, ...]
    specific_heats_j_kgk: tuple[float, ...]
    viscosities_pa_s: tuple[float, ...]
    conductivities_w_mk: tuple[float, ...]
    source: Source
    freezing_c: float | None = None


@dataclass(frozen=True)
class Pump:
    """Pumps of one loop: head at design flow, wire-to-water efficiency, part-load curve.

    `head_pa` is None where it follows from the loop layout; `extra_pa` is the drop of additional
    components in the loop.
    """

    head_pa: float | None
    efficiency: float
    curve: Curve
    extra_pa: float = 0.0


@dataclass(frozen=True)
class CrahUnit:
    """A computer-room air handler at its rating point; capacity is net of its fan heat."""

    model: str
    net_sensible_w: float
    air_flow_m3_s: float
    return_air_c: float
    water_in_c: float
    water_out_c: float
    fan_w: float
    air_density_kg_m3: float
    source: Source
    from_memory: bool

    @property
    def air_w_k(self) -> float:
        """Capacity rate of the rated air flow."""
        return self.air_flow_m3_s * self.air_density_kg_m3 * DRY_AIR_J_KGK

    @property
    def rated_rise_k(self) -> float:
        """Drop of the air across the unit at its rating."""
        return self.net_sensible_w / self.air_w_k


@dataclass(frozen=True)
class CduUnit:
    """A coolant distribution unit at its rating point: capacity, approach and both flows.

    `head_pa` is its external head for the coolant loop; None if unknown.
    """

    model: str
    capacity_w: float
    approach_k: float
    tcs_flow_m3_s: float
    fws_flow_m3_s: float
    tcs_fluid: Fluid
    fws_fluid: Fluid
    tcs_supply_c: float
    pump_w: float
    source: Source
    from_memory: bool
    head_pa: float | None = None


@dataclass(frozen=True)
class Pads:
    """Wetted pads upstream of dry cooler coils: adiabatic coolers.

    `effectiveness` is the fraction of the wet-bulb depression by which they cool the air, `cycles`
    the cycles of concentration of their water. `above_c` is the entering air temperature above
    which they may be wetted; None for the air temperature downstream of the pads at design,
    sufficient for dry coils.
    """

    effectiveness: float
    above_c: float | None
    cycles: float
    # Whether the fan power of the coolers includes the pressure drop of the pads.
    in_fans: bool = True


@dataclass(frozen=True)
class DryCoolerUnit:
    """A dry cooler at its rating point; the capacity rates of air and fluid are equal there.

    `scalable` marks the default: coolers scaled to the required heat.
    """

    model: str
    heat_w: float
    air_in_c: float
    fluid_in_c: float
    fluid_out_c: float
    fan_w: float
    film_ratio: float
    scalable: bool
    source: Source


@dataclass(frozen=True)
class PipeSize:
    """A pipe of the table: nominal size and inside diameter."""

    dn: int
    inside_m: float


@dataclass(frozen=True)
class RatedDrop:
    """Pressure drop of a component at its rating.

    `flow_m3_s` is None where the component is chosen for the design flow of the loop.
    """

    name: str
    drop_pa: float
    flow_m3_s: float | None
    exponent: float
    source: Source


@dataclass(frozen=True)
class HydraulicsPlan:
    """Basis of the pipe layout: inputs of `HydraulicsSection` in SI, with defaults.

    Lengths are one way: `branch_m` from a header to one unit, `hose_m` to one rack,
    `elbow_spacing_m` the pipe for each elbow, `row_pitch_m` the header from row to row, across
    the `rows` with racks cooled by liquid. `fill_c` is the temperature at filling. `sizes` are
    the pipes, the smallest first; `fittings` their equivalent length over diameter;
    `from_memory` those with unverified figures, `water` the rating fluid of the components,
    `spare_flow` the fraction of additional flow for which the pipes are sized.
    `header` is the arrangement of the water headers, `header_m` their part of the plant's route,
    `tcs_header` the arrangement of the coolant headers, `pump_shutoff` the shutoff head of the
    pumps over their head at design flow, `valve_drop_pa` the drop of control valves as stated.
    """

    tcs_route_m: float
    row_pitch_m: float
    rows: int
    plant_route_m: float
    rejection_route_m: float
    branch_m: float
    hose_m: float
    elbow_spacing_m: float
    roughness_m: float
    velocity_min_m_s: float
    velocity_max_m_s: float
    gradient_max_pa_m: float
    fill_c: float
    sizes: tuple[PipeSize, ...]
    components: Mapping[str, RatedDrop]
    fittings: Mapping[str, float]
    from_memory: tuple[str, ...]
    water: Fluid
    spare_flow: float = 0.0
    header: Header = "single"
    header_valves: bool = True
    header_m: float = 0.0
    pump_shutoff: float = 1.2
    tcs_header: Header = "single"
    valve_drop_pa: float | None = None
    # Design pressure of the water loops, gauge; None if not stated
    design_pressure_pa: float | None = None
