"""Turnings: every way to turn the circuits of one panel, with the figures each of them leads to.

Circuits that load a panel alike form a class; a way is how many of each class start on each of the
three phases. Few circuits are looked at in all ways; many by descent from seeded starts.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.core.rounding import rising
from facility.power.panels.balance.lines import IntArray, told_apart, uneven
from facility.power.panels.balance.search import ALL_CHOICES_UP_TO
from facility.power.panels.board.layout import Layout
from facility.power.panels.board.pack import ANY, Packer, Want

_KEPT = 1000
_REMEMBERED = 1000
_EQUAL = 1e-9
_KICKS = 8
_LESSER = 1e-2

Content = tuple[int, tuple[tuple[int, int], ...]]
"""Frame of a panel by its number, and (class, count) of its circuits that may turn."""


@dataclass(frozen=True, eq=False)
class CircuitClass:
    """Circuits that load a panel alike."""

    # Phasors that one adds to lines A, B, C and neutral, by start phase, over the limit;
    # shape (3, states, 4).
    parts: ComplexArray
    poles: int
    loose: bool  # Whether it loads the panel alike wherever it starts

    @property
    def any_phase(self) -> bool:
        """Whether its breaker may stand on any phase: its banks turn, or it does not matter."""
        return self.poles == 3 or self.loose


@dataclass(frozen=True, eq=False)
class TurnFrame:
    """A panel without its circuits that may turn: positions taken, and what those there add."""

    layout: Layout
    poles: int
    taken: tuple[int, ...]
    base: ComplexArray


@dataclass(frozen=True, eq=False)
class Turnings:
    """Ways to turn the circuits of one panel."""

    classes: tuple[int, ...]  # Classes of the circuits
    counts: IntArray  # Circuits of each class by start phase; shape (ways, classes, 3)
    # Largest line current over the states and neutral current over the limit, and imbalance of the
    # normal state; shape (ways, 3).
    figures: FloatArray
    lines: ComplexArray  # Phasors of the lines in the normal state over the limit; shape (ways, 3)


def figures_of(totals: ComplexArray) -> FloatArray:
    """Return largest line, largest neutral and imbalance in the normal state (last axis).

    totals: Phasors of A, B, C, N over the limit, shape (..., states, 4).
    """
    size = np.abs(totals)
    imbalance = uneven(totals[..., 0, :3])
    largest = [size[..., :3].max(axis=(-2, -1)), size[..., 3].max(axis=-1)]
    return np.stack([*largest, imbalance], axis=-1)


class KnownTurnings:
    """Turnings of panels by content, worked out when first asked for.

    `classes` and `frames` are those met so far, `made` counts the turnings worked out.
    """

    def __init__(self) -> None:
        self.classes: list[CircuitClass] = []
        self.frames: list[TurnFrame] = []
        self.made = 0
        self._packers: list[Packer] = []
        self._numbers: dict[object, int] = {}
        self._known: OrderedDict[Content, Turnings] = OrderedDict()
        self._least: dict[tuple[Content, tuple[float, ...]], float] = {}

    def class_number(self, parts: ComplexArray, poles: int) -> int:
        """Return the number of the class of circuits with these parts, a new one for new parts."""
        key = ("class", poles, _rounded(parts))
        if key not in self._numbers:
            self._numbers[key] = len(self.classes)
            loose = bool(np.abs(parts - parts[:1]).max() <= _EQUAL)
            self.classes.append(CircuitClass(parts, poles, loose))
        return self._numbers[key]

    def frame_number(self, frame: TurnFrame) -> int:
        """Return the number of a frame like `frame`, which is added when there is none yet."""
        key = ("frame", frame.layout, frame.poles, frame.taken, _rounded(frame.base))
        if key not in self._numbers:
            self._numbers[key] = len(self.frames)
            self.frames.append(frame)
            self._packers.append(Packer(frame.layout, frame.poles, frame.taken))
        return self._numbers[key]

    def least(self, content: Content, caps: tuple[float, ...]) -> float:
        """Return the least figure number ``len(caps)`` of the ways whose earlier ones keep `caps`.

        Infinite where no way does that and has positions for all breakers.
        """
        key = (content, caps)
        if key not in self._least:
            turnings = self.turnings(content)
            rows = self.rows(content, caps, 1)
            self._least[key] = float(turnings.figures[rows[0], len(caps)]) if len(rows) else np.inf
        return self._least[key]

    def least_of_all(self, content: Content) -> float | None:
        """Return the least current of all ways, positions aside; None where not all are known."""
        amounts = [(count, self.classes[number].loose) for number, count in content[1]]
        if prod(1 if loose else comb(count + 2, 2) for count, loose in amounts) > ALL_CHOICES_UP_TO:
            return None
        return float(self.turnings(content).figures[0, 0])

    def rows(
        self, content: Content, caps: tuple[float, ...], most: int, rank: FloatArray | None = None
    ) -> IntArray:
        """Return at most `most` ways that keep `caps` and fit the positions, least rank first.

        Without a rank the next figure ranks them, and after the last the order of the turnings: by
        current, neutral current, imbalance.
        """
        turnings = self.turnings(content)
        keeps = (turnings.figures[:, : len(caps)] <= np.array(caps) + 1e-12).all(axis=1)
        rows = np.flatnonzero(keeps)
        if rank is None and len(caps) < turnings.figures.shape[1]:
            rank = turnings.figures[:, len(caps)]
        if rank is not None:
            rows = rows[np.argsort(told_apart(rank[rows]), kind="stable")]
        found: list[int] = []
        for row in rows:
            if self._fits(content[0], turnings, int(row)):
                found.append(int(row))
                if len(found) == most:
                    break
        return np.array(found, dtype=np.int64)

    def _fits(self, frame: int, turnings: Turnings, row: int) -> bool:
        wants: Counter[Want] = Counter()
        for number, counts in zip(turnings.classes, turnings.counts[row], strict=True):
            poles = self.classes[number].poles
            for start, count in enumerate(counts):
                if count:
                    sort = ANY if self.classes[number].any_phase else start
                    wants[poles, sort] += int(count)
        return self._packers[frame].pack(wants) is not None

    def turnings(self, content: Content) -> Turnings:
        """Return the turnings of a panel."""
        if content not in self._known:
            self.made += 1
            self._known[content] = self._made(content)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(content)
        return self._known[content]

    def _made(self, content: Content) -> Turnings:
        numbers = tuple(number for number, _ in content[1])
        base = self.frames[content[0]].base
        parts = np.zeros((len(numbers), 3, *base.shape), dtype=np.complex128)
        for row, number in enumerate(numbers):
            parts[row] = self.classes[number].parts
        parts = parts.reshape(len(numbers) * 3, base.size)
        amounts = [(count, self.classes[number].loose) for number, count in content[1]]
        counts = all_ways(amounts)
        if counts is None:
            counts = _descended(amounts, parts, base)
        totals = base + (counts.reshape(len(counts), -1) @ parts).reshape(-1, *base.shape)
        figures = figures_of(totals)
        order = np.lexsort(told_apart(figures.T[::-1]))
        kept = order
        if len(order) > _KEPT:
            apart = told_apart(figures)
            others = [np.argsort(apart[:, k], kind="stable")[: _KEPT // 4] for k in (1, 2)]
            wanted = np.zeros(len(order), dtype=np.bool_)
            wanted[np.concatenate([order[:_KEPT], *others])] = True
            kept = order[wanted[order]]
        return Turnings(numbers, counts[kept], figures[kept], totals[kept, 0, :3])


def _rounded(values: ComplexArray) -> bytes:
    return (np.round(values, 9) + 0.0).tobytes()


def all_ways(amounts: Sequence[tuple[int, bool]]) -> IntArray | None:
    """Return every way to start `amounts` of circuits on three phases; None where too many.

    amounts: Count of each class, and whether its start does not matter, (int, bool).

    Its shape is (ways, classes, 3).
    """
    ways = np.zeros((1, 0, 3), dtype=np.int64)
    for count, loose in amounts:
        each = np.array([[count, 0, 0]]) if loose else _splits(count)
        if len(ways) * len(each) > ALL_CHOICES_UP_TO:
            return None
        left = np.repeat(ways, len(each), axis=0)
        right = np.tile(each, (len(ways), 1))[:, None, :]
        ways = np.concatenate([left, right], axis=1)
    return ways


def _splits(count: int) -> IntArray:
    first, second = np.indices((count + 1, count + 1)).reshape(2, -1)
    inside = first + second <= count
    first, second = first[inside], second[inside]
    return np.stack([first, second, count - first - second], axis=1)


def _descended(
    amounts: Sequence[tuple[int, bool]], parts: ComplexArray, base: ComplexArray
) -> IntArray:
    """Return ways met on the descents from a greedy start and from seeded kicks."""
    movable = [k for k, (_, loose) in enumerate(amounts) if not loose]
    steps = np.array(
        [(k, a, b) for k in movable for a in range(3) for b in range(3) if a != b], dtype=np.int64
    )
    delta = np.zeros((len(steps), len(amounts), 3), dtype=np.int64)
    rows = np.arange(len(steps))
    delta[rows, steps[:, 0], steps[:, 1]] -= 1
    delta[rows, steps[:, 0], steps[:, 2]] += 1
    first, second = np.triu_indices(len(steps))
    changes = np.concatenate([delta, delta[first] + delta[second]])
    rng = np.random.default_rng(0)
    here = _greedy(amounts, parts, base)
    met = [here[None]]
    for kick in range(_KICKS + 1):
        there = here if kick == 0 else _kicked(here, delta, rng)
        there, around = _descend(there, changes, parts, base)
        met.append(around)
        if _score(there[None], parts, base)[0] <= _score(here[None], parts, base)[0]:
            here = there
    return np.unique(np.concatenate(met), axis=0)


def _score(counts: IntArray, parts: ComplexArray, base: ComplexArray) -> FloatArray:
    totals = base + (counts.reshape(len(counts), -1) @ parts).reshape(-1, *base.shape)
    figures = figures_of(totals)
    return told_apart(figures[:, 0] + _LESSER * (figures[:, 1] + figures[:, 2]))


def _greedy(
    amounts: Sequence[tuple[int, bool]], parts: ComplexArray, base: ComplexArray
) -> IntArray:
    counts = np.zeros((len(amounts), 3), dtype=np.int64)
    size = np.abs(parts).max(axis=1).reshape(-1, 3)[:, 0]
    for number in rising(-size):
        count, loose = amounts[number]
        if loose:
            counts[number, 0] = count
            continue
        for _ in range(count):
            tries = np.repeat(counts[None], 3, axis=0)
            tries[range(3), number, range(3)] += 1
            counts = tries[int(_score(tries, parts, base).argmin())]
    return counts


def _descend(
    here: IntArray, changes: IntArray, parts: ComplexArray, base: ComplexArray
) -> tuple[IntArray, IntArray]:
    """Return the local optimum from `here`, and its neighbours."""
    value = _score(here[None], parts, base)[0]
    while True:
        around = here + changes
        around = around[(around >= 0).all(axis=(1, 2))]
        values = _score(around, parts, base)
        best = int(values.argmin())
        if values[best] >= value * (1.0 - 1e-12):
            return here, np.concatenate([here[None], around])
        here, value = around[best], values[best]


def _kicked(here: IntArray, delta: IntArray, rng: np.random.Generator) -> IntArray:
    for pick in rng.integers(0, len(delta), size=4):
        there = here + delta[pick]
        if (there >= 0).all():
            here = there
    return here
