"""What is edited or damaged in a database is refused where it is read, and found by the check."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import Column, Integer, Table, select

from facility.core.errors import FacilityError
from facility.files.project.companions import content_name
from facility.files.store import library as saving
from facility.files.store.library import Library
from facility.files.store.opening import Store, open_store, restore_store
from facility.files.store.records import Draft, Role
from facility.files.store.sums import ROW_SUM
from facility.files.store.tables import (
    Moment,
    drafts,
    files,
    links,
    metadata,
    projects,
    revisions,
    roles,
)
from tests.files.store.edited import edited, execute, keep_panel
from tests.files.store.test_contract import TEXT, refused, text

CONTENT = b"hour,load_kw\r\n1,5\r\n"
FILE = content_name("load.csv", CONTENT)
REFUSED = {"", "STORE_DAMAGED", "UNKNOWN_PROJECT", "UNKNOWN_LINK", "FILE_NOT_GIVEN"}
TABLES = [table for table in metadata.sorted_tables if ROW_SUM in table.c]
Reads = dict[str, Callable[[], object]]


class Filled(NamedTuple):
    """A store with a row or two in every table, and all that reads them."""

    store: Store
    ann: Library
    project: str
    other: str
    token: str

    def reads(self) -> Reads:
        """Return what reads the project, by library, and by link."""
        ann, project, other = self.ann, self.project, self.other
        bob, carl = self.store.library("bob"), self.store.library("carl")
        return {
            "entries": ann.entries,
            "entry": lambda: ann.entry(project),
            "revisions": lambda: ann.revisions(project),
            "text": lambda: ann.text(project),
            "texts": lambda: [ann.text(project, number) for number in (1, 2)],
            "panels": lambda: [ann.panels.all(one) for one in (project, other)],
            "files": lambda: ann.files.content(project, FILE),
            "names of files": lambda: [ann.files.names(one) for one in (project, other)],
            "drafts": lambda: [ann.drafts.all(project), ann.drafts.all(other)],
            "drafts of bob": lambda: bob.drafts.all(project),
            "roles": lambda: [ann.sharing.roles(one) for one in (project, other)],
            "entries of bob": bob.entries,
            "entries of carl": carl.entries,
            "links": lambda: [ann.links.all(one) for one in (project, other)],
            "link": lambda: self.guest().text(project),
            "entries of the link": lambda: self.guest().entries(),
            "revisions of the link": lambda: self.guest().revisions(project),
        }

    def guest(self) -> Library:
        return self.store.by_link(self.token)[1]

    def damaged(self) -> set[str]:
        """Return what refuses to read."""
        return {name for name, read in self.reads().items() if code_of(read) == "STORE_DAMAGED"}


def code_of(read: Callable[[], object]) -> str:
    try:
        read()
    except FacilityError as error:
        return error.code
    return ""


def fill(store: Store) -> Filled:
    ann = store.library("ann")
    made, other = ann.create(TEXT, facts={"load.it": 1.5}), ann.create(text(96))
    ann.save(made.id, text(128), based_on=1, label="it.gpus", facts={"pue.annual": 1.2})
    ann.name_revision(made.id, 2, "for review")
    ann.sharing.give(made.id, "bob", Role.READER)
    keep_panel(ann, made.id, "RPP", "one")
    ann.drafts.save(made.id, Draft.WAITING, "not yet")
    ann.files.save(made.id, FILE, CONTENT)
    ann.archive(ann.branch(made.id, 1).id)
    token = ann.links.make(made.id, "for review")
    found = Filled(store, ann, made.id, other.id, token)
    assert found.damaged() == set()
    assert store.check().problems == []
    return found


@pytest.fixture
def filled(store: Store) -> Filled:
    return fill(store)


def values_for(table: Table, column: Column[object], filled: Filled) -> list[object]:
    """Return values that the column may hold, none of which was saved."""
    if column.name == "project":
        return [filled.other]
    if isinstance(column.type, Moment):
        return ["2031-01-31T09:30:00.000000Z", "2031-01-31T09:30:00Z", "soon"]
    if isinstance(column.type, Integer):
        return [1, 7] if column.name == "head" else [7]
    of_column: dict[str, list[object]] = {
        "role": ["owner", "king"],
        "facts": ["{}", "[", "[]", '{"load.it": []}', '{"load.it": NaN}'],
        "token": ["0" * 64],
        "who": ["carl" if table is roles else "bob"],
    }
    if table is drafts and column.name == "name":
        return [Draft.RANGES.value, "x"]
    sums: list[object] = ["0" * 64, *([None] if column.nullable else [])]
    return sums if "sha256" in column.name else of_column.get(column.name, ["other", ""])


def row_of(filled: Filled, table: Table) -> str:
    """Return the sum of the last row that the project has in a table."""
    project = table.c.id if table is projects else table.c.project
    query = select(table.c[ROW_SUM]).where(project == filled.project)
    query = query.order_by(*(column.desc() for column in table.primary_key))
    with filled.store.database.reading() as connection:
        return str(connection.execute(query).scalars().all()[0])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_edited_column_is_noticed(filled: Filled, table: Table) -> None:
    row = row_of(filled, table)
    for column in table.c:
        if column is projects.c.id:  # To the database this is another project
            continue
        for value in values_for(table, column, filled):
            with edited(filled.store, table.name, row, column.name, value):
                assert filled.damaged(), (column.name, value)
                found = {one.table for one in filled.store.check().problems}
                assert table.name in found, (column.name, value)
    assert filled.damaged() == set()
    assert filled.store.check().problems == []


def test_an_edited_text_is_refused_by_library_and_link(filled: Filled) -> None:
    ann, project = filled.ann, filled.project
    row = row_of(filled, revisions)
    for bad in (text(129), text(128).replace("# kept", "# Kept"), text(128) + " ", ""):
        with edited(filled.store, "store_revisions", row, "text", bad):
            assert filled.damaged() == {"text", "texts", "link"}
            with refused("STORE_DAMAGED") as caught:
                ann.text(project)
            assert f"{project}: revision 2 differs from what was saved" in str(caught.value)  # type: ignore[attr-defined]
            for attempt in (
                lambda: ann.restore(project, 2, based_on=2),
                lambda: ann.branch(project, 2),
                lambda: ann.save(project, text(128), based_on=2),
            ):
                with refused("STORE_DAMAGED"):
                    attempt()
            assert ann.text(project, 1) == TEXT
            (problem,) = filled.store.check().problems
            assert (problem.table, problem.project, problem.row) == (
                "store_revisions",
                project,
                "2",
            )


def test_a_damaged_head_is_left_behind_by_a_new_revision(filled: Filled) -> None:
    ann, project = filled.ann, filled.project
    execute(filled.store, "UPDATE store_revisions SET text = 'x' WHERE number = 2")
    assert ann.restore(project, 1, based_on=2).number == 3
    assert ann.text(project) == TEXT
    with refused("STORE_DAMAGED"):
        ann.text(project, 2)


def test_a_damaged_row_of_a_project_opens_nothing_of_it(filled: Filled) -> None:
    row = row_of(filled, projects)
    with edited(filled.store, "store_projects", row, "archived_at", "2026-01-31T09:30:00.000000Z"):
        of_others = {"entries", "entries of bob", "entries of carl", "entries of the link"}
        assert filled.damaged() >= {*filled.reads()} - of_others
        with refused("STORE_DAMAGED"):
            filled.ann.save(filled.project, text(256), based_on=2)
        with refused("STORE_DAMAGED"):
            filled.ann.unarchive(filled.project)


def test_an_edited_role_gives_nothing(filled: Filled) -> None:
    bob = filled.store.library("bob")
    for role in ("owner", "king", ""):
        with edited(filled.store, "store_roles", row_of(filled, roles), "role", role):
            for attempt in (
                bob.entries,
                lambda: bob.text(filled.project),
                lambda: bob.save(filled.project, text(256), based_on=2),
                lambda: bob.delete(filled.project),
            ):
                with refused("STORE_DAMAGED"):
                    attempt()
    assert bob.text(filled.project) == text(128)


def test_an_edited_link_opens_nothing(filled: Filled) -> None:
    guest, row = filled.guest(), row_of(filled, links)
    far = "2999-01-31T09:30:00.000000Z"
    for column, value in (("expires_at", far), ("expires_at", "zzz"), ("project", filled.other)):
        with edited(filled.store, "store_links", row, column, value):
            with refused("STORE_DAMAGED"):
                filled.guest()
            assert code_of(lambda: guest.text(filled.project)) in (
                "STORE_DAMAGED",
                "UNKNOWN_PROJECT",
            )
    filled.ann.links.revoke(filled.project, row_of_link(filled))
    execute(filled.store, "UPDATE store_links SET revoked_at = NULL")
    for attempt in (filled.guest, lambda: guest.text(filled.project)):
        with refused("STORE_DAMAGED"):
            attempt()


def row_of_link(filled: Filled) -> str:
    (link,) = filled.ann.links.all(filled.project)
    return link.id


def test_a_head_that_is_gone_is_damage(filled: Filled) -> None:
    ann, project = filled.ann, filled.project
    execute(filled.store, "DELETE FROM store_revisions WHERE number = 2")
    gone = {"entries", "entry", "revisions", "text", "link", "entries of bob", "texts"}
    assert filled.damaged() == gone | {"entries of the link", "revisions of the link"}
    for attempt in (
        lambda: ann.text(project, 2),
        lambda: ann.save(project, text(256), based_on=2),
        lambda: ann.name_revision(project, 2, "x"),
    ):
        with refused("STORE_DAMAGED"):
            attempt()
    with refused("UNKNOWN_REVISION"):
        ann.text(project, 3)
    assert ann.text(project, 1) == TEXT


def test_an_edited_file_is_damage(filled: Filled) -> None:
    row = row_of(filled, files)
    for column, value in (("packed", "eJw="), ("packed", "ä"), ("size", 7), ("saved_at", "x")):
        with edited(filled.store, "store_files", row, column, value):
            assert filled.damaged() >= {"files"}, column
            assert [one.table for one in filled.store.check().problems] == ["store_files"]
    assert filled.damaged() == set()


def test_a_backup_neither_hides_nor_blesses_damage(filled: Filled, tmp_path: Path) -> None:
    execute(
        filled.store,
        "UPDATE store_revisions SET text = text || ' ' WHERE number = 2",
        "UPDATE store_roles SET role = 'owner' WHERE who = 'bob'",
    )
    out, new = tmp_path / "backup.jsonl", tmp_path / "new.sqlite"
    filled.store.backup(out)
    restore_store(new, out)
    with open_store(new) as store:
        restored = filled._replace(store=store, ann=store.library("ann"))
        assert restored.damaged() == filled.damaged() != set()
        assert store.check().problems == filled.store.check().problems


def test_thinning_stops_at_a_damaged_row(filled: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edited size or time would have it delete what is to be kept."""
    monkeypatch.setattr(saving, "EVERY", 5)
    ann, project = filled.ann, filled.project
    for number in (2, 3):
        ann.save(project, text(256 + number), based_on=number)
    execute(filled.store, "UPDATE store_revisions SET size = 2000000000 WHERE number = 3")
    with refused("STORE_DAMAGED"):
        ann.save(project, text(512), based_on=4)
    assert ann.entry(project).head.number == 4


@pytest.mark.parametrize("value", ["X'00FF'", "CAST(X'FF' AS TEXT)", "-1.5"])
def test_no_value_that_sqlite_takes_is_a_traceback(tmp_path: Path, value: str) -> None:
    """SQLite keeps any value in any column."""
    file = tmp_path / "one.sqlite"
    with open_store(file) as store, closing(sqlite3.connect(file, isolation_level=None)) as raw:
        filled = fill(store)
        for column in (column for table in TABLES for column in table.c):
            table, name = column.table.name, column.name
            (row,) = raw.execute(f"SELECT max(rowid) FROM {table}").fetchone()
            (before,) = raw.execute(f"SELECT {name} FROM {table} WHERE rowid = {row}").fetchone()
            raw.execute(f"UPDATE {table} SET {name} = {value} WHERE rowid = {row}")
            assert {code_of(read) for read in filled.reads().values()} <= REFUSED, column
            assert table in {one.table for one in store.check().problems}, column
            raw.execute(f"UPDATE {table} SET {name} = ? WHERE rowid = {row}", (before,))
        assert store.check().problems == []
