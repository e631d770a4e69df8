"""Fewest moves vs. imbalance, for an existing panel.

Up to a limit, all plans of one move, two, three and so on are evaluated; above it, plans are
extended by the best one or two moves and by the balance of the whole panel.
Effort is counted, not timed: the same panel gives the same list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.power.panels.balance.lines import IntArray, Objective, line_parts, peak, unevenness
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.constraints import broken_groups
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.model import Panel, check_layout
from facility.power.panels.board.moves import (
    Move,
    moved,
    moves_between,
    ordered_steps,
    require_placed,
)
from facility.power.panels.board.pack import Packer, Want
from facility.power.panels.moves.grouping import PlacedGroups

MIN_GAIN = 1e-3
"""Minimum imbalance reduction of a listed plan relative to all plans with fewer moves."""

MAX_MOVES = 12
"""Plans with more moves come only from the balance of the whole panel."""

MAX_EVALUATED = 3_000_000
"""Maximum number of plans of one size that are all evaluated."""

_STORED = 2_000
_WIDTH = 6
_GROWN = 10
_SAME = 1e-9

Positions = tuple[int, ...]


@dataclass(frozen=True)
class MovePlan:
    """Plan of moves, and the panel after all of them."""

    panel: Panel  # Panel after the moves
    # Breakers with changed positions, in the order of the circuits; none in the first plan.
    moves: tuple[Move, ...]
    # Instructions, in an order in which every pole is free when a breaker is moved to it.
    steps: tuple[str, ...]
    # Maximum deviation from the mean / mean, normal state, of the objective's quantity:
    # phasor line currents, or schedule VA of the phases.
    imbalance: float
    loads: tuple[PanelLoad, ...]  # Load of the panel in each state
    exact: bool  # Whether all plans with as many moves or fewer were evaluated

    @property
    def current_max_a(self) -> float:
        """Largest phasor line current over the states [A]."""
        return max(load.current_max_a for load in self.loads)


def pareto_moves(panel: Panel, objective: Objective = "current") -> tuple[MovePlan, ...]:
    """Return the Pareto-optimal plans of moves, fewest moves first.

    The first plan has no moves. Each further one has a lower imbalance, by `MIN_GAIN` or more;
    none has a larger line value in any state than the present panel. Fixed circuits are not moved.
    Circuit groups are satisfied in every plan except the first, the present
    panel.

    objective: Whether the imbalance is of the phasor line currents or of the schedule VA.

    Raises ``PANEL_NOT_PLACED``, ``BUSWAY_MOVES`` for a busway, or the errors of `check_layout` and
    `balance`.
    """
    if panel.is_busway:
        raise FacilityError(
            "BUSWAY_MOVES",
            panel.tag,
            "busway circuits change phase at their tap-off; there is no list of moves.",
            "Balance the busway; its moves list the new phases.",
        )
    require_placed(panel)
    check_layout(panel, tuple(circuit.id for circuit in panel.circuits))
    search = _MoveSearch(panel, objective)
    plans = [_plan(search, search.given, exact=True)]
    for count, positions, exact in search.best_by_moves():
        if search.score(positions)[0] < plans[-1].imbalance - MIN_GAIN:
            plans.append(_plan(search, positions, exact=exact))
            assert len(plans[-1].moves) == count
    return tuple(plans)


def _plan(search: _MoveSearch, positions: Positions, *, exact: bool) -> MovePlan:
    before = search.panel
    after = moved(before, search.by_id(positions))
    moves = moves_between((before,), (after,))
    loads = panel_loads(after)
    first = loads[0]
    return MovePlan(
        panel=after,
        moves=moves,
        steps=ordered_steps((before,), moves),
        imbalance=first.imbalance if search.objective == "current" else first.imbalance_va,
        loads=loads,
        exact=exact,
    )


class _MoveSearch:
    """Positions of the movable circuits, and the resulting line values."""

    def __init__(self, panel: Panel, objective: Objective) -> None:
        self.panel = panel
        self.objective = objective
        self._movable = [c for c in panel.circuits if not c.fixed]
        self._fixed = {n for c in panel.circuits if c.fixed for n in panel.occupied(c)}
        self.given: Positions = tuple(c.position or 1 for c in self._movable)
        shape = (len(panel.states), 3)
        self._base = np.zeros(shape, dtype=np.complex128)
        for circuit in panel.circuits:
            if circuit.fixed:
                start = panel.layout.phase(circuit.position or 1)
                self._base += line_parts(circuit, start, panel, objective)
        parts = [
            [line_parts(c, start, panel, objective) for start in range(3)] for c in self._movable
        ]
        self._parts = np.array(parts, dtype=np.complex128).reshape(len(parts), 3, *shape)
        self._poles = np.array([c.poles for c in self._movable], dtype=np.int64)
        self._need = _pole_need(self._poles)
        self._groups = PlacedGroups(panel)
        self._first, self._limit = self.score(self.given)
        self._levels: dict[int, dict[Positions, tuple[float, float]]] = {}

    def by_id(self, positions: Positions) -> dict[str, int]:
        """Return `positions` by circuit."""
        return {c.id: n for c, n in zip(self._movable, positions, strict=True)}

    def score(self, positions: Positions) -> tuple[float, float]:
        """Return imbalance and largest line value of the panel with these positions."""
        starts = self._starts(positions)
        totals = self._base + self._parts[np.arange(len(starts)), starts].sum(axis=0)
        return float(unevenness(totals)), float(peak(totals))

    def best_by_moves(self) -> Iterator[tuple[int, Positions, bool]]:
        """Yield the best positions for every number of moves, and whether all were evaluated."""
        complete, through = True, 0
        for size in range(1, len(self._movable) + 1):
            plans = comb(len(self._movable), size) * 3**size
            if self._even_enough() or plans > MAX_EVALUATED:
                break
            complete = self._grow(self.given, size) and complete and self._groups.all_orders
            through = size if complete else through
        for level in range(1, MAX_MOVES):
            if self._even_enough():
                break
            for positions in self._ranked(level)[:_WIDTH]:
                self._grow(positions, 1)
                self._grow(positions, 2)
        if not self._even_enough():
            whole = balance(self.panel, self.objective).panel
            self._keep(tuple(c.position or 1 for c in whole.circuits if not c.fixed))
        self._drop_idle_moves()
        for level in sorted(self._levels):
            yield level, self._ranked(level)[0], level <= through

    def _even_enough(self) -> bool:
        """Return whether a plan is even to within `MIN_GAIN`: the search stops there."""
        values = [value for found in self._levels.values() for value, _ in found.values()]
        return min(values, default=self._first) <= MIN_GAIN

    def _starts(self, positions: Positions) -> IntArray:
        return np.array([self.panel.layout.phase(n) for n in positions], dtype=np.int64)

    def _keep(self, positions: Positions) -> bool:
        """Store `positions` under their number of moves, unless a line carries more."""
        value, largest = self.score(positions)
        if largest > self._limit * (1.0 + _SAME) or value >= self._first:
            return False
        if self._groups.any and broken_groups(moved(self.panel, self.by_id(positions))):
            return False
        count = sum(a != b for a, b in zip(positions, self.given, strict=True))
        self._levels.setdefault(count, {})[positions] = (round(value, 9), largest)
        return True

    def _ranked(self, level: int) -> list[Positions]:
        found = self._levels.get(level, {})
        return sorted(found, key=lambda p: (*found[p], self._poles_moved(p), p))

    def _poles_moved(self, positions: Positions) -> int:
        pairs = zip(self._poles, positions, self.given, strict=True)
        return int(sum(poles for poles, new, old in pairs if new != old))

    def _grow(self, positions: Positions, size: int) -> bool:
        """Store the best plans of `size` moves from `positions`; return whether it is complete."""
        found = self._candidates(positions, size)
        stored = 0
        for loads, starts in zip(found.loads, found.starts, strict=True):
            there = self._packed(positions, loads, starts)
            stored += there is not None and self._keep(there)
            if stored >= _GROWN:
                break
        return stored > 0 or not found.cut

    def _packed(self, positions: Positions, loads: IntArray, starts: IntArray) -> Positions | None:
        """Return positions with `loads` on the phases `starts`, all others unchanged."""
        moving = set(loads.tolist())
        taken = set(self._fixed)
        for load, position in enumerate(positions):
            if load not in moving:
                taken.update(self.panel.layout.occupied(position, int(self._poles[load])))
        required = dict(zip(loads.tolist(), starts.tolist(), strict=True))
        for runs in self._groups.arranged(positions, required, taken) if self._groups.any else [{}]:
            there = self._placed(positions, required, taken, runs)
            if there is not None:
                return there
        return None

    def _placed(
        self, positions: Positions, required: dict[int, int], taken: set[int], runs: dict[int, int]
    ) -> Positions | None:
        """Return positions with the `required` loads on their phases; `runs` fixes positions."""
        there = list(positions)
        for load, position in runs.items():
            there[load] = position
            taken = taken | set(self.panel.layout.occupied(position, int(self._poles[load])))
        wants: dict[int, Want] = {
            load: (int(self._poles[load]), start)
            for load, start in required.items()
            if load not in runs
        }
        slots = Packer(self.panel.layout, self.panel.poles, taken).pack(Counter(wants.values()))
        if slots is None:
            return None
        left = {want: iter(sorted(found)) for want, found in slots.items()}
        for load, want in wants.items():
            there[load] = next(left[want])
        return tuple(there)

    def _candidates(self, positions: Positions, size: int) -> _Best:
        """Return the best plans of `size` loads by value, if poles on each phase suffice."""
        here = self._starts(positions)
        every = np.arange(len(here))
        own = self._parts[every, here]
        totals = self._base + own.sum(axis=0)
        change = self._parts - own[:, None]
        need = self._need - self._need[every, here][:, None]
        free = self._free(positions)
        starts = np.array(list(product(range(3), repeat=size)), dtype=np.int64)
        best = _Best(size)
        for loads in _groups(len(here), size):
            after = np.broadcast_to(totals, (len(loads), len(starts), *totals.shape)).copy()
            required = np.zeros((len(loads), len(starts), 3), dtype=np.int64)
            for k in range(size):
                after += change[loads[:, k, None], starts[None, :, k]]
                required += need[loads[:, k, None], starts[None, :, k]]
            value, largest = unevenness(after), peak(after)
            good = (value < self._first - MIN_GAIN) & (largest <= self._limit * (1.0 + _SAME))
            row, column = np.nonzero(good & (required <= free).all(axis=-1))
            best.add(value[row, column], largest[row, column], loads[row], starts[column])
        return best

    def _free(self, positions: Positions) -> IntArray:
        """Return the number of free poles of each phase."""
        layout, taken = self.panel.layout, set(self._taken(positions))
        free = [layout.phase(n) for n in range(1, self.panel.poles + 1) if n not in taken]
        return np.bincount(np.array(free, dtype=np.int64), minlength=3)

    def _drop_idle_moves(self) -> None:
        """Also store each plan without its unnecessary moves."""
        for level in sorted(self._levels, reverse=True):
            for positions in self._ranked(level)[:1]:
                self._shorten(positions)

    def _shorten(self, positions: Positions) -> None:
        value = self.score(positions)[0]
        for load, (new, old) in enumerate(zip(positions, self.given, strict=True)):
            trial = (*positions[:load], old, *positions[load + 1 :])
            if new == old or not self._present_poles(trial):
                continue
            if self.score(trial)[0] <= value + MIN_GAIN and self._keep(trial):
                self._shorten(trial)
                return

    def _present_poles(self, positions: Positions) -> bool:
        taken = self._taken(positions)
        return len(taken) == len(set(taken))

    def _taken(self, positions: Positions) -> list[int]:
        """Return the poles of all breakers, with duplicates where two overlap."""
        breakers = zip(positions, self._poles.tolist(), strict=True)
        occupied = (n for at, poles in breakers for n in self.panel.layout.occupied(at, poles))
        return [*self._fixed, *occupied]


class _Best:
    """Best candidates of one size so far, best first, limited in number.

    `loads` are the moved loads, `starts` their start phases; `cut` is whether some were left out.
    """

    def __init__(self, size: int) -> None:
        self._value: FloatArray = np.empty(0)
        self._largest: FloatArray = np.empty(0)
        self.loads: IntArray = np.empty((0, size), dtype=np.int64)
        self.starts: IntArray = np.empty((0, size), dtype=np.int64)
        self.cut = False

    def add(
        self, value: FloatArray, largest: FloatArray, loads: IntArray, starts: IntArray
    ) -> None:
        """Add candidates; those above the limit are dropped."""
        value = np.concatenate([self._value, np.round(value, 9)])
        largest = np.concatenate([self._largest, largest])
        order = np.lexsort((largest, value))[:_STORED]
        self.cut = self.cut or len(value) > _STORED
        self._value, self._largest = value[order], largest[order]
        self.loads = np.concatenate([self.loads, loads])[order]
        self.starts = np.concatenate([self.starts, starts])[order]


def _groups(count: int, size: int) -> Iterator[IntArray]:
    """Yield all sets of `size` of `count` loads, grouped by first load."""
    if size == 1:
        yield np.arange(count, dtype=np.int64)[:, None]
        return
    for first in range(count - size + 1):
        rest = np.array(list(combinations(range(first + 1, count), size - 1)), dtype=np.int64)
        yield np.column_stack([np.full(len(rest), first, dtype=np.int64), rest])


def _pole_need(poles: IntArray) -> NDArray[np.int64]:
    """Return the poles of each load on A, B, C, by its start phase."""
    need = np.zeros((len(poles), 3, 3), dtype=np.int64)
    for load, count in enumerate(poles):
        for start in range(3):
            for pole in range(int(count)):
                need[load, start, (start + pole) % 3] += 1
    return need
