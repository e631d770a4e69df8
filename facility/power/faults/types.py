"""Data of a short-circuit study: tree of branches, sources, and fault currents.

Impedances are in ohm at the voltage of the bus they lead to. Each has two values: `min_impedance`
for the maximum currents (cold conductors), `max_impedance` for the minimum currents (hot
conductors).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from facility.core.errors import unknown
from facility.core.kinds import ComplexArray, FloatArray
from facility.model.power.faults import Method

Case = Literal["max", "min"]


@dataclass(frozen=True)
class Sequences:
    """Positive- and zero-sequence impedance per phase [ohm]; negative equals positive sequence.

    A `z0` of infinity is an open path, NaN an unknown path.
    """

    z1: complex
    z0: complex = complex(math.nan)


@dataclass(frozen=True)
class FaultSource:
    """Fault source: utility, generator, motor, or UPS on inverter."""

    tag: str
    bus: str  # Tag of its bus
    # Motors do not count for the minimum currents. A UPS limits its current to `limit_a`.
    kind: Literal["utility", "generator", "motor", "ups"]
    rated_v: float  # Rated line-to-line voltage of the impedance [V]
    # Impedance for the maximum and minimum currents. Zero is an infinite bus; None is unknown:
    # the currents are then NaN.
    min_impedance: Sequences
    max_impedance: Sequences | None
    # Maximum current [A]: of a UPS on inverter immediately, of a generator in the sustained
    # state. Infinite if the source maintains its voltage, NaN if unknown.
    limit_a: float = math.inf
    # Generator rating [VA], X"d per unit and rated power factor, for the impedance correction
    # of IEC 60909.
    rating_va: float = math.nan
    reactance: float = 0.0
    power_factor: float = 1.0
    neutral_ohm: float = 0.0  # Neutral-to-ground resistance, at the rated voltage [ohm]


@dataclass(frozen=True)
class FaultBranch:
    """Conductor run or transformer, and the bus at its lower end with the same tag."""

    tag: str  # Tag of the branch and its lower bus
    fed_from: str  # Tag of the upstream bus
    voltage_v: float  # Nominal line-to-line voltage of the lower bus [V]
    # Impedance at the rated voltage of the lower side.
    min_impedance: Sequences
    max_impedance: Sequences
    ratio: float = 1.0  # Rated upper voltage / rated lower voltage; 1 for conductors
    vector_group: str = ""  # Transformer: Dyn, YNyn0, Yyn0 or Dd0; empty for conductors
    reactance: float = 0.0  # Transformer: per unit, for the correction factor of IEC 60909
    # Transformer: tolerance of the impedance relative to the nameplate, as a fraction.
    tolerance: float = 0.0
    # Transformer neutral to ground, at the rated voltage of the lower side [ohm].
    neutral_ohm: float = 0.0


@dataclass(frozen=True)
class FaultTree:
    """Radial network: root bus, branches, and sources on its buses."""

    root: str
    root_voltage_v: float
    branches: tuple[FaultBranch, ...]
    sources: tuple[FaultSource, ...]


@dataclass(frozen=True)
class FaultCurrents:
    """Bolted fault currents; arrays over `tags` [A, ohm], NaN if data are unknown."""

    # Calculation method.
    method: Method
    case: Case
    tags: tuple[str, ...]  # Buses
    sources: tuple[str, ...]
    voltage_v: FloatArray  # Nominal line-to-line voltage
    # Symmetrical currents in the first cycle.
    three_phase_a: FloatArray
    line_line_a: FloatArray
    line_ground_a: FloatArray
    # Three-phase current with generators at their excitation limit.
    sustained_a: FloatArray
    x_over_r: FloatArray  # X/R of the three-phase fault
    peak_a: FloatArray  # First peak of the three-phase fault
    asymmetrical_a: FloatArray  # RMS of the worst phase half a cycle after the three-phase fault
    # Impedance seen from the bus.
    z1_ohm: ComplexArray
    z0_ohm: ComplexArray
    # Contribution magnitude of each source to the three-phase fault, buses by sources. The
    # magnitudes add up to the fault current only if all sources have the same X/R.
    contribution_a: FloatArray

    @cached_property
    def rows(self) -> dict[str, int]:
        """Row of each bus."""
        return {tag: row for row, tag in enumerate(self.tags)}

    def index(self, tag: str) -> int:
        """Return the index of the bus `tag`.

        Raises ``UNKNOWN_BUS``.
        """
        if tag not in self.rows:
            raise unknown(
                "UNKNOWN_BUS", tag, "no such bus in the short-circuit study.", tag, self.tags
            )
        return self.rows[tag]

    @property
    def available_a(self) -> FloatArray:
        """Highest of three-phase and line-to-ground currents: the interrupting duty."""
        ground = np.where(np.isnan(self.line_ground_a), -math.inf, self.line_ground_a)
        return np.maximum(self.three_phase_a, ground)
