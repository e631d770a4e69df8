"""Circuits that stand together or apart: all arrangements of small panels, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.panels import instance
from facility.core.errors import FacilityError
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.constraints import broken_across, broken_groups
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel, check_layout
from facility.power.panels.moves.pareto import MIN_GAIN, pareto_moves
from tests.cli.helpers import run
from tests.power.panels.balance.groups import (
    SORTS,
    Sort,
    arrangements,
    grouped,
    holds_apart,
    holds_together,
    value,
)
from tests.power.panels.helpers import load, panel

FRAMES = st.tuples(st.integers(6, 9), st.sampled_from(["US", "SINGLE", "IEC"]))
V_LN = 208.0 / math.sqrt(3.0)


def sound(given_panel: Panel, found: Panel) -> None:
    check_layout(found, tuple(c.id for c in found.circuits))
    assert found.placed
    assert holds_together(found)
    assert holds_apart(found)
    assert broken_groups(found) == ()
    for old, new in zip(given_panel.circuits, found.circuits, strict=True):
        assert replace(new, position=None) == replace(old, position=None)
        assert new.position == old.position or not old.fixed


def least(posed: Panel, objective: str) -> float | None:
    values = [
        value(one, objective)
        for (one,) in arrangements([posed])
        if holds_together(one) and holds_apart(one)
    ]
    return min(values, default=None)


@given(SORTS, FRAMES, st.sampled_from(["current", "va"]))
@settings(max_examples=60, deadline=None)
def test_small_panels_reach_the_least_of_all_arrangements_that_hold(
    sorts: list[Sort], frame: tuple[int, str], objective: str
) -> None:
    posed = grouped(sorts, poles=frame[0], numbering=frame[1])
    assume(posed.poles_used <= posed.poles)
    best = least(posed, objective)
    if best is None:
        with pytest.raises(FacilityError) as refused:
            balance(posed, objective, kicks=3)
        assert refused.value.code in ("PANEL_GROUP", "PANEL_FULL")
        assert refused.value.exit_code == 4
        return
    rough = balance(posed, objective, kicks=3)
    exact = balance(posed, objective, kicks=0, exact=True, gap=0.0)
    for found in (rough, exact):
        sound(posed, found.panel)
        assert found.bound <= best * (1.0 + 1e-9)
        assert found.reached == pytest.approx(value(found.panel, objective), rel=1e-9)
    assert best * (1.0 - 1e-9) <= rough.reached <= best * 1.001 * (1.0 + 1e-9)
    assert exact.reached == pytest.approx(best, rel=2e-6)
    assert exact.status == "optimal"


@given(SORTS, FRAMES, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_circuits_does_not_matter(
    sorts: list[Sort], frame: tuple[int, str], random: Random
) -> None:
    posed = grouped(sorts, poles=frame[0] + 3, numbering=frame[1])
    assume(posed.poles_used <= posed.poles)
    circuits = list(posed.circuits)
    random.shuffle(circuits)
    here, there = (
        exact_or_refused(one) for one in (posed, replace(posed, circuits=tuple(circuits)))
    )
    assert there == pytest.approx(here, rel=2e-6)


def exact_or_refused(posed: Panel) -> float:
    """Return the least current; -1 for a panel that is refused."""
    try:
        return balance(posed, kicks=3, exact=True, gap=0.0).reached
    except FacilityError as refused:
        if refused.code not in ("PANEL_GROUP", "PANEL_FULL"):
            raise
        return -1.0


def standing(sorts: list[Sort], pick: int) -> Panel:
    """Return one of the arrangements of `sorts` in six poles that hold, none of them fixed."""
    posed = grouped([(min(k, 2), *rest, 0) for k, *rest, _ in sorts[:3]], poles=6)
    held = [one for (one,) in arrangements([posed]) if holds_together(one) and holds_apart(one)]
    assume(held)
    return held[pick % len(held)]


@given(SORTS, st.integers(0, 10_000), st.sampled_from(["current", "va"]))
@settings(max_examples=25, deadline=None)
def test_never_worse_than_given_where_the_given_holds(
    sorts: list[Sort], pick: int, objective: str
) -> None:
    posed = standing(sorts, pick)
    found = balance(posed, objective, kicks=3)
    sound(posed, found.panel)
    assert found.reached <= value(posed, objective) * 1.001 * (1.0 + 1e-9)
    again = balance(found.panel, objective, kicks=3)
    assert again.moves == ()


def with_groups(size: tuple[int, int, int, int], seed: int) -> Panel:
    """Return a seeded panel with two runs and two multiwire branch circuits."""
    posed = instance(*size, np.random.default_rng(seed))
    circuits = []
    for i, c in enumerate(posed.circuits):
        together = "run" if i < 3 else "pair" if i in (5, len(posed.circuits) - 1) else ""
        apart = f"mwbc {(i - 6) // 3}" if c.poles == 1 and 6 <= i < 12 else ""
        circuits.append(replace(c, together=together, apart=apart))
    return replace(posed, circuits=tuple(circuits))


@pytest.mark.parametrize("objective", ["current", "va"])
def test_groups_cost_little_in_a_panel_of_42_poles(objective: str) -> None:
    """Two runs and two multiwire branch circuits: within 0.3 % of a bound without them."""
    posed = with_groups((20, 6, 2, 42), 0)
    found = balance(posed, objective, kicks=60)
    sound(posed, found.panel)
    assert 0.0 <= found.gap < 3e-3
    again = balance(found.panel, objective, kicks=60)
    assert again.reached <= found.reached * 1.001
    assert balance(posed, objective, kicks=60) == found, "same panel, same answer"


def test_a_run_of_mixed_breakers_is_turned_so_that_it_balances() -> None:
    """3, 2 and 1 kVA of one run beside 0, 1 and 2 kVA fixed on A, B, C: 3 kVA on each."""
    fixed = [
        load(f"f{n}", 1, va, position=n, fixed=True) for n, va in ((1, 0.0), (3, 1e3), (5, 2e3))
    ]
    run_ = [load(f"r{n}", 1, va, together="r") for n, va in enumerate((1e3, 3e3, 2e3))]
    found = balance(panel(*fixed, *run_, poles=12))
    assert found.after.line_a == pytest.approx((3e3 / V_LN,) * 3)
    assert holds_together(found.panel)
    assert found.gap == pytest.approx(0.0, abs=1e-9)


def test_a_multiwire_branch_circuit_keeps_its_phases_although_balance_would_not() -> None:
    """Two loads of 1 kVA beside 2 kVA on B and on C would both stand on A: one may not."""
    fixed = [load("b", 1, 2e3, position=3, fixed=True), load("c", 1, 2e3, position=5, fixed=True)]
    pair = [load(f"m{n}", 1, 1e3, apart="m") for n in range(2)]
    free = balance(panel(*fixed, *(replace(c, apart="") for c in pair)), "va")
    held = balance(panel(*fixed, *pair), "va", exact=True, gap=0.0)
    assert (free.reached, held.reached) == (pytest.approx(2e3), pytest.approx(3e3))
    assert held.status == "optimal"
    assert held.bound == pytest.approx(3e3, rel=1e-6), "the bound knows of the group"


def test_what_is_broken_as_given_is_told_and_mended() -> None:
    standing = panel(
        load("a", 1, 1e3, position=1, together="t"),
        load("b", 1, 1e3, position=4, together="t"),
        load("x", 1, 1e3, position=7, apart="m"),
        load("y", 1, 1e3, position=8, apart="m"),
    )
    together, apart = broken_groups(standing)
    assert (together.kind, together.group, together.circuits) == ("together", "t", ("a", "b"))
    assert together.text == "'b' at 4 is not adjacent to 'a' at 1."
    assert (apart.kind, apart.text) == ("apart", "'x' and 'y' share phase A.")
    found = balance(standing)
    sound(standing, found.panel)
    assert found.before is not None


def fixed_pair(apart: bool, **changes: object) -> Panel:
    group = {"apart" if apart else "together": "g"}
    fixed = [load(f"c{n}", 1, 1.0, position=1 + 6 * n, fixed=True, **group) for n in range(2)]
    return panel(*fixed, **changes)


REFUSED = {
    "four share three phases": panel(*(load(str(n), 1, 1.0, apart="g") for n in range(4))),
    "longer than a column": panel(
        *(load(str(n), 3, 1.0, together="g") for n in range(3)), poles=14
    ),
    "fixed apart": fixed_pair(apart=False),
    "fixed on one phase": fixed_pair(apart=True),
    "a fixed one is walled in": panel(
        load("f", 1, 1.0, position=3, fixed=True, together="g"),
        load("m", 1, 1.0, together="g"),
        load("w", 1, 1.0, position=1, fixed=True),
        load("v", 1, 1.0, position=5, fixed=True),
    ),
    "no room beside the others": panel(
        *(load(f"f{n}", 1, 1.0, position=n, fixed=True) for n in (2, 5, 8)),
        *(load(f"m{n}", 1, 1.0, together="g") for n in range(3)),
        poles=8,
        numbering="SINGLE",
    ),
    "a phase is used up": panel(
        *(load(f"f{n}", 1, 1.0, position=n, fixed=True) for n in (1, 2)),
        *(load(f"m{n}", 1, 1.0, apart="g") for n in range(3)),
        poles=6,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("exact", [False, True])
def test_groups_that_nothing_can_satisfy_are_refused_by_name(name: str, *, exact: bool) -> None:
    with pytest.raises(FacilityError) as refused:
        balance(REFUSED[name], exact=exact)
    assert refused.value.code == "PANEL_GROUP"
    assert refused.value.exit_code == 4
    assert "'g'" in refused.value.message


@given(SORTS, st.integers(0, 10_000), st.sampled_from(["current", "va"]))
@settings(max_examples=25, deadline=None)
def test_plans_of_moves_hold_the_groups(sorts: list[Sort], pick: int, objective: Objective) -> None:
    """Three circuits or fewer in six poles: the last plan is the best of all arrangements."""
    posed = standing(sorts, pick)
    plans = pareto_moves(posed, objective)
    for plan in plans[1:]:
        sound(posed, plan.panel)
    assert all(plan.exact for plan in plans)
    limit = value(posed, objective) * (1.0 + 1e-9)
    evenness = [
        imbalance(one, objective)
        for (one,) in arrangements([posed])
        if holds_together(one) and holds_apart(one) and value(one, objective) <= limit
    ]
    assert plans[-1].imbalance <= min(evenness) + MIN_GAIN + 1e-9


def imbalance(one: Panel, objective: str) -> float:
    normal = panel_loads(one)[0]
    return normal.imbalance if objective == "current" else normal.imbalance_va


HEAD = "# panel: P; system: 208Y/120; poles: 12"
COLUMNS = "id,description,poles,va,pf,breaker_a,position,fixed,side,partner,together,apart"


def test_the_csv_keeps_the_groups() -> None:
    text = "\n".join(
        [HEAD, COLUMNS, "a,a,1,100,1,20,1,no,,,pump,=x", "b,b,1,100,1,20,3,no,,,pump,"]
    )
    read = read_panel_csv(text)
    assert [(c.together, c.apart) for c in read.circuits] == [("pump", "=x"), ("pump", "")]
    assert read_panel_csv(write_panel_csv(read)) == read
    plain = panel(load("a", 1, 100.0))
    assert "together" not in write_panel_csv(plain)
    assert "apart" not in write_panel_csv(plain)


@pytest.mark.parametrize(
    ("first", "second", "fits"), [("A", "B", True), ("A", "A", False), ("", "", False)]
)
def test_partners_stand_in_one_panel_only_on_sides_told_apart(
    first: str, second: str, *, fits: bool
) -> None:
    rows = [f"a,a,1,100,1,20,1,no,{first},b,,", f"b,b,1,100,1,20,2,no,{second},,,"]
    text = "\n".join([HEAD, COLUMNS, *rows])
    if fits:
        assert read_panel_csv(text, "p.csv").placed
        return
    with pytest.raises(FacilityError) as refused:
        read_panel_csv(text, "p.csv")
    assert (refused.value.code, refused.value.where) == ("PANEL_PARTNER", "p.csv!G4")


def test_three_partners_of_one_panel_take_over_in_equal_parts() -> None:
    """1,200 VA each on A, B, C: with one side lost the other two carry 1,800 VA."""
    rows = [
        f"{i},{i},1,1200,1,20,{n},no,{i},{p},,"
        for i, n, p in (("A", 1, "B / C"), ("B", 3, "A / C"), ("C", 5, "A / B"))
    ]
    read = read_panel_csv("\n".join([HEAD, COLUMNS, *rows]))
    assert read.states == ("normal", "A lost", "B lost", "C lost")
    loads = [[abs(c.total_va(s)) for c in read.circuits] for s in range(4)]
    assert loads == [
        [1200.0] * 3,
        [0.0, 1800.0, 1800.0],
        [1800.0, 0.0, 1800.0],
        [1800.0, 1800.0, 0.0],
    ]


def test_groups_across_panelboards_are_told() -> None:
    one = panel(
        load("a", 1, 1.0, position=1, together="t"),
        load("c", 1, 1.0, position=2, apart="m"),
        load("d", 1, 1.0, position=3, apart="m"),
        tag="P1",
    )
    two = panel(load("b", 1, 1.0, position=1, together="t"), tag="P2")
    assert [(b.kind, b.text) for b in broken_across([one, two])] == [
        ("together", "the group is split between P1, P2."),
        ("apart", "'c' and 'd' are both in P1."),
    ]


def test_the_command_says_what_did_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(
        "\n".join([HEAD, COLUMNS, "a,a,1,100,1,20,1,no,,,t,", "b,b,1,100,1,20,8,no,,,t,"])
    )
    ran = run("balance", file, "--json")
    assert ran.json["warnings"] == [
        "as given, together 't' does not hold: 'b' at 8 is not adjacent to 'a' at 1."
    ]
    assert "is not adjacent to" in run("balance", file).out
