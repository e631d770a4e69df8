"""The graph: equipment, the circuits between it, and the loads with their cords.

Power flows one way, from sources to loads. Equipment that can be supplied in several ways (a
transfer switch, a board with a tie, a UPS output with its bypasses) names them in the order in
which it takes them; the first one that is alive supplies it. Equal units in parallel on common
buses (modules of a UPS, sets of a plant, transformers of a board) are one piece of equipment with
several units.
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
"""Kinds that hold their voltage and are supplied by nothing in the graph."""


@dataclass(frozen=True, slots=True)
class Link:
    """One way that power reaches a piece of equipment: the circuit from another one."""

    source: str  # Tag of the equipment upstream
    # Tag of the cable, busway or busbar; empty for equipment bolted together, which has neither
    # impedance nor an outage of its own.
    circuit: str = ""
    # Of one phase, all parallel sets together, at the voltage of the circuit [ohm].
    resistance_ohm: float = 0.0
    reactance_ohm: float = 0.0
    # Continuous current of the circuit [A]; None where it is not known.
    rating_a: float | None = None


@dataclass(frozen=True, slots=True)
class Converter:
    """A double-conversion UPS module: loss terms as fractions of its rating, and its input.

    The output voltage is held; the input current is balanced, whatever the phases of the output
    carry.
    """

    constant: float
    linear: float
    quadratic: float
    input_power_factor: float


@dataclass(frozen=True, slots=True)
class Equipment:
    """One piece of equipment, or equal units of it in parallel on common buses."""

    tag: str  # Unique tag
    kind: EquipmentKind
    voltage_v: float  # Nominal line-to-line voltage at its output [V]
    links: tuple[Link, ...] = ()  # How it is supplied, first choice first; empty for a source
    units: tuple[str, ...] = ()  # Tags of the units in parallel; the tag itself where there is one
    # Rating of one unit [VA]; None where it is not known or has no such limit.
    rating_va: float | None = None
    rating_w: float | None = None  # The same [W]
    rating_a: float | None = None  # Current rating of one unit at its output voltage [A]
    # Part of its ratings that the altitude of the site leaves; its losses are of the ratings.
    rating_left: float = 1.0
    # Series impedance of one unit and phase at its output voltage [ohm].
    resistance_ohm: float = 0.0
    reactance_ohm: float = 0.0
    no_load_w: float = 0.0  # Loss of one energised unit [W]
    delta_wye: bool = False  # Whether it is a delta-wye transformer: zero sequence stays behind it
    converter: Converter | None = None
    maintainable: bool = True  # Whether it is taken out for maintenance
    hall: str = ""  # Hall it stands in; empty outside the halls

    @property
    def unit_tags(self) -> tuple[str, ...]:
        """Tags of its units; its own where it has no several."""
        return self.units or (self.tag,)


@dataclass(frozen=True, eq=False)
class CappedLoad:
    """The equipment of a load that runs capped, by set of live cords; shape (2**cords,)."""

    load_w: NDArray[np.float64]  # Its power at full load [W]: neither served in full nor dropped
    drawn_w: NDArray[np.float64]  # What it draws capped [W]
    conflict: NDArray[np.bool_]  # Whether published figures of its capped mode conflict


@dataclass(frozen=True, eq=False)
class LoadKind:
    """What a load draws on each of its cords, for every set of cords that are alive.

    Row ``p`` of the tables belongs to the set of cords whose bit is set in ``p``: cord 0 is bit 0.
    """

    name: str  # E.g. the kind of rack
    # Power from each leg of the cord to neutral [VA]; shape (2**cords, cords, 3).
    neutral_va: NDArray[np.complex128]
    # Power between the legs 1-2, 2-3 and 3-1 [VA]; shape (2**cords, cords, 3).
    pair_va: NDArray[np.complex128]
    # Power of the equipment that is off, at its inputs [W]; shape (2**cords,). What the cords draw
    # may include the loss of a rack PDU.
    dropped_w: NDArray[np.float64]
    off: NDArray[np.bool_]  # Whether some equipment of the load has stopped; shape (2**cords,)
    critical: bool = True  # Whether it is IT load, for which the verdicts are given
    capped: CappedLoad | None = None  # None where no equipment of the load ever runs capped
    # The load as its circuits are sized, equipment that stops included: see `draw_with`. None
    # where it is this.
    designed: LoadKind | None = None

    @property
    def cords(self) -> int:
        """Number of cords."""
        return int(self.neutral_va.shape[1])

    @property
    def total_w(self) -> float:
        """Power of all its equipment, at its inputs [W]: what is off with no cord alive."""
        return float(self.dropped_w[0])


@dataclass(frozen=True, slots=True)
class Cord:
    """A cord of a load: where it is plugged in, and the phase of each leg (0 A, 1 B, 2 C).

    A cord with fewer than three legs names the phases of those it has, in order, and the others
    after them.
    """

    link: Link
    phases: tuple[int, int, int] = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Load:
    """A load with one or more cords."""

    tag: str
    kind: LoadKind
    cords: tuple[Cord, ...]
    hall: str = ""


@dataclass(frozen=True, eq=False)
class Network:
    """The whole graph."""

    equipment: tuple[Equipment, ...]  # Upstream before downstream
    loads: tuple[Load, ...]
    # Whether all loads are balanced over the phases, so that one phase stands for three.
    balanced: bool = False
    index: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the equipment by tag."""
        object.__setattr__(self, "index", {e.tag: n for n, e in enumerate(self.equipment)})

    def __getitem__(self, tag: str) -> Equipment:
        return self.equipment[self.index[tag]]

    @cached_property
    def links(self) -> tuple[tuple[str, Link], ...]:
        """Every link with the tag of what it supplies, equipment first, then loads."""
        return (
            *((one.tag, link) for one in self.equipment for link in one.links),
            *((load.tag, cord.link) for load in self.loads for cord in load.cords),
        )


@dataclass(frozen=True, slots=True)
class Outage:
    """What is out of service: tags of units and of circuits."""

    id: str  # E.g. "loss of UPS-A1"
    lost: tuple[str, ...] = ()  # Tags that failed; empty when all is in service
    maintained: tuple[str, ...] = ()  # Tags taken out on purpose

    @property
    def out(self) -> tuple[str, ...]:
        """All tags out of service."""
        return self.lost + self.maintained
