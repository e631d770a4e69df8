"""Panels of the project: edited, refused, undone, balanced, applied and exported in the page."""

from __future__ import annotations

import json
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.files.project.file import apply_sets, default_project, dump_project, parse_project
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.power.panels.moves.pareto import pareto_moves
from facility.study.design.design import Design, design
from facility.ui.panels.panel_view import panel_workbook
from facility.ui.panels.schedule import PoleGrid
from facility.ui.session.panel_rows import GridRow, edited_rows, grid_rows, row_ids, with_rows
from facility.ui.session.state import design_of
from facility.ui.work import runs
from facility.ui.work.frames import packed
from facility.ui.work.jobs import JobFound
from facility.ui.work.pool import Pool, Work
from facility.ui.work.process import Process
from tests.tools.workbooks import read_book
from tests.ui.helpers import (
    PANELS,
    SUMMARY,
    assert_sound,
    choose,
    errors,
    frames,
    go,
    grid,
    metrics,
    opened,
    press,
    report_event,
    run_until,
    session,
    type_in,
    upload,
)

EXAMPLE = "nvl72-hall"
UNEVEN = [
    "it.gpus=512",
    "it.cords.poles=2",
    "it.cords.per_feed=",
    "it.cords.breaker=",
    "it.cords.rack_pdu=",
]


def panel_page() -> AppTest:
    at = opened()
    choose(at, "Example", EXAMPLE)
    go(at, PANELS)
    return at


def designed(at: AppTest) -> Design:
    return design(session(at).project)


def first(at: AppTest) -> Panel:
    return designed(at).panels.panels[0]


def positions(at: AppTest) -> dict[str, int | None]:
    return {key: circuit.position for key, circuit in row_ids(first(at)).items()}


def enter(at: AppTest, edited_rows: dict[int, dict[str, object]]) -> None:
    """Enter texts in cells of the schedule, by circuit in the order of positions, and column."""
    panel = first(at)
    places = {one.id: at for at, one in PoleGrid(panel).poles.items() if not one.pole}
    heads = {"description": "load", "position": "ckt"}
    cells = []
    for number, texts in edited_rows.items():
        row, side = places[grid_rows(panel)[number].id]
        for column, value in texts.items():
            text = "" if value is None else str(value).lower() if value is True else str(value)
            cells.append([row, f"{heads.get(column, column)}-{side}", text])
    report_event(at, grid(at, "circuits").id, "edit", cells=cells)


def marks(at: AppTest) -> dict[str, dict[str, object]]:
    """Return the marks of the schedule by row and column."""
    found = grid(at, "circuits")
    keys = [one["key"] for one in found.data["columns"]]
    body = json.loads(found.data["body"])
    return {
        f"{body['ids'][int(row)]} {keys[int(column)]}": mark
        for row, columns in body["marks"].items()
        for column, mark in columns.items()
    }


def leads_somewhere(at: AppTest) -> bool:
    """Return whether the page shows what to move."""
    return any(one.value == "#### Steps" for one in at.markdown)


def without_workers(monkeypatch: pytest.MonkeyPatch) -> Pool:
    """Have the page ask a pool whose work waits."""
    pool = Pool(0, partial(Process, 0))
    monkeypatch.setattr(runs, "workers", lambda: pool)
    return pool


def works(pool: Pool, job: str) -> list[Work]:
    return [work for key, work in pool._works.items() if key.job == job]


def test_a_cell_edited_moves_the_circuit_and_nothing_else() -> None:
    at = panel_page()
    before, name = positions(at), next(iter(positions(at)))
    enter(at, {0: {"position": 37, "fixed": True}})
    assert not at.error
    assert positions(at) == before | {name: 37}
    moved = row_ids(first(at))[name]
    assert moved.fixed
    at.segmented_control(key="panel-columns").set_value("balancing").run()
    shown = grid(at, "circuits").value
    row = next(one for one in shown.values.tolist() if moved.description in one and "37" in one)
    assert (row[1], row[shown.columns.get_loc("Ø")]) == (True, first(at).phases(moved)[0])
    press(at, "undo")
    assert positions(at) == before
    press(at, "redo")
    assert positions(at) == before | {name: 37}


def test_texts_of_a_circuit_are_kept_with_later_edits() -> None:
    at = panel_page()
    name = next(iter(positions(at)))
    designed_text = row_ids(first(at))[name].description
    enter(at, {0: {"description": "Row 1 left", "together": "x"}})
    enter(at, {1: {"apart": "y"}})
    circuit = row_ids(first(at))[name]
    assert (circuit.description, circuit.together) == ("Row 1 left", "x")
    enter(at, {0: {"description": None}, 1: {"apart": "y"}})
    assert row_ids(first(at))[name].description == designed_text


