"""The tables of a store: made, brought up from every version, and refused where they are newer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from facility.files.store import connection, versions
from facility.files.store import connection as failures
from facility.files.store.connection import Database, engine_of, url_of
from facility.files.store.library import Library
from facility.files.store.opening import Store, open_store
from facility.files.store.tables import VERSIONS, metadata
from tests.files.store.server import Server
from tests.files.store.test_contract import TEXT, refused
from tests.files.store.test_contract import text as project_text

KNOWN = [script.revision for script in versions.steps(None, "")]
SUMS = "0007"
"""From this version on, what another program writes is refused."""
ROWS = (
    "INSERT INTO store_projects (id, head, name, title, search, created_at, created_by)"
    " VALUES ('abc', 1, 'Old', '', 'old', '2026-01-31T09:30:00.000000Z', 'ann')",
    "INSERT INTO store_revisions"
    " (project, number, saved_at, who, label, sha256, size, facts, text) VALUES"
    " ('abc', 1, '2026-01-31T09:30:00.000000Z', 'ann', 'created', 'x', 3, '{}', 'old')",
    "INSERT INTO store_roles (project, who, role) VALUES ('abc', 'ann', 'owner')",
)


@contextmanager
def database(address: str) -> Iterator[Database]:
    engine = engine_of(url_of(address))
    yield Database(engine, address)
    engine.dispose()


def test_the_migrations_lead_to_the_tables_that_are_used(store: Store) -> None:
    with store.database.reading() as found:
        context = MigrationContext.configure(
            found,
            opts={"include_object": lambda _, name, kind, *__: kind != "table" or name != VERSIONS},
        )
        assert compare_metadata(context, metadata) == []


@pytest.mark.parametrize("version", KNOWN[: KNOWN.index(SUMS)])
def test_a_store_of_any_version_is_brought_up(address: str, version: str) -> None:
    with database(address) as old, old.writing() as found:
        versions.upgrade(found, address, version)
        assert versions.version_of(found) == version
        for row in ROWS:
            found.execute(text(row))
    for _ in range(2):
        with open_store(address) as store:
            with store.database.reading() as found:
                assert versions.version_of(found) == KNOWN[-1]
            ann = store.library("ann")
            (entry,) = ann.entries()
            assert (entry.name, ann.text("abc", 1), entry.created_at.year) == ("Old", "old", 2026)
    with open_store(address) as store:
        assert store.library("ann").save("abc", TEXT, based_on=1).number == 2


def test_a_newer_store_is_refused_and_left_alone(address: str) -> None:
    with open_store(address) as store, store.database.writing() as found:
        found.execute(text(f"UPDATE {VERSIONS} SET version_num = '9999'"))
    with refused("STORE_NEWER"):
        open_store(address)
    with database(address) as newer, newer.reading() as found:
        assert versions.version_of(found) == "9999"


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    garbage, other = tmp_path / "garbage.sqlite", tmp_path / "other.sqlite"
    garbage.write_bytes(b"not a database at all, but longer than a header of one " * 40)
    with database(f"sqlite:///{other}") as theirs, theirs.writing() as found:
        found.execute(text("CREATE TABLE theirs (x)"))
    for file in (garbage, other):
        before = file.read_bytes()
        with refused("STORE_DAMAGED"):
            open_store(file)
        assert file.read_bytes() == before
    with refused("STORE_UNREACHABLE"):
        open_store(tmp_path)


def test_a_store_cut_short_is_said_to_be_damaged(tmp_path: Path) -> None:
    file = tmp_path / "one.sqlite"
    with open_store(file) as store:
        made = store.library("ann").create(TEXT)
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\x5a" * (len(whole) - 4096))
    with refused("STORE_DAMAGED"), open_store(file) as store:
        store.library("ann").text(made.id)


def test_a_writer_that_waits_too_long_is_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(address) as store:
        made = store.library("ann").create(TEXT)
    monkeypatch.setattr(connection, "PATIENCE_S", 0.2)
    with open_store(address) as slow, open_store(address) as store:
        ann = store.library("ann")
        with slow.database.writing() as found:
            found.execute(text("UPDATE store_projects SET name = name"))
            with refused("STORE_LOCKED"):
                ann.save(made.id, project_text(128), based_on=1)
            assert ann.entry(made.id).name == "Hall Ä"  # Readers do not wait
        assert ann.save(made.id, project_text(128), based_on=1).number == 2


def test_sqlite_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with open_store(tmp_path / "one.sqlite") as store:
        ann = store.library("ann")
        made = ann.create(TEXT)
        for pragma, code in (
            ("query_only = ON", "STORE_READ_ONLY"),
            ("query_only = OFF", ""),
            ("max_page_count = 1", "STORE_FULL"),
        ):
            with store.database.engine.connect() as found:
                found.exec_driver_sql(f"PRAGMA {pragma}")
            large = project_text(64) + "# much\n" * 100_000
            if code:
                with refused(code):
                    ann.save(made.id, large, based_on=1)
        assert [r.number for r in ann.revisions(made.id)] == [1]


@pytest.mark.postgresql
def test_postgresql_that_cannot_be_written_says_why(postgresql: Server) -> None:
    address = postgresql.schema("readonly")
    with open_store(address) as store:
        made = store.library("ann").create(TEXT)
    with open_store(f"{address}%20-cdefault_transaction_read_only%3Don") as store:
        ann, administrator = store.library("ann"), store.library("x", unrestricted=True)
        assert administrator.text(made.id) == TEXT
        assert store.record.unrecorded == 1
        for attempt in (
            lambda: ann.text(made.id),  # which cannot be recorded
            lambda: ann.save(made.id, project_text(128), based_on=1),
            lambda: administrator.save(made.id, project_text(128), based_on=1),
        ):
            with refused("STORE_READ_ONLY"):
                attempt()


@pytest.mark.postgresql
def test_a_connection_that_was_lost_is_made_anew(postgresql: Server) -> None:
    with open_store(postgresql.schema("lost")) as store:
        ann: Library = store.library("ann")
        made = ann.create(TEXT)
        with store.database.engine.connect() as found:
            mine = found.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with postgresql.connected() as server:
            server.execute("SELECT pg_terminate_backend(%s)", (mine,))
        assert ann.text(made.id) == TEXT


def test_a_refusal_never_shows_a_password() -> None:
    url = url_of("postgresql://ann:secret@127.0.0.1:1/db")
    with refused("STORE_UNREACHABLE") as caught, failures.reported(connection.shown(url)):
        engine_of(url).connect()
    assert "secret" not in str(caught)
