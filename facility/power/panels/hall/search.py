"""Search over a hall: which unit stands at which site, by moves and exchanges of the worst site.

A site is judged by the turnings of its panels: the least largest current that turning its circuits
can reach; then, with the current capped, the least neutral current; then the least imbalance.

It counts racks alike by site, where the engine of panels and cabinets (`balance/arrange`) names
every option of every circuit. For `h100-10k` that engine takes 31 s for one descent over 24 panels
of one feed, about the fourth power of their number, and this search 5 s for all 114 panels with its
restarts; of 100,000 GPUs the options alone would be 107 GB (`python -m benchmarks.halls`).
"""

from __future__ import annotations

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.rounding import first_largest, first_least, rising, rounded
from facility.power.panels.balance.lines import IntArray
from facility.power.panels.hall.tables import HallTables

_GAIN = 1e-6
_TRIES = (60, 150, 150)
_KICK = 6


class HallSearch(HallTables):
    """Changes of a state: which units, by type, stand at which site."""

    def improved(self, state: IntArray, caps: tuple[float, ...], tie: float) -> IntArray:
        """Return units by site and type after moves and exchanges that relieve the worst site.

        Steps that do not lower the figure of the hall by `tie`, all together, are not taken.
        """
        state = state.copy()
        values = self.values(state, caps)
        kept, least = state.copy(), float(values.max(initial=0.0))
        while len(values) and not self.meter.spent():
            worst = first_largest(values)
            step = self._step(state, values, worst, caps)
            if step is None:
                break
            self._take(state, worst, *step)
            for site in (worst, step[1]):
                values[site] = self.value(site, state[site], caps)
            if values.max() < least - tie:
                kept, least = state.copy(), float(values.max())
            self.meter.note(("current", "neutral", "imbalance")[len(caps)])
        return kept

    def _take(self, state: IntArray, site: int, leaving: int, other: int, coming: int) -> None:
        """Exchange a unit of a site for one of another, in place; beyond the last type is none."""
        for sort, source, target in ((leaving, site, other), (coming, other, site)):
            if sort < len(self.types):
                state[source, sort] -= 1
                state[target, sort] += 1

    def kicked(self, state: IntArray, rng: np.random.Generator) -> IntArray:
        """Return `state` after a few exchanges between sites drawn at random."""
        state = state.copy()
        none = len(self.types)
        for _ in range(_KICK):
            site, other = (int(n) for n in rng.integers(0, len(state), size=2))
            leaving, coming = (int(n) for n in rng.integers(0, none + 1, size=2))
            trial = state.copy()
            self._take(trial, site, leaving, other, coming)
            same = self.hall.sites[site].hall == self.hall.sites[other].hall
            room = self.room - trial @ self.poles
            if same and (trial >= 0).all() and (room >= 0).all():
                state = trial
        return state

    def brought_back(self, state: IntArray, given: IntArray, caps: tuple[float, ...]) -> IntArray:
        """Return `state` with units back where they are given, as far as `caps` are kept."""
        state = state.copy()
        while not self.meter.spent():
            for site, other, leaving, coming in self._returns(state, given):
                trial = state.copy()
                self._take(trial, site, leaving, other, coming)
                if all(self._keeps(s, trial[s], caps) for s in (site, other)):
                    state = trial
                    break
            else:
                break
        return state

    def _returns(self, state: IntArray, given: IntArray) -> list[tuple[int, int, int, int]]:
        """Return (site, other, type leaving, type coming), exchanges of two strays first."""
        none = len(self.types)
        over = state > given
        under = np.concatenate([state < given, np.ones((len(state), 1), dtype=np.bool_)], axis=1)
        over_or_none = np.concatenate([over, np.ones((len(state), 1), dtype=np.bool_)], axis=1)
        found = []
        for site, leaving in np.argwhere(over):
            for other in np.flatnonzero(under[:, leaving]):
                if self.hall.sites[site].hall == self.hall.sites[other].hall:
                    coming = np.flatnonzero(over_or_none[other] & under[site])
                    found += [
                        (int(c) == none, int(site), int(other), int(leaving), int(c))
                        for c in coming
                        if c != leaving
                    ]
        return [step[1:] for step in sorted(found)]

    def _keeps(self, site: int, row: IntArray, caps: tuple[float, ...]) -> bool:
        room = self.room[site] - row @ self.poles
        return bool((room >= 0).all()) and all(
            self.value(site, row, caps[:level]) <= caps[level] + 1e-12 for level in range(len(caps))
        )

    def _step(
        self, state: IntArray, values: FloatArray, worst: int, caps: tuple[float, ...]
    ) -> tuple[int, int, int] | None:
        limit = float(values[worst]) - _GAIN
        tried = self._trials(state, worst, caps[0] if caps else limit)
        for _, leaving, other, coming in tried[: _TRIES[len(caps)]]:
            trial = state.copy()
            self._take(trial, worst, leaving, other, coming)
            if max(self.value(s, trial[s], caps) for s in (worst, other)) < limit:
                return leaving, other, coming
            if self.meter.spent():
                return None
        return None

    def _trials(
        self, state: IntArray, worst: int, limit: float
    ) -> list[tuple[float, int, int, int]]:
        """Return (even current, type leaving, other site, type coming), least current first.

        A type number beyond the last stands for none.
        """
        count = len(self.types)
        even = np.concatenate([self.even, np.zeros_like(self.even[:1])])
        poles = np.concatenate([self.poles, np.zeros_like(self.poles[:1])])
        load = self.rest + np.einsum("st,tfx->sfx", state, self.even)
        room = self.room - state @ self.poles
        change = even[None, :] - even[:, None]
        needs = poles[None, :] - poles[:, None]
        here = np.abs(load[worst] + change).max(axis=(2, 3))
        fits_here = (needs <= room[worst]).all(axis=2)
        has = np.concatenate([state > 0, np.ones((len(state), 1), dtype=np.bool_)], axis=1)
        found = []
        seen = set()
        for other, site in enumerate(self.hall.sites):
            alike = (self.site_sort[other], state[other].tobytes())
            if other == worst or site.hall != self.hall.sites[worst].hall or alike in seen:
                continue
            seen.add(alike)
            most = np.maximum(here, np.abs(load[other] - change).max(axis=(2, 3)))
            good = (most <= limit) & fits_here & (-needs <= room[other]).all(axis=2)
            good &= has[worst][:, None] & has[other][None, :] & ~np.eye(count + 1, dtype=np.bool_)
            for leaving, coming in np.argwhere(good):
                current = rounded(float(most[leaving, coming]))
                found.append((current, int(leaving), other, int(coming)))
        return sorted(found)

    def filled_anew(self) -> IntArray | None:
        """Return units by site and type, the largest unit first to the site that rises least.

        None where one finds no room.
        """
        state = np.zeros_like(self.given)
        load = self.rest.copy()
        room = self.room.copy()
        halls = np.array([site.hall for site in self.hall.sites])
        size = np.abs(self.even).max(axis=(1, 2), initial=0.0)
        for sort in rising(-size):
            for hall in sorted(set(halls)):
                inside = halls == hall
                for _ in range(int(self.given[inside, sort].sum())):
                    rise = np.abs(load + self.even[sort]).max(axis=(1, 2))
                    fits = inside & (self.poles[sort] <= room).all(axis=1)
                    if not fits.any():
                        return None
                    site = first_least(np.where(fits, rise, np.inf))
                    state[site, sort] += 1
                    load[site] += self.even[sort]
                    room[site] -= self.poles[sort]
        return state
