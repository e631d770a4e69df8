"""Count words of a private dialect, which an engineer who is new here has to read twice.

    python -m tools.plain_words [PATH ...]    default: facility, docs, README.md, CONTRIBUTING.md

Three kinds of text are counted apart: what is displayed (string literals, prose columns of CSV
files, Markdown), docstrings and comments, and the names that a module defines. A hit is a
question: the words are good English in other senses.
"""

from __future__ import annotations

import ast
import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
READ = ("facility", "docs", "README.md", "CONTRIBUTING.md")
DISPLAYED, COMMENT, NAME = "displayed", "comment", "name"
_PROSE = {"title", "remedy", "label", "section", "meaning", "description", "basis", "reason"}
"""Columns of CSV files that people read."""
_LIST = Path(__file__).with_suffix(".csv")
_MARKED = re.compile(
    r'''#[^\n]*|[A-Za-z]{0,2}(?:"""(?:[^\\]|\\.)*?"""|\'{3}(?:[^\\]|\\.)*?\'{3}'''
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""",
    re.DOTALL,
)
"""A comment, or a string with its prefix: `tokenize` takes ten times as long."""


def _rules() -> Iterator[tuple[re.Pattern[str], bool, str]]:
    """Yield what the list matches: prose, a space being any white space, or words of a name."""
    with _LIST.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            prose = rf"\b(?:{row['pattern']})\b".replace(" ", r"\s+")
            of_name = rf"(?:^|_)(?:{row['pattern']})(?=_|$)"
            is_name = row["matches"] == "name"
            pattern = re.compile(of_name if is_name else prose, re.IGNORECASE | re.MULTILINE)
            yield pattern, is_name, row["instead"]


_RULES = tuple(_rules())


class Hit(NamedTuple):
    """A word of the dialect: where it is, in what kind of text, and what to write instead."""

    path: str
    line: int
    kind: str
    word: str
    instead: str


def hits(path: Path, name: str = "") -> Iterator[Hit]:
    """Yield what a file has of the dialect, under the name given."""
    pieces = list(_pieces(path))
    # What the whole file has not, none of its many pieces has; no match goes across the mark.
    whole = {
        of_names: "\n\0\n".join(text for _, kind, text in pieces if of_names == (kind == NAME))
        for of_names in (False, True)
    }
    rules = [rule for rule in _RULES if rule[0].search(whole[rule[1]])]
    for line, kind, text in pieces:
        for pattern, of_names, instead in rules:
            if of_names == (kind == NAME):
                for match in pattern.finditer(text):
                    at = line + text.count("\n", 0, match.start() + 1)
                    yield Hit(name or str(path), at, kind, match[0], instead)


def files(paths: tuple[str, ...] = READ) -> Iterator[tuple[str, Path]]:
    """Yield name and path of what is read: Python, CSV, Markdown and YAML below the root."""
    for start in paths:
        below = ROOT / start
        for path in sorted(below.rglob("*")) if below.is_dir() else [below]:
            if path.suffix in (".py", ".csv", ".md", ".yaml") and "__pycache__" not in path.parts:
                yield str(path.relative_to(ROOT)), path


def _pieces(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield first line, kind and text of what a reader of the file reads."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        reader = csv.DictReader(io.StringIO(text))
        for row in reader:
            values = (row[column] for column in _PROSE & set(row))
            yield from ((reader.line_num, DISPLAYED, value) for value in values if value)
    elif path.suffix == ".py":
        yield from _of_python(text)
    else:
        yield 1, DISPLAYED, text


def _of_python(text: str) -> Iterator[tuple[int, str, str]]:
    nodes = list(ast.walk(ast.parse(text)))
    plain = {
        node.value.lineno
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    line = at = 0
    for found in _MARKED.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        is_comment = found[0][0] == "#" or line + 1 in plain
        yield line + 1, COMMENT if is_comment else DISPLAYED, found[0]
    for node in nodes:
        for line, name in _defined(node):
            yield line, NAME, re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _defined(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and name of what a node of the syntax tree defines."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.lineno, node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.lineno, node.attr
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.lineno, node.name
    elif isinstance(node, ast.arg):
        yield node.lineno, node.arg


def main(paths: list[str]) -> None:
    """Print each hit, then the counts by kind of text."""
    found = [hit for name, path in files(tuple(paths) or READ) for hit in hits(path, name)]
    for hit in found:
        print(f"{hit.path}:{hit.line}: {hit.kind}: {hit.word!r} -> {hit.instead}")
    counts = Counter(hit.kind for hit in found)
    print(", ".join(f"{kind} {counts[kind]:,}" for kind in (DISPLAYED, COMMENT, NAME)))


if __name__ == "__main__":
    main(sys.argv[1:])
