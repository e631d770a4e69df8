"""Groups of equivalent components, by color refinement over the graph.

Every piece of equipment, circuit and load starts with a color from its data. In each round it
combines the colors of its upstream and downstream elements, until no new color appears
(one-dimensional Weisfeiler-Leman refinement). Components of one color see the same network upstream
and downstream, so their outages have the same consequences. To group the losses during one
maintenance, the maintained part is marked first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from facility.power.network.graph.types import Equipment, Link, Load, LoadKind, Network
from facility.power.network.outages.lost import Part

_Colours = NDArray[np.uint64]
_Node = TypeVar("_Node", Equipment, Load)
_FIRST, _SECOND, _THIRD = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)


class Grouping:
    """Groups of parts of one network by color.

    network: Network graph.
    """

    def __init__(self, network: Network) -> None:
        self._numbers: dict[Any, int] = {}
        nodes = [one.tag for one in network.equipment] + [load.tag for load in network.loads]
        self._index = {tag: n for n, tag in enumerate(nodes)}
        kinds: dict[int, tuple[Any, tuple[int, ...]]] = {}
        for load in network.loads:
            if id(load.kind) not in kinds:
                found: list[int] = []  # For each cord the first interchangeable one
                for cord in range(load.kind.cords):
                    found.append(
                        next((n for n in found if _interchangeable(load.kind, n, cord)), cord)
                    )
                kinds[id(load.kind)] = (_load_data(load.kind), tuple(found))
        own = [self._number(_equipment_data(one)) for one in network.equipment]
        own += [self._number(kinds[id(load.kind)][0]) for load in network.loads]
        self._own: _Colours = _mixed(np.array(own, dtype=np.uint64))
        self._wires(network, {key: classes for key, (_, classes) in kinds.items()})

    def _wires(self, network: Network, classes: dict[int, tuple[int, ...]]) -> None:
        data: list[int] = []
        ends: list[tuple[int, int]] = []
        self._of_circuit: dict[str, list[int]] = defaultdict(list)

        def add(target: str, link: Link, position: tuple[Any, ...]) -> None:
            if link.circuit:
                self._of_circuit[link.circuit].append(len(data))
            numbers = _numbers((link.resistance_ohm, link.reactance_ohm, link.rating_a))
            data.append(self._number(("link", bool(link.circuit), numbers, *position)))
            ends.append((self._index[link.source], self._index[target]))

        for one in network.equipment:
            for rank, link in enumerate(one.links):
                add(one.tag, link, ("way", rank))
        for load in network.loads:
            for cord, cord_class in zip(load.cords, classes[id(load.kind)], strict=True):
                add(load.tag, cord.link, ("cord", cord_class, cord.phases))
        self._link: _Colours = _mixed(np.array(data, dtype=np.uint64))
        pairs = np.array(ends, dtype=np.intp).reshape(-1, 2)
        self._source, self._target = pairs[:, 0], pairs[:, 1]
        self._into, self._out_of = _Sum(self._target), _Sum(self._source)

    def _number(self, data: Any) -> int:
        return self._numbers.setdefault(data, len(self._numbers) + 1)

    def colours(self, parts: Sequence[Part], marked: Part | None = None) -> _Colours:
        """Return the stable color of each part, with `marked` distinguished from its equals."""
        nodes, links = self._own.copy(), self._link.copy()
        if marked is not None:
            mark = _mixed(np.uint64(self._number(("marked", marked.whole))))
            for tag in marked.equipment:
                nodes[[self._index[tag]]] += mark
            for tag in marked.tags if not marked.equipment else ():
                links[self._of_circuit[tag]] += mark
        nodes = self._refined(nodes, links)
        return np.array([self._colour(part, nodes, links) for part in parts], dtype=np.uint64)

    def _refined(self, nodes: _Colours, links: _Colours) -> _Colours:
        count = 0
        while (found := len(np.unique(nodes))) > count:
            count = found
            above, below = np.zeros_like(nodes), np.zeros_like(nodes)
            self._into.add(above, _mixed(links + _FIRST * nodes[self._source]))
            self._out_of.add(below, _mixed(links + _SECOND * nodes[self._target]))
            nodes = _mixed(_THIRD * nodes + _mixed(above + _FIRST) + _mixed(below + _SECOND))
        return nodes

    def _colour(self, part: Part, nodes: _Colours, links: _Colours) -> int:
        if part.equipment:
            seen = tuple(sorted(int(nodes[self._index[tag]]) for tag in part.equipment))
            return self._number(("units", part.whole, len(part.tags), seen))
        ends = (
            (int(links[n]), int(nodes[self._source[n]]), int(nodes[self._target[n]]))
            for tag in part.tags
            for n in self._of_circuit[tag]
        )
        return self._number(("circuit", tuple(sorted(ends))))

    def equal_groups(self, nodes: Iterable[_Node]) -> tuple[tuple[_Node, ...], ...]:
        """Return equipment or loads in groups of one color, in the order of first members."""
        colours = self._refined(self._own.copy(), self._link)
        found: dict[int, list[_Node]] = defaultdict(list)
        for node in nodes:
            found[int(colours[self._index[node.tag]])].append(node)
        return tuple(tuple(members) for members in found.values())

    def groups(
        self, parts: Sequence[Part], marked: Part | None = None
    ) -> tuple[tuple[Part, ...], ...]:
        """Return `parts` in groups of one color, in the order of their first members."""
        found: dict[int, list[Part]] = defaultdict(list)
        for part, colour in zip(parts, self.colours(parts, marked), strict=True):
            found[int(colour)].append(part)
        return tuple(tuple(members) for members in found.values())


class _Sum:
    """Sum of link values at their nodes, by index."""

    def __init__(self, nodes: NDArray[np.intp]) -> None:
        self._order = np.argsort(nodes, kind="stable")
        self._nodes, self._starts = np.unique(nodes[self._order], return_index=True)

    def add(self, sums: _Colours, values: _Colours) -> None:
        """Add `values`, one by link, to `sums`, one by node."""
        if len(self._nodes):
            sums[self._nodes] += np.add.reduceat(values[self._order], self._starts)


def _mixed(value: Any) -> Any:
    """Return scattered 64-bit numbers, so that sums of different sets differ (splitmix64)."""
    with np.errstate(over="ignore"):
        value = value + _FIRST
        value = (value ^ (value >> np.uint64(30))) * _SECOND
        value = (value ^ (value >> np.uint64(27))) * _THIRD
        return value ^ (value >> np.uint64(31))


def _numbers(values: Iterable[float | None]) -> tuple[str, ...]:
    """Return numbers as text with nine digits, so that rounding errors create no new color."""
    return tuple("" if value is None else f"{value:.9g}" for value in values)


def _equipment_data(one: Equipment) -> tuple[Any, ...]:
    losses = () if one.converter is None else astuple(one.converter)
    return (
        one.kind,
        len(one.unit_tags),
        one.delta_wye,
        one.maintainable,
        _numbers(
            (
                one.voltage_v,
                one.rating_va,
                one.rating_w,
                one.rating_a,
                one.rating_left,
                one.resistance_ohm,
                one.reactance_ohm,
                one.no_load_w,
                *losses,
            )
        ),
    )


def _load_data(kind: LoadKind) -> tuple[Any, ...]:
    tables: list[NDArray[np.complex128] | NDArray[np.float64]] = [
        kind.neutral_va,
        kind.pair_va,
        kind.dropped_w,
    ]
    if kind.capped is not None:
        tables += [kind.capped.load_w, kind.capped.drawn_w, kind.capped.conflict.astype(np.float64)]
    rounded = ((np.round(table, 6) + 0.0).tobytes() for table in tables)  # -0.0 is 0.0
    return ("load", kind.critical, kind.off.tobytes(), *rounded)


def _interchangeable(kind: LoadKind, one: int, other: int) -> bool:
    """Return whether two cords are interchangeable: in the live sets, and in their power."""
    order = np.arange(kind.cords)
    order[[one, other]] = other, one
    sets = np.arange(2**kind.cords)
    bit_one, bit_other = (sets >> one) & 1, (sets >> other) & 1
    swapped = (sets & ~((1 << one) | (1 << other))) | (bit_one << other) | (bit_other << one)
    return (
        bool(np.array_equal(kind.off[swapped], kind.off))
        and np.allclose(kind.dropped_w[swapped], kind.dropped_w, rtol=1e-9)
        and np.allclose(kind.neutral_va[swapped][:, order], kind.neutral_va, rtol=1e-9)
        and np.allclose(kind.pair_va[swapped][:, order], kind.pair_va, rtol=1e-9)
    )
