"""What a short-circuit study is made of: a tree of branches, its sources, and the currents found.

Impedances are in ohm at the voltage of the bus they lead to. Each is kept twice: `least` gives the
highest currents (cold conductors), `most` the lowest (hot conductors).
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
    """Positive- and zero-sequence impedance per phase [ohm]; the negative one equals the positive.

    A `z0` of infinity is an open path, NaN an unknown one.
    """

    z1: complex
    z0: complex = complex(math.nan)


@dataclass(frozen=True)
class FaultSource:
    """What drives fault current: a utility, generator, motor, or UPS on inverter."""

    tag: str
    bus: str  # Tag of the bus it is on
    # Motors do not count for the lowest currents. A UPS holds its current at `limit_a`.
    kind: Literal["utility", "generator", "motor", "ups"]
    rated_v: float  # Line-to-line voltage its impedance is for [V]
    # Impedance for the highest and for the lowest currents. An impedance of zero is an infinite
    # bus; None is unknown: the currents are then NaN.
    least: Sequences
    most: Sequences | None
    # Current the source does not exceed [A]: of a UPS on inverter at once, of a generator in the
    # sustained state. Infinite where it holds its voltage, NaN where unknown.
    limit_a: float = math.inf
    # Of a generator: rating [VA], X"d per unit and rated power factor, which IEC 60909 corrects its
    # impedance by.
    rating_va: float = math.nan
    reactance: float = 0.0
    power_factor: float = 1.0
    neutral_ohm: float = 0.0  # From its neutral to ground, at the rated voltage [ohm]


@dataclass(frozen=True)
class FaultBranch:
    """A conductor run or transformer, and the bus at its lower end, which bears its tag."""

    tag: str  # Its tag and that of its lower bus
    fed_from: str  # Tag of the bus above
    voltage_v: float  # Nominal line-to-line voltage of the lower bus [V]
    # Impedance at the rated voltage of the lower side.
    least: Sequences
    most: Sequences
    ratio: float = 1.0  # Rated voltage of the upper over that of the lower side; 1 for conductors
    vector_group: str = ""  # Of a transformer: Dyn, YNyn0, Yyn0 or Dd0; empty for conductors
    reactance: float = 0.0  # Of a transformer: per unit, for the correction factor of IEC 60909
    # Of a transformer: how far the impedance may lie from the nameplate, as a fraction.
    tolerance: float = 0.0
    # From the neutral of a transformer to ground, at the rated voltage of the lower side [ohm].
    neutral_ohm: float = 0.0


@dataclass(frozen=True)
class FaultTree:
    """A radial network: a root bus, the branches from it, and the sources on its buses."""

    root: str
    root_voltage_v: float
    branches: tuple[FaultBranch, ...]
    sources: tuple[FaultSource, ...]


@dataclass(frozen=True)
class FaultCurrents:
    """Currents of bolted faults; arrays over `tags` [A, ohm], NaN where something is unknown."""

    # How they were calculated.
    method: Method
    case: Case
    tags: tuple[str, ...]  # Buses
    sources: tuple[str, ...]
    voltage_v: FloatArray  # Nominal line-to-line voltage
    # Symmetrical currents in the first cycle.
    three_phase_a: FloatArray
    line_line_a: FloatArray
    line_ground_a: FloatArray
    # Three-phase current once generators have fallen to what their excitation holds.
    sustained_a: FloatArray
    x_over_r: FloatArray  # X/R of the three-phase fault
    peak_a: FloatArray  # First peak of the three-phase fault
    asymmetrical_a: FloatArray  # RMS of the worst phase half a cycle after the three-phase fault
    # Impedance seen from the bus.
    z1_ohm: ComplexArray
    z0_ohm: ComplexArray
    # Magnitude of what each source gives to the three-phase fault, buses by sources. The magnitudes
    # add up to the fault current only where the sources have one X/R.
    contribution_a: FloatArray

    @cached_property
    def rows(self) -> dict[str, int]:
        """Row of each bus."""
        return {tag: row for row, tag in enumerate(self.tags)}

    def index(self, tag: str) -> int:
        """Return the row of the bus `tag`.

        Raises ``UNKNOWN_BUS``.
        """
        if tag not in self.rows:
            raise unknown(
                "UNKNOWN_BUS", tag, "no such bus in the short-circuit study.", tag, self.tags
            )
        return self.rows[tag]

    @property
    def available_a(self) -> FloatArray:
        """Highest of three-phase and line-to-ground current: what a device must interrupt."""
        ground = np.where(np.isnan(self.line_ground_a), -math.inf, self.line_ground_a)
        return np.maximum(self.three_phase_a, ground)
