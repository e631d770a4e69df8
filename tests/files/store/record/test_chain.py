"""A record that was altered in the database fails verification, and is not continued."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text as sql
from sqlalchemy.exc import DBAPIError

from facility.files.store.opening import Store, open_store, restore_store
from facility.files.store.record.archive import read_archive, write_archive
from facility.files.store.record.chain import Action, RecordEntry, encoded
from facility.files.store.record.outside import HeadFile, key_file
from tests.files.store.record.tampering import alter, count, drop_triggers, problems, put, rows
from tests.files.store.test_contract import TEXT, refused, text


def filled(store: Store, entries: int = 9) -> str:
    """Make a record of so many entries; return the project that they are of."""
    ann = store.library("ann")
    made = ann.create(TEXT)
    for n in range(entries - 2):
        store.record.add("sign_in", f"person {n}")
    assert count(store) == entries
    return made.id


def reason(store: Store) -> str:
    """Return the code of the one problem of the record, and what it says of entries."""
    (problem,) = problems(store)
    return f"{problem.code}: {problem.message}"


def swap(store: Store) -> None:
    found = rows(store)
    four, five = found[3], found[4]
    drop_triggers(store)
    put(store, [*found[:3], five._replace(seq=4), four._replace(seq=5), *found[5:]])


def forge(store: Store) -> None:
    """Append as a program without the key would."""
    drop_triggers(store)
    found = rows(store)
    put(store, [*found, found[-1]._replace(seq=len(found) + 1, who="eve")])


TAMPERING: dict[str, tuple[Callable[[Store], None], str]] = {
    "an altered person": (
        lambda s: alter(s, "UPDATE store_record SET who = 'eve' WHERE seq = 4"),
        "entry 4 was altered",
    ),
    "an altered time": (
        lambda s: alter(
            s, "UPDATE store_record SET at = '2020-01-01T00:00:00.000000Z' WHERE seq = 9"
        ),
        "entry 9 was altered",
    ),
    "an altered action": (
        lambda s: alter(s, "UPDATE store_record SET action = 'begun' WHERE seq = 4"),
        "started with another key at entry 4",
    ),
    "an altered project": (
        lambda s: alter(s, "UPDATE store_record SET project = 'other' WHERE seq = 2"),
        "entry 2 was altered",
    ),
    "an altered detail": (
        lambda s: alter(s, "UPDATE store_record SET detail = '{}' WHERE seq = 2"),
        "entry 2 was altered",
    ),
    "an altered seal": (
        lambda s: alter(
            s, """UPDATE store_record SET detail = replace(detail, '"before":0', '"before":1')"""
        ),
        "entry 1 was altered",
    ),
    "a removed entry": (
        lambda s: alter(s, "DELETE FROM store_record WHERE seq = 5"),
        "entry 5 is missing",
    ),
    "a removed entry, numbered anew": (
        lambda s: (
            drop_triggers(s),
            put(s, [e._replace(seq=n) for n, e in enumerate(rows(s)[:3] + rows(s)[4:], 1)]),
        )[0],
        "entry 4 was altered",
    ),
    "a removed beginning": (
        lambda s: alter(s, "DELETE FROM store_record WHERE seq < 4"),
        "its first entry is missing",
    ),
    "a truncated end": (
        lambda s: alter(s, "DELETE FROM store_record WHERE seq > 7"),
        "it ends at entry 7, but entry 9 was recorded",
    ),
    "an empty record": (
        lambda s: alter(s, "DELETE FROM store_record"),
        "it ends at entry 0, but entry 9 was recorded",
    ),
    "entries in another order": (swap, "entry 4 was altered"),
    "a forged entry": (forge, "entry 10 was altered"),
}


@pytest.mark.parametrize("kind", TAMPERING)
def test_a_record_that_was_altered_is_found_damaged(store: Store, kind: str) -> None:
    filled(store)
    assert problems(store) == []
    tamper, expected = TAMPERING[kind]
    tamper(store)
    assert expected in reason(store)


@pytest.mark.parametrize(
    "kind", ["an altered time", "a truncated end", "an empty record", "a forged entry"]
)
def test_a_record_with_a_damaged_end_is_not_continued(store: Store, kind: str) -> None:
    project = filled(store)
    TAMPERING[kind][0](store)
    before = rows(store)
    ann = store.library("ann")
    for attempt in (
        lambda: ann.text(project),
        lambda: ann.save(project, text(128), based_on=1),
        lambda: store.record.add("sign_in", "ann"),
        lambda: ann.sharing.readers(project),
        lambda: store.library("x", unrestricted=True).text(project),
    ):
        with refused("RECORD_DAMAGED"):
            attempt()
    assert rows(store) == before
    assert ann.entry(project).head.number == 1  # Lists of projects are shown: they record nothing


def test_a_record_is_not_replaced_by_that_of_another_store(store: Store, tmp_path: Path) -> None:
    filled(store)
    with open_store(tmp_path / "other.sqlite") as other:
        filled(other, 12)
        theirs = rows(other)
    drop_triggers(store)
    put(store, theirs)
    assert "entry 1 was altered" in reason(store)


def test_an_older_state_of_the_record_is_found(store: Store) -> None:
    filled(store)
    older = rows(store)
    store.record.add("sign_in", "ann")
    newer = rows(store)
    drop_triggers(store)
    put(store, older)
    assert "it ends at entry 9, but entry 10 was recorded" in reason(store)
    put(store, newer)
    assert problems(store) == []


def test_another_continuation_of_the_record_is_found(store: Store, outside: Path) -> None:
    """Who has the key and the database, and not the head, cannot forge what was recorded last."""
    filled(store)
    older = rows(store)
    store.record.add("sign_in", "ann")
    (head,) = (outside / "heads").iterdir()
    kept = head.read_bytes()
    drop_triggers(store)
    put(store, older)
    head.unlink()
    store.record.add("sign_in", "eve")
    head.write_bytes(kept)
    assert "entry 10 differs from the recorded entry" in reason(store)


def test_triggers_refuse_to_alter_the_record(store: Store) -> None:
    filled(store)
    before = rows(store)
    sqlite = store.where.endswith(".sqlite")
    for statement in (
        "UPDATE store_record SET who = 'eve' WHERE seq = 2",
        "DELETE FROM store_record WHERE seq = 2",
        "INSERT OR REPLACE INTO store_record SELECT seq, at, 'eve', action, project, detail, mac"
        " FROM store_record WHERE seq = 2"
        if sqlite
        else "TRUNCATE store_record",
    ):
        with (
            pytest.raises(DBAPIError, match="append-only"),
            store.database.engine.begin() as connection,
        ):
            connection.execute(sql(statement))
    assert rows(store) == before


def test_a_missing_key_fails_closed(store: Store, outside: Path) -> None:
    project = filled(store)
    key = outside / "record.key"
    if os.name == "posix":
        assert key.stat().st_mode & 0o777 == 0o600
    content = key.read_bytes()
    assert len(content) == 32
    ann = store.library("ann")
    for wrong in (None, b"", b"short", b"\1" * 32):
        key.unlink()
        if wrong is not None:
            key.write_bytes(wrong)
        with refused("RECORD_KEY"):
            ann.text(project)
        with refused("RECORD_KEY"):
            ann.save(project, text(128), based_on=1)
        assert reason(store).startswith("RECORD_KEY")
        assert key.exists() is (wrong is not None)  # None is made in its place
        if wrong is None:
            key.touch()
    key.write_bytes(content)
    assert ann.text(project) == TEXT
    assert problems(store) == []


def test_a_key_that_cannot_be_made_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("FACILITY_RECORD_KEY", str(tmp_path / "file" / "record.key"))
    with refused("RECORD_KEY"):
        store.library("ann").create(TEXT)
    assert store.library("ann").entries() == []


@pytest.mark.parametrize(
    ("platform", "key", "heads"),
    [
        ("linux", "config/facility/record.key", "state/facility/record"),
        (
            "darwin",
            "home/Library/Preferences/facility/record.key",
            "home/Library/Application Support/facility/record",
        ),
        ("win32", "roaming/facility/record.key", "local/facility/record"),
    ],
)
def test_key_and_head_are_kept_in_folders_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, key: str, heads: str
) -> None:
    for name, folder in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_STATE_HOME", "state"),
        ("APPDATA", "roaming"),
        ("LOCALAPPDATA", "local"),
        ("HOME", "home"),
        ("FACILITY_RECORD_KEY", ""),
        ("FACILITY_RECORD_HEADS", " "),
    ):
        monkeypatch.setenv(name, str(tmp_path / folder) if folder.strip() else folder)
    monkeypatch.setattr("sys.platform", platform)
    assert key_file() == tmp_path / key
    assert HeadFile("id", "where").path.parent == tmp_path / heads
    if platform == "linux":
        monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
        assert key_file() == tmp_path / "home/.config/facility/record.key"


def test_a_lost_head_is_said_in_the_record(store: Store, outside: Path) -> None:
    filled(store)
    (head,) = (outside / "heads").iterdir()
    head.unlink()
    assert problems(store) == []  # Nothing is known of the newest entries
    store.record.add("sign_in", "ann")
    told, entry = rows(store)[-2:]
    assert (told.action, entry.action) == ("head_kept", "sign_in")
    assert told.details["computer"]
    assert json.loads(head.read_bytes())["length"] == 11
    store.record.add("sign_in", "ann")
    assert count(store) == 12


def test_a_damaged_head_fails_closed(store: Store, outside: Path) -> None:
    filled(store)
    (head,) = (outside / "heads").iterdir()
    head.write_text("{}")
    with refused("RECORD_HEAD"):
        store.record.add("sign_in", "ann")
    assert reason(store).startswith("RECORD_HEAD")
    store.record.begin_again("root")
    assert problems(store) == []


def test_a_crash_before_the_head_is_kept_loses_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)
    with monkeypatch.context() as patch:
        patch.setattr(store.record, "committed", lambda connection: None)
        store.record.add("sign_in", "ann")
        store.record.add("sign_in", "bob")
    assert count(store) == 11
    assert problems(store) == []
    store.record.add("sign_in", "cyd")
    assert [entry.who for entry in store.record.verified().entries[-3:]] == ["ann", "bob", "cyd"]


def test_a_head_that_cannot_be_kept_refuses_the_next_entry(
    store: Store, outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)
    heads = outside / "heads"
    (head,) = heads.iterdir()
    kept = head.read_bytes()
    head.unlink()
    head.mkdir()  # No head can be written there
    with refused("RECORD_HEAD"):
        store.record.add("sign_in", "ann")
    head.rmdir()
    head.write_bytes(kept)
    file = tmp_path / "file"
    file.write_text("x")
    monkeypatch.setenv("FACILITY_RECORD_HEADS", str(file))
    with refused("RECORD_HEAD"):
        store.record.add("sign_in", "ann")
    assert count(store) == 9


def test_a_rolled_back_change_keeps_no_head(store: Store) -> None:
    filled(store)

    class Stop(Exception):
        pass

    def stopped() -> None:
        with store.database.writing() as connection:
            store.record.append(connection, Action.SIGN_IN, "eve")
            raise Stop

    with pytest.raises(Stop):
        stopped()
    assert count(store) == 9
    store.record.add("sign_in", "ann")
    assert problems(store) == []
    assert rows(store)[-1].who == "ann"


def test_a_lost_key_is_followed_by_another_that_seals_what_was(store: Store, outside: Path) -> None:
    project = filled(store)
    (outside / "record.key").unlink()
    store.record.begin_again("root")
    begun = rows(store)[-1]
    assert (begun.action, begun.who, begun.seq) == ("begun", "root", 10)
    assert begun.details["before"] == 9
    assert begun.details["found"] == "RECORD_KEY"
    assert store.library("ann").text(project) == TEXT
    found = store.record.verified()
    assert (found.count, found.sealed) == (11, 9)
    alter(store, "UPDATE store_record SET who = 'eve' WHERE seq = 3")
    assert "entry 10 was altered, or the entry before it" in reason(store)


def test_a_damaged_record_is_continued_by_an_administrator_alone(store: Store) -> None:
    project = filled(store)
    alter(store, "DELETE FROM store_record WHERE seq IN (4, 8, 9)")
    with refused("RECORD_DAMAGED"):
        store.library("ann").text(project)
    store.record.begin_again("root")
    begun = rows(store)[-1]
    assert (begun.seq, begun.details["before"]) == (8, 6)
    assert "entry 4 is missing" in str(begun.details["reason"])
    assert store.library("ann").text(project) == TEXT
    assert store.record.verified().sealed == 6
    with store.database.writing() as connection:
        connection.execute(sql("UPDATE store_record SET detail = '{}' WHERE seq = 8"))
    assert reason(store).startswith("RECORD_")


@pytest.mark.parametrize("kind", ["a truncated end", "an empty record"])
def test_the_new_beginning_says_that_the_end_was_missing(store: Store, kind: str) -> None:
    project = filled(store)
    TAMPERING[kind][0](store)
    left = count(store)
    store.record.begin_again("root")
    begun = rows(store)[-1]
    assert (begun.seq, begun.details["before"]) == (left + 1, left)
    assert "entry 9 was recorded" in str(begun.details["reason"])
    assert store.library("ann").text(project) == TEXT
    assert problems(store) == []


def test_a_restored_backup_says_so_and_continues(store: Store, tmp_path: Path) -> None:
    project = filled(store)
    out = tmp_path / "backup.jsonl"
    store.backup(out, who="root")
    store.record.add("sign_in", "later")
    new = tmp_path / "new.sqlite"
    restore_store(new, out, "root")
    with open_store(new) as restored:
        assert [(e.action, e.who) for e in rows(restored)[-2:]] == [
            ("backed_up", "root"),
            ("restored", "root"),
        ]
        assert restored.library("ann").text(project) == TEXT
        assert restored.record.verified().sealed == 0  # The same key: all of it is verified
    store.record.add("sign_in", "ann")  # The original goes on beside it
    assert problems(store) == []
    new.unlink()
    for left in tmp_path.glob("new.sqlite-*"):
        left.unlink()
    restore_store(new, out, "root")  # In the place of a longer record
    with open_store(new) as restored:
        assert problems(restored) == []
        restored.record.add("sign_in", "ann")


def test_a_backup_is_restored_without_the_key_that_it_was_made_with(
    store: Store, tmp_path: Path, outside: Path
) -> None:
    project = filled(store)
    store.backup(tmp_path / "backup.jsonl")
    (outside / "record.key").unlink()
    restore_store(tmp_path / "new.sqlite", tmp_path / "backup.jsonl")
    with open_store(tmp_path / "new.sqlite") as restored:
        begun = rows(restored)[-1]
        assert (begun.action, begun.details["restored"]) == ("begun", "backup.jsonl")
        assert restored.library("ann").text(project) == TEXT
        assert restored.record.verified().sealed == 10


def test_a_copy_of_a_sqlite_store_keeps_a_head_of_its_own(tmp_path: Path, outside: Path) -> None:
    with open_store(tmp_path / "one.sqlite") as store:
        filled(store)
        store.backup(tmp_path / "copy.sqlite")
        with open_store(tmp_path / "copy.sqlite") as copy:
            copy.record.add("sign_in", "ann")
            assert [entry.action for entry in rows(copy)[-2:]] == ["head_kept", "sign_in"]
        store.record.add("sign_in", "bob")
        assert problems(store) == []
        assert len(list((outside / "heads").iterdir())) == 2


def test_an_exported_record_is_verified_with_the_key(
    store: Store, tmp_path: Path, outside: Path
) -> None:
    filled(store)
    out = tmp_path / "record.jsonl"
    assert write_archive(store.record, out) == 9
    with refused("FILE_EXISTS"):
        write_archive(store.record, out)
    found = read_archive(out)
    assert found.entries == rows(store)
    lines = out.read_text().splitlines(keepends=True)
    for bad, code in (
        ([*lines[:4], lines[4].replace("person", "nobody"), *lines[5:]], "RECORD_DAMAGED"),
        ([*lines[:4], *lines[5:]], "RECORD_DAMAGED"),
        ([lines[0].replace('"store": "', '"store": "0'), *lines[1:]], "RECORD_DAMAGED"),
        (lines[1:], "RECORD_FILE"),
        ([lines[0], "[1]\n"], "RECORD_FILE"),
        (["not json\n"], "RECORD_FILE"),
        ([], "RECORD_FILE"),
    ):
        out.write_text("".join(bad))
        with refused(code):
            read_archive(out)
    with refused("FILE_UNREADABLE"):
        read_archive(tmp_path / "missing.jsonl")
    alter(store, "UPDATE store_record SET who = 'eve' WHERE seq = 4")
    with refused("RECORD_DAMAGED"):  # Written all the same, as evidence
        write_archive(store.record, tmp_path / "evidence.jsonl")
    assert '"who": "eve"' in (tmp_path / "evidence.jsonl").read_text()
    (outside / "record.key").write_bytes(b"\1" * 32)
    with refused("RECORD_KEY"):
        read_archive(tmp_path / "evidence.jsonl")


def test_entries_are_told_apart_by_every_column() -> None:
    """Columns that are moved into each other do not encode alike."""
    one = RecordEntry(1, "t", "a", "read", "p", "{}", "")
    others = [
        one._replace(who="", action="aread"),
        one._replace(who='a","read', action=""),
        one._replace(project=None),
        one._replace(project=""),
        one._replace(seq=11),
    ]
    found = {encoded(entry, "s", "m") for entry in (one, *others)}
    assert len(found) == 6
    assert encoded(one, "s", "m") != encoded(one, "sm", "")
