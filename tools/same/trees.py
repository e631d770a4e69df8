"""The two trees: the earlier commit checked out next to this one, and their contents."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.same.cases import Case
from tools.same.questions import REFUSED, asked_of

WORKER = Path(__file__).with_name("worker.py")


def git(root: Path, *words: str) -> str:
    """Return what git says in the tree at `root`."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def earlier_tree(root: Path, commit: str, folder: Path) -> Iterator[Path]:
    """Check `commit` out in `folder` for as long as it is needed."""
    sha = git(root, "rev-parse", "--verify", f"{commit}^{{commit}}")
    git(root, "worktree", "add", "--detach", "--quiet", str(folder), sha)
    try:
        yield folder
    finally:
        git(root, "worktree", "remove", "--force", str(folder))


def environment(tree: Path) -> dict[str, str]:
    """Return the environment in which the package imported is that of `tree`."""
    return {
        **os.environ,
        "PYTHONPATH": str(tree),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "COLUMNS": "140",
        "TERM": "dumb",
        "TZ": "UTC",
    }


class Server:
    """A worker process of one tree that answers one case after another."""

    def __init__(self, tree: Path, out: Path, *, quick: bool) -> None:
        self.quick = quick
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER), str(tree), str(out)],
            cwd=tree,
            env=environment(tree),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def answer(self, case: Case) -> dict[str, Any]:
        """Have the case answered; return what the worker says when it is done."""
        task = {
            "name": case.name,
            "file": str(case.file) if case.file else "",
            "questions": asked_of(case.kind, quick=self.quick),
            "refused": REFUSED,
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the worker ended with exit code {self.process.wait()}")
        done: dict[str, Any] = json.loads(line)
        return done

    def close(self) -> None:
        """End the worker."""
        self.process.communicate()


def census(tree: Path) -> dict[str, int]:
    """Return how much the tree consists of: test cases, assertions, modules, lines, folders."""
    modules = list((tree / "facility").rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in modules]
    asserts = sum(
        isinstance(node, ast.Assert)
        for path in (tree / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )
    folders = Counter(path.parent for path in modules if path.name != "__init__.py")
    return {
        "collected test cases": collected(tree),
        "assert statements": asserts,
        "modules of facility": sum(path.name != "__init__.py" for path in modules),
        "lines of facility": sum(len(text.splitlines()) for text in texts),
        "fmt: skip": sum(text.count("# fmt: skip") for text in texts),
        "modules in the largest folder": max(folders.values(), default=0),
    }


def collected(tree: Path) -> int:
    """Return the number of test cases that pytest collects, -1 where it cannot."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-q",
            "-p",
            "no:cacheprovider",
            "-n",
            "0",
        ],
        cwd=tree,
        env=environment(tree),
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"^(\d+)(?:/\d+)? tests? collected", done.stdout, re.MULTILINE)
    return int(found[1]) if found and done.returncode == 0 else -1


def census_table(before: dict[str, int], now: dict[str, int]) -> Sequence[str]:
    """Return the lines of the table (before, after)."""
    lines = [f"{'':32}{'before':>10}{'after':>10}"]
    for name, count in now.items():
        lines.append(f"{name:32}{before.get(name, -1):10,}{count:10,}")
    return lines
