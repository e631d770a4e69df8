"""Sharing in the app: roles given and taken, links made and revoked, by owners alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.errors import FacilityError
from facility.files.store.library import Library
from facility.files.store.opening import SINGLE_USER as SINGLE_USER_ACCEPTED
from facility.files.store.opening import open_store, usual_store
from facility.files.store.records import ReadingLink, Role
from facility.ui.session import opened as opening
from facility.ui.session.identity import SINGLE_USER, Visitor, id_of
from tests.cli.helpers import SHORT
from tests.files.store.edited import expire
from tests.files.store.record.tampering import alter
from tests.ui.helpers import (
    PROJECTS,
    REVISIONS,
    assert_sound,
    errors,
    forget_store,
    frames,
    go,
    new_app,
    press,
)

ANN, BOB = "ann@example.org", "bob@example.org"
Comes = Callable[[str], AppTest]


@pytest.fixture(autouse=True)
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    yield opening.library(Visitor(ANN, "Ann"))
    forget_store()


@pytest.fixture
def comes(ann: Library, monkeypatch: pytest.MonkeyPatch) -> Comes:
    """Give what shows Library as somebody sees it who signed in."""

    def come(who: str) -> AppTest:
        for module in ("sign_in", "session.identity"):
            monkeypatch.setattr(f"facility.ui.{module}.who", lambda: Visitor(who, who))
        at = new_app().run()
        go(at, PROJECTS)
        assert_sound(at)
        return at

    return come


def give(at: AppTest, who: str, role: Role) -> None:
    at.text_input(key="share-who").set_value(who)
    at.selectbox(key="share-role").set_value(role)
    press(at, "share-give")


def test_an_owner_gives_and_takes_roles(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    press(at, f"share-{project}")
    give(at, " Bob@Example.org ", Role.EDITOR)
    assert errors(at) == []
    assert ann.sharing.roles(project) == {ANN: Role.OWNER, BOB: Role.EDITOR}
    assert {f"{ANN} (you)", BOB} <= {one.value for one in at.text}
    give(at, BOB, Role.READER)
    assert ann.sharing.roles(project)[BOB] is Role.READER
    press(at, "share-take-1")
    assert ann.sharing.roles(project) == {ANN: Role.OWNER}
    press(at, "share-take-0")
    assert errors(at) == ["Action not completed: LAST_OWNER"]
    give(at, "", Role.READER)
    assert errors(at) == ["Action not completed: STORE_TEXT"]
    assert ann.sharing.roles(project) == {ANN: Role.OWNER}


def test_the_token_of_a_link_is_shown_once(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    press(at, f"share-{project}")
    at.text_input(key="share-label").set_value("the client")
    press(at, "share-link")
    (address,) = (one.value for one in at.code)
    token = address.partition("?link=")[2]
    assert opening.linked(token) == project
    (link,) = ann.links.all(project)
    assert (link.label, link.made_by) == ("the client", ANN)
    assert_days(link, 30)
    assert any(f"expires {link.expires_at:%d %b %Y}" in one.value for one in at.text)
    at.run()  # which what stands beside the page may do at any time
    assert [one.value for one in at.code] == [address]
    press(at, f"share-{project}")
    assert [one.value for one in at.code] == []
    press(at, f"share-revoke-{link.id}")
    with pytest.raises(FacilityError, match="UNKNOWN_LINK"):
        opening.linked(token)
    assert any("No read-only links" in one.value for one in at.text)


def assert_days(link: ReadingLink, days: int) -> None:
    assert abs(link.expires_at - link.made_at - timedelta(days=days)) < timedelta(minutes=10)


def test_a_link_expires_after_the_days_entered_and_is_renewed(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    press(at, f"share-{project}")
    days = at.number_input(key="share-days")
    assert (days.value, days.min, days.max) == (30, 1, 366)
    days.set_value(7)
    press(at, "share-link")
    token = at.code[0].value.partition("?link=")[2]
    (link,) = ann.links.all(project)
    assert_days(link, 7)
    expire(ann, project)
    with pytest.raises(FacilityError, match="UNKNOWN_LINK"):
        opening.linked(token)
    at.run()
    assert any(" · expired " in one.value for one in at.text)
    at.number_input(key="share-days").set_value(366)
    press(at, f"share-renew-{link.id}")
    assert errors(at) == []
    assert_days(ann.links.all(project)[0], 366)
    assert opening.linked(token) == project


def test_the_open_project_is_shared_on_page_revisions(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    press(at, f"open-{project}")
    go(at, REVISIONS)
    press(at, f"share-{project}")
    give(at, BOB, Role.READER)
    assert ann.sharing.roles(project)[BOB] is Role.READER


def test_an_owner_sees_who_opened_a_project(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    ann.sharing.give(project, BOB, Role.READER)
    press(comes(BOB), f"open-{project}")
    token = ann.links.make(project, "the client")
    opening.library(Visitor("link", "link", link=token)).text(project)
    at = comes(ANN)
    press(at, f"share-{project}")
    table = next(one.value for one in frames(at) if "Recorded reads" in one.value.columns)
    found = dict(zip(table["Person or link"], table["Recorded reads"], strict=True))
    assert found == {BOB: 1, "Link: the client": 1}
    with open_store(usual_store()) as store:
        before = store.record.verified(project).entries
        at.run()  # which reads nothing
        assert store.record.verified(project).entries == before


def test_an_owner_is_told_of_a_damaged_record(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    with open_store(usual_store()) as store:
        alter(store, "UPDATE store_record SET who = 'eve'")
    press(at, f"share-{project}")
    assert errors(at) == ["Access record not read: RECORD_DAMAGED"]


@pytest.mark.parametrize("role", [Role.READER, Role.EDITOR])
def test_others_than_owners_share_nothing(comes: Comes, ann: Library, role: Role) -> None:
    project = ann.create(SHORT).id
    ann.sharing.give(project, BOB, role)
    at = comes(BOB)
    assert at.button(key=f"share-{project}").disabled


def test_who_was_an_owner_is_told(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    ann.sharing.give(project, BOB, Role.OWNER)
    at = comes(BOB)
    press(at, f"share-{project}")
    ann.sharing.give(project, BOB, Role.READER)
    press(at, "share-link")
    assert errors(at) == [
        "Action not completed: STORE_FORBIDDEN",
        "You can no longer share this project: STORE_FORBIDDEN",
    ]
    assert ann.links.all(project) == []


def test_where_nobody_signs_in_it_is_said_and_nothing_is_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SINGLE_USER_ACCEPTED, "1")  # the store was used with sign-in before
    opening.library(SINGLE_USER).create(SHORT)
    at = new_app().run()
    go(at, PROJECTS)
    assert_sound(at)
    assert any("Single-user mode: no sign-in" in one.value for one in at.text)
    assert not [b.key for b in at.button if str(b.key).startswith("share-")]


@pytest.mark.parametrize(
    ("written", "id"), [(" Ann@Example.ORG", ANN), ("1A at id.example.org", "1A at id.example.org")]
)
def test_a_person_is_known_however_the_address_is_written(written: str, id: str) -> None:
    assert id_of(written) == id
