"""Panels generated from racks: every feed, every system, every feed lost once."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest

from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.trace import Trace, explain
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.board.breakers import next_breaker, receptacle, standard_breakers
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit, check_layout
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import PanelSet, build_panels
from facility.power.panels.design.racks import supply_power
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import (
    DGX,
    IEC,
    SHELF,
    build,
    feed_lines,
    feed_powers,
    frame,
    imbalance_max,
    plan,
    rack,
)


def failed(found: PanelSet) -> set[str]:
    return {check.rule for check in found.checks if check.failed}


def one(found: PanelSet, rule: str) -> Check:
    return next(check for check in found.checks if check.rule == rule)


def sound(found: PanelSet) -> None:
    """Layout of every panel, and currents of the set equal to those of its circuits."""
    assert found.line_a.shape == (found.count, len(found.states), 4)
    for index, panel in enumerate(found.panels):
        check_layout(panel, tuple(c.id for c in panel.circuits))
        for state, load in enumerate(panel_loads(panel)):
            np.testing.assert_allclose(found.line_a[index, state, :3], load.line_a, atol=1e-9)
            assert found.line_a[index, state, 3] == pytest.approx(load.neutral_a, abs=1e-9)
        assert panel_loads(panel)[0].imbalance == pytest.approx(found.imbalance[index], abs=1e-9)


def test_ten_thousand_gpus_on_three_feeds() -> None:
    """313 racks of 4 DGX H100 (2 in the last), two of six supplies on each feed."""
    racks = (rack(312), rack(1, devices=2, name="compute of 2"))
    found = build(*racks)
    sound(found)
    assert found.circuits == 313 * 3
    assert failed(found) == set()
    feeds = feed_powers(found)
    assert {feed for _, feed in feeds} == {"A", "B", "C"}
    assert sum(power[0].real for power in feeds.values()) == pytest.approx(1250 * 10200.0)
    assert imbalance_max(found) < 0.05
    assert found.line_a[:, :, :3].max() <= found.limit_a == pytest.approx(320.0)


def test_each_feed_carries_a_third_and_half_when_one_is_lost() -> None:
    found = build(rack(12))
    power = feed_powers(found)["H1", "A"]
    worst = int(np.abs(power).argmax())
    assert power[0].real == pytest.approx(12 * 40800.0 / 3.0)
    assert power[worst].real == pytest.approx(12 * 40800.0 / 2.0)
    assert found.states[worst] in ("B lost", "C lost")
    panel = next(p for p in found.panels if p.side == "A")
    lost = panel.states.index("A lost")
    assert found.line_a[found.panels.index(panel), lost].max() == 0.0


def test_whole_rack_on_the_feed_that_is_left_never_more() -> None:
    """A and B together carry the rack once, in every state."""
    found = build(rack(3, "AB"), basis=frame(feeds="AB"))
    for state in range(3):
        watts = sum(c.total_va(state).real for p in found.panels for c in p.circuits)
        assert watts == pytest.approx(3 * 40800.0)


def test_lines_of_a_whip_carry_three_three_and_two_supplies_in_turn() -> None:
    found = build(rack(6))
    for panel in found.panels:
        for circuit in panel.circuits:
            legs = sorted(abs(leg) for leg in circuit.power_va[0])
            assert legs == pytest.approx([n * 1700.0 / 0.98 for n in (2, 3, 3)])
        assert panel_loads(panel)[0].imbalance == pytest.approx(0.0, abs=1e-9)


def test_what_is_uneven_in_a_panel_evens_out_upstream() -> None:
    found = build(rack(30))
    assert found.imbalance.min() > 0.02  # 80 supplies on three lines: 27, 27, 26
    for lines in feed_lines(found).values():
        for of_state in (lines[0], lines[lines.max(axis=1).argmax()]):
            assert max(of_state) == pytest.approx(min(of_state), rel=1e-9)


def test_a_rack_hangs_on_paired_panels() -> None:
    found = build(rack(25))
    home: dict[str, set[str]] = {}
    for panel in found.panels:
        for circuit in panel.circuits:
            home.setdefault(circuit.rack, set()).add(panel.tag)
    assert len(home) == 25
    by_tag = {panel.tag: panel for panel in found.panels}
    ids = {circuit.id for panel in found.panels for circuit in panel.circuits}
    for rack_tag, tags in home.items():
        assert {by_tag[tag].side for tag in tags} == {"A", "B", "C"}
        first, *others = sorted(tags)
        assert sorted(by_tag[first].paired) == others
        circuit = next(c for c in by_tag[first].circuits if c.rack == rack_tag)
        assert set(circuit.partner.split(" / ")) <= ids
        assert circuit.partner.count("/") == 1
    assert by_tag["RPP-A01"].fed_from == "UPS-A"
    sizes = Counter(len(panel.circuits) for panel in found.panels)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("system", "connection", "supply_v"),
    [
        ("415Y/240", "L-N", 240.0),
        ("400Y/230", "L-N", 230.0),
        ("480Y/277", "L-N", 277.0),
        ("208Y/120", "L-L", 208.0),
    ],
)
def test_every_system(system: str, connection: str, supply_v: float) -> None:
    found = build(rack(20, breaker_a=None), basis=frame(system))
    sound(found)
    assert {c.connection for p in found.panels for c in p.circuits} == {connection}
    check = one(found, "SUPPLY-VOLTAGE")
    assert check.value == supply_v
    assert failed(found) == ({"SUPPLY-VOLTAGE"} if supply_v > 240.0 else set())


def test_two_supplies_a_leg_short_make_a_two_feed_rack_too_much_for_60_amperes() -> None:
    """40.8 kW on one 415 V feed are 57.9 A; 60 A at 80 % allows 48 A."""
    found = build(rack(10, "AB"), basis=frame(feeds="AB"))
    assert failed(found) == {"BRANCH-LOAD"}
    bad = next(check for check in found.checks if check.failed)
    assert bad.value == pytest.approx(40800.0 / 0.98 / (math.sqrt(3.0) * 415.0))
    assert bad.limit == pytest.approx(48.0)
    assert "B lost" in bad.subject
    designed = build(rack(10, "AB", breaker_a=None), basis=frame(feeds="AB"))
    assert designed.panels[0].circuits[0].breaker_a == 80.0
    assert failed(designed) == set()


def test_iec_loads_a_breaker_in_full() -> None:
    """The same rack on 63 A: 57.9 A pass where Ib <= In is asked."""
    basis = frame(feeds="AB", numbering="IEC", breaker_sizes_a=standard_breakers("IEC", "2018"))
    found = build(rack(10, "AB", breaker_a=None), basis=basis, criteria=IEC)
    assert found.panels[0].circuits[0].breaker_a == 63.0
    assert found.limit_a == 400.0
    assert failed(found) == set()
    assert found.panels[0].circuits[0].id == "RPP-A01-1L1"
    sound(found)


def test_a_listed_assembly_takes_more_racks() -> None:
    usual, listed = build(rack(60)), build(rack(60), basis=frame(listed_100=True))
    assert listed.limit_a == 400.0
    assert listed.count < usual.count
    assert build(rack(60), basis=frame(main_a=300.0)).limit_a == 240.0


def test_three_phase_shelves_are_balanced() -> None:
    """An NVL72 rack: 8 shelves of 33 kW, four on each feed, 132 kW on four when one is lost."""
    found = build(
        rack(8, "AB", device=SHELF, devices=1, whips=4, breaker_a=None), basis=frame(feeds="AB")
    )
    sound(found)
    assert imbalance_max(found) == pytest.approx(0.0, abs=1e-9)
    circuit = found.panels[0].circuits[0]
    assert circuit.breaker_a == 60.0  # 33 kW / 0.98 at 415 V: 46.8 A x 1.25 = 58.6 A
    assert circuit.total_va(2).real == pytest.approx(33e3)
    assert failed(found) == set()


def test_a_rack_too_large_for_one_panel_is_spread_over_several() -> None:
    racks = rack(8, "AB", device=SHELF, devices=1, whips=4, breaker_a=None)
    found = build(racks, basis=frame(feeds="AB", bus_a=225.0, main_a=225.0))
    sound(found)
    assert failed(found) == set()
    assert found.circuits == 64
    assert {c.rack for p in found.panels for c in p.circuits} == {
        f"compute {n:02d}" for n in range(1, 9)
    }


def test_a_circuit_too_large_for_any_panel_is_placed_and_said() -> None:
    racks = rack(2, "AB", device=SHELF, devices=1, whips=4, breaker_a=None)
    found = build(racks, basis=frame(feeds="AB", bus_a=50.0, main_a=50.0))
    assert failed(found) == {"PANEL-LOAD"}
    assert found.circuits == 16


def test_racks_on_pairs_of_feeds_share_their_panels() -> None:
    """Three feeds, racks in turn on A-B, B-C, C-A: a lost feed falls on two others."""
    device = replace(DGX, psu=replace(DGX.psu, count=4, needed=2)) if DGX.psu else DGX
    racks = [
        rack(30, pair, device=device, breaker_a=None, name=pair) for pair in ("AB", "BC", "CA")
    ]
    found = build(*racks)
    sound(found)
    assert failed(found) == set()
    shared = found.panels[0]
    assert {c.rack[:2] for c in shared.circuits} == {"AB", "CA"}
    apart = [build(one_kind) for one_kind in racks]
    assert found.count < sum(alone.count for alone in apart)


def test_single_and_two_pole_circuits_are_balanced_too() -> None:
    two = build(rack(20, devices=1, poles=2, breaker_a=None), basis=frame("208Y/120", poles=42))
    sound(two)
    assert all(len(p.phases(c)) == 2 for p in two.panels for c in p.circuits)
    assert imbalance_max(two) < 0.1
    single = build(rack(39, devices=1, poles=1, breaker_a=None), basis=frame(poles=42))
    sound(single)
    assert imbalance_max(single) == pytest.approx(0.0, abs=1e-9)


def test_halls_are_kept_apart_and_tags_are_unique() -> None:
    found = build(rack(13), rack(13, hall="H2"))
    sound(found)
    tags = [panel.tag for panel in found.panels]
    assert len(set(tags)) == len(tags)
    assert set(feed_powers(found)) == {(h, f) for h in ("H1", "H2") for f in "ABC"}
    racks = Counter(c.rack for p in found.panels for c in p.circuits)
    assert set(racks.values()) == {3}
    assert len(racks) == 26


def test_loss_of_the_rack_pdu_and_demand_factor_are_carried() -> None:
    given = plan(rack(1), pdu_loss=0.02, demand_factor=0.5)
    power = supply_power(given.racks[0], given, ("A", "B", "C"))
    assert power[0].sum().real == pytest.approx(40800.0 * 0.5 * 1.02)
    assert power.sum(axis=1).real == pytest.approx([40800.0 * 0.51] * 4)
    assert power[0].sum().real / abs(power[0].sum()) == pytest.approx(0.98)


def test_steps_are_in_the_trace() -> None:
    trace = Trace()
    found = build(rack(12), trace=trace)
    assert trace.value("panels.count") == found.count
    assert trace.value("panels.bus_limit") == 320.0
    assert trace.value("panels.imbalance_max") == pytest.approx(imbalance_max(found))
    for index, panel in enumerate(found.panels):
        traced = trace.value(f"panel.{panel.tag}.current_max")
        assert traced == pytest.approx(float(found.line_a[index, :, :3].max()), rel=1e-9)
    assert any("210.20" in line for line in explain(trace, "panels.count"))


def test_equal_input_equal_panels() -> None:
    first, second = build(rack(31)), build(rack(31))
    assert first.panels == second.panels
    assert first.checks == second.checks


def test_a_hundred_thousand_gpus() -> None:
    found = build(rack(3125))
    assert found.circuits == 9375
    assert failed(found) == set()


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(FacilityError) as caught:
        build(rack(1, "AD"))
    assert caught.value.code == "UNKNOWN_FEED"
    with pytest.raises(FacilityError) as caught:
        build(rack(1, breaker_a=None), basis=frame(breaker_sizes_a=(15.0, 20.0)))
    assert (caught.value.code, caught.value.exit_code) == ("NO_BREAKER", 4)
    with pytest.raises(FacilityError) as caught:
        build_panels(plan(rack(1)), frame(poles=2), NEC, Trace())
    assert caught.value.code == "PANEL_FULL"


def test_without_racks_there_are_no_panels() -> None:
    found = build_panels(plan(), frame(), NEC, Trace())
    assert (found.count, imbalance_max(found), feed_powers(found)) == (0, 0.0, {})
    assert all(check.outcome is not Outcome.FAIL for check in found.checks)


def test_standard_ratings_follow_code_and_edition() -> None:
    nec_2017, nec_2023 = standard_breakers("NEC", "2017"), standard_breakers("NEC", "2023")
    assert 10.0 not in nec_2017
    assert nec_2023[0] == 10.0
    assert 601.0 not in nec_2023
    assert set(nec_2017) < set(nec_2023)
    assert next_breaker(nec_2017, 243.75, "") == 250.0
    assert next_breaker(nec_2017, 60.0, "") == 60.0
    assert {16.0, 32.0, 63.0} <= set(standard_breakers("IEC", "2018"))


def test_single_phase_supplies_are_connected_as_the_system_says() -> None:
    bases: dict[str, PanelBasis] = {s: frame(s) for s in ("415Y/240", "208Y/120", "220Y/127")}
    assert {s: (b.single_phase, b.supply_v) for s, b in bases.items()} == {
        "415Y/240": ("L-N", 240.0),
        "208Y/120": ("L-L", 208.0),
        "220Y/127": ("L-L", 220.0),
    }


@pytest.mark.parametrize(
    ("system", "numbering", "poles", "breaker_a", "plug"),
    [
        ("415Y/240", "US", 3, 60.0, "IEC 60309 60A 4P5W 6h"),
        ("415Y/240", "IEC", 3, 63.0, "IEC 60309 63A 3P+N+E 6h"),
        ("400Y/230", "IEC", 1, 32.0, "IEC 60309 32A 2P+E 6h"),
        ("208Y/120", "US", 1, 30.0, "NEMA L5-30R"),
        ("400Y/230", "IEC", 3, 160.0, ""),
        ("220Y/127", "IEC", 3, 32.0, ""),
        ("480Y/277", "IEC", 3, 32.0, ""),
        ("208Y/120", "IEC", 1, 16.0, ""),
    ],
)
def test_plugs_are_of_the_standards_of_the_code(
    system: str, numbering: str, poles: int, breaker_a: float, plug: str
) -> None:
    """IEC 60309-2: 3P+N+E at 6 h, red, is for 346-415 V; ratings of UL 1686 are 60 A, not 63 A.

    Plugs of 220 V between lines are at 9 h, of 480 V at 7 h; blue ones of two poles start at 200 V.
    """
    basis = frame(system, numbering=numbering)
    assert receptacle(basis, poles, "L-N", breaker_a) == plug


def test_a_named_circuit_is_the_circuit_with_its_names_replaced() -> None:
    """Every field is told apart, so that one forgotten, or put in another's place, is seen."""
    own = Circuit(
        "id", "text", "IT", 3, "L-N", ((1 + 2j, 3j, 4 + 0j),), 63.0, 7, True, "rack", "A", "other",
        12.5, "plug", 2, (2, 0, 1), "with", "without", 0.25, True, 1, "C19",
    )  # fmt: skip
    assert all(getattr(own, f.name) != f.default for f in fields(Circuit))
    named = own.named("b", "words", "r2", "p2", 3.0)
    changes = {"id": "b", "description": "words", "rack": "r2", "partner": "p2", "length_m": 3.0}
    assert named == replace(own, **changes)  # type: ignore[arg-type]


def test_racks_have_their_stated_names_in_every_circuit() -> None:
    """A name repeated in another hall is preceded by its hall; a type without names is counted."""
    first = replace(rack(3), names=("R01", "R02", "X"))
    other = replace(rack(1, name="other"), hall="Hall 9", names=("R01",))
    racks = first, other, rack(2, name="bare")
    named = [name for name, _ in rack_names(plan(*racks))]
    assert named == [f"{first.hall} R01", "R02", "X", "Hall 9 R01", "bare 01", "bare 02"]
    found = build(*racks)
    assert {circuit.rack for panel in found.panels for circuit in panel.circuits} - {""} == {*named}
