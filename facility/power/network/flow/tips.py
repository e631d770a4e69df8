"""Equipment at the ends of the tree: one circuit leads into it, one cord out of it.

A rack PDU that one server is plugged into carries what the cord carries, so that circuit, PDU and
cord are one impedance to the sweep. Most rows of a hall are such.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from facility.power.network.flow.cords import Cords
from facility.power.network.flow.ratings import Ratings
from facility.power.network.graph.types import Network

Ints = NDArray[np.intp]


class _Branches(Protocol):
    @property
    def source(self) -> Ints: ...
    @property
    def first(self) -> Ints: ...
    @property
    def impedance(self) -> NDArray[np.complex128]: ...


@dataclass(frozen=True, eq=False)
class Tips:
    """The tips of a network, and where the cords begin for the sweep."""

    first: int  # Row from which on all rows are tips
    cord: Ints  # Cord of each tip
    # Row that a cord begins at: where it is plugged in, or the source of that tip. Shape (cords,).
    entry: Ints
    # From there to the end of the cord [per unit]; shape (cords, 1, 1).
    impedance: NDArray[np.complex128]


def are_tips(network: Network, plain: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which equipment is a tip; `plain` has one link, or is a source, and one impedance."""
    index, count = network.index, len(network.equipment)
    feeds = [index[link.source] for one in network.equipment for link in one.links]
    cords = [index[cord.link.source] for load in network.loads for cord in load.cords]
    fed = np.array([bool(one.links) for one in network.equipment], dtype=bool)
    single = np.bincount(np.array(cords, dtype=np.intp), minlength=count) == 1
    last = np.bincount(np.array(feeds, dtype=np.intp), minlength=count) == 0
    return np.asarray(plain & fed & single & last)


def lay_out(first: int, cords: Cords, branches: _Branches, ratings: Ratings) -> Tips:
    """Return the tips of a network, which are its rows from `first` on."""
    numbers = np.flatnonzero(cords.source >= first)
    rows = cords.source[numbers]
    branch = branches.first[rows]
    entry, impedance = cords.source.copy(), cords.impedance.copy()
    entry[numbers] = branches.source[branch]
    impedance[numbers, 0, 0] += branches.impedance[branch] + ratings.impedance[rows]
    return Tips(first, numbers[np.argsort(rows)], entry, impedance)
