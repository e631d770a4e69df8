"""Balancing: bound, optimum of small panels, fixed circuits, states, and what is reported."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.panels import SIZES, greedy, instance
from facility.core.errors import FacilityError
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel, check_layout
from facility.report.studies.balance import PanelBalanced, panel_lists
from tests.power.panels.helpers import load, panel, peaks_of

RESULT_KEYS = {
    "imbalance.before",
    "imbalance.after",
    "imbalance_va.before",
    "imbalance_va.after",
    "spread.before",
    "spread.after",
    "current.max",
    "current.a",
    "current.b",
    "current.c",
    "current.n",
    "bound",
    "gap",
    "moves",
    "status",
}


def _value(found: Panel, objective: Objective) -> float:
    loads = panel_loads(found)
    if objective == "va":
        return max(max(x.phase_va) for x in loads)
    return max(x.current_max_a for x in loads)


def _sound(found: Panel) -> None:
    check_layout(found, tuple(c.id for c in found.circuits))
    assert found.placed


@pytest.mark.parametrize("objective", ["va", "current"])
def test_seeded_panels_beat_longest_first_and_reach_the_mean(objective: Objective) -> None:
    rng = np.random.default_rng(0)
    for size in SIZES:
        given_panel = instance(*size, rng)
        found = balance(given_panel, objective, kicks=100)
        _sound(found.panel)
        assert found.reached == pytest.approx(_value(found.panel, objective), rel=1e-12)
        assert found.reached < _value(greedy(given_panel, objective), objective)
        assert 0.0 <= found.gap < (2e-4 if objective == "va" else 1e-3)


LOADS = st.lists(
    st.tuples(st.sampled_from([1, 1, 2]), st.floats(300.0, 6000.0), st.floats(0.5, 1.0)),
    min_size=1,
    max_size=7,
)


@given(LOADS, st.sampled_from(["current", "va"]))
@settings(max_examples=40, deadline=None)
def test_no_arrangement_beats_the_bound(
    sizes: list[tuple[int, float, float]], objective: Objective
) -> None:
    circuits = [load(str(i), k, va, pf) for i, (k, va, pf) in enumerate(sizes)]
    least = float(peaks_of(panel(*circuits), objective)[1].min())
    found = balance(panel(*circuits), objective, kicks=40)
    assert found.bound <= least * (1.0 + 1e-9)
    assert least * (1.0 - 1e-9) <= found.reached <= least * 1.001 * (1.0 + 1e-9)


def test_a_circuit_of_its_own_size_sets_the_bound() -> None:
    found = balance(panel(load("big", 1, 5000.0), load("small", 1, 100.0)))
    assert found.bound == pytest.approx(5000.0 / (208.0 / 3.0**0.5))
    assert found.gap == pytest.approx(0.0, abs=1e-9)


def test_power_factor_counts_in_current_not_in_va() -> None:
    """Two 2400 VA loads of opposite nature on one phase draw less current than their VA say."""
    leading = load("x", 1, 2400.0, power_va=((1200.0 - 2078.0j,),), position=1, fixed=True)
    lagging = load("y", 1, 2400.0, power_va=((1200.0 + 2078.0j,),), position=2, fixed=True)
    found = panel_loads(panel(leading, lagging))[0]
    assert found.line_a[0] == pytest.approx(2400.0 / 120.089, rel=1e-3)
    assert found.phase_va[0] == pytest.approx(4799.2, rel=1e-3)
    assert balance(panel(leading, lagging)).bound <= found.line_a[0]


def test_fixed_circuits_stay_and_are_counted() -> None:
    fixed = load("f", 1, 4000.0, position=1, fixed=True)
    found = balance(panel(fixed, load("a", 1, 4000.0), load("b", 1, 4000.0)))
    assert found.panel.circuits[0].position == 1
    assert {found.panel.phases(c) for c in found.panel.circuits} == {"A", "B", "C"}
    assert found.before is None
    assert found.gap == pytest.approx(0.0, abs=1e-9)


def test_a_balanced_panel_is_left_alone() -> None:
    loads = [load(str(n), 1, 1000.0, position=n) for n in (1, 3, 5)]
    loads.append(load("t", 3, 9000.0, position=7))
    found = balance(panel(*loads))
    assert found.moves == ()
    assert found.panel.circuits == tuple(loads)
    assert found.before == found.after


def test_one_swap_is_all_that_is_moved() -> None:
    """Phase A carries 3 kVA, B 1 kVA, C 2 kVA; one load of 1 kVA moves from A to B."""
    sizes = {1: 1000.0, 2: 1000.0, 7: 1000.0, 3: 1000.0, 5: 1000.0, 6: 1000.0}
    loads = [load(f"c{n}", 1, va, position=n) for n, va in sizes.items()]
    found = balance(panel(*loads))
    assert found.before is not None
    assert found.before.imbalance == pytest.approx(0.5)
    assert found.after.imbalance == pytest.approx(0.0, abs=1e-12)
    assert len(found.moves) == 1
    assert found.moves[0].after.phases == "B"


def test_a_three_pole_load_is_not_moved_for_nothing() -> None:
    loads = [load("t", 3, 9000.0, position=1)]
    loads += [load(str(n), 1, 1000.0, position=n) for n in (2, 8, 14)]
    found = balance(panel(*loads))
    assert found.panel.circuits[0].position == 1
    assert all(move.poles == 1 for move in found.moves)


def test_unequal_legs_are_turned_by_their_position() -> None:
    legs = ((3000.0 + 0j, 3000.0 + 0j, 1500.0 + 0j),)
    whips = [load(f"w{n}", 3, 1.0, power_va=legs) for n in range(3)]
    found = balance(panel(*whips, system="415Y/240"))
    _sound(found.panel)
    assert found.after.imbalance == pytest.approx(0.0, abs=1e-9)
    assert {found.panel.phases(c) for c in found.panel.circuits} == {"ABC", "BCA", "CAB"}
    iec = balance(panel(*whips, system="415Y/240", numbering="IEC"))
    assert {iec.panel.phases(c) for c in iec.panel.circuits} == {"ABC"}


def test_the_worst_state_decides() -> None:
    """Balanced in the normal state by any placing, but two loads double when B is lost."""
    both = [load(f"d{n}", 1, 1.0, power_va=((1000.0 + 0j,), (2000.0 + 0j,))) for n in range(3)]
    single = [load(f"s{n}", 1, 1.0, power_va=((1000.0 + 0j,), (1000.0 + 0j,))) for n in range(3)]
    found = balance(panel(*both, *single))
    assert found.current_max_a == pytest.approx(3000.0 / (208.0 / 3.0**0.5))
    assert found.after.line_a == pytest.approx((2000.0 / (208.0 / 3.0**0.5),) * 3)


def test_same_panel_same_answer() -> None:
    given_panel = instance(*SIZES[2], np.random.default_rng(7))
    first, second = (balance(given_panel, kicks=50) for _ in range(2))
    assert first == second
    assert json.dumps(first.results.as_json()) == json.dumps(second.results.as_json())


def test_keys_of_the_contract() -> None:
    unplaced = balance(panel(load("a", 1, 1000.0), load("b", 2, 3000.0)))
    shown = PanelBalanced(unplaced.panel, unplaced).results
    assert set(shown) == RESULT_KEYS
    assert shown["imbalance.before"] is None
    assert shown["imbalance_va.before"] is None
    assert shown["current.max"]["unit"] == "A"
    assert shown["gap"]["unit"] == "%"
    assert shown["moves"] == 0
    assert [entry["id"] for entry in panel_lists(unplaced)["placement"]] == ["a", "b"]
    assert all(
        set(e) == {"id", "position", "poles", "phases"} for e in panel_lists(unplaced)["placement"]
    )
    again = balance(unplaced.panel, "va")
    assert set(PanelBalanced(unplaced.panel, again).results) == RESULT_KEYS
    assert again.results["imbalance.before"].kind == "fraction"
    assert again.results.as_json()["bound"]["unit"] == "kVA"


def test_a_panel_as_full_as_can_be() -> None:
    loads = [load(f"p{n}", 2, 1000.0 + 37.0 * n) for n in range(20)]
    loads += [load("x", 1, 500.0), load("y", 1, 700.0)]
    found = balance(panel(*loads), kicks=20)
    _sound(found.panel)
    assert found.panel.spaces == ()
    assert found.after.imbalance < 0.01


def test_without_load_there_is_nothing_to_balance() -> None:
    found = balance(panel(load("s", 1, 0.0), load("t", 3, 0.0)))
    assert found.gap == 0.0
    assert found.after.imbalance == 0.0
    _sound(found.panel)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(FacilityError, match="objective") as caught:
        balance(panel(load("a", 1, 1.0)), "curent")
    assert "current" in caught.value.hint
    blocked = [load(f"f{n}", 1, 1.0, position=n, fixed=True) for n in (3, 4)]
    crowded = panel(*blocked, load("t", 3, 1.0), poles=6)
    with pytest.raises(FacilityError) as caught:
        balance(crowded)
    assert caught.value.code == "PANEL_FULL"
    assert caught.value.exit_code == 4


def test_turning_all_phases_changes_nothing() -> None:
    loads = [load(str(n), 1, 800.0 + 211.0 * n) for n in range(9)]
    found = balance(panel(*loads), kicks=50)
    turned = [replace(c, position=c.position and c.position + 2) for c in found.panel.circuits]
    again = balance(replace(found.panel, circuits=tuple(turned)), kicks=50)
    assert again.reached == pytest.approx(found.reached, rel=1e-3)
