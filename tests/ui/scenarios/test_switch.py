"""The switch shows the whole app for a scenario; an edit then changes this scenario only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.files.project.file import apply_sets, default_project, example_text, parse_project
from facility.files.store.records import Draft
from facility.model.inputs.document import Project
from facility.study.design.design import design
from facility.ui.scenarios import switch
from facility.ui.work.scenario_board import ScenarioBoard, board_of, texts_between, with_texts
from tests.ui.helpers import (
    SCENARIOS,
    assert_sound,
    box,
    choose,
    design_with,
    edit_cells,
    errors,
    forget_store,
    go,
    metrics,
    numbers,
    opened,
    press,
    session,
    show_object,
    shown,
    type_in,
)


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    yield
    forget_store()


def options(at: AppTest) -> list[str]:
    found: list[str] = at.segmented_control(key="scenario-switch").options
    return found


def switch_to(at: AppTest, name: str) -> None:
    at.segmented_control(key="scenario-switch").set_value(name).run()
    assert_sound(at)


def rows(at: AppTest) -> dict[str, str]:
    return board_of(at.session_state["opened"].drafts[Draft.SCENARIOS]).changes(0)


def test_an_edit_changes_the_scenario_that_is_shown_only() -> None:
    at = opened()
    assert options(at) == ["Base"]
    base = metrics(at)
    press(at, "scenario-new")
    choose(at, "UPS redundancy", "2N")
    assert options(at) == ["Base", "A · 2N"]
    assert session(at).project.power.redundancy == "3N/2"
    changed = metrics(at)
    assert changed != base
    notes = {cell["label"]: cell["note"] for grid in numbers(at) for cell in grid["cells"]}
    assert notes["IT load"] == "as Base"
    assert re.fullmatch(r"−\d+\.\d % points vs\. Base", notes["UPS loading, after design failure"])
    switch_to(at, "")
    assert (shown(at, "UPS redundancy"), metrics(at)) == ("3N/2", base)
    assert at.button(key="undo").disabled
    # The scenario follows the project in every other field.
    type_in(at, "Number of GPUs", "2048")
    switch_to(at, "A")
    assert (shown(at, "UPS redundancy"), shown(at, "Number of GPUs")) == ("2N", "2048")
    made = design_with("it.gpus=2048", "power.redundancy=2N", "it.feeds=", "it.cords=")
    assert metrics(at)["IT load"] == made.results["load.it"].shown()


def test_an_edit_survives_what_a_replaced_input_sends_once_more() -> None:
    at = opened()
    press(at, "scenario-new")
    at.session_state["design-input"] = "it.gpus"
    show_object(at, "IT")
    of_sidebar = box(at, "it.gpus")
    before = at._tree.get_widget_states().widgets
    (sent,) = (one for one in before if one.id.endswith(f"-{of_sidebar}"))
    at.text_input(key=box(at, "inspector-value it.gpus")).set_value("2048").run()
    assert box(at, "it.gpus") != of_sidebar
    states = at._tree.get_widget_states()
    states.widgets.append(sent)
    at._run(states)
    assert_sound(at)
    assert rows(at) == {"it.gpus": "2048"}
    assert [shown(at, name) for name in ("Value", "Number of GPUs")] == ["2048", "2048"]


def test_a_rejected_entry_of_a_scenario_stays_in_its_box() -> None:
    at = opened()
    press(at, "scenario-new")
    type_in(at, "Number of GPUs", "many")
    switch_to(at, "")
    assert (shown(at, "Number of GPUs"), errors(at)) == ("10000", [])
    switch_to(at, "A")
    assert (shown(at, "Number of GPUs"), errors(at)) == ("many", ["Entry not applied: NOT_A_COUNT"])
    at.text_input(key="scenario-name-A").set_value("More").run()
    assert shown(at, "Number of GPUs") == "many"
    press(at, "put-back-it.gpus")
    for name in ("", "More"):
        switch_to(at, name)
        assert shown(at, "Number of GPUs") == "10000"


def test_undo_of_a_scenario_leaves_the_project_alone() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "2048")
    press(at, "scenario-new")
    assert at.button(key="undo").disabled
    type_in(at, "Tariff", "0.07 USD/kWh")
    assert rows(at) == {"site.tariff": "0.07 USD/kWh"}
    press(at, "undo")
    assert not rows(at)
    assert session(at).project.it.gpus == 2048
    press(at, "redo")
    assert rows(at) == {"site.tariff": "0.07 USD/kWh"}
    switch_to(at, "")
    press(at, "undo")
    assert session(at).project.it.gpus == 10000
    assert options(at) == ["Base", "A · 0.07 USD/kWh"]


def test_a_scenario_is_copied_renamed_used_and_removed() -> None:
    at = opened()
    press(at, "scenario-new")
    type_in(at, "Number of GPUs", "2048")
    press(at, "scenario-new")
    type_in(at, "Tariff", "0.07 USD/kWh")
    assert options(at) == ["Base", "A · 2048", "B · 2048"]
    at.text_input(key="scenario-name-B").set_value("Cheap").run()
    assert options(at) == ["Base", "A · 2048", "Cheap"]
    press(at, "scenario-use")
    project = session(at).project
    assert (project.it.gpus, project.site.tariff.text) == (2048, "0.07 USD/kWh")
    assert at.segmented_control(key="scenario-switch").value == ""
    press(at, "undo")
    assert session(at).project.it.gpus == 10000
    for name in ("A", "Cheap"):
        switch_to(at, name)
        press(at, "scenario-drop")
    assert options(at) == ["Base"]


def test_a_scenario_without_a_design_is_told_and_not_shown() -> None:
    at = opened()
    go(at, SCENARIOS)
    edit_cells(at, "scenario-inputs", added_rows=[{"path": "it.gpus", "value-A": "many"}])
    switch_to(at, "A")
    assert "Scenario A · many cannot be designed: NOT_A_COUNT" in errors(at)
    assert at.segmented_control(key="scenario-switch").value == ""


def test_changes_of_a_grid_are_shown_at_once() -> None:
    at = opened()
    go(at, SCENARIOS)
    edit_cells(at, "scenario-inputs", added_rows=[{"path": "it.gpus", "value-A": "2048"}])
    switch_to(at, "A")
    edit_cells(at, "scenario-inputs", edited_rows={0: {"value-A": "4096"}})
    assert at.session_state["scenario-shown"].session.project.it.gpus == 4096


@pytest.mark.parametrize(
    "sets",
    [
        ["it.gpus=2048", "power.redundancy="],
        ["checks.waived.0.rule=SPOF", "checks.waived.0.subject=A; B", "checks.waived.0.by=C"],
    ],
)
def test_changes_as_texts_lead_to_the_same_project(sets: list[str]) -> None:
    base = parse_project(example_text("dgx-su-32"))
    sets = [*sets, *(["checks.waived.0.reason=accepted"] if "checks" in sets[0] else [])]
    after = apply_sets(base, sets)
    texts = texts_between(base, after, {"site.tariff": "9 USD/kWh"})
    assert "site.tariff" not in texts
    again = with_texts(base, texts, design).project
    hidden = {"project": base.project}
    assert again.model_copy(update=hidden) == after.model_copy(update=hidden)


def test_a_change_that_the_project_has_too_is_kept() -> None:
    base: Project = default_project()
    known = {"it.gpus": "10000"}
    assert texts_between(base, base, known) == known
    board = ScenarioBoard("", ("A", "B"), (("it.gpus", "8", "9"), ("it.feeds", "2", "")))
    assert board.with_changes(0, {"site.tariff": ""}).rows == (
        ("it.gpus", "", "9"),
        ("site.tariff", "designed", ""),
    )


def test_a_long_change_has_a_short_label(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (("panels.boards", '[{"tag": "A"}]'), ("site.tariff", "0.0700000 USD/kWh by night"))
    monkeypatch.setattr(switch.board, "board", lambda: ScenarioBoard("", ("A",), rows))
    assert switch.label("A") == "A · boards"
    monkeypatch.setattr(switch.board, "board", lambda: ScenarioBoard("", ("A",), rows[1:]))
    assert switch.label("A") == "A · 0.0700000 USD/kWh …"
