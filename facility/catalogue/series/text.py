"""Cells of a text table as byte arrays: encodings, delimiters and quotes of CSV files."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from facility.catalogue.series.roles import SeriesRole
from facility.catalogue.series.time_words import is_time
from facility.catalogue.user_file import capped, reason
from facility.core.kinds import FloatArray

MAX_BYTES = 32_000_000
MAX_ROWS = 366 * 1440 + 1
"""A leap year of minutes, and the end of its last."""
_MAX_COLUMNS, _MAX_PREAMBLE, _MAX_CELL = 400, 60, 64
_DELIMITERS = b",;\t|"
_UNIT_SEPARATOR = "\x1f"
_MISSING = (b"", b"nan", b"na", b"n/a", b"#n/a", b"null", b"none", b"-", b"--", b"missing")
_POINT, _COMMA, _UNDERSCORE, _ZERO = 46, 44, 95, 48

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Cells = npt.NDArray[np.bytes_]


@dataclass(frozen=True, eq=False)
class CellTable:
    """Cells of a text table below its heading."""

    raw: Bytes
    starts: Ints  # First byte of each cell, by row and column
    ends: Ints
    headings: tuple[str, ...]
    lines: Ints  # Line of each row in the file
    digest: str  # First digits of the SHA-256 of the file
    comma: bool  # Whether cells may contain a decimal comma

    def cells(self, column: int) -> Cells:
        """Return the cells of a column without spaces around them."""
        starts, ends = self.starts[:, column].copy(), self.ends[:, column].copy()
        for _ in range(_MAX_CELL):
            at = (starts < ends) & (self.raw[np.minimum(starts, len(self.raw) - 1)] <= 32)
            if not at.any():
                break
            starts += at
        for _ in range(_MAX_CELL):
            at = (starts < ends) & (self.raw[ends - 1] <= 32)
            if not at.any():
                break
            ends -= at
        lengths = np.minimum(ends - starts, _MAX_CELL)
        width = max(int(lengths.max(initial=0)), 1)
        offsets = np.arange(width)
        index = starts[:, None] + offsets
        found = self.raw[np.minimum(index, len(self.raw) - 1)]
        found[offsets >= lengths[:, None]] = 0
        return cast("Cells", np.ascontiguousarray(found).view(f"S{width}").ravel())

    def where(self, row: int, column: int) -> str:
        """Return row and column of a cell as displayed in a spreadsheet."""
        name = self.headings[column][:40]
        return f": row {self.lines[row]}, column {column + 1} ({name})"


def read_table(
    path: Path, role: SeriesRole, heads: Callable[[Sequence[str]], bool] | None = None
) -> CellTable:
    """Return the cells of a CSV file, plain or gzipped.

    heads: Whether the cells of a row are the headings; default: one names a time.

    Raises the codes of the role for a file that cannot be read, and for a row whose cells differ
    in number from the heading.
    """
    try:
        content = capped(path, MAX_BYTES)
    except OSError as error:
        role.refuse(
            role.file,
            "",
            f"the file cannot be read: {reason(error)}.",
            f"Enter a CSV file of one year, at most {MAX_BYTES / 1e6:.0f} MB; it may be gzipped.",
        )
    digest = hashlib.sha256(content).hexdigest()[:12]
    text, lines = _text(content, role), None
    if '"' in text:
        text, lines = _unquoted(text, role)
    found = heads or (lambda cells: any(is_time(cell) for cell in cells))
    return _table(text.encode(), lines, digest, role, found)


def _text(content: bytes, role: SeriesRole) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a mark, or Windows-1252."""
    try:
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = content.decode("utf-16")
        else:
            try:
                text = content.decode("utf-8-sig")
            except UnicodeDecodeError:
                text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        _refuse_text(role, str(error))
    if "\0" in text or _UNIT_SEPARATOR in text:
        _refuse_text(role, "it contains control characters")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _refuse_text(role: SeriesRole, why: str) -> None:
    role.refuse(
        role.file, "", f"the file is not a valid CSV file: {why}.", "Save it as CSV in UTF-8."
    )


