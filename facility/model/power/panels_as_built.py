"""Panels as they stand, or as somebody wants them: circuits with their poles and outlet banks."""

from __future__ import annotations

from dataclasses import dataclass


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
