"""Every accepted change is one step back and forth; what was refused is none, and stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from facility.files.project.file import apply_sets, default_project, dump_project, parse_project
from facility.files.store.records import SavedRevision
from facility.model.inputs.document import Project
from facility.study.design.design import design
from facility.ui.session.edits import Session, with_entry, with_shared
from facility.ui.session.history import (
    MAX_STEPS,
    REDONE,
    UNDONE,
    History,
    recorded,
    redone,
    stored,
    undone,
    with_merge,
)
from tests.ui.helpers import (
    PANELS,
    POWER,
    SUMMARY,
    assert_sound,
    choose,
    errors,
    go,
    metrics,
    opened,
    press,
    session,
    shown,
    type_in,
)


def fresh() -> Session:
    return Session(default_project())


def unread(number: int) -> Project:
    raise AssertionError(f"revision {number} is read")


def with_gpus(session: Session, count: int) -> Session:
    return replace(session, project=apply_sets(session.project, [f"it.gpus={count}"]))


def test_steps_go_back_and_forth_and_a_new_one_ends_what_was_ahead() -> None:
    first = fresh()
    second, third = with_gpus(first, 512), with_gpus(first, 1024)
    history = recorded(recorded(History(), first, second, "a"), second, third, "b")
    history, now = undone(history, third, unread)
    assert now.project is second.project
    assert now.generation == third.generation + 1
    assert [step.label for step in history.future] == ["b"]
    ahead, again = redone(history, now, unread)
    assert again.project is third.project
    assert ahead.future == ()
    branched = recorded(history, now, with_gpus(now, 64), "c")
    assert not branched.future
    assert [step.label for step in branched.past] == ["a", "c"]
    assert undone(History(), first, unread) == (History(), first)
    assert redone(History(), first, unread) == (History(), first)


def test_what_is_refused_is_a_step_and_what_says_the_same_is_none() -> None:
    before = fresh()
    refused = with_entry(before, "it.gpus", "abc", design)
    history = recorded(History(), before, refused, "x")
    assert [step.accepted for step in history.past] == [False]
    assert undone(history, refused, unread)[1].refused == {}
    same = replace(before, project=parse_project(dump_project(before.project)))
    assert same.project is not before.project
    assert recorded(History(), before, same, "x") == History()


def test_undo_after_a_refused_entry_leaves_what_was_accepted_before_it() -> None:
    first = fresh()
    accepted = with_entry(first, "it.gpus", "512", design)
    refused = with_entry(accepted, "it.gpus", "abc", design)
    history = recorded(recorded(History(), first, accepted, "a"), accepted, refused, "b")
    history, now = undone(history, refused, unread)
    assert (now.project.it.gpus, now.refused) == (512, {})
    history, now = undone(history, now, unread)
    assert now.project.it.gpus == first.project.it.gpus


def test_the_oldest_steps_are_let_go() -> None:
    history, now = History(), fresh()
    for count in range(1, MAX_STEPS + 11):
        after = with_gpus(now, count)
        history, now = recorded(history, now, after, str(count)), after
    assert len(history.past) == MAX_STEPS
    assert history.past[0].label == "11"


def revision(number: int, gpus: int, label: str) -> SavedRevision:
    """Return a revision of a project of so many GPUs."""
    return SavedRevision("p", number, datetime.now(UTC), "Ann", label, None, str(gpus), 1, {})


def test_saved_revisions_are_steps_and_those_of_undo_move_them() -> None:
    counts = {1: 8, 2: 16, 3: 32, 4: 16, 5: 8, 6: 16}
    labels = ("created", "a", "b", f"{UNDONE}b", f"{UNDONE}a", f"{REDONE}a")
    found = [revision(n, counts[n], label) for n, label in enumerate(labels, 1)]

    def read(number: int) -> Project:
        return with_gpus(fresh(), counts[number]).project

    history, now = stored(found), with_gpus(fresh(), 16)
    assert [step.label for step in history.past] == ["a"]
    assert [step.label for step in history.future] == ["b"]
    ahead, there = redone(history, now, read)
    assert there.project.it.gpus == 32
    assert undone(ahead, there, unread)[1].project is now.project
    assert undone(history, now, read)[1].project.it.gpus == 8
    # A label that is entered like one of undo, of other content, is a step.
    more = stored([*found, revision(7, 5, f"{UNDONE}a")])
    assert [step.label for step in more.past] == ["a", f"{UNDONE}a"]
    assert not more.future
    many = stored(revision(n, n, str(n)) for n in range(1, 200))
    assert [step.number for step in many.past] == list(range(199 - MAX_STEPS, 199))


def test_undo_after_a_merge_keeps_what_the_other_user_changed() -> None:
    first = fresh()
    second = with_gpus(first, 512)
    base = second.project
    third = replace(second, project=apply_sets(base, ["power.redundancy=2N"]))
    theirs = apply_sets(base, ["site.tariff=0.07 USD/kWh"])
    history = recorded(recorded(History(), first, second, "a"), second, third, "b")
    both = replace(third, project=apply_sets(third.project, ["site.tariff=0.07 USD/kWh"]))
    history, now = undone(with_merge(history, base, theirs), both, unread)
    assert now.project == theirs
    history, now = undone(history, now, unread)
    assert now.project == apply_sets(first.project, ["site.tariff=0.07 USD/kWh"])
    for _ in range(2):
        history, now = redone(history, now, unread)
    assert now.project == both.project


def test_projects_of_the_history_share_what_did_not_change() -> None:
    before = default_project()
    changed = apply_sets(before, ["it.gpus=512"])
    shared = with_shared(changed, before)
    assert shared == changed
    assert shared.power is before.power
    assert shared.cooling is before.cooling
    assert shared.it is changed.it
    after = with_entry(Session(before), "it.gpus", "512", design)
    assert after.project.site is before.site


def test_undo_and_redo_of_entries_within_one_project() -> None:
    at = opened()
    assert at.button(key="undo").disabled
    assert at.button(key="redo").disabled
    start = metrics(at)
    type_in(at, "Number of GPUs", "2048")
    type_in(at, "Number of GPUs", "64")
    press(at, "undo")
    assert shown(at, "Number of GPUs") == "2048"
    press(at, "undo")
    assert shown(at, "Number of GPUs") == "10000"
    assert metrics(at) == start
    assert at.button(key="undo").disabled
    for expected in ("2048", "64"):
        press(at, "redo")
        assert shown(at, "Number of GPUs") == expected
    assert at.button(key="redo").disabled
    choose(at, "Example", "dgx-su-32")
    assert at.button(key="undo").disabled
    assert at.button(key="redo").disabled


def test_undo_stands_on_every_page_and_works_from_any() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "2048")
    for page in (PANELS, POWER, SUMMARY):
        go(at, page)
        assert_sound(at)
        assert not at.button(key="undo").disabled
    go(at, PANELS)
    press(at, "undo")
    assert session(at).project == default_project()
    assert not at.button(key="redo").disabled


def test_a_refused_entry_survives_the_next_one_and_is_undone_by_itself() -> None:
    at = opened()
    type_in(at, "Tariff", "132")
    type_in(at, "Number of GPUs", "2048")
    assert shown(at, "Tariff") == "132"
    press(at, "undo")
    assert shown(at, "Number of GPUs") == "10000"
    assert shown(at, "Tariff") == "132"
    assert errors(at)[0] == "Entry not applied: UNIT_MISSING"
    press(at, "undo")
    assert not at.error
    assert shown(at, "Tariff") == "0.05 USD/kWh"
