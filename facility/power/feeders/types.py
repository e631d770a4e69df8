"""Conductor demand of a circuit, and its selected conductors."""

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
OCPD_GIVEN = "as built, or as in the panel schedule"
"""Trace text for a device specified before conductor selection."""


def let_through_words(energy_a2s: float) -> str:
    """Return a let-through energy as in breaker data sheets, rounded down."""
    for scale, unit in ((1e6, "MA2s"), (1e3, "kA2s"), (1.0, "A2s")):
        if energy_a2s >= scale:
            digits = 2 - math.floor(math.log10(energy_a2s / scale))
            return f"{math.floor(energy_a2s / scale * 10.0**digits) / 10.0**digits:g} {unit}"
    return "less than 1 A2s"


def raised_for_fault(size: str, borne: str) -> str:
    """Return the note of conductors enlarged only for the fault.

    size: Size without the fault.
    borne: Let-through energy that this size withstands.
    """
    return (
        f"increased from {size} for the fault over the device clearing time; a device with a"
        f" let-through energy of at most {borne} permits that size (power.faults.let_through)"
    )


@dataclass(frozen=True)
class CircuitDemand:
    """Load, installation and as-built data of one circuit."""

    continuous_a: float  # Load current per line for three hours or more [A]
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
    nonlinear: bool = False  # Whether most of the load is nonlinear
    # Whether the assembly and its overcurrent device are listed for 100 % continuous load.
    listed_100: bool = False
    # Applicable rules: service, feeder, branch, tap, transformer secondary; from the terminals of
    # a generator set, or from its device there.
    location: Location = "feeder"
    # Whether it is a branch circuit with more than one receptacle for portable loads.
    cord_and_plug: bool = False
    neutral_a: float | None = None  # Largest unbalance on the neutral [A]; None = as the lines
    # Rating of the overcurrent device as built [A]; None = automatic.
    ocpd_a: float | None = None
    # Minimum device rating, whatever its load [A], and why.
    min_device: tuple[float, str] = (0.0, "")
    size: str | None = None  # Size as built; None = automatic
    sets: int | None = None  # Parallel sets as built; None = automatic
    # Identical circuits in one raceway (NEC) or on one route (IEC), this one included; parallel
    # cables count too (IEC).
    grouped_circuits: int = 1
    grouped_stated: int = 1  # Number specified in the project; fewer may leave the board
    # Whether groups above the table limit are split (IEC): number not specified.
    groups_split: bool = False
    nipple: bool = False  # Whether the raceway is at most 24 in (600 mm) long
    # Permitted voltage drop as a fraction; None = from the criteria, by location.
    drop_limit: float | None = None
    # Ampacity required for other reasons [A]: 115 % of a generator, the ratio of a tap, the
    # current at the voltage with the previous conductors.
    min_ampacity_a: float = 0.0
    # Maximum fault current at the supply end [A]; None = unknown. The selection withstands it
    # for the clearing time of its device, if a size does.
    fault_a: float | None = None
    # Maximum earth-fault current there [A], for the protective conductor withstand (IEC).
    earth_fault_a: float | None = None
    clearing: Clearing = _UNKNOWN
    # Largest earth-fault loop impedance at the supply end [ohm], and instantaneous trip / rating of
    # devices up to the molded-case limit; None = unknown. An IEC branch circuit disconnects
    # with them, if a size does.
    loop_ohm: float | None = None
    trip_multiple: float | None = None
    # Third harmonic / line current; None = not specified.
    third_harmonic: float | None = None
    terminals: SetTerminals | None = None  # Generator set at its supply end

    def drop_allowed(self, criteria: Criteria) -> float:
        """Return the permitted voltage drop as a fraction: specified, otherwise by location."""
        if self.drop_limit is not None:
            return self.drop_limit
        branch = self.location == "branch"
        return criteria.voltage_drop_branch if branch else criteria.voltage_drop_feeder

    @property
    def fault_known(self) -> bool:
        """Whether the fault current and some device let-through are known."""
        return self.fault_a is not None and self.clearing.known

    @property
    def v_ll(self) -> float:
        """Line-to-line voltage of the system [V]."""
        return self.v_ln * math.sqrt(3.0)

    def trips_at(self, device_a: float) -> float | None:
        """Return the instantaneous trip current of a device of this rating [A]; None = unknown."""
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
    """Return why a device is larger than required by its load; empty if it is not.

    by_load_a: Standard rating required by the load [A].
    """
    min_a, why = demand.min_device
    if demand.ocpd_a is not None or within(min_a, by_load_a):
        return ""
    return f" not below {min_a:,.0f} A, {why}"


@dataclass(frozen=True)
class ConductorChoice:
    """Overcurrent device and conductors of one circuit, with their basis."""

    # Minimum rating of the overcurrent device and minimum ampacity at the terminations [A].
    required_a: float
    ocpd_a: float  # Rating of the overcurrent device [A]
    size: str  # Ungrounded conductor, e.g. "4/0", "500", "35"
    size_unit: str  # "AWG", "kcmil" or "mm2"
    sets: int  # Conductors in parallel per line
    material: Material  # "cu" or "al"
    insulation: str  # Type of the insulation
    area_m2: float  # Metal area of one conductor [m2]
    # Of all sets together: at the termination temperature, after ambient and bundling, and the
    # lower of the two, which applies [A]. The IEC has no termination column; the first two are
    # then the tabulated and the corrected Iz.
    ampacity_term_a: float
    ampacity_corrected_a: float
    ampacity_a: float
    # Factors on the ampacity.
    ambient_factor: float
    bundling_factor: float
    # Current-carrying conductors in one raceway, or circuits in the group (IEC).
    current_carrying: int
    neutral_size: str  # Neutral of each set; empty if none
    # Equipment grounding (protective) conductor of each raceway; empty if no conductor has the
    # area.
    egc_size: str
    egc_minimum: str  # Table minimum before upsizing with the lines; empty if none
    raceway: str  # Type of raceway
    trade_size: str  # Trade size in inches; empty if not determined
    fill: float | None  # Conductor area over raceway area
    # One conductor of one set over the length [ohm]; None if not tabulated.
    resistance_ohm: float | None
    reactance_ohm: float | None
    drop_v: float | None  # Voltage drop at the load without factors, approximate (Ze) [V]
    drop_exact_v: float | None  # Exact voltage drop at the load without factors [V]
    voltage_v: float  # Base voltage of the drop [V]
    governed_by: str  # Governing criterion of the size
    articles: tuple[str, ...]  # Articles applied, as numbered in the edition
    checks: tuple[Check, ...]  # All rules, passed or not
    notes: tuple[str, ...] = ()  # Remarks for the schedule
    # Line current / cable selection current, annex E (IEC): the maximum device rating is the
    # ampacity times this.
    harmonic_factor: float = 1.0

    @property
    def is_busway(self) -> bool:
        """Whether it is a busway: `size` is its rating, `sets` its parallel runs."""
        return self.insulation == "busway"

    @property
    def label(self) -> str:
        """Line conductors as in a schedule: ``3 x 500 kcmil``, ``4/0 AWG``."""
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
