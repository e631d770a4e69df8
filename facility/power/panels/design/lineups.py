"""Assignment of panels to UPS output buses, and the resulting unevenness.

Panels with the same racks form a group; each group is on one bus of each system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapreplace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING, reaches, rounded
from facility.model.power.chain import PowerChain
from facility.model.power.redundancy import Scheme
from facility.power.panels.board.model import Panel
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.pdu_units import PduUnits

_BISECTIONS = 6
"""Bisections of the 2/9 search range: to 1/300 of the minimum."""
_NEAR = 1.01
"""Most loaded PDU / minimum, up to which panels are assigned in turn."""
_MAX_SIZED = 100
"""Units of one bus assigned by size: every number of PDUs is tried."""
_TURN = np.exp(2j * np.pi / 3.0 * np.arange(3))
"""Rotates the lines A, B, C."""


def lineup_of(scheme: Scheme, buses: int, feed: str, group: int) -> tuple[str, int]:
    """Return the normal UPS system of a panel and the index of its output bus.

    scheme: UPS systems.
    buses: Output buses of each system.
    feed: Feed of the panel.
    group: Index of its group, from 0.
    """
    system, bus = lineups_of(scheme, buses, np.array([feed]), np.array([group]))
    return scheme.systems[system[0]], int(bus[0])


def lineups_of(
    scheme: Scheme, buses: int, feed: NDArray[np.str_], group: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the index of the UPS system and of its output bus for each panel.

    Groups use the buses in turn; downstream of transfer switches the primary systems in turn.
    """
    if scheme.one_system:
        return np.zeros_like(group), group % buses
    if not scheme.reserve:
        return (feed[:, None] == np.array(scheme.systems)).argmax(axis=1), group % buses
    primaries = np.flatnonzero(np.array(scheme.systems) != scheme.reserve)
    return primaries[group % len(primaries)], group // len(primaries) % buses


def pdu_origins(scheme: Scheme, buses: int) -> int:
    """Return the number of output buses, or transfer switches, upstream of the PDUs of a feed."""
    return buses * (len(scheme.systems) - 1) if scheme.reserve else buses


def on_pdus(
    panels: PanelSet, scheme: Scheme, buses: int, per_feed: int
) -> Iterator[tuple[Panel, tuple[str, int], int]]:
    """Yield every panel, its system and output bus, and the index of its PDU there, from 0.

    `per_feed` PDUs are downstream of the output buses, or the transfer switches, of each feed.
    """
    each, units = max(1, per_feed // pdu_origins(scheme, buses)), panels.pdu_units
    numbers = np.zeros(len(units.group), dtype=np.intp)
    for members in _units_by_origin(units, scheme, buses):
        numbers[members] = _dealt(units.lines_a[members], each)
    system, bus = lineups_of(scheme, buses, units.feed, units.group)
    placed = list(zip(system.tolist(), bus.tolist(), numbers.tolist(), strict=True))
    for panel, unit in zip(panels.panels, units.of_panel.tolist(), strict=True):
        of_system, on_bus, pdu = placed[unit]
        yield panel, (scheme.systems[of_system], on_bus), pdu


def _units_by_origin(units: PduUnits, scheme: Scheme, buses: int) -> list[NDArray[np.intp]]:
    """Return the unit indices of each feed on each output bus."""
    system, bus = lineups_of(scheme, buses, units.feed, units.group)
    feed = np.unique(units.feed, return_inverse=True)[1]
    key = (feed * len(scheme.systems) + system) * buses + bus
    order = np.argsort(key, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(key[order])) + 1) if len(order) else []


def _summed(
    lines_a: NDArray[np.complex128], keys: NDArray[np.intp], count: int
) -> NDArray[np.complex128]:
    """Return the sums of rows by key, from 0 to `count`."""
    found = np.zeros((count, *lines_a.shape[1:]), dtype=np.complex128)
    if len(keys):
        order = np.argsort(keys, kind="stable")
        present, starts = np.unique(keys[order], return_index=True)
        found[present] = np.add.reduceat(lines_a[order], starts, axis=0)
    return found


def _dealt(
    lines_a: NDArray[np.complex128], pdus: int, sizes_a: FloatArray | None = None
) -> NDArray[np.intp]:
    """Return the PDU of each unit: in turn, or by size if that reduces the maximum load.

    The size is the most loaded line in the worst state. The largest unit comes first, either to
    the least loaded PDU or, as densely as the minimum capacity permits, to the first with room
    (MULTIFIT). Within 1 % of the minimum, and for large numbers, units are assigned in
    turn.

    lines_a: Line currents over units, states and lines [A].
    pdus: PDUs on the output bus.
    sizes_a: Unit sizes, if already known.
    """
    chosen = np.arange(len(lines_a)) % pdus
    sizes_a = _sizes(lines_a) if sizes_a is None else sizes_a
    if not 1 < pdus < len(lines_a) <= _MAX_SIZED or sizes_a.max() == sizes_a.min():
        return chosen
    falling = np.argsort(-sizes_a, kind="stable")
    min_a = _max_line(lines_a, chosen, pdus)
    near_a = _NEAR * _max_line_bound(sizes_a[falling], pdus)
    for deal in (_spread, _packed):
        if min_a <= near_a:
            break
        order = np.empty_like(chosen)
        order[falling] = deal(sizes_a[falling], pdus)
        found_a = _max_line(lines_a, order, pdus)
        if not reaches(found_a, min_a):
            chosen, min_a = order, found_a
    return chosen


