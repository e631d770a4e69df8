"""Tutorials and notebooks of the documentation, executed: every code cell with its output.

A tutorial is Markdown: its ``sh`` and ``python`` blocks run in order in one empty folder; a number
after the language limits the lines of output that are displayed. A notebook is a percent script
(``# %%`` starts a code cell, ``# %% [markdown]`` a text cell), which Jupyter and editors open too;
the value of the last expression of a cell is displayed. A cell that fails ends the build.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FENCE = re.compile(r"^```(sh|python)(?: (\d+))?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_COLUMNS = "120"


@dataclass(frozen=True)
class Output:
    """One output of a cell: printed text, HTML or an SVG drawing."""

    kind: str
    text: str


@dataclass(frozen=True)
class Cell:
    """A cell of a page: Markdown, Python or shell commands, with its outputs."""

    kind: str
    text: str
    lines: int = 0  # of printed text that is displayed; 0: all
    outputs: tuple[Output, ...] = field(default=())


def page_cells(text: str) -> list[Cell]:
    """Return the cells of a Markdown page."""
    cells, last = [], 0
    for block in _FENCE.finditer(text):
        cells.append(Cell("markdown", text[last : block.start()]))
        cells.append(Cell(block[1], block[3], int(block[2] or 0)))
        last = block.end()
    return [cell for cell in (*cells, Cell("markdown", text[last:])) if cell.text.strip()]


def notebook_cells(text: str) -> list[Cell]:
    """Return the cells of a percent script."""
    cells = []
    for part in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            lines = (line.removeprefix("#").removeprefix(" ") for line in body.strip().split("\n"))
            cells.append(Cell("markdown", "\n".join(lines) + "\n"))
        elif body.strip():
            cells.append(Cell("python", body.strip() + "\n"))
    return cells


def executed(cells: Iterable[Cell], name: str) -> list[Cell]:
    """Return the cells of page `name` with their outputs, run in an empty folder."""
    done = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        names: dict[str, object] = {"__name__": "__main__"}
        for cell in cells:
            if cell.kind == "markdown":
                outputs = []
            else:
                run = _shell if cell.kind == "sh" else _python
                try:
                    outputs = list(run(cell.text, names))
                except Exception as error:
                    where = f"{name}: this cell failed:\n{cell.text}"
                    raise SystemExit(f"{where}\n{type(error).__name__}: {error}") from error
            done.append(replace(cell, outputs=tuple(_cut(one, cell.lines) for one in outputs)))
    return done


def _cut(output: Output, lines: int) -> Output:
    shown = output.text.splitlines(keepends=True)
    if output.kind != "text" or not lines or len(shown) <= lines:
        return output
    return Output("text", "".join(shown[:lines]) + f"... {len(shown) - lines} more lines\n")


def _shell(code: str, _: object) -> Iterator[Output]:
    """Run commands as a user types them; yield what they print."""
    programs = Path(".programs").absolute()
    if not programs.exists():
        programs.mkdir()
        start = programs / "facility"
        start.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m facility "$@"\n', encoding="utf-8")
        start.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    settings = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": _COLUMNS}
    command = ["bash", "-e", "-o", "pipefail", "-c", code]
    ran = subprocess.run(command, env=settings, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"exit code {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    if ran.stdout.strip():
        yield Output("text", ran.stdout.rstrip() + "\n")


def _python(code: str, names: dict[str, object]) -> Iterator[Output]:
    """Run Python; yield what it prints, and its last expression as a notebook displays it."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if printed.getvalue().strip():
        yield Output("text", printed.getvalue().rstrip() + "\n")
    if value is not None:
        yield _displayed(value)


def _displayed(value: object) -> Output:
    for method, kind in (("_repr_svg_", "svg"), ("_repr_html_", "html")):
        drawn = getattr(value, method, None)
        text = drawn() if callable(drawn) else None
        if text:
            return Output("svg" if text.lstrip().startswith("<svg") else kind, text)
    return Output("text", f"{value!r}\n")


def markdown(cells: Iterable[Cell], name: str, folder: Path) -> str:
    """Return cells as one Markdown page; drawings are files ``name-1.svg`` in `folder`."""
    parts, drawings = [], 0
    for cell in cells:
        if cell.kind == "markdown":
            parts.append(cell.text.strip("\n"))
            continue
        parts.append(f"```{cell.kind}\n{cell.text.rstrip()}\n```")
        for output in cell.outputs:
            if output.kind == "text":
                parts.append(f"```text\n{output.text.rstrip()}\n```")
            elif output.kind == "html":
                inside = re.sub(r"\n\s*", "\n", output.text.strip())
                parts.append(f'<div class="output">\n{inside}\n</div>')
            else:
                drawings += 1
                drawing = folder / f"{name}-{drawings}.svg"
                drawing.parent.mkdir(parents=True, exist_ok=True)
                drawing.write_text(output.text, encoding="utf-8")
                parts.append(f"![Output of the cell above]({drawing.name})")
    return "\n\n".join(parts) + "\n"


_MIME = {"html": "text/html", "svg": "image/svg+xml"}


def ipynb(cells: Iterable[Cell]) -> str:
    """Return cells as a Jupyter notebook (format 4.5) with their outputs."""
    written = []
    for number, cell in enumerate(cells):
        entry: dict[str, object] = {"id": f"cell-{number}", "metadata": {}}
        entry["source"] = cell.text.rstrip().splitlines(keepends=True)
        if cell.kind == "markdown":
            written.append({**entry, "cell_type": "markdown"})
            continue
        outputs = [_ipynb_output(output, number) for output in cell.outputs]
        code = {"cell_type": "code", "execution_count": number, "outputs": outputs}
        written.append({**entry, **code})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": written, "metadata": {"kernelspec": kernel}, "nbformat": 4}
    return json.dumps({**book, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def _ipynb_output(output: Output, number: int) -> dict[str, object]:
    lines = output.text.splitlines(keepends=True)
    if output.kind == "text":
        return {"output_type": "stream", "name": "stdout", "text": lines}
    shown = {"data": {_MIME[output.kind]: lines}, "metadata": {}}
    return {"output_type": "execute_result", "execution_count": number, **shown}
