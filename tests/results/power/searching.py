"""The search for balanced panels once more: every step away from a choice is tried one by one.

What the program bounds, sorts and updates is worked here from nothing but the lines of each circuit
on each phase: the score of every neighbour, what is reached where no neighbour is better, and the
best of all choices of small panels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.joint import JointSearch
from facility.power.panels.balance.lines import IntArray
from facility.power.panels.balance.search import ChoiceSearch, Steps, _Smooth
from facility.power.panels.balance.units import units_of
from facility.power.panels.board.model import Panel
from tests.power.panels.helpers import load, panel
from tests.results.power.boards import _circuit, _measure, _off

CLOSE = 1e-9
_TIE = 1e-3
_PART = 1e-3
"""What the squares of all lines count beside the largest line in a descent."""
_KICKS = 30
_NEAR, _JOINTLY = 4e-4, 1e-5
"""What thirty kicks, and two groups decided at once, leave above the least peak at most."""


def _posed(number: int, chance: Random) -> Panel:
    widths = [chance.choice([1, 1, 1, 2, 3]) for _ in range(10 + number)]
    circuits = []
    for k, width in enumerate(widths):
        group = "a" if number == 2 and width == 1 and k < 4 else ""
        circuits.append(_circuit(chance, f"c{k}", width, 1 + number % 2, apart=group))
    return panel(*circuits, poles=sum(widths) + 8 + sum(widths) % 2)


class _Posed:
    """The choices of a panel, and their figures from the lines of each option."""

    def __init__(self, one: Panel, objective: str) -> None:
        self.ties = objective == "current"
        units = units_of((one,), objective, (1.0,))  # type: ignore[arg-type]
        self.choices = Choices(units, np.ones(1), ties=self.ties)
        self.search = ChoiceSearch(self.choices, ties=self.ties)
        first = self.choices.first.tolist()
        self.own = [range(a, b) for a, b in itertools.pairwise(first)]
        at_first = np.abs(self.lines(np.array(first[:-1])))
        self.scale = float(at_first.sum(axis=1).max()) / 3.0

    def lines(self, choice: IntArray) -> np.ndarray:
        return np.asarray(self.choices.base + sum(self.choices.parts[k] for k in choice.tolist()))

    def peak(self, choice: IntArray) -> float:
        return float(np.abs(self.lines(choice)).max())

    def smooth(self, choice: IntArray) -> float:
        size = np.abs(self.lines(choice)) / self.scale
        return float(size.max() + _PART * (size**2).mean())

    def measure(self, choice: IntArray) -> float:
        lines = self.lines(choice)
        return _measure(lines) if self.ties else _off(np.abs(lines[0]))

    def near(self, choice: IntArray) -> Iterator[IntArray]:
        """Yield every choice one move or one exchange of equal units away."""
        for unit, options in enumerate(self.own):
            for option in options:
                if option != choice[unit]:
                    yield self._with(choice, {unit: option})
        kinds = [
            [(o.panel, o.starts, o.want) for o in map(self.choices.options.__getitem__, options)]
            for options in self.own
        ]
        for i, j in itertools.combinations(range(len(self.own)), 2):
            at_i, at_j = choice[i] - self.own[i][0], choice[j] - self.own[j][0]
            if kinds[i] == kinds[j] and at_i != at_j:
                yield self._with(choice, {i: self.own[i][at_j], j: self.own[j][at_i]})

    @staticmethod
    def _with(choice: IntArray, changes: dict[int, int]) -> IntArray:
        found = choice.copy()
        for unit, option in changes.items():
            found[unit] = option
        return found


def searches() -> Iterator[str]:
    """Steps, descents, even choices and what stays where it stands, of panels drawn at random."""
    chance = Random(11)
    for number in range(4):
        one = _posed(number, chance)
        for objective in ("current", "va"):
            at = f"{objective} of panel {number}"
            yield from (f"{at}: {words}" for words in _of_panel(_Posed(one, objective)))
    yield from _best_of_small(chance)
    yield from _perfect(chance)


def _of_panel(one: _Posed) -> Iterator[str]:
    start = one.search.construct()
    if start is None or not one.choices.fits(start):
        yield "no choice to start from"
        return
    yield from _greedy(one, start)
    yield from _steps(one, start)
    low = one.search.descend(start)
    yield from _lowest(one, "descent", low, one.smooth)
    even = one.search.even_out(low, one.peak(low) * 1.05)
    yield from _lowest(one, "even choice", even, one.measure, one.peak(low) * 1.05)
    if one.measure(even) > one.measure(low) + CLOSE:
        yield f"even choice: {one.measure(even)}, {one.measure(low)} before"
    found = one.search.improve(start, _KICKS)
    if one.peak(found) > one.peak(low) * (1.0 + _TIE):
        yield f"kicks end at {one.peak(found)}, one descent at {one.peak(low)}"
    yield from _settled(one, found, start)
    lowest, bare = one.search.lowest, ChoiceSearch(one.choices, ties=False)
    without = one.peak(bare.improve(start, _KICKS))
    most = max(without * (1.0 + 1e-8), one.peak(found) * (1.0 - 1e-8))
    if lowest is None or one.peak(lowest) > most:
        yield f"lowest of the kicks above {without}, the lowest where no peaks are equal"


def _greedy(one: _Posed, start: IntArray) -> Iterator[str]:
    """The largest loads first, each where the lines grow least: none larger than by ten parts."""
    order = sorted(
        range(len(one.own)), key=lambda u: -float(np.abs(one.choices.parts[one.own[u]]).max())
    )
    whole = [len(one.own[u]) for u in order]
    if min(whole) < 2 or len(set(whole)) > 1 or one.choices.marks.size:
        return
    lines = one.choices.base.copy()
    for unit in order:
        rises = []
        for option in one.own[unit]:
            size = np.abs(lines + one.choices.parts[option]) / one.scale
            rises.append(float(size.max() + _PART * (size**2).mean()))
        chosen = rises[int(start[unit]) - one.own[unit][0]]
        if chosen > min(rises) + CLOSE:
            yield f"unit {unit} begins at {chosen}, {min(rises)} by hand"
        lines = lines + one.choices.parts[start[unit]]


def _steps(one: _Posed, choice: IntArray) -> Iterator[str]:
    """Every step whose score is below the threshold, best first."""
    steps, totals = Steps(one.choices), one.choices.totals(choice)
    here = one.smooth(choice)
    found = list(steps.better(choice, totals, _Smooth(one.scale), here))
    wanted = [trial for trial in one.near(choice) if one.smooth(trial) < here]
    if {trial.tobytes() for trial in found} != {trial.tobytes() for trial in wanted}:
        yield f"{len(found)} better steps, {len(wanted)} by hand"
    scores = [one.smooth(trial) for trial in found]
    if any(b < a - CLOSE for a, b in itertools.pairwise(scores)):
        yield "the better steps are not in their order"


def _lowest(
    one: _Posed, name: str, choice: IntArray, score: Callable[[IntArray], float],
    limit: float = np.inf,
) -> Iterator[str]:  # fmt: skip
    """No feasible step within the limit has a lower score."""
    if not one.choices.fits(choice) or one.peak(choice) > limit * (1.0 + CLOSE):
        yield f"{name}: does not hold, {one.peak(choice)} of at most {limit}"
    for trial in one.near(choice):
        lower = score(trial) < score(choice) - 1e-8
        if lower and one.peak(trial) <= limit and one.choices.fits(trial):
            yield f"{name}: a step to {score(trial)} is left, {score(choice)}"
            return


def _settled(one: _Posed, found: IntArray, given: IntArray) -> Iterator[str]:
    """As low and as even as before; no step that is as good puts one more back to its place."""
    stays = one.search.settle(found, given)
    peak, uneven = one.peak(found) * (1.0 + 1e-8), one.measure(found) + 1e-8
    if one.peak(stays) > peak or one.measure(stays) > uneven or not one.choices.fits(stays):
        yield f"settled at {one.peak(stays)}, {one.peak(found)} before"
    kept = int((stays == given).sum())
    if kept < int((found == given).sum()):
        yield f"{kept} units stay, {int((found == given).sum())} did before"
    for trial in one.near(stays):
        as_good = one.peak(trial) <= one.peak(found) and one.measure(trial) <= one.measure(found)
        more = int((trial == given).sum()) > kept
        if more and as_good and one.choices.fits(trial):
            yield f"{kept} units stay, {int((trial == given).sum())} may"
            return


def _best_of_small(chance: Random) -> Iterator[str]:
    """Six loads: the most even of all choices whose peak is within the tie of the least."""
    for number in range(3):
        circuits = [_circuit(chance, f"c{k}", 1 + k % 2, 2) for k in range(6)]
        for objective in ("current", "va"):
            one = _Posed(panel(*circuits, poles=18), objective)
            every = [np.array(found) for found in itertools.product(*one.own)]
            every = [found for found in every if one.choices.fits(found)]
            least = min(map(one.peak, every))
            most = least * (1.0 + (_TIE if one.ties else 1e-9))
            best = min(one.measure(found) for found in every if one.peak(found) <= most)
            found = one.search.improve(every[-1], 1)
            at = f"best of all, {objective} {number}"
            if one.peak(found) > most * (1.0 + CLOSE):
                yield f"{at}: {one.peak(found)}, {least} by hand"
            if one.measure(found) > best + 1e-8:
                yield f"{at}: measure {one.measure(found)}, {best} by hand"
            joint = JointSearch(one.choices, 0.0)
            low = joint.improve(one.search.construct(), lambda: False)  # type: ignore[arg-type]
            if one.peak(low) > least * (1.0 + CLOSE):
                yield f"{at}: jointly {one.peak(low)}, {least} by hand"
            if not least * (1.0 - CLOSE) <= joint.bound <= least * (1.0 + CLOSE):
                yield f"{at}: bound {joint.bound}, {least} by hand"


def _perfect(chance: Random) -> Iterator[str]:
    """Loads cut from three equal bars: the least peak is known, and nearly reached by kicks."""
    for number, pieces in enumerate((4, 6, 8, 10)):
        whole, loads = 10e3, list[float]()
        for _ in range(3):
            cuts = sorted(chance.uniform(0.05, 0.95) for _ in range(pieces - 1))
            loads += [whole * (b - a) for a, b in itertools.pairwise([0.0, *cuts, 1.0])]
        chance.shuffle(loads)
        one = _Posed(panel(*(load(f"c{k}", 1, va) for k, va in enumerate(loads)), poles=42), "va")
        found = one.search.improve(one.search.construct(), _KICKS)  # type: ignore[arg-type]
        if not whole * (1.0 - CLOSE) <= one.peak(found) <= whole * (1.0 + _NEAR):
            yield f"bars cut into {3 * pieces}, {number}: {one.peak(found)} VA, {whole} at least"
        both = JointSearch(one.choices, 0.0).improve(found, lambda: False)
        if one.peak(both) > whole * (1.0 + _JOINTLY):
            yield f"bars cut into {3 * pieces}, jointly: {one.peak(both)} VA, {whole} at least"
