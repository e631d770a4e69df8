"""Panels with groups, and all their arrangements, looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit, Panel
from tests.power.panels.helpers import load, panel

Stand = tuple[int, int]
"""Panelboard and first position."""


def value(one: Panel, objective: str) -> float:
    """Return the objective of one panelboard."""
    loads = panel_loads(one)
    if objective == "va":
        return max(max(x.phase_va) for x in loads)
    return max(x.current_max_a for x in loads)


def arrangements(panels: Sequence[Panel]) -> Iterator[list[Panel]]:
    """Yield `panels` with every circuit at every place that is free, fixed ones at theirs."""
    circuits = [(p, c) for p, one in enumerate(panels) for c in one.circuits]

    def go(k: int, taken: set[Stand], stood: list[tuple[int, Circuit]]) -> Iterator[list[Panel]]:
        if k == len(circuits):
            yield [
                replace(one, circuits=tuple(c for home, c in stood if home == p))
                for p, one in enumerate(panels)
            ]
            return
        home, circuit = circuits[k]
        for p, one in enumerate(panels):
            if circuit.fixed and p != home:
                continue
            for n in [circuit.position or 0] if circuit.fixed else range(1, one.poles + 1):
                poles = {(p, m) for m in one.layout.occupied(n, circuit.poles)}
                if one.layout.may_start(n, circuit.poles, one.poles) and not poles & taken:
                    yield from go(k + 1, taken | poles, [*stood, (p, replace(circuit, position=n))])

    return go(0, set(), [])


def holds_together(one: Panel) -> bool:
    """Return whether each group stands in one column without a gap, looked at pole by pole."""
    for name in {c.together for c in one.circuits if c.together}:
        poles = sorted(n for c in one.circuits if c.together == name for n in one.occupied(c))
        column = [
            n for n in range(poles[0], one.poles + 1) if (n - poles[0]) % one.layout.stride == 0
        ]
        if poles != column[: len(poles)]:
            return False
    return True


def holds_apart(one: Panel) -> bool:
    """Return whether no two single-pole circuits of a group share a phase."""
    for name in {c.apart for c in one.circuits if c.apart}:
        phases = [one.phases(c) for c in one.circuits if c.apart == name and c.poles == 1]
        if len(set(phases)) < len(phases):
            return False
    return True


Sort = tuple[int, int, float, str, str, int, int]
"""Poles, VA, power factor, groups together and apart, where it stands, and whether it is fixed."""

SORTS = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 1, 2, 3]),
        st.sampled_from([0, 1000, 1000, 2500, 3700]),
        st.sampled_from([1.0, 0.8]),
        st.sampled_from(["", "", "t", "u"]),
        st.sampled_from(["", "", "a", "b"]),
        st.integers(0, 9),
        st.sampled_from([0, 0, 1, 2]),
    ),
    min_size=2,
    max_size=4,
)


def grouped(sorts: Sequence[Sort], **changes: object) -> Panel:
    """Return a panel of `sorts`; the last number of each is 0 not placed, 1 placed, 2 fixed."""
    empty = panel(**changes)
    circuits: list[Circuit] = []
    taken: set[int] = set()
    for number, (poles, va, pf, together, apart, at, how) in enumerate(sorts):
        circuit = load(f"c{number}", poles, float(va), pf, together=together, apart=apart)
        position = at % empty.poles + 1
        there = set(empty.layout.occupied(position, poles))
        if how and empty.layout.may_start(position, poles, empty.poles) and not there & taken:
            circuit = replace(circuit, position=position, fixed=how == 2)
            taken |= there
        circuits.append(circuit)
    return replace(empty, circuits=tuple(circuits))
