"""Cabinets with several panelboards: all arrangements of small ones, moves, CSV, command."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.panel_csv.cabinet import is_cabinet_csv, read_cabinet_csv, write_cabinet_csv
from facility.power.panels.balance.cabinet import Cabinet, CabinetBalance, balance_cabinet
from facility.power.panels.board.constraints import broken_across
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel, check_layout
from facility.report.studies.balance import cabinet_lists
from tests.cli.helpers import one_error, run
from tests.power.panels.balance.groups import arrangements, holds_together, value
from tests.power.panels.helpers import load, panel

V_LN = 208.0 / math.sqrt(3.0)

Sort = tuple[int, int, int, str, str, str, int, int]
SORTS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from([1, 1, 2, 3]),
        st.sampled_from([1000, 2000, 2500, 3700]),
        st.sampled_from(["", "", "t"]),
        st.sampled_from(["", "", "a"]),
        st.sampled_from(["", "", "c0", "c1"]),
        st.integers(0, 3),
        st.sampled_from([0, 0, 1, 2]),
    ),
    min_size=2,
    max_size=4,
)
BUSES = st.sampled_from([(225.0, 225.0), (100.0, 225.0), (None, None)])


def cabinet_of(sorts: list[Sort], buses: tuple[float | None, ...], poles: int = 4) -> Cabinet:
    """Return a cabinet of two panelboards of one column; each sort begins with where it stands."""
    boards = []
    for home, bus_a in enumerate(buses):
        board = panel(poles=poles, numbering="SINGLE", bus_a=bus_a, tag=f"P{home}")
        circuits, taken = [], set[int]()
        for number, (where, k, va, together, apart, partner, at, how) in enumerate(sorts):
            if where != home:
                continue
            circuit = load(
                f"c{number}", k, float(va), 0.9, together=together, apart=apart, partner=partner
            )
            poles_ = set(board.layout.occupied(at + 1, k))
            if how and board.layout.may_start(at + 1, k, poles) and not poles_ & taken:
                circuit = replace(circuit, position=at + 1, fixed=how == 2)
                taken |= poles_
            circuits.append(circuit)
        boards.append(replace(board, circuits=tuple(circuits)))
    return Cabinet("PDU", tuple(boards))


def holds(panels: list[Panel] | tuple[Panel, ...]) -> bool:
    """Return whether all groups and partners hold, looked at circuit by circuit."""
    home = {c.id: (p.tag, c) for p in panels for c in p.circuits}
    for tag, circuit in home.values():
        for other_tag, other in home.values():
            same = tag == other_tag
            if other is circuit:
                continue
            if same and circuit.apart and circuit.apart == other.apart:
                return False
            if same and circuit.partner == other.id:
                return False
            if not same and circuit.together and circuit.together == other.together:
                return False
    return all(holds_together(one) for one in panels)


def largest(panels: list[Panel] | tuple[Panel, ...], objective: str) -> float:
    """Return the objective: over the bus where the buses differ."""
    differ = len({one.bus_a for one in panels}) > 1
    return max(value(one, objective) / ((one.bus_a or 1.0) if differ else 1.0) for one in panels)


def sound(posed: Cabinet, found: CabinetBalance) -> None:
    for one in found.cabinet.panels:
        check_layout(one, tuple(c.id for c in one.circuits))
    assert found.cabinet.placed
    assert holds(found.cabinet.panels)
    assert broken_across(found.cabinet.panels) == ()
    before = {c.id: (p.tag, c) for p in posed.panels for c in p.circuits}
    after = {c.id: (p.tag, c) for p in found.cabinet.panels for c in p.circuits}
    assert set(before) == set(after)
    for id, (tag, circuit) in before.items():
        assert after[id] == (tag, circuit) or not circuit.fixed


@given(SORTS, BUSES, st.sampled_from(["current", "va"]))
@settings(max_examples=60, deadline=None)
def test_small_cabinets_reach_the_least_of_all_arrangements(
    sorts: list[Sort], buses: tuple[float | None, ...], objective: str
) -> None:
    posed = cabinet_of(sorts, buses)
    values = [largest(one, objective) for one in arrangements(posed.panels) if holds(one)]
    if not values:
        with pytest.raises(FacilityError) as refused:
            balance_cabinet(posed, objective, kicks=2)
        assert refused.value.code in ("PANEL_GROUP", "PANEL_FULL")
        return
    best = min(values)
    rough = balance_cabinet(posed, objective, kicks=2)
    exact = balance_cabinet(posed, objective, kicks=0, exact=True, gap=0.0)
    for found in (rough, exact):
        sound(posed, found)
        assert found.bound <= best * (1.0 + 1e-9)
        assert found.reached == pytest.approx(largest(found.cabinet.panels, objective), rel=1e-9)
    assert rough.reached <= best * 1.001 * (1.0 + 1e-9)
    assert exact.reached == pytest.approx(best, rel=2e-6)
    assert exact.status == "optimal"


@given(SORTS, BUSES, st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_circuits_and_panelboards_does_not_matter(
    sorts: list[Sort], buses: tuple[float | None, ...], random: Random
) -> None:
    posed = cabinet_of(sorts, buses, poles=12)
    assume(not any(circuit.fixed for one in posed.panels for circuit in one.circuits))
    panels = []
    for one in posed.panels[::-1]:
        circuits = list(one.circuits)
        random.shuffle(circuits)
        panels.append(replace(one, circuits=tuple(circuits)))
    try:
        here = balance_cabinet(posed, kicks=2, exact=True, gap=0.0)
    except FacilityError as refused:
        if refused.code != "PANEL_GROUP":
            raise
        with pytest.raises(FacilityError):
            balance_cabinet(Cabinet("PDU", tuple(panels)), kicks=2)
        return
    there = balance_cabinet(Cabinet("PDU", tuple(panels)), kicks=2, exact=True, gap=0.0)
    assert there.reached == pytest.approx(here.reached, rel=2e-6)


def six() -> Cabinet:
    """Six single-pole loads of 1 kVA, all in one of two equal panelboards, two on each phase."""
    loads = [load(f"c{n}", 1, 1000.0, position=n) for n in range(1, 7)]
    return Cabinet("PDU-1", (panel(*loads, tag="A", poles=6), panel(tag="B", poles=6)), 30e3)


def test_equal_panelboards_share_the_load() -> None:
    found = balance_cabinet(six())
    assert found.reached == pytest.approx(1000.0 / V_LN)
    assert found.bound == pytest.approx(found.reached)
    assert len(found.moves) == 3
    results = found.results.as_json()
    assert results["current.max"] == {"value": pytest.approx(1000.0 / V_LN), "unit": "A"}
    assert results["cabinet.current.max"]["value"] == pytest.approx(2000.0 / V_LN)
    assert results["cabinet.loading"]["value"] == pytest.approx(20.0)
    assert results["panel.B.loading"]["value"] == pytest.approx(100.0 * 1000.0 / V_LN / 400.0)
    assert results["imbalance.before"]["value"] == pytest.approx(0.0, abs=1e-9)
    assert all(
        set(e) == {"id", "panel", "position", "poles", "phases"}
        for e in cabinet_lists(found)["placement"]
    )
    assert {e["panel"] for e in cabinet_lists(found)["moves"]} == {"B"}


def test_a_bus_of_double_rating_takes_double_load() -> None:
    """Nine equal loads: one to each phase of 100 A, two to each phase of 200 A, 1 % of the bus."""
    loads = [load(f"c{n}", 1, V_LN) for n in range(9)]
    posed = Cabinet(
        "PDU",
        (panel(*loads, tag="A", poles=12, bus_a=100.0), panel(tag="B", poles=12, bus_a=200.0)),
    )
    found = balance_cabinet(posed)
    assert found.by_bus
    assert [len(one.circuits) for one in found.cabinet.panels] == [3, 6]
    assert found.reached == pytest.approx(0.01)
    assert found.bound == pytest.approx(0.01)
    assert found.results.as_json()["bound"] == {"value": pytest.approx(1.0), "unit": "%"}


def test_the_whole_cabinet_is_balanced_where_the_panelboards_allow() -> None:
    """Three panelboards with one load each: together they stand on A, B, C, not all on A."""
    loads = [load(f"c{n}", 1, 1000.0) for n in range(3)]
    boards = [panel(loads[n], tag=f"P{n}", poles=3, numbering="SINGLE") for n in range(3)]
    found = balance_cabinet(Cabinet("PDU", tuple(boards)))
    assert panel_loads(found.cabinet.whole)[0].line_a == pytest.approx((1000.0 / V_LN,) * 3)


def test_partners_of_one_side_part_and_sides_do_not_mix() -> None:
    a = load("a", 1, 1000.0, position=1, partner="b")
    b = load("b", 1, 1000.0, position=3)
    found = balance_cabinet(Cabinet("PDU", (panel(a, b, tag="P"), panel(tag="Q"))))
    assert [x.kind for x in found.broken] == ["partner"]
    assert [len(one.circuits) for one in found.cabinet.panels] == [1, 1]
    sides = Cabinet("PDU", (panel(a, b, tag="P", side="A"), panel(tag="Q", side="B")))
    with pytest.raises(FacilityError) as refused:
        balance_cabinet(sides)
    assert refused.value.code == "PANEL_GROUP"
    assert refused.value.message.startswith("partners of 'a'")


def test_the_steps_can_be_followed_pole_by_pole() -> None:
    """Two full panelboards exchange breakers: one is taken out, and put in again."""
    big = [load(f"b{n}", 1, 3000.0, position=n) for n in (1, 2, 3)]
    small = [load(f"s{n}", 1, 1000.0, position=n) for n in (1, 2, 3)]
    posed = Cabinet(
        "PDU",
        (
            panel(*big, tag="P", poles=3, numbering="SINGLE"),
            panel(*small, tag="Q", poles=3, numbering="SINGLE"),
        ),
    )
    unlike = Cabinet("PDU", (replace(posed.panels[0], bus_a=100.0), posed.panels[1]))
    found = balance_cabinet(unlike)
    assert [c.id for c in found.cabinet.panels[0].circuits] == ["s1", "s2", "s3"]
    taken = {(p.tag, c.position): c.id for p in unlike.panels for c in p.circuits}
    out: set[str] = set()
    for step in found.steps:
        poles = re.findall(r"(?:(P|Q) )?pole (\d)", step)
        source = (poles[0][0], int(poles[0][1]))
        name = re.search(r"\((\w+)\)", step)[1]  # type: ignore[index]
        if name not in out:
            assert taken.pop(source) == name
        if "remove from" in step:
            out.add(name)
            continue
        assert ("reinstall, " in step) == (name in out)
        out.discard(name)
        target = (poles[1][0] or source[0], int(poles[1][1]))
        assert target not in taken
        taken[target] = name
    assert not out
    assert taken == {(p.tag, c.position): c.id for p in found.cabinet.panels for c in p.circuits}


def test_what_is_good_stays() -> None:
    first = balance_cabinet(six())
    again = balance_cabinet(first.cabinet)
    assert again.moves == ()
    assert again.steps == ()
    assert balance_cabinet(six()) == first, "same cabinet, same answer"


REFUSED = {
    "CABINET_PANELS": [
        (),
        (panel(tag="P"), panel(tag="P")),
        (panel(tag="P"), panel(tag="Q", system="415Y/240")),
        (panel(load("a", 1, 1.0), tag="P"), panel(load("a", 1, 1.0), tag="Q")),
        (panel(load("a", 1, 1.0), tag="P"), panel(tag="Q", numbering="BUSWAY")),
        (panel(tag="P"), panel(tag="Q", states=("normal", "A lost"))),
    ],
    "CABINET_BUS": [(panel(tag="P", bus_a=None), panel(tag="Q"))],
    "PANEL_OVERLAP": [(panel(load("a", 1, 1.0, position=1), load("b", 1, 1.0, position=1)),)],
    "PANEL_GROUP": [
        (panel(*(load(str(n), 1, 1.0, apart="g") for n in range(3)), tag="P"), panel(tag="Q")),
        (
            panel(load("a", 1, 1.0, position=1, fixed=True, together="g"), tag="P"),
            panel(load("b", 1, 1.0, position=1, fixed=True, together="g"), tag="Q"),
        ),
    ],
    "PANEL_FULL": [
        (
            panel(*(load(str(n), 3, 1.0) for n in range(5)), tag="P", poles=6),
            panel(tag="Q", poles=6),
        )
    ],
}


@pytest.mark.parametrize(
    ("code", "panels"), [(code, panels) for code, each in REFUSED.items() for panels in each]
)
def test_what_does_not_go_together_is_refused(code: str, panels: tuple[Panel, ...]) -> None:
    with pytest.raises(FacilityError) as refused:
        balance_cabinet(Cabinet("PDU", panels))
    assert refused.value.code == code


CSV = """\
# cabinet: PDU-1; rating: 75 kVA
# panel: RPP-1A; system: 208Y/120; poles: 12; bus: 100 A
description,poles,va,pf,breaker_a,position,fixed
a,1,1800,1,20,1,no
d,2,3000,1,30,3,yes

