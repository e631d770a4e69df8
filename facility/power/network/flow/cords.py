"""Load cords as arrays, and their power for every set of live cords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.core.rounding import argmax_within_rounding
from facility.power.network.graph.types import CappedLoad, Cord, LoadKind, Network

Ints = NDArray[np.intp]
_PAIR_OF = {frozenset((0, 1)): 0, frozenset((1, 2)): 1, frozenset((2, 0)): 2}


@dataclass(frozen=True, eq=False)
class Cords:
    """Cords, sorted by connection: neutral only, then both, then line-to-line only."""

    source: Ints  # Row that supplies the cord; shape (cords,)
    link: Ints  # Index in `Network.links`; shape (cords,)
    load: Ints  # Load of the cord; shape (cords,)
    impedance: NDArray[np.complex128]  # Of the circuit [per unit]; shape (cords, 1, 1)
    neutral_end: int  # Cords before this index draw from phase to neutral
    pair_begin: int  # Cords from this index draw between phases
    used: NDArray[np.bool_]  # Phases with load on the cord; shape (cords, phases)
    # First row of the tables below, for no live cord; the set of live cords is the offset. Shape
    # (cords,).
    table: Ints
    # Conjugate power from phase to neutral [per unit per phase]; shape (rows, phases).
    neutral: NDArray[np.complex128]
    # Conjugate power between A-B, B-C and C-A [per unit per phase]; shape (rows, phases).
    pair: NDArray[np.complex128]
    # For the first, second, ... cord of the loads: the cords, and their loads.
    sides: tuple[tuple[Ints, Ints], ...]
    load_table: Ints  # First row of the tables below, for no live cord; shape (loads,)
    dropped_w: NDArray[np.float64]  # As in `LoadKind`; shape (rows,)
    off: NDArray[np.bool_]  # As in `LoadKind`; shape (rows,)
    served: NDArray[np.bool_]  # Whether the load receives any power; shape (rows,)
    # As in `CappedLoad`, shape (rows,); None if no load ever runs capped.
    capped: CappedLoad | None

    def part(self, retained: Ints, new_index: Ints) -> Cords:
        """Return some cords, ascending; `new_index` is the new index of each row."""
        return replace(
            self,
            source=new_index[self.source[retained]],
            link=self.link[retained],
            load=self.load[retained],
            impedance=self.impedance[retained],
            neutral_end=int(np.searchsorted(retained, self.neutral_end)),
            pair_begin=int(np.searchsorted(retained, self.pair_begin)),
            used=self.used[retained],
            table=self.table[retained],
            sides=(),
        )


class _Tables:
    """Power tables by set of live cords, one for each load kind, cord and phase order."""

    def __init__(self, phases: int, base_va: float) -> None:
        self.phases = phases
        self.base_va = base_va
        self.start: dict[tuple[int, int, tuple[int, int, int]], int] = {}
        self.neutral: list[NDArray[np.complex128]] = []
        self.pair: list[NDArray[np.complex128]] = []
        self.connects: dict[int, int] = {}
        self.rows = 0

    def first_row(self, kind: LoadKind, number: int, cord: Cord) -> int:
        """Return the first table row of a cord, adding its tables if new."""
        key = (id(kind), number, cord.phases)
        if key not in self.start:
            neutral, pair = self._by_phase(kind, number, cord)
            self.start[key] = self.rows
            self.connects[self.rows] = 0 if not np.any(pair) else 1 if np.any(neutral) else 2
            self.neutral.append(neutral)
            self.pair.append(pair)
            self.rows += len(neutral)
        return self.start[key]

    def _by_phase(
        self, kind: LoadKind, number: int, cord: Cord
    ) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        legs, pairs = kind.neutral_va[:, number], kind.pair_va[:, number]
        if self.phases == 1:
            total = (legs.sum(axis=1) + pairs.sum(axis=1))[:, None] / self.base_va
            return total.conj(), np.zeros_like(total)
        neutral, pair = np.zeros_like(legs), np.zeros_like(pairs)
        for leg, phase in enumerate(cord.phases):
            neutral[:, phase] = legs[:, leg]
            pair[:, _PAIR_OF[frozenset((phase, cord.phases[(leg + 1) % 3]))]] = pairs[:, leg]
        return neutral.conj() / (self.base_va / 3.0), pair.conj() / (self.base_va / 3.0)


def compile_cords(
    network: Network, rank: Ints, phases: int, base_va: float, first_link: int
) -> Cords:
    """Return the cords of all loads as arrays.

    rank: Row index of each equipment.
    phases: 1 or 3.
    base_va: Three-phase power of the per unit system [VA].
    first_link: Index of the first cord in `Network.links`.
    """
    tables = _Tables(phases, base_va)
    found: list[tuple[int, int, int, int, int, int, complex]] = []
    for number, load in enumerate(network.loads):
        for bit, cord in enumerate(load.cords):
            source = network.index[cord.link.source]
            z = complex(cord.link.resistance_ohm, cord.link.reactance_ohm)
            table = tables.first_row(load.kind, bit, cord)
            found.append((
                tables.connects[table], int(rank[source]), first_link + len(found), number, bit,
                table, z * base_va / network.equipment[source].voltage_v ** 2,
            ))  # fmt: skip
    found.sort(key=lambda one: one[:3])
    columns = list(zip(*found, strict=True)) or [()] * 7
    connects, source_row, link, load_number, bits, at = (
        np.array(column, dtype=np.intp) for column in columns[:6]
    )
    neutral, pair = _stacked(tables.neutral, phases), _stacked(tables.pair, phases)
    by_load = np.argsort(load_number, kind="stable")
    sides = [by_load[bits[by_load] == bit] for bit in np.unique(bits)]
    load_table, kinds = _load_tables(network)
    # Phases with load on each cord for some set of live cords
    used = np.zeros((at.size, neutral.shape[1]), dtype=bool)
    touched = (neutral != 0) | (pair != 0) | (np.roll(pair, 1, axis=1) != 0)
    sets = np.array([2 ** len(one.cords) for one in network.loads], dtype=np.intp)
    for start in np.unique(at):
        mine = at == start
        rows = slice(int(start), int(start + sets[load_number[argmax_within_rounding(mine)]]))
        used[mine] = touched[rows].any(axis=0)
    served = [
        (kind.neutral_va.sum(axis=(1, 2)) + kind.pair_va.sum(axis=(1, 2))).real > 0.0
        for kind in kinds
    ]
    return Cords(
        source=source_row, link=link, load=load_number,
        impedance=np.array(columns[6], dtype=np.complex128)[:, None, None],
        neutral_end=int(np.searchsorted(connects, 2)),
        pair_begin=int(np.searchsorted(connects, 1)),
        used=used, table=at, neutral=neutral, pair=pair,
        sides=tuple((side, load_number[side]) for side in sides),
        load_table=load_table,
        dropped_w=np.concatenate([np.zeros(0), *(kind.dropped_w for kind in kinds)]),
        off=np.concatenate([np.zeros(0, dtype=bool), *(kind.off for kind in kinds)]).astype(bool),
        served=np.concatenate([np.zeros(0, dtype=bool), *served]).astype(bool),
        capped=_capped(kinds),
    )  # fmt: skip


def _stacked(parts: list[NDArray[np.complex128]], phases: int) -> NDArray[np.complex128]:
    return np.concatenate(parts) if parts else np.zeros((0, phases), dtype=np.complex128)


def _load_tables(network: Network) -> tuple[Ints, list[LoadKind]]:
    """Return the first table row of each load by set of live cords, and the load kinds."""
    start: dict[int, int] = {}
    kinds: list[LoadKind] = []
    rows = 0
    for load in network.loads:
        if id(load.kind) not in start:
            start[id(load.kind)] = rows
            kinds.append(load.kind)
            rows += len(load.kind.dropped_w)
    return np.array([start[id(load.kind)] for load in network.loads], dtype=np.intp), kinds


def _capped(kinds: Sequence[LoadKind]) -> CappedLoad | None:
    """Return the tables of capped load, zero for kinds without a capped mode."""
    if all(kind.capped is None for kind in kinds):
        return None
    none = (np.zeros_like(kind.dropped_w) for kind in kinds)
    found = [
        kind.capped or CappedLoad(zero, zero, zero.astype(bool))
        for kind, zero in zip(kinds, none, strict=True)
    ]
    return CappedLoad(
        np.concatenate([one.load_w for one in found]),
        np.concatenate([one.drawn_w for one in found]),
        np.concatenate([one.conflict for one in found]),
    )
