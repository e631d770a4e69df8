"""Panel schedules in the layouts of other programs, against phase sums added by hand."""

from __future__ import annotations

import csv
import random
import time
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.circuit_table.read import TableAnswers, TableRead, read_table
from facility.files.import_panel.read import PanelImport, import_panel
from facility.files.incoming.grid import ReadCells
from facility.files.incoming.text_table import text_table
from facility.files.panel_csv.document import complete_panel, read_panel_csv, write_panel_csv
from facility.power.panels.board.model import Panel

HERE = Path(__file__).parent
LAYOUTS = {
    row["file"]: row
    for row in csv.DictReader((HERE / "layouts.csv").read_text(encoding="utf-8").splitlines())
}


def phase_va(panel: Panel) -> dict[str, float]:
    sums = dict.fromkeys("ABC", 0.0)
    for circuit in panel.circuits:
        for phase, va in zip(panel.phases(circuit), circuit.pole_va(), strict=True):
            sums[phase] += va
    return sums


def read(name: str) -> PanelImport:
    answers = TableAnswers(panel=LAYOUTS[name]["panel"])
    (found,) = import_panel(HERE / "layouts" / name, answers=answers)
    return found


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_is_read(name: str) -> None:
    row, found = LAYOUTS[name], read(name)
    panel = found.panel
    assert found.problems == ()
    stated = [row[key] for key in ("tag", "system", "poles", "numbering")]
    assert [panel.tag, panel.system, str(panel.poles), panel.numbering] == stated
    ratings = [float(row[key]) if row[key] else None for key in ("bus_a", "main_a")]
    assert [panel.bus_a, panel.main_a] == ratings
    spares = sum(circuit.class_code == "SPARE" for circuit in panel.circuits)
    assert (len(panel.circuits), spares) == (int(row["circuits"]), int(row["spares"]))
    expected = {phase: float(row[phase.casefold()]) for phase in "ABC"}
    assert phase_va(panel) == pytest.approx(expected, abs=2e-3)
    assert found.power_factor == (row["factor"] == "yes")
    assert not any("but the circuits have" in note for note in found.notes)
    again = read_panel_csv(found.csv())
    assert phase_va(again) == pytest.approx(expected, abs=2e-3)


WRITTEN = """\
PANEL: RPP-1,,,,,
VOLTAGE: 208Y/120,,,,,
CKT,DESCRIPTION,POLES,TRIP,A (VA),B (VA),C (VA)
1,Rack 1,3,30,2400,2300,2200
2,Rack 2,2,30,1800,1800,
6,Rack 3,1,20,,,900
TOTAL (VA),,,,4200,4100,3100
"""


def table(
    text: str, panel: str = "RPP-1; 208Y/120; 12", more: TableAnswers | None = None
) -> TableRead:
    said = replace(more or TableAnswers(), panel=panel)
    return read_table(text_table(text, "s.csv"), (), said)


@pytest.mark.parametrize("seed", range(12))
def test_columns_and_rows_in_any_order_are_the_same_panel(seed: int) -> None:
    chance = random.Random(seed)
    rows = [line.split(",") for line in WRITTEN.splitlines()[2:-1]]
    columns = chance.sample(range(len(rows[0])), len(rows[0]))
    body = chance.sample(rows[1:], len(rows) - 1)
    text = "\n".join(",".join(row[c] for c in columns) for row in [rows[0], *body])
    first = {c.id: c for c in table(WRITTEN).circuits}
    assert {c.id: c for c in table(text).circuits} == first
    assert len(first) == 3


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_poles_in_any_order_are_the_same_panel(seed: int) -> None:
    text = (HERE / "layouts" / "again.csv").read_text(encoding="utf-8").splitlines()
    body = [line for line in text[3:] if not line.startswith("CKT")]
    shuffled = [*text[:3], *random.Random(seed).sample(body, len(body))]
    first = {c.id: c for c in read("again.csv").panel.circuits}
    assert {c.id: c for c in table("\n".join(shuffled), "").circuits} == first


