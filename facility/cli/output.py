"""What the command line prints: the JSON contract, and tables for people."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill, wrap
from typing import Any

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.ledger import Assumption


def envelope(
    verb: str,
    *,
    project: Mapping[str, str] | None = None,
    results: Mapping[str, Any] | None = None,
    checks: Iterable[Check] = (),
    assumptions: Iterable[Assumption] = (),
    warnings: Iterable[str] = (),
    **lists: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the JSON object of the verb; `lists` stand at top level."""
    body: dict[str, Any] = {"schema": f"facility.{verb}/1", "ok": True}
    if project is not None:
        body["project"] = dict(project)
    body["results"] = dict(results or {})
    body.update({name: [dict(row) for row in rows] for name, rows in lists.items()})
    body["checks"] = [check.as_json() for check in checks]
    body["assumptions"] = [assumption.as_json() for assumption in assumptions]
    body["warnings"] = list(warnings)
    return body


def refusal(verb: str, errors: Iterable[FacilityError]) -> dict[str, Any]:
    """Return the JSON object of a refused call."""
    return {
        "schema": f"facility.{verb}/1",
        "ok": False,
        "errors": [error.as_dict() for error in errors],
    }


def print_json(body: Mapping[str, Any]) -> None:
    """Write `body` to stdout, keys in order, without NaN."""
    sys.stdout.write(json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    """Write plain lines to stdout."""
    sys.stdout.write("".join(line + "\n" for line in lines))


def terminal_width() -> int:
    """Return the columns of the terminal, or a width fit for files where there is none."""
    return max(_NARROWEST, shutil.get_terminal_size((_WITHOUT_TERMINAL, 24)).columns)


def wrap_line(text: str, width: int, indent: int = 4, **limits: Any) -> list[str]:
    """Return a line in lines no wider than `width`; a number stays with its percent sign.

    limits: `max_lines` and `placeholder` of `textwrap.wrap`.
    """
    joined = re.sub(r"(\d) %", "\\1\N{NO-BREAK SPACE}%", text)
    lines = wrap(joined, width, subsequent_indent=" " * indent, break_on_hyphens=False, **limits)
    return [line.replace("\N{NO-BREAK SPACE}%", " %") for line in lines]


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to stdout, wrapped to the terminal; short columns are never broken.

    User text is written as it is: no markup is interpreted.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    listed = [tuple(row) for row in rows]
    width = terminal_width()
    console = Console(width=width, color_system=None, highlight=False)
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    whole = _unbroken(heads, listed, width)
    for n, head in enumerate(heads):
        cells = max((len(row[n]) for row in listed), default=0)
        shown = fill(head, max(cells, *map(len, head.split()), 1)) if n in whole else head
        table.add_column(Text(shown), overflow="fold", no_wrap=n in whole)
    for row in listed:
        table.add_row(*map(Text, row))
    with console.capture() as printed:
        console.print(table)
    print_lines([*(line.rstrip() for line in printed.get().rstrip().split("\n")), ""])


def _unbroken(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> set[int]:
    """Return the columns whose cells stay on one line: all but the longest that do not fit."""
    longest = [max((len(row[n]) for row in rows), default=0) for n in range(len(heads))]
    words = [max((len(word) for word in head.split()), default=0) for head in heads]
    wanted = [max(pair) for pair in zip(longest, words, strict=True)]
    left = width - _GUTTER * len(heads)
    whole = {n for n, size in enumerate(longest) if size <= (2 if n == 0 else 1) * width // 5}

    def taken() -> int:
        return sum(
            size if n in whole else max(words[n], min(size, _FOLDED))
            for n, size in enumerate(wanted)
        )

    while whole and taken() > left:
        whole.remove(max(whole, key=lambda n: (longest[n], n)))
    return whole


_GUTTER = 3
_FOLDED = 16
_NARROWEST = 40
_WITHOUT_TERMINAL = 140
