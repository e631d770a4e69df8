"""Decision units of panelboards with groups: breakers or runs, and their options.

A unit is one breaker, or the breakers of a `together` group. An option includes the panelboard, the
phase of every breaker, and the required positions. Fixed circuits are not in any
unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import ComplexArray
from facility.power.panels.balance.lines import Objective, line_parts
from facility.power.panels.board.constraints import (
    are_partners,
    broken_across,
    broken_groups,
    groups,
    impossible,
    keeps_phase,
)
from facility.power.panels.board.layout import Layout
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.pack import ANY, Want

ALL_ORDERS_UP_TO = 6
"""For runs up to this number of breakers all orders are evaluated."""

_SOME_ORDERS = 1500


def orders(count: int) -> Iterator[tuple[int, ...]]:
    """Yield orders of `count` breakers, the input order first.

    All of them up to `ALL_ORDERS_UP_TO`; for more breakers a number of seeded shuffles, the same
    for the same count.
    """
    if count <= ALL_ORDERS_UP_TO:
        yield from permutations(range(count))
        return
    yield tuple(range(count))
    rng = np.random.default_rng(0)
    for _ in range(_SOME_ORDERS):
        yield tuple(int(index) for index in rng.permutation(count))


def offsets(order: Sequence[int], poles: Sequence[int]) -> tuple[int, ...]:
    """Return the rows from the top of the run to the first pole of each breaker."""
    found = [0] * len(order)
    row = 0
    for index in order:
        found[index] = row
        row += poles[index]
    return tuple(found)


def run_starts(panel: Panel, rows: int, blocked: set[int]) -> list[int]:
    """Return the first positions of every run of `rows` free poles of a panelboard."""
    found = []
    for column in panel.layout.columns(panel.poles):
        for row in range(len(column) - rows + 1):
            if not blocked.intersection(column[row : row + rows]):
                found.append(column[row])
    return found


def run_positions(
    panel: Panel, poles: Sequence[int], pinned: Mapping[int, int], blocked: set[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the first position of every breaker of a run, for each possible arrangement.

    poles: Poles of each breaker.
    pinned: Position of the fixed breakers, by their index in `poles`.
    blocked: Positions that are not available.
    """
    layout = panel.layout
    free = run_starts(panel, sum(poles), blocked)
    seen: set[tuple[int, ...]] = set()
    for order in orders(len(poles)):
        rows = offsets(order, poles)
        if rows in seen:
            continue
        seen.add(rows)
        tops = free
        if pinned:
            index, position = next(iter(pinned.items()))
            top = position - layout.stride * rows[index]
            tops = [top] if top in free else []
        for top in tops:
            there = tuple(top + layout.stride * row for row in rows)
            if any(there[index] != position for index, position in pinned.items()):
                continue
            if all(layout.may_start(n, k, panel.poles) for n, k in zip(there, poles, strict=True)):
                yield there


Token = tuple[str, str, int]
"""Exclusive resource of one breaker: kind and name of a group, and a phase or a panelboard."""


@dataclass(frozen=True)
class Option:
    """Possible arrangement of a unit."""

    panel: int  # Panelboard
    starts: tuple[int, ...]  # Phase of the first pole of each breaker of the unit, or `ANY`
    rows: tuple[int, ...]  # Rows from the top of the unit to the first pole of each breaker
    # Position requirement: (poles, start phase), or for a run (-rows, start phase).
    want: Want | None
    # First position of each breaker, if a fixed one determines it; otherwise empty.
    positions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Unit:
    """Breakers that are decided together, and their options."""

    members: tuple[int, ...]  # Index of each circuit among all circuits of the panelboards
    options: tuple[Option, ...]  # Possible arrangements
    # Contribution of each option to the lines of all panelboards; shape (options, states,
    # 3 * panels).
    parts: ComplexArray
    tokens: tuple[frozenset[Token], ...]  # Exclusive tokens of each option


