"""The best arrangement of a hall that is found: cords, sites and turns, in rounds until it stands.

A round that improves nothing ends it, so that what it returns is returned again when it is given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from facility.model.power.hall_distribution import Connection
from facility.power.panels.balance.lines import TIE, IntArray, uneven
from facility.power.panels.hall.cords import options
from facility.power.panels.hall.decode import Arrangement, decoded, given_arrangement, state_of
from facility.power.panels.hall.search import HallSearch
from facility.power.panels.hall.tables import Banks, Meter
from facility.power.panels.hall.turnings import figures_of
from facility.power.panels.hall.turns import cap_of
from facility.power.panels.hall.units import HallUnits

Figures = tuple[float, ...]
"""Largest line and neutral current over the limit, imbalance, and imbalance of a feed's total."""

ROUNDS = 4
_STRICT = 1e-6
_SEARCHES = 8
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class _Plan:
    """A way to plug cords and to hang units on sites, with what turning can make of it."""

    search: HallSearch
    state: IntArray
    figures: Figures


class Solver:
    """Balances one hall, or several whose racks may share a kind.

    meter: Effort.
    pluggable: Circuits whose cords may be plugged anew, (kind, circuit).
    effort: Seeded disturbances that every search over the sites starts from again.
    """

    def __init__(
        self, hall: HallUnits, meter: Meter, pluggable: Collection[tuple[int, int]], effort: int
    ) -> None:
        self.hall, self.meter, self._effort = hall, meter, effort
        self._searches: dict[tuple[bytes, ...], HallSearch] = {}
        self._options = {key: options(hall.cords[key], _connection(hall, key)) for key in pluggable}
        self._bound_up = _bound_up(hall)
        self._here: Figures = (np.inf,) * 4

    def solved(self) -> Arrangement:
        """Return the best arrangement found."""
        best = given_arrangement(self.hall)
        for _ in range(ROUNDS):
            better = self._round(best)
            if better is None:
                break
            best = better
            if self.meter.spent():
                break
        return best

    def figures(self, at: Arrangement) -> Figures:
        """Return the figures of an arrangement, each the largest of all panels or feeds."""
        search = self.search(at.banks)
        zero = np.zeros((len(self.hall.found.states), 4), dtype=np.complex128)
        totals = {panel: zero.copy() for panel in self.hall.panels}
        for number, member in enumerate(self.hall.members):
            totals[int(at.panels[number])] += search.part(member, int(at.starts[number]))
        if not totals:
            return (0.0, 0.0, 0.0, 0.0)
        worst = figures_of(np.array(list(totals.values()))).max(axis=0)
        total = max(
            float(uneven(sum((totals[p][0, :3] for p in mine), zero[0, :3])))
            for mine in self.hall.by_feed.values()
        )
        return (*(float(value) for value in worst), total)

    def search(self, banks: Banks) -> HallSearch:
        """Return the search with cords plugged so."""
        key = tuple(banks[k].tobytes() for k in sorted(banks))
        if key not in self._searches:
            if len(self._searches) >= _SEARCHES:
                self._searches.pop(next(iter(self._searches)))
            self._searches[key] = HallSearch(self.hall, banks, self.meter)
        return self._searches[key]

    def _round(self, given: Arrangement) -> Arrangement | None:
        """Return what improves on `given` by more than a tie, None where nothing does."""
        self._here = here = self.figures(given)
        plans = self._plans(given)
        counts = True
        for level in range(3):
            cap = _cap(min(plan.figures[level] for plan in plans), here[level], counts)
            counts = counts and here[level] <= cap + _EQUAL
            plans = [plan for plan in plans if plan.figures[level] <= cap + _EQUAL]
        _, caps, counts = self._reached(plans[0].search, plans[0].state)
        new = decoded(plans[0].search, plans[0].state, caps, given, here[3] if counts else np.inf)
        return new if _better(self.figures(new), here) else None

    def _reached(
        self, search: HallSearch, state: IntArray, improve: bool = False
    ) -> tuple[IntArray, tuple[float, ...], bool]:
        """Return the state, its caps level by level, and whether the given keeps all of them.

        A cap is a tie above the least that turns, and with `improve` other sites, can reach.
        """
        caps: tuple[float, ...] = ()
        counts = True
        for here in self._here[:3]:
            if improve:
                state = search.improved(state, caps, TIE)
            least = float(search.values(state, caps).max(initial=0.0))
            caps = (*caps, _cap(least, here, counts))
            counts = counts and here <= caps[-1] + _EQUAL
        return state, caps, counts

    def _plans(self, given: Arrangement) -> list[_Plan]:
        """Return plans from the least change to the largest."""
        search = self.search(given.banks)
        state = state_of(search, given)
        plans = [self._plan(search, state)]
        recabled = self._recabled(plans[0])
        if recabled is not plans[0]:
            plans.append(recabled)
        for start in tuple(plans):
            plans.append(self._assigned(start, self._effort))
        last = self._recabled(plans[-1])
        if last is not plans[-1]:
            plans.append(self._assigned(last, self._effort))
        return [*plans, *self._disturbed(plans)]

    def _disturbed(self, plans: Sequence[_Plan]) -> list[_Plan]:
        """Return what is better than the best of `plans`, from seeded cords and sites."""
        best = plans[0]
        for plan in plans[1:]:
            best = plan if _less(plan.figures, best.figures) else best
        kinds = sorted({key[0] for key, ways in self._options.items() if len(ways) > 1})
        rng = np.random.default_rng(1)
        found: list[_Plan] = []
        for _ in range(self._effort if kinds else 0):
            banks = {**best.search.banks}
            for kind in kinds:
                changes = tuple(self._replugs(kind))
                banks |= changes[int(rng.integers(0, len(changes)))]
            search = self.search(banks)
            state = search.kicked(best.state, rng)
            if self.meter.spent():
                break
            plan = self._assigned(self._recabled(self._plan(search, state)), 0)
            if _better(plan.figures, best.figures):
                best = plan
                found.append(plan)
        return found

    def _plan(self, search: HallSearch, state: IntArray) -> _Plan:
        _, caps, _ = self._reached(search, state)
        figures = (float(search.values(state, caps[:level]).max(initial=0.0)) for level in range(3))
        return _Plan(search, state, tuple(figures))

    def _recabled(self, plan: _Plan) -> _Plan:
        """Return `plan` with the cords of one kind of rack after the other plugged better."""
        for kind in sorted({key[0] for key in self._options}):
            if not any(key[0] == kind for key in self._binding(plan)):
                continue
            for change in self._replugs(kind):
                if self.meter.spent():
                    return plan
                banks = {**plan.search.banks, **change}
                if all(np.array_equal(banks[k], plan.search.banks[k]) for k in change):
                    continue
                other = self._plan(self.search(banks), plan.state)
                if _less(other.figures, plan.figures):
                    plan = other
                self.meter.note("cords")
        return plan

    def _replugs(self, kind: int) -> Iterator[Banks]:
        """Yield ways to plug a kind of rack: all its circuits alike, then each by itself."""
        mine = {key: ways for key, ways in sorted(self._options.items()) if key[0] == kind}
        for number in range(max(len(ways) for ways in mine.values())):
            alike: dict[tuple[int, int], IntArray] = {}
            for key, ways in mine.items():
                alike |= dict.fromkeys(self._bound_up[key], ways[min(number, len(ways) - 1)])
            yield alike
        for key, ways in mine.items():
            for banks in ways:
                yield dict.fromkeys(self._bound_up[key], banks)

    def _binding(self, plan: _Plan) -> set[tuple[int, int]]:
        """Return the circuits, by (kind, circuit), at the sites that no figure can do without."""
        search = plan.search
        _, caps, _ = self._reached(search, plan.state)
        found: set[tuple[int, int]] = set()
        for level in range(3):
            values = search.values(plan.state, caps[:level])
            worst = np.flatnonzero(values >= values.max(initial=0.0) - _STRICT)
            for site in worst:
                for number in np.flatnonzero(plan.state[site]):
                    found |= {key[:2] for key in search.types[number]}
        still = (unit for unit in self.hall.units if unit.pinned)
        return found | {key[:2] for unit in still for key in unit.sorts}

    def _assigned(self, plan: _Plan, effort: int) -> _Plan:
        """Return `plan` with its units hung on other sites where that is better."""
        search = plan.search
        best = plan
        if not plan.state.any():
            return plan
        rng = np.random.default_rng(0)
        for number in range(effort + 2):
            start: IntArray | None = best.state
            if number == 1:
                start = search.filled_anew()
            elif number > 1:
                start = search.kicked(best.state, rng)
            if start is None or self.meter.spent():
                continue
            state, _, _ = self._reached(search, start, improve=True)
            other = self._plan(search, state)
            if _better(other.figures, best.figures):
                best = other
        return best


def _connection(hall: HallUnits, key: tuple[int, int]) -> Connection:
    return next(c.connection for sort, c in hall.template.items() if sort[:2] == key)


def _bound_up(hall: HallUnits) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return the circuits that are plugged alike because their racks are of one name."""
    by_name: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for key, cords in hall.cords.items():
        by_name[cords.key].append(key)
    return {key: by_name[cords.key] for key, cords in hall.cords.items()}


def _cap(reached: float, given: float, counts: bool) -> float:
    """Return the most a figure may be, the given one counting while it kept all caps before."""
    return cap_of(reached, given if counts else np.inf)


def _better(new: Figures, old: Figures) -> bool:
    """Return whether figures are less by more than a tie, before one is more."""
    for mine, other in zip(new, old, strict=True):
        if mine <= other - TIE + _EQUAL:
            return True
        if mine > other + _STRICT:
            return False
    return False


def _less(new: Figures, old: Figures) -> bool:
    """Return whether figures are less, in order."""
    for mine, other in zip(new, old, strict=True):
        if abs(mine - other) > _STRICT:
            return mine < other
    return False