# panel: RPP-1B; system: 208Y/120; poles: 12; bus: 225 A
description,poles,va,pf,breaker_a,position,fixed,together
x,1,900,0.9,20,1,no,t
y,1,700,1,20,7,no,t
"""


def test_the_csv_of_a_cabinet_is_that_of_its_panelboards() -> None:
    read = read_cabinet_csv(CSV)
    assert (read.tag, read.rating_va) == ("PDU-1", 75e3)
    assert [(p.tag, p.bus_a, [c.id for c in p.circuits]) for p in read.panels] == [
        ("RPP-1A", 100.0, ["RPP-1A-1", "RPP-1A-2"]),
        ("RPP-1B", 225.0, ["RPP-1B-1", "RPP-1B-2"]),
    ]
    assert is_cabinet_csv(CSV)
    assert is_cabinet_csv(CSV.partition("\n")[2])
    assert not is_cabinet_csv(CSV.partition("\n")[2].partition("\n\n")[0])
    written = write_cabinet_csv(read)
    assert write_cabinet_csv(read_cabinet_csv(written)) == written
    assert read_cabinet_csv(written).panels == read.panels
    assert read_cabinet_csv(CSV.replace("\n", ",,,,,,,\r\n").replace(",,,,,,,\r\n", "\r\n")) == read


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("rating: 75 kVA", "rating: 75 kW", "UNIT_WRONG", ":1:rating"),
        ("rating: 75 kVA", "rating: 0 kVA", "CABINET_CSV", ":1:rating"),
        ("rating: 75 kVA", "volts: 3", "CABINET_CSV", ":1"),
        ("PDU-1;", ";", "CABINET_CSV", ":1"),
        ("# panel: RPP-1A", "panel: RPP-1A", "CABINET_CSV", ":2"),
        ("x,1,900", "x,4,900", "PANEL_CSV_CELL", "!B9"),
        ("y,1,700,1,20,7", "y,1,700,1,20,1", "PANEL_OVERLAP", "!F10"),
        ("RPP-1B", "RPP-1A", "CABINET_PANELS", ""),
    ],
)
def test_a_wrong_cabinet_csv_is_refused_with_its_place(
    old: str, new: str, code: str, where: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        read_cabinet_csv(CSV.replace(old, new), "c.csv")
    assert refused.value.code == code
    assert refused.value.where.endswith(f"c.csv{where}" if where else "PDU-1")


def test_circuits_without_a_place_may_be_more_than_their_panelboard_holds() -> None:
    rows = "".join(f"c{n},3,900,1,20,,no\n" for n in range(5))
    text = CSV.replace("a,1,1800,1,20,1,no\n", rows)
    found = balance_cabinet(read_cabinet_csv(text))
    assert found.cabinet.placed
    assert "imbalance.before" not in found.results


def test_the_command_balances_a_cabinet(tmp_path: Path) -> None:
    file, out = tmp_path / "c.csv", tmp_path / "out.csv"
    file.write_text(CSV)
    ran = run("balance", file, "--json", "--out", out)
    assert ran.code == 0
    found = balance_cabinet(read_cabinet_csv(CSV))
    assert ran.json["results"].items() >= found.results.as_json().items()
    assert ran.json["placement"] == cabinet_lists(found)["placement"]
    assert len(ran.json["warnings"]) == 1
    assert out.read_text() == write_cabinet_csv(found.cabinet)
    shown = run("balance", file).out
    assert all(step in shown for step in found.steps)
    one_error(run("balance", file, "--moves"), "BALANCE_CABINET", 2)
