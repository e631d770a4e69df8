"""A hall balanced on three levels: brute force, invariants, what stays, and what is refused."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.it import ItPlan, PsuSet, Rack
from facility.model.power.hall_distribution import AsBuiltCords, AsBuiltSpare, PanelBasis
from facility.power.panels.board.currents import panel_power
from facility.power.panels.board.model import Panel, check_layout
from facility.power.panels.design.as_built import as_built_of
from facility.power.panels.design.halls import PanelSet, build_panels
from facility.power.panels.hall.balance import balance_hall
from facility.power.panels.hall.result import HallBalance, HallFigures, hall_figures
from facility.report.studies.balance import hall_lists
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import DGX, MAKER, SHELF, frame, imbalance_max, plan, rack

TIE = 1e-3
TWO_CORDS = replace(DGX, psu=PsuSet(2, 1, 3300.0, 200.0, 240.0, 1, 0.98, (), MAKER))


def kind(watts: tuple[float, ...], count: int, name: str, **changes: object) -> Rack:
    """Return racks of devices of these powers, each with one cord on A and one on B."""
    made = rack(
        count, "AB", devices=len(watts), device=TWO_CORDS, name=name, breaker_a=None, **changes
    )  # type: ignore[arg-type]
    return replace(made, device_w=watts, device_peak_w=watts)


def hall(*racks: Rack, basis: PanelBasis) -> tuple[ItPlan, PanelSet]:
    posed = plan(*racks)
    return posed, build_panels(posed, basis, NEC, Trace())


def key(figures: HallFigures, limit_a: float) -> tuple[float, ...]:
    return (
        figures.current_a / limit_a,
        figures.neutral_a / limit_a,
        figures.imbalance,
        max(figures.feeds.values(), default=0.0),
    )


def not_worse(found: HallBalance) -> bool:
    """Whether nothing rose before something fell by more than the tie."""
    limit_a = found.given.limit_a
    for after, before in zip(key(found.after, limit_a), key(found.before, limit_a), strict=True):
        if after < before - TIE + 1e-8:
            return True
        if after > before + 1e-6:
            return False
    return True


def least(racks: tuple[Rack, ...], sites: int, limit_a: float) -> list[float]:
    """Return the least current, then neutral, then imbalance on feed A over every arrangement.

    Feed B carries the same cords, so that its least figures are those of feed A. Loads are to
    neutral at 240 V nominal (415 V over root 3) and 0.98 lagging; with B lost they double. The
    ways to plug cords are those that load no bank above the most loaded one of the given way.
    """
    angle = np.exp(-2j * np.pi / 3.0 * np.arange(3))
    volts = 415.0 / 3.0**0.5
    legs = []
    for one in racks:
        va = np.array(one.device_w) / 2.0 / 0.98
        given = np.zeros(3)
        for load in sorted(va, reverse=True):
            given[given.argmin()] += load
        ways = [
            np.bincount(way, weights=va, minlength=3)
            for way in itertools.product(range(3), repeat=len(va))
            if way[0] == 0
        ]
        legs.append([way for way in ways if way.max() <= given.max() * (1.0 + 1e-9)])
    each = [number for number, one in enumerate(racks) for _ in range(one.count)]
    turns = np.array(list(itertools.product(range(3), repeat=len(each))))
    places = np.array(list(itertools.product(range(sites), repeat=len(each))))
    best: list[tuple[float, float, float]] = []
    for plugged in itertools.product(*legs):
        lines = np.stack([np.stack([np.roll(plugged[k], t) for t in range(3)]) for k in each])
        chosen = lines[np.arange(len(each)), turns] / volts
        for place in places:
            member = place[:, None] == np.arange(sites)
            amperes = np.einsum("tnl,ns->tsl", chosen, member.astype(float))
            neutral = np.abs(amperes @ angle).max(axis=1)
            mean = amperes.mean(axis=2)
            uneven = np.abs(amperes - mean[:, :, None]).max(axis=2) / np.where(mean > 0, mean, 1)
            best.append(_least(2.0 * amperes.max(axis=(1, 2)), 2.0 * neutral, uneven.max(axis=1)))
    ranked = sorted(tuple(round(v, 9) for v in row) for row in best)
    return [ranked[0][0] / limit_a, ranked[0][1] / limit_a, ranked[0][2]]


def _least(*columns: np.ndarray) -> tuple[float, float, float]:
    rounded = [np.round(column, 9) for column in columns]
    first = np.lexsort(rounded[::-1])[0]
    return (float(columns[0][first]), float(columns[1][first]), float(columns[2][first]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((9000.0, 5000.0, 2000.0), (7000.0, 6500.0)),
        ((8000.0, 8000.0, 3000.0), (4000.0, 2500.0, 1000.0)),
        ((6000.0, 6000.0, 6000.0, 6000.0), (9000.0,)),
        ((10000.0, 1000.0), (7000.0, 3000.0, 3000.0)),
    ],
)
def test_as_good_as_every_arrangement_of_a_small_hall(
    first: tuple[float, ...], second: tuple[float, ...]
) -> None:
    racks = (kind(first, 2, "one"), kind(second, 3, "two"))
    posed, given = hall(*racks, basis=frame(feeds="AB", poles=12))
    sites = sum(panel.side == "A" for panel in given.panels)
    assert sites == 2, "the oracle looks at two panels of each feed"
    found = balance_hall(posed, given, NEC)
    reached = key(found.after, given.limit_a)
    oracle = least(racks, sites, given.limit_a)
    assert reached[0] >= oracle[0] - 1e-9, "nothing beats every arrangement"
    for mine, best in zip(reached, oracle, strict=False):
        assert mine <= best + TIE + 1e-9
    assert found.bound <= oracle[0] * given.limit_a * (1.0 + 1e-9)


POWERS = st.lists(st.sampled_from([800.0, 1500.0, 2200.0, 4100.0, 6300.0]), min_size=1, max_size=4)
KINDS = st.lists(
    st.tuples(POWERS, st.integers(1, 4), st.sampled_from([1, 2, 3, 3]), st.booleans()),
    min_size=1,
    max_size=3,
)
HALLS = st.tuples(KINDS, st.sampled_from(["415Y/240", "208Y/120"]), st.sampled_from(["US", "IEC"]))


def drawn(kinds: list[tuple[list[float], int, int, bool]], system: str) -> list[Rack]:
    """Return racks; single poles only where a supply runs to neutral, shelves on some 3-poles."""
    racks = []
    for number, (watts, count, poles, shelf) in enumerate(kinds):
        fitting = max(poles, 2) if system == "208Y/120" else poles
        made = kind(tuple(watts), count, f"kind {number}", poles=fitting)
        if shelf and fitting == 3:
            made = replace(made, device_phases=(3, *made.device_phases[1:]))
        racks.append(made)
    return racks


def powers(panels: tuple[Panel, ...]) -> dict[str, np.ndarray]:
    """Return the power of each feed by state [VA]."""
    found: dict[str, np.ndarray] = {}
    for panel in panels:
        found[panel.side] = found.get(panel.side, 0.0) + panel_power(panel).sum(axis=1)
    return found


def homes(panels: tuple[Panel, ...]) -> Counter[tuple[str, str, int]]:
    return Counter((c.rack, p.side, c.ordinal) for p in panels for c in p.circuits)


@settings(max_examples=25, deadline=None)
@given(HALLS)
def test_what_no_balance_may_change(
    posed: tuple[list[tuple[list[float], int, int, bool]], str, str],
) -> None:
    kinds, system, numbering = posed
    racks = drawn(kinds, system)
    basis = frame(system, "AB", poles=18, numbering=numbering)
    given_plan, given_set = hall(*racks, basis=basis)
    found = balance_hall(given_plan, given_set, NEC, effort=1)
    assert not_worse(found)
    assert found.bound <= found.after.current_a * (1.0 + 1e-9)
    assert [p.tag for p in found.found.panels] == [p.tag for p in given_set.panels]
    assert homes(found.panels) == homes(given_set.panels)
    assert max(homes(found.panels).values()) == 1
    for panel in found.panels:
        check_layout(panel, tuple(c.id for c in panel.circuits))
        assert panel.placed
    before, after = powers(given_set.panels), powers(found.panels)
    for feed, power in before.items():
        np.testing.assert_allclose(after[feed], power, rtol=1e-9, atol=1e-6)
    for cords in found.cords:
        one = next(r for r in racks if r.name == cords.rack)
        single = [
            one.device_phases[s.device] == 1
            for s in one.supplies
            if one.circuits[s.circuit].feed == cords.feed
        ]
        assert [bank in (0, 1, 2) for bank in cords.banks] == single
    again = balance_hall(given_plan, found.found, NEC, effort=1)
    assert (again.moves, again.boards) == ((), ())


def uneven_hall() -> tuple[ItPlan, PanelSet]:
    """Ten racks of three cords on two groups of panels, with a kind that leaves gaps."""
    racks = (kind((9000.0, 5000.0, 2000.0), 6, "one"), kind((7000.0, 1500.0), 5, "two"))
    return hall(*racks, basis=frame(feeds="AB", poles=18))


def test_the_figures_are_those_of_the_panels_it_gives_back() -> None:
    posed, given_set = uneven_hall()
    found = balance_hall(posed, given_set, NEC, effort=2)
    assert found.moves
    assert found.found.line_a[:, :, :3].max() == pytest.approx(found.after.current_a)
    assert found.found.line_a[:, :, 3].max() == pytest.approx(found.after.neutral_a)
    assert imbalance_max(found.found) == pytest.approx(found.after.imbalance)
    assert key(found.after, 1.0) < key(found.before, 1.0) < key(found.wired_alike, 1.0)


def test_moves_lead_from_the_given_panels_to_the_new_ones() -> None:
    posed, given_set = uneven_hall()
    found = balance_hall(posed, given_set, NEC, effort=2)
    stood = {
        (c.rack, p.side, c.ordinal): (p.tag, c.position, c.banks)
        for p in given_set.panels
        for c in p.circuits
    }
    for move in found.moves:
        home = (move.rack, move.feed, move.circuit - 1)
        assert stood[home][:2] == (move.before.panel, move.before.position)
        banks = tuple(bank - 1 for bank in move.after.banks)
        stood[home] = (move.after.panel, move.after.position, banks)
    assert stood == {
        (c.rack, p.side, c.ordinal): (p.tag, c.position, c.banks)
        for p in found.panels
        for c in p.circuits
    }


def test_the_same_input_gives_the_same_answer() -> None:
    posed, given_set = uneven_hall()
    first, second = (balance_hall(posed, given_set, NEC, effort=2) for _ in range(2))
    assert hall_lists(first) == hall_lists(second)
    assert hall_lists(first)["cords"]


def test_racks_stay_on_their_panels_when_asked() -> None:
    posed, given_set = uneven_hall()
    found = balance_hall(posed, given_set, NEC, racks_stay=True, effort=2)
    assert not any(move.changes_panel for move in found.moves)
    assert found.bound >= balance_hall(posed, given_set, NEC, effort=2).bound


def test_feeds_of_a_rack_stay_paired_unless_they_need_not() -> None:
    posed, given_set = uneven_hall()

    def pairs(panels: tuple[Panel, ...]) -> set[tuple[int, ...]]:
        groups: dict[str, set[int]] = {}
        for panel in panels:
            for circuit in panel.circuits:
                groups.setdefault(circuit.rack, set()).add(panel.group)
        return {tuple(sorted(each)) for each in groups.values()}

    paired = balance_hall(posed, given_set, NEC, effort=2)
    assert any(move.changes_panel for move in paired.moves)
    assert all(len(each) == 1 for each in pairs(paired.panels))
    apart = balance_hall(posed, given_set, NEC, keep_pairs=False, effort=2)
    assert apart.after.current_a <= paired.after.current_a + TIE * given_set.limit_a


def test_cords_stay_when_asked() -> None:
    racks = (kind((5000.0, 5000.0, 1000.0, 1000.0), 1, "one"), kind((3000.0, 1000.0), 1, "two"))
    posed, given_set = hall(*racks, basis=frame(feeds="AB", poles=18))
    stated = replace(given_set.basis, cords=(AsBuiltCords("one", "A", 0, (0, 0, 0, 0)),))
    piled = build_panels(posed, stated, NEC, Trace())
    kept = balance_hall(posed, piled, NEC, recable=False)
    assert kept.replugged == ()
    better = balance_hall(posed, piled, NEC)
    assert [c.rack for c in better.replugged] == ["one"]
    assert better.replugged[0].banks.count(0) < 4
    assert better.after.current_a < 0.7 * kept.after.current_a


def test_no_bank_is_loaded_above_the_most_loaded_one_as_given() -> None:
    posed, given_set = uneven_hall()
    found = balance_hall(posed, given_set, NEC, effort=2)

    def worst(panels: tuple[Panel, ...]) -> dict[tuple[str, str], float]:
        return {
            (c.rack, p.side): max(abs(leg) for row in c.power_va for leg in row)
            for p in panels
            for c in p.circuits
        }

    before, after = worst(given_set.panels), worst(found.panels)
    assert all(after[at] <= before[at] * (1.0 + 1e-9) for at in before)
    ratings = [
        {(c.rack, p.side): c.breaker_a for p in s.panels for c in p.circuits}
        for s in (given_set, found.found)
    ]
    assert all((ratings[1][at] or 0.0) <= (ratings[0][at] or 0.0) for at in ratings[0])


@pytest.mark.parametrize("how", ["fixed", "named", "apart"])
def test_a_fixed_circuit_stays_with_its_rack(how: str) -> None:
    posed, given_set = uneven_hall()
    free = balance_hall(posed, given_set, NEC, effort=2)
    moved = next(move for move in free.moves if move.changes_panel)
    stated = as_built_of(given_set.panels)
    marks = {"fixed": {"fixed": True}, "apart": {"apart": "x"}}.get(how, {})
    pinned = tuple(
        replace(
            board,
            circuits=tuple(
                replace(c, **marks)
                if (board.tag, c.rack) == (moved.before.panel, moved.rack)
                else c
                for c in board.circuits
            ),
        )
        for board in stated
    )
    basis = replace(given_set.basis, stated=pinned)
    before = build_panels(posed, basis, NEC, Trace())
    names = (moved.before.id,) if how == "named" else ()
    found = balance_hall(posed, before, NEC, fixed=names, effort=2)
    of_rack = [m for m in found.moves if m.rack == moved.rack]
    assert not any(m.changes_panel for m in of_rack)
    assert not any(m.feed == moved.feed for m in of_rack)
    name = moved.rack.rsplit(" ", 1)[0]
    assert not any((c.rack, c.feed) == (name, moved.feed) for c in found.replugged)
    assert not_worse(found)


def test_spares_keep_their_positions() -> None:
    racks = (kind((9000.0, 5000.0, 2000.0), 6, "one"), kind((7000.0, 1500.0), 5, "two"))
    posed, given_set = hall(*racks, basis=frame(feeds="AB", poles=24))
    stated = as_built_of(given_set.panels)
    number = next(n for n, panel in enumerate(given_set.panels) if panel.spaces)
    place = given_set.panels[number].spaces[0]
    boards = list(stated)
    boards[number] = replace(stated[number], spares=(AsBuiltSpare(1, 20.0, place),))
    before = build_panels(posed, replace(given_set.basis, stated=tuple(boards)), NEC, Trace())
    found = balance_hall(posed, before, NEC, effort=2)
    assert any(move.changes_panel for move in found.moves)
    spares = [
        (n, c.position)
        for n, p in enumerate(found.panels)
        for c in p.circuits
        if c.class_code == "SPARE"
    ]
    assert spares == [(number, place)]


def test_a_hall_by_itself_leaves_the_others_and_their_cords() -> None:
    racks = [kind((9000.0, 5000.0, 2000.0), 6, "one", hall=name) for name in ("H1", "H2")]
    racks.append(kind((7000.0, 1500.0), 5, "two", hall="H1"))
    posed, given_set = hall(*racks, basis=frame(feeds="AB", poles=18))
    found = balance_hall(posed, given_set, NEC, "H1", effort=1)
    assert found.moves
    assert {move.before.panel for move in found.moves} <= {p.tag for p in found.panels}
    assert "one" not in {c.rack for c in found.replugged}, "it stands in the other hall too"
    others = [p for p in found.found.panels if p.hall == "H2"]
    assert others == [p for p in given_set.panels if p.hall == "H2"]
    assert found.halls == ("H1",)
    both = balance_hall(posed, given_set, NEC, effort=2)
    assert both.halls == ("H1", "H2")
    assert {p.hall for p in both.panels} == {"H1", "H2"}
    where = {c.rack: p.hall for p in given_set.panels for c in p.circuits}
    assert {c.rack: p.hall for p in both.panels for c in p.circuits} == where


def test_shelves_on_three_phases_have_no_banks_to_choose() -> None:
    posed, given_set = hall(
        rack(3, "AB", devices=1, device=SHELF, whips=4, breaker_a=None), basis=frame(feeds="AB")
    )
    found = balance_hall(posed, given_set, NEC, effort=2)
    assert (found.moves, found.cords) == ((), ())
    assert found.after.imbalance == pytest.approx(0.0, abs=1e-9)
    assert found.gap == pytest.approx(0.0, abs=1e-9)


def test_cancel_and_time_end_it_with_what_there_is() -> None:
    posed, given_set = uneven_hall()
    steps: list[tuple[str, int, int]] = []
    cancelled = balance_hall(posed, given_set, NEC, cancel=lambda: True)
    timed = balance_hall(posed, given_set, NEC, seconds=0.0)
    assert (cancelled.status, timed.status) == ("cancelled", "time")
    assert not_worse(cancelled)
    assert not_worse(timed)
    whole = balance_hall(posed, given_set, NEC, progress=lambda *step: steps.append(step))
    assert whole.status == "settled"
    assert steps
    assert all(made <= most for _, made, most in steps)


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("UNKNOWN_HALL", {"hall": "H9"}),
        ("UNKNOWN_CIRCUIT", {"fixed": ("RPP-Z99-1",)}),
        ("BALANCE_LIMIT", {"effort": -1}),
        ("BALANCE_LIMIT", {"seconds": float("nan")}),
        ("HALL_OPTIONS", {"racks_stay": True, "keep_pairs": False}),
    ],
)
def test_what_is_refused(code: str, options: dict[str, object]) -> None:
    posed, given_set = uneven_hall()
    with pytest.raises(FacilityError) as refused:
        balance_hall(posed, given_set, NEC, **options)  # type: ignore[arg-type]
    assert refused.value.code == code


def test_results_and_lists_agree() -> None:
    posed, given_set = uneven_hall()
    found = balance_hall(posed, given_set, NEC, effort=2)
    results, lists = found.results, hall_lists(found)
    assert results["moves"].si == len(lists["moves"]) > 0
    assert results["circuits"].si == len(lists["placement"]) == given_set.circuits
    assert results["gap"].si == pytest.approx(
        float(results["current.max"].si) / float(results["bound"].si) - 1.0
    )
    assert results["imbalance.after"].si == hall_figures(found.panels).imbalance
    for row in lists["placement"]:
        assert (len(row["banks"]), len(row["phases"])) == (3, 3)
    for feed in "AB":
        assert results[f"feed.{feed}.imbalance.after"].si == found.after.feeds["H1", feed]
