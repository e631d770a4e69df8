"""Run what is too long for ``make test``, one part after the other, and say what each found.

    python -m tools.nightly                       everything, an hour on two processors
    python -m tools.nightly --sample COMMIT       five minutes, of cases that the commit chooses
    python -m tools.nightly --only advisories     one part; may be repeated

A part that fails does not end the others. What a part prints goes to the screen and to
``out/nightly/PART.txt``; a table at the end says how each ended. Exit code 1 where one failed.

A further long test is one more line of `PARTS`: its name, the command, and for the sample the
command. ``{first}`` is the first seed, from the commit: so each night tries new ones.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_SEEDS_FROM = 1_000_000
"""Seeds of random cases: above those of `make test`; the commit chooses the first."""


class Part(NamedTuple):
    """One long test."""

    name: str
    command: str  # As typed in a shell of this environment
    sample: str = ""  # The same, shorter; empty where the sample leaves it out


PARTS = (
    Part("sbom", *["python -m tools.dependencies.sbom"] * 2),
    Part("advisories", *["python -m tools.dependencies.advisories"] * 2),
    Part("docs", "make docs"),
    Part("long tests", "make long-tests", "make long-tests ONE_IN=30 SEED={first}"),
    Part(
        "random projects",
        "python -m tests.soak --count 500 --first {first}",
        "python -m tests.soak --count 40 --first {first}",
    ),
    Part(
        "hostile projects",
        "python -m tests.soak.hostile --count 1000 --first {first}",
        "python -m tests.soak.hostile --count 200 --first {first}",
    ),
    Part(
        "lineups",
        "python -m tests.soak.lineups --count 500 --first {first}",
        "python -m tests.soak.lineups --count 40 --first {first}",
    ),
    Part(
        "choices",
        "python -m tests.soak.choices --count 500 --first {first} --servers 250",
        "python -m tests.soak.choices --count 5 --first {first} --servers 8",
    ),
    Part("mutants", "make mutants SAMPLE=20 SEED={first}"),
)


class Outcome(NamedTuple):
    """How a part ended."""

    name: str
    code: int
    seconds: float


def commands(sample: str | None, only: Sequence[str] | None) -> list[tuple[str, list[str]]]:
    """Return name and arguments of the parts requested.

    sample: Commit that chooses the cases of the sample; None for all of them.
    only: Names of parts; None for all.

    Raises ValueError for a name that is none.
    """
    unknown = set(only or ()) - {part.name for part in PARTS}
    if unknown:
        names = ", ".join(part.name for part in PARTS)
        raise ValueError(f"{sorted(unknown)} are no parts; there are: {names}")
    first = _SEEDS_FROM + int((sample or _head())[:7], 16)
    chosen = [
        (part.name, (part.command if sample is None else part.sample).format(first=first))
        for part in PARTS
        if only is None or part.name in only
    ]
    return [
        (name, [sys.executable if word == "python" else word for word in command.split()])
        for name, command in chosen
        if command
    ]


def _head() -> str:
    """Return the commit that is checked out."""
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def run(name: str, arguments: Sequence[str], folder: Path) -> Outcome:
    """Run one part; its output is printed as it comes and kept in `folder`."""
    print(f"== {name}", flush=True)
    began = time.monotonic()
    kept = folder / f"{name.replace(' ', '-')}.txt"
    with (
        kept.open("w", encoding="utf-8") as out,
        subprocess.Popen(
            arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process,
    ):
        for line in process.stdout or ():
            out.write(line)
            print(line, end="", flush=True)
    return Outcome(name, process.returncode, time.monotonic() - began)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested parts, and print the result of each."""
    parser = argparse.ArgumentParser(prog="python -m tools.nightly")
    parser.add_argument("--sample", metavar="COMMIT", help="the short one, of cases it chooses")
    parser.add_argument("--only", action="append", help="name of a part; may be repeated")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "nightly")
    asked = parser.parse_args(arguments)
    try:
        chosen = commands(asked.sample, asked.only)
    except ValueError as error:
        parser.error(str(error))
    asked.out.mkdir(parents=True, exist_ok=True)
    outcomes = [run(name, command, asked.out) for name, command in chosen]
    print("== how they ended")
    for one in outcomes:
        print(f"{'failed' if one.code else 'passed':7} {one.seconds / 60:6.1f} min  {one.name}")
    return 1 if any(one.code for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
