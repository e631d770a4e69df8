"""The panel CSV: read, written, read again; and every way to get it wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.circuit_table.read import MAX_BYTES
from facility.files.panel_csv.cabinet import read_cabinet_csv
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Circuit
from tests.power.panels.helpers import build, frame, load, panel, rack

HEAD = "# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A"
COLUMNS = "description,poles,va,pf,breaker_a,position,fixed"


def text(*rows: str, head: str = HEAD, columns: str = COLUMNS) -> str:
    return "\n".join([head, columns, *rows]) + "\n"


def test_the_shortest_file() -> None:
    read = read_panel_csv(
        text("Lights,1,1200,0.95,20,1,no", "Server,2,3000,1,,,", "CRAH,3,9000,1,40,7,yes")
    )
    assert (read.tag, read.system, read.v_ll, read.poles, read.bus_a) == (
        "RPP-1A",
        "208Y/120",
        208.0,
        42,
        400.0,
    )
    lights, server, crah = read.circuits
    assert [c.id for c in read.circuits] == ["1", "2", "3"]
    assert abs(lights.power_va[0][0]) == pytest.approx(1200.0)
    assert lights.power_va[0][0].real == pytest.approx(1140.0)
    assert (server.connection, server.position, server.breaker_a) == ("L-L", None, None)
    assert [abs(leg) for leg in crah.power_va[0]] == pytest.approx([3000.0] * 3)
    assert crah.fixed
    assert read.states == ("normal",)


def test_three_legs_of_a_whip() -> None:
    head = HEAD.replace("208Y/120", "415Y/240")
    read = read_panel_csv(
        text(
            "1,Rack,3,3469,5204,5204,0.98,60,1,no",
            head=head,
            columns="id,description,poles,va,va_b,va_c,pf,breaker_a,position,fixed",
        )
    )
    found = panel_loads(read)[0]
    assert found.phase_va == pytest.approx((3469.0, 5204.0, 5204.0))


def test_partners_share_and_take_over() -> None:
    """Two feeds: the load doubles. Three feeds: half as much again."""
    columns = COLUMNS + ",partner"
    read = read_panel_csv(
        text(
            "x,1,1000,1,20,1,no,RPP-1B-1",
            "y,1,1000,1,20,3,no,RPP-1B-3 / RPP-1C-3",
            "z,1,1000,1,20,5,no,",
            columns=columns,
        )
    )
    assert read.states == ("normal", "partner lost")
    assert panel_loads(read)[1].phase_va == pytest.approx((2000.0, 1500.0, 1000.0))


def test_partners_in_one_panel_never_count_twice() -> None:
    columns = COLUMNS + ",id,side,partner"
    read = read_panel_csv(
        text("x,1,1000,1,20,1,no,a,A,b", "y,1,1000,1,20,2,no,b,B,a", columns=columns)
    )
    assert read.states == ("normal", "A lost", "B lost")
    assert [x.phase_va[0] for x in panel_loads(read)] == pytest.approx([2000.0] * 3)


TEXT = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp", "Zs")), min_size=1, max_size=20
)


@given(TEXT, TEXT, st.floats(0.0, 1e5), st.floats(0.01, 1.0), st.sampled_from([1, 2, 3]))
@settings(deadline=None)
def test_round_trip(name: str, rack_name: str, va: float, pf: float, poles: int) -> None:
    circuit = load(
        "c1",
        poles,
        va,
        pf,
        description=name,
        rack=rack_name,
        breaker_a=20.0,
        position=5,
        fixed=True,
        side="A",
        class_code="IT-AI",
    )
    first = read_panel_csv(write_panel_csv(panel(circuit)))
    again = read_panel_csv(write_panel_csv(first))
    found = first.circuits[0]
    same = ("id", "description", "rack", "poles", "breaker_a", "position", "fixed", "class_code")
    assert [getattr(found, f) for f in same] == [getattr(circuit, f) for f in same]
    assert found.power_va[0] == pytest.approx(circuit.power_va[0], rel=1e-6, abs=1e-6)
    assert write_panel_csv(again) == write_panel_csv(first)


@pytest.mark.parametrize(
    "payload",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\uff1dHYPERLINK(1)",
        "'=1",
        "  =1",
        '=HYPERLINK("http://x","y")',
        "=A1,B1",
    ],
)
def test_formulas_stay_text(payload: str) -> None:
    written = write_panel_csv(panel(load("c", 1, 100.0, description=payload, rack=payload)))
    cells = [line for line in written.splitlines() if line.startswith("c,")]
    assert not any(f",{payload[0]}" in line for line in cells if payload[0] in "=+-@")
    assert read_panel_csv(written).circuits[0].description.strip() == payload.strip()


def test_a_designed_panel_survives_the_file() -> None:
    designed = build(rack(11)).panels[0]
    read = read_panel_csv(write_panel_csv(designed))
    assert read.tag == "RPP-A01"
    assert [c.id for c in read.circuits] == [c.id for c in designed.circuits]
    before, after = panel_loads(designed), panel_loads(read)
    assert after[0].line_a == pytest.approx(before[0].line_a)
    assert after[1].line_a == pytest.approx(before[2].line_a)  # a partner lost, B lost


def test_a_designed_208_volt_panel_survives_the_file() -> None:
    designed = build(rack(5, devices=2, breaker_a=None), basis=frame("208Y/120")).panels[0]
    read = read_panel_csv(write_panel_csv(designed))
    assert read.circuits[0].connection == "L-L"
    assert panel_loads(read)[0].line_a == pytest.approx(panel_loads(designed)[0].line_a)


def test_the_balanced_panel_is_written_with_positions() -> None:
    read = read_panel_csv(text("a,1,1000,1,20,,", "b,1,1000,1,20,,", "c,1,1000,1,20,,"))
    again = read_panel_csv(write_panel_csv(balance(read).panel))
    assert again.placed
    assert panel_loads(again)[0].imbalance == pytest.approx(0.0, abs=1e-9)


WRONG = {
    "no header": ("description\nx\n", "PANEL_CSV_COLUMN", ""),
    "no comment": (text(head=""), "PANEL_CSV_HEADER", ""),
    "empty": ("", "FILE_EMPTY", ""),
    "binary": ("# panel\0", "FILE_NOT_TEXT", ""),
    "unknown key": (text(head=HEAD + "; volts: 3"), "PANEL_CSV_HEADER", "!A1"),
    "key twice": (text(head=HEAD + "; bus: 3 A"), "PANEL_CSV_HEADER", "!A1"),
    "key missing": (text(head="# panel: x; poles: 42"), "PANEL_CSV_HEADER", "!A1"),
    "system": (text(head=HEAD.replace("208Y/120", "240/120")), "PANEL_CSV_HEADER", "!A1:system"),
    "no wye": (text(head=HEAD.replace("208Y/120", "208Y/208")), "PANEL_CSV_HEADER", "!A1:system"),
    "poles": (text(head=HEAD.replace("42", "96")), "PANEL_CSV_HEADER", "!A1:poles"),
    "few poles": (text(head=HEAD.replace("42", "2")), "NOT_A_COUNT", "!A1:poles"),
    "bus unit": (text(head=HEAD.replace("400 A", "400 V")), "UNIT_WRONG", "!A1:bus"),
    "bus": (text(head=HEAD.replace("400 A", "0 A")), "PANEL_CSV_HEADER", "!A1:bus"),
    "numbering": (text(head=HEAD + "; numbering: UK"), "PANEL_CSV_HEADER", "!A1:numbering"),
    "no rows": (text(), "PANEL_CSV_ROW", ""),
    "no columns": (HEAD + "\n", "PANEL_CSV_COLUMN", ""),
    "no load": (text("a,1", columns="description,poles"), "PANEL_CSV_COLUMN", ""),
    "column twice": (text(columns=COLUMNS + ",va"), "TABLE_QUESTION", "!H2"),
    "quote": (text('"a,1,100,1,20,,'), "TABLE_ROW", ", line 3"),
    "too many cells": (text("a, b,1,100,1,20,7,yes"), "PANEL_CSV_ROW", "!H3"),
    "4 poles": (text("a,4,100,1,20,,"), "PANEL_CSV_CELL", "!B3"),
    "pole text": (text("a,two,100,1,20,,"), "NOT_A_COUNT", "!B3"),
    "no va": (text("a,1,,1,20,,"), "PANEL_CSV_CELL", "!C3"),
    "va text": (text("a,1,1e9x,1,20,,"), "NOT_A_NUMBER", "!C3"),
    "va nan": (text("a,1,nan,1,20,,"), "NOT_A_NUMBER", "!C3"),
    "va negative": (text("a,1,-5,1,20,,"), "PANEL_CSV_CELL", "!C3"),
    "va huge": (text("a,1,1e99,1,20,,"), "PANEL_CSV_CELL", "!C3"),
    "pf": (text("a,1,100,1.2,20,,"), "PANEL_CSV_CELL", "!D3"),
    "one pf": (text("a,1,100,,20,,", "b,1,100,1,20,,"), "PANEL_POWER_FACTOR", "!D3"),
    "breaker": (text("a,1,100,1,0,,"), "PANEL_CSV_CELL", "!E3"),
    "position": (text("a,1,100,1,20,0,"), "NOT_A_COUNT", "!F3"),
    "outside": (text("a,3,100,1,20,41,"), "PANEL_POSITION", "!F3"),
    "fixed": (text("a,1,100,1,20,,maybe"), "PANEL_CSV_CELL", "!G3"),
    "fixed nowhere": (text("a,1,100,1,20,,yes"), "PANEL_POSITION", "!F3"),
    "overlap": (text("a,3,100,1,20,1,", "b,1,100,1,20,3,"), "PANEL_OVERLAP", "!F4"),
    "same pole": (text("a,1,100,1,20,1,", "b,1,100,1,20,1,"), "PANEL_OVERLAP", "!F4"),
    "same id": (
        text("a,1,9,1,20,,,x", "b,1,9,1,20,,,x", columns=COLUMNS + ",id"),
        "PANEL_DUPLICATE",
        "!F4",
    ),
    "class": (text("a,1,9,1,20,,,IT", columns=COLUMNS + ",class"), "PANEL_CSV_CELL", "!H3"),
    "two legs": (text("a,3,9,1,20,,,5", columns=COLUMNS + ",va_b"), "PANEL_CSV_CELL", "!H3"),
    "legs of one pole": (
        text("a,1,9,1,20,,,5,5", columns=COLUMNS + ",va_b,va_c"),
        "PANEL_CSV_CELL",
        "!H3",
    ),
    "connection": (
        text("a,1,9,1,20,,,L-L", columns=COLUMNS + ",connection"),
        "PANEL_CSV_CELL",
        "!H3",
    ),
    "too full": (text(*(f"{n},3,9,1,20,," for n in range(15))), "PANEL_FULL", None),
    "too many": (text(*(f"{n},1,9,1,20,," for n in range(60))), "PANEL_FULL", None),
    "long text": (text("x" * 300 + ",1,9,1,20,,"), "PANEL_CSV_CELL", "!A3"),
    "control": (text("a\x07b,1,9,1,20,,"), "FILE_NOT_TEXT", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_are_refused_with_their_cell(name: str) -> None:
    content, code, place = WRONG[name]
    with pytest.raises(FacilityError) as caught:
        read_panel_csv(content, "p.csv")
    assert caught.value.code == code
    assert place is None or caught.value.where == f"p.csv{place}"


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"#" * (MAX_BYTES + 1), "FILE_TOO_LARGE"), (b"\xff\xfe\x00", "FILE_NOT_TEXT")],
)
def test_files_that_are_no_text_are_refused(content: bytes, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        read_panel_csv(content)
    assert (caught.value.code, caught.value.exit_code) == (code, 6)


def test_a_file_saved_by_a_spreadsheet_is_read() -> None:
    lines = [HEAD + ",,,,,,", COLUMNS, "a,1,1000,1,20,,", ",,,,,,"]
    content = ("\ufeff" + "\r\n".join(lines)).encode()
    assert [c.description for c in read_panel_csv(content).circuits] == ["a"]


def test_spare_breakers_take_poles_and_no_load() -> None:
    read = read_panel_csv(
        text("Spare,1,0,1,20,1,no,SPARE", "x,1,500,1,20,,no,REC", columns=COLUMNS + ",class")
    )
    spare: Circuit = read.circuits[0]
    assert (spare.class_code, spare.total_va()) == ("SPARE", 0j)
    assert balance(replace(read)).panel.circuits[0].position == 1


@pytest.mark.parametrize("second", ["", "1"])
def test_a_circuit_that_is_named_is_a_partner_too(second: str) -> None:
    """500 VA each: with either feed lost the other carries 1,000 VA, whoever names whom."""
    rows = ("a,1,500,1,20,1,no,1,2,A", f"b,1,500,1,20,3,no,2,{second},B")
    read = read_panel_csv(text(*rows, columns=f"{COLUMNS},id,partner,side"))
    assert read.states == ("normal", "A lost", "B lost")
    first, other = ([abs(state[0]) for state in c.power_va] for c in read.circuits)
    assert first == pytest.approx([500.0, 0.0, 1000.0])
    assert other == pytest.approx([500.0, 1000.0, 0.0])


@pytest.mark.parametrize("partner", ["1", "2 / 1"])
def test_a_circuit_is_not_its_own_partner(partner: str) -> None:
    rows = (f"a,1,500,1,20,1,no,{partner},A", "b,1,500,1,20,3,no,,B")
    for read in (read_panel_csv, read_cabinet_csv):
        rows_of = text(*rows, columns=f"{COLUMNS},partner,side")
        with pytest.raises(FacilityError, match="H3: circuit '1' is its own partner"):
            read(rows_of)