def test_a_refused_edit_stays_visible_and_loses_nothing() -> None:
    at = panel_page()
    before = positions(at)
    enter(at, {3: {"description": "Kept"}, 0: {"position": 2}})
    assert errors(at) == ["Circuits not applied: PANEL_OVERLAP"]
    assert any("pole 2 is occupied" in text.value for text in at.text)
    assert positions(at) == before
    type_in(at, "Tariff", "0.2 USD/kWh")
    for page in (SUMMARY, PANELS):
        go(at, page)
    assert errors(at) == ["Circuits not applied: PANEL_OVERLAP"]
    assert marks(at)["0 ckt-l"]["text"] == "2"
    assert marks(at)["0 ckt-l"]["error"]
    assert (marks(at)["3 load-r"]["text"], len(marks(at)["3 load-r"])) == ("Kept", 2)
    enter(at, {1: {"position": 37}})
    assert not at.error
    assert sorted(p or 0 for p in positions(at).values()) == [2, 7, 8, 37]
    assert session(at).project.site.tariff is not None


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({"position": 99}, "PANEL_POSITION"),
        ({"position": 0}, "PANEL_POSITION"),
        ({"position": -3}, "PANEL_POSITION"),
        ({"position": 40}, "PANEL_POSITION"),
        ({"position": None, "fixed": True}, "PANEL_POSITION"),
        ({"position": "first"}, "PANEL_POSITION"),
        ({"description": "x\x07y"}, "TEXT"),
    ],
)
def test_what_cannot_be_is_one_coded_refusal(cells: dict[str, object], code: str) -> None:
    at = panel_page()
    before = dump_project(session(at).project)
    enter(at, {0: cells})
    assert code == "TEXT" or marks(at)["0 ckt-l"]["error"]
    assert len(errors(at)) == 1
    assert code in errors(at)[0]
    assert dump_project(session(at).project) == before
    assert at.button(key="undo").label == "Undo"


def test_a_refused_edit_typed_back_leaves_no_trace() -> None:
    at = panel_page()
    enter(at, {0: {"position": 99}})
    enter(at, {0: {"position": 1}})
    assert not at.error
    assert session(at).project.panels.boards is None
    assert not session(at).drafts


def test_a_circuit_is_moved_by_keys_and_changes_places_with_its_neighbour() -> None:
    at = panel_page()
    before = positions(at)
    of = {position: id for id, position in before.items()}
    first_id, second_id = of[1], of[7]
    id = grid(at, "circuits").id
    report_event(at, id, "move", id="0", key="load-l", rows=3, columns=0)
    assert positions(at) == before | {first_id: 7, second_id: 1}
    report_event(at, id, "move", id="3", key="ckt-l", rows=0, columns=1)
    assert positions(at)[first_id] == 8
    report_event(at, id, "move", id="3", key="ckt-r", rows=0, columns=1)
    report_event(at, id, "move", id="0", key="load-l", rows=-1, columns=0)
    assert positions(at)[first_id] == 8  # there is nothing beyond
    press(at, "undo")
    press(at, "undo")
    assert positions(at) == before


def test_another_number_of_gpus_leaves_the_boards_and_says_so() -> None:
    at = panel_page()
    enter(at, {0: {"position": 37}})
    type_in(at, "Number of GPUs", "72")
    assert not at.error
    assert session(at).project.panels.boards is None
    assert "`panels.boards`" in at.warning[0].value
    press(at, "take-back")
    assert session(at).project.panels.boards is not None


def test_balance_shows_before_and_after_and_apply_states_it() -> None:
    at = panel_page()
    enter(at, {0: {"position": None}})
    panel = first(at)
    press(at, f"balance-{panel.tag}")
    already = "Already balanced: no move lowers the imbalance."
    run_until(at, lambda at: leads_somewhere(at) or already in [one.value for one in at.text])
    found = balance(panel)
    assert leads_somewhere(at) == (found.panel != panel)
    before, after = panel_loads(panel)[0], found.after
    texts = dict.fromkeys(f"{100.0 * one.imbalance:.2f}" for one in (before, after))
    assert metrics(at)["Current imbalance"] == f"{' → '.join(texts)} %"
    at_bound = found.reached <= found.bound * (1.0 + 1e-6)
    status = "Proven optimum." if at_bound else "Heuristic result"
    assert any(status in text.value for text in at.text)
    if found.panel != panel:
        press(at, f"apply-{panel.tag}")
        assert not at.error
        assert panel_loads(first(at))[0].imbalance == pytest.approx(after.imbalance)


def edited(panel: Panel, cells: dict[int, dict[str, str]]) -> tuple[GridRow, ...]:
    """Return the rows of a panel with texts entered by line and column."""
    rows = grid_rows(panel)
    texts = [(rows[n].id, key, text) for n, row in cells.items() for key, text in row.items()]
    return edited_rows(rows, texts)


def uneven_page() -> AppTest:
    """Return the page of a panel with 2-pole circuits, the last two moved to loaded phases."""
    project = apply_sets(default_project(), UNEVEN)
    panel = design(project).panels.panels[0]
    rows = edited(panel, {6: {"position": "37"}, 7: {"position": "38"}})
    at = opened()
    upload(at, "uneven.yaml", dump_project(with_rows(project, panel, rows)).encode())
    go(at, PANELS)
    assert_sound(at)
    return at


