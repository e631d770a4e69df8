"""Hall distribution in SI: voltage system, as-built panelboards, feeds and breaker sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Numbering = Literal["US", "IEC", "SINGLE", "BUSWAY"]
Connection = Literal["L-N", "L-L"]

IMBALANCE_LIMIT = 0.10
"""Default limit of panel line-current imbalance for advice."""

MIN_LINE_NEUTRAL_V = 200.0
"""Minimum phase voltage for line-to-neutral connection of a single-phase supply (200-240 V)."""


@dataclass(frozen=True, slots=True)
class AsBuiltCircuit:
    """As-built data of one rack circuit of a panel."""

    rack: str  # Rack name, e.g. "Nodes 03"
    # Index of the circuit among the circuits of its rack on the feed of the panel, from 0.
    number: int = 0
    position: int | None = None  # Pole number of the first pole; None for balancing
    fixed: bool = False  # Whether balancing must not move it
    # Outlet bank on each pole of a 3-pole circuit, from 0; None for automatic.
    banks: tuple[int, int, int] | None = None
    description: str = ""  # Description in the schedule; empty for automatic
    together: str = ""  # Name of its `together` group; empty for none
    apart: str = ""  # Name of its `apart` group; empty for none


@dataclass(frozen=True, slots=True)
class AsBuiltSpare:
    """Spare breaker: poles, trip rating [A] and pole number of its first pole."""

    poles: int
    breaker_a: float
    position: int


@dataclass(frozen=True, slots=True)
class AsBuiltPanel:
    """As-built data of one panel; other circuits are placed around these."""

    tag: str
    circuits: tuple[AsBuiltCircuit, ...]
    spares: tuple[AsBuiltSpare, ...] = ()
    sccr_a: float | None = None  # Short-circuit current rating if stated for this panel [A]


@dataclass(frozen=True, slots=True)
class AsBuiltCords:
    """Outlet bank, from 0, of each cord of one circuit of a rack type, in order of its supplies.

    `rack` is the rack type, `feed` and `number` identify the circuit as in `AsBuiltCircuit`.
    Three-phase cords have bank -1.
    """

    rack: str
    feed: str
    number: int
    banks: tuple[int, ...]


@dataclass(frozen=True)
class PanelBasis:
    """Data of the hall panelboards; identical on every feed."""

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
    breaker_sizes_a: tuple[float, ...]  # Candidate branch breaker ratings, rising [A]
    numbering: Numbering  # Circuit numbers in two columns, phases by row; or ways 1L1 1L2 1L3
    tag_prefix: str  # Prefix of a panel tag: `RPP` gives `RPP-A01`
    stated: tuple[AsBuiltPanel, ...] = ()  # As-built data of single panels; others are designed
    # Specified outlet banks of cords; others are designed.
    cords: tuple[AsBuiltCords, ...] = ()
    # Permitted line current of present racks at nominal voltage on the largest PDU transformer,
    # with growth and wiring losses [A]; infinite without PDU transformers.
    transformer_a: float = math.inf
    imbalance_limit: float = IMBALANCE_LIMIT  # Panel imbalance limit for advice
    neutral_a: float | None = None  # Rating of the neutral bars [A]; None if not specified
    main_open: bool = False  # Whether the design selects the main

    @property
    def single_phase(self) -> Connection:
        """Connection of a single-phase supply: L-L on 208Y/120, otherwise L-N."""
        return "L-N" if self.v_ln >= MIN_LINE_NEUTRAL_V else "L-L"

    @property
    def supply_v(self) -> float:
        """Voltage across a single-phase supply [V]."""
        return self.v_ln if self.single_phase == "L-N" else self.v_ll
