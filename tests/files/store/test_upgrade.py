"""Stores that earlier versions wrote, with data in every table, are brought up and read back equal.

`earlier.py` wrote them, run with the program of each version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from facility.files.project.file import parse_project
from facility.files.store.backup import _Backup, _filled
from facility.files.store.opening import Store, open_store, restore_store
from facility.files.store.versions import upgrade, version_of
from tests.files.store.earlier import HALL, read
from tests.files.store.test_contract import refused
from tests.files.store.test_versions import KNOWN, database
from tests.tools.source_tree import ROOT

STORES = ROOT / "tests" / "data" / "stores"
VERSIONS = [file.stem for file in sorted(STORES.glob("*.jsonl"))]


def written(address: str, version: str, *edits: str) -> None:
    """Make the store that an earlier version wrote, as that version left it."""
    file = STORES / f"{version}.jsonl"
    with database(address) as old, old.writing() as connection, file.open("rb") as stream:
        upgrade(connection, address, version)
        _filled(connection, _Backup(stream, str(file)))
        assert version_of(connection) == version
        for edit in edits:
            connection.execute(text(edit))


@contextmanager
def brought_up(address: str, version: str, way: str) -> Iterator[Store]:
    if way == "opened":
        written(address, version)
    else:
        restore_store(address, STORES / f"{version}.jsonl")
    with open_store(address) as store:
        yield store


def rows_in(version: str) -> dict[str, int]:
    lines = (STORES / f"{version}.jsonl").read_text("utf-8").splitlines()[1:-1]
    tables = [next(iter(json.loads(line))).removeprefix("store_") for line in lines]
    return {table: tables.count(table) for table in tables if table != "settings"}


def test_every_version_that_was_released_has_a_store_here() -> None:
    assert VERSIONS == ["0001", "0002", "0003", "0004", "0005"]
    assert rows_in("0005") == {
        **{"projects": 3, "revisions": 7, "panels": 4, "files": 1, "drafts": 2, "roles": 5},
        "links": 2,
    }


@pytest.mark.parametrize("way", ["opened", "restored"])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_of_any_version_is_read_back_equal(address: str, version: str, way: str) -> None:
    expected = json.loads((STORES / f"{version}.json").read_text("utf-8"))
    with brought_up(address, version, way) as store:
        with store.database.reading() as connection:
            assert version_of(connection) == KNOWN[-1]
        found = json.loads(json.dumps(read(store, version), ensure_ascii=False))
        ends = [link.pop("expires_at") for one in found for link in one.get("links", ())]
        assert found == expected["projects"]
        checked = store.check()
        assert checked.problems == []
        assert checked.counts.pop("store_record") > 0  # of what was read just now
        assert {table.removeprefix("store_"): n for table, n in checked.counts.items() if n} == (
            rows_in(version)
        )
        assert len(ends) == (version >= "0002")
        for end in ends:
            left = datetime.fromisoformat(end) - datetime.now(UTC)
            assert timedelta(days=29) < left < timedelta(days=30)
            assert store.by_link(expected["open"])[0] == expected["of"]
            with refused("UNKNOWN_LINK"):
                store.by_link(expected["revoked"])
        ann = store.library("ann@example.org")
        assert ann.save(expected["of"], HALL, based_on=5).number == 6
        assert store.check().problems == []


@pytest.mark.parametrize(
    ("set_to", "code"),
    [
        ("text = replace(text, '128', '129')", "STORE_DAMAGED"),
        ("text = text || ' '", "STORE_DAMAGED"),
        ("sha256 = '0'", "STORE_DAMAGED"),
        ("text = replace(text, 'gpus', 'gpuz')", ""),
    ],
    ids=["other value", "longer", "other sum", "a field that is known no more"],
)
def test_a_text_that_was_edited_is_not_blessed(address: str, set_to: str, code: str) -> None:
    version = VERSIONS[-1]
    project = json.loads((STORES / f"{version}.json").read_text("utf-8"))["of"]
    at = f"project = '{project}' AND number = 2"
    written(address, version, f"UPDATE store_revisions SET {set_to} WHERE {at}")
    with open_store(address) as store:
        ann = store.library("ann@example.org")
        assert [one.number for one in ann.revisions(project)] == [5, 4, 3, 2, 1]
        assert parse_project(ann.text(project, 1)).it.gpus is not None
        if not code:
            assert "gpuz" in ann.text(project, 2)
            assert store.check().problems == []
            return
        with refused(code):
            ann.text(project, 2)
        (problem,) = store.check().problems
        assert (problem.table, problem.project, problem.row) == ("store_revisions", project, "2")


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE store_roles SET role = 'king' WHERE who = 'bob@example.org'",
        "UPDATE store_projects SET created_at = 'yesterday'",
        "UPDATE store_projects SET head = 7",
        "UPDATE store_revisions SET facts = '[]'",
        "UPDATE store_links SET made_at = 'x'",
        "UPDATE store_drafts SET name = 'x'",
        "UPDATE store_files SET name = 'x'",
        "UPDATE store_panels SET saved_at = 'x'",
    ],
)
def test_what_cannot_be_read_is_damage_after_the_upgrade_too(address: str, edit: str) -> None:
    written(address, VERSIONS[-1], edit)
    table = edit.split()[1]
    with open_store(address) as store:
        assert {one.table for one in store.check().problems} == {table}
        with refused("STORE_DAMAGED"):
            read(store, VERSIONS[-1])
