"""The network as arrays: equipment sorted by level, per unit impedances, loads by set of cords.

Rows are equipment, sorted so that each level (steps of the longest way from a source) is a range;
within a level first *plain* rows (one link, one impedance: boards, panels, busways), then
*special* rows (several links or units, a delta-wye, a no-load loss, a converter). Voltages are per
unit of the nominal phase voltage of the row, currents of `BASE_VA` over that voltage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from facility.power.network.flow.cords import Cords, compile_cords
from facility.power.network.flow.ratings import Ratings, per_unit, read_ratings
from facility.power.network.graph.types import Equipment, Network
from facility.power.network.graph.validate import check_network, levels

BASE_VA = 1e6
"""Three-phase power of the per unit system [VA]."""
Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Level:
    """Rows `lo` to `hi` of one level: plain ones, special ones, of these at last the multiple ones.

    Attributes
    ----------
    lo, special, multiple, hi : int
        Rows of the level; from `special` on special, from `multiple` on with several links.
    source : ndarray, int
        Row of the source of each row with one link.
    impedance : ndarray, shape (plain, 1, 1), complex, or None
        Series impedance of circuit and equipment of the plain rows [per unit]; None where zero.
    branches : slice
        Branches of the special rows.
    delta_wye, converters : ndarray, int
        Which of the special rows are such, counted from `special`.
    sums : sparse matrix or None
        Adds up the branches that the rows supply; None where there are none.
    loads : slice
        The rows of the level among the rows that supply cords, `Compiled.loaded`.
    """

    lo: int
    special: int
    multiple: int
    hi: int
    source: Ints
    impedance: NDArray[np.complex128] | None
    branches: slice
    delta_wye: Ints
    converters: Ints
    sums: sparse.csr_matrix | None
    loads: slice


@dataclass(frozen=True, eq=False)
class Branches:
    """The links of the equipment, sorted by row and choice.

    Attributes
    ----------
    row, choice, source : ndarray, int
        Row supplied, which of its links, and row of the source.
    link : ndarray, int
        Number in `Network.links`.
    first : ndarray, int
        First branch of each row; of a source the place where it would stand.
    impedance : ndarray, complex
        Of the circuit [per unit].
    column : ndarray, int
        Where the current of the branch stands among the currents: the row itself where plain.
    """

    row: Ints
    choice: Ints
    source: Ints
    link: Ints
    first: Ints
    impedance: NDArray[np.complex128]
    column: Ints


@dataclass(frozen=True, eq=False)
class Compiled:
    """A validated network, ready for `solve`.

    Attributes
    ----------
    network : Network
        What it was made from.
    order : ndarray, int
        Equipment of each row.
    levels : tuple[Level, ...]
        Sources first.
    branches : Branches
        Links of the equipment.
    cords : Cords
        Cords of the loads.
    loaded : ndarray, int
        Rows that supply cords.
    cord_sums : sparse matrix
        Adds up the cords of each of these rows.
    ratings : Ratings
        What the results need of equipment and circuits.
    phases : int
        1 for a balanced network, else 3.
    units : ndarray, int
        Units of each row.
    switches : ndarray, bool
        Rows of static transfer switches.
    tags : dict[str, tuple[str, int]]
        What each tag of an outage takes out: a unit of a row, a row, a branch or a cord.
    """

    network: Network
    order: Ints
    levels: tuple[Level, ...]
    branches: Branches
    cords: Cords
    loaded: Ints
    cord_sums: sparse.csr_matrix
    ratings: Ratings
    phases: int
    units: Ints
    switches: NDArray[np.bool_]
    tags: dict[str, tuple[str, int]]

    def equipment(self, row: int) -> Equipment:
        """Return the equipment of a row."""
        return self.network.equipment[int(self.order[row])]


def compile_network(network: Network) -> Compiled:
    """Validate a network and lay it out as arrays.

    Raises
    ------
    FacilityError
        ``NETWORK_DUPLICATE``, ``NETWORK_SOURCE``, ``NETWORK_ISLAND``, ``NETWORK_LOOP``,
        ``NETWORK_VOLTAGE`` or ``NETWORK_VALUE``, naming the component.
    """
    check_network(network)
    level = levels(network)
    order = np.array(
        sorted(range(len(level)), key=lambda n: (level[n], _rank(network.equipment[n]), n)),
        dtype=np.intp,
    )
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    branches = _branches(network, order, rank)
    phases = 1 if network.balanced else 3
    cords = compile_cords(
        network, rank, phases, BASE_VA, sum(len(e.links) for e in network.equipment)
    )
    ordered = [network.equipment[n] for n in order]
    loaded, place = np.unique(cords.source, return_inverse=True)
    ones = np.ones(place.size)
    return Compiled(
        network=network,
        switches=np.array([one.kind == "sts" for one in ordered], dtype=np.bool_),
        order=order,
        levels=_levels(ordered, np.array(level)[order], branches, loaded),
        branches=branches,
        cords=cords,
        loaded=loaded,
        cord_sums=sparse.csr_matrix(
            (ones, (place, np.arange(place.size))), shape=(loaded.size, place.size)
        ),
        ratings=read_ratings(network, ordered, BASE_VA),
        phases=phases,
        units=np.array([len(one.unit_tags) for one in ordered], dtype=np.intp),
        tags=_tags(network, rank, branches, cords),
    )


def _rank(one: Equipment) -> int:
    """Return 0 for plain, 1 for special, 2 for several links."""
    if len(one.links) > 1:
        return 2
    several = len(one.unit_tags) > 1
    return int(several or one.delta_wye or one.no_load_w > 0.0 or one.converter is not None)


def _branches(network: Network, order: Ints, rank: Ints) -> Branches:
    starts = np.cumsum([0] + [len(one.links) for one in network.equipment])
    found: list[tuple[int, int, int, int, complex]] = []
    first = np.zeros(order.size, dtype=np.intp)
    for row, number in enumerate(order):
        first[row] = len(found)
        for choice, link in enumerate(network.equipment[number].links):
            source = network.index[link.source]
            voltage_v = network.equipment[source].voltage_v
            z = per_unit(link.resistance_ohm, link.reactance_ohm, voltage_v, BASE_VA)
            found.append((row, choice, int(rank[source]), int(starts[number]) + choice, z))
    columns = list(zip(*found, strict=True)) or [()] * 5
    ints = [np.array(column, dtype=np.intp) for column in columns[:4]]
    special = np.array([_rank(network.equipment[n]) > 0 for n in order], dtype=bool)
    column = ints[0].copy()
    extra = special[ints[0]]
    column[extra] = order.size + np.arange(int(extra.sum()))
    return Branches(
        row=ints[0],
        choice=ints[1],
        source=ints[2],
        link=ints[3],
        first=first,
        impedance=np.array(columns[4], dtype=np.complex128),
        column=column,
    )


def _levels(
    ordered: list[Equipment], level: Ints, branches: Branches, loaded: Ints
) -> tuple[Level, ...]:
    rows = len(ordered)
    columns = rows + int((branches.column >= rows).sum())
    ones = np.ones(branches.row.size)
    sums = sparse.csr_matrix((ones, (branches.source, branches.column)), shape=(rows, columns))
    edges = np.searchsorted(level, np.arange(int(level.max()) + 2))
    return tuple(
        _level(ordered, int(lo), int(hi), branches, sums[lo:hi], loaded)
        for lo, hi in pairwise(edges)
    )


def _level(
    ordered: list[Equipment],
    lo: int,
    hi: int,
    branches: Branches,
    sums: sparse.csr_matrix,
    loaded: Ints,
) -> Level:
    ranks = [_rank(one) if one.links else 3 for one in ordered[lo:hi]]
    special, multiple = (lo + int(np.searchsorted(ranks, n)) for n in (1, 2))
    if not ordered[lo].links:
        special = multiple = hi
    plain = ordered[lo:special] if ordered[lo].links else []
    own = [per_unit(one.resistance_ohm, one.reactance_ohm, one.voltage_v, BASE_VA) for one in plain]
    first = branches.first[lo : lo + len(plain)]
    z = branches.impedance[first] + np.array(own, dtype=np.complex128)
    ends = [int(np.searchsorted(branches.row, row)) for row in (special, hi)]
    single = branches.first[lo:multiple] if ordered[lo].links else first
    return Level(
        lo=lo,
        special=special,
        multiple=multiple,
        hi=hi,
        source=branches.source[single],
        impedance=z[:, None, None] if np.any(z) else None,
        branches=slice(*ends),
        delta_wye=_which(one.delta_wye for one in ordered[special:hi]),
        converters=_which(one.converter is not None for one in ordered[special:hi]),
        sums=sums if sums.nnz else None,
        loads=slice(*(int(n) for n in np.searchsorted(loaded, [lo, hi]))),
    )


def _which(flags: Iterable[bool]) -> Ints:
    return np.flatnonzero(np.array(list(flags), dtype=bool))


def _tags(
    network: Network, rank: Ints, branches: Branches, cords: Cords
) -> dict[str, tuple[str, int]]:
    tags: dict[str, tuple[str, int]] = {}
    for number, one in enumerate(network.equipment):
        for unit in one.unit_tags:
            tags[unit] = ("unit", int(rank[number]))
        tags[one.tag] = ("row", int(rank[number]))
    place = {int(link): ("branch", n) for n, link in enumerate(branches.link)}
    place |= {int(link): ("cord", n) for n, link in enumerate(cords.link)}
    for number, (_, link) in enumerate(network.links):
        if link.circuit:
            tags[link.circuit] = place[number]
    return tags
