"""Assignment of racks to panels: groups of one panel per feed, filled evenly.

All circuits of a rack are in one group, so that its feeds come from paired panels; those of a rack
too large for one panel of each feed are in consecutive groups. A group is full if in the worst
state a line of one of its panels would exceed the limit, or if no poles remain. A lost supply
counts as the line current with all alive plus its maximum change.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from facility.core.kinds import ComplexArray
from facility.core.rounding import ROUNDING
from facility.model.it import Rack
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.balance.lines import rounded_scores
from facility.power.panels.board.currents import by_start
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.pack import ANY, Packer, Want
from facility.power.panels.design.racks import TapOff


@dataclass(frozen=True, eq=False)
class Assigned:
    """Circuit of one rack: index of its rack type, and the circuit."""

    kind: int
    tap_off: TapOff

    @cached_property
    def sort(self) -> tuple[object, ...]:
        """All properties that affect a panel with this circuit; equal in identical designs."""
        tap_off, lost = self.tap_off, self.tap_off.lost
        legs = lost.names, lost.rise_a, lost.power_va.shape, lost.power_va.tobytes()
        return (self.kind, tap_off.feed, tap_off.ordinal, tap_off.turns, tap_off.circuit, *legs)


@dataclass(frozen=True, eq=False)
class CircuitBundle:
    """Circuits that stay together in one group: one rack, or one rack per feed set."""

    assigned: tuple[Assigned, ...]

    def on(self, feed: str) -> tuple[Assigned, ...]:
        """Return the circuits on one feed."""
        return tuple(h for h in self.assigned if h.tap_off.feed == feed)


Run = tuple[CircuitBundle, int]
Group = tuple[Run, ...]


class Filling:
    """Fills groups of panels unit by unit.

    basis: Panel data.
    limit_a: Largest continuous line current of a panel [A].
    """

    def __init__(self, basis: PanelBasis, limit_a: float) -> None:
        self._basis = basis
        self.limit_a = limit_a * (1.0 + ROUNDING)
        self.packer = Packer(LAYOUTS[basis.numbering], basis.poles)
        self._parts: dict[TapOff, ComplexArray] = {}

    def parts(self, tap_off: TapOff) -> ComplexArray:
        """Return line currents of `tap_off` by start phase, state and line [A]."""
        if tap_off not in self._parts:
            self._parts[tap_off] = by_start(tap_off.circuit, self._basis.v_ll)[..., :3]
        return self._parts[tap_off]

    def room(self, group: Group, unit: CircuitBundle, maximum: int) -> int:
        """Return how many of `unit`, at most `maximum`, fit in `group` in addition."""
        if unit.assigned:  # At most one for each pole of the panels.
            maximum = min(maximum, self._basis.poles * len(self._basis.feeds))
        return _room(_RoomRequest(self, group, unit), maximum)

    @property
    def frame(self) -> tuple[object, ...]:
        """All properties that affect panel filling, besides the circuits."""
        basis = self._basis
        return (basis.numbering, basis.poles, basis.feeds, basis.v_ll, self.limit_a)

    def fitting(self, group: Group, unit: CircuitBundle, maximum: int) -> int:
        """Return the uncached result of `room`."""
        panels = {feed: _Filled(self) for feed in self._basis.feeds}
        for run, count in group:
            for _ in range(count):
                self._add(panels, run)
        for done in range(maximum):
            if not self._add(panels, unit):
                return done
        return maximum

    def _add(self, panels: dict[str, _Filled], unit: CircuitBundle) -> bool:
        added = [panels[assigned.tap_off.feed].add(assigned.tap_off) for assigned in unit.assigned]
        return all(added) and all(p.peak_a <= self.limit_a for p in panels.values())


@dataclass(frozen=True, eq=False)
class _RoomRequest:
    """Unit to add to a group; equal if all properties that affect the room are equal."""

    filling: Filling
    group: Group
    unit: CircuitBundle

    @cached_property
    def key(self) -> tuple[object, ...]:
        runs = tuple((_sorts(run), count) for run, count in self.group)
        return (self.filling.frame, runs, _sorts(self.unit))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RoomRequest) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _sorts(unit: CircuitBundle) -> tuple[object, ...]:
    return tuple(one.sort for one in unit.assigned)


@lru_cache(maxsize=512)
def _room(request: _RoomRequest, maximum: int) -> int:
    return request.filling.fitting(request.group, request.unit, maximum)


class _Filled:
    """Panel during filling: line currents and breakers so far."""

    def __init__(self, filling: Filling) -> None:
        self._filling = filling
        self._lines: ComplexArray | float = 0.0
        self._wants: Counter[Want] = Counter()
        self._rise_a = 0.0
        self.peak_a = 0.0

    def add(self, tap_off: TapOff) -> bool:
        after = self._lines + self._filling.parts(tap_off)
        peaks = np.abs(after).max(axis=(1, 2))
        # Of equal peaks the most even lines: they leave the most room.
        squares = (np.abs(after) ** 2).sum(axis=(1, 2))
        scale_a = self._filling.limit_a
        order = np.lexsort((rounded_scores(squares / scale_a**2), rounded_scores(peaks / scale_a)))
        for start in (int(position) for position in order):
            want = (tap_off.circuit.poles, ANY if tap_off.turns else start)
            wants = self._wants + Counter({want: 1})
            if self._filling.packer.pack(wants) is not None:
                self._wants = wants
                self._lines = after[start]
                self._rise_a = max(self._rise_a, tap_off.lost.rise_a)
                normal_a = float(np.abs(after[start][0]).max())
                self.peak_a = max(float(peaks[start]), normal_a + self._rise_a)
                return True
        return False


def units_of(
    kinds: Sequence[tuple[int, Rack]], tap_offs: Sequence[tuple[TapOff, ...]]
) -> list[tuple[CircuitBundle, int, tuple[CircuitBundle, ...]]]:
    """Return (unit, count, smaller units) for the rack types of one hall, in order.

    Racks that differ only in their feeds are bundled, one of each, so that every panel shares its
    racks with panels of several other feeds. The smaller units are the fallback if the unit does
    not fit an empty group: single racks, then single circuits per feed.
    """
    singles = {
        kind: CircuitBundle(tuple(Assigned(kind, w) for w in tap_offs[kind])) for kind, _ in kinds
    }
    groups: dict[object, list[tuple[int, Rack]]] = {}
    for kind, rack in kinds:
        key = (rack.purpose, rack.device_w, rack.device_pf, len(rack.circuits), len(rack.feeds))
        groups.setdefault(key, []).append((kind, rack))
    found: list[tuple[CircuitBundle, int, tuple[CircuitBundle, ...]]] = []
    for members in groups.values():
        distinct = len({rack.feeds for _, rack in members}) == len(members)
        minimum = min(rack.count for _, rack in members) if distinct and len(members) > 1 else 0
        if minimum:
            bundle = CircuitBundle(tuple(h for kind, _ in members for h in singles[kind].assigned))
            found.append((bundle, minimum, tuple(singles[kind] for kind, _ in members)))
        for kind, rack in members:
            if rack.count > minimum:
                found.append((singles[kind], rack.count - minimum, _slices(singles[kind])))
    return found


def _slices(unit: CircuitBundle) -> tuple[CircuitBundle, ...]:
    ordinals = sorted({assigned.tap_off.ordinal for assigned in unit.assigned})
    return tuple(
        CircuitBundle(tuple(h for h in unit.assigned if h.tap_off.ordinal == ordinal))
        for ordinal in ordinals
    )


def fill_hall(
    filling: Filling, units: Iterable[tuple[CircuitBundle, int, tuple[CircuitBundle, ...]]]
) -> list[Group]:
    """Return the groups of one hall.

    A unit first fills the last group, then the minimum number of new ones, all about equally full.
    If it does not fit an empty group it is divided into its smaller units; a single circuit that is
    too large has a separate panel, and the checks report it.
    """
    groups: list[Group] = []
    for unit, count, smaller in units:
        _hang(filling, groups, unit, count, smaller)
    return groups


def _hang(
    filling: Filling,
    groups: list[Group],
    unit: CircuitBundle,
    count: int,
    smaller: tuple[CircuitBundle, ...],
) -> None:
    if groups:
        fitting = filling.room(groups[-1], unit, count)
        if fitting:
            groups[-1] = (*groups[-1], (unit, fitting))
            count -= fitting
    if count == 0:
        return
    maximum = filling.room((), unit, count)
    if maximum == 0 and len(smaller) > 1:
        _hang_broken(filling, groups, count, smaller)
        return
    needed = math.ceil(count / max(maximum, 1))
    base, more = divmod(count, needed)
    groups.extend(((unit, base + (index < more)),) for index in range(needed))


def _hang_broken(
    filling: Filling, groups: list[Group], count: int, smaller: tuple[CircuitBundle, ...]
) -> None:
    """Assign units in parts; those of one rack in consecutive groups if possible."""
    rows: list[list[Group]] = []
    if len({assigned.kind for part in smaller for assigned in part.assigned}) == 1:
        rows = [[] for _ in smaller]
        for own, part in zip(rows, smaller, strict=True):
            _hang(filling, own, part, count, _slices(part))
    if len({len(own) for own in rows}) == 1:
        groups.extend(group for together in zip(*rows, strict=True) for group in together)
        return
    for part in smaller:
        _hang(filling, groups, part, count, _slices(part))
