"""Which racks hang on which panels: groups of one panel per feed, filled evenly.

All circuits of a rack land in one group, so that its feeds come from paired panels; those of a rack
too large for one panel of each feed land in groups one after the other. A group is
full when in the worst state a line of one of its panels would exceed the limit, or when the poles
run out. A lost supply counts as the line current with all alive and the most that it may change.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from facility.core.kinds import ComplexArray
from facility.model.it import Rack
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.balance.lines import told_apart
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.pack import ANY, Packer, Want
from facility.power.panels.design.racks import Whip


@dataclass(frozen=True, eq=False)
class Hung:
    """One circuit of one rack: the index of its kind, and the circuit."""

    kind: int
    whip: Whip

    @cached_property
    def sort(self) -> tuple[object, ...]:
        """All that a panel follows from with this circuit on it; equal in equal designs."""
        whip, lost = self.whip, self.whip.lost
        legs = lost.names, lost.rise_a, lost.power_va.shape, lost.power_va.tobytes()
        return (self.kind, whip.feed, whip.ordinal, whip.turns, whip.circuit, *legs)


@dataclass(frozen=True, eq=False)
class Unit:
    """Circuits that stay together in one group: those of one rack, or of one rack per feed set."""

    hung: tuple[Hung, ...]

    def on(self, feed: str) -> tuple[Hung, ...]:
        """Return the circuits on one feed."""
        return tuple(h for h in self.hung if h.whip.feed == feed)


Run = tuple[Unit, int]
Group = tuple[Run, ...]


class Filling:
    """Fills groups of panels one unit at a time.

    Parameters
    ----------
    basis : PanelBasis
        Frame of the panels.
    limit_a : float
        Largest continuous line current of a panel [A].
    """

    def __init__(self, basis: PanelBasis, limit_a: float) -> None:
        self._basis = basis
        self.limit_a = limit_a * (1.0 + 1e-9)
        self.packer = Packer(LAYOUTS[basis.numbering], basis.poles)
        self._parts: dict[Whip, ComplexArray] = {}

    def parts(self, whip: Whip) -> ComplexArray:
        """Return line currents by start phase, state and line that `whip` adds [A]."""
        if whip not in self._parts:
            states = len(whip.circuit.power_va)
            power = np.stack([class_power(whip.circuit, start, states) for start in range(3)])
            self._parts[whip] = currents(power, self._basis.v_ll)[..., :3]
        return self._parts[whip]

    def room(self, group: Group, unit: Unit, most: int) -> int:
        """Return how many of `unit`, at most `most`, fit beside what stands in `group`."""
        if unit.hung:  # No more than one for each pole of the panels.
            most = min(most, self._basis.poles * len(self._basis.feeds))
        return _room(_Beside(self, group, unit), most)

    @property
    def frame(self) -> tuple[object, ...]:
        """All that the filling of panels follows from, beside the circuits."""
        basis = self._basis
        return (basis.numbering, basis.poles, basis.feeds, basis.v_ll, self.limit_a)

    def fitting(self, group: Group, unit: Unit, most: int) -> int:
        """Return what `room` does, worked out."""
        panels = {feed: _Filled(self) for feed in self._basis.feeds}
        for run, count in group:
            for _ in range(count):
                self._add(panels, run)
        for done in range(most):
            if not self._add(panels, unit):
                return done
        return most

    def _add(self, panels: dict[str, _Filled], unit: Unit) -> bool:
        added = [panels[hung.whip.feed].add(hung.whip) for hung in unit.hung]
        return all(added) and all(p.peak_a <= self.limit_a for p in panels.values())


@dataclass(frozen=True, eq=False)
class _Beside:
    """A unit to hang beside a group; equal where all that the room follows from is."""

    filling: Filling
    group: Group
    unit: Unit

    @cached_property
    def key(self) -> tuple[object, ...]:
        runs = tuple((_sorts(run), count) for run, count in self.group)
        return (self.filling.frame, runs, _sorts(self.unit))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Beside) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _sorts(unit: Unit) -> tuple[object, ...]:
    return tuple(one.sort for one in unit.hung)


@lru_cache(maxsize=512)
def _room(asked: _Beside, most: int) -> int:
    return asked.filling.fitting(asked.group, asked.unit, most)


class _Filled:
    """One panel while it fills: line currents and breakers so far."""

    def __init__(self, filling: Filling) -> None:
        self._filling = filling
        self._lines: ComplexArray | float = 0.0
        self._wants: Counter[Want] = Counter()
        self._rise_a = 0.0
        self.peak_a = 0.0

    def add(self, whip: Whip) -> bool:
        after = self._lines + self._filling.parts(whip)
        peaks = np.abs(after).max(axis=(1, 2))
        # Of equal peaks the most even lines: they leave most room to what comes.
        squares = (np.abs(after) ** 2).sum(axis=(1, 2))
        scale_a = self._filling.limit_a
        order = np.lexsort((told_apart(squares / scale_a**2), told_apart(peaks / scale_a)))
        for start in (int(place) for place in order):
            want = (whip.circuit.poles, ANY if whip.turns else start)
            wants = self._wants + Counter({want: 1})
            if self._filling.packer.pack(wants) is not None:
                self._wants = wants
                self._lines = after[start]
                self._rise_a = max(self._rise_a, whip.lost.rise_a)
                normal_a = float(np.abs(after[start][0]).max())
                self.peak_a = max(float(peaks[start]), normal_a + self._rise_a)
                return True
        return False


def units_of(
    kinds: Sequence[tuple[int, Rack]], whips: Sequence[tuple[Whip, ...]]
) -> list[tuple[Unit, int, tuple[Unit, ...]]]:
    """Return (unit, count, smaller units) for the kinds of rack of one hall, in order.

    Racks that differ in nothing but their feeds are bundled, one of each, so that every panel
    shares its racks with panels of several other feeds. The smaller units are what to fall back
    to when the unit does not fit an empty group: single racks, then single circuits per feed.
    """
    singles = {kind: Unit(tuple(Hung(kind, w) for w in whips[kind])) for kind, _ in kinds}
    alike: dict[object, list[tuple[int, Rack]]] = {}
    for kind, rack in kinds:
        key = (rack.purpose, rack.device_w, rack.device_pf, len(rack.circuits), len(rack.feeds))
        alike.setdefault(key, []).append((kind, rack))
    found: list[tuple[Unit, int, tuple[Unit, ...]]] = []
    for members in alike.values():
        distinct = len({rack.feeds for _, rack in members}) == len(members)
        least = min(rack.count for _, rack in members) if distinct and len(members) > 1 else 0
        if least:
            bundle = Unit(tuple(h for kind, _ in members for h in singles[kind].hung))
            found.append((bundle, least, tuple(singles[kind] for kind, _ in members)))
        for kind, rack in members:
            if rack.count > least:
                found.append((singles[kind], rack.count - least, _slices(singles[kind])))
    return found


def _slices(unit: Unit) -> tuple[Unit, ...]:
    ordinals = sorted({hung.whip.ordinal for hung in unit.hung})
    return tuple(
        Unit(tuple(h for h in unit.hung if h.whip.ordinal == ordinal)) for ordinal in ordinals
    )


def fill_hall(filling: Filling, units: Iterable[tuple[Unit, int, tuple[Unit, ...]]]) -> list[Group]:
    """Return the groups of one hall.

    A unit first tops up the last group, then takes as few new ones as it needs, all about equally
    full. What does not fit an empty group is broken into its smaller units; a single circuit that
    is too large gets a panel of its own, and the checks say so.
    """
    groups: list[Group] = []
    for unit, count, smaller in units:
        _hang(filling, groups, unit, count, smaller)
    return groups


def _hang(
    filling: Filling, groups: list[Group], unit: Unit, count: int, smaller: tuple[Unit, ...]
) -> None:
    if groups:
        fitting = filling.room(groups[-1], unit, count)
        if fitting:
            groups[-1] = (*groups[-1], (unit, fitting))
            count -= fitting
    if count == 0:
        return
    most = filling.room((), unit, count)
    if most == 0 and len(smaller) > 1:
        _hang_broken(filling, groups, count, smaller)
        return
    needed = math.ceil(count / max(most, 1))
    base, more = divmod(count, needed)
    groups.extend(((unit, base + (index < more)),) for index in range(needed))


def _hang_broken(
    filling: Filling, groups: list[Group], count: int, smaller: tuple[Unit, ...]
) -> None:
    """Hang units in pieces; those of one rack in groups that follow one another where they can."""
    rows: list[list[Group]] = []
    if len({hung.kind for part in smaller for hung in part.hung}) == 1:
        rows = [[] for _ in smaller]
        for own, part in zip(rows, smaller, strict=True):
            _hang(filling, own, part, count, _slices(part))
    if len({len(own) for own in rows}) == 1:
        groups.extend(group for together in zip(*rows, strict=True) for group in together)
        return
    for part in smaller:
        _hang(filling, groups, part, count, _slices(part))