def _sizes(lines_a: NDArray[np.complex128]) -> FloatArray:
    """Return the most loaded line of each unit in the worst state [A]."""
    return np.array([rounded(size) for size in np.abs(lines_a).max(axis=(1, 2)).tolist()])


def _max_line_bound(sizes_a: FloatArray, pdus: int) -> float:
    """Return the lower bound of the most loaded PDU: an even share, or units that must share.

    Of the `(n - 1) pdus + 1` largest, n are on one PDU.

    sizes_a: Sizes of the units, falling [A].
    """
    sums_a = np.concatenate([[0.0], np.cumsum(sizes_a)])
    sharing = np.arange(1, -(-len(sizes_a) // pdus) + 1)
    last = (sharing - 1) * pdus + 1
    return float(max(sums_a[-1] / pdus, (sums_a[last] - sums_a[last - sharing]).max()))


def _spread(sizes_a: FloatArray, pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each unit, largest first, each on the least loaded PDU."""
    found = np.zeros(len(sizes_a), dtype=np.intp)
    filled_a = [(0.0, number) for number in range(pdus)]
    for index, size_a in enumerate(sizes_a.tolist()):
        min_a, found[index] = filled_a[0]
        heapreplace(filled_a, (min_a + size_a, int(found[index])))
    return found


def _packed(sizes_a: FloatArray, pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each unit, largest first, each on the first with room.

    PDUs have the minimum capacity found sufficient by bisection, up to 11/9 of the lower bound;
    if that is not sufficient, all are on the first.
    """
    min_a = _max_line_bound(sizes_a, pdus)
    low_a, high_a = min_a, min_a * 11.0 / 9.0
    best = np.zeros(len(sizes_a), dtype=np.intp)
    for _ in range(_BISECTIONS):
        room_a = 0.5 * (low_a + high_a)
        found = _fitted(sizes_a, pdus, room_a)
        if found is None:
            low_a = room_a
        else:
            best, high_a = found, room_a
    return best


def _fitted(sizes_a: FloatArray, pdus: int, room_a: float) -> NDArray[np.intp] | None:
    """Return the first PDU with room for each unit; None if one has no room.

    Units of one size fill a PDU before the next.
    """
    found, left_a = np.zeros(len(sizes_a), dtype=np.intp), np.full(pdus, room_a)
    starts = np.flatnonzero(np.diff(sizes_a, prepend=np.inf))
    for start, end in zip(starts, [*starts[1:], len(sizes_a)], strict=True):
        size_a = sizes_a[start]
        if size_a == 0.0:
            break
        cumulative = np.cumsum(np.floor(left_a / size_a + ROUNDING))
        numbers = np.searchsorted(cumulative, np.arange(end - start), side="right")
        if numbers[-1] == pdus:
            return None
        found[start:end] = numbers
        left_a -= size_a * np.bincount(numbers, minlength=pdus)
    return found


def _max_line(lines_a: NDArray[np.complex128], numbers: NDArray[np.intp], pdus: int) -> float:
    """Return the most loaded line of the most loaded PDU in the worst state [A]."""
    return float(np.abs(_summed(lines_a, numbers, pdus)).max())


class PanelLoads(NamedTuple):
    """Loads of all panels: feed, group, load, and its fraction with heat in coolant [VA]."""

    feed: NDArray[np.str_]
    group: NDArray[np.intp]
    power_va: FloatArray
    coolant_va: FloatArray

    def by_bus(self, scheme: Scheme, buses: int, load_va: FloatArray) -> FloatArray:
        """Return the sums of a load of each panel by system and output bus [VA]."""
        system, bus = lineups_of(scheme, buses, self.feed, self.group)
        shape = len(scheme.systems), buses
        summed = np.bincount(system * buses + bus, load_va, shape[0] * buses)
        return np.asarray(summed.reshape(shape), dtype=float)


def bus_loads(panels: Sequence[Panel], coolant: Mapping[str, float] | None = None) -> PanelLoads:
    """Return the load of every panel on its bus, group by group.

    `coolant` is the fraction of the heat of a rack, by its name, removed by coolant.
    """
    given = coolant or {}
    found = np.zeros((2, len(panels)), dtype=np.complex128)
    for row, panel in enumerate(panels):
        for circuit in panel.circuits:
            power_va = circuit.total_va(0)
            found[:, row] += power_va, power_va * given.get(circuit.rack, 0.0)
    feed = np.array([panel.side for panel in panels], dtype=np.str_)
    group = np.array([panel.group for panel in panels], dtype=np.intp)
    return PanelLoads(feed, group, *np.abs(found))


def bus_parts(
    on_bus: PanelLoads, scheme: Scheme, buses: int, coolant: float, of_system: str = ""
) -> tuple[float, ...]:
    """Return the share of a load on each output bus index, all systems together.

    Or in one system, `of_system`.

    on_bus: All panelboards.
    scheme: The systems.
    buses: Output buses of each system.
    coolant: 0 for load with heat in air, 1 for heat in coolant, 0.5 for both together.
    """
    air_va = on_bus.power_va - on_bus.coolant_va
    of_heat_va = (1.0 - coolant) * air_va + coolant * on_bus.coolant_va
    by_bus_va = on_bus.by_bus(scheme, buses, of_heat_va)
    load_va = by_bus_va[scheme.systems.index(of_system)] if of_system else by_bus_va.sum(axis=0)
    total = load_va.sum()
    return tuple((load_va / total).tolist()) if total > 0.0 else (1.0 / buses,) * buses


def unevenness(on_bus: PanelLoads, scheme: Scheme, buses: int) -> float:
    """Return the largest load of an output bus / mean of the buses that share with it.

    The buses of one system share its load; downstream of transfer switches all primary systems do.
    Whole groups of panels do not divide evenly, so one bus has more than its share.

    on_bus: All panelboards.
    scheme: The systems.
    buses: Output buses of each system.
    """
    load_va = on_bus.by_bus(scheme, buses, on_bus.power_va)
    sharing = [load_va] if scheme.reserve else load_va
    count = pdu_origins(scheme, buses)
    ratios = [loads.max() * count / loads.sum() for loads in sharing if loads.sum() > 0.0]
    return float(max(ratios, default=1.0))


def bus_phases(
    panels: PanelSet, scheme: Scheme, buses: int, transformed: bool
) -> tuple[float, ...]:
    """Return 3 x most loaded phase load of each bus index / mean bus load.

    The most loaded bus has at least the mean. Over all states of the panels, feeds lost included;
    the mean is over the buses of the most loaded system in the worst state: the ratio multiplies
    its share. Delta-wye transformers transform a current between two secondary lines into one of
    two primary lines: I_A = (I_a - I_b) / sqrt(3) in per unit.

    panels: All panelboards, with the phasors of their currents.
    scheme: The systems.
    buses: Output buses of each system.
    transformed: Whether PDU transformers are in between.
    """
    units, systems = panels.pdu_units, len(scheme.systems)
    system, bus = lineups_of(scheme, buses, units.feed, units.group)
    lines_a = _summed(units.lines_a, system * buses + bus, systems * buses)
    lines_a = lines_a.reshape(systems, buses, *lines_a.shape[1:])
    of_systems_a = (lines_a * _TURN).sum(axis=(1, 3))
    if scheme.reserve:
        of_systems_a = of_systems_a.sum(axis=0)
    mean_a = float(np.abs(of_systems_a).max()) / 3.0 / pdu_origins(scheme, buses)
    if transformed:
        lines_a = (lines_a - np.roll(lines_a, -1, axis=3)) / np.sqrt(3.0)
    max_a = np.abs(lines_a).max(axis=(0, 2, 3))
    min_a = max(mean_a, float(max_a.max()))
    if min_a <= 0.0:
        return (1.0,) * buses
    return tuple((max_a * (min_a / max_a.max()) / mean_a).tolist())


def pdu_peak_ratios(panels: PanelSet, scheme: Scheme, buses: int) -> tuple[float, ...]:
    """Return most loaded phase of the most loaded PDU / even share of the most loaded feed.

    One ratio for each number of PDUs on an output bus or transfer switch, from 1 to the number of
    units of a feed there (`PduUnits`); over all states, feeds lost included.
    A winding of a delta-wye transformer carries the current of the secondary line on its leg.

    panels: All panelboards, with the phasors of their currents.
    scheme: The systems.
    buses: Output buses of each system.
    """
    units = panels.pdu_units
    feeds = np.unique(units.feed)
    turned_a = (units.lines_a * _TURN).sum(axis=2)
    whole_a = max((np.abs(turned_a[units.feed == f].sum(axis=0)).max() for f in feeds), default=0.0)
    if whole_a == 0.0:
        return ()
    by_origin = (units.lines_a[members] for members in _units_by_origin(units, scheme, buses))
    unlike = [(one, _sizes(one)) for one in {one.tobytes(): one for one in by_origin}.values()]
    even_a = float(whole_a) / 3.0 / pdu_origins(scheme, buses)
    return tuple(
        max(_max_line(one, _dealt(one, each, sizes_a), each) for one, sizes_a in unlike)
        * each
        / even_a
        for each in range(1, max(len(one) for one, _ in unlike) + 1)
    )


def pdu_peak(chain: PowerChain, per_feed: int) -> float:
    """Return the ratio of the most loaded PDU phase to an even share of the feed.

    Each panel is on one PDU: more PDUs than panels do not reduce the load. Without panels the load
    is even.
    """
    each = max(1, per_feed // pdu_origins(chain.scheme, chain.ups.buses))
    known = len(chain.pdu_peak_ratios)
    return chain.pdu_peak_ratios[min(each, known) - 1] * max(1.0, each / known) if known else 1.0
