"""Pipes and components of the loops in SI: routes, sizes, limits, pressure drops as rated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.core.sources import Source


@dataclass(frozen=True)
class PipeSize:
    """A pipe of the table: nominal size and inside diameter."""

    dn: int
    inside_m: float


@dataclass(frozen=True)
class Component:
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
    """What the loops are laid out with.

    Attributes
    ----------
    tcs_route_m : float
        Coolant header from the CDUs to the farthest rack of a row, one way.
    row_pitch_m : float
        Row to row, for the header across the rows.
    rows : int
        Rows with racks cooled by liquid, in all halls.
    plant_route_m, rejection_route_m : float
        From the plant to the farthest unit of the halls, and to the heat rejection, one way.
    branch_m, hose_m : float
        From a header to one unit, and to one rack, one way.
    elbow_spacing_m : float
        Length of pipe for each elbow.
    roughness_m : float
        Of the pipes.
    velocity_min_m_s, velocity_max_m_s, gradient_max_pa_m : float
        Limits the sizes are chosen by.
    fill_c : float
        Temperature at which the loops are filled.
    sizes : tuple of PipeSize
        Pipes, the smallest first.
    components : Mapping[str, Component]
        Components by name.
    fittings : Mapping[str, float]
        Equivalent length over diameter of each fitting.
    from_memory : tuple of str
        Components and fittings whose figures are recalled.
    spare_flow : float
        Part of the flow that the pipes can carry besides, within the limits.
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
    components: Mapping[str, Component]
    fittings: Mapping[str, float]
    from_memory: tuple[str, ...]
    spare_flow: float = 0.0
