"""Rows of a sweep as lines of a CSV file, and back; and as a Parquet file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence

from facility.core.errors import FacilityError
from facility.core.table import csv_text
from facility.files.io.safe_text import looks_like_formula, safe_text
from facility.study.sweep.engine import no_sweep_extra
from facility.study.sweep.row import COUNTS, Cell, Cells, ResultColumn, Type

OTHER_COLUMNS = "its columns differ (paths, results or units)."

_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)


def types_of(heads: Sequence[str], columns: Sequence[ResultColumn]) -> dict[str, Type]:
    """Return the cell type of each column for these results."""
    found: dict[str, Type] = dict.fromkeys(heads, "text")
    found |= dict.fromkeys(("row", *COUNTS), "number")
    found |= {column.name: column.type for column in columns}
    return found


def line_of(cells: Sequence[Cell]) -> str:
    """Return one CSV line with line end; texts cannot become formulas."""
    return csv_text([[_text(cell) for cell in cells]])


def row_line(cells: Cells, heads: Sequence[str]) -> str:
    """Return the line of a row with columns `heads`."""
    return line_of([cells.get(head) for head in heads])


def cells_of(texts: Sequence[str], types: Mapping[str, Type], inputs: Sequence[str]) -> Cells:
    """Return the cells of a line that `line_of` wrote."""
    return {
        head: (_plain(text) if head in inputs else _cell(text, type))
        for text, (head, type) in zip(texts, types.items(), strict=True)
    }


def parquet_bytes(rows: Iterable[Cells], types: Mapping[str, Type]) -> bytes:
    """Return the rows as a Parquet file.

    Raises ``NO_SWEEP_EXTRA`` if pyarrow is not installed.
    """
    require_pyarrow()
    import pyarrow
    from pyarrow import parquet

    listed = list(rows)
    columns = {}
    for head, type in types.items():
        cells = [row.get(head) for row in listed]
        whole = all(cell is None or isinstance(cell, int) for cell in cells)
        number = pyarrow.int64() if whole else pyarrow.float64()
        of = {"text": pyarrow.string(), "flag": pyarrow.bool_(), "number": number}
        columns[head] = pyarrow.array(cells, of[type])
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


def parquet_rows(content: bytes, where: str, heads: Sequence[str]) -> list[Cells]:
    """Return the rows of a Parquet file that `parquet_bytes` wrote.

    Raises ``SWEEP_OTHER`` for another file or other columns.
    """
    require_pyarrow()
    import pyarrow
    from pyarrow import parquet

    try:
        read = parquet.read_table(io.BytesIO(content))
    except pyarrow.ArrowException as error:
        raise other_sweep(where, " ".join(str(error).split())[:160]) from None
    if tuple(read.column_names) != tuple(heads):
        raise other_sweep(where, OTHER_COLUMNS)
    found: list[Cells] = read.to_pylist()
    return found


def other_sweep(where: str, why: str) -> FacilityError:
    """Return the error of a file without rows of this sweep."""
    return FacilityError(
        "SWEEP_OTHER",
        where,
        f"the file belongs to another sweep: {why}",
        "Use another name with --out, or --force to start over.",
    )


def require_pyarrow() -> None:
    """Raise if pyarrow is not installed.

    Raises ``NO_SWEEP_EXTRA``.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise no_sweep_extra("--out") from None


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str):
        text = " ".join(safe_text(cell).split())
        guarded = looks_like_formula(text) or text.startswith("'")
        return f"'{text}" if guarded and not _PLAIN_NUMBER.fullmatch(text) else text
    return repr(cell)


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") else text


def _cell(text: str, type: Type) -> Cell:
    if not text:
        return None
    if type == "text":
        return _plain(text)
    if type == "flag":
        return text == "true"
    return int(text) if _WHOLE.fullmatch(text) else float(text)
