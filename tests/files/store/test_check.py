"""The check of a whole store finds each planted fault, and goes on after the first."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from facility.files.store.opening import Store, open_store
from tests.files.store.edited import execute, forge_text
from tests.files.store.record.tampering import alter, rows
from tests.files.store.test_contract import text as project_text
from tests.files.store.test_integrity import Filled, fill

PAGE = 4096


@pytest.fixture
def filled(store: Store) -> Filled:
    return fill(store)


def without_keys(store: Store, *statements: str, **values: object) -> None:
    """Change rows as a program does that keeps no foreign keys."""
    if store.database.engine.dialect.name == "postgresql":
        execute(store, "SET LOCAL session_replication_role = replica", *statements, **values)
        return
    with closing(sqlite3.connect(store.where)) as raw, raw:  # Which keeps no foreign keys
        for statement in statements:
            raw.execute(statement, values)


def found(store: Store) -> set[tuple[str, str, str]]:
    """Return table, row and message of what the check finds."""
    return {(one.table, one.row, one.message) for one in store.check().problems}


def test_a_sound_store_is_counted(filled: Filled) -> None:
    checked = filled.store.check()
    assert checked.problems == []
    assert {table.removeprefix("store_"): n for table, n in checked.counts.items()} == {
        **{"projects": 3, "revisions": 4, "panels": 1, "files": 2, "drafts": 1, "roles": 4},
        "links": 1,
        "record": len(rows(filled.store)),
    }


def test_a_text_edited_with_all_its_sums_is_found_by_the_record(filled: Filled) -> None:
    store, project = filled.store, filled.project
    forged = project_text(999)
    forge_text(store, project, 2, forged)
    assert store.library("x", unrestricted=True).text(project, 2) == forged
    message = "its text differs from the saved text in the access record."
    assert found(store) == {("store_revisions", "2", message)}


def test_a_damaged_record_is_one_more_problem(filled: Filled) -> None:
    alter(filled.store, "UPDATE store_record SET who = 'eve' WHERE seq = 2")
    execute(filled.store, "UPDATE store_panels SET text = 'two'")
    assert {table for table, _, _ in found(filled.store)} == {"store_record", "store_panels"}


def test_every_fault_is_found_in_one_check(filled: Filled) -> None:
    store, project = filled.store, filled.project
    for statement in (
        "UPDATE store_revisions SET text = text || ' ' WHERE number = 2",
        "UPDATE store_panels SET text = 'two'",
        "UPDATE store_drafts SET text = 'two'",
        "UPDATE store_files SET packed = 'eJw='",
        "UPDATE store_roles SET role = 'king' WHERE who = 'bob'",
        "UPDATE store_links SET made_at = 'soon'",
        "UPDATE store_projects SET archived_at = 'soon' WHERE id = :project",
    ):
        values = {"project": project} if ":project" in statement else {}
        execute(store, statement, **values)
    problems = store.check().problems
    link = next(one.row for one in problems if one.table == "store_links")
    assert {(one.table, one.row) for one in problems if one.project == project} == {
        ("store_projects", ""),
        ("store_revisions", "2"),
        ("store_panels", "RPP 1"),
        ("store_files", problems[3].row),
        ("store_drafts", "ann waiting"),
        ("store_roles", "bob"),
        ("store_links", link),
    }
    assert len(link) == 12
    # The branch has a copy of the file; the role is found by its sum and by the record.
    assert len(problems) == 9


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            "DELETE FROM store_revisions WHERE number = 2",
            ("store_projects", "2", "its last revision is 1, not 2 as in its row."),
        ),
        (
            "DELETE FROM store_revisions WHERE number = 1 AND label = 'created'",
            ("store_projects", "1", "its first revision is missing."),
        ),
        (
            "DELETE FROM store_roles WHERE who = 'ann'",
            ("store_roles", "", "the project has no owner."),
        ),
        ("DELETE FROM store_settings", ("store_settings", "", "the store has no id.")),
    ],
)
def test_what_rows_say_of_each_other_is_compared(
    filled: Filled, change: str, fault: tuple[str, str, str]
) -> None:
    execute(filled.store, change)
    assert fault in found(filled.store)


def test_rows_of_no_project_are_found(filled: Filled) -> None:
    change = "DELETE FROM store_projects WHERE origin IS NULL AND head = 2"
    without_keys(filled.store, change)
    assert {(table, row) for table, row, said in found(filled.store) if "no such row" in said} >= {
        ("store_revisions", "1"),
        ("store_revisions", "2"),
        ("store_roles", "ann"),
        ("store_roles", "bob"),
        ("store_panels", "RPP 1"),
        ("store_drafts", "ann waiting"),
    }


def test_a_table_that_is_gone_hides_no_other(filled: Filled) -> None:
    execute(filled.store, "DROP TABLE store_panels", "UPDATE store_drafts SET text = 'two'")
    tables = {table for table, _, __ in found(filled.store)}
    assert tables >= {"store_panels", "store_drafts"}


def test_damaged_pages_of_sqlite_are_found_and_the_rest_is_read(tmp_path: Path) -> None:
    file = tmp_path / "one.sqlite"
    with open_store(file) as store:
        made = fill(store)
        large = project_text(512) + "# much\n" * 20_000
        made.ann.save(made.project, large, based_on=2)
        with store.database.reading() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    content = bytearray(file.read_bytes())
    start = content.index(b"# much\n" * 500)
    content[start + 2 * PAGE : start + 3 * PAGE] = b"\xff" * PAGE
    file.write_bytes(bytes(content))
    with open_store(file) as store:
        problems = store.check().problems
        assert pages == len(content) // PAGE
        assert any(one.message.startswith("SQLite: ") for one in problems)
        assert ("store_revisions", made.project, "3") in {p[:3] for p in map(_tuple, problems)}
        assert made.ann.text(made.project, 1)
        assert store.check().counts["store_revisions"] == 5


def _tuple(problem: object) -> tuple[str, ...]:
    return tuple(vars(problem).values())