def test_moves_are_listed_and_one_of_the_plans_is_applied() -> None:
    at = uneven_page()
    before = first(at)
    press(at, f"moves-{before.tag}")
    plans = pareto_moves(before)
    run_until(at, lambda at: any("Proof" in one.value for one in frames(at)))
    (table,) = (one.value for one in frames(at) if "Proof" in one.value)
    assert list(table["Moves"]) == [len(plan.moves) for plan in plans]
    assert [f"{x:.2f}%" for x in table["Imbalance, normal (%)"]] == [
        f"{plan.imbalance:.2%}" for plan in plans
    ]
    _, *titles = at.selectbox(key=f"option-{before.tag}").options
    count = len(plans[1].moves)
    assert titles[0].startswith(f"{count} move{'s' * (count > 1)}: {plans[0].imbalance:.2%} to ")
    assert metrics(at)["Breakers to move"] == str(count)
    assert any(text.value.startswith("1. ckt ") for text in at.text)
    press(at, f"apply-{before.tag}")
    pairs = zip(before.circuits, first(at).circuits, strict=True)
    assert sum(one.position != other.position for one, other in pairs) == count


def test_prove_shows_how_sure_the_answer_is() -> None:
    at = panel_page()
    tag = first(at).tag
    press(at, f"prove-{tag}")
    run_until(at, lambda at: any("Proven" in text.value for text in at.text))
    enter(at, {0: {"position": 37}})
    assert not any("Proven" in text.value for text in at.text)
    assert not leads_somewhere(at)  # the circuit is shown where it was put


def with_network(at: AppTest) -> AppTest:
    """Run the study that the page waits for after an edit, as a worker would."""
    assert design_of(session(at).project).distribution
    return at.run()


def test_a_balance_is_left_to_a_worker_and_asked_for_once_per_panel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = panel_page()
    pool = without_workers(monkeypatch)
    panel = first(at)
    press(at, f"balance-{panel.tag}")
    assert at.button(key="cancel-panel-balance").label == "Cancel"
    assert not leads_somewhere(at)
    (work,) = works(pool, "panel balance")
    with pool._lock:
        pool._came(work, JobFound(whole=packed(balance(panel))))
    at.run()
    assert any("Already balanced" in text.value for text in at.text)
    assert not leads_somewhere(at)
    type_in(at, "Tariff", "0.2 USD/kWh")
    with_network(at)
    assert any("Already balanced" in text.value for text in at.text)
    assert works(pool, "panel balance") == [work]
    enter(at, {0: {"position": 37}})
    with_network(at)
    assert not any("Already balanced" in text.value for text in at.text)
    assert works(pool, "panel balance") == [work]


def test_a_balance_goes_before_its_proof_and_an_edit_ends_the_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = panel_page()
    pool = without_workers(monkeypatch)
    press(at, f"prove-{first(at).tag}")
    (heuristic,), (proof,) = works(pool, "panel balance"), works(pool, "panel proof")
    assert heuristic.number < proof.number
    enter(at, {0: {"position": 37}})
    # Not only after the network, for which the page waits, as the proof held its worker.
    assert [one.state for one in works(pool, "panel proof")] == ["cancelled"]
    assert [one.state for one in works(pool, "panel balance")] == ["cancelled"]
    with_network(at)
    assert not any("Proven" in text.value for text in at.text)


def test_the_objective_is_what_is_minimised() -> None:
    at = uneven_page()
    panel = first(at)
    at.segmented_control(key=f"objective-{panel.tag}").set_value("va").run()
    press(at, f"balance-{panel.tag}")
    run_until(at, leads_somewhere)
    after = balance(panel, "va").after
    assert metrics(at)["VA imbalance"].endswith(f"{100.0 * after.imbalance_va:.2f} %")


def test_rows_become_a_stated_panel_and_come_back() -> None:
    project = apply_sets(default_project(), ["it.gpus=256"])
    panel = design(project).panels.panels[0]
    rows = edited(panel, {0: {"position": "37", "together": " g "}})
    stated = with_rows(project, panel, rows)
    again = design(parse_project(dump_project(stated))).panels.panels[0]
    assert set(grid_rows(again)) == set(rows)
    assert rows[0].together == "g"


def test_exports_hold_the_panel_as_it_stands() -> None:
    at = panel_page()
    enter(at, {0: {"position": 37, "description": "=1+1"}})
    found = designed(at)
    panel = found.panels.panels[0]
    assert {b.key for b in at.download_button} >= {
        f"xlsx-design-{panel.tag}",
        f"csv-design-{panel.tag}",
    }
    book = read_book(panel_workbook(found, panel.tag))
    assert panel.tag in book.sheetnames
    cells = [cell for row in book[panel.tag].iter_rows() for cell in row]
    assert any(cell.value == "=1+1" and cell.data_type == "s" for cell in cells)
    again = read_panel_csv(write_panel_csv(panel))
    assert [c.position for c in again.circuits] == [c.position for c in panel.circuits]
    assert again.circuits[0].description == "=1+1"
