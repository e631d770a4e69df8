"""Sweep samples from a CSV file: one column per path, one row per design."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

from facility.catalogue.user_file import open_file
from facility.core.errors import FacilityError
from facility.files.io.read_text import read_bytes, text_of
from facility.model.inputs.change import normal_path
from facility.study.sweep.axes import MAX_ROWS, Axis, too_many, too_many_rows

MAX_BYTES = 256 * 1_048_576


def read_samples(path: Path) -> Axis:
    """Return the axis of the samples in the CSV file at `path`.

    Headings are field paths, cells their values; an empty cell leaves the field unspecified.

    Raises ``SWEEP_SAMPLES`` with row and column, ``SWEEP_TOO_LARGE``, or as `read_bytes`.
    """
    _refuse_more(path)
    return samples_of(text_of(read_bytes(path, MAX_BYTES), str(path)), str(path))


def _refuse_more(path: Path) -> None:
    """Reject a file with too many rows before reading it fully.

    Raises ``SWEEP_TOO_LARGE`` with the first excess row.
    """
    try:
        with open_file(path) as stream:
            beyond = next(islice(stream, MAX_ROWS + 1, None), b"")
    except (OSError, ValueError):
        return  # `read_bytes` says why
    if beyond.strip():
        raise too_many_rows(f"{path}:{MAX_ROWS + 2}")


def samples_of(text: str, where: str) -> Axis:
    """Return the axis of the samples in CSV text; `where` names it in messages.

    Raises ``SWEEP_SAMPLES`` with row and column, ``SWEEP_TOO_LARGE``.
    """
    lines = text.splitlines()
    if len(lines) - 1 > MAX_ROWS:
        raise too_many(len(lines) - 1, where)
    reader = csv.reader(lines, strict=True)
    rows: list[tuple[str, ...]] = []
    try:
        heads = tuple(normal_path(head) for head in next(reader))
        for n, head in enumerate(heads, 1):
            if not head:
                raise _refused(f"{where}:1:{n}", "the column heading has no path.")
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) != len(heads):
                    at = f"{where}:{reader.line_num}:{min(len(cells), len(heads)) + 1}"
                    raise _refused(at, f"{len(cells)} cells; the heading has {len(heads)}.")
                rows.append(tuple(cell.strip() for cell in cells))
    except csv.Error as error:
        raise _refused(f"{where}:{reader.line_num}", f"this is not CSV: {error}.") from None
    if not rows:
        raise _refused(where, "there is no row below the heading.")
    return Axis(heads, tuple(rows))


def _refused(where: str, message: str) -> FacilityError:
    return FacilityError(
        "SWEEP_SAMPLES",
        where,
        message,
        "Use a path as each column heading, e.g. it.gpus, and a value in each cell.",
    )
