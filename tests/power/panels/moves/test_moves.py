"""Plans of moves: they keep their promise, can be carried out, and move nothing for nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.power.panels.balance.positions import position_circuits
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit, Panel, check_layout
from facility.power.panels.board.moves import moved, moves_between, ordered_steps
from facility.power.panels.board.pack import ANY
from facility.power.panels.moves.pareto import MIN_GAIN, MovePlan, pareto_moves
from tests.power.panels.helpers import load, panel


def placed(*circuits: Circuit, poles: int = 42, **changes: object) -> Panel:
    made = panel(*circuits, poles=poles, **changes)
    return position_circuits(made, {i: ANY for i, c in enumerate(circuits) if not c.fixed})


def follow(before: Panel, plan: MovePlan) -> dict[int, str]:
    """Carry out the steps pole by pole and return who stands where; no pole is taken twice."""
    label = {before.layout.label(n): n for n in range(1, before.poles + 1)}
    by_first = {before.layout.label(c.position or 0): c for c in before.circuits}
    taken = {n: c.id for c in before.circuits for n in before.occupied(c)}
    out: set[str] = set()
    for step in plan.steps:
        circuit = by_first[re.match(r"ckt (\w+)", step)[1]]  # type: ignore[index]
        named = [
            [label[x] for x in group.split(", ")]
            for group in re.findall(r"poles? ([\w, ]+?) \(phase", step)
        ]
        assert tuple(named[0]) == before.occupied(circuit)
        if circuit.id not in out:
            assert [taken.pop(n) for n in named[0]] == [circuit.id] * circuit.poles
        if "remove from" in step:
            out.add(circuit.id)
            continue
        assert ("reinstall, " in step) == (circuit.id in out)
        out.discard(circuit.id)
        for n in named[1]:
            assert n not in taken, f"pole {n} is not free: {plan.steps}"
            taken[n] = circuit.id
    assert not out
    return taken


SORTS = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 1, 2, 3]),
        st.integers(5, 60),
        st.sampled_from([1.0, 0.9]),
        st.sampled_from([False, False, False, True]),
    ),
    min_size=1,
    max_size=7,
)


@given(
    SORTS,
    st.sampled_from(["current", "va"]),
    st.sampled_from([24, 30]),
    st.sampled_from(["US", "IEC"]),
)
@settings(max_examples=12, deadline=None)
def test_a_plan_gives_what_it_promises_and_more_moves_are_never_worse(
    sorts: list[tuple[int, int, float, bool]], objective: str, poles: int, numbering: str
) -> None:
    circuits = [load(f"c{i}", k, va * 100.0, pf) for i, (k, va, pf, _) in enumerate(sorts)]
    before = placed(*circuits, poles=poles, numbering=numbering)
    held = {f"c{i}" for i, (*_, fixed) in enumerate(sorts) if fixed}
    before = _with_fixed(before, held)
    plans = pareto_moves(before, objective)  # type: ignore[arg-type]
    assert plans[0].moves == () == plans[0].steps
    assert plans[0].panel == before
    for plan in plans:
        targets = {m.id: m.after.position for m in plan.moves}
        after = moved(before, targets)
        check_layout(after, tuple(c.id for c in after.circuits))
        loads = panel_loads(after)
        found = loads[0].imbalance if objective == "current" else loads[0].imbalance_va
        assert plan.imbalance == pytest.approx(found, abs=1e-12)
        assert follow(before, plan) == {n: c.id for c in after.circuits for n in after.occupied(c)}
        assert not held & set(targets)
    for fewer, more in pairwise(plans):
        assert len(more.moves) > len(fewer.moves)
        assert more.imbalance < fewer.imbalance - MIN_GAIN
        if objective == "current":
            assert more.current_max_a <= plans[0].current_max_a * (1 + 1e-9)
        else:
            assert max(more.loads[0].phase_va) <= max(plans[0].loads[0].phase_va) * (1 + 1e-9)


def _with_fixed(before: Panel, held: set[str]) -> Panel:
    circuits = tuple(replace(c, fixed=c.id in held) for c in before.circuits)
    return replace(before, circuits=circuits)


@given(st.lists(st.tuples(st.sampled_from([1, 1, 2]), st.integers(5, 60)), min_size=2, max_size=4))
@settings(max_examples=15, deadline=None)
def test_up_to_three_moves_no_other_plan_is_better(sorts: list[tuple[int, int]]) -> None:
    """Held against every placing of the breakers on every pole, without classes of phases."""
    before = placed(*(load(f"c{i}", k, va * 100.0) for i, (k, va) in enumerate(sorts)), poles=12)
    best = _all_placings(before)
    plans = pareto_moves(before, "va")
    for count in range(4):
        listed = min(p.imbalance for p in plans if len(p.moves) <= count)
        assert listed <= best[count] + MIN_GAIN + 1e-9
        assert listed >= best[count] - 1e-9


def _all_placings(before: Panel) -> list[float]:
    """Return the least imbalance of the VA with at most 0, 1, 2, 3 moves, by trying all."""
    least = [panel_loads(before)[0].imbalance_va] * 4
    limit = max(panel_loads(before)[0].phase_va) * (1 + 1e-9)
    va = [c.pole_va() for c in before.circuits]
    given = [c.position or 0 for c in before.circuits]
    for size in (1, 2, 3):
        least[size] = min(least[size], least[size - 1])
        for chosen in combinations(range(len(va)), min(size, len(va))):
            for targets in permutations(range(1, 13), len(chosen)):
                at = list(given)
                for index, target in zip(chosen, targets, strict=True):
                    at[index] = target
                poles = [
                    p + 2 * k for p, legs in zip(at, va, strict=True) for k in range(len(legs))
                ]
                if len(poles) != len(set(poles)) or max(poles) > 12:
                    continue
                phase = [0.0] * 3
                for p, legs in zip(at, va, strict=True):
                    for k, leg in enumerate(legs):
                        phase[(p + 2 * k - 1) // 2 % 3] += leg
                mean = sum(phase) / 3
                if max(phase) <= limit:
                    worst = max(abs(x - mean) for x in phase) / mean
                    least[size] = min(least[size], worst)
    return least


def test_two_swapped_breakers_are_one_plan_with_an_order() -> None:
    """A 12-pole panel without a space: 1,000 and 3,000 VA change places by taking one out."""
    sizes = (3000, 3000, 2000, 2000, 1000, 1000, 2000, 2000, 2000, 2000, 2000, 2000)
    circuits = [load(f"c{n}", 1, va, position=n) for n, va in enumerate(sizes, start=1)]
    plans = pareto_moves(panel(*circuits, poles=12), "va")
    assert [len(plan.moves) for plan in plans] == [0, 2]
    # A 10,000, B 8,000, C 6,000 VA: 2,000 / 8,000; one large against one small makes all equal.
    assert plans[0].imbalance == pytest.approx(0.25)
    assert plans[1].imbalance == pytest.approx(0.0, abs=1e-12)
    assert plans[1].exact
    assert plans[1].steps == (
        "ckt 2 (c2): remove from pole 2 (phase A), reinstall below",
        "ckt 5 (c5): from pole 5 (phase C) to pole 2 (phase A)",
        "ckt 2 (c2): reinstall, removed from pole 2 (phase A), to pole 5 (phase C)",
    )


def test_phases_have_the_names_of_the_code() -> None:
    sizes = (3000, 3000, 2000, 2000, 1000, 1000)
    circuits = [load(f"c{n}", 1, va, position=n) for n, va in enumerate(sizes, start=1)]
    iec = replace(panel(*circuits, poles=12), numbering="IEC")
    plans = pareto_moves(iec, "va")
    steps = [step for plan in plans for step in plan.steps]
    assert steps
    assert all(re.search(r"\(phase L[123]\)", step) for step in steps)


def test_a_multi_pole_breaker_names_all_its_poles() -> None:
    circuits = (
        load("a", 2, 6000, position=1),
        load("b", 2, 6000, position=2),
        load("t", 3, 9000, position=7),
    )
    plans = pareto_moves(panel(*circuits, poles=18))
    assert plans[-1].moves
    assert all(move.id != "t" for plan in plans for move in plan.moves)
    assert re.fullmatch(
        r"ckt 2,4 \(b\): from poles 2, 4 \(phases A-B\) to poles \d+, \d+ \(phases \w-\w\)",
        plans[1].steps[0],
    )


def test_balanced_panels_and_balanced_loads_do_not_move() -> None:
    three = [load(f"t{n}", 3, 9000 + 100 * n, position=n) for n in (1, 2, 7, 8)]
    ones = [load(f"s{n}", 1, 1200, position=13 + 2 * n) for n in range(3)]
    assert len(pareto_moves(panel(*three, *ones))) == 1


def test_fixed_circuits_block_the_only_way_out() -> None:
    circuits = [load(f"c{n}", 1, 1000 * n, position=n, fixed=n > 1) for n in range(1, 7)]
    assert len(pareto_moves(panel(*circuits, poles=6), "va")) == 1


def test_a_panel_with_no_load_has_nothing_to_gain() -> None:
    spare = load("s", 1, 0.0, position=1, class_code="SPARE")
    assert len(pareto_moves(panel(spare, poles=6))) == 1


def test_the_largest_current_after_a_loss_never_rises() -> None:
    """Even in the normal state only where the lost state pays for it: refused."""
    legs = {"a": (1000, 9000), "b": (3000, 3000), "c": (2000, 2000), "d": (1000, 1000)}
    circuits = [
        Circuit(
            name,
            name,
            "MISC",
            1,
            "L-N",
            tuple((complex(va),) for va in by_state),
            position=1 + 2 * n,
        )
        for n, (name, by_state) in enumerate(legs.items())
    ]
    before = panel(*circuits, poles=12)
    plans = pareto_moves(before)
    assert all(p.current_max_a <= plans[0].current_max_a * (1 + 1e-9) for p in plans)
    assert [load.state for load in plans[-1].loads] == ["normal", "B lost"]


def test_a_panel_that_is_not_placed_is_refused() -> None:
    with pytest.raises(FacilityError) as refused:
        pareto_moves(panel(load("a", 1, 100.0)))
    assert refused.value.code == "PANEL_NOT_PLACED"


def test_steps_onto_a_breaker_that_stays_are_refused() -> None:
    before = panel(load("a", 1, 1.0, position=1), load("b", 1, 1.0, position=3), poles=6)
    onto = moves_between((before,), (moved(before, {"a": 3}),))
    with pytest.raises(FacilityError) as refused:
        ordered_steps((before,), onto)
    assert refused.value.code == "PANEL_OVERLAP"
    assert moves_between((before,), (before,)) == ()


def test_the_same_panel_gives_the_same_list() -> None:
    circuits = [load(f"c{n}", 1 + n % 2, 700.0 + 331 * n % 1900) for n in range(12)]
    before = placed(*circuits)
    assert pareto_moves(before) == pareto_moves(before)
