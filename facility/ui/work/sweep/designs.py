"""The designs of a sweep, created by a worker in a separate folder that remains after the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.sweep.cells import parquet_bytes, types_of
from facility.files.sweep.front import DESIGNS, run_to_folder
from facility.files.sweep.journal import journal_rows, locked_journal
from facility.files.sweep.store import run_to_file
from facility.model.inputs.document import Project
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Study
from facility.report.studies.sweep import BestDesigns, ManyDesigns
from facility.study.optimise.problem import optimisation_problem
from facility.study.optimise.study import Terms
from facility.study.sweep.engine import Engine
from facility.study.sweep.plan import planned
from facility.study.sweep.row import Cells, ResultColumn
from facility.ui.memory import spool
from facility.ui.work.bound import cores
from facility.ui.work.progress import Cancelled, RunProgress, Tell
from facility.ui.work.sweep.request import (
    FRONT,
    PARQUET,
    ROWS,
    SweepRequest,
    request_of,
    requested_axes,
    requested_limits,
    requested_variables,
)

_MAX_PROCESSES = 8


@dataclass(frozen=True)
class RunOutcome:
    """Result of a run, complete or stopped."""

    heads: tuple[str, ...] = ()
    rows: tuple[Cells, ...] = ()
    paths: tuple[str, ...] = ()  # Headings of the varied fields
    results: tuple[str, ...] = ()  # Headings of the results
    kinds: tuple[str, ...] = ()  # Their kinds of quantity
    aims: tuple[str, ...] = ()  # Headings of the objectives
    front: tuple[int, ...] = ()  # Rows of the Pareto-optimal designs without violations
    opening: str = ""
    tables: tuple[TextTable, ...] = ()
    stopped: bool = False
    error: FacilityError | None = None


Shown = dict[str, object]
"""The known fields of a `RunOutcome`."""


@dataclass(frozen=True)
class Rows:
    """The columns of a run, and the file to which its rows are written."""

    file: Path
    heads: tuple[str, ...]
    paths: tuple[str, ...]  # Varied fields
    columns: tuple[ResultColumn, ...]  # Results
    aims: tuple[str, ...] = ()  # Headings of the objectives

    def read(self, folder: Path) -> Shown:
        """Return the finished rows, and also write them as a Parquet file."""
        if not self.file.exists():
            return {}
        types = types_of(self.heads, self.columns)
        with locked_journal(self.file) as stream:
            rows = journal_rows(stream, self.file, types, self.paths)
        (folder / PARQUET).write_bytes(parquet_bytes(rows, types))
        return {
            "heads": self.heads,
            "rows": tuple(rows),
            "paths": self.paths,
            "results": tuple(column.name for column in self.columns),
            "kinds": tuple(column.kind for column in self.columns),
            "aims": self.aims,
        }


def made(text: str, request_text: str, folder_path: str, tell: Tell) -> RunOutcome:
    """Run the missing designs of a sweep; on a stop or an error, return the finished ones.

    text: The project.
    request_text: The request, from `SweepRequest.dumped`.
    folder_path: The folder.
    """
    folder, shown = Path(folder_path), Shown()
    rows: Rows | None = None
    try:
        request, project = request_of(request_text), parse_project(text, "project", spool.folder())
        rows, make = (_best if request.best else _every)(project, request, folder, tell)
        shown |= make()
    except FacilityError as error:
        shown["error"] = error
    except Cancelled:
        shown["stopped"] = True
    if rows is not None:
        shown |= rows.read(folder)
    return RunOutcome(**shown)  # type: ignore[arg-type]


def _engine() -> Engine:
    """Return an engine that reserves one processor for the server."""
    return Engine(min(_MAX_PROCESSES, cores()))


def _every(
    project: Project, request: SweepRequest, folder: Path, tell: Tell
) -> tuple[Rows, Callable[[], Shown]]:
    """Return the rows and the run of all combinations."""
    plan, out = (
        planned(project, requested_axes(request), request.studies, request.results),
        folder / ROWS,
    )

    def make() -> Shown:
        found, _ = run_to_file(
            plan,
            out,
            _engine(),
            lambda done, whole: tell(RunProgress(done, whole, "designs")),
            resume=out.exists(),
        )
        return _shown(ManyDesigns(project, found))

    return Rows(out, plan.heads, plan.paths, plan.job.columns), make


def _best(
    project: Project, request: SweepRequest, folder: Path, tell: Tell
) -> tuple[Rows, Callable[[], Shown]]:
    """Return the rows and the run of an optimisation."""
    free, limits = requested_variables(request), requested_limits(request)
    problem = optimisation_problem(project, free, request.aims, limits, request.studies)
    terms, out = Terms(request.budget, request.seed, _engine()), folder / FRONT

    def make() -> Shown:
        found = run_to_folder(
            problem,
            out,
            terms,
            lambda done: tell(RunProgress(done, terms.budget, "designs")),
            resume=out.exists(),
        )
        front = tuple(one.number for one in found.front if one.holds)
        return {**_shown(BestDesigns(project, found)), "front": front}

    aims = tuple(column.name for column in problem.objectives)
    return Rows(out / DESIGNS, problem.heads, problem.paths, problem.plan.job.columns, aims), make


def _shown(study: Study) -> Shown:
    """Return the opening text and the tables of a study, as on the command line."""
    tables = tuple(
        TextTable(one.title, tuple(one.heads), [*map(tuple, one.rows)], tuple(one.below))
        for one in study.tables("si")
    )
    return {"opening": "\n".join(study.opening()), "tables": tables}
