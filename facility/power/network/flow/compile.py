"""Network as arrays: equipment sorted by level, per unit impedances, loads by set of cords.

Rows are equipment, sorted so that each level (steps of the longest path from a source) is a range;
within a level first *plain* rows (one link, one impedance: boards, panels, busways), then
*special* rows (several links or units, a delta-wye, a no-load loss, a converter). The last level is
the level of the tips, if any. Voltages are per unit of the nominal phase voltage of the row,
currents per unit of `BASE_VA` / that voltage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.power.network.flow.cords import Cords, compile_cords
from facility.power.network.flow.sums import RowSums, row_sums
from facility.power.network.graph.types import Equipment, Network
from facility.power.network.graph.validate import check_network, levels

_SQRT3 = math.sqrt(3.0)


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings and impedances: of the equipment by row, of the circuits by `Network.links`."""

    base_a: FloatArray  # Base current [A]; shape (rows,)
    impedance: NDArray[np.complex128]  # Of one unit [per unit]; shape (rows,)
    no_load: FloatArray  # Of one unit [per unit of the three-phase power]; shape (rows,)
    # Loading of one unit at 1 per unit of current: the larger of the limits in kVA and A; nan if
    # there is neither. Shape (rows,).
    per_current: FloatArray
    # Loading of one unit per watt of all phases, the limit of an engine [1/W]; nan without such a
    # limit. Shape (rows,).
    per_watt: FloatArray
    # Loading of one unit per watt of the largest phase, the limit of a converter leg [1/W]; nan
    # without such a limit.
    per_phase_watt: FloatArray
    # Constant, linear and quadratic loss / rating, and kvar / kW of the input;
    # shape (4, rows).
    converter: FloatArray
    rating_w: FloatArray  # Active rating of one unit [W]; nan if unknown. Shape (rows,).
    circuit_ohm: FloatArray  # Resistance [per unit]; shape (links,)
    circuit_base_a: FloatArray  # Base current [A]; shape (links,)
    # Loading at 1 per unit of current; nan without a rating. Shape (links,).
    circuit_per_current: FloatArray

    def part(self, rows: NDArray[np.intp]) -> Ratings:
        """Return the ratings of some rows, and of all circuits."""
        return replace(
            self,
            base_a=self.base_a[rows],
            impedance=self.impedance[rows],
            no_load=self.no_load[rows],
            per_current=self.per_current[rows],
            per_watt=self.per_watt[rows],
            per_phase_watt=self.per_phase_watt[rows],
            converter=self.converter[:, rows],
            rating_w=self.rating_w[rows],
        )


def per_unit(
    resistance_ohm: float, reactance_ohm: float, voltage_v: float, base_va: float
) -> complex:
    """Return an impedance in per unit of a three-phase power at a line-to-line voltage."""
    return complex(resistance_ohm, reactance_ohm) * base_va / voltage_v**2


def read_ratings(network: Network, ordered: list[Equipment], base_va: float) -> Ratings:
    """Return the ratings of a network as arrays.

    ordered: Equipment by row.
    base_va: Three-phase power of the per unit system [VA].
    """
    base_a = base_va / (_SQRT3 * np.array([one.voltage_v for one in ordered]))
    rating_w = _known([one.rating_w for one in ordered])
    left = np.array([one.rating_left for one in ordered])
    engine = np.array([one.kind == "generator-plant" for one in ordered], dtype=bool)
    volts = np.array([network[link.source].voltage_v for _, link in network.links])
    resistance = np.array([link.resistance_ohm for _, link in network.links])
    circuit_base_a = base_va / (_SQRT3 * volts)
    return Ratings(
        base_a=base_a,
        impedance=np.array(
            [
                per_unit(one.resistance_ohm, one.reactance_ohm, one.voltage_v, base_va)
                for one in ordered
            ],
            dtype=np.complex128,
        ),
        no_load=np.array([one.no_load_w for one in ordered]) / base_va,
        per_current=np.fmax(
            base_va / _known([one.rating_va for one in ordered]),
            base_a / _known([one.rating_a for one in ordered]),
        )
        / left,
        per_watt=np.where(engine, 1.0 / rating_w, np.nan) / left,
        per_phase_watt=np.where(engine, np.nan, 3.0 / rating_w) / left,
        converter=np.array([_converter(one) for one in ordered]).reshape(-1, 4).T,
        rating_w=rating_w,
        circuit_ohm=resistance * base_va / volts**2,
        circuit_base_a=circuit_base_a,
        circuit_per_current=circuit_base_a / _known([link.rating_a for _, link in network.links]),
    )


