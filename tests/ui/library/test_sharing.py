"""Sharing in the app: roles given and taken, links made and revoked, by owners alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.errors import FacilityError
from facility.files.store.library import Library
from facility.files.store.records import Role
from facility.ui.session import opened as opening
from facility.ui.session.identity import SINGLE_USER, Visitor, id_of
from tests.cli.helpers import SHORT
from tests.ui.helpers import MAIN, PROJECTS, REVISIONS, assert_sound, press

ANN, BOB = "ann@example.org", "bob@example.org"
Comes = Callable[[str], AppTest]


@pytest.fixture(autouse=True)
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    yield opening.library(Visitor(ANN, "Ann"))
    opening._store.cache_clear()


@pytest.fixture
def comes(ann: Library, monkeypatch: pytest.MonkeyPatch) -> Comes:
    """Give what shows page Projects as somebody sees it who signed in."""

    def come(who: str) -> AppTest:
        for module in ("session.identity", "sign_in"):
            monkeypatch.setattr(f"facility.ui.{module}.who", lambda: Visitor(who, who))
        at = AppTest.from_file(str(MAIN), default_timeout=180).run()
        at.switch_page(PROJECTS).run()
        assert_sound(at)
        return at

    return come


def give(at: AppTest, who: str, role: Role) -> None:
    at.text_input(key="share-who").set_value(who)
    at.selectbox(key="share-role").set_value(role)
    press(at, "share-give")


def refusals(at: AppTest) -> list[str]:
    return [error.value for error in at.error]


def test_an_owner_gives_and_takes_roles(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    press(at, f"share-{project}")
    give(at, " Bob@Example.org ", Role.EDITOR)
    assert refusals(at) == []
    assert ann.sharing.roles(project) == {ANN: Role.OWNER, BOB: Role.EDITOR}
    assert {f"{ANN} (you)", BOB} <= {one.value for one in at.text}
    give(at, BOB, Role.READER)
    assert ann.sharing.roles(project)[BOB] is Role.READER
    press(at, "share-take-1")
    assert ann.sharing.roles(project) == {ANN: Role.OWNER}
    press(at, "share-take-0")
    assert refusals(at) == ["Not done: LAST_OWNER"]
    give(at, "", Role.READER)
    assert refusals(at) == ["Not done: STORE_TEXT"]
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
    at.run()  # which what stands beside the page may do at any time
    assert [one.value for one in at.code] == [address]
    press(at, f"share-{project}")
    assert [one.value for one in at.code] == []
    press(at, f"share-revoke-{link.id}")
    with pytest.raises(FacilityError, match="UNKNOWN_LINK"):
        opening.linked(token)
    assert any("Nobody reads by a link" in one.value for one in at.text)


def test_the_open_project_is_shared_on_page_revisions(comes: Comes, ann: Library) -> None:
    project = ann.create(SHORT).id
    at = comes(ANN)
    press(at, f"open-{project}")
    at.switch_page(REVISIONS).run()
    press(at, f"share-{project}")
    give(at, BOB, Role.READER)
    assert ann.sharing.roles(project)[BOB] is Role.READER


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
    assert refusals(at) == ["Not done: STORE_FORBIDDEN", "Not yours to share any more"]
    assert ann.links.all(project) == []


def test_where_nobody_signs_in_it_is_said_and_nothing_is_shared() -> None:
    opening.library(SINGLE_USER).create(SHORT)
    at = AppTest.from_file(str(MAIN), default_timeout=180).run()
    at.switch_page(PROJECTS).run()
    assert_sound(at)
    assert any("Single-user mode: nobody signs in" in one.value for one in at.text)
    assert not [b.key for b in at.button if str(b.key).startswith("share-")]


@pytest.mark.parametrize(
    ("written", "id"), [(" Ann@Example.ORG", ANN), ("1A at id.example.org", "1A at id.example.org")]
)
def test_a_person_is_known_however_the_address_is_written(written: str, id: str) -> None:
    assert id_of(written) == id