def _unquoted(text: str, role: SeriesRole) -> tuple[str, Ints]:
    """Return the text with one separator in place of delimiters and quotes, and its lines."""
    lines: list[int] = []
    rows: list[str] = []
    begin = [line.encode() for line in text[: 2**16].splitlines()[:_MAX_PREAMBLE]]
    longest = max(begin, key=lambda line: max(map(line.count, _DELIMITERS)), default=b"")
    delimiter = chr(_delimiter(longest))
    reader = csv.reader(io.StringIO(text), strict=True, delimiter=delimiter)
    try:
        for row in reader:
            lines.append(reader.line_num)
            rows.append(_UNIT_SEPARATOR.join(row).replace("\n", " "))
    except csv.Error as error:
        _refuse_text(role, str(error))
    return "\n".join(rows), np.array(lines, dtype=np.int64)


def _delimiter(line: bytes) -> int:
    if _UNIT_SEPARATOR.encode() in line:
        return ord(_UNIT_SEPARATOR)
    return max(_DELIMITERS, key=lambda each: (line.count(each), each != _COMMA))


def _table(
    content: bytes,
    lines: Ints | None,
    digest: str,
    role: SeriesRole,
    heads: Callable[[Sequence[str]], bool],
) -> CellTable:
    """Return the table of a text below its headings."""
    raw = np.frombuffer(content or b"\n", dtype=np.uint8)
    breaks = np.flatnonzero(raw == 10)
    starts = np.concatenate(([0], breaks + 1)).astype(np.int64)
    ends = np.concatenate((breaks, [len(raw)])).astype(np.int64)
    lines = np.arange(1, len(starts) + 1) if lines is None else np.resize(lines, len(starts))
    known = ends > starts
    for row in np.flatnonzero(known & np.isin(raw[starts % len(raw)], [*_DELIMITERS, 32])).tolist():
        known[row] = bool(content[starts[row] : ends[row]].strip(_DELIMITERS + b" \x1f"))
    starts, ends, lines = starts[known], ends[known], lines[known]
    if not len(starts):
        role.refuse(role.columns, ": row 1", "the file is empty.", _how(role))
    first, delimiter = _heading(content, starts, ends, heads)
    headings = _cells_of(content, starts[first], ends[first], delimiter)
    if len(headings) > _MAX_COLUMNS:
        role.refuse(role.columns, "", f"{len(headings):,} columns.", _how(role))
    first += 1
    if first < len(starts):
        units = _cells_of(content, starts[first], ends[first], delimiter)
        if len(units) == len(headings) and not re.search(r"\d", "".join(units)):
            headings = [f"{one} {unit}".strip() for one, unit in zip(headings, units, strict=True)]
            first += 1
    starts, ends, lines = starts[first:], ends[first:], lines[first:]
    if len(starts) > MAX_ROWS:
        role.refuse(
            role.rows,
            "",
            f"{len(starts):,} rows; the maximum is {MAX_ROWS:,}, one year of minutes.",
            "Use averages over longer steps.",
        )
    cut = _cuts(raw, starts, ends, lines, (delimiter, len(headings)), role)
    begin = np.column_stack((starts, cut + 1)) if len(starts) else np.empty((0, len(headings)), int)
    end = np.column_stack((cut, ends)) if len(starts) else begin
    comma = delimiter != _COMMA
    return CellTable(raw, begin, end, tuple(headings), lines, digest, comma)


def _cuts(
    raw: Bytes, starts: Ints, ends: Ints, lines: Ints, shape: tuple[int, int], role: SeriesRole
) -> Ints:
    """Return the delimiters of each row, as many as in the heading."""
    delimiter, columns = shape
    at = np.flatnonzero(raw == delimiter)
    low, high = np.searchsorted(at, starts), np.searchsorted(at, ends)
    uneven = high - low != columns - 1
    if uneven.any():
        row = int(np.argmax(uneven))
        role.refuse(
            role.columns,
            f": row {lines[row]}",
            f"{high[row] - low[row] + 1} cells, but the heading has {columns}.",
            "Use one cell per heading in each row, and numbers without thousands separators.",
        )
    if columns == 1 or not len(starts):
        return np.empty((len(starts), 0), dtype=np.int64)
    return np.asarray(at[low[:, None] + np.arange(columns - 1)], dtype=np.int64)


def _how(role: SeriesRole) -> str:
    return (
        "Start with headings: a time (timestamp, date and time, or hour) and one of "
        f"{role.headings}."
    )


