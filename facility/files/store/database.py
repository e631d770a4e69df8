"""A database that is open: transactions that read, and transactions that write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from facility.files.store.connection import is_sqlite, writing
from facility.files.store.failures import reported


class Database:
    """Gives each transaction a connection of its own; threads may share it."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine = engine
        self.where = where  # Path or address, without a password

    @contextmanager
    def reading(self, *, snapshot: bool = False) -> Iterator[Connection]:
        """Give a connection in a transaction that reads; a `snapshot` is of one moment."""
        with reported(self.where), self.engine.connect() as connection:
            if snapshot and not is_sqlite(self.engine.url):
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection in a transaction that writes: all of it is kept, or nothing."""
        with reported(self.where), self.engine.connect() as connection, writing(connection).begin():
            yield connection
