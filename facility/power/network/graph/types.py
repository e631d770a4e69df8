"""The graph: equipment, the circuits between it, and the loads with their cords.

Power flows one way, from sources to loads. Equipment that can be supplied in several ways (a
transfer switch, a board with a tie, a UPS output with its bypasses) names them in the order in
which it takes them; the first one that is alive supplies it. Equal units in parallel on common
buses (modules of a UPS, sets of a plant, transformers of a board) are one piece of equipment with
several units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

EquipmentKind = Literal[
    "utility",
    "generator-plant",
    "mv-switchgear",
    "transformer",
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
    """One way that power reaches a piece of equipment: the circuit from another one.

    Attributes
    ----------
    source : str
        Tag of the equipment upstream.
    circuit : str
        Tag of the cable, busway or busbar; empty for equipment bolted together, which has neither
        impedance nor an outage of its own.
    resistance_ohm, reactance_ohm : float
        Of one phase, all parallel sets together, at the voltage of the circuit [ohm].
    rating_a : float or None
        Continuous current of the circuit [A]; None where it is not known.
    """

    source: str
    circuit: str = ""
    resistance_ohm: float = 0.0
    reactance_ohm: float = 0.0
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
    """One piece of equipment, or equal units of it in parallel on common buses.

    Attributes
    ----------
    tag : str
        Unique tag.
    kind : EquipmentKind
        What it is.
    voltage_v : float
        Nominal line-to-line voltage at its output [V].
    links : tuple[Link, ...]
        How it is supplied, first choice first; empty for a source.
    units : tuple[str, ...]
        Tags of the units in parallel; the tag itself where there is one.
    rating_va, rating_w : float or None
        Rating of one unit [VA], [W]; None where it is not known or has no such limit.
    rating_a : float or None
        Current rating of one unit at its output voltage [A].
    resistance_ohm, reactance_ohm : float
        Series impedance of one unit and phase at its output voltage [ohm].
    no_load_w : float
        Loss of one energised unit [W].
    delta_wye : bool
        Whether it is a delta-wye transformer: zero sequence stays behind it.
    converter : Converter or None
        The converter of a UPS.
    maintainable : bool
        Whether it is taken out for maintenance.
    hall : str
        Hall it stands in; empty outside the halls.
    """

    tag: str
    kind: EquipmentKind
    voltage_v: float
    links: tuple[Link, ...] = ()
    units: tuple[str, ...] = ()
    rating_va: float | None = None
    rating_w: float | None = None
    rating_a: float | None = None
    resistance_ohm: float = 0.0
    reactance_ohm: float = 0.0
    no_load_w: float = 0.0
    delta_wye: bool = False
    converter: Converter | None = None
    maintainable: bool = True
    hall: str = ""

    @property
    def unit_tags(self) -> tuple[str, ...]:
        """Tags of its units; its own where it has no several."""
        return self.units or (self.tag,)


@dataclass(frozen=True, eq=False)
class LoadKind:
    """What a load draws on each of its cords, for every set of cords that are alive.

    Row ``p`` of the tables belongs to the set of cords whose bit is set in ``p``: cord 0 is bit 0.

    Attributes
    ----------
    name : str
        E.g. the kind of rack.
    neutral_va : ndarray, shape (2**cords, cords, 3), complex
        Power from each leg of the cord to neutral [VA].
    pair_va : ndarray, shape (2**cords, cords, 3), complex
        Power between the legs 1-2, 2-3 and 3-1 [VA].
    dropped_w : ndarray, shape (2**cords,)
        Power that is not served [W].
    off : ndarray, shape (2**cords,), bool
        Whether some equipment of the load has stopped.
    critical : bool
        Whether it is IT load, for which the verdicts are given.
    designed : LoadKind or None
        The load as its circuits are sized: each live cord carries its designed share, whether or
        not its equipment runs on so few supplies. None where this kind never stops on live cords.
    """

    name: str
    neutral_va: NDArray[np.complex128]
    pair_va: NDArray[np.complex128]
    dropped_w: NDArray[np.float64]
    off: NDArray[np.bool_]
    critical: bool = True
    designed: LoadKind | None = None

    @property
    def cords(self) -> int:
        """Number of cords."""
        return int(self.neutral_va.shape[1])

    @property
    def total_w(self) -> float:
        """Power with all cords alive [W]."""
        return float((self.neutral_va[-1].sum() + self.pair_va[-1].sum()).real)


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
    """The whole graph.

    Attributes
    ----------
    equipment : tuple[Equipment, ...]
        Upstream before downstream.
    loads : tuple[Load, ...]
        All loads.
    balanced : bool
        Whether all loads are balanced over the phases, so that one phase stands for three.
    """

    equipment: tuple[Equipment, ...]
    loads: tuple[Load, ...]
    balanced: bool = False
    index: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the equipment by tag."""
        object.__setattr__(self, "index", {e.tag: n for n, e in enumerate(self.equipment)})

    def __getitem__(self, tag: str) -> Equipment:
        return self.equipment[self.index[tag]]

    @property
    def links(self) -> Iterator[tuple[str, Link]]:
        """Every link with the tag of what it supplies, equipment first, then loads."""
        for one in self.equipment:
            for link in one.links:
                yield one.tag, link
        for load in self.loads:
            for cord in load.cords:
                yield load.tag, cord.link


@dataclass(frozen=True, slots=True)
class Outage:
    """What is out of service: tags of units and of circuits.

    Attributes
    ----------
    id : str
        E.g. ``"loss of UPS-A1"``.
    lost, maintained : tuple[str, ...]
        Tags that failed, and tags taken out on purpose; empty when all is in service.
    """

    id: str
    lost: tuple[str, ...] = ()
    maintained: tuple[str, ...] = ()

    @property
    def out(self) -> tuple[str, ...]:
        """All tags out of service."""
        return self.lost + self.maintained
