"""Growing file of a sweep: each row is on disk when finished and marks progress.

A CSV file is its own journal; a Parquet file, which cannot grow, has a separate journal until the
sweep is complete.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from facility.core.errors import FacilityError
from facility.files.io.atomic import write_bytes
from facility.files.io.read_text import read_bytes
from facility.files.sweep.cells import (
    line_of,
    other_sweep,
    parquet_bytes,
    parquet_rows,
    require_pyarrow,
    row_line,
    types_of,
)
from facility.files.sweep.journal import MAX_BYTES, journal_rows, locked_journal, refuse_others
from facility.study.sweep.engine import Engine, run_tasks
from facility.study.sweep.plan import Plan
from facility.study.sweep.row import Cells, SweepRow, Type
from facility.study.sweep.study import Progress, Sweep, sweep_of


@dataclass(eq=False)
class RowStore:
    """Rows of a sweep, on disk."""

    out: Path
    journal: Path  # Journal of appended rows: the file itself, or a separate one
    plan: Plan
    stream: BinaryIO
    rows: dict[str, SweepRow]  # By the hash of their project

    def add(self, row: SweepRow) -> None:
        """Append a row; it is in the file on return."""
        self.rows[row.sha256] = row
        self.stream.write(row_line(row.cells, self.plan.heads).encode())
        self.stream.flush()

    def ordered(self) -> list[SweepRow]:
        """Return the rows in the order of the sweep."""
        return sorted(self.rows.values(), key=lambda row: row.number)

    def publish(self, *, complete: bool) -> None:
        """Write the final file, in sweep order if complete."""
        rows = self.ordered()
        if self.out != self.journal:
            cells = (row.cells for row in rows)
            write_bytes(self.out, parquet_bytes(cells, _types(self.plan)), force=True)
            if complete:
                self.journal.unlink(missing_ok=True)
        elif complete:
            write_bytes(self.out, _text(self.plan, rows), force=True)


def run_to_file(
    plan: Plan,
    out: Path,
    engine: Engine,
    progress: Progress | None = None,
    *,
    resume: bool = False,
    force: bool = False,
) -> tuple[Sweep, int]:
    """Run a sweep into a file; return it, and the number of existing rows.

    After any interruption the file is readable, and `resume` continues from it. When complete, it
    is in sweep order, independent of the engine.

    plan: The sweep.
    out: A .csv or .parquet file.
    engine: Executor of the designs.
    progress: Called after each row with the number of rows, and the total.
    resume: Keep the rows of the file and run the others.
    force: Overwrite an existing file.

    Raises ``SWEEP_FILE`` for another ending, ``FILE_EXISTS`` without `resume` or `force`,
    ``SWEEP_OTHER`` for a file of another sweep, ``SWEEP_BUSY`` while another writes it,
    ``NO_SWEEP_EXTRA``, ``FILE_NOT_WRITTEN``; or as `run_tasks`.
    """
    with _opened(out, plan, resume=resume, force=force) as store:
        before, complete = len(store.rows), False
        try:
            for row in run_tasks(plan.job, plan.pending(set(store.rows)), engine):
                store.add(row)
                if progress is not None:
                    progress(len(store.rows), len(plan))
            complete = True
        finally:
            store.publish(complete=complete)
    return sweep_of(plan, store.rows.values()), before


@contextmanager
def _opened(out: Path, plan: Plan, *, resume: bool, force: bool) -> Iterator[RowStore]:
    """Yield the row store of a sweep with its existing rows, locked against other writers."""
    ending = out.suffix.lower()
    if ending not in (".csv", ".parquet"):
        message = f"rows can be written as .csv or .parquet, not as {ending[:20] or 'no suffix'}."
        raise FacilityError("SWEEP_FILE", str(out), message, "Use such a name with --out.")
    if ending == ".parquet":
        require_pyarrow()
    journal = out if ending == ".csv" else out.with_name(f"{out.name}.rows.csv")
    rows: dict[str, SweepRow] = {}
    if resume and journal.exists():
        with locked_journal(journal) as stream:
            found = journal_rows(stream, journal, _types(plan), plan.paths)
            yield RowStore(out, journal, plan, stream, _by_hash(found, str(journal), plan))
        return
    if resume and out.exists():
        existing = parquet_rows(read_bytes(out, MAX_BYTES), str(out), plan.heads)
        rows = _by_hash(existing, str(out), plan)
    elif out.exists() and not force:
        raise FacilityError(
            "FILE_EXISTS",
            str(out),
            "the file exists.",
            "Use --resume to continue, or --force to start over.",
        )
    write_bytes(journal, _text(plan, rows.values()), force=force)
    with locked_journal(journal) as stream:
        stream.seek(0, os.SEEK_END)
        yield RowStore(out, journal, plan, stream, rows)


def _by_hash(found: Iterable[Cells], where: str, plan: Plan) -> dict[str, SweepRow]:
    """Return rows read from a file by hash, numbered as in the plan."""
    numbers = {task.sha256: task.number for task in plan.pending(set())}
    rows = {}
    for cells in found:
        sha256 = str(cells["project_sha256"])
        if sha256 not in numbers:
            raise other_sweep(where, "it contains designs outside this sweep.")
        refuse_others(cells, where, plan.job.studies)
        rows[sha256] = SweepRow(numbers[sha256], sha256, {**cells, "row": numbers[sha256]})
    return rows


def _types(plan: Plan) -> dict[str, Type]:
    return types_of(plan.heads, plan.job.columns)


def _text(plan: Plan, rows: Iterable[SweepRow]) -> bytes:
    lines = (row_line(row.cells, plan.heads) for row in rows)
    return (line_of(plan.heads) + "".join(lines)).encode()
