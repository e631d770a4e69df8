"""Graph types: equipment, circuits, and loads with their cords.

Power flows one way, from sources to loads. Equipment with several supplies (a transfer switch, a
board with a tie, a UPS output with its bypasses) lists them in order of preference; the first one
that is alive supplies it. Identical units in parallel on common buses (modules of a UPS, sets of a
plant, transformers of a board) are one piece of equipment with several units.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

EquipmentKind = Literal[
    "utility",
    "generator-plant",
    "mv-switchgear",
    "transformer",
    "generator-bus",
    "ats",
    "lv-board",
    "tie",
    "ups",
    "static-bypass",
    "maintenance-bypass",
    "ups-output",
    "sts",
    "pdu",
    "panel",
    "busway",
    "rack-pdu",
]
SOURCES: tuple[EquipmentKind, ...] = ("utility", "generator-plant")
"""Kinds that maintain their voltage and have no supply in the graph."""


@dataclass(frozen=True, slots=True)
class Link:
    """Supply of a piece of equipment: the circuit from another one."""

    source: str  # Tag of the equipment upstream
    # Tag of the cable, busway or busbar; empty for bolted equipment, which has neither impedance
    # nor a separate outage.
    circuit: str = ""
    # Of one phase, all parallel sets together, at the voltage of the circuit [ohm].
    resistance_ohm: float = 0.0
    reactance_ohm: float = 0.0
    # Continuous current of the circuit [A]; None if unknown.
    rating_a: float | None = None


@dataclass(frozen=True, slots=True)
class Converter:
    """Double-conversion UPS module: loss terms as fractions of its rating, and its input.

    The output voltage is constant; the input current is balanced for any phase distribution of the
    output.
    """

    constant: float
    linear: float
    quadratic: float
    input_power_factor: float


@dataclass(frozen=True, slots=True)
class Equipment:
    """Piece of equipment, or identical units of it in parallel on common buses."""

    tag: str  # Unique tag
    kind: EquipmentKind
    voltage_v: float  # Nominal line-to-line voltage at its output [V]
    links: tuple[Link, ...] = ()  # Supplies, first choice first; empty for a source
    units: tuple[str, ...] = ()  # Tags of the units in parallel; the equipment tag for one unit
    # Rating of one unit [VA]; None if unknown or without such a limit.
    rating_va: float | None = None
    rating_w: float | None = None  # Rating of one unit [W]
    rating_a: float | None = None  # Current rating of one unit at its output voltage [A]
    # Altitude derating factor of its ratings; its losses refer to the non-derated ratings.
    rating_left: float = 1.0
    # Series impedance of one unit and phase at its output voltage [ohm].
    resistance_ohm: float = 0.0
    reactance_ohm: float = 0.0
    no_load_w: float = 0.0  # Loss of one energised unit [W]
    delta_wye: bool = False  # Whether it is a delta-wye transformer, which blocks zero sequence
    converter: Converter | None = None
    maintainable: bool = True  # Whether it is taken out of service for maintenance
    hall: str = ""  # Its hall; empty outside the halls

    @property
    def unit_tags(self) -> tuple[str, ...]:
        """Tags of its units; the equipment tag for a single unit."""
        return self.units or (self.tag,)


@dataclass(frozen=True, eq=False)
class CappedLoad:
    """Capped equipment of a load, by set of live cords; shape (2**cords,)."""

    load_w: NDArray[np.float64]  # Power at full load [W]: neither served in full nor dropped
    drawn_w: NDArray[np.float64]  # Capped power [W]
    conflict: NDArray[np.bool_]  # Whether published figures of its capped mode conflict


@dataclass(frozen=True, eq=False)
class LoadKind:
    """Power of a load on each of its cords, for every set of live cords.

    Row ``p`` of the tables applies to the set of cords whose bit is set in ``p``: cord 0 is bit 0.
    """

    name: str  # E.g. the rack type
    # Power from each leg of the cord to neutral [VA]; shape (2**cords, cords, 3).
    neutral_va: NDArray[np.complex128]
    # Power between the legs 1-2, 2-3 and 3-1 [VA]; shape (2**cords, cords, 3).
    pair_va: NDArray[np.complex128]
    # Power of the stopped equipment, at its inputs [W]; shape (2**cords,). The cord power may
    # include the loss of a rack PDU.
    dropped_w: NDArray[np.float64]
    off: NDArray[np.bool_]  # Whether some equipment of the load has stopped; shape (2**cords,)
    critical: bool = True  # Whether it is IT load, the subject of the verdicts
    capped: CappedLoad | None = None  # None if no equipment of the load ever runs capped
    # Circuit sizing load, including equipment that stops: see `draw_with`. None if equal to this
    # kind.
    designed: LoadKind | None = None

    @property
    def cords(self) -> int:
        """Number of cords."""
        return int(self.neutral_va.shape[1])

    @property
    def total_w(self) -> float:
        """Power of all its equipment, at its inputs [W]: dropped power with no cord alive."""
        return float(self.dropped_w[0])


@dataclass(frozen=True, slots=True)
class Cord:
    """Cord of a load: its connection point, and the phase of each leg (0 A, 1 B, 2 C).

    A cord with fewer than three legs lists the phases in use, in order, and then the others.
    """

    link: Link
    phases: tuple[int, int, int] = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Load:
    """Load with one or more cords."""

    tag: str
    kind: LoadKind
    cords: tuple[Cord, ...]
    hall: str = ""


@dataclass(frozen=True, eq=False)
class Network:
    """Whole graph."""

    equipment: tuple[Equipment, ...]  # Upstream before downstream
    loads: tuple[Load, ...]
    # Whether all loads are balanced over the phases, so one phase represents three.
    balanced: bool = False
    index: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the equipment by tag."""
        object.__setattr__(self, "index", {e.tag: n for n, e in enumerate(self.equipment)})

    def __getitem__(self, tag: str) -> Equipment:
        return self.equipment[self.index[tag]]

    @cached_property
    def links(self) -> tuple[tuple[str, Link], ...]:
        """Every link with the tag of its supplied element, equipment first, then loads."""
        return (
            *((one.tag, link) for one in self.equipment for link in one.links),
            *((load.tag, cord.link) for load in self.loads for cord in load.cords),
        )


@dataclass(frozen=True, slots=True)
class Outage:
    """Tags of units and circuits out of service."""

    id: str  # E.g. "loss of UPS-A1"
    lost: tuple[str, ...] = ()  # Failed tags; empty if all is in service
    maintained: tuple[str, ...] = ()  # Tags taken out for maintenance

    @property
    def out(self) -> tuple[str, ...]:
        """All tags out of service."""
        return self.lost + self.maintained
