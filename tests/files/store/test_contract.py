"""What a store promises, the same of SQLite and PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest

from facility.core.errors import FacilityError
from facility.files.project.companions import content_name
from facility.files.store import library, panels
from facility.files.store import library as thinning
from facility.files.store.library import Library, StoreConflict, Unnamed, superfluous
from facility.files.store.opening import Store, open_store
from facility.files.store.records import Draft, Role
from tests.files.store.edited import expire, keep_panel

TEXT = """\
schema_version: 1  # kept
project: {name: Hall Ä, title: First}
it: {gpu_model: H100 SXM5, gpus: 64}
"""


def text(gpus: int, name: str = "Hall Ä") -> str:
    return TEXT.replace("64", str(gpus)).replace("Hall Ä", name)


def refused(code: str) -> AbstractContextManager[object]:
    return pytest.raises(FacilityError, check=lambda error: error.code == code)


def test_what_is_saved_is_read_back_to_the_letter(ann: Library) -> None:
    before = datetime.now(UTC)
    made = ann.create(TEXT, facts={"load.it": 1.5e6, "verdict": "No: 4 things"})
    assert (made.name, made.title, made.role) == ("Hall Ä", "First", Role.OWNER)
    assert len(made.id) >= 22
    second = ann.save(made.id, text(128), based_on=1, label="it.gpus")
    assert (second.number, second.who, second.label) == (2, "ann", "it.gpus")
    assert before <= made.head.saved_at <= second.saved_at <= datetime.now(UTC)
    assert second.saved_at.tzinfo is not None
    assert ann.text(made.id) == text(128)
    assert ann.text(made.id, 1) == TEXT
    assert [r.number for r in ann.revisions(made.id)] == [2, 1]
    assert ann.revisions(made.id)[1].facts == {"load.it": 1.5e6, "verdict": "No: 4 things"}
    assert ann.entry(made.id) == ann.entries()[0]
    assert ann.entry(made.id).head == second


def test_name_and_title_are_those_of_the_project(ann: Library) -> None:
    made = ann.create(TEXT)
    ann.save(made.id, text(64, "Other"), based_on=1)
    assert ann.entries()[0].name == "Other"
    assert [e.id for e in ann.entries("oth FIRST")] == [made.id]
    assert ann.entries("hall") == []
    assert ann.entries("100%") == []


def test_a_second_writer_is_told_and_nothing_is_overwritten(ann: Library) -> None:
    made = ann.create(TEXT)
    ann.save(made.id, text(128), based_on=1)
    with pytest.raises(StoreConflict) as caught:
        ann.save(made.id, text(256), based_on=1)
    assert caught.value.head == ann.entry(made.id).head
    assert (caught.value.code, caught.value.head.number) == ("STORE_CONFLICT", 2)
    assert ann.text(made.id) == text(128)


def test_equal_text_saves_nothing(ann: Library) -> None:
    made = ann.create(TEXT)
    assert ann.save(made.id, TEXT, based_on=1) == made.head
    ann.save(made.id, text(128), based_on=1)
    # Both made the same change: there is nothing to settle.
    again = ann.save(made.id, text(128), based_on=1, facts={"pue.annual": 1.2})
    assert (again.number, again.facts) == (2, {"pue.annual": 1.2})
    assert len(ann.revisions(made.id)) == 2


def test_one_of_many_writers_at_once_wins(store: Store) -> None:
    made = store.library("ann").create(TEXT)

    def save(n: int) -> int | str:
        try:
            return store.library(f"p{n}").save(made.id, text(64 + n), based_on=1).number
        except FacilityError as error:
            return error.code

    for n in range(8):
        store.library("ann").sharing.give(made.id, f"p{n}", Role.EDITOR)
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(save, range(1, 8)))
    assert sorted(map(str, outcomes)) == ["2", *["STORE_CONFLICT"] * 6]


def test_restored_branched_named(ann: Library) -> None:
    made = ann.create(TEXT, facts={"load.it": 1.0})
    ann.save(made.id, text(128), based_on=1)
    assert ann.name_revision(made.id, 1, " for review ").name == "for review"
    back = ann.restore(made.id, 1, based_on=2)
    assert (back.number, back.label, back.facts) == (3, "restored revision 1", {"load.it": 1.0})
    assert ann.text(made.id) == TEXT
    branch = ann.branch(made.id, 2)
    assert branch.origin == (made.id, 2)
    assert ann.text(branch.id) == text(128)
    mine = ann.branch(made.id, 2, text(512))
    assert ann.text(mine.id) == text(512)
    assert ann.set_facts(made.id, 2, {"pue.design": 1.3}).facts == {"pue.design": 1.3}


def test_archived_and_deleted(ann: Library) -> None:
    made = ann.create(TEXT)
    keep_panel(ann, made.id, "RPP", "x")
    ann.archive(made.id)
    assert ann.entries() == []
    assert ann.entries(archived=True)[0].archived_at is not None
    ann.unarchive(made.id)
    assert ann.entry(made.id).archived_at is None
    ann.delete(made.id)
    with refused("UNKNOWN_PROJECT"):
        ann.text(made.id)
    with refused("UNKNOWN_PROJECT"):
        ann.delete(made.id)


def test_the_last_state_of_panels_of_0_5_is_read(ann: Library, bob: Library) -> None:
    made = ann.create(TEXT)
    for number, csv in enumerate(("one", "two"), start=1):
        keep_panel(ann, made.id, "RPP-1", csv, number)
    keep_panel(ann, made.id, "A", "a")
    assert [(p.name, p.text) for p in ann.panels.all(made.id)] == [("A", "a"), ("RPP-1", "two")]
    keep_panel(ann, made.id, "RPP-1", None, 3)
    assert [p.name for p in ann.panels.all(made.id)] == ["A"]
    with refused("UNKNOWN_PROJECT"):
        bob.panels.all(made.id)


def test_roles(ann: Library, bob: Library, store: Store) -> None:
    made = ann.create(TEXT)
    assert bob.entries() == []
    with refused("UNKNOWN_PROJECT"):
        bob.text(made.id)
    ann.sharing.give(made.id, "bob", Role.READER)
    assert bob.entry(made.id).role is Role.READER
    assert bob.text(made.id) == TEXT
    for attempt in (
        lambda: bob.save(made.id, text(128), based_on=1),
        lambda: bob.name_revision(made.id, 1, "x"),
        lambda: bob.restore(made.id, 1, based_on=1),
        lambda: bob.set_facts(made.id, 1, {}),
        lambda: bob.archive(made.id),
        lambda: bob.delete(made.id),
        lambda: bob.sharing.give(made.id, "bob", Role.OWNER),
    ):
        with refused("STORE_FORBIDDEN"):
            attempt()
    assert bob.branch(made.id, 1).role is Role.OWNER
    ann.sharing.give(made.id, "bob", Role.EDITOR)
    assert bob.save(made.id, text(128), based_on=1).who == "bob"
    with refused("STORE_FORBIDDEN"):
        bob.delete(made.id)
    assert ann.sharing.roles(made.id) == {"ann": Role.OWNER, "bob": Role.EDITOR}
    ann.sharing.give(made.id, "bob", None)
    with refused("UNKNOWN_PROJECT"):
        bob.entry(made.id)
    with refused("LAST_OWNER"):
        ann.sharing.give(made.id, "ann", Role.READER)
    anybody = store.library("admin", unrestricted=True)
    assert {e.id for e in anybody.entries()} >= {made.id}
    assert anybody.entry(made.id).role is Role.OWNER


def test_a_link_reads_one_project_until_it_is_revoked(ann: Library, store: Store) -> None:
    made, other = ann.create(TEXT), ann.create(text(128))
    token, second = ann.links.make(made.id, "for review"), ann.links.make(made.id)
    assert len(token) >= 32
    project, guest = store.by_link(token)
    assert project == made.id
    assert [(e.id, e.role) for e in guest.entries()] == [(made.id, Role.READER)]
    assert guest.text(made.id) == TEXT
    with refused("UNKNOWN_PROJECT"):
        guest.text(other.id)
    for attempt in (
        lambda: guest.save(made.id, text(256), based_on=1),
        lambda: guest.branch(made.id, 1),
        lambda: guest.create(TEXT),
        lambda: guest.links.make(made.id),
        lambda: guest.links.all(made.id),
        lambda: guest.sharing.give(made.id, "link", Role.OWNER),
    ):
        with refused("STORE_FORBIDDEN"):
            attempt()
    # Being called "link" opens nothing.
    assert store.library("link").entries() == []
    listed = {one.label: one for one in ann.links.all(made.id)}
    assert set(listed) == {"for review", ""}
    assert all(one.id not in (token, second) for one in listed.values())
    with refused("UNKNOWN_LINK"):
        ann.links.revoke(made.id, "")
    ann.links.revoke(made.id, listed["for review"].id)
    with refused("UNKNOWN_PROJECT"):
        guest.text(made.id)
    for bad in (token, listed[""].id, "", "\ud800"):
        with refused("UNKNOWN_LINK"):
            store.by_link(bad)
    assert store.by_link(second)[0] == made.id
    with refused("UNKNOWN_LINK"):
        ann.links.revoke(other.id, listed[""].id)


def test_a_link_expires_and_is_renewed(ann: Library, bob: Library, store: Store) -> None:
    made = ann.create(TEXT)
    ann.sharing.give(made.id, "bob", Role.EDITOR)
    token = ann.links.make(made.id)
    (link,) = ann.links.all(made.id)
    assert abs(link.expires_at - link.made_at - timedelta(days=30)) < timedelta(minutes=1)
    guest = store.by_link(token)[1]
    assert guest.text(made.id) == TEXT
    expire(ann, made.id)
    with refused("UNKNOWN_LINK") as caught:
        store.by_link(token)
    assert "it may have expired or been revoked" in str(caught)
    # Also in a session that was open before.
    for attempt in (
        lambda: guest.text(made.id),
        lambda: guest.entry(made.id),
        lambda: guest.revisions(made.id),
        lambda: guest.panels.all(made.id),
        lambda: guest.files.names(made.id),
    ):
        with refused("UNKNOWN_PROJECT"):
            attempt()
    assert guest.entries() == []
    assert [one.id for one in ann.links.all(made.id)] == [link.id], "to be renewed or revoked"
    ann.links.renew(made.id, link.id, 7)
    (renewed,) = ann.links.all(made.id)
    week = renewed.expires_at - datetime.now(UTC)
    assert timedelta(days=6.9) < week <= timedelta(days=7)
    assert (renewed.made_at, renewed.label) == (link.made_at, link.label)
    assert guest.text(made.id) == store.by_link(token)[1].text(made.id) == TEXT
    for days in (0, -1, 367, 10**30):
        for change in (ann.links.make, lambda p, _, d: ann.links.renew(p, link.id, d)):
            with refused("OUT_OF_RANGE"):
                change(made.id, "", days)
    for other in (bob, guest):
        with refused("STORE_FORBIDDEN"):
            other.links.renew(made.id, link.id)
    ann.links.revoke(made.id, link.id)
    with refused("UNKNOWN_LINK"):
        ann.links.renew(made.id, link.id)


def test_drafts_are_each_persons_own(ann: Library, bob: Library, store: Store) -> None:
    made = ann.create(TEXT)
    ann.drafts.save(made.id, Draft.WAITING, "one")
    ann.drafts.save(made.id, Draft.WAITING, 'ein "Ä" \x1b[31m <b>')
    ann.drafts.save(made.id, Draft.SCENARIOS, "three")
    kept = {Draft.WAITING: 'ein "Ä" \x1b[31m <b>', Draft.SCENARIOS: "three"}
    assert ann.drafts.all(made.id) == kept
    for attempt in (lambda: bob.drafts.all(made.id), lambda: bob.drafts.save(made.id, *kept)):
        with refused("UNKNOWN_PROJECT"):
            attempt()
    ann.sharing.give(made.id, "bob", Role.READER)
    assert bob.drafts.all(made.id) == {}
    bob.drafts.save(made.id, Draft.SCENARIOS, "of bob")
    ann.drafts.save(made.id, Draft.SCENARIOS, "")
    assert ann.drafts.all(made.id) == {Draft.WAITING: kept[Draft.WAITING]}
    assert bob.drafts.all(made.id) == {Draft.SCENARIOS: "of bob"}
    assert ann.entry(made.id).head.number == 1
    guest = store.by_link(ann.links.make(made.id))[1]
    assert guest.drafts.all(made.id) == {}
    with refused("STORE_FORBIDDEN"):
        guest.drafts.save(made.id, Draft.WAITING, "x")
    large = "x" * (panels.MAX_DRAFT + 1)
    for bad, code in (("a\0", "STORE_TEXT"), ("\ud800", "STORE_TEXT"), (large, "STORE_TOO_LARGE")):
        with refused(code):
            ann.drafts.save(made.id, Draft.WAITING, bad)
    ann.delete(made.id)
    with refused("UNKNOWN_PROJECT"):
        ann.drafts.save(made.id, Draft.WAITING, "late")


def test_files_are_kept_by_their_content_with_a_project(
    ann: Library, bob: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, other = ann.create(TEXT), ann.create(TEXT)
    content = b"hour,load_kw\r\n\x00\xff"
    name = content_name("Mine & Söhne.csv", content)
    ann.files.save(made.id, name, content)
    ann.files.save(made.id, name, content)
    assert ann.files.names(made.id) == [name]
    assert ann.files.content(made.id, name) == content
    branch = ann.branch(made.id, 1)
    ann.delete(made.id)
    assert ann.files.content(branch.id, name) == content
    for project, code in ((other.id, "FILE_NOT_GIVEN"), (made.id, "UNKNOWN_PROJECT")):
        with refused(code):
            ann.files.content(project, name)
    for attempt in (lambda: bob.files.names(branch.id), lambda: bob.files.content(branch.id, name)):
        with refused("UNKNOWN_PROJECT"):
            attempt()
    ann.sharing.give(branch.id, "bob", Role.READER)
    assert bob.files.content(branch.id, name) == content
    with refused("STORE_FORBIDDEN"):
        bob.files.save(branch.id, content_name("b.csv", b"b"), b"b")
    with refused("STORE_TEXT"):
        ann.files.save(branch.id, name, b"other")
    monkeypatch.setattr(panels, "MAX_FILES_BYTES", 100)
    ann.files.save(branch.id, content_name("b.csv", b"b" * 50), b"b" * 50)
    large = bytes(range(64))
    ann.files.save(branch.id, content_name("c.csv", large), large)
    assert ann.files.names(branch.id) == [content_name("c.csv", large)], "none names the others"
    noise = bytes(n * n % 251 for n in range(500))
    with refused("STORE_TOO_LARGE"):
        ann.files.save(branch.id, content_name("d.csv", noise), noise)


def test_what_is_too_large_or_no_project_is_refused(
    ann: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ann.create(TEXT)
    for bad, code in (
        (TEXT + "#" * 1_048_576, "FILE_TOO_LARGE"),
        (TEXT + "#\0", "FILE_NOT_TEXT"),
        (TEXT + "#\ud800", "FILE_NOT_TEXT"),
        ("schema_version: 1\nit: {gpus: 64, watts: 1}", "UNKNOWN_FIELD"),
    ):
        with refused(code):
            ann.save(made.id, bad, based_on=1)
    for label in ("x" * 201, "two\nlines", "\x1b[31m"):
        with refused("STORE_TEXT"):
            ann.save(made.id, text(65), based_on=1, label=label)
    with refused("UNKNOWN_FACT"):
        ann.set_facts(made.id, 1, {"load.iti": 1.0})
    for facts in ({"load.it": float("nan")}, {"load.it": "1"}, {"load.it": True}, {"verdict": 1.0}):
        with refused("STORE_TEXT"):
            ann.set_facts(made.id, 1, facts)
    with refused("UNKNOWN_REVISION"):
        ann.text(made.id, 2)
    for number in (0, -1, 10**30):
        with refused("UNKNOWN_REVISION"):
            ann.text(made.id, number)
    for project in ("' OR 1=1 --", "", "\ud800", "\0", "x" * 10_000):
        with refused("UNKNOWN_PROJECT"):
            ann.text(project)
    assert ann.entries("\ud800\0 " + "x " * 10_000) == []
    assert len(ann.revisions(made.id)) == 1
    monkeypatch.setattr(library, "MAX_PROJECTS", 1)
    monkeypatch.setattr(library, "MAX_NAMED", 1)
    ann.name_revision(made.id, 1, "one")
    assert ann.name_revision(made.id, 1, "other").name == "other"
    ann.save(made.id, text(65), based_on=1)
    for attempt in (lambda: ann.create(TEXT), lambda: ann.name_revision(made.id, 2, "two")):
        with refused("STORE_TOO_LARGE"):
            attempt()


def test_thinning_keeps_what_was_named(ann: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinning, "EVERY", 10)
    monkeypatch.setattr(thinning, "WHOLE", timedelta(0))
    made = ann.create(TEXT)
    for n in range(1, 10):
        ann.save(made.id, text(64 + n), based_on=n)
        if n == 3:
            ann.name_revision(made.id, 4, "kept")
    numbers = [r.number for r in ann.revisions(made.id)]
    # All within one hour, or two where the hour turned: the last of it, first, named and head.
    assert set(numbers) >= {10, 9, 4, 1}
    assert len(numbers) <= 5


def test_thinning_by_age_person_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 3, 10, 12, tzinfo=UTC)
    old = now - timedelta(days=3)
    unnamed = [
        Unnamed(2, old, "ann", 10),
        Unnamed(3, old + timedelta(minutes=1), "bob", 10),
        Unnamed(4, old + timedelta(minutes=2), "ann", 10),
        Unnamed(5, old + timedelta(hours=1), "ann", 10),
        Unnamed(6, now - timedelta(minutes=2), "ann", 10),
        Unnamed(7, now - timedelta(minutes=1), "ann", 10),
    ]
    assert superfluous(unnamed, now) == [2]
    monkeypatch.setattr(thinning, "MAX_UNNAMED", 3)
    assert superfluous(unnamed, now) == [2, 3, 4]
    monkeypatch.setattr(thinning, "MAX_UNNAMED_BYTES", 25)
    assert superfluous(unnamed, now) == [2, 3, 4, 5]


def test_a_store_is_opened_by_many_at_once(address: str) -> None:
    def opened(n: int) -> str:
        with open_store(address) as store:
            return store.library(f"p{n}").create(TEXT).id

    with ThreadPoolExecutor(6) as pool:
        made = set(pool.map(opened, range(6)))
    with open_store(address) as store:
        assert {e.id for e in store.library("x", unrestricted=True).entries()} == made
