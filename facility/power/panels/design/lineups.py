"""Which output bus of which UPS system feeds which panels, and how uneven that is.

Panels filled with the same racks form a group; a group hangs whole on one bus of each system.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapreplace
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING, reaches, rounded
from facility.model.power.chain import PowerChain
from facility.model.power.redundancy import Scheme
from facility.power.panels.board.model import Panel
from facility.power.panels.design.halls import PanelSet

_BISECTIONS = 6
"""Halvings of the 2/9 of room that is searched: to a three-hundredth of the least that can be."""
_NEAR = 1.01
"""Fullest PDU over the least that can be, up to which panels stay in turn."""
_MOST_DEALT = 100
"""Places of one bus that are dealt by size: every number of PDUs for them is looked at."""
_TURN = np.exp(2j * np.pi / 3.0 * np.arange(3))
"""Turns the lines A, B, C onto each other."""


def panel_groups(panels: Sequence[Panel]) -> Iterator[tuple[int, list[Panel]]]:
    """Yield each group of panels that share racks, as a rule one per feed, after its number."""
    for group, members in groupby(panels, key=lambda panel: panel.group):
        yield group, list(members)


def lineup_of(scheme: Scheme, buses: int, feed: str, group: int) -> tuple[str, int]:
    """Return the UPS system and the number of its output bus that a panel hangs on normally.

    Groups take the buses in turn; behind transfer switches they take the primary systems in turn.

    scheme: The systems.
    buses: Output buses of each system.
    feed: Feed of the panel.
    group: Number of its group, from 0.
    """
    if scheme.one_system:
        return scheme.systems[0], group % buses
    if not scheme.reserve:
        return feed, group % buses
    primaries = [name for name in scheme.systems if name != scheme.reserve]
    return primaries[group % len(primaries)], group // len(primaries) % buses


def pdu_origins(scheme: Scheme, buses: int) -> int:
    """Return the output buses, or the transfer switches, that the PDUs of a feed stand behind."""
    return buses * (len(scheme.systems) - 1) if scheme.reserve else buses


def assigned_panels(
    panels: PanelSet, scheme: Scheme, buses: int
) -> Iterator[tuple[Panel, tuple[str, int], int]]:
    """Yield every panel, its system and output bus, and its place among those of its feed there.

    Panels of one place hang on one PDU, see `on_pdus`. A rack on one feed that is too large for a
    panel has a place for all its panels, where the largest PDU carries them: with panels on
    several, the loss of a PDU would push its load onto the others.
    """
    places: dict[tuple[str, str, int], int] = defaultdict(int)
    row = 0
    for group, members in panel_groups(panels.panels):
        of_one_feed = len({panel.side for panel in members}) == 1
        lines_a = panels.phasors[row : row + len(members), :, :3].sum(axis=0) if of_one_feed else 0
        row += len(members)
        whole = of_one_feed and float(np.abs(lines_a).max()) <= panels.basis.transformer_a
        for number, panel in enumerate(members, start=1):
            lineup = lineup_of(scheme, buses, panel.side, group)
            yield panel, lineup, places[panel.side, *lineup]
            places[panel.side, *lineup] += not whole or number == len(members)


def on_pdus(
    panels: PanelSet, scheme: Scheme, buses: int, per_feed: int
) -> Iterator[tuple[Panel, tuple[str, int], int]]:
    """Yield every panel, its system and output bus, and the number of its PDU there, from 0.

    `per_feed` PDUs stand behind the output buses, or the transfer switches, of each feed.
    """
    each = max(1, per_feed // pdu_origins(scheme, buses))
    lines_a = _lines_of_places(panels, scheme, buses)
    numbers = {key: _dealt(of_places, each) for key, of_places in lines_a.items()}
    for panel, lineup, place in assigned_panels(panels, scheme, buses):
        yield panel, lineup, numbers[panel.side, *lineup][place]


def _lines_of_places(
    panels: PanelSet, scheme: Scheme, buses: int
) -> dict[tuple[str, str, int], NDArray[np.complex128]]:
    """Return the line currents of each place of a feed behind an output bus [A].

    Arrays are over places, states and lines.
    """
    found: dict[tuple[str, str, int], list[NDArray[np.complex128]]] = defaultdict(list)
    rows = iter(panels.phasors)
    for panel, lineup, place in assigned_panels(panels, scheme, buses):
        on_bus, line_a = found[panel.side, *lineup], next(rows)[:, :3]
        on_bus[place:] = [on_bus[place] + line_a if place < len(on_bus) else line_a]
    return {key: np.array(on_bus) for key, on_bus in found.items()}


def _dealt(
    lines_a: NDArray[np.complex128], pdus: int, sizes_a: FloatArray | None = None
) -> NDArray[np.intp]:
    """Return the PDU of each place: in turn, or by their sizes where the fullest carries less.

    Sizes are those of the fullest line in the worst state. The largest place comes first, either to
    the PDU least filled or, as densely as the least capacity allows, to the first that has room
    (MULTIFIT). Within a hundredth of the least that can be, and where they are many, they stay in
    turn.

    lines_a: Line currents over places, states and lines [A].
    pdus: PDUs behind the output bus.
    sizes_a: Their sizes, where they are known already.
    """
    chosen = np.arange(len(lines_a)) % pdus
    sizes_a = _sizes(lines_a) if sizes_a is None else sizes_a
    if not 1 < pdus < len(lines_a) <= _MOST_DEALT or sizes_a.max() == sizes_a.min():
        return chosen
    falling = np.argsort(-sizes_a, kind="stable")
    least_a = _fullest(lines_a, chosen, pdus)
    near_a = _NEAR * _least_of_fullest(sizes_a[falling], pdus)
    for deal in (_spread, _packed):
        if least_a <= near_a:
            break
        order = np.empty_like(chosen)
        order[falling] = deal(sizes_a[falling], pdus)
        found_a = _fullest(lines_a, order, pdus)
        if not reaches(found_a, least_a):
            chosen, least_a = order, found_a
    return chosen


def _sizes(lines_a: NDArray[np.complex128]) -> FloatArray:
    """Return the fullest line of each place in the worst state [A]."""
    return np.array([rounded(size) for size in np.abs(lines_a).max(axis=(1, 2)).tolist()])


def _least_of_fullest(sizes_a: FloatArray, pdus: int) -> float:
    """Return what the fullest PDU carries at least: an even part, or the places that must share.

    Of the `(n - 1) pdus + 1` largest, n are on one PDU.

    sizes_a: Sizes of the places, falling [A].
    """
    sums_a = np.concatenate([[0.0], np.cumsum(sizes_a)])
    sharing = np.arange(1, -(-len(sizes_a) // pdus) + 1)
    last = (sharing - 1) * pdus + 1
    return float(max(sums_a[-1] / pdus, (sums_a[last] - sums_a[last - sharing]).max()))


def _spread(sizes_a: FloatArray, pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each place, the largest first, each on the PDU least filled."""
    found = np.zeros(len(sizes_a), dtype=np.intp)
    filled_a = [(0.0, number) for number in range(pdus)]
    for place, size_a in enumerate(sizes_a.tolist()):
        least_a, found[place] = filled_a[0]
        heapreplace(filled_a, (least_a + size_a, int(found[place])))
    return found


