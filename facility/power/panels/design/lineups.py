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

from facility.core.rounding import reaches, rounded, within
from facility.model.power.chain import PowerChain
from facility.model.power.redundancy import Scheme
from facility.power.panels.board.model import Panel
from facility.power.panels.design.halls import PanelSet

_BISECTIONS = 12
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
        lines_a = panels.phasors[row : row + len(members), :, :3].sum(axis=0)
        row += len(members)
        of_one_feed = len({panel.side for panel in members}) == 1
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


def _dealt(lines_a: NDArray[np.complex128], pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each place: in turn, or by their sizes where the fullest carries less.

    Sizes are those of the fullest line in the worst state. The largest place comes first, either to
    the PDU least filled or, as densely as the least capacity allows, to the first that has room
    (MULTIFIT).

    lines_a: Line currents over places, states and lines [A].
    pdus: PDUs behind the output bus.
    """
    chosen = np.arange(len(lines_a)) % pdus
    sizes_a = [rounded(size) for size in np.abs(lines_a).max(axis=(1, 2)).tolist()]
    if not 1 < pdus < len(lines_a) or max(sizes_a) == min(sizes_a):
        return chosen
    least_a = _fullest(lines_a, chosen, pdus)
    falling = sorted(range(len(sizes_a)), key=lambda place: -sizes_a[place])
    for order in (_spread(sizes_a, falling, pdus), _packed(sizes_a, falling, pdus)):
        found_a = _fullest(lines_a, order, pdus)
        if not reaches(found_a, least_a):
            chosen, least_a = order, found_a
    return chosen


def _spread(sizes_a: Sequence[float], falling: Sequence[int], pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each place, the largest first, each on the PDU least filled."""
    found = np.zeros(len(sizes_a), dtype=np.intp)
    filled_a = [(0.0, number) for number in range(pdus)]
    for place in falling:
        least_a, found[place] = filled_a[0]
        heapreplace(filled_a, (least_a + sizes_a[place], int(found[place])))
    return found


def _packed(sizes_a: Sequence[float], falling: Sequence[int], pdus: int) -> NDArray[np.intp]:
    """Return the PDU of each place, the largest first, each on the first with room for it.

    PDUs have the least room that bisection finds to suffice.
    """
    low_a, high_a = max(sum(sizes_a) / pdus, max(sizes_a)), sum(sizes_a)
    found = _fitted(sizes_a, falling, pdus, low_a)
    if found is not None:
        return found
    best = np.zeros(len(sizes_a), dtype=np.intp)
    for _ in range(_BISECTIONS):
        room_a = 0.5 * (low_a + high_a)
        found = _fitted(sizes_a, falling, pdus, room_a)
        if found is None:
            low_a = room_a
        else:
            best, high_a = found, room_a
    return best


def _fitted(
    sizes_a: Sequence[float], falling: Sequence[int], pdus: int, room_a: float
) -> NDArray[np.intp] | None:
    found, left_a = np.zeros(len(sizes_a), dtype=np.intp), [room_a] * pdus
    for place in falling:
        number = next((n for n, a in enumerate(left_a) if within(sizes_a[place], a)), None)
        if number is None:
            return None
        found[place] = number
        left_a[number] -= sizes_a[place]
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
    states = panels.phasors.shape[1]
    lines_a: dict[tuple[str, int], NDArray[np.complex128]] = defaultdict(
        lambda: np.zeros((states, 3), dtype=np.complex128)
    )
    rows = iter(panels.phasors)
    for group, members in panel_groups(panels.panels):
        for panel in members:
            lines_a[lineup_of(scheme, buses, panel.side, group)] += next(rows)[:, :3]
    sharing: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for lineup in lines_a:
        sharing["" if scheme.reserve else lineup[0]].append(lineup)
    count = pdu_origins(scheme, buses)
    fullest_a, mean_a = np.zeros(buses), 0.0
    for lineups in sharing.values():
        amperes = np.array([lines_a[lineup] for lineup in lineups])
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
    lines_a = _lines_of_places(panels, scheme, buses)
    of_feed: dict[str, NDArray[np.complex128]] = defaultdict(lambda: np.zeros(1, np.complex128))
    for (feed, *_), of_places in lines_a.items():
        of_feed[feed] = of_feed[feed] + (of_places * _TURN).sum(axis=(0, 2))
    whole_a = max((float(np.abs(total).max()) for total in of_feed.values()), default=0.0) / 3.0
    if whole_a == 0.0:
        return ()
    unlike = {of_places.tobytes(): of_places for of_places in lines_a.values()}.values()
    even_a = whole_a / pdu_origins(scheme, buses)
    return tuple(
        max(_fullest(one, _dealt(one, each), each) for one in unlike) * each / even_a
        for each in range(1, max(map(len, unlike)) + 1)
    )


def pdu_peak(chain: PowerChain, per_feed: int) -> float:
    """Return the fullest phase of the fullest of `per_feed` PDUs over an even part of the feed.

    A panel hangs whole on one PDU: more PDUs than panels relieve none of them. Without panels all
    is even.
    """
    each = max(1, per_feed // pdu_origins(chain.scheme, chain.ups.buses))
    known = len(chain.fullest_pdu)
    return chain.fullest_pdu[min(each, known) - 1] * max(1.0, each / known) if known else 1.0
