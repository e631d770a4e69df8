"""A sweep in memory: its rows, in their order, as cells and as a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from facility.study.sweep.engine import Engine, run_tasks
from facility.study.sweep.frame import ShownByDesigns
from facility.study.sweep.plan import Plan
from facility.study.sweep.row import DEFECT, OK, REFUSED, Cells, SweepRow

Progress = Callable[[int, int], None]
"""Told how many designs are done, and how many there are."""


@dataclass(frozen=True, eq=False)
class Sweep(ShownByDesigns):
    """The rows of a sweep.

    Attributes
    ----------
    heads : tuple[str, ...]
        Heads of the cells, in their order.
    paths : tuple[str, ...]
        What varies; the heads of the inputs.
    results : tuple[str, ...]
        Heads of the results.
    rows : tuple[dict, ...]
        Cells by head, one row for each different project, in the order of the sweep.
    asked : int
        Designs that were asked for; equal ones are made once.
    """

    heads: tuple[str, ...]
    paths: tuple[str, ...]
    results: tuple[str, ...]
    rows: tuple[Cells, ...]
    asked: int

    def __repr__(self) -> str:
        return f"<Sweep of {', '.join(self.paths)}: {len(self.rows)} designs>"

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there are of each status."""
        found = [row["status"] for row in self.rows]
        return {status: found.count(status) for status in (OK, REFUSED, DEFECT)}


def sweep_of(plan: Plan, rows: Iterable[SweepRow]) -> Sweep:
    """Return the sweep that rows of a plan make, in any order."""
    ordered = sorted(rows, key=lambda row: row.number)
    names = tuple(column.name for column in plan.job.columns)
    return Sweep(plan.heads, plan.paths, names, tuple(row.cells for row in ordered), len(plan))


def run_plan(plan: Plan, engine: Engine, progress: Progress | None = None) -> Sweep:
    """Return the sweep of a plan, every different design made once.

    Raises as `run_tasks`.
    """
    rows = []
    for row in run_tasks(plan.job, plan.pending(set()), engine):
        rows.append(row)
        if progress is not None:
            progress(len(rows), len(plan))
    return sweep_of(plan, rows)
