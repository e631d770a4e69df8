"""A hall with its cords plugged in one way: classes of circuits, contents of panels, figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.balance.effort import Watch
from facility.power.panels.balance.lines import IntArray, numbered
from facility.power.panels.board.currents import by_start
from facility.power.panels.design.racks import bank_power
from facility.power.panels.hall.turnings import Content, KnownTurnings, TurnFrame
from facility.power.panels.hall.units import HallUnits, Member, SortKey

Banks = Mapping[tuple[int, int], IntArray]
"""Outlet bank of each cord by (kind of rack, circuit of the rack)."""


@dataclass
class Meter:
    """Says when to stop, and tells how far the search is.

    `most` is the most turnings worked out; `tell` is called with the name of the step, the
    turnings so far and `most`.
    """

    known_turnings: KnownTurnings
    most: int
    watch: Watch
    tell: Callable[[str, int, int], None] | None = None

    def spent(self) -> bool:
        """Return whether the search must end now."""
        return self.known_turnings.made >= self.most or self.watch.stopped()

    def note(self, step: str) -> None:
        """Report how far the search is."""
        if self.tell is not None:
            self.tell(step, self.known_turnings.made, self.most)


def bank_order(key: SortKey) -> tuple[int, int, int]:
    """Return the banks on consecutive phases, from bank 1 on."""
    return (0, 2, 1) if key[2] else (0, 1, 2)


class HallTables:
    """What the search over a hall reads.

    `types` are the distinct units, `type_of` the type of each unit, `given` how many may leave
    each site by type; a state is an array like it. `even` and `rest` are the currents of types and
    of what stays at a site, over the limit, were they even over the lines: by feed and state.
    `poles` are those of types, `room` those free at a site once the units that may leave have left;
    `site_sort` tells sites that are alike then.

    banks: Bank of each cord.
    meter: Turnings and effort, shared by all searches on the hall.
    """

    def __init__(self, hall: HallUnits, banks: Banks, meter: Meter) -> None:
        self.hall, self.banks, self.meter = hall, banks, meter
        self.known_turnings = meter.known_turnings
        self.legs = {key: self._legs(key) for key in hall.template}
        self.class_of = {
            key: self.known_turnings.class_number(self._parts(key, self.legs[key]), circuit.poles)
            for key, circuit in sorted(hall.template.items(), key=lambda item: item[0])
        }
        self.types = sorted({unit.sorts for unit in hall.units})
        self.type_of = [self.types.index(unit.sorts) for unit in hall.units]
        self.frame_of = self._frames()
        self._feeds = hall.found.basis.feeds
        self._classed = [self._by_feed(sorts) for sorts in self.types]
        self._relax()
        self.site_sort = self._site_sorts()
        self._values: dict[tuple[int, bytes, tuple[float, ...]], float] = {}

    def _legs(self, key: SortKey, banks: IntArray | None = None) -> ComplexArray:
        cords = self.hall.cords.get(key[:2])
        if cords is None:
            return np.asarray(self.hall.template[key].power_va, dtype=np.complex128)
        legs = bank_power(cords.power_va, self.banks[key[:2]] if banks is None else banks, 3)
        return np.asarray(legs[:, bank_order(key)])

    def class_plugged(self, key: SortKey, banks: IntArray) -> int:
        """Return the class of circuits of a sort, were their cords plugged so."""
        parts = self._parts(key, self._legs(key, banks))
        return self.known_turnings.class_number(parts, self.hall.template[key].poles)

    def part(self, member: Member, start: int) -> ComplexArray:
        """Return what a member adds to its panel by state and line when it starts on a phase."""
        return np.asarray(self.known_turnings.classes[self.class_of[member.sort]].parts[start])

    def _parts(self, key: SortKey, legs_va: ComplexArray) -> ComplexArray:
        found = self.hall.found
        legs = tuple(tuple(complex(leg) for leg in row) for row in legs_va)
        circuit = replace(self.hall.template[key], power_va=legs)
        return by_start(circuit, found.basis.v_ll) / found.limit_a

    def _frames(self) -> dict[int, int]:
        hall = self.hall
        pinned: dict[int, list[Member]] = {panel: [] for panel in hall.panels}
        moving: dict[int, set[int]] = {panel: set() for panel in hall.panels}
        for member in hall.members:
            if member.pinned:
                pinned[member.panel].append(member)
            else:
                moving[member.panel].add(member.index)
        frame_of = {}
        for number in hall.panels:
            panel = hall.found.panels[number]
            taken = tuple(
                n
                for index, c in enumerate(panel.circuits)
                if index not in moving[number]
                for n in panel.occupied(c)
            )
            base = np.zeros((len(panel.states), 4), dtype=np.complex128)
            for member in pinned[number]:
                base += self.part(member, member.start)
            frame = TurnFrame(panel.layout, panel.poles, taken, base)
            frame_of[number] = self.known_turnings.frame_number(frame)
        return frame_of

    def _by_feed(self, sorts: tuple[SortKey, ...]) -> dict[str, Counter[int]]:
        classed: dict[str, Counter[int]] = {}
        for key in sorts:
            classed.setdefault(self.hall.feed_of[key], Counter())[self.class_of[key]] += 1
        return classed

    def _relax(self) -> None:
        """Set the current of types and sites were it even over the lines, and their poles."""
        hall, feeds = self.hall, self._feeds
        states = len(hall.found.states)
        per_volt = 3.0**0.5 * hall.found.basis.v_ll * hall.found.limit_a
        shape = (len(self.types), len(feeds))
        self.even = np.zeros((*shape, states), dtype=np.complex128)
        self.poles = np.zeros(shape, dtype=np.int64)
        for number, sorts in enumerate(self.types):
            for key in sorts:
                feed = feeds.index(hall.feed_of[key])
                self.even[number, feed] += self.legs[key].sum(axis=1) / per_volt
                self.poles[number, feed] += hall.template[key].poles
        sites = len(hall.sites)
        self.given = np.zeros((sites, len(self.types)), dtype=np.int64)
        self._still = [Counter[tuple[str, int]]() for _ in range(sites)]
        self.rest = np.zeros((sites, len(feeds), states), dtype=np.complex128)
        self.room = np.zeros((sites, len(feeds)), dtype=np.int64)
        for number, site in enumerate(hall.sites):
            for side, panel in site.panels.items():
                frame = self.known_turnings.frames[self.frame_of[panel]]
                self.room[number, feeds.index(side)] = frame.poles - len(frame.taken)
        for unit, sort in zip(hall.units, self.type_of, strict=True):
            if not unit.pinned:
                self.given[unit.site, sort] += 1
                continue
            for m in unit.members:
                member = hall.members[m]
                side = hall.feed_of[member.sort]
                at = (unit.site, feeds.index(side))
                self.rest[at] += self.legs[member.sort].sum(axis=1) / per_volt
                if not member.pinned:
                    self._still[unit.site][side, self.class_of[member.sort]] += 1
                    self.room[at] -= hall.template[member.sort].poles

    def _site_sorts(self) -> list[int]:
        """Return the number of the sort of each site: alike but for the units that may leave."""
        sorts: list[int] = numbered(
            (
                site.hall,
                tuple(sorted((feed, self.frame_of[p]) for feed, p in site.panels.items())),
                tuple(sorted(still.items())),
            )
            for site, still in zip(self.hall.sites, self._still, strict=True)
        ).tolist()
        return sorts

    def content(self, site: int, row: IntArray, feed: str) -> Content:
        """Return the content of one panel of a site that holds `row` units by type."""
        counts: Counter[int] = Counter()
        for (at, number), count in self._still[site].items():
            if at == feed:
                counts[number] += count
        for sort in np.flatnonzero(row):
            for number, count in self._classed[sort].get(feed, Counter()).items():
                counts[number] += count * int(row[sort])
        return self.frame_of[self.hall.sites[site].panels[feed]], tuple(sorted(counts.items()))

    def value(self, site: int, row: IntArray, caps: tuple[float, ...]) -> float:
        """Return the least figure number ``len(caps)`` that the panels of a site can all keep."""
        key = (self.site_sort[site], row.tobytes(), caps)
        if key not in self._values:
            contents = (self.content(site, row, feed) for feed in self.hall.sites[site].panels)
            self._values[key] = max(
                self.known_turnings.least(content, caps) for content in contents
            )
        return self._values[key]

    def values(self, state: IntArray, caps: tuple[float, ...]) -> FloatArray:
        """Return `value` of every site."""
        return np.array([self.value(site, row, caps) for site, row in enumerate(state)])