def _packed(sizes_a: FloatArray, pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each place, the largest first, each on the first with room for it.

    PDUs have the least room that bisection finds to suffice, up to 11/9 of the least that can be;
    where that does not, all are on the first.
    """
    least_a = _least_of_fullest(sizes_a, pdus)
    low_a, high_a = least_a, least_a * 11.0 / 9.0
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
    """Return the first PDU with room for each place, None where there is none for one.

    Places of one size fill a PDU before they come to the next.
    """
    found, left_a = np.zeros(len(sizes_a), dtype=np.intp), np.full(pdus, room_a)
    starts = np.flatnonzero(np.diff(sizes_a, prepend=np.inf))
    for start, end in zip(starts, [*starts[1:], len(sizes_a)], strict=True):
        size_a = sizes_a[start]
        if size_a == 0.0:
            break
        held = np.cumsum(np.floor(left_a / size_a + ROUNDING))
        numbers = np.searchsorted(held, np.arange(end - start), side="right")
        if numbers[-1] == pdus:
            return None
        found[start:end] = numbers
        left_a -= size_a * np.bincount(numbers, minlength=pdus)
    return found


def _fullest(lines_a: NDArray[np.complex128], numbers: NDArray[np.intp], pdus: int) -> float:
    """Return the fullest line of the fullest PDU in the worst state [A]."""
    sums_a = np.zeros((pdus, *lines_a.shape[1:]), dtype=np.complex128)
    np.add.at(sums_a, numbers, lines_a)
    return float(np.abs(sums_a).max())


class PanelOnBus(NamedTuple):
    """A panel on its bus: feed, group, load, and the part of it whose heat is in coolant [VA]."""

    feed: str
    group: int
    power_va: float
    coolant_va: float = 0.0


def bus_loads(
    panels: Sequence[Panel], coolant: Mapping[str, float] | None = None
) -> tuple[PanelOnBus, ...]:
    """Return what every panel hangs on its bus, group by group.

    `coolant` is the part of its heat that a rack, by its name, gives to coolant.
    """
    given = coolant or {}
    found = []
    for group, members in panel_groups(panels):
        for panel in members:
            whole = wet = 0j
            for circuit in panel.circuits:
                power_va = circuit.total_va(0)
                whole += power_va
                wet += power_va * given.get(circuit.rack, 0.0)
            found.append(PanelOnBus(panel.side, group, abs(whole), abs(wet)))
    return tuple(found)


def bus_parts(
    on_bus: Sequence[PanelOnBus], scheme: Scheme, buses: int, coolant: float, of_system: str = ""
) -> tuple[float, ...]:
    """Return the part of a load behind each number of output bus, in all systems together.

    Or in one system, `of_system`.

    on_bus: All panelboards.
    scheme: The systems.
    buses: Output buses of each system.
    coolant: 0 for the load whose heat is in air, 1 for that in coolant, 0.5 for both together.
    """
    load_va = [0.0] * buses
    for one in on_bus:
        system, bus = lineup_of(scheme, buses, one.feed, one.group)
        if of_system not in ("", system):
            continue
        air_va = one.power_va - one.coolant_va
        load_va[bus] += (1.0 - coolant) * air_va + coolant * one.coolant_va
    total = sum(load_va)
    return tuple(load / total if total > 0.0 else 1.0 / buses for load in load_va)


def unevenness(on_bus: Sequence[PanelOnBus], scheme: Scheme, buses: int) -> float:
    """Return the largest load of an output bus over the mean of those that share with it.

    The buses of one system share its load; behind transfer switches all primary systems do. Whole
    groups of panels do not divide evenly, so one bus carries more than its part.

    on_bus: All panelboards.
    scheme: The systems.
    buses: Output buses of each system.
    """
    load_va: dict[tuple[str, int], float] = defaultdict(float)
    for feed, group, power_va, _ in on_bus:
        load_va[lineup_of(scheme, buses, feed, group)] += power_va
    sharing: dict[str, list[float]] = defaultdict(list)
    for (system, _), power in load_va.items():
        sharing["" if scheme.reserve else system].append(power)
    count = pdu_origins(scheme, buses)
    ratios = [max(loads) * count / sum(loads) for loads in sharing.values() if sum(loads) > 0.0]
    return max(ratios, default=1.0)


def bus_phases(
    panels: PanelSet, scheme: Scheme, buses: int, transformed: bool
) -> tuple[float, ...]:
    """Return three times the load of the fullest phase of each number of bus over the mean bus.

    The fullest bus has at least the mean. Over all states of the panels, feeds lost included; the
    mean is that of the buses of the fullest system in the worst state: its share is what this ratio
    multiplies. Delta-wye transformers turn a current between two secondary lines into one of two
    primary lines: I_A = (I_a - I_b) / sqrt(3) in per unit.

    panels: All panelboards, with the phasors of their currents.
    scheme: The systems.
    buses: Output buses of each system.
    transformed: Whether PDU transformers stand between.
    """
    places: dict[tuple[str, int], int] = {}
    of_panels = [
        places.setdefault(lineup_of(scheme, buses, panel.side, panel.group), len(places))
        for panel in panels.panels
    ]
    lines_a = np.zeros((len(places), panels.phasors.shape[1], 3), dtype=np.complex128)
    np.add.at(lines_a, of_panels, panels.phasors[:, :, :3])
    sharing: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for lineup in places:
        sharing["" if scheme.reserve else lineup[0]].append(lineup)
    count = pdu_origins(scheme, buses)
    fullest_a, mean_a = np.zeros(buses), 0.0
    for lineups in sharing.values():
        amperes = lines_a[[places[lineup] for lineup in lineups]]
        mean_a = max(mean_a, np.abs((amperes * _TURN).sum(axis=(0, 2))).max() / 3.0 / count)
        if transformed:
            amperes = (amperes - np.roll(amperes, -1, axis=2)) / np.sqrt(3.0)
        numbers = [number for _, number in lineups]
        np.maximum.at(fullest_a, numbers, np.abs(amperes).max(axis=(1, 2)))
    least_a = max(mean_a, float(fullest_a.max()))
    if least_a <= 0.0:
        return (1.0,) * buses
    return tuple((fullest_a * (least_a / fullest_a.max()) / mean_a).tolist())


def fullest_pdu(panels: PanelSet, scheme: Scheme, buses: int) -> tuple[float, ...]:
    """Return the fullest phase of the fullest PDU over an even part of the fullest feed.

    One ratio for each number of PDUs behind an output bus or transfer switch, from 1 to as many as
    places of a feed are there (`assigned_panels`); over all states, feeds lost included.
    A winding of a delta-wye transformer carries what the secondary line on its leg does.

    panels: All panelboards, with the phasors of their currents.
    scheme: The systems.
    buses: Output buses of each system.
    """
    lines_a = {
        k: (one, one.tobytes()) for k, one in _lines_of_places(panels, scheme, buses).items()
    }
    different = {key: one for one, key in lines_a.values()}
    turned_a = {key: (one * _TURN).sum(axis=(0, 2)) for key, one in different.items()}
    of_feed: dict[str, NDArray[np.complex128]] = defaultdict(lambda: np.zeros(1, np.complex128))
    for (feed, *_), (_one, key) in lines_a.items():
        of_feed[feed] = of_feed[feed] + turned_a[key]
    whole_a = max((float(np.abs(total).max()) for total in of_feed.values()), default=0.0) / 3.0
    if whole_a == 0.0:
        return ()
    unlike = [(one, _sizes(one)) for one in different.values()]
    even_a = whole_a / pdu_origins(scheme, buses)
    return tuple(
        max(_fullest(one, _dealt(one, each, sizes_a), each) for one, sizes_a in unlike)
        * each
        / even_a
        for each in range(1, max(len(one) for one, _ in unlike) + 1)
    )


def pdu_peak(chain: PowerChain, per_feed: int) -> float:
    """Return the fullest phase of the fullest of `per_feed` PDUs over an even part of the feed.

    A panel hangs whole on one PDU: more PDUs than panels relieve none of them. Without panels all
    is even.
    """
    each = max(1, per_feed // pdu_origins(chain.scheme, chain.ups.buses))
    known = len(chain.fullest_pdu)
    return chain.fullest_pdu[min(each, known) - 1] * max(1.0, each / known) if known else 1.0
