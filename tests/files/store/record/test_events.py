"""What is recorded, once and in the transaction of the change, and who may see it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest

from facility.core.errors import FacilityError
from facility.files.project.companions import content_name
from facility.files.store.library import Library
from facility.files.store.opening import Store, open_store
from facility.files.store.record import failures, log
from facility.files.store.record.chain import Action, RecordEntry
from facility.files.store.records import Draft, Role
from tests.files.store.edited import keep_panel
from tests.files.store.record.tampering import rows
from tests.files.store.test_contract import TEXT, refused, text

SUM = hashlib.sha256(TEXT.encode()).hexdigest()


def said(store: Store, project: str | None = None) -> list[tuple[str, str]]:
    """Return action and person of each entry but the first, which begins the record."""
    return [(e.action, e.who) for e in store.record.verified(project).entries if e.seq > 1]


def last(store: Store) -> RecordEntry:
    return store.record.verified().entries[-1]


def test_the_first_entry_begins_the_record(store: Store) -> None:
    assert store.record.verified().count == 0
    store.record.add("sign_in", "ann")
    first, second = store.record.verified().entries
    assert (first.seq, first.action, first.details["before"]) == (1, "begun", 0)
    assert (second.seq, second.action, second.who, second.project) == (2, "sign_in", "ann", None)


def test_every_change_is_recorded(store: Store, ann: Library) -> None:
    made = ann.create(TEXT)
    created = last(store)
    assert (created.action, created.project) == ("created", made.id)
    assert created.details == {"revision": 1, "text_sha256": SUM}
    digest = hashlib.sha256(text(128).encode()).hexdigest()
    name = content_name("load.csv", b"one")
    steps: list[tuple[Callable[[], object], Action, dict[str, object]]] = [
        (
            lambda: ann.save(made.id, text(128), based_on=1),
            Action.SAVED,
            {"revision": 2, "text_sha256": digest},
        ),
        (
            lambda: ann.name_revision(made.id, 2, "issued"),
            Action.NAMED,
            {"revision": 2, "name": "issued"},
        ),
        (lambda: ann.files.save(made.id, name, b"one"), Action.SAVED, {"file": name}),
        (
            lambda: ann.sharing.give(made.id, "bob", Role.EDITOR),
            Action.SHARED,
            {"to": "bob", "role": "editor"},
        ),
        (
            lambda: ann.sharing.give(made.id, "bob", None),
            Action.SHARED,
            {"to": "bob", "role": "none"},
        ),
        (lambda: ann.archive(made.id), Action.ARCHIVED, {}),
        (lambda: ann.unarchive(made.id), Action.UNARCHIVED, {}),
    ]
    for act, action, detail in steps:
        act()
        entry = last(store)
        assert (entry.action, entry.who, entry.project) == (action, "ann", made.id)
        assert entry.details == detail
    token = ann.links.make(made.id, "client")
    (link,) = ann.links.all(made.id)
    assert last(store).details == {"link": link.id, "label": "client", "days": 30}
    ann.links.renew(made.id, link.id, 60)
    assert (last(store).action, last(store).details) == (
        "link_renewed",
        {"link": link.id, "days": 60},
    )
    assert token not in "".join(entry.detail for entry in rows(store))
    ann.links.revoke(made.id, link.id)
    assert (last(store).action, last(store).details) == ("link_revoked", {"link": link.id})
    ann.delete(made.id)
    assert (last(store).action, last(store).project) == ("deleted", made.id)
    assert len(said(store, made.id)) == len(steps) + 5  # The record outlives the project


def test_what_saves_nothing_or_is_refused_records_no_change(store: Store, ann: Library) -> None:
    made = ann.create(TEXT)
    before = len(rows(store))
    ann.save(made.id, TEXT, based_on=1)
    with refused("STORE_CONFLICT"):
        ann.save(made.id, text(128), based_on=7)
    with refused("LAST_OWNER"):
        ann.sharing.give(made.id, "ann", Role.READER)
    ann.set_facts(made.id, 1, {"load.it": 1.0})
    ann.drafts.save(made.id, Draft.WAITING, "mine")
    assert len(rows(store)) == before


def test_every_way_to_a_text_is_recorded_before_it_is_given(store: Store, ann: Library) -> None:
    made = ann.create(TEXT)
    name = content_name("load.csv", b"one")
    keep_panel(ann, made.id, "RPP", "one")
    ann.files.save(made.id, name, b"one")
    ann.sharing.give(made.id, "bob", Role.EDITOR)
    bob = store.library("bob")
    reads: list[tuple[Callable[[], object], dict[str, object]]] = [
        (lambda: bob.text(made.id), {"revision": 1, "text_sha256": SUM}),
        (lambda: bob.panels.all(made.id), {"panels": ["RPP 1"]}),
        (lambda: bob.files.content(made.id, name), {"file": name}),
    ]
    for read, detail in reads:
        read()
        entry = last(store)
        assert (entry.action, entry.who, entry.project) == ("read", "bob", made.id)
        assert entry.details == detail
    before = len(rows(store))
    for read, _ in reads:
        read()  # the same within the hour
    assert len(rows(store)) == before
    other = bob.branch(made.id, 1)
    assert said(store)[-1] == ("created", "bob")
    assert last(store).details["from"] == made.id
    assert [r.who for r in ann.sharing.readers(made.id)] == ["bob"]
    assert bob.sharing.readers(other.id) == []


def test_the_same_read_is_recorded_again_after_an_hour(
    store: Store, ann: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ann.create(TEXT)
    ann.text(made.id)
    ann.text(made.id)
    monkeypatch.setattr(log, "AGAIN_S", 0.0)
    ann.text(made.id)
    assert said(store).count(("read", "ann")) == 2


def test_what_is_remembered_of_reads_stays_small(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_MAX_MARKS", 3)
    for n in range(5):
        store.record.add_once(Action.READ, "ann", f"p{n}")
    store.record.add_once(Action.READ, "ann", "p4")
    store.record.add_once(Action.READ, "ann", "p0")
    assert len(store.record._marks) == 3
    assert len(said(store)) == 6


def test_a_read_by_link_names_the_link(store: Store, ann: Library) -> None:
    made = ann.create(TEXT)
    token = ann.links.make(made.id, "client")
    (link,) = ann.links.all(made.id)
    _, guest = store.by_link(token)
    guest.text(made.id)
    assert (last(store).who, last(store).details["link"]) == ("link", link.id)
    ann.text(made.id)
    readers = {one.who: one for one in ann.sharing.readers(made.id)}
    assert {who: (one.link, one.count) for who, one in readers.items()} == {
        "link": (link.id, 1),
        "ann": ("", 1),
    }
    ann.links.revoke(made.id, link.id)
    with refused("UNKNOWN_LINK"):
        store.by_link(token)
    tried = last(store)
    assert (tried.action, tried.project) == ("link_refused", made.id)
    assert tried.details == {"link": link.id}
    with refused("UNKNOWN_LINK"):
        store.by_link("of nobody")
    assert (last(store).action, last(store).project) == ("link_refused", None)
    assert "of nobody" not in str(last(store))


def test_refused_access_is_recorded_once(store: Store, ann: Library, bob: Library) -> None:
    made = ann.create(TEXT)
    for _ in range(3):
        for attempt in (
            lambda: bob.text(made.id),
            lambda: bob.entry(made.id),
            lambda: bob.revisions(made.id),
            lambda: bob.save(made.id, text(128), based_on=1),
            lambda: bob.archive(made.id),
        ):
            with refused("UNKNOWN_PROJECT"):
                attempt()
    entry = last(store)
    assert (entry.action, entry.who, entry.project) == ("refused", "bob", made.id)
    assert entry.details == {"code": "UNKNOWN_PROJECT"}
    ann.sharing.give(made.id, "bob", Role.READER)
    for _ in range(2):
        with refused("STORE_FORBIDDEN"):
            bob.sharing.readers(made.id)
    assert said(store) == [
        ("created", "ann"),
        ("refused", "bob"),
        ("shared", "ann"),
        ("refused", "bob"),
    ]
    with refused("UNKNOWN_PROJECT"):
        bob.text("x' OR 1=1 --")
    assert last(store).project is None


def test_owners_alone_see_who_read(store: Store, ann: Library, bob: Library) -> None:
    made = ann.create(TEXT)
    with refused("UNKNOWN_PROJECT"):
        bob.sharing.readers(made.id)
    for role in (Role.READER, Role.EDITOR):
        ann.sharing.give(made.id, "bob", role)
        bob.text(made.id)
        with refused("STORE_FORBIDDEN"):
            bob.sharing.readers(made.id)
    ann.sharing.give(made.id, "bob", Role.OWNER)
    (reader,) = bob.sharing.readers(made.id)
    assert (reader.who, reader.link, reader.count) == ("bob", "", 1)
    assert reader.first == reader.last


def test_failures_beyond_a_limit_are_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(failures.MAX_PER_MINUTE + 7):
        store.record.add("sign_in_failed", f"ann{n}", None, {"address": "192.0.2.1"})
    store.record.add("sign_in", "ann")
    assert said(store).count(("sign_in_failed", "ann1")) == 1
    assert len(said(store)) == failures.MAX_PER_MINUTE + 1
    monkeypatch.setattr(failures, "MINUTE_S", 0.0)
    store.record.add("sign_in_failed", "late")
    assert said(store)[-2:] == [("not_recorded", ""), ("sign_in_failed", "late")]
    assert store.record.verified().entries[-2].details == {"count": 7}
    store.record.add("sign_in", "ann")
    assert said(store)[-1] == ("sign_in", "ann")


def test_what_was_left_out_is_recorded_at_the_end(address: str) -> None:
    with open_store(address) as store:
        for _ in range(failures.MAX_PER_MINUTE + 2):
            store.record.add("sign_in_failed", "eve")
    with open_store(address) as store:
        assert (last(store).action, last(store).details) == ("not_recorded", {"count": 2})


def test_what_is_typed_by_an_attacker_is_one_short_line(store: Store) -> None:
    store.record.add(
        "sign_in_failed", "e\n\x1b[31mve\ud800" + "x" * 500, None, {"why": ["a\0b"] * 300, "n": 1}
    )
    entry = last(store)
    assert entry.who.startswith("e[31mvex")
    assert len(entry.who) == 200
    assert entry.details["why"] == ["ab"] * 200
    assert json.loads(entry.detail)["n"] == 1
    with pytest.raises(ValueError, match="no_action"):
        store.record.add("no_action", "eve")


def test_a_read_that_cannot_be_recorded_is_refused(
    store: Store, ann: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ann.create(TEXT)

    def fails(*_: object) -> None:
        raise FacilityError("STORE_FULL", "store", "there is no space.")

    with monkeypatch.context() as patch:
        patch.setattr(store.record, "append", fails)
        with refused("STORE_FULL"):
            ann.text(made.id)
        with refused("STORE_FULL"):
            store.library("x", unrestricted=True).text(made.id)
        with refused("STORE_FULL"):
            ann.save(made.id, text(128), based_on=1)
        with refused("UNKNOWN_PROJECT"):  # A refusal stays one, and is counted
            store.library("bob").text(made.id)
    assert [one.number for one in ann.revisions(made.id)] == [1]
    ann.text(made.id)
    assert [e.action for e in store.record.verified().entries[-2:]] == ["not_recorded", "read"]


def test_sqlite_that_cannot_be_written_is_read_by_its_administrator_alone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with open_store(tmp_path_factory.mktemp("one") / "one.sqlite") as store:
        ann = store.library("ann")
        made = ann.create(TEXT)
        with store.database.engine.connect() as found:
            found.exec_driver_sql("PRAGMA query_only = ON")
        with refused("STORE_READ_ONLY"):
            ann.text(made.id)
        assert store.library("x", unrestricted=True).text(made.id) == TEXT
        assert store.record.unrecorded == 1
