"""The hall distribution in SI: voltage system, panelboards, feeds and breaker sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from facility.model.power.panels_as_built import AsBuiltCords, AsBuiltPanel

Numbering = Literal["US", "IEC", "SINGLE", "BUSWAY"]
Connection = Literal["L-N", "L-L"]

IMBALANCE_LIMIT = 0.10
"""Imbalance of the line currents of a panel above which advice is given, where none is stated."""

LEAST_LINE_NEUTRAL_V = 200.0
"""Least phase voltage that a single-phase IT supply (200-240 V) can use line-to-neutral."""


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

    @property
    def single_phase(self) -> Connection:
        """How a single-phase supply is connected: L-L on 208Y/120, else L-N."""
        return "L-N" if self.v_ln >= LEAST_LINE_NEUTRAL_V else "L-L"

    @property
    def supply_v(self) -> float:
        """Voltage across a single-phase supply [V]."""
        return self.v_ln if self.single_phase == "L-N" else self.v_ll
