"""Output of the command line: JSON, tables and text on stdout, messages on stderr, files."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
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
    """Return the JSON object of the verb; `lists` are at top level."""
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
    """Return the JSON object of a rejected call."""
    return {
        "schema": f"facility.{verb}/1",
        "ok": False,
        "errors": [error.as_dict() for error in errors],
    }


@dataclass
class Console:
    """State of the streams while one command runs."""

    quiet: bool = False  # Whether messages and progress are left out
    notice: str = ""  # First line of the text output; empty once it is printed
    writes_files: bool = False  # Whether the command prints no text on stdout
    stdout_is_file: bool = False  # Whether stdout carries the content of a file: no text then

    def begin(self, *, quiet: bool, writes_files: bool) -> None:
        """Reset the state for a command."""
        self.quiet, self.notice = quiet, ""
        self.writes_files, self.stdout_is_file = writes_files, False

    def end(self) -> None:
        """Write a notice that no text output began with to stderr."""
        notice, self.notice = self.notice, ""
        if notice and not self.quiet:
            sys.stderr.write(f"{notice}\n")


console = Console()
"""The streams of this process."""


def print_json(body: Mapping[str, Any]) -> None:
    """Write `body` to stdout, keys in order, without NaN."""
    console.notice = ""
    sys.stdout.write(json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def print_text(text: str) -> None:
    """Write text to stdout unchanged, below the notice of the command, if any."""
    if console.stdout_is_file:
        return
    notice, console.notice = console.notice, ""
    if notice and not console.quiet:
        sys.stdout.write(f"{notice}\n")
    sys.stdout.write(text)


def message(text: str) -> None:
    """Write a line to stderr, but with ``--quiet``."""
    if console.writes_files or console.stdout_is_file:
        console.end()
    if not console.quiet:
        sys.stderr.write(f"{text}\n")


def is_stream(path: object) -> bool:
    """Return whether a file argument is ``-``: standard input or output."""
    return isinstance(path, Path) and str(path) == "-"


def write_file(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file atomically, or with ``-`` to stdout without further text.

    Raises ``OPTIONS`` for a binary file on a terminal; as `write_bytes`.
    """
    from facility.files.io.atomic import write_bytes

    if not is_stream(path):
        write_bytes(path, content, force=force)
        return
    if sys.stdout.isatty() and b"\0" in content:
        raise FacilityError(
            "OPTIONS", "--out", "a binary file is not written to a terminal.", "Redirect stdout."
        )
    console.stdout_is_file = True
    sys.stdout.flush()
    sys.stdout.buffer.write(content)


@contextmanager
def output_file(path: Path, suffix: str) -> Iterator[Path]:
    """Yield the file to write; for ``-`` a temporary file, then copied to stdout.

    Raises ``OPTIONS`` where several files were written instead.
    """
    if not is_stream(path):
        yield path
        return
    with TemporaryDirectory(prefix="facility-stdout-") as folder:
        file = Path(folder) / f"stdout{suffix}"
        yield file
        if not file.exists():
            raise FacilityError(
                "OPTIONS",
                "--out",
                "several files do not fit on standard output.",
                "Enter a file name, or with export svg a sheet (--sheet).",
            )
        write_file(path, file.read_bytes(), force=False)


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to stdout, wrapped to the terminal at their own indent."""
    from facility.cli.layout import wrapped

    width = terminal_width()
    parts: list[str] = []
    for line in lines:
        if len(line) <= width:
            parts.append(line)
            continue
        start = line[: len(line) - len(line.lstrip())][: width // 2]
        parts += wrapped(line.strip(), width, start, f"{start}    ")
    print_text("".join(f"{part}\n" for part in parts))


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to stdout, laid out in the width of the terminal.

    User text is written as it is: no markup is interpreted.
    """
    from facility.cli.layout import table_lines

    lines = table_lines(title, heads, rows, terminal_width())
    print_text("".join(f"{line}\n" for line in (*lines, "")))


def terminal_width() -> int:
    """Return the columns of the terminal or of COLUMNS; without them 80, as in a pipe."""
    return max(_NARROWEST, shutil.get_terminal_size((_WITHOUT_TERMINAL, 24)).columns)


_NARROWEST = 40
_WITHOUT_TERMINAL = 80