@dataclass(frozen=True)
class Units:
    """All units of some panelboards, and the fixed data."""

    panels: tuple[Panel, ...]
    circuits: tuple[Circuit, ...]  # All circuits
    homes: tuple[int, ...]  # Present panelboard of each circuit
    units: tuple[Unit, ...]  # Decision units
    base: ComplexArray  # Contribution of fixed circuits; shape (states, 3 * panels)
    fixed_tokens: frozenset[Token]  # Tokens of fixed circuits
    taken: tuple[frozenset[int], ...]  # Positions of fixed circuits, by panelboard
    complete: bool  # Whether all options are included; False for very long runs


def units_of(panels: Sequence[Panel], objective: Objective, weights: Sequence[float]) -> Units:
    """Return the units of `panels`, whose lines are scaled by `weights`.

    panels: Panelboards with the same states; circuits may move between panelboards of one side.
    objective: Quantity of their lines.
    weights: Factor on the lines of each panelboard.

    Raises ``PANEL_GROUP`` for a group without a feasible arrangement.
    """
    return _Builder(panels, objective, weights).build()


def loads_of(
    panel: Panel,
    parts: ComplexArray,
    wants: Sequence[Want | None],
    base: ComplexArray,
    taken: Iterable[int],
) -> Units:
    """Return the circuits of one panelboard as units with known contributions.

    panel: Panelboard with the circuits to be decided.
    parts: Contribution of each circuit to the lines when it, or its first outlet bank, starts on a
        phase, shape (circuits, 3, states, 3).
    wants: Position requirement of each: `ANY` for a start that is possible in any position, 0 for
        one that is not; None for a placed circuit, (poles, start phase).
    base: Contribution of the others, shape (states, 3).
    taken: Positions that are not available.
    """
    units = tuple(
        Unit(
            (index,),
            tuple(
                Option(
                    0, (start,), (0,), want if want is None or want[1] == ANY else (want[0], start)
                )
                for start in range(3)
            ),
            parts[index],
            (frozenset(),) * 3,
        )
        for index, want in enumerate(wants)
    )
    homes = (0,) * len(panel.circuits)
    fixed_tokens = frozenset[Token]()
    there = (frozenset(taken),)
    return Units((panel,), panel.circuits, homes, units, base, fixed_tokens, there, complete=True)


