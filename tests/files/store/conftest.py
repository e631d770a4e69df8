"""Stores to test with: a SQLite file, and a schema of a PostgreSQL server of our own."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from facility.files.store.library import Library
from facility.files.store.opening import Store, open_store
from tests.files.store.server import Server, served


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    with served() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'projects.sqlite'}"
    server: Server = request.getfixturevalue("postgresql")
    return server.schema(f"s{secrets.token_hex(6)}")


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


@pytest.fixture
def ann(store: Store) -> Library:
    return store.library("ann")


@pytest.fixture
def bob(store: Store) -> Library:
    return store.library("bob")
