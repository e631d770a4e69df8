"""Pipes and components of the loops in SI: routes, sizes, limits, pressure drops as rated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.core.sources import Source
from facility.model.cooling.units import Fluid


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
    """What the loops are laid out with: inputs of `HydraulicsSection` in SI, and what is assumed.

    Lengths are one way: `branch_m` from a header to one unit, `hose_m` to one rack,
    `elbow_spacing_m` the pipe for each elbow, `row_pitch_m` the header from row to row, across
    the `rows` with racks cooled by liquid. `fill_c` is the temperature at filling. `sizes` are
    the pipes, the smallest first; `fittings` their equivalent length over diameter;
    `from_memory` those whose figures are recalled, `water` what the components are rated with,
    `spare_flow` the part of the flow that the pipes can carry besides, within the limits.
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
