"""Row journal: a CSV file that grows during a sweep and survives interruption."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from facility.core import __version__
from facility.core.errors import FacilityError
from facility.core.reference import reference_sha256
from facility.files.io.read_text import read_bytes, text_of
from facility.files.sweep.cells import OTHER_COLUMNS, cells_of, other_sweep
from facility.study.sweep.row import ORIGIN, Cells, Type
from facility.study.sweep.studies import NOT_RUN

MAX_BYTES = 4 * 1024**3


@contextmanager
def locked_journal(journal: Path) -> Iterator[BinaryIO]:
    """Yield the open row file, locked against another sweep if locks are supported."""
    with journal.open("r+b") as stream:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise FacilityError(
                    "SWEEP_BUSY",
                    str(journal),
                    "another sweep is writing this file.",
                    "Wait for it to finish, or use another name with --out.",
                ) from None
        yield stream


def journal_rows(
    stream: BinaryIO, journal: Path, types: Mapping[str, Type], inputs: Sequence[str]
) -> list[Cells]:
    """Return the rows in an open file and seek to its end; an unfinished line is truncated.

    Raises ``SWEEP_OTHER`` for other columns, or an invalid line.
    """
    where = str(journal)
    content = read_bytes(journal, MAX_BYTES)
    whole = content[: content.rfind(b"\n") + 1]
    lines = csv.reader(text_of(whole, where).splitlines())
    if tuple(next(lines, ())) != tuple(types):
        raise other_sweep(where, OTHER_COLUMNS)
    try:
        found = [cells_of(texts, types, inputs) for texts in lines]
    except (ValueError, csv.Error):
        raise other_sweep(where, f"its line {lines.line_num} is not a sweep row.") from None
    stream.truncate(len(whole))
    stream.seek(len(whole))
    return found


def refuse_others(cells: Cells, where: str, studies: Sequence[str]) -> None:
    """Reject a row of another version, of other data, or of fewer studies.

    Raises ``SWEEP_OTHER``.
    """
    if tuple(cells[head] for head in ORIGIN) != (reference_sha256(), __version__):
        raise other_sweep(where, "its rows are from another version of facility or of its data.")
    if NOT_RUN in [cells[f"verdict.{name}"] for name in studies]:
        raise other_sweep(where, "its rows are from fewer studies.")
