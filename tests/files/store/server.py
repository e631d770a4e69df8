"""A PostgreSQL server in a temporary folder, reached through a socket in it, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from tests.conftest import postgresql_programs


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    folder: Path

    @property
    def address(self) -> str:
        return f"postgresql://postgres@/postgres?host={quote(str(self.folder))}"

    def connected(self) -> psycopg.Connection:
        """Return a connection to the server."""
        return psycopg.connect(self.address, autocommit=True)

    def schema(self, name: str) -> str:
        """Make an empty schema; return the address of a store in it."""
        with self.connected() as connection:
            connection.execute(f'CREATE SCHEMA "{name}"'.encode())
        return f"{self.address}&options={quote(f'-csearch_path={name}')}"


@contextmanager
def served() -> Iterator[Server]:
    """Run a server until the end of the context."""
    programs = postgresql_programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="facility-pg-", dir="/tmp"))
    prefix: list[str] = []
    if os.geteuid() == 0:  # The server refuses to run as root.
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        prefix = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    data = folder / "data"
    settings = f"-c listen_addresses='' -k {folder} -c fsync=off -c max_connections=60"
    control = [*prefix, str(programs / "pg_ctl"), "-D", str(data), "-w", "-t", "60"]

    def run(*command: str) -> None:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=90
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"

    try:
        make = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        run(*prefix, str(programs / "initdb"), "-D", str(data), *make)
        run(*control, "-o", settings, "-l", str(folder / "log"), "start")
        try:
            yield Server(folder)
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
