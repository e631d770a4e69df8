"""Running the command line: in this process, or as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import typer.testing

from facility.cli.main import cli
from tests.study.helpers import SHORTEST

SHORT = SHORTEST
KEPT_COOL = """\
schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1}
cooling:
  method: air
  on_ups: [crah_fans, water_pumps]
  plant: {chiller: {redundancy: N+1}}
  thermal: {chilled_water_tank: 20 m3, header_flow: 100 %}
"""
"""A project without any violation: a buffer tank, fans and pumps on the UPS."""
SMALL = ("--set", "it.gpus=64")
_MAIN = "from facility.cli.main import main; main()"
# The verbs are read from their functions once, not for each command: that takes 50 ms.
typer.testing._get_command = cache(typer.testing._get_command)


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The JSON object on stdout; NaN and infinities are refused."""
        return json.loads(self.out, parse_constant=_refuse)


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} in the JSON")


def run(*arguments: object, stdin: str | None = None, **environment: str) -> Ran:
    """Run ``facility`` with `arguments` in this process; `stdin` is its standard input."""
    done = typer.testing.CliRunner().invoke(
        cli, [str(a) for a in arguments], stdin, env={"COLUMNS": "140", **environment}
    )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ran(done.exit_code, done.stdout, done.stderr)


def program(*arguments: object, code: str = _MAIN, **environment: str) -> Ran:
    """Run ``facility`` with `arguments` as a program of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def one_error(ran: Ran, code: str, exit_code: int) -> None:
    """Assert that `ran` ended in one clear coded error."""
    assert ran.code == exit_code, ran.err
    lines = ran.err.splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("error: ")
    assert lines[0].endswith(f"[{code}]"), lines[0]
    assert "Traceback" not in ran.err + ran.out
    assert len(lines[0]) < 700
