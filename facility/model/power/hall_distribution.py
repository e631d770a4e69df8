"""The hall distribution in SI: voltage system, panelboards as built, feeds and breaker sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Numbering = Literal["US", "IEC", "SINGLE", "BUSWAY"]
Connection = Literal["L-N", "L-L"]

IMBALANCE_LIMIT = 0.10
"""Imbalance of the line currents of a panel above which advice is given, where none is stated."""

LEAST_LINE_NEUTRAL_V = 200.0
"""Least phase voltage that a single-phase IT supply (200-240 V) can use line-to-neutral."""


@dataclass(frozen=True, slots=True)
class AsBuiltCircuit:
    """What is said of one rack circuit of a panel."""

    rack: str  # Name of the one rack, e.g. "Nodes 03"
    # Number of the circuit among those of its rack on the feed of the panel, from 0.
    number: int = 0
    position: int | None = None  # Pole number of the first pole; None leaves it to the balancing
    fixed: bool = False  # Whether balancing must leave it there
    # Outlet bank on each pole of a 3-pole circuit, from 0; None leaves it to the design.
    banks: tuple[int, int, int] | None = None
    description: str = ""  # Text of the schedule; empty for that of the design
    together: str = ""  # Name of the group it stands together with; empty for none
    apart: str = ""  # Name of the group it stands apart from; empty for none


@dataclass(frozen=True, slots=True)
class AsBuiltSpare:
    """A breaker without a load: poles, trip rating [A] and pole number of its first pole."""

    poles: int
    breaker_a: float
    position: int


@dataclass(frozen=True, slots=True)
class AsBuiltPanel:
    """What is said of one panel; circuits it does not name are placed around those it does."""

    tag: str
    circuits: tuple[AsBuiltCircuit, ...]
    spares: tuple[AsBuiltSpare, ...] = ()


@dataclass(frozen=True, slots=True)
class AsBuiltCords:
    """Outlet bank, from 0, of each cord of one circuit of a kind of rack, in order of its supplies.

    `rack` is the name of the kind, `feed` and `number` name the circuit as in `AsBuiltCircuit`.
    Cords of three phases have bank -1.
    """

    rack: str
    feed: str
    number: int
    banks: tuple[int, ...]


@dataclass(frozen=True)
class PanelBasis:
    """What the panelboards of the halls are built from; the same frame on every feed."""

    system: str  # Name of the voltage system, e.g. "415Y/240"
    v_ll: float  # Line-to-line voltage [V]
    v_ln: float  # Line-to-neutral voltage [V]
    feeds: tuple[str, ...]  # Feeds in order, e.g. `("A", "B", "C")`
    # Tag of the board or UPS output that supplies each feed, parallel to `feeds`.
    fed_from: tuple[str, ...]
    bus_a: float  # Rating of the bus [A]
    main_a: float  # Rating of the main overcurrent device [A]
    poles: int  # Pole positions of one panelboard, 3 to 84
    # Whether assembly and overcurrent devices are listed for 100 % continuous load.
    listed_100: bool
    breaker_sizes_a: tuple[float, ...]  # Branch breaker ratings to choose from, rising [A]
    numbering: Numbering  # Circuit numbers in two columns, phases by row; or ways 1L1 1L2 1L3
    tag_prefix: str  # First part of a panel tag: `RPP` gives `RPP-A01`
    stated: tuple[AsBuiltPanel, ...] = ()  # What is said of single panels; the others are designed
    # Outlet banks of cords where they are said; the others are designed.
    cords: tuple[AsBuiltCords, ...] = ()
    # Line current of today's racks at nominal voltage that the largest PDU transformer carries,
    # with growth and wiring losses [A]; infinite without PDU transformers.
    transformer_a: float = math.inf
    imbalance_limit: float = IMBALANCE_LIMIT  # Imbalance of a panel above which advice is given
    neutral_a: float | None = None  # Rating of the neutral bars [A]; None where not stated
    main_open: bool = False  # Whether the project leaves the main to the design

    @property
    def single_phase(self) -> Connection:
        """How a single-phase supply is connected: L-L on 208Y/120, else L-N."""
        return "L-N" if self.v_ln >= LEAST_LINE_NEUTRAL_V else "L-L"

    @property
    def supply_v(self) -> float:
        """Voltage across a single-phase supply [V]."""
        return self.v_ln if self.single_phase == "L-N" else self.v_ll
