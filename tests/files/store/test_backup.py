"""A backup holds all of a store, is restored into either kind, and a damaged one is refused."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.project.companions import content_name
from facility.files.store.backup import _copied
from facility.files.store.opening import Store, open_store, restore_store
from facility.files.store.records import Role
from tests.files.store.edited import keep_panel
from tests.files.store.server import Server
from tests.files.store.test_contract import TEXT, refused, text


def filled(store: Store) -> str:
    ann = store.library("ann")
    made = ann.create(TEXT, facts={"load.it": 1.5})
    ann.save(made.id, text(128), based_on=1)
    ann.name_revision(made.id, 2, "Änderung")
    keep_panel(ann, made.id, "RPP", "one")
    ann.files.save(made.id, content_name("load.csv", b"one"), b"one")
    ann.sharing.give(made.id, "bob", Role.READER)
    ann.archive(ann.branch(made.id, 1).id)
    return made.id


def content(store: Store) -> list[object]:
    anybody = store.library("x", unrestricted=True)
    entries = anybody.entries() + anybody.entries(archived=True)
    return [
        (
            entry,
            [(r, anybody.text(entry.id, r.number)) for r in anybody.revisions(entry.id)],
            anybody.panels.all(entry.id),
            {name: anybody.files.content(entry.id, name) for name in anybody.files.names(entry.id)},
            anybody.sharing.roles(entry.id),
        )
        for entry in entries
    ]


def test_a_backup_is_restored_to_the_letter(store: Store, tmp_path: Path) -> None:
    filled(store)
    out = tmp_path / "backup.jsonl"
    assert store.backup(out) == 2
    with refused("FILE_EXISTS"):
        store.backup(out)
    new = tmp_path / "new.sqlite"
    assert restore_store(new, out) == 2
    with open_store(new) as restored:
        again = tmp_path / "again.jsonl"
        restored.backup(again)
        assert content(restored) == content(store)
    # The same bytes, from whichever database: order, columns and texts are the tool's own. What is
    # new is what was recorded since.
    before, after = (file.read_bytes().splitlines()[:-1] for file in (out, again))
    assert [line for line in after if line in before] == before
    new_rows = [json.loads(line)["store_record"] for line in after if line not in before]
    assert [row["action"] for row in new_rows] == ["restored", "backed_up"]
    with refused("STORE_EXISTS"):
        restore_store(new, out)


@pytest.mark.postgresql
def test_a_backup_of_sqlite_is_restored_into_postgresql(tmp_path: Path, postgresql: Server) -> None:
    out = tmp_path / "backup.jsonl"
    with open_store(tmp_path / "one.sqlite") as store:
        filled(store)
        store.backup(out)
        address = postgresql.schema("restored")
        assert restore_store(address, out) == 2
        with open_store(address) as restored:
            assert content(restored) == content(store)
            with refused("BACKUP_FORMAT"):
                restored.backup(tmp_path / "x.sqlite")


def test_a_copy_of_sqlite_is_taken_while_it_is_written(tmp_path: Path) -> None:
    with open_store(tmp_path / "one.sqlite") as store:
        made = filled(store)
        with store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE store_projects SET name = 'half done'")
            assert _copied(store.database, tmp_path / "copy.sqlite") == 2
        assert store.backup(tmp_path / "later.sqlite") == 2
        with open_store(tmp_path / "copy.sqlite") as copy:
            assert copy.library("ann").entry(made).name == "Hall Ä"
            assert copy.library("ann").save(made, text(256), based_on=2).number == 3
    with sqlite3.connect(tmp_path / "copy.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_damaged_backup_restores_nothing(tmp_path: Path) -> None:
    out = tmp_path / "backup.jsonl"
    with open_store(tmp_path / "one.sqlite") as store:
        filled(store)
        store.backup(out)
    lines = out.read_bytes().splitlines(keepends=True)
    row = json.loads(lines[1])
    row["store_projects"]["name"] = "other"
    changed = [lines[0], json.dumps(row).encode() + b"\n", *lines[2:]]
    strange = json.dumps({"sqlite_master": {"sql": "DROP TABLE x"}}).encode() + b"\n"
    for bad, code in (
        (lines[:-1], "BACKUP_DAMAGED"),
        (lines[:1] + lines[2:], "BACKUP_DAMAGED"),
        (changed, "BACKUP_DAMAGED"),
        ([*lines, b"more\n"], "BACKUP_DAMAGED"),
        (lines[1:], "BACKUP_DAMAGED"),
        ([lines[0], strange], "BACKUP_DAMAGED"),
        ([lines[0], lines[1].replace(b"Hall", b"\\ud800")], "BACKUP_DAMAGED"),
        ([lines[0], lines[1].replace(b'"head":2', b'"head":%d' % 10**30)], "BACKUP_DAMAGED"),
        ([lines[0], b'{"store_projects": {"id": [1]}}\n'], "BACKUP_DAMAGED"),
        ([lines[0], b"[" * 100_000 + b"\n"], "BACKUP_DAMAGED"),
        ([b"\xff\xfe\n"], "BACKUP_DAMAGED"),
        ([lines[0].replace(b'"000', b'"999')], "STORE_NEWER"),
    ):
        out.write_bytes(b"".join(bad))
        new = tmp_path / "new.sqlite"
        with refused(code):
            restore_store(new, out)
        with open_store(new) as store:
            assert store.library("x", unrestricted=True).entries() == []
        for left in tmp_path.glob("new.sqlite*"):
            left.unlink()
    with pytest.raises(FacilityError, match="FILE_UNREADABLE"):
        restore_store(tmp_path / "new.sqlite", tmp_path / "missing.jsonl")