def _heading(
    content: bytes, starts: Ints, ends: Ints, heads: Callable[[Sequence[str]], bool]
) -> tuple[int, int]:
    """Return the row of the heading, and its delimiter."""
    for row in range(min(len(starts), _MAX_PREAMBLE)):
        line = content[starts[row] : ends[row]]
        delimiter = _delimiter(line)
        cells = _cells_of(content, starts[row], ends[row], delimiter)
        if len(cells) > 1 and heads(cells):
            return row, delimiter
    row = 0
    while row + 1 < len(starts) and (
        content[starts[row] : starts[row] + 1] == b"#" or _is_title(content, starts, ends, row)
    ):
        row += 1
    quoted = _UNIT_SEPARATOR.encode() in content
    return row, ord(_UNIT_SEPARATOR) if quoted else _delimiter(content[starts[row] : ends[row]])


def _is_title(content: bytes, starts: Ints, ends: Ints, row: int) -> bool:
    """Return whether a row has one cell with text, and the row below has several."""
    counts = []
    for line in (row, row + 1):
        delimiter = _delimiter(content[starts[line] : ends[line]])
        cells = _cells_of(content, starts[line], ends[line], delimiter)
        counts.append(sum(map(bool, cells)))
    return counts[0] == 1 and counts[1] > 1


def _cells_of(content: bytes, start: int, end: int, delimiter: int) -> list[str]:
    line = content[int(start) : int(end)].decode()
    return [cell.strip().lstrip("#").strip() for cell in line.split(chr(delimiter))]


def numbers(table: CellTable, column: int, role: SeriesRole) -> FloatArray:
    """Return a column of numbers, NaN where a cell is empty or states a missing value.

    A decimal comma is read where it cannot be a delimiter or a thousands separator.

    Raises the code of the role for a cell that is not a number, with its row.
    """
    cells = table.cells(column)
    blank = cells == b""
    plain_cells = np.where(blank, b"nan", cells) if blank.any() else cells
    try:
        values = plain_cells.astype(np.float64)
    except ValueError:
        found, where = np.unique(cells, return_inverse=True)
        of_each = np.array([_number(cell, comma=table.comma) for cell in found.tolist()])
        values = of_each[where]
        _refuse_mixed(table, column, cells, role)
    wrong = np.isinf(values)
    if cells.dtype.itemsize > 1:
        of_bytes = cells.view(np.uint8).reshape(len(cells), -1)
        wrong |= (of_bytes == _UNDERSCORE).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        text = cells[row].decode("utf-8", "replace")[:40]
        role.refuse(
            role.number,
            table.where(row, column),
            f"{text!r} is not a valid {role.what}; expected a number.",
            "Correct the cell, or leave it empty if no value was measured.",
        )
    return values


def _number(cell: bytes, *, comma: bool) -> float:
    """Return the number of a cell; infinite where it is none, NaN where it is missing."""
    text = cell.strip().lower()
    if text in _MISSING:
        return float("nan")
    text = text.replace(b" ", b"").replace(b"'", b"").replace(b"\xc2\xa0", b"")
    if comma and text.count(b",") == 1 and text.rfind(b".") < text.rfind(b","):
        text = text.replace(b".", b"").replace(b",", b".")
    elif re.fullmatch(rb"-?\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(b",", b"")
    try:
        return float(text) if b"_" not in text else float("inf")
    except ValueError:
        return float("inf")


def _refuse_mixed(table: CellTable, column: int, cells: Cells, role: SeriesRole) -> None:
    """Reject a column whose commas may be decimal commas or thousands separators."""
    with_comma = np.char.find(cells, b",") >= 0
    if not table.comma or not with_comma.any():
        return
    of_three = re.compile(rb"-?[1-9]\d{0,2},\d{3}")
    found: list[bytes] = np.unique(cells[with_comma]).tolist()
    if all(of_three.fullmatch(one) for one in found) and np.all(with_comma):
        row = int(np.argmax(with_comma))
        role.refuse(
            role.number,
            table.where(row, column),
            f"{found[0].decode()!r} can be read with a decimal comma or a thousands separator.",
            "Write the column with a decimal point and without thousands separators.",
        )
