"""Balance and moves of panelboards, calculated once more over every arrangement of small ones.

Line currents are phasors of each circuit at each position, schedule VA those of its poles; all
arrangements are listed, and what the program finds is compared with the best of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from random import Random

import numpy as np

from facility.power.panels.balance.lines import (
    line_parts,
    neutral_then_imbalance,
    peak,
    reuse_numbers,
    uneven,
)
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.moves.pareto import _MoveSearch, pareto_moves
from tests.power.panels.helpers import load, panel, power_on_lines
from tests.power.panels.moves.test_moves import follow

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-9
_GAIN = 1e-3
_TIE = 1e-3
_STRIDE = {"US": 2, "IEC": 1, "SINGLE": 1}
OBJECTIVES = ("current", "va")


def _same(name: str, found: float, wanted: float, scale: float = 1e-9) -> Iterator[str]:
    if not abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted), scale):
        yield f"{name}: {found!r}, by hand {wanted!r}"


# --- every arrangement --------------------------------------------------------------------------


def _phase(one: Panel, position: int) -> int:
    return (position - 1) // _STRIDE[one.numbering] % 3


def _positions(one: Panel, circuit: Circuit) -> list[int]:
    """Return the first poles a circuit may have; an IEC device stays inside its way of three."""
    if circuit.fixed:
        return [circuit.position or 0]
    last = one.poles - _STRIDE[one.numbering] * (circuit.poles - 1)
    inside = range(1, last + 1)
    return [n for n in inside if one.numbering != "IEC" or (n - 1) % 3 + circuit.poles <= 3]


@dataclass(frozen=True)
class Arrangements:
    """All arrangements of a panel that its groups permit: positions, lines, circuits moved."""

    positions: np.ndarray  # By arrangement and circuit
    lines: np.ndarray  # Phasors [A] or VA by arrangement, state and line
    moved: np.ndarray  # Circuits elsewhere than given

    @property
    def size(self) -> np.ndarray:
        return np.abs(self.lines)

    @property
    def peak(self) -> np.ndarray:
        return self.size.max(axis=(1, 2))

    @property
    def imbalance(self) -> np.ndarray:
        normal = self.size[:, 0]
        mean = normal.mean(axis=1)
        return np.abs(normal - mean[:, None]).max(axis=1) / np.maximum(mean, 1e-12)


def arrangements(one: Panel, objective: str, *, grouped: bool = True) -> Arrangements:
    """Return all ways to place the circuits, no two on one pole."""
    stride = _STRIDE[one.numbering]
    every = [_positions(one, circuit) for circuit in one.circuits]
    found = np.array(np.meshgrid(*every, indexing="ij")).reshape(len(every), -1).T
    masks = np.zeros(len(found), dtype=np.int64)
    clear = np.ones(len(found), dtype=bool)
    for k, circuit in enumerate(one.circuits):
        taken = sum(1 << (found[:, k] + stride * pole) for pole in range(circuit.poles))
        clear &= (masks & taken) == 0
        masks |= taken
    found = found[clear]
    if grouped:
        found = found[_groups_hold(one, found)]
    lines = np.zeros((len(found), len(one.states), 3), dtype=np.complex128)
    for k, circuit in enumerate(one.circuits):
        parts = np.array([power_on_lines(circuit, s, one.v_ll, objective) for s in range(3)])
        lines += parts[(found[:, k] - 1) // stride % 3]
    given = np.array([circuit.position or 0 for circuit in one.circuits])
    return Arrangements(found, lines, (found != given).sum(axis=1))


def _groups_hold(one: Panel, found: np.ndarray) -> np.ndarray:
    """Return where circuits together leave no gap, and those apart are on different phases."""
    stride, held = _STRIDE[one.numbering], np.ones(len(found), dtype=bool)
    for name in {c.together for c in one.circuits if c.together}:
        own = [k for k, c in enumerate(one.circuits) if c.together == name]
        tops = found[:, own]
        ends = tops + stride * (np.array([one.circuits[k].poles for k in own]) - 1)
        poles = sum(one.circuits[k].poles for k in own)
        held &= ends.max(axis=1) - tops.min(axis=1) == stride * (poles - 1)
        held &= ((tops - tops[:, :1]) % stride == 0).all(axis=1)
    for name in {c.apart for c in one.circuits if c.apart}:
        own = [k for k, c in enumerate(one.circuits) if c.apart == name and c.poles == 1]
        phases = (found[:, own] - 1) // stride % 3
        for a in range(len(own)):
            for b in range(a):
                held &= phases[:, a] != phases[:, b]
    return held


# --- panels -------------------------------------------------------------------------------------


def _circuit(chance: Random, id: str, poles: int, states: int, **changes: object) -> Circuit:
    between = chance.random() < 0.3 or poles == 2
    legs = []
    for _ in range(states):
        va = [chance.uniform(300.0, 4000.0) for _ in range(3 if poles == 3 else 1)]
        lag = chance.choice([0.0, 0.3, 0.6])
        legs.append(tuple(complex(x * math.cos(lag), x * math.sin(lag)) for x in va))
    kind = "L-L" if between and poles > 1 else "L-N"
    if poles == 2:
        kind = "L-L"
    return load(id, poles, 1.0, power_va=tuple(legs), connection=kind, **changes)


def small_panels() -> Iterator[Panel]:
    """Yield panels of few circuits: two-state loads, fixed ones, groups, all numberings."""
    chance = Random(33)
    for number in range(10):
        numbering = ("US", "US", "IEC", "SINGLE")[number % 4]
        poles, states = 12 if numbering != "SINGLE" else 9, 1 + number % 2
        kinds = [1, 1, 2, 1, 3] if number % 3 == 0 else [1, 2, 1, 1]
        circuits = []
        for k, width in enumerate(kinds):
            together = "t" if number in (4, 5, 9) and k in (0, 1) else ""
            apart = "a" if number in (6, 9) and width == 1 else ""
            circuits.append(
                _circuit(chance, f"c{k}", width, states, together=together, apart=apart)
            )
        posed = panel(*circuits, poles=poles, numbering=numbering)
        ways = arrangements(posed, "va").positions
        stood = zip(circuits, ways[chance.randrange(len(ways))].tolist(), strict=True)
        held = number % 3 == 1
        yield replace(
            posed,
            circuits=tuple(
                replace(c, position=at, fixed=held and k == 2) for k, (c, at) in enumerate(stood)
            ),
        )


def _loads(name: str, one: Panel, loads: tuple[PanelLoad, ...]) -> Iterator[str]:
    """Every figure of the load of a panel in each state."""
    current, va = (_as_placed(one, objective) for objective in OBJECTIVES)
    for s, found in enumerate(loads):
        total = sum((sum(c.power_va[s]) for c in one.circuits), 0j)
        size, schedule = np.abs(current[s]), va[s].real
        yield from _same(f"power of {name}", found.power_w, total.real, 1e3)
        yield from _same(f"reactive power of {name}", found.reactive_var, total.imag, 1e3)
        neutral = _neutral(one, s)
        yield from _same(f"neutral of {name}", found.neutral_a, neutral, 1.0)
        yield from _same(f"imbalance of {name}", found.imbalance, _off(size), 0.1)
        yield from _same(f"VA imbalance of {name}", found.imbalance_va, _off(schedule), 0.1)
        for k in range(3):
            yield from _same(f"line {k} of {name}", found.line_a[k], float(size[k]), 1.0)
            yield from _same(f"VA {k} of {name}", found.phase_va[k], float(schedule[k]), 1e3)
            wanted = float(schedule[k]) / (one.v_ll / SQRT3)
            yield from _same(f"schedule A {k} of {name}", found.schedule_a[k], wanted, 1.0)


def _off(size: np.ndarray) -> float:
    mean = float(size.mean())
    return float(np.abs(size - mean).max()) / mean if mean else 0.0


def _as_placed(one: Panel, objective: str) -> np.ndarray:
    lines = np.zeros((len(one.states), 3), dtype=np.complex128)
    for circuit in one.circuits:
        start = _phase(one, circuit.position or 0)
        lines += power_on_lines(circuit, start, one.v_ll, objective)
    return lines


def _neutral(one: Panel, state: int) -> float:
    """Return the current in the neutral: the phasors of the loads to it, with their signs."""
    return float(abs(_as_placed(one, "current")[state].sum()))


# --- moves --------------------------------------------------------------------------------------


def moves_of_small_panels() -> Iterator[str]:
    """Plans of moves: their figures, and the least imbalance of as many moves or fewer."""
    for number, one in enumerate(small_panels()):
        for objective in OBJECTIVES:
            yield from _moves(f"{objective} of panel {number}", one, objective)


def moves_of_full_panels() -> Iterator[str]:
    """Panels with few free poles or none, where circuits can only change places."""
    chance = Random(71)
    kinds = (("va", [1] * 5, 5), ("current", [2, 1, 2, 1], 6), ("va", [1, 1, 3, 1], 8))
    for number, (objective, widths, poles) in enumerate(kinds):
        circuits = [_circuit(chance, f"c{k}", width, 2) for k, width in enumerate(widths)]
        posed = panel(*circuits, poles=poles)
        ways = arrangements(posed, objective)
        stood = ways.positions[int(ways.imbalance.argmax())].tolist()
        placed = zip(circuits, stood, strict=True)
        one = replace(posed, circuits=tuple(replace(c, position=at) for c, at in placed))
        yield from _moves(f"{objective} of full panel {number}", one, objective)


def candidates_of_moves() -> Iterator[str]:
    """All sets of circuits on other phases that gain, leave no line larger, and have free poles."""
    chance = Random(83)
    for number, (widths, poles) in enumerate((([2, 1, 3, 1, 1], 12), ([1, 1, 2, 1], 6))):
        posed = panel(*(_circuit(chance, f"c{k}", n, 2) for k, n in enumerate(widths)), poles=poles)
        stood = arrangements(posed, "va")
        at = stood.positions[int(stood.imbalance.argmax())].tolist()
        one = replace(
            posed,
            circuits=tuple(replace(c, position=n) for c, n in zip(posed.circuits, at, strict=True)),
        )
        search, given = _MoveSearch(one, "va"), _as_placed(one, "va")
        first, limit = _off(np.abs(given[0])), float(np.abs(given).max())
        taken = {n for circuit in one.circuits for n in one.occupied(circuit)}
        free = Counter(_phase(one, n) for n in range(1, poles + 1) if n not in taken)
        for size in (1, 2, 3):
            wanted = {}
            for loads in combinations(range(len(widths)), size):
                left = free.copy()
                for k in loads:
                    left.update(_phase(one, n) for n in one.occupied(one.circuits[k]))
                for starts in product(range(3), repeat=size):
                    lines, need = given.copy(), Counter[int]()
                    for k, start in zip(loads, starts, strict=True):
                        circuit = one.circuits[k]
                        old = _phase(one, circuit.position or 0)
                        lines += power_on_lines(circuit, start, one.v_ll, "va")
                        lines -= power_on_lines(circuit, old, one.v_ll, "va")
                        need.update((start + pole) % 3 for pole in range(circuit.poles))
                    even = _off(np.abs(lines[0]))
                    lower = even < first - _GAIN and float(np.abs(lines).max()) <= limit + 1e-6
                    if lower and need <= left:
                        wanted[loads, starts] = even
            found = search._candidates(search.given, size)
            listed = [
                (tuple(a), tuple(b))
                for a, b in zip(found.loads.tolist(), found.starts.tolist(), strict=True)
            ]
            name = f"{size} moves of panel {number}"
            if len(set(listed)) != len(listed) or set(listed) != set(wanted):
                yield f"{name}: {len(listed)} candidates, {len(wanted)} by hand"
            elif any(wanted[a] > wanted[b] + 1e-8 for a, b in pairwise(listed)):
                yield f"{name}: not the most even first"


def _moves(name: str, one: Panel, objective: str) -> Iterator[str]:
    every = arrangements(one, objective)
    as_given = _as_placed(one, objective)
    limit = float(np.abs(as_given).max()) * (1.0 + CLOSE)
    first = _off(np.abs(as_given[0]))
    permitted = every.peak <= limit
    plans = pareto_moves(one, objective)  # type: ignore[arg-type]
    for plan in plans:
        lines = _as_placed(plan.panel, objective)
        at = f"{len(plan.moves)} moves by {name}"
        yield from _same(f"imbalance of {at}", plan.imbalance, _off(np.abs(lines[0])), 0.1)
        yield from _loads(at, plan.panel, plan.loads)
        amperes = float(np.abs(_as_placed(plan.panel, "current")).max())
        yield from _same(f"largest current after {at}", plan.current_max_a, amperes)
        positions = np.array([c.position for c in plan.panel.circuits])
        if plan.moves and not (every.positions == positions).all(axis=1).any():
            yield f"{at}: {positions.tolist()} is no arrangement"
        moved = _moved_of(one, plan.panel)
        yield from _same(f"circuits moved of {at}", len(plan.moves), len(moved))
        if float(np.abs(lines).max()) > limit:
            yield f"{at}: a line value above that of the panel as given"
        if not plan.exact:
            yield f"{at}: not all plans were compared"
        poles = {n: c.id for c in plan.panel.circuits for n in plan.panel.occupied(c)}
        if follow(one, plan) != poles:
            yield f"{at}: the instructions lead elsewhere"
        yield from _least_peak(at, every, permitted, plan.imbalance, len(plan.moves), lines)
    for count in range(len(one.circuits) + 1):
        best = every.imbalance[permitted & (every.moved <= count)].min(initial=first)
        listed = min(plan.imbalance for plan in plans if len(plan.moves) <= count)
        if not best - CLOSE <= listed <= best + _GAIN + CLOSE:
            yield f"{count} moves by {name}: imbalance {listed}, {best} by hand"
    for fewer, more in pairwise(plans):
        if more.imbalance > fewer.imbalance - _GAIN:
            yield f"{len(more.moves)} moves by {name} gain too little"


def _moved_of(before: Panel, after: Panel) -> set[str]:
    both = zip(before.circuits, after.circuits, strict=True)
    return {old.id for old, new in both if old.position != new.position}


def _least_peak(
    at: str,
    every: Arrangements,
    permitted: np.ndarray,
    imbalance: float,
    count: int,
    lines: np.ndarray,
) -> Iterator[str]:
    """Of plans of equal imbalance the one with the least line value is listed."""
    if not count:
        return
    near = permitted & (every.moved == count) & (np.abs(every.imbalance - imbalance) < 5e-10)
    least = float(every.peak[near].min(initial=math.inf))
    if float(np.abs(lines).max()) > least * (1.0 + 1e-6):
        yield f"{at}: {np.abs(lines).max()}, as even with {least}"


# --- balance ------------------------------------------------------------------------------------


def balance_of_small_panels() -> Iterator[str]:
    """The least peak of all arrangements, by search and proven; every figure of the result."""
    for number, one in enumerate(small_panels()):
        for objective in OBJECTIVES:
            yield from _balanced(f"{objective} of panel {number}", one, objective)
    yield from _of_many_circuits()


def _balanced(name: str, one: Panel, objective: str) -> Iterator[str]:
    every = arrangements(one, objective)
    least = float(every.peak.min())
    for exact in (False, True):
        found = balance(one, objective, kicks=3, exact=exact, gap=0.0)  # type: ignore[arg-type]
        lines = _as_placed(found.panel, objective)
        reached = float(np.abs(lines).max())
        at = f"{'exact' if exact else 'search'}, {name}"
        yield from _same(f"reached by {at}", found.reached, reached)
        amperes = float(np.abs(_as_placed(found.panel, "current")).max())
        yield from _same(f"largest current by {at}", found.current_max_a, amperes)
        if reached > least * (1.0 + (2e-6 if exact else _TIE)):
            yield f"{at}: {reached}, {least} by hand"
        if found.bound > least * (1.0 + CLOSE):
            yield f"{at}: bound {found.bound} above {least}"
        if exact and (found.status != "optimal" or found.bound < least * (1.0 - 2e-6)):
            yield f"{at}: {found.status}, bound {found.bound}, least {least}"
        if objective == "current":
            near = every.peak <= max(reached, least) * (1.0 + CLOSE)
            best = min(_measure(lines) for lines in every.lines[near])
            if _measure(lines) > best * (1.0 + 1e-6) + CLOSE:
                yield f"{at}: measure {_measure(lines)}, {best} of as small a peak"
        yield from _loads(at, found.panel, (found.after,))
        if found.before is not None:
            yield from _loads(f"before {at}", one, (found.before,))
        moved = _moved_of(one, found.panel)
        if {move.id for move in found.moves} != moved:
            yield f"{at}: moves of {moved}"


def _measure(lines: np.ndarray) -> float:
    """Return neutral over mean in steps of a thousandth, and a quarter step of imbalance."""
    size = np.abs(lines[0])
    share = abs(lines[0].sum()) / size.mean()
    return _TIE * math.ceil(share / _TIE - 1e-6) + 0.25 * _TIE * _off(size)


def _of_many_circuits() -> Iterator[str]:
    """Eleven loads, more than are all looked at: within a thousandth of the best of 3^11."""
    chance = Random(5)
    for number, numbering in enumerate(("US", "IEC")):
        circuits = [
            _circuit(chance, f"c{k}", 1 if numbering == "IEC" or k % 4 else 2, 2) for k in range(11)
        ]
        one = panel(*circuits, poles=42, numbering=numbering)
        for objective in OBJECTIVES:
            totals = np.zeros((1, 2, 3), dtype=np.complex128)
            for circuit in circuits:
                parts = np.array(
                    [power_on_lines(circuit, s, one.v_ll, objective) for s in range(3)]
                )
                totals = (totals[:, None] + parts[None]).reshape(-1, 2, 3)
            least = float(np.abs(totals).max(axis=(1, 2)).min())
            found = balance(one, objective)  # type: ignore[arg-type]
            reached = float(np.abs(_as_placed(found.panel, objective)).max())
            yield from _same(f"eleven loads, {objective}, {number}", found.reached, reached)
            if not least * (1.0 - CLOSE) <= reached <= least * 1.003:
                yield f"eleven loads by {objective}, {numbering}: {reached}, {least} by hand"
            if found.bound > least * (1.0 + CLOSE):
                yield f"eleven loads: bound {found.bound}, {least} by hand"


# --- figures of lines ---------------------------------------------------------------------------


def figures_of_lines() -> Iterator[str]:
    """What a circuit adds to the lines, and the figures that panels are compared by."""
    for one in small_panels():
        for circuit in one.circuits:
            for objective in OBJECTIVES:
                for start in range(3):
                    found = line_parts(circuit, start, one, objective)  # type: ignore[arg-type]
                    wanted = power_on_lines(circuit, start, one.v_ll, objective)
                    gap = float(np.abs(found - wanted).max())
                    yield from _same(f"{circuit.id} on phase {start}, {objective}", gap, 0.0, 1.0)
        lines = _as_placed(one, "current")
        size = np.abs(lines)
        yield from _same("peak", float(peak(lines)), float(size.max()))
        yield from _same("uneven", float(uneven(lines[0])), _off(size[0]))
        yield from _same("measure", float(neutral_then_imbalance(lines)), _measure(lines))
    yield from _same("no load is even", float(uneven(np.zeros(3, dtype=np.complex128))), 0.0)
    kept = reuse_numbers(np.array([2, 0, -1, 2, 1]), np.array([2, 1, 2])).tolist()
    if kept != [2, 0, 0, 2, 1]:
        yield f"numbers left where they can be: {kept}"
    kept = reuse_numbers(np.array([2, 2, 2, 0]), np.array([1, 2, 1])).tolist()
    if kept != [2, 1, 1, 0]:
        yield f"numbers left where they can be: {kept}"
