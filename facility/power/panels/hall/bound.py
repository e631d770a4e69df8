"""The largest line current of a hall that no arrangement can beat."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np

from facility.core.kinds import ComplexArray
from facility.power.panels.balance.lines import TURN, IntArray
from facility.power.panels.balance.solver import Program
from facility.power.panels.board.currents import class_power, currents, panel_power
from facility.power.panels.hall.cords import all_options
from facility.power.panels.hall.search import HallSearch
from facility.power.panels.hall.units import HallUnits, SortKey

_ROWS = 3000
"""Most ways to fill a site, and most ways to plug the cords of a panel, that are all looked at."""

_NODES = 500
_EQUAL = 1e-9

_Row = tuple[int, tuple[int, ...]]
"""Sort of a site, and the units that may leave it, by type."""


class HallBound:
    r"""Proves a bound on the largest line current of a hall, racks and circuits being whole.

    Of every way to fill a site with whole units it takes the least current that turning circuits
    and plugging cords can reach there, looked at in all ways; first, and where these are too many,
    the current were it even over the lines, which no line of the panel is below. A program of whole
    numbers then tells whether all units find a site where no site may be filled so that its current
    is above a limit. The least limit for which they do is the bound.

    search: The hall, and its cords.
    pluggable: Circuits whose cords may be plugged anew, (kind, circuit).
    """

    def __init__(self, search: HallSearch, pluggable: Collection[tuple[int, int]]) -> None:
        self._search, self._hall = search, search.hall
        wired = {sort[:2]: c.connection for sort, c in self._hall.template.items()}
        self._ways = {
            key: all_options(self._hall.cords[key], wired[key]) for key in sorted(pluggable)
        }
        self._still = [self._staying(site) for site in range(len(self._hall.sites))]
        known: dict[object, int] = {}
        self._sort_of = [
            known.setdefault((sort, tuple(sorted(still.items()))), len(known))
            for sort, still in zip(search.site_sort, self._still, strict=True)
        ]
        self._site = {sort: number for number, sort in enumerate(self._sort_of)}
        self._least: dict[_Row, float] = {}
        self._sure: set[_Row] = set()
        self._looked = 0

    def _staying(self, site: int) -> Counter[SortKey]:
        """Return the circuits of a site that may turn, but not leave it."""
        units = (unit for unit in self._hall.units if unit.pinned and unit.site == site)
        members = (self._hall.members[m] for unit in units for m in unit.members)
        return Counter(member.sort for member in members if not member.pinned)

    def proven(self, known_a: float, reached_a: float) -> float:
        """Return a bound from `known_a` up to `reached_a` [A]."""
        limit_a = self._hall.found.limit_a
        if reached_a <= known_a * (1.0 + _EQUAL) or not self._enumerate(reached_a / limit_a):
            return known_a
        bound = known_a / limit_a
        while self._looked <= _ROWS:
            limits = sorted({v for v in self._least.values() if bound < v < reached_a / limit_a})
            limits = [bound, *limits]
            first = bisect_left(limits, True, key=lambda limit: self._filled(limit) != ())
            if first == len(limits):
                return reached_a
            bound = limits[first]
            open_ = [row for row in self._filled(bound) or () if row not in self._sure]
            if not open_:
                break
            for row in open_:
                self._look_into(row)
        bound_a = bound * limit_a
        return reached_a if bound_a >= reached_a * (1.0 - _EQUAL) else bound_a

    def _enumerate(self, most: float) -> bool:
        """Write down the ways to fill a site by even current below `most`; not where too many."""
        search = self._search
        for sort, site in self._site.items():
            hall = search.hall.sites[site].hall
            inside = [n for n, other in enumerate(search.hall.sites) if other.hall == hall]
            for row in self._rows(site, search.given[inside].sum(axis=0), most):
                even = search.rest[site] + np.einsum("t,tfx->fx", row, search.even)
                self._least[sort, tuple(row.tolist())] = float(np.abs(even).max(initial=0.0))
                if len(self._least) > _ROWS:
                    return False
        return True

    def _rows(self, site: int, most: IntArray, limit: float) -> Iterator[IntArray]:
        """Yield units by type that a site has room for, none with an even current of `limit`.

        The current of a type is counted by its real part, which only grows with more units where
        no load gives power back.
        """
        search = self._search
        draws = bool((search.even.real >= 0.0).all() and (search.rest.real >= 0.0).all())

        def go(kind: int, row: IntArray) -> Iterator[IntArray]:
            if kind == len(most):
                yield row
                return
            for count in range(int(most[kind]) + 1):
                new = row.copy()
                new[kind] = count
                even = search.rest[site] + np.einsum("t,tfx->fx", new, search.even)
                if (search.room[site] < new @ search.poles).any() or (
                    draws and even.real.max(initial=0.0) >= limit
                ):
                    return
                yield from go(kind + 1, new)

        return go(0, np.zeros(len(most), dtype=np.int64))

    def _filled(self, limit: float) -> tuple[_Row, ...] | None:
        """Return how sites are filled where none is above `limit`; empty for not at all.

        None where that was not found out.
        """
        search = self._search
        rows = [row for row, value in self._least.items() if value <= limit * (1.0 + _EQUAL)]
        sites = Counter(self._sort_of)
        program = Program()
        program.column(0.0, 0.0, whole=False)
        columns = [program.column(0.0, sites[sort]) for sort, _ in rows]
        for sort, count in sites.items():
            mine = [c for c, row in zip(columns, rows, strict=True) if row[0] == sort]
            program.row(count, count, mine, [1.0] * len(mine))
        halls = [site.hall for site in search.hall.sites]
        for hall in dict.fromkeys(halls):
            inside = [n for n, other in enumerate(halls) if other == hall]
            for kind, count in enumerate(search.given[inside].sum(axis=0).tolist()):
                held = [
                    (column, float(row[kind]))
                    for column, (sort, row) in zip(columns, rows, strict=True)
                    if row[kind] and halls[self._site[sort]] == hall
                ]
                program.row(count, count, [c for c, _ in held], [n for _, n in held])
        solved = program.minimise([], 0.0, _NODES, lambda *_: False)
        if solved.values is None:
            return () if solved.infeasible else None
        pairs = zip(columns, rows, strict=True)
        return tuple(row for column, row in pairs if solved.values[column] > 0.5)

    def _look_into(self, row: _Row) -> None:
        """Find the least current of a site filled so, all ways to plug and to turn looked at."""
        site = self._site[row[0]]
        units = np.array(row[1], dtype=np.int64)
        panels = self._hall.sites[site].panels
        each = [self._panel(site, units, feed) for feed in panels]
        self._least[row] = max(self._least[row], *each)
        self._sure.add(row)

    def _panel(self, site: int, units: IntArray, feed: str) -> float:
        """Return the least current of one panel over the limit; 0 where the ways are too many."""
        search, hall = self._search, self._hall
        keys = Counter(
            {key: n for key, n in self._still[site].items() if hall.feed_of[key] == feed}
        )
        for kind in np.flatnonzero(units):
            for key in search.types[kind]:
                keys[key] += int(units[kind]) * (hall.feed_of[key] == feed)
        keys = +keys
        plugs = {key[:2]: self._ways[key[:2]] for key in sorted(keys) if key[:2] in self._ways}
        sizes = [len(ways or ()) for ways in plugs.values()]
        if None in plugs.values() or prod(sizes) > _ROWS:
            return 0.0
        least = np.inf
        for chosen in product(*(ways or () for ways in plugs.values())):
            at = dict(zip(plugs, chosen, strict=True))
            classes = Counter[int]()
            for key, count in keys.items():
                banks = at.get(key[:2])
                plugged = None if banks is None else search.class_plugged(key, banks)
                classes[search.class_of[key] if plugged is None else plugged] += count
            frame = search.frame_of[hall.sites[site].panels[feed]]
            found = search.known_turnings.least_of_all((frame, tuple(sorted(classes.items()))))
            self._looked += 1
            if found is None:
                return 0.0
            least = min(least, found)
        return least


def least_current(
    hall: HallUnits, *, racks_stay: bool, pluggable: Collection[tuple[int, int]]
) -> float:
    r"""Return a bound that the largest line current of no arrangement can beat [A].

    For a line x let J_x be its current turned by the voltage of its phase, so that V J_x* is the
    complex power that line x delivers. Over the lines of all panels of one feed these powers add
    up to the power S of all its circuits, in each state, whatever panel, position, turn or bank
    each load has: :math:`\sum J^* = S / V`. The largest of 3 n lines is not below the mean,

    .. math:: \max |I| \ge |S| / (3 n V).

    With racks that stay, the same holds panel by panel.

    Where no load draws negative Re J from a line (loads to neutral never do, loads between lines
    down to a power factor of 0.5), a line carries at least Re J of any one load on it. Hence the
    current of a single circuit counts, on its best phase; where cords may be replugged, that of
    its largest cord and the mean of its three lines; and what pinned circuits put on their panel.
    """
    panels = hall.found.panels
    v_ll = hall.found.basis.v_ll
    phase_v = v_ll / 3.0**0.5
    groups: dict[object, list[int]] = defaultdict(list)
    for number in hall.panels:
        panel = panels[number]
        groups[number if racks_stay else (panel.hall, panel.side)].append(number)
    bound = 0.0
    for mine in groups.values():
        power = sum(np.asarray(panel_power(panels[n])).sum(axis=1) for n in mine)
        bound = max(bound, float(np.abs(power).max()) / (3.0 * len(mine) * phase_v))
    if not _only_draws(hall):
        return bound
    alone = [
        _real(class_power(c, 0, len(c.power_va)), v_ll)
        for key, c in hall.template.items()
        if key[:2] not in pluggable
    ]
    alone += [_cord_alone(hall, key, v_ll) for key in pluggable]
    return max(bound, *alone, *_pinned(hall), 0.0)


def _only_draws(hall: HallUnits) -> bool:
    """Return whether no load puts a negative Re J on a line, wherever it starts."""
    least = {"L-N": 0.0, "L-L": 0.5}
    for key, circuit in hall.template.items():
        cords = hall.cords.get(key[:2])
        power = np.array(circuit.power_va).ravel() if cords is None else cords.power_va.ravel()
        if (power.real < (least[circuit.connection] - 1e-12) * np.abs(power)).any():
            return False
    return True


def _real(power: ComplexArray, v_ll: float) -> float:
    """Return the largest Re J that power on the six classes (last axis) puts on a line [A]."""
    return float((currents(power, v_ll)[..., :3] * TURN).real.max())


def _cord_alone(hall: HallUnits, key: tuple[int, int], v_ll: float) -> float:
    """Return what the largest cord, or the mean of all, puts on a line [A]."""
    cords = hall.cords[key]
    wired = next(c.connection for sort, c in hall.template.items() if sort[:2] == key)
    single = cords.power_va[:, cords.banks >= 0]
    power = np.zeros((*single.shape, 6), dtype=np.complex128)
    power[..., 0 if wired == "L-N" else 3] = single
    mean: float = cords.power_va.sum(axis=1).real.max() / (3.0**0.5 * v_ll)
    return max(_real(power, v_ll) if single.size else 0.0, mean)


def _pinned(hall: HallUnits) -> list[float]:
    """Return what the pinned circuits of each panel put on one of its lines [A]."""
    fixed: dict[int, list[int]] = defaultdict(list)
    for member in hall.members:
        if member.pinned:
            fixed[member.panel].append(member.index)
    found = []
    for number, indices in fixed.items():
        panel = hall.found.panels[number]
        circuits = tuple(panel.circuits[index] for index in indices)
        power = panel_power(replace(panel, circuits=circuits))
        found.append(_real(power, panel.v_ll))
    return found