class _Builder:
    def __init__(
        self, panels: Sequence[Panel], objective: Objective, weights: Sequence[float]
    ) -> None:
        self._panels, self._objective, self._weights = tuple(panels), objective, tuple(weights)
        self._circuits = tuple(c for panel in panels for c in panel.circuits)
        self._homes = tuple(p for p, panel in enumerate(panels) for _ in panel.circuits)
        self._shape = (len(panels[0].states), 3 * len(panels))
        self._apart = groups(self._circuits, "apart")
        self._runs = groups(self._circuits, "together")
        self._taken = tuple(
            frozenset(n for c in panel.circuits if c.fixed for n in panel.occupied(c))
            for panel in panels
        )
        self._parts: dict[tuple[int, int, int], ComplexArray] = {}
        self._token_cache: dict[tuple[int, int, int], frozenset[Token]] = {}

    def build(self) -> Units:
        self._refuse_too_many()
        in_runs = {i for members in self._runs.values() for i in members}
        if self._panels[0].is_busway:
            in_runs = set()
        base = np.zeros(self._shape, dtype=np.complex128)
        fixed_tokens: set[Token] = set()
        for index, circuit in enumerate(self._circuits):
            if circuit.fixed:
                panel = self._homes[index]
                start = self._panels[panel].start(circuit) or 0
                base += self._part(index, panel, start)
                fixed_tokens |= self._tokens(index, panel, start)
        self._check_fixed()
        units = [
            self._single(index)
            for index, circuit in enumerate(self._circuits)
            if not circuit.fixed and index not in in_runs
        ]
        if in_runs:
            units += [
                unit
                for name, members in self._runs.items()
                if (unit := self._run(name, self._as_placed(members)))
            ]
        return Units(
            self._panels,
            self._circuits,
            self._homes,
            tuple(self._allowed(u, fixed_tokens) for u in units),
            base,
            frozenset(fixed_tokens),
            self._taken,
            all(len(u.members) <= ALL_ORDERS_UP_TO for u in units),
        )

    def _refuse_too_many(self) -> None:
        several = len(self._panels) > 1
        for name, members in self._apart.items():
            counted = [i for i in members if several or keeps_phase(self._circuits[i])]
            room = len(self._panels) if several else 3
            if len(counted) > room:
                what = "panelboards" if several else "phases"
                why = f"{len(counted)} circuits to be kept apart require as many {what}"
                raise self._impossible("apart", name, f"{why}; {room} are available.")

    def _check_fixed(self) -> None:
        """Reject groups violated by fixed circuits."""
        fixed = [
            replace(panel, circuits=tuple(c for c in panel.circuits if c.fixed))
            for panel in self._panels
        ]
        found = broken_across(fixed) if len(fixed) > 1 else broken_groups(fixed[0])
        whole = {
            name
            for name, members in self._runs.items()
            if all(self._circuits[i].fixed for i in members)
        }
        for broken in found:
            if broken.kind != "together" or broken.group in whole:
                why = f"fixed circuits: {broken.text}"
                raise self._impossible(broken.kind, broken.group, why)

    def _impossible(self, kind: str, name: str, message: str) -> FacilityError:
        return impossible(", ".join(panel.tag for panel in self._panels), kind, name, message)

    def _part(self, index: int, panel: int, start: int) -> ComplexArray:
        key = (index, panel, start)
        if key not in self._parts:
            part = np.zeros(self._shape, dtype=np.complex128)
            lines = line_parts(self._circuits[index], start, self._panels[panel], self._objective)
            part[:, 3 * panel : 3 * panel + 3] = self._weights[panel] * lines
            self._parts[key] = part
        return self._parts[key]

    def _tokens(self, index: int, panel: int, start: int) -> frozenset[Token]:
        key = (index, panel, start)
        if key in self._token_cache:
            return self._token_cache[key]
        circuit = self._circuits[index]
        found: set[Token] = set()
        several = len(self._panels) > 1
        if circuit.apart in self._apart and (several or keeps_phase(circuit)):
            found.add(("apart", circuit.apart, panel if several else start))
        if several:
            for other_index, other in enumerate(self._circuits):
                if (
                    other_index != index
                    and other.side == circuit.side
                    and are_partners(circuit, other)
                ):
                    pair = " / ".join(sorted((circuit.id, other.id)))
                    found.add(("partner", pair, panel))
        self._token_cache[key] = frozenset(found)
        return self._token_cache[key]

    def _reach(self, index: int) -> list[int]:
        """Return the permitted panelboards of a circuit."""
        side = self._panels[self._homes[index]].side
        return [p for p, panel in enumerate(self._panels) if panel.side == side]

    def _single(self, index: int) -> Unit:
        circuit = self._circuits[index]
        options = []
        for p in self._reach(index):
            panel = self._panels[p]
            loose = self._is_loose(index, p)
            for start in (0,) if loose else (0, 1, 2):
                want = (circuit.poles, ANY if loose else start)
                if panel.is_busway:
                    tapped = circuit.tap_phase or 0 if loose else start
                    options.append(Option(p, (tapped,), (0,), None))
                elif loose or _startable(panel.layout, start, circuit.poles):
                    options.append(Option(p, (want[1],), (0,), want))
        return self._unit((index,), options)

    def _is_loose(self, index: int, panel: int) -> bool:
        each = np.stack([self._part(index, panel, start) for start in range(3)])
        same = np.abs(each - each[:1]).max() <= 1e-12 * max(1.0, float(np.abs(each).max()))
        distinct = len({self._tokens(index, panel, start) for start in range(3)}) > 1
        return bool(same) and not distinct

    def _as_placed(self, members: list[int]) -> list[int]:
        """Return `members` in their present order, so that this order is the first."""
        return sorted(members, key=lambda i: (self._homes[i], self._circuits[i].position or 0, i))

    def _run(self, name: str, members: list[int]) -> Unit | None:
        fixed = [i for i in members if self._circuits[i].fixed]
        if len(fixed) == len(members):
            return None
        homes = {self._homes[i] for i in fixed}
        sides = {self._panels[self._homes[i]].side for i in members}
        if len(homes) > 1 or len(sides) > 1:
            why = "its fixed circuits are in different panelboards."
            if len(homes) <= 1:
                why = "its circuits belong to different sides."
            raise self._impossible("together", name, why)
        reach = sorted(homes) if homes else self._reach(members[0])
        seek = self._pinned_options if homes else self._free_options
        options = [option for p in reach for option in seek(p, members)]
        if not options:
            rows = sum(self._circuits[i].poles for i in members)
            why = f"no column has {rows} adjacent free poles for it."
            raise self._impossible("together", name, why)
        return self._unit(tuple(members), options)

    def _pinned_options(self, p: int, members: list[int]) -> Iterator[Option]:
        panel = self._panels[p]
        circuits = [self._circuits[i] for i in members]
        pinned = {k: c.position or 1 for k, c in enumerate(circuits) if c.fixed}
        own = {n for c in circuits if c.fixed for n in panel.occupied(c)}
        poles = [c.poles for c in circuits]
        for positions in run_positions(panel, poles, pinned, set(self._taken[p]) - own):
            top = min(positions)
            rows = tuple((n - top) // panel.layout.stride for n in positions)
            starts = tuple(panel.layout.phase(n) for n in positions)
            yield Option(p, starts, rows, None, positions)

    def _free_options(self, p: int, members: list[int]) -> Iterator[Option]:
        panel = self._panels[p]
        poles = [self._circuits[i].poles for i in members]
        tops = run_starts(panel, sum(poles), set(self._taken[p]))
        tops_of = {panel.layout.phase(n) for n in tops}
        seen: set[tuple[tuple[bytes, int], ...]] = set()
        looks = [self._look(i, p) for i in members]
        for order in orders(len(members)):
            rows = offsets(order, poles)
            for top in sorted(tops_of):
                starts = tuple((top + row) % 3 for row in rows)
                key = ((b"", top), *sorted(zip(looks, starts, strict=True)))
                if key in seen:
                    continue
                seen.add(key)
                if all(_startable(panel.layout, s, k) for s, k in zip(starts, poles, strict=True)):
                    yield Option(p, starts, rows, (-sum(poles), top))

    def _look(self, index: int, panel: int) -> bytes:
        """Return the key that distinguishes a breaker of a run."""
        parts = [self._part(index, panel, start).round(9).tobytes() for start in range(3)]
        tokens = repr([sorted(self._tokens(index, panel, start)) for start in range(3)])
        return b"".join((bytes([self._circuits[index].poles]), *parts, tokens.encode()))

    def _unit(self, members: tuple[int, ...], options: list[Option]) -> Unit:
        retained: list[tuple[Option, ComplexArray, frozenset[Token]]] = []
        for option in options:
            part = np.zeros(self._shape, dtype=np.complex128)
            option_tokens: list[Token] = []
            for index, start in zip(members, option.starts, strict=True):
                if not self._circuits[index].fixed:
                    phase = 0 if start == ANY else start
                    part += self._part(index, option.panel, phase)
                    option_tokens += self._tokens(index, option.panel, phase)
            if len(option_tokens) == len(set(option_tokens)):
                retained.append((option, part, frozenset(option_tokens)))
        return Unit(
            members,
            tuple(option for option, _, _ in retained),
            np.array([part for _, part, _ in retained]).reshape(len(retained), *self._shape),
            tuple(option_tokens for _, _, option_tokens in retained),
        )

    def _allowed(self, unit: Unit, fixed_tokens: set[Token]) -> Unit:
        """Return `unit` without the options excluded by fixed circuits."""
        good = [k for k, token in enumerate(unit.tokens) if not token & fixed_tokens]
        if good:
            options = tuple(unit.options[k] for k in good)
            return Unit(
                unit.members, options, unit.parts[good], tuple(unit.tokens[k] for k in good)
            )
        first = self._circuits[unit.members[0]]
        kind, name = (
            ("together", first.together) if len(unit.members) > 1 else ("apart", first.apart)
        )
        if kind == "apart" and not first.apart:
            kind, name = "partners of", first.id
        raise self._impossible(kind, name, "its other circuits leave no position for it.")


def _startable(layout: Layout, start: int, poles: int) -> bool:
    return not layout.whole_ways or start + poles <= 3
