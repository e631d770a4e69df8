"""Projects of the library: begun by an edit, opened by address, named, restored, shared by two."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event
from streamlit.testing.v1 import AppTest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, default_project, dump_project
from facility.files.store.library import Library
from facility.files.store.records import Draft
from facility.ui.session import opened as opening
from facility.ui.session.edits import Refused, Session, text_of_waiting, with_waiting
from facility.ui.session.history import History, UndoStep
from facility.ui.session.identity import SINGLE_USER
from facility.ui.session.opened import MAX_DRAFT, Opened
from facility.ui.work.scenario_board import board_of
from tests.files.store.edited import keep_panel
from tests.ui.helpers import (
    NEW,
    PANELS,
    PROJECTS,
    RANGES,
    REVISIONS,
    SCENARIOS,
    SUMMARY,
    SWEEP,
    assert_sound,
    choose,
    edit_cells,
    errors,
    forget_store,
    frames,
    go,
    grid,
    listed_ids,
    metrics,
    new_app,
    opened,
    press,
    press_title,
    select_listed,
    session,
    show_object,
    shown,
    type_in,
    upload,
)

HOSTILE = '"]}{\\u0000<script>`${1+1}`'
PANEL = """\
# panel: LP-7; system: 208Y/120; poles: 12; bus: 100 A
description,poles,va,pf,breaker_a,position,fixed
lights,1,900,1,20,3,no
"""
SHORT = b"schema_version: 1\nproject: {title: Small **hall**}\n"
SHORT += b"it: {gpu_model: H100 SXM5, gpus: 64}\n"


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """Give the library that the app keeps its projects in: an empty one."""
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    yield opening.library(SINGLE_USER)
    forget_store()


def now(at: AppTest) -> Opened:
    found: Opened = at.session_state["opened"]
    return found


def saved(at: AppTest) -> Opened:
    """Wait until nothing is under way."""
    found = now(at)
    assert found.saver._idle.wait(10.0)
    return found


def at_address(project: str) -> AppTest:
    """Return the app as another window opens it at the address of a project."""
    at = new_app()
    at.query_params["p"] = project
    at.run()
    assert_sound(at)
    return at


def session_history(at: AppTest) -> tuple[UndoStep, ...]:
    found: History = at.session_state["history"]
    return found.past


def typed(at: AppTest) -> str:
    return dump_project(session(at).project)


def badges(at: AppTest) -> str:
    return " ".join(one.value for one in at.markdown if "badge[" in one.value)


def waiting(at: AppTest) -> list[tuple[str, str, str]]:
    """Return what waits to be mended: where, what was entered, why it was refused."""
    return [(path, one.value, str(one.error)) for path, one in session(at).refused.items()]


def begun() -> AppTest:
    """Return a project of 2,048 GPUs, which an edit began."""
    at = opened()
    type_in(at, "Number of GPUs", "2048")
    saved(at)
    at.run()
    return at


def test_ranges_refused_and_lines_of_a_sweep_are_there_after_a_reload() -> None:
    at = begun()
    go(at, RANGES)
    edit_cells(at, "ranges-inputs", added_rows=[{"path": "site.tariff", "value-Range": "cheap"}])
    go(at, SWEEP)
    edit_cells(at, "sweep-inputs", added_rows=[{"path": "it.gpus", "value-Values": "64, 128"}])
    id = saved(at).id
    again = at_address(id)
    go(again, RANGES)
    assert "cheap" in list(grid(again, "ranges-inputs").value["Range"])
    assert any("RANGE_TEXT" in error for error in errors(again))
    go(again, SWEEP)
    assert "64, 128" in list(grid(again, "sweep-inputs").value["Values"])
    choose(again, "Example", "dgx-su-32")
    go(again, SWEEP)
    assert "64, 128" not in list(grid(again, "sweep-inputs").value["Values"])
    go(again, RANGES)
    assert "cheap" not in list(grid(again, "ranges-inputs").value["Range"])


def test_looking_saves_nothing_and_the_first_edit_makes_a_project(library: Library) -> None:
    at = opened()
    assert "Example" in badges(at)
    go(at, PROJECTS)
    assert any("No saved projects" in one.value for one in at.info)
    assert library.entries() == []
    go(at, SUMMARY)
    type_in(at, "Number of GPUs", "2048")
    saved(at)
    at.run()
    (entry,) = library.entries()
    assert at.query_params["p"] in (entry.id, [entry.id])
    assert re.search(r"Saved \d\d:\d\d · Revision 2\b", badges(at))
    first, second = reversed(library.revisions(entry.id))
    assert first.label == "from the example"
    assert second.label == "it.gpus: 10000 -> 2048"
    assert entry.title == "2,048 H100 SXM5, 3N/2, air-cooled"
    go(at, PROJECTS)
    assert entry.title in grid(at, "projects").value["Project"].tolist()


def test_a_project_is_back_in_another_session(library: Library) -> None:
    at = begun()
    project = saved(at).id
    other = at_address(project)
    assert typed(other) == typed(at)
    assert shown(other, "Number of GPUs") == "2048"
    assert metrics(other) == metrics(go(at, SUMMARY))


def test_panels_kept_beside_a_project_by_0_5_can_be_downloaded(library: Library) -> None:
    project = saved(begun()).id
    keep_panel(library, project, "own panel", PANEL)
    at = go(at_address(project), PANELS)
    show_object(at, at.session_state["design-object"], "import")
    assert any("stored 1 panels separately" in text.value for text in at.text)
    assert "kept-beside" in [button.key for button in at.download_button]


def test_racks_that_were_not_accepted_wait_in_another_session(library: Library) -> None:
    at = show_object(begun(), "IT", "racks")
    edit_cells(at, "racks-list", added_rows=[{"rack": "Rows <b>7", "device": "DGX H10"}])
    other = show_object(at_address(saved(at).id), "IT", "racks")
    problems = next(d.value for d in frames(other) if "Code" in d.value)
    assert list(problems["Code"]) == ["UNKNOWN_MODEL"]
    press(other, "racks-discard")
    third = show_object(at_address(saved(at).id), "IT", "racks")
    assert "racks-accept" not in [button.key for button in third.button]


def test_what_was_refused_waits_again_in_another_session(library: Library) -> None:
    at = begun()
    type_in(at, "Number of GPUs", "many")
    type_in(at, "Tariff", HOSTILE)
    before = session(at)
    assert list(before.refused) == ["it.gpus", "site.tariff"]
    saved(at)
    other = at_address(now(at).id)
    assert waiting(other) == waiting(at)
    assert shown(other, "Number of GPUs") == "many"
    assert shown(other, "Tariff") == HOSTILE
    assert library.entry(now(at).id).head.number == 2
    type_in(other, "Number of GPUs", "512")
    type_in(other, "Tariff", "0.07 USD/kWh")
    saved(other)
    assert library.drafts.all(now(at).id) == {}
    assert waiting(at_address(now(at).id)) == []


def test_a_refused_entry_in_an_example_is_not_lost_either(library: Library) -> None:
    at = opened()
    type_in(at, "Number of GPUs", "many")
    saved(at)
    at.run()
    (entry,) = library.entries()
    assert entry.head.number == 1
    assert shown(at_address(entry.id), "Number of GPUs") == "many"


def test_rows_of_a_panel_wait_again_in_another_session(library: Library) -> None:
    at = begun()
    go(at, PANELS)
    edit_cells(at, "circuits", edited_rows={0: {"ckt-l": -3}})
    ((tag, draft),) = session(at).drafts.items()
    saved(at)
    kept = session(at_address(now(at).id)).drafts
    assert kept[tag].rows == draft.rows
    assert str(kept[tag].error) == str(draft.error)


def test_what_is_kept_by_another_version_is_left_out(library: Library) -> None:
    at = begun()
    for text in ("no JSON", "[]", '{"entries": [{"path": "it.gpus"}], "panels": []}'):
        for name in Draft:
            library.drafts.save(now(at).id, name, text)
        other = at_address(now(at).id)
        assert waiting(other) == []
        go(other, SCENARIOS)
        assert_sound(other)
        assert not len(grid(other, "scenario-inputs").value)


def test_too_much_to_keep_stays_on_the_page_alone(library: Library) -> None:
    project = default_project()
    error = FacilityError("NO", "it", "no.", "Mend it.")
    entries = {f"it.f{n}": Refused("x" * 1_500, error) for n in range(150)}
    entries["it.last"] = Refused("x" * 5_000, error)
    text = text_of_waiting(Session(project, refused=entries))
    assert len(text) < MAX_DRAFT
    back = with_waiting(Session(project), text)
    assert list(back.refused) == list(entries)[50:150]


def test_scenarios_are_back_in_another_session_each_with_its_project(library: Library) -> None:
    at = begun()
    go(at, SCENARIOS)
    edit_cells(at, "scenario-inputs", added_rows=[{"path": "it.gpus", "value-A": "8000"}])
    press(at, "scenario-add")
    edit_cells(at, "scenario-inputs", edited_rows={0: {"value-B": "many"}})
    board = board_of(now(at).drafts[Draft.SCENARIOS])
    assert (board.names, board.rows) == (("A", "B"), (("it.gpus", "8000", "many"),))
    saved(at)
    other = at_address(now(at).id)
    go(other, SCENARIOS)
    assert board_of(now(other).drafts[Draft.SCENARIOS]) == board
    upload(other, "small.yaml", SHORT)
    go(other, SCENARIOS)
    assert Draft.SCENARIOS not in now(other).drafts
    go(other, PROJECTS)
    press_title(other, "projects", now(at).id)
    go(other, SCENARIOS)
    assert board_of(now(other).drafts[Draft.SCENARIOS]) == board
    assert library.entry(now(at).id).head.number == 2


def test_an_unknown_address_is_said_with_a_way_back(library: Library) -> None:
    at = at_address("no-such-project")
    assert [one.value for one in at.subheader] == ["Project not available"]
    assert not at.metric
    press(at, "missing-example")
    assert metrics(at)
    assert "p" not in at.query_params


def test_a_project_that_is_no_design_any_more_can_be_taken_out(library: Library) -> None:
    kept = library.create(SHORT.replace(b"H100 SXM5", b"H1000").decode(), "by an older version")
    at = at_address(kept.id)
    assert [one.value for one in at.subheader] == ["Project not available"]
    assert any("UNKNOWN_MODEL" in text.value for text in at.text)
    assert at.get("download_button")


def test_two_windows_merge_field_by_field(library: Library) -> None:
    one = begun()
    other = at_address(now(one).id)
    type_in(one, "Number of GPUs", "4096")
    choose(one, "Weather station", "chicago")
    saved(one)
    type_in(other, "Number of GPUs", "512")
    type_in(other, "Tariff", "0.07 USD/kWh")
    assert saved(other).saver.status == "conflict"
    other.run()
    assert "● 2 edits not saved" in badges(other)
    said = "Revision 4 was saved by you, in another window"
    assert any(text.value.startswith(said) for text in other.text)
    other.toggle(key="merge").set_value(True).run()
    paths = {text.value for text in other.text}
    assert "it.gpus" in paths
    assert not {"site.station", "project.title"} & paths
    (place,) = (box.key for box in other.selectbox if "My version: 512" in box.options)
    other.selectbox(key=place).set_value("mine").run()
    press(other, "merge-now")
    saved(other)
    other.run()
    assert "· Revision 5" in badges(other)
    project = session(other).project
    assert (project.it.gpus, project.site.station) == (512, "chicago")
    assert project.site.tariff.text == "0.07 USD/kWh"
    assert project.project.title == "512 H100 SXM5, 3N/2, air-cooled"
    one.run()
    assert any("A newer revision exists: revision 5" in text.value for text in one.text)
    press(one, "show-newer")
    assert typed(one) == typed(other)
    press(one, "undo")
    assert session(one).project.it.gpus == 4096
    assert saved(one).saver.status == "saved"
    assert library.entry(now(one).id).head.number == 6


def test_edits_of_different_fields_are_merged_without_a_question(library: Library) -> None:
    one = begun()
    other = at_address(now(one).id)
    choose(one, "Weather station", "chicago")
    saved(one)
    type_in(other, "Number of GPUs", "512")
    saved(other)
    assert [one.value for one in other.toast] == [
        "Merged with revision 3 by you, in another window."
    ]
    project = session(other).project
    assert (project.it.gpus, project.site.station) == (512, "chicago")
    assert library.entry(now(one).id).head.number == 4
    other.run()
    assert not other.toast
    press(other, "undo")
    saved(other)
    project = session(other).project
    assert (project.it.gpus, project.site.station) == (2048, "chicago")
    assert library.entry(now(one).id).head.number == 5
    # The first window, which has not seen these, undoes its own edit only.
    press(one, "undo")
    saved(one)
    one.run()
    project, station = session(one).project, default_project().site.station
    assert (project.it.gpus, project.site.station) == (2048, station)


def test_undo_goes_on_after_a_reload(library: Library) -> None:
    at = begun()
    type_in(at, "Number of GPUs", "4096")
    type_in(at, "Tariff", "0.07 USD/kWh")
    press(at, "undo")
    saved(at)
    again = at_address(now(at).id)
    assert [one.label for one in session_history(again)] == [
        "it.gpus: 10000 -> 2048",
        "it.gpus: 2048 -> 4096",
    ]
    assert again.button(key="redo").help == ("Redo: site.tariff: 0.05 USD/kWh -> 0.07 USD/kWh")
    press(again, "redo")
    assert shown(again, "Tariff") == "0.07 USD/kWh"
    press(again, "undo")
    for count in ("2048", "10000"):
        press(again, "undo")
        saved(again)
        assert shown(again, "Number of GPUs") == count
    assert again.button(key="undo").disabled
    last = at_address(now(at).id)
    press(last, "redo")
    assert shown(last, "Number of GPUs") == "2048"


def test_a_step_that_cannot_be_read_any_more_is_told(library: Library) -> None:
    at = begun()
    type_in(at, "Number of GPUs", "4096")
    saved(at)
    again = at_address(now(at).id)
    with library._store.writing() as connection:
        connection.exec_driver_sql("UPDATE store_revisions SET text = '' WHERE number = 2")
    press(again, "undo")
    assert "Action not completed: STORE_DAMAGED" in errors(again)
    assert session(again).project.it.gpus == 4096
    assert not again.button(key="undo").disabled


def test_the_second_writer_takes_theirs_or_keeps_a_branch(library: Library) -> None:
    one = begun()
    branch, taker = at_address(now(one).id), at_address(now(one).id)
    type_in(one, "Number of GPUs", "4096")
    saved(one)
    for at in (branch, taker):
        type_in(at, "Number of GPUs", "512")
        assert saved(at).saver.status == "conflict"
        at.run()
    press(taker, "take-theirs")
    assert typed(taker) == typed(one)
    press(branch, "keep-mine")
    saved(branch)
    assert now(branch).id != now(one).id
    assert library.entry(now(branch).id).origin == (now(one).id, 2)
    assert shown(branch, "Number of GPUs") == "512"
    assert library.entry(now(one).id).head.number == 3


def test_who_comes_back_is_shown_the_last_projects_and_goes_on(library: Library) -> None:
    at = go(opened(), NEW)
    assert not [one for one in frames(at) if "-recent" in one.id]
    made = [library.create(SHORT.decode().replace("64", str(n))) for n in (32, 48, 64, 96, 128)]
    library.set_facts(
        made[4].id, 1, {"load.facility": 2.5e6, "pue.design": 1.25, "verdict.count": 4.0}
    )
    at = go(opened(), NEW)
    ids = listed_ids(at, "recent")
    assert ids == [one.id for one in made[:0:-1]]
    rows = grid(at, "recent").value
    first = rows.iloc[0].to_dict()
    assert (first["Facility power (kW)"], first["PUE"], first["Violations"]) == (2500, 1.25, 4)
    assert first["By"] == "you"
    assert rows["Verdict"].tolist() == ["Not all studies were run", *["Not calculated"] * 3]
    assert json.loads(grid(at, "recent").data["body"])["texts"]["6"] == ["just now"] * 4
    press_title(at, "recent", ids[0])
    assert now(at).id == made[4].id
    assert shown(at, "Number of GPUs") == "128"


def test_listed_projects_are_found_copied_put_away_and_deleted(library: Library) -> None:
    at = begun()
    kept = now(at).id
    upload(at, "small.yaml", SHORT)
    small = saved(at).id
    assert library.text(small) == SHORT.decode()
    go(at, PROJECTS)
    assert listed_ids(at, "projects") == [small, kept]
    assert grid(at, "projects").value["Project"][0] == "Small **hall**"
    select_listed(at, "projects", small)
    assert any(text.value.startswith("Small **hall** · ") for text in at.text)
    at.text_input(key="projects-search").set_value("small").run()
    assert listed_ids(at, "projects") == [small]
    press(at, f"duplicate-{small}")
    assert len(library.entries()) == 3
    press(at, f"archive-{small}")
    assert {entry.id for entry in library.entries(archived=True)} == {small}
    at.text_input(key="projects-search").set_value("").run()
    select_listed(at, "projects", kept)
    press(at, f"delete-{kept}")
    press(at, "delete-not")
    assert len(library.entries()) == 2
    press(at, f"delete-{kept}")
    press(at, "delete-sure")
    assert kept not in {entry.id for entry in library.entries()}
    press_title(at, "projects", library.entries()[0].id)
    go(at, SUMMARY)
    assert shown(at, "Number of GPUs") == "64"


def test_a_revision_is_named_compared_and_restored(library: Library) -> None:
    at = begun()
    type_in(at, "Number of GPUs", "64")
    saved(at)
    go(at, REVISIONS)
    assert_sound(at)
    assert list(frames(at)[0].value["Revision"]) == [3, 2, 1]
    inputs = frames(at)[1].value
    assert dict(zip(inputs["input"], inputs["Revision 3"], strict=True))["it.gpus"] == "64"
    at.selectbox(key="revision-chosen").set_value(2).run()
    at.text_input(key="revision-name").set_value("for review").run()
    press(at, "revision-name-it")
    assert library.revisions(now(at).id)[1].name == "for review"
    press(at, "revision-restore")
    assert session(at).project.it.gpus == 2048
    assert library.entry(now(at).id).head.number == 4
    press(at, "undo")
    saved(at)
    assert session(at).project.it.gpus == 64
    assert library.entry(now(at).id).head.number == 5


def test_a_library_out_of_reach_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "folder"))
    at = opened()
    assert [one.value for one in at.warning] == ["The project library cannot be reached"]
    type_in(at, "Number of GPUs", "2048")
    assert saved(at).saver.status == "failed"
    assert not at.warning
    at.run()
    assert "● 2 edits not saved" in badges(at)
    assert errors(at) == ["Edits not saved"]
    go(at, PROJECTS)
    assert any("The project library cannot be read: " in one for one in errors(at))
    press_title(at, "examples", "dgx-su-32")
    assert "Action not completed: NOT_SAVED_YET" in errors(at)
    assert session(at).project.it.gpus == 2048
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "mended.sqlite"))
    press(at, "save-again")
    assert saved(at).saver.status == "saved"
    assert opening.library(SINGLE_USER).entry(now(at).id).head.number == 2


def test_a_full_disk_is_told_and_the_edit_is_saved_once_there_is_space(library: Library) -> None:
    at = begun()
    engine = opening.library(SINGLE_USER)._store.engine
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

    def is_full(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    engine.dispose()
    event.listen(engine, "connect", is_full)
    for count in range(4096, 4196):  # until the pages of the file are used up
        type_in(at, "Number of GPUs", str(count))
        if saved(at).saver.status == "failed":
            break
    at.run()
    assert errors(at) == ["Edits not saved"]
    assert any("the disk is full" in text.value for text in at.text)
    assert session(at).project.it.gpus == count
    event.remove(engine, "connect", is_full)
    engine.dispose()
    press(at, "save-again")
    assert saved(at).saver.status == "saved"


def test_a_change_of_a_list_is_told_in_words() -> None:
    before = default_project()
    given = {"rule": "SPOF", "subject": "ATS-A", "reason": "accepted", "by": "A. Owner"}
    sets = [f"checks.waived.0.{name}={text}" for name, text in given.items()]
    assert opening.change_label(before, apply_sets(before, sets), "SPOF waived") == "SPOF waived"
    more = apply_sets(before, ["it.gpus=2048"])
    assert opening.change_label(before, more, "it.gpus") == "it.gpus: 10000 -> 2048"


def test_a_project_that_was_edited_in_the_database_is_not_shown(library: Library) -> None:
    damaged = library.create(SHORT.decode())
    with library._store.writing() as connection:
        connection.exec_driver_sql("UPDATE store_revisions SET text = replace(text, '64', '65')")
    other = library.create(SHORT.decode())
    at = at_address(damaged.id)
    assert [one.value for one in at.subheader] == ["Project not available"]
    assert any("STORE_DAMAGED" in text.value for text in at.text)
    assert not at.metric
    assert not at.get("download_button")
    assert now(at_address(other.id)).id == other.id
    with library._store.writing() as connection:
        connection.exec_driver_sql("UPDATE store_projects SET name = 'edited'")
    at = begun()
    go(at, PROJECTS)
    assert any("STORE_DAMAGED" in error for error in errors(at))
    assert not any("edited" in text.value for text in (*at.text, *at.markdown))