def _known(values: list[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _converter(one: Equipment) -> tuple[float, float, float, float]:
    if one.converter is None:
        return (0.0, 0.0, 0.0, 0.0)
    factor = one.converter.input_power_factor
    reactive = math.sqrt(1.0 - factor**2) / factor
    return (one.converter.constant, one.converter.linear, one.converter.quadratic, reactive)


BASE_VA = 1e6
"""Three-phase power of the per unit system [VA]."""
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Tips:
    """Equipment at the ends of the tree, and the start of each cord in the sweep.

    One circuit leads into a tip, one cord out of it: a rack PDU with one server carries the cord
    current, so circuit, PDU and cord are one impedance in the sweep.
    """

    first: int  # First row of the tips
    cord: Ints  # Cord of each tip
    # Row at the start of a cord: its connection point, or the source of that tip. Shape (cords,).
    entry: Ints
    # From there to the end of the cord [per unit]; shape (cords, 1, 1).
    impedance: NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Level:
    """Rows `lo` to `hi` of a level: plain, then special, with multiple-link rows last."""

    # Rows of the level; from `special` special, from `multiple` with several links.
    lo: int
    special: int
    multiple: int
    hi: int
    source: Ints  # Row of the source of each row with one link
    # Series impedance of circuit and equipment of the plain rows [per unit]; None if zero. Shape
    # (plain, 1, 1).
    impedance: NDArray[np.complex128] | None
    branches: slice  # Branches of the special rows
    delta_wye: Ints  # Delta-wye transformers among the special rows, counted from `special`
    converters: Ints  # Converters among the special rows, counted from `special`
    # Sums the branches supplied by the rows, except tips; None if there are none.
    sums: RowSums | None
    loads: slice  # Rows of the level among the rows with cords, `Compiled.loaded`
    loaded: slice | Ints  # These rows; a slice if adjacent


@dataclass(frozen=True, eq=False)
class Branches:
    """Links of the equipment, sorted by row and choice."""

    row: Ints  # Supplied row
    choice: Ints  # Index among its links
    source: Ints  # Row of the source; -1 for an omitted source
    link: Ints  # Index in `Network.links`
    first: Ints  # First branch of each row; for a source its insertion index
    impedance: NDArray[np.complex128]  # Of the circuit [per unit]
    # Index of the branch current among the currents: the row itself if plain.
    column: Ints

    def part(self, rows: Ints, new_index: Ints) -> Branches:
        """Return the branches of some rows; `new_index` is the new index of each row, or -1."""
        retained = new_index[self.row] >= 0
        row, special = new_index[self.row[retained]], self.column[retained] >= new_index.size
        column = row.copy()
        column[special] = rows.size + np.arange(int(special.sum()))
        return Branches(
            row=row,
            choice=self.choice[retained],
            source=new_index[self.source[retained]],
            link=self.link[retained],
            first=np.searchsorted(row, np.arange(rows.size)),
            impedance=self.impedance[retained],
            column=column,
        )


@dataclass(frozen=True, eq=False)
class Sorts:
    """Type of each row."""

    level: Ints  # Steps of the longest path from a source; tips one above all others
    rank: Ints  # 0 for plain, 1 for special, 2 for several links; 3 for sources
    delta_wye: NDArray[np.bool_]  # Delta-wye transformers
    converter: NDArray[np.bool_]  # Converters

    def part(self, rows: Ints) -> Sorts:
        """Return some rows with renumbered levels."""
        level = np.unique(self.level[rows], return_inverse=True)[1]
        return Sorts(level, self.rank[rows], self.delta_wye[rows], self.converter[rows])


@dataclass(frozen=True, eq=False)
class Compiled:
    """A validated network, ready for `solve`."""

    network: Network  # Source network
    order: Ints  # Equipment of each row
    sorts: Sorts  # Type of each row
    levels: tuple[Level, ...]  # Sources first
    branches: Branches  # Links of the equipment
    cords: Cords  # Cords of the loads
    tips: Tips  # Rows that only feed one cord, and the start of each cord in the sweep
    loaded: Ints  # Rows with cords
    cord_sums: RowSums  # Sums the cords of each of these rows
    ratings: Ratings  # Ratings for the results of equipment and circuits
    phases: int  # 1 for a balanced network, else 3
    units: Ints  # Units of each row
    switches: NDArray[np.bool_]  # Rows of static transfer switches
    # Elements taken out by each outage tag: a unit of a row, a row, a branch or a cord.
    tags: dict[str, tuple[str, int]]
    # Current of the rows of `loaded` besides these cords: see `part`;
    # shape (loaded, phases, 1).
    converter_current: NDArray[np.complex128] | None = None

    @cached_property
    def converters(self) -> Ints:
        """Rows of the converters."""
        return np.flatnonzero(self.sorts.converter)

    def part(self, rows: Ints, cords: Ints, converter_current: NDArray[np.complex128]) -> Compiled:
        """Return some rows and cords as a separate network, with indices `order` and `link`.

        rows, cords: Retained elements, ascending: every row with the source in use.
        converter_current: Converter current to the omitted elements [per unit], shape (converters,
            phases, 1).
        """
        new_index = np.full(self.order.size, -1, dtype=np.intp)
        new_index[rows] = np.arange(rows.size)
        sorts, ratings = self.sorts.part(rows), self.ratings.part(rows)
        branches = self.branches.part(rows, new_index)
        retained = self.cords.part(cords, new_index)
        converters = new_index[self.converters]
        tips = lay_out(int(np.searchsorted(rows, self.tips.first)), retained, branches, ratings)
        loaded, sums = _cord_sums(tips.entry, converters)
        current = np.zeros((loaded.size, *converter_current.shape[1:]), dtype=np.complex128)
        current[np.searchsorted(loaded, converters)] = converter_current
        return replace(
            self,
            order=self.order[rows],
            sorts=sorts,
            levels=_levels(sorts, ratings, branches, loaded, tips.first),
            branches=branches,
            cords=retained,
            tips=tips,
            loaded=loaded,
            cord_sums=sums,
            ratings=ratings,
            units=self.units[rows],
            switches=self.switches[rows],
            tags={},
            converter_current=current,
        )

    def equipment(self, row: int) -> Equipment:
        """Return the equipment of a row."""
        return self.network.equipment[int(self.order[row])]


def compile_network(network: Network) -> Compiled:
    """Validate a network and lay it out as arrays.

    Raises ``NETWORK_DUPLICATE``, ``NETWORK_SOURCE``, ``NETWORK_ISLAND``, ``NETWORK_LOOP``,
    ``NETWORK_VOLTAGE`` or ``NETWORK_VALUE``, naming the component.
    """
    check_network(network)
    sort = np.array([_rank(one) for one in network.equipment], dtype=np.intp)
    tip, steps = are_tips(network, sort == 0), np.array(levels(network), dtype=np.intp)
    level = np.unique(np.where(tip, steps.size, steps), return_inverse=True)[1]
    order = np.lexsort((sort, level))
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    ordered = [network.equipment[n] for n in order]
    sorts = Sorts(
        level=level[order],
        rank=np.where([bool(one.links) for one in ordered], sort[order], 3),
        delta_wye=np.array([one.delta_wye for one in ordered], dtype=np.bool_),
        converter=np.array([one.converter is not None for one in ordered], dtype=np.bool_),
    )
    ratings = read_ratings(network, ordered, BASE_VA)
    branches = _branches(network, order, rank, sorts)
    phases = 1 if network.balanced else 3
    cords = compile_cords(
        network, rank, phases, BASE_VA, sum(len(e.links) for e in network.equipment)
    )
    tips = lay_out(int(np.sum(~tip)), cords, branches, ratings)
    loaded, cord_sums = _cord_sums(tips.entry, tips.entry)
    tags: dict[str, tuple[str, int]] = {}
    for number, one in enumerate(network.equipment):
        for unit in one.unit_tags:
            tags[unit] = ("unit", int(rank[number]))
        tags[one.tag] = ("row", int(rank[number]))
    elements = {int(link): ("branch", n) for n, link in enumerate(branches.link)}
    elements |= {int(link): ("cord", n) for n, link in enumerate(cords.link)}
    for number, (_, link) in enumerate(network.links):
        if link.circuit:
            tags[link.circuit] = elements[number]
    return Compiled(
        network=network,
        switches=np.array([one.kind == "sts" for one in ordered], dtype=np.bool_),
        order=order,
        sorts=sorts,
        levels=_levels(sorts, ratings, branches, loaded, tips.first),
        branches=branches,
        cords=cords,
        tips=tips,
        loaded=loaded,
        cord_sums=cord_sums,
        ratings=ratings,
        phases=phases,
        units=np.array([len(one.unit_tags) for one in ordered], dtype=np.intp),
        tags=tags,
    )


def _cord_sums(source: Ints, others: Ints) -> tuple[Ints, RowSums]:
    """Return the rows with cords and `others`, and the sums of the cords of each."""
    loaded = np.union1d(source, others)
    position = np.searchsorted(loaded, source)
    return loaded, row_sums(position, np.arange(source.size), loaded.size)


def _rank(one: Equipment) -> int:
    """Return 0 for plain, 1 for special, 2 for several links."""
    if len(one.links) > 1:
        return 2
    several = len(one.unit_tags) > 1
    return int(several or one.delta_wye or one.no_load_w > 0.0 or one.converter is not None)


def _branches(network: Network, order: Ints, rank: Ints, sorts: Sorts) -> Branches:
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
    column = ints[0].copy()
    extra = sorts.rank[ints[0]] > 0
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
    sorts: Sorts, ratings: Ratings, branches: Branches, loaded: Ints, tips: int
) -> tuple[Level, ...]:
    """Return the levels; the currents of rows from `tips` are counted with the cords."""
    counted = branches.row < tips
    edges = np.searchsorted(sorts.level, np.arange(int(sorts.level.max()) + 2))
    found = []
    for lo, hi in pairwise(int(edge) for edge in edges):
        inside = counted & (lo <= branches.source) & (branches.source < hi)
        sums = row_sums(branches.source[inside] - lo, branches.column[inside], hi - lo)
        found.append(_level(lo, hi, sorts, ratings, branches, sums, loaded))
    return tuple(found)


def _level(
    lo: int,
    hi: int,
    sorts: Sorts,
    ratings: Ratings,
    branches: Branches,
    sums: RowSums,
    loaded: Ints,
) -> Level:
    source = int(sorts.rank[lo]) == 3
    special, multiple = (
        hi if source else lo + int(np.searchsorted(sorts.rank[lo:hi], n)) for n in (1, 2)
    )
    plain, single = (slice(lo, lo if source else end) for end in (special, multiple))
    z = branches.impedance[branches.first[plain]] + ratings.impedance[plain]
    ends = [int(np.searchsorted(branches.row, row)) for row in (special, hi)]
    loads = slice(*(int(n) for n in np.searchsorted(loaded, [lo, hi])))
    rows = loaded[loads]
    together = bool(rows.size) and int(rows[-1] - rows[0]) == rows.size - 1
    return Level(
        lo=lo,
        special=special,
        multiple=multiple,
        hi=hi,
        source=branches.source[branches.first[single]],
        impedance=z[:, None, None] if np.any(z) else None,
        branches=slice(*ends),
        delta_wye=np.flatnonzero(sorts.delta_wye[special:hi]),
        converters=np.flatnonzero(sorts.converter[special:hi]),
        sums=sums if sums.groups else None,
        loads=loads,
        loaded=slice(int(rows[0]), int(rows[-1]) + 1) if together else rows,
    )


def are_tips(network: Network, plain: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which equipment is a tip; `plain` has one link, or is a source, and one impedance."""
    index, count = network.index, len(network.equipment)
    feeds = [index[link.source] for one in network.equipment for link in one.links]
    cords = [index[cord.link.source] for load in network.loads for cord in load.cords]
    fed = np.array([bool(one.links) for one in network.equipment], dtype=bool)
    single = np.bincount(np.array(cords, dtype=np.intp), minlength=count) == 1
    last = np.bincount(np.array(feeds, dtype=np.intp), minlength=count) == 0
    return np.asarray(plain & fed & single & last)


def lay_out(first: int, cords: Cords, branches: Branches, ratings: Ratings) -> Tips:
    """Return the tips of a network, the rows from `first`."""
    numbers = np.flatnonzero(cords.source >= first)
    rows = cords.source[numbers]
    branch = branches.first[rows]
    entry, impedance = cords.source.copy(), cords.impedance.copy()
    entry[numbers] = branches.source[branch]
    impedance[numbers, 0, 0] += branches.impedance[branch] + ratings.impedance[rows]
    return Tips(first, numbers[np.argsort(rows)], entry, impedance)
