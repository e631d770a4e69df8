"""Who may read a project and not change it: the inputs of every page are grey, and it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.files.store.library import Library
from facility.files.store.records import Role
from facility.ui.session import opened as opening
from facility.ui.session.identity import Visitor
from tests.cli.helpers import SHORT
from tests.ui.helpers import (
    ASSUMPTIONS,
    CHECKS,
    INPUTS,
    PANELS,
    RANGES,
    SUMMARY,
    View,
    assert_sound,
    forget_store,
    frames,
    go,
    new_app,
    press,
    session,
)

SAID = "Read-only access."
Comes = Callable[[Role], AppTest]


@pytest.fixture
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    yield opening.library(Visitor("ann", "Ann"))
    forget_store()


@pytest.fixture
def comes(ann: Library, monkeypatch: pytest.MonkeyPatch) -> Comes:
    """Give what opens a project of Ann's as Bob sees it, in a role."""
    # The sign-in first: were it imported after the change, it would keep Bob as its own.
    for module in ("sign_in", "session.identity"):
        monkeypatch.setattr(f"facility.ui.{module}.who", lambda: Visitor("bob", "Bob"))
    project = ann.create(SHORT).id

    def come(role: Role) -> AppTest:
        ann.sharing.give(project, "bob", role)
        at = new_app()
        at.query_params[opening.ADDRESS] = project
        at.run()
        assert_sound(at)
        return at

    return come


def inputs(at: AppTest) -> dict[str, bool]:
    """Return the inputs that edit the project, by key or label, and whether each is grey."""
    mine = f"@{session(at).generation}."
    boxes = [*at.text_input, *at.selectbox, *at.text_area]
    found = {str(one.key): bool(one.disabled) for one in boxes if mine in str(one.key)}
    grids = {
        one.id: not any(column["editable"] for column in one.data["columns"])
        for one in frames(at)
        if one.id.endswith(("circuits", "racks-list"))
    }
    acts = ("fix-", "unwaive-", "confirm", "unconfirm", "inspector-", "apply-")
    buttons = {str(b.key): bool(b.disabled) for b in at.button if str(b.key).startswith(acts)}
    return found | grids | buttons


def said(at: AppTest) -> bool:
    return any(SAID in one.value for one in at.text)


@pytest.mark.parametrize(
    ("page", "least"),
    [(SUMMARY, 6), (INPUTS, 6), (PANELS, 6), (RANGES, 1), (CHECKS, 0), (ASSUMPTIONS, 2)],
    ids=lambda one: one[1] if isinstance(one, tuple) else "",
)
def test_a_reader_sees_grey_inputs_and_is_told_why(comes: Comes, page: View, least: int) -> None:
    at = comes(Role.READER)
    go(at, page)
    assert_sound(at)
    found = inputs(at)
    assert len(found) >= least
    assert {key for key, grey in found.items() if not grey} == set()
    assert said(at)


def test_an_editor_is_shown_inputs_to_edit(comes: Comes) -> None:
    at = comes(Role.EDITOR)
    assert not any(inputs(at).values())
    assert not said(at)


def test_a_reader_keeps_a_copy_that_can_be_edited(comes: Comes, ann: Library) -> None:
    at = comes(Role.READER)
    shared = at.session_state["opened"].id
    press(at, "keep-copy")
    made = at.session_state["opened"]
    assert made.saver._idle.wait(60)
    assert made.id != shared
    assert not any(inputs(at).values())
    assert not said(at)
    bob = opening.library(Visitor("bob", "Bob"))
    assert bob.entry(made.id).origin == (shared, 1)
    assert [entry.id for entry in ann.entries()] == [shared]
