"""Answers the questions in one tree; a script by itself, run as ``python -P worker.py ROOT OUT``.

It is started with PYTHONPATH at the tree that is asked and refuses any other. Of the package it
uses the command line's entry point, as the tree's pyproject.toml declares it, and names of
``facility`` itself. Each case is answered in a forked child, so that no case leaves anything
behind for the next; within a case the design of a project is computed once and shared, except by
questions that are marked cold.

Tasks arrive as lines of JSON on stdin; a line of JSON on stdout says that one is done.
"""

from __future__ import annotations

import functools
import importlib
import io
import json
import os
import re
import shutil
import signal
import sys
import time
import tomllib
import traceback
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_PANEL = re.compile(r"\b(?:RPP|LP|PP|PDU|BUS)-[A-Z]\d+\b")
_LIMIT_S = 900


def load(root: Path) -> tuple[Any, Callable[[], None]]:
    """Return the package and the entry point of the tree at `root`, or end the process."""
    package = importlib.import_module("facility")
    found = Path(str(package.__file__)).resolve()
    if found.parent.parent != root:
        sys.exit(f"facility comes from {found}, not from {root}")
    with (root / "pyproject.toml").open("rb") as file:
        module, _, name = tomllib.load(file)["project"]["scripts"]["facility"].partition(":")
    entry: Callable[[], None] = getattr(importlib.import_module(module), name)
    # Typer reads the signatures of all verbs at each call: once is enough for thousands of answers.
    typer = importlib.import_module("typer.main")
    typer.get_command = functools.cache(typer.get_command)  # type: ignore[attr-defined]
    for public in package.__all__:
        getattr(package, public)
    return package, entry


class SharedDesign:
    """Computes the design of a project once for all questions of a case."""

    def __init__(self, package: Any) -> None:
        self.module = sys.modules[package.design.__module__]
        self.compute = self.module.design
        self.known: list[tuple[Any, Any]] = []
        self.reference = ""

    def __call__(self, project: Any, *more: Any, **named: Any) -> Any:
        """Return the design of `project`, computed now or before."""
        if more or named:
            return self.compute(project, *more, **named)
        for one, design in self.known:
            if type(one) is type(project) and one == project:
                return design
        design = self.compute(project)
        self.reference = getattr(design, "reference_sha256", self.reference)
        self.known.append((project, design))
        return design

    def use(self, *, cold: bool) -> None:
        """Let the package compute its designs through this, or by itself where `cold`."""
        self.module.design = self.compute if cold else self  # type: ignore[attr-defined]


class Asker:
    """Runs command lines in this process and keeps what they say."""

    def __init__(self, entry: Callable[[], None]) -> None:
        self.entry = entry

    def ask(self, argv: list[str]) -> tuple[int, str, str]:
        """Return exit code, stdout and stderr of one command line."""
        streams = sys.stdout, sys.stderr, sys.argv
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        sys.stdout, sys.stderr, sys.argv = out, err, ["facility", *argv]
        try:
            self.entry()
            code: Any = 0
        except SystemExit as end:
            code = end.code
        except BaseException:
            code = -1
            err.write(traceback.format_exc())
        finally:
            sys.stdout, sys.stderr, sys.argv = streams
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
        return code if isinstance(code, int) else int(bool(code)), texts[0], texts[1]


def subcommands(asker: Asker, verbs: list[str]) -> Iterator[list[str]]:
    """Yield the verbs below `verbs`, themselves first, as the help lists them."""
    yield verbs
    _, out, _ = asker.ask([*verbs, "--help"])
    listed = re.split(r"^Commands:\n", out, flags=re.MULTILINE)
    for line in listed[1].splitlines() if len(listed) > 1 else []:
        if found := re.match(r"  ([a-z][\w-]*)", line):
            yield from subcommands(asker, [*verbs, found[1]])


def expansions(argv: str, facts: dict[str, Any], asker: Asker, every: int) -> list[list[str]]:
    """Return the command lines that `argv` stands for."""
    if argv == "{help}":
        return [[*verbs, "--help"] for verbs in subcommands(asker, [])]
    if argv == "{refused}":
        return [line.split() for line in facts["refused"]]
    if "{table}" in argv:
        _, out, _ = asker.ask(["catalogue", "--json"])
        rows = json.loads(out)["options"]
        return [argv.format(table=next(iter(row.values()))).split() for row in rows]
    if "{result}" in argv:
        case = facts["name"]
        return [
            [part.format(result=id, file=facts["file"]) for part in argv.split()]
            for id in facts["results"]
            if zlib.crc32(f"{case} {id}".encode()) % every == 0
        ]
    if "{panel}" in argv and not facts["panel"]:
        return []
    return [[part.format(**facts) for part in argv.split()]]


def learn(facts: dict[str, Any], text: str) -> None:
    """Take result ids, racks and a panel from what ``design --json`` said."""
    try:
        body = json.loads(text)
    except ValueError:
        return
    results = body.get("results", {})
    facts["results"] = list(results)
    racks = results.get("load.racks", 0)
    facts["racks"] = racks if isinstance(racks, int | float) else 0
    subjects = " ".join(str(check.get("subject")) for check in body.get("checks", ()))
    found = _PANEL.search(subjects)
    facts["panel"] = found[0] if found else ""


def answer(task: dict[str, Any], folder: Path, package: Any, entry: Callable[[], None]) -> None:
    """Answer every question of a case; answers go to ``answers``, files to ``work``."""
    work, answers = folder / "work", folder / "answers"
    work.mkdir(parents=True)
    answers.mkdir()
    facts: dict[str, Any] = {
        "name": task["name"],
        "file": "",
        "results": [],
        "racks": 0,
        "panel": "",
        "refused": task["refused"],
    }
    if task["file"]:
        facts["file"] = Path(task["file"]).name
        shutil.copy(task["file"], work / facts["file"])
    os.chdir(work)
    asker, shared = Asker(entry), SharedDesign(package)
    index = []
    for number, question in enumerate(task["questions"]):
        if facts["racks"] > question["most_racks"]:
            continue
        shared.use(cold=question["cold"])
        started, said = time.process_time(), {}
        for argv in expansions(question["argv"], facts, asker, question["every"]):
            code, out, err = asker.ask(argv)
            said[" ".join(argv)] = {"code": code, "out": out, "err": err}
            if question["id"] == "design --json":
                learn(facts, out)
        seconds = time.process_time() - started
        (answers / f"{number}.json").write_text(json.dumps(said), encoding="utf-8")
        index.append({"id": question["id"], "answers": f"{number}.json", "seconds": seconds})
    end = {"version": package.__version__, "reference": shared.reference, "questions": index}
    (folder / "index.json").write_text(json.dumps(end), encoding="utf-8")


def in_child(task: dict[str, Any], out: Path, package: Any, entry: Callable[[], None]) -> str:
    """Answer one case in a forked child; return what went wrong, or nothing."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(_LIMIT_S)
            answer(task, out / task["name"], package, entry)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return "" if status == 0 else f"ended with status {status}"


def main() -> None:
    """Answer the tasks on stdin, one per line."""
    root, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    package, entry = load(root)
    for line in sys.stdin:
        task, started = json.loads(line), time.perf_counter()
        wrong = in_child(task, out, package, entry)
        done = {"name": task["name"], "seconds": time.perf_counter() - started, "wrong": wrong}
        print(json.dumps(done), flush=True)


if __name__ == "__main__":
    main()
