"""Results of a sweep: rows in order, as cells and as a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from facility.study.sweep.engine import Engine, run_tasks
from facility.study.sweep.frame import ShownByDesigns
from facility.study.sweep.plan import Plan
from facility.study.sweep.row import DEFECT, OK, REFUSED, Cells, SweepRow

Progress = Callable[[int, int], None]
"""Called with the numbers of completed designs and of all designs."""


@dataclass(frozen=True, eq=False)
class Sweep(ShownByDesigns):
    """The rows of a sweep.

    Attributes
    ----------
    heads : tuple[str, ...]
        Column headings, in order.
    paths : tuple[str, ...]
        Varied fields; the headings of the inputs.
    results : tuple[str, ...]
        Headings of the results.
    rows : tuple[dict, ...]
        Cells by heading, one row per distinct project, in the order of the sweep.
    requested : int
        Number of requested designs; identical ones are run once.
    """

    heads: tuple[str, ...]
    paths: tuple[str, ...]
    results: tuple[str, ...]
    rows: tuple[Cells, ...]
    requested: int

    def __repr__(self) -> str:
        return f"<Sweep of {', '.join(self.paths)}: {len(self.rows)} designs>"

    @property
    def counts(self) -> dict[str, int]:
        """Number of rows by status."""
        found = [row["status"] for row in self.rows]
        return {status: found.count(status) for status in (OK, REFUSED, DEFECT)}


def sweep_of(plan: Plan, rows: Iterable[SweepRow]) -> Sweep:
    """Return the sweep of a plan from its rows, in any order."""
    ordered = sorted(rows, key=lambda row: row.number)
    names = tuple(column.name for column in plan.job.columns)
    return Sweep(plan.heads, plan.paths, names, tuple(row.cells for row in ordered), len(plan))


def run_plan(plan: Plan, engine: Engine, progress: Progress | None = None) -> Sweep:
    """Return the sweep of a plan, each distinct design run once.

    Raises the errors of `run_tasks`.
    """
    rows = []
    for row in run_tasks(plan.job, plan.pending(set()), engine):
        rows.append(row)
        if progress is not None:
            progress(len(rows), len(plan))
    return sweep_of(plan, rows)
