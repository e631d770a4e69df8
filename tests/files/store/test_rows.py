"""A SQLite store writes ahead, and whole to the disk; ids of projects."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from facility.files.store.opening import open_store
from facility.files.store.tables import new_id

TEXT = "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 64}\n"
FULL = 2


def test_a_sqlite_store_has_a_write_ahead_log_and_writes_whole(tmp_path: Path) -> None:
    path = tmp_path / "projects.sqlite"
    with open_store(path) as store:
        library = store.library("ann")
        library.create(TEXT)
        with library._store.engine.connect() as connection:
            asked = connection.connection.cursor()
            assert asked.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert asked.execute("PRAGMA synchronous").fetchone() == (FULL,)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_no_id_looks_like_an_option() -> None:
    """One in 64 would begin with a dash, which a command line takes for an option."""
    assert not [made for made in (new_id() for _ in range(2_000)) if made.startswith("-")]
