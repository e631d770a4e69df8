"""A panel of the visitor's own: typed, pasted, opened from a file, balanced, exported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.errors import FacilityError
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.files.project.file import apply_sets, default_project
from facility.files.workbook.book import own_workbook
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.moves.pareto import pareto_moves
from facility.study.design.design import Design, design
from facility.ui.panels.export import design_workbook
from facility.ui.panels.intake import read_pasted, read_upload
from facility.ui.session.own_panel import (
    COLUMNS,
    EXAMPLE,
    MAX_ROWS,
    OwnPanel,
    own_of,
    own_panel,
    own_problems,
)
from tests.tools.workbooks import read_book
from tests.ui.helpers import (
    PANELS,
    QUICK,
    assert_sound,
    edit_cells,
    metrics,
    opened,
    press,
    session,
    type_in,
)
from tests.ui.hostile import HOSTILE

TABLE = "Load\tPoles\tVA\tPower factor\tTrip A\tCkt\tFixed\nPump\t3\t9000\t0.9\t40\t1\tno\n"
HOSTILE_CELLS = ("=cmd|' /C calc'!A0", "'=1+1", "@SUM(A1)", "-2+3", HOSTILE, 'a,b"c', "x;y: z")


@pytest.fixture(scope="module")
def found() -> Design:
    return design(apply_sets(default_project(), ["it.gpus=256"]))


def own_page() -> AppTest:
    at = opened()
    at.switch_page(PANELS).run()
    at.segmented_control(key="panel-mode").set_value("own").run()
    assert_sound(at)
    return at


def own(at: AppTest) -> OwnPanel:
    return session(at).own.entered


def cell(panel: OwnPanel, row: int, column: str) -> str:
    return panel.rows[row][COLUMNS.index(column)]


def changed(row: int, **cells: object) -> OwnPanel:
    return EXAMPLE.edited({"edited_rows": {row: cells}})


def test_the_first_screen_shows_a_result() -> None:
    at = own_page()
    panel = own_panel(EXAMPLE)
    before, after = panel_loads(panel)[0], balance(panel).after
    assert metrics(at)["Imbalance"] == f"{before.imbalance:.2%} → {after.imbalance:.2%}"
    assert metrics(at)["Neutral"] == f"{before.neutral_a:.1f} → {after.neutral_a:.1f} A"
    assert any("= 180 A." in text.value for text in at.text)
    assert len(at.get("plotly_chart")) == 1


def test_a_cell_edited_changes_the_result_and_can_be_undone() -> None:
    at = own_page()
    start = metrics(at)
    edit_cells(at, "own", edited_rows={"0": {"va": "1200"}})
    assert metrics(at) != start
    for page in (QUICK, PANELS):
        at.switch_page(page).run()
    assert cell(own(at), 0, "va") == "1200"
    press(at, "undo")
    assert metrics(at) == start
    assert own(at) == EXAMPLE
    press(at, "redo")
    assert cell(own(at), 0, "va") == "1200"


def test_rows_are_added_and_deleted() -> None:
    at = own_page()
    added = {"description": "New", "poles": "1", "va": "500", "pf": "1"}
    edit_cells(at, "own", deleted_rows=[0, 11], added_rows=[added])
    assert len(own(at).rows) == len(EXAMPLE.rows) - 1
    assert cell(own(at), -1, "description") == "New"
    assert not at.error
    assert not own_panel(own(at)).placed
    assert at.selectbox(key="option-own").options == [
        f"Balance of the whole panel: every circuit placed, "
        f"{balance(own_panel(own(at))).after.imbalance:.2%}"
    ]


def test_undo_takes_back_a_refused_paste_and_not_what_was_accepted_before_it() -> None:
    at = own_page()
    edit_cells(at, "own", edited_rows={"0": {"va": "12000"}})
    edit_cells(at, "own", edited_rows={"0": {"va": "lots"}})
    assert at.error
    press(at, "undo")
    assert not at.error
    assert cell(own(at), 0, "va") == "12000"
    press(at, "undo")
    assert cell(own(at), 0, "va") == "9200"


def test_what_is_refused_stays_and_the_last_panel_is_shown() -> None:
    at = own_page()
    start = metrics(at)
    edit_cells(at, "own", edited_rows={"0": {"va": "lots"}, "2": {"pf": "1.2"}})
    assert [error.value for error in at.error] == ["Not applied: NOT_A_NUMBER, PANEL_CSV_CELL"]
    assert any("row 1:va" in t.value and "row 3:pf" in t.value for t in at.text)
    assert metrics(at) == start
    assert at.button(key="apply-own").disabled
    type_in(at, "Bus", "400 A")
    assert cell(own(at), 0, "va") == "lots"
    at.switch_page(QUICK).run()
    at.switch_page(PANELS).run()
    assert (cell(own(at), 0, "va"), own(at).field("bus")) == ("lots", "400 A")
    mended = {"0": {"va": "9200"}, "2": {"pf": "0.96"}}
    edit_cells(at, "own", edited_rows=mended)
    assert not at.error
    assert own_panel(session(at).own.accepted).bus_a == 400.0


@pytest.mark.parametrize(
    ("label", "value", "code"),
    [
        ("Poles", "90", "PANEL_CSV_HEADER"),
        ("System", "12 V", "PANEL_CSV_HEADER"),
        ("Bus", "400", "UNIT_MISSING"),
        ("Tag", "", "PANEL_CSV_HEADER"),
        ("Poles", "8", "PANEL_"),
        ("Poles", "9", "OUT_OF_RANGE"),
    ],
)
def test_a_header_that_cannot_be_is_refused_and_kept(label: str, value: str, code: str) -> None:
    at = own_page()
    type_in(at, label, value)
    assert code in at.error[0].value
    assert value in dict(own(at).header).values()
    assert session(at).own.accepted == EXAMPLE


def test_apply_places_the_circuits_and_undo_takes_them_back() -> None:
    at = own_page()
    best = balance(own_panel(EXAMPLE))
    press(at, "apply-own")
    assert own(at) == EXAMPLE.with_positions(best.panel)
    stands = panel_loads(own_panel(own(at)))[0].imbalance
    assert stands == pytest.approx(best.after.imbalance)
    assert metrics(at)["Breakers to move"] == "0"
    press(at, "undo")
    assert own(at) == EXAMPLE


def test_moves_are_listed_and_one_of_the_plans_is_applied() -> None:
    at = own_page()
    press(at, "moves-own")
    plans = pareto_moves(own_panel(EXAMPLE))
    table = at.dataframe[1].value
    assert list(table["moves"]) == [len(plan.moves) for plan in plans]
    assert [f"{x:.2f}%" for x in table["imbalance, normal %"]] == [
        f"{plan.imbalance:.2%}" for plan in plans
    ]
    titles = at.selectbox(key="option-own").options
    assert titles[1].startswith("1 move: 46.83% to ")
    at.selectbox(key="option-own").set_value(1).run()
    assert metrics(at)["Breakers to move"] == "1"
    assert any(text.value.startswith("1. ckt ") for text in at.text)
    press(at, "apply-own")
    before, after = own_panel(EXAMPLE), own_panel(own(at))
    assert (
        sum(a.position != b.position for a, b in zip(before.circuits, after.circuits, strict=True))
        == 1
    )


def test_prove_shows_how_sure_the_answer_is() -> None:
    at = own_page()
    press(at, "prove-own")
    assert any("Proven" in text.value for text in at.text)
    edit_cells(at, "own", edited_rows={"0": {"va": "1200"}})
    assert any("By the heuristic" in text.value for text in at.text)


def test_the_objective_is_what_is_minimised() -> None:
    at = own_page()
    at.segmented_control(key="objective-own").set_value("va").run()
    after = balance(own_panel(EXAMPLE), "va").after
    assert metrics(at)["Imbalance, VA"].endswith(f"→ {after.imbalance_va:.2%}")


def test_partners_in_one_panel_make_states_to_pick() -> None:
    rows = tuple(
        tuple(
            {
                "description": "x",
                "poles": "1",
                "va": "1000",
                "pf": "1",
                "position": str(n),
                "id": str(n),
                "side": side,
                "partner": str(other),
            }.get(c, "")
            for c in COLUMNS
        )
        for n, side, other in ((1, "A", 2), (2, "B", 1))
    )
    panel = own_panel(replace(EXAMPLE, rows=rows))
    assert panel.states == ("normal", "A lost", "B lost")
    assert own_panel(own_of(panel)).states == panel.states


@pytest.mark.parametrize("text", HOSTILE_CELLS)
def test_hostile_cells_are_text_from_grid_to_exports(text: str, found: Design) -> None:
    entered = changed(0, description=text)
    assert own_problems(entered) == ()
    panel = own_panel(entered)
    assert panel.circuits[0].description == text.removeprefix("'" * text.startswith("'="))
    again = read_panel_csv(write_panel_csv(panel))
    assert again.circuits[0].description == panel.circuits[0].description
    book = read_book(own_workbook(panel, found))
    cells = [c for row in book["Schedule"].iter_rows() for c in row if c.row > 8]
    assert not any(str(c.value).startswith("=cmd") and c.data_type == "f" for c in cells)


def test_the_tag_may_hold_any_punctuation() -> None:
    entered = EXAMPLE.with_field("panel", "A;B: 1")
    assert own_panel(entered).tag == "A;B: 1"


def test_too_many_rows_are_kept_and_refused() -> None:
    row = {"description": "x", "poles": "1", "va": "1", "pf": "1"}
    entered = EXAMPLE.edited({"added_rows": [row] * (MAX_ROWS + 1)})
    assert [problem.code for problem in own_problems(entered)] == ["PANEL_FULL"]
    assert len(entered.rows) == len(EXAMPLE.rows) + MAX_ROWS + 1


def test_a_pasted_table_is_read_by_its_headings() -> None:
    one = read_pasted(TABLE, own_panel(EXAMPLE))
    assert not one.problems
    assert (one.panel.tag, one.panel.poles) == ("EXAMPLE-1", 42)
    assert one.panel.circuits[0].total_va().real == pytest.approx(8100.0)
    own_comment = "# panel: P;9; system: 400Y/230; poles: 24\n"
    with pytest.raises(FacilityError, match="not known in the comment"):
        read_pasted(own_comment + TABLE, own_panel(EXAMPLE))
    other = read_pasted(own_comment.replace(";9", "9") + TABLE, own_panel(EXAMPLE))
    assert (other.panel.tag, other.panel.system) == ("P9", "400Y/230")


def test_rows_that_cannot_be_read_are_named_with_their_cell() -> None:
    text = TABLE + "Fan\t9\t100\t1\t20\t2\tno\nLamp\t1\tmany\t1\t20\t4\tno\n"
    one = read_pasted(text, own_panel(EXAMPLE))
    assert [problem.where for problem in one.problems] == ["pasted table!B3", "pasted table!C4"]
    overlapping = read_pasted(TABLE + "Fan\t1\t100\t1\t20\t3\tno\n", own_panel(EXAMPLE))
    assert [problem.code for problem in overlapping.problems] == ["PANEL_OVERLAP"]
    with pytest.raises(FacilityError, match="PANEL_CSV_COLUMN"):
        read_pasted("a\tb\n1\t2\n", own_panel(EXAMPLE))


def test_a_pasted_table_is_previewed_and_taken_over() -> None:
    at = own_page()
    at.text_area(key="pasted").set_value(TABLE + "Fan\t9\t1\t1\t20\t2\tno\n").run()
    assert_sound(at)
    assert at.button(key="take-text").disabled
    assert own(at) == EXAMPLE
    at.text_area(key="pasted").set_value(TABLE).run()
    press(at, "take-text")
    assert [cell(own(at), 0, name) for name in ("description", "poles", "va")] == [
        "Pump",
        "3",
        "9000",
    ]
    press(at, "undo")
    assert own(at) == EXAMPLE


def test_a_schedule_written_here_is_read_back_from_an_upload(found: Design) -> None:
    panel = found.panels.panels[0]
    content = design_workbook(found, panel.tag)
    (one,) = read_upload(content, "x.xlsx", own_panel(EXAMPLE))
    assert not one.problems
    assert not one.differences
    assert [c.position for c in one.panel.circuits] == [c.position for c in panel.circuits]
    back = own_panel(own_of(one.panel))
    assert panel_loads(back)[0].line_a == pytest.approx(panel_loads(panel)[0].line_a)


def test_an_upload_of_a_csv_file_and_of_a_hostile_one() -> None:
    text = write_panel_csv(own_panel(EXAMPLE))
    (one,) = read_upload(text.encode(), "../../x.csv", own_panel(EXAMPLE))
    assert one.panel.circuits == own_panel(EXAMPLE).circuits
    with pytest.raises(FacilityError):
        read_upload(b"PK\x03\x04" + b"\0" * 64, "x.xlsx", own_panel(EXAMPLE))
    with pytest.raises(FacilityError):
        read_upload(bytes(range(256)), "x.csv", own_panel(EXAMPLE))


def test_the_workbook_of_an_own_panel_says_nothing_of_the_project(found: Design) -> None:
    book = read_book(own_workbook(own_panel(EXAMPLE), found))
    assert book.sheetnames == ["Schedule", "Loads", "Settings"]
    texts = [str(c.value) for sheet in book for row in sheet.iter_rows() for c in row if c.value]
    assert any("EXAMPLE-1" in text for text in texts)
    assert not any("h100" in text.lower() for text in texts)
    assert own_workbook(own_panel(EXAMPLE), found) == own_workbook(own_panel(EXAMPLE), found)


def test_a_table_becomes_one_more_panel() -> None:
    at = own_page()
    edit_cells(at, "own", edited_rows={"0": {"va": "1200"}})
    at.text_area(key="pasted").set_value(TABLE).run()
    press(at, "take-new-text")
    assert len(session(at).own_panels.entries) == 2
    assert len(own(at).rows) == len(own_panel(own(at)).circuits)
    press(at, "undo")
    assert cell(own(at), 0, "va") == "1200"