@pytest.mark.parametrize(
    "heads",
    [
        "Circuit,Load Name,P,BKR,L1 VA,L2 VA,L3 VA",
        "No.,Description,No. of poles,OCPD (A),Phase A [VA],ØB VA,C VA",
        "Pole no.,Designation,Pole,Trip A,VA A,VA B,VA C",
        "CKT NO.,LOAD DESCRIPTION,POLES,C/B AMP,A CONN. LOAD (VA),B CONN. LOAD (VA),C VA",
    ],
)
def test_synonyms_of_headings_are_the_same_panel(heads: str) -> None:
    text = WRITTEN.replace(WRITTEN.splitlines()[2], heads)
    assert table(text).circuits == table(WRITTEN).circuits


def test_a_total_that_differs_is_reported_with_its_cell() -> None:
    found = table(WRITTEN.replace("4200,4100,3100", "4200,4110,3100"))
    assert found.problems == ()
    (note,) = [n for n in found.notes if "but the circuits have" in n]
    assert note.startswith("s.csv!F7 'TOTAL (VA)': phase B, 4,110 VA, but the circuits have 4,100")
    assert any("agree" in note for note in table(WRITTEN).notes)


def test_merged_cells_of_a_workbook(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook["Sheet"]
    sheet.append(["PANEL: RPP-1", None, None, "VOLTAGE: 208Y/120V 3PH 4W"])
    sheet.append(["CKT", "LOAD", "TRIP", "POLES", "A (kVA)", "B (kVA)", "C (kVA)"])
    for row in (
        (1, "Rack 1", 30, 3, 2.4),
        (3, None, None, None, None, 2.4),
        (2, "SPACE"),
        (5, None, None, None, None, None, 2.4),
        (4, "Fan", "20A", 1, None, 0.5),
        (6, "SPARE", 20, 1),
    ):
        sheet.append(row)
    for column in "BCD":
        sheet.merge_cells(f"{column}3:{column}4")
    workbook.save(tmp_path / "b.xlsx")
    (found,) = import_panel(tmp_path / "b.xlsx")
    assert found.problems == ()
    assert phase_va(found.panel) == pytest.approx({"A": 2400.0, "B": 2900.0, "C": 2400.0})
    assert [c.class_code for c in found.panel.circuits] == ["MISC", "MISC", "SPARE"]


HEADS = "Ckt,Description,Poles,Trip,VA\n"
OPEN = {
    "amps": ("Ckt,Description,Poles,Amps,VA\n1,a,1,20,5\n", "D1", "--map 'Amps=breaker_a'"),
    "no unit": ("Ckt,Description,Trip,A,B,C\n1,a,20,500,,\n", "D1", "--map 'A=phase_a VA'"),
    "two names": ("Ckt,Description,Name,Poles,VA\n1,a,b,1,5\n", "C1", "--map 'Name=ignore'"),
    "decimal": ('Ckt,Description,Poles,kVA\n1,a,1,"1,250"\n', "D2", "--decimal"),
    "thousands": (HEADS + "1,a,1,20,1.250\n", "E2", "--decimal"),
    "watts": ("Ckt,Description,Poles,kW\n1,a,1,1\n", "D1", "--power-factor"),
    "no poles": ("Ckt,Description,Trip,VA\n1,a,20,900\n7,b,20,900\n", "A2", "Enter 1, 2 or 3"),
    "twice": (HEADS + "1,a,1,20,9\n1,b,1,20,9\n", "A3", "Move one"),
    "inside": (HEADS + "1,a,2,20,9\n3,b,1,20,9\n", "A3", "Move one"),
    "poles differ": ("Ckt,Description,Poles,Bkr,VA\n1,a,1,20/2,9\n", "C2", "Correct one"),
    "not a breaker": (HEADS + '"1,2",a,2,20,9\n', "A2", "first pole"),
    "no load": (HEADS + "1,a,1,20,\n", "E2", "SPARE"),
    "space with load": (HEADS + "1,SPACE,,,900\n", "B2", ""),
    "wrong phase": ("Ckt,Description,Poles,VA A,VA B,VA C\n1,a,1,,9,\n3,b,1,,9,\n", "E2", "column"),
    "lost leg": ("Ckt,Description,Poles,VA A,VA B,VA C\n1,a,3,9,9,\n", "D2", "correct the poles"),
    "unequal": ("Ckt,Description,Poles,VA A,VA B,VA C\n1,a,2,90,40,\n", "E2", "half"),
    "a sum": ("Ckt,Description,Poles,VA,VA A,VA B,VA C\n1,a,1,900,500,,\n", "D2", "Correct one"),
    "phase letter": ("Ckt,Description,Poles,Phase,VA\n1,a,1,B,9\n", "D2", "Correct"),
    "volts": (HEADS + "1,a,1,20,208 V\n", "E2", "VA"),
    "class": ("Ckt,Description,Poles,VA,Class\n1,a,1,9,X\n", "E2", "ignore"),
    "formula": (HEADS + "1,a,1,20,=1+1\n", "E2", ""),
    "row sums": (
        "VA,Description,P,Trip,Ckt,A,B,C,Ckt,Trip,P,Description,VA\n"
        "500,a,1,20,1,900,,,2,20,1,b,400\n300,c,1,20,3,,500,,4,20,1,d,200\n",
        "F1",
        "Add --map 'A=ignore' --map 'B=ignore'.",
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_a_doubt_is_an_error_with_its_cell_and_answer(name: str) -> None:
    text, where, hint = OPEN[name]
    problems = table(text).problems
    assert f"s.csv!{where}" in [problem.where for problem in problems]
    assert any(hint in problem.hint for problem in problems)


@pytest.mark.parametrize(
    ("name", "more", "va"),
    [
        ("amps", TableAnswers({"amps": "breaker_a"}), 5.0),
        ("no unit", TableAnswers({"a": "phase_a kVA", "b": "ignore", "c": "ignore"}), 5e5),
        ("decimal", TableAnswers(decimal=","), 1250.0),
        ("decimal", TableAnswers(decimal="."), 1.25e6),
        ("thousands", TableAnswers(decimal=","), 1250.0),
        ("watts", TableAnswers(power_factor=0.8), 1250.0),
        ("row sums", TableAnswers(dict.fromkeys("ab", "ignore")), 500.0),
    ],
)
def test_each_answer_is_taken(name: str, more: TableAnswers, va: float) -> None:
    found = table(OPEN[name][0], more=more)
    assert found.problems == ()
    assert abs(found.circuits[0].total_va()) == pytest.approx(va)


LONG = "9" * 100_000
HOSTILE = {
    "a long number": (HEADS + f"1,a,1,20,{LONG}x\n", "PANEL_CSV_CELL"),
    "a long text": (HEADS + f"1,{LONG},1,20,9\n", "PANEL_CSV_CELL"),
    "a long circuit number": (HEADS + f"{LONG},a,1,20,9\n", "PANEL_CSV_CELL"),
    "a breaker of digits": (HEADS + "1,a,1," + "1/" * 90 + ",9\n", "NOT_A_NUMBER"),
    "infinite": (HEADS + "1,a,1,20,inf\n", "NOT_A_NUMBER"),
    "an exponent": (HEADS + "1,a,1,20,1e999\n", "NOT_A_NUMBER"),
    "negative": (HEADS + "1,a,1,20,-5\n", "PANEL_CSV_CELL"),
    "a pole of millions": (HEADS + "999999,a,1,20,9\n", "PANEL_POSITION"),
    "a script": (HEADS + "1,<script>alert(1)</script>,1,20,9\n", ""),
    "a formula": (HEADS + "1,=cmd|' /C calc'!A0,1,20,9\n", ""),
    "many rows": (HEADS + "".join(f",c{n},1,20,9\n" for n in range(5000)), "PANEL_CSV_ROW"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_tables_end_in_a_coded_error_or_stay_text(name: str, tmp_path: Path) -> None:
    text, code = HOSTILE[name]
    (tmp_path / "s.csv").write_text(text)
    started = time.process_time()
    answers = TableAnswers(panel="RPP-1; 208Y/120; 12")
    (found,) = import_panel(tmp_path / "s.csv", answers=answers)
    assert time.process_time() - started < 2.0
    assert [problem.code for problem in found.problems][:1] == ([code] if code else [])
    if not code:
        assert all(cell[:1] != "=" for line in found.csv().splitlines() for cell in line.split(","))


CELLS = (
    "",
    "-1",
    "1,3,5",
    "1L1",
    "20/1",
    "abc",
    "1.2.3",
    "inf",
    "1e5",
    "SPARE",
    "|",
    "B",
    "5 kVA",
    "208Y/120",
    "TOTAL",
    "3P",
    "²",
    "٣",
    3,
    3.5,
    True,
    1e9,
    -2,
    10**20,
)


@pytest.mark.parametrize("name", LAYOUTS)
def test_garbled_cells_end_in_a_coded_error_or_a_panel_that_is_written_and_read(name: str) -> None:
    whole = text_table((HERE / "layouts" / name).read_bytes(), name)
    rows, columns = (max(index) for index in zip(*whole.values, strict=True))
    chance = random.Random(name)
    for _ in range(40):
        values = dict(whole.values)
        for _ in range(chance.randint(1, 9)):
            values[chance.randint(1, rows), chance.randint(1, columns)] = chance.choice(CELLS)
        garbled = ReadCells(name, {at: cell for at, cell in values.items() if cell != ""}, {})
        try:
            panel = complete_panel(read_table(garbled, (), TableAnswers(panel="X; 208Y/120; 42")))
        except FacilityError:
            continue
        again = read_panel_csv(write_panel_csv(panel))
        for read_again, circuit in zip(again.circuits, panel.circuits, strict=True):
            assert read_again.position == circuit.position
            assert read_again.pole_va() == pytest.approx(circuit.pole_va(), rel=1e-9)


def test_the_option_states_the_panel_and_says_where_the_file_differs() -> None:
    found = table(WRITTEN, "RPP-1; 208Y/120; 18; 225 A; main: 200 A; numbering: US")
    assert (found.panel.poles, found.panel.bus_a, found.panel.main_a) == (18, 225.0, 200.0)
    other = table(WRITTEN, "LP-2; 208Y/120; 18")
    assert other.panel.tag == "LP-2"
    assert "panel: 'RPP-1' in s.csv!A1; --panel takes precedence" in other.notes


TITLES = list(csv.DictReader((HERE / "titles.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", TITLES, ids=lambda row: row["title"])
def test_each_title_is_read_or_refused(row: dict[str, str]) -> None:
    """Expected values are those in the title; the option of a question is accepted as printed."""
    grid = text_table(f"{row['title']}\n{HEADS}1,a,1,20,900\n", "s.csv")
    stated = TableAnswers()
    if row["refusal"]:
        with pytest.raises(FacilityError) as caught:
            read_table(grid)
        assert row["refusal"] in f"{caught.value.message} {caught.value.hint}"
        if not row["system"]:
            assert "208Y/120;" not in caught.value.hint
            with pytest.raises(FacilityError):
                read_table(grid, (), TableAnswers(panel="LP-2; 208Y/120; 42"))
            return
        stated = TableAnswers(panel=caught.value.hint.split("'")[1])
    found = read_table(grid, (), stated).panel
    assert found.system == row["system"]
    assert found.poles == int(row["poles"] or 42)
    ratings = [float(row[key]) if row[key] else None for key in ("bus_a", "main_a")]
    assert [found.bus_a, found.main_a] == ratings


def test_a_header_is_not_joined_with_the_panel_of_the_project() -> None:
    """208Y/120 with 400 A in the project, 480Y/277 with 225 A in the file."""
    known = table(WRITTEN, "RPP-1; 208Y/120; 12; 400 A; main: 400 A").panel
    text = f"PANEL RPP-1 480Y/277V 225A MLO\n{HEADS}1,a,1,20,900\n"
    found = read_table(text_table(text, "s.csv"), (known,))
    assert (found.panel.system, found.panel.poles) == ("480Y/277", 12)
    assert (found.panel.bus_a, found.panel.main_a) == (225.0, None)
    assert "not in the file, taken from the project: poles 12" in found.notes
    assert any(note.startswith("main 400 A of the project") for note in found.notes)


def test_a_connected_load_and_a_number_of_poles_with_a_sign() -> None:
    head = "PANEL RPP-1 208Y/120V,,,# OF POLES:,12\n"
    columns = "CKT NO,POLES,C/B AMP,DESCRIPTION,CONN. LOAD (KVA)\n"
    found = read_table(text_table(head + columns + "1,3,25,CRAH-1,9.6\n", "s.csv"))
    (circuit,) = found.circuits
    assert (found.panel.poles, circuit.breaker_a, sum(circuit.pole_va())) == (12, 25.0, 9600.0)
