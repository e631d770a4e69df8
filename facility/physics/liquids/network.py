"""Steady flow in a network of pipes, pumps, check valves and control valves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.physics.liquids.pipes import darcy_friction, pipe_velocity, reynolds_number

_REVERSE = 1e6
"""Resistance of a closed check valve over that of the open link."""
_LIMITING = 1e4
"""Resistance of a control valve beyond its flow, over that of the open link."""
_STEPS, _CLOSE = 200, 1e-9
_MIN_PART = 1e-7
_Ints = NDArray[np.intp]


@dataclass(frozen=True)
class NetworkLinks:
    """NetworkLinks of a network, one row each; flow is positive from `start` to `end`.

    The drop of a link is its friction by Darcy and Weisbach (without `length_m` none), plus
    `resistance` times the flow squared, less `lift_pa`: a pump of shutoff head `lift_pa` whose
    curve falls by `resistance`. Above `max_m3_s` a control valve closes; `one_way` is a check
    valve. `resistance` is in Pa/(m3/s)2.
    """

    start: _Ints
    end: _Ints
    resistance: FloatArray
    length_m: FloatArray
    diameter_m: FloatArray
    roughness_m: FloatArray
    lift_pa: FloatArray
    max_m3_s: FloatArray
    one_way: NDArray[np.bool_]

    def drop(
        self, flow_m3_s: FloatArray, density_kg_m3: float, viscosity_pa_s: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return the drop of each link [Pa] and its slope by flow [Pa/(m3/s)]."""
        size = np.abs(flow_m3_s)
        velocity = pipe_velocity.si(size, self.diameter_m)
        reynolds = reynolds_number.si(density_kg_m3, velocity, self.diameter_m, viscosity_pa_s)
        friction = darcy_friction.si(reynolds, self.roughness_m / self.diameter_m)
        area_m2 = np.pi / 4.0 * self.diameter_m**2
        along = friction * self.length_m / self.diameter_m * density_kg_m3 / (2.0 * area_m2**2)
        whole = along + self.resistance
        whole = np.where(self.one_way & (flow_m3_s < 0.0), _REVERSE * whole, whole)
        over = np.maximum(size - self.max_m3_s, 0.0)
        limit = _LIMITING * self.resistance
        drop = np.sign(flow_m3_s) * (whole * size**2 + limit * over**2) - self.lift_pa
        return drop, 2.0 * (whole * size + limit * over)


def network_flows(
    links: NetworkLinks,
    nodes: int,
    density_kg_m3: float,
    viscosity_pa_s: float,
    inflow_m3_s: FloatArray | None = None,
) -> FloatArray:
    """Return the flow in each link of a network [m3/s].

    Todini and Pilati's gradient method: Newton's method on the drops of all links and the balance
    of all nodes at once (Todini & Pilati 1988; the EPANET 2 users manual, appendix D, has it).

    nodes: Number of nodes; the pressure of the first is zero.
    inflow_m3_s: Flow into each node from outside [m3/s]; none where it is left out.

    Raises ``HYDRAULICS_NOT_CONVERGED``.
    """
    inflow = np.zeros(nodes) if inflow_m3_s is None else inflow_m3_s
    at = np.arange(len(links.start))
    incidence = np.zeros((len(at), nodes))
    incidence[at, links.start], incidence[at, links.end] = 1.0, -1.0
    scale = _scale(links, inflow)
    flow = np.full(len(at), scale)
    for _ in range(_STEPS):
        drop, slope = links.drop(flow, density_kg_m3, viscosity_pa_s)
        gain = 1.0 / np.maximum(slope, _MIN_PART * np.median(slope) + 1e-12)
        matrix = incidence.T @ (gain[:, None] * incidence)
        right = inflow - incidence.T @ (flow - gain * drop)
        # A node without links keeps its pressure; the first one has none.
        alone = np.diag(matrix) <= 0.0
        matrix[alone, alone] = 1.0
        pressure = np.zeros(nodes)
        pressure[1:] = np.linalg.solve(matrix[1:, 1:], right[1:])
        change = gain * (incidence @ pressure - drop)
        flow = flow + change
        if np.abs(change).max() <= _CLOSE * max(np.abs(flow).max(), _MIN_PART * scale):
            return np.asarray(flow)
    raise FacilityError(
        "HYDRAULICS_NOT_CONVERGED",
        "cooling.hydraulics",
        f"the flows of a header network do not converge in {_STEPS} steps.",
        "Enter the remaining flow (cooling.thermal.header_flow), and report the project.",
    )


def _scale(links: NetworkLinks, inflow_m3_s: FloatArray) -> float:
    """Return a flow typical of the network [m3/s]."""
    limits = links.max_m3_s[np.isfinite(links.max_m3_s)]
    known = (np.abs(inflow_m3_s).max(initial=0.0), limits.max(initial=0.0))
    return float(max(known)) or 1e-3
