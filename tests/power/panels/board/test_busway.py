"""Busways: phases chosen at the tap-off, currents along the bus by hand; single-column panels."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.moves.pareto import pareto_moves
from facility.report.studies.balance import panel_lists
from tests.cli.helpers import run
from tests.power.panels.balance.groups import value
from tests.power.panels.helpers import load, panel

V_LN = 415.0 / math.sqrt(3.0)


def busway(*circuits: Circuit, taps: int = 12, **changes: object) -> Panel:
    return panel(*circuits, poles=taps, numbering="BUSWAY", system="415Y/240", **changes)


def tapped(id: str, poles: int, amperes: float, at: int, start: int, **changes: object) -> Circuit:
    """Return a load of unity power factor that draws `amperes` on each of its lines."""
    volts = {1: V_LN, 2: 415.0, 3: 3.0 * V_LN}[poles]
    return load(id, poles, amperes * volts, position=at, tap_phase=start, **changes)


def test_the_feed_end_carries_the_sum() -> None:
    """10 A on A at 1, 20 A A-B at 3, 30 A three-phase at 4; hand arithmetic of phasors.

    From 3 on, line A carries 30 + 20 at 30 degrees: |30 + 20 cos 30 + j 20 sin 30| = 48.366 A;
    line B the same by symmetry, C 30 A. At the feed end line A has 10 A more:
    |40 + 17.3205 + j 10| = 58.186 A.
    """
    run_ = busway(
        tapped("a", 1, 10.0, 1, 0), tapped("ab", 2, 20.0, 3, 0), tapped("t", 3, 30.0, 4, 0), taps=5
    )
    pair = math.hypot(30.0 + 10.0 * math.sqrt(3.0), 10.0)
    whole = math.hypot(40.0 + 10.0 * math.sqrt(3.0), 10.0)
    assert (pair, whole) == (pytest.approx(48.366, abs=5e-4), pytest.approx(58.186, abs=5e-4))
    fed = panel_loads(run_)[0]
    assert fed.line_a == pytest.approx([whole, pair, 30.0])
    assert fed.neutral_a == pytest.approx(10.0)
    assert balance(run_).current_max_a <= whole


SORTS = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 2, 3]),
        st.floats(1.0, 40.0),
        st.integers(0, 2),
        st.sampled_from(["", "", "m"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)


def shares_phase(one: Panel) -> bool:
    phases = [one.phases(c) for c in one.circuits if c.apart and c.poles == 1]
    return len(set(phases)) < len(phases)


@given(SORTS, st.sampled_from(["current", "va"]))
@settings(max_examples=30, deadline=None)
def test_phases_are_the_best_of_all(
    sorts: list[tuple[int, float, int, str, bool]], objective: str
) -> None:
    posed = busway(
        *(
            tapped(str(n), k, amperes, n + 1, start, apart=apart, fixed=fixed)
            for n, (k, amperes, start, apart, fixed) in enumerate(sorts)
        )
    )
    every = []
    for starts in itertools.product(range(3), repeat=len(posed.circuits)):
        one = replace(
            posed,
            circuits=tuple(
                replace(c, tap_phase=s) for c, s in zip(posed.circuits, starts, strict=True)
            ),
        )
        stay = all(o == n or not o.fixed for o, n in zip(posed.circuits, one.circuits, strict=True))
        if stay and not shares_phase(one):
            every.append(value(one, objective))
    if not every:
        with pytest.raises(FacilityError) as refused:
            balance(posed, objective)
        assert refused.value.code == "PANEL_GROUP"
        return
    found = balance(posed, objective, exact=True, gap=0.0, kicks=3)
    assert found.status == "optimal"
    assert found.reached == pytest.approx(min(every), rel=2e-6)
    assert not shares_phase(found.panel)
    assert [c.position for c in found.panel.circuits] == [c.position for c in posed.circuits]
    for old, new in zip(posed.circuits, found.panel.circuits, strict=True):
        assert (old.tap_phase == new.tap_phase) or (
            not old.fixed and new.id in {move.id for move in found.moves}
        )


def test_twelve_equal_tap_offs_of_each_sort_balance() -> None:
    loads = [load(f"{k}-{n}", k, 2000.0) for k in (1, 2) for n in range(6)]
    found = balance(busway(*loads))
    assert found.after.imbalance == pytest.approx(0.0, abs=1e-9)
    assert found.after.neutral_a == pytest.approx(0.0, abs=1e-9)
    assert sorted(found.panel.phases(c) for c in found.panel.circuits) == [
        "A",
        "A",
        "AB",
        "AB",
        "B",
        "B",
        "BC",
        "BC",
        "C",
        "C",
        "CA",
        "CA",
    ]
    assert sorted(c.position or 0 for c in found.panel.circuits) == list(range(1, 13))


def test_groups_take_neighbouring_tap_offs_and_fixed_ones_stay() -> None:
    posed = busway(
        tapped("f", 1, 10.0, 2, 0, fixed=True, together="g"),
        tapped("w", 1, 5.0, 1, 1, fixed=True),
        tapped("m", 3, 10.0, 6, 0, together="g"),
        load("n", 1, 100.0, together="g"),
        taps=6,
    )
    found = balance(posed).panel
    at = {c.id: c.position for c in found.circuits}
    assert (at["f"], at["w"]) == (2, 1)
    assert {at["m"], at["n"]} == {3, 4}
    walled = busway(*posed.circuits[:3], tapped("v", 1, 5.0, 3, 1, fixed=True), taps=6)
    with pytest.raises(FacilityError) as refused:
        balance(walled)
    assert refused.value.code == "PANEL_GROUP"


def test_a_busway_that_no_phases_can_save_is_refused() -> None:
    loads = [tapped(str(n), 3, 50.0, n + 1, 0) for n in range(5)]
    with pytest.raises(FacilityError, match=r"at least 250\.0 A") as refused:
        balance(busway(*loads, bus_a=249.0))
    assert (refused.value.code, refused.value.exit_code) == ("BUSWAY_RATING", 4)
    found = balance(busway(*loads, bus_a=250.0)).results.as_json()
    assert found["bus.loading"]["value"] == pytest.approx(100.0)


CSV = """\
# panel: BW-1; system: 415Y/240; tap-offs: 8; bus: 160 A; numbering: BUSWAY
id,description,poles,va,pf,breaker_a,position,fixed,phases
a,a,1,3000,1,20,1,no,B
b,b,2,3000,1,20,2,yes,AC
c,c,3,9000,1,30,7,no,C-A-B
d,d,1,2500,1,20,,no,
"""


def test_the_csv_states_the_phases() -> None:
    read = read_panel_csv(CSV)
    assert (read.poles, read.poles_used, read.spaces) == (8, 4, (3, 4, 5, 6, 8))
    assert [read.phases(c) for c in read.circuits] == ["B", "CA", "CAB", ""]
    assert not read.placed
    found = balance(read)
    again = read_panel_csv(write_panel_csv(found.panel))
    assert again == found.panel
    assert again.phases(again.circuits[1]) == "CA"
    shown = {e["id"]: e["phases"] for e in panel_lists(found)["placement"]}
    assert shown == {c.id: again.phases(c) for c in again.circuits}


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("20,1,no,B", "20,1,no,AB", "PANEL_CSV_CELL", "!I3"),
        ("C-A-B", "ACB", "PANEL_CSV_CELL", "!I5"),
        ("2,yes,AC", "2,yes,", "PANEL_POSITION", "!G4"),
        ("20,1,no", "20,9,no", "PANEL_POSITION", "!G3"),
        ("20,1,no", "20,2,no", "PANEL_OVERLAP", "!G4"),
        ("tap-offs: 8", "poles: 8", "PANEL_CSV_HEADER", "!A1:poles"),
        ("tap-offs: 8; ", "", "PANEL_CSV_HEADER", "!A1"),
        ("tap-offs: 8", "tap-offs: 3", "PANEL_POSITION", "!G5"),
        ("numbering: BUSWAY", "poles: 12", "PANEL_CSV_HEADER", "!A1:tap-offs"),
        ("tap-offs: 8; bus: 160 A; numbering: BUSWAY", "poles: 12", "PANEL_CSV_CELL", "!I3"),
    ],
)
def test_a_wrong_busway_csv_is_refused_with_its_place(
    old: str, new: str, code: str, where: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        read_panel_csv(CSV.replace(old, new), "b.csv")
    assert (refused.value.code, refused.value.where) == (code, f"b.csv{where}")


def test_where_a_busway_does_not_belong_it_is_refused(tmp_path: Path) -> None:
    read = balance(read_panel_csv(CSV)).panel
    with pytest.raises(FacilityError) as refused:
        pareto_moves(read)
    assert refused.value.code == "BUSWAY_MOVES"
    with pytest.raises(FacilityError) as refused:
        read.layout.phase(1)
    assert refused.value.code == "BUSWAY_PHASE"
    file = tmp_path / "b.csv"
    file.write_text(CSV)
    shown = run("balance", file).out
    assert "8 tap-offs" in shown
    assert "Loading of the bus at its feed end" in shown


def test_a_panel_of_one_column_counts_its_poles_one_by_one() -> None:
    single = LAYOUTS["SINGLE"]
    assert [single.phases(n, 1) for n in (1, 2, 3, 4, 83, 84)] == ["A", "B", "C", "A", "B", "C"]
    assert single.occupied(5, 3) == (5, 6, 7)
    assert single.phases(6, 2) == "CA"
    assert [single.label(n) for n in (1, 84)] == ["1", "84"]
    assert single.may_start(82, 3, 84)
    assert not single.may_start(83, 3, 84)


@pytest.mark.parametrize("poles", [3, 18, 84])
def test_single_columns_of_3_to_84_poles_are_filled_and_balanced(poles: int) -> None:
    loads = [load(f"c{n}", 1, 1000.0) for n in range(poles)]
    text = write_panel_csv(panel(*loads, poles=poles, numbering="SINGLE"))
    assert "numbering: SINGLE" in text
    found = balance(read_panel_csv(text), kicks=2)
    assert found.after.imbalance == pytest.approx(0.0, abs=1e-9)
    assert sorted(c.position or 0 for c in found.panel.circuits) == list(range(1, poles + 1))
