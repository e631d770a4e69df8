"""What a circuit asks of its conductors, and the conductors chosen for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from facility.core.check import Check
from facility.core.rounding import within
from facility.model.facility import Criteria
from facility.model.power.faults import Clearing
from facility.power.network.build.plan import SetTerminals

Neutral = Literal["none", "counted", "not counted"]
Location = Literal[
    "service", "feeder", "branch", "tap", "transformer secondary", "generator", "generator device"
]
Material = Literal["cu", "al"]
_UNKNOWN = Clearing()
OCPD_GIVEN = "as built, or as the panel schedule has it"
"""Words of the trace for a device that the choice of conductors was given."""


def let_through_words(energy_a2s: float) -> str:
    """Return a let-through energy as sheets of breakers print it, rounded down."""
    for scale, unit in ((1e6, "MA2s"), (1e3, "kA2s"), (1.0, "A2s")):
        if energy_a2s >= scale:
            digits = 2 - math.floor(math.log10(energy_a2s / scale))
            return f"{math.floor(energy_a2s / scale * 10.0**digits) / 10.0**digits:g} {unit}"
    return "less than 1 A2s"


def raised_for_fault(size: str, borne: str) -> str:
    """Return the remark of conductors that are larger for the fault than for all else.

    size: What they would be.
    borne: Let-through energy that those bear.
    """
    return (
        f"raised from {size} for the fault over the clearing time of its device; one of a"
        f" let-through energy up to {borne} there leaves that size (power.faults.let_through)"
    )


@dataclass(frozen=True)
class CircuitDemand:
    """What one circuit carries, where it runs, and what of it is built already."""

    continuous_a: float  # Load current per line that flows for three hours or more [A]
    other_a: float  # The rest of the load current per line [A]
    # Poles of the overcurrent device: 3 three-phase, 2 line-to-line, 1 line-to-neutral.
    poles: Literal[1, 2, 3]
    # Voltage across the load: line-to-line with 2 or 3 poles, line-to-neutral with 1 [V].
    voltage_v: float
    v_ln: float  # Line-to-neutral voltage of the system [V]
    # Whether a neutral is run, and whether it counts as a current-carrying conductor.
    neutral: Neutral
    length_m: float  # One-way length [m]
    power_factor: float  # Power factor of the load, lagging
    nonlinear: bool = False  # Whether the major part of the load is nonlinear
    # Whether the assembly and its overcurrent device are listed for 100 % continuous load.
    listed_100: bool = False
    # Which rules apply: service, feeder, branch, tap, transformer secondary; from the terminals of
    # a generator set, or from its device there.
    location: Location = "feeder"
    # Whether it is a branch circuit with more than one receptacle for portable loads.
    cord_and_plug: bool = False
    neutral_a: float | None = None  # Largest unbalance on the neutral [A]; None = as the lines
    # Rating of the overcurrent device as built [A]; None = to be chosen.
    ocpd_a: float | None = None
    # Rating that its device is not below, whatever its load [A], and why.
    least_device: tuple[float, str] = (0.0, "")
    size: str | None = None  # Size as built; None = to be chosen
    sets: int | None = None  # Parallel sets as built; None = to be chosen
    # Equal circuits that share a raceway (NEC) or a way (IEC), this one included; the parallel
    # cables of each count besides (IEC).
    grouped_circuits: int = 1
    grouped_stated: int = 1  # As many as the project states, of which fewer may leave the board
    # Whether groups beyond the table are laid as several (IEC): nobody stated their number.
    groups_split: bool = False
    nipple: bool = False  # Whether the raceway is at most 24 in (600 mm) long
    # Voltage drop allowed as a fraction; None = of the criteria, by the location.
    drop_limit: float | None = None
    # Ampacity that else is asked for [A]: 115 % of a generator, the ratio of a tap, the current
    # at the voltage that conductors chosen before left.
    least_ampacity_a: float = 0.0
    # Highest fault current at its beginning [A]; None = not known. What is chosen withstands it
    # for as long as its device lets it flow, where a size does.
    fault_a: float | None = None
    # Highest earth-fault current there [A], which its protective conductor withstands (IEC).
    earth_fault_a: float | None = None
    clearing: Clearing = _UNKNOWN
    # Largest earth-fault loop at its beginning [ohm], and the instantaneous trip of devices up to
    # the rating of molded-case breakers over their rating; None = not known. A branch circuit
    # of the IEC disconnects with them, where a size does.
    loop_ohm: float | None = None
    trip_multiple: float | None = None
    # Third harmonic of the line current over the line current; None = not stated.
    third_harmonic: float | None = None
    terminals: SetTerminals | None = None  # The generator set that it begins at

    def drop_allowed(self, criteria: Criteria) -> float:
        """Return the voltage drop allowed, as a fraction: of its own, else by the location."""
        if self.drop_limit is not None:
            return self.drop_limit
        branch = self.location == "branch"
        return criteria.voltage_drop_branch if branch else criteria.voltage_drop_feeder

    @property
    def fault_known(self) -> bool:
        """Whether the fault current, and what some device lets through, are known."""
        return self.fault_a is not None and self.clearing.known

    @property
    def v_ll(self) -> float:
        """Line-to-line voltage of the system [V]."""
        return self.v_ln * math.sqrt(3.0)

    def trips_at(self, device_a: float) -> float | None:
        """Return the current that trips a device of this rating at once [A]; None = not known."""
        if self.trip_multiple is None or device_a > self.clearing.molded_to_a:
            return None
        return self.trip_multiple * device_a

    @property
    def load_a(self) -> float:
        """Load current per line without any factor [A]."""
        return self.continuous_a + self.other_a

    @property
    def phases(self) -> int:
        """1 or 3."""
        return 3 if self.poles == 3 else 1


def series_words(demand: CircuitDemand, by_load_a: float) -> str:
    """Return why a device is larger than its load asks for; empty where it is not.

    by_load_a: Standard rating that the load asks for [A].
    """
    least_a, why = demand.least_device
    if demand.ocpd_a is not None or within(least_a, by_load_a):
        return ""
    return f" not below {least_a:,.0f} A, {why}"


@dataclass(frozen=True)
class ConductorChoice:
    """Overcurrent device and conductors of one circuit, with what they rest on."""

    # Least rating of the overcurrent device and least ampacity at the terminations [A].
    required_a: float
    ocpd_a: float  # Rating of the overcurrent device [A]
    size: str  # Ungrounded conductor, e.g. "4/0", "500", "35"
    size_unit: str  # "AWG", "kcmil" or "mm2"
    sets: int  # Conductors in parallel per line
    material: Material  # "cu" or "al"
    insulation: str  # Type of the insulation
    area_m2: float  # Metal area of one conductor [m2]
    # Of all sets together: at the termination temperature, after ambient and bundling, and the
    # lesser of the two, which counts [A]. The IEC knows no termination column; the first two are
    # then the tabulated and the corrected Iz.
    ampacity_term_a: float
    ampacity_corrected_a: float
    ampacity_a: float
    # Factors on the ampacity.
    ambient_factor: float
    bundling_factor: float
    # Current-carrying conductors in one raceway, or circuits in the group (IEC).
    current_carrying: int
    neutral_size: str  # Neutral of each set, empty when there is none
    # Equipment grounding (protective) conductor of each raceway; empty when no conductor has the
    # area.
    egc_size: str
    egc_minimum: str  # Least by the table before it grows with the line conductors; empty likewise
    raceway: str  # Type of raceway
    trade_size: str  # Trade size in inches; empty when not determined
    fill: float | None  # Conductor area over raceway area
    # Of one conductor of one set over the length [ohm]; None when the table has no row.
    resistance_ohm: float | None
    reactance_ohm: float | None
    drop_v: float | None  # Voltage drop at the load without factors, approximate (Ze) [V]
    drop_exact_v: float | None  # The same, exact [V]
    voltage_v: float  # Voltage the drop counts against [V]
    governed_by: str  # What decided the size, in words
    articles: tuple[str, ...]  # Articles applied, as numbered in the edition
    checks: tuple[Check, ...]  # Every rule, passed or not
    notes: tuple[str, ...] = ()  # Remarks for the schedule
    # Line current over the current that a cable is selected for, annex E (IEC): the device may be
    # rated at most for the ampacity times it.
    harmonic_factor: float = 1.0

    @property
    def is_busway(self) -> bool:
        """Whether it is a busway: `size` is its rating, `sets` its runs in parallel."""
        return self.insulation == "busway"

    @property
    def label(self) -> str:
        """Line conductors as a schedule prints them: ``3 x 500 kcmil``, ``4/0 AWG``."""
        one = f"{self.size} {self.size_unit}"
        return one if self.sets == 1 else f"{self.sets} x {one}"

    @property
    def group_resistance_ohm(self) -> float | None:
        """Resistance of all sets of one line in parallel [ohm]."""
        return None if self.resistance_ohm is None else self.resistance_ohm / self.sets

    @property
    def group_reactance_ohm(self) -> float | None:
        """Reactance of all sets of one line in parallel [ohm]."""
        return None if self.reactance_ohm is None else self.reactance_ohm / self.sets

    @property
    def drop(self) -> float | None:
        """Approximate voltage drop as a fraction."""
        return None if self.drop_v is None else self.drop_v / self.voltage_v

    @property
    def drop_exact(self) -> float | None:
        """Exact voltage drop as a fraction."""
        return None if self.drop_exact_v is None else self.drop_exact_v / self.voltage_v
