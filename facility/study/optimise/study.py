"""Optimisation of a project: variable fields selected to minimise results, within limits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from facility.core.errors import FacilityError
from facility.core.rounding import ROUNDING
from facility.model.inputs.document import Project, read_document
from facility.study.optimise.problem import OptimisationProblem
from facility.study.optimise.search import (
    POPULATION,
    Evaluation,
    Numbers,
    generations,
    not_dominated,
)
from facility.study.sweep.engine import Engine, Make, started
from facility.study.sweep.frame import ShownByDesigns
from facility.study.sweep.row import REFUSED, Cells, SweepRow, Task
from facility.study.sweep.studies import STUDIES

USUAL_BUDGET = 400
MAX_BUDGET = 1_000_000
_IDLE_GENERATIONS = 20


@dataclass(frozen=True)
class Best:
    """A non-dominated design on the Pareto front of the evaluated designs."""

    number: int  # Row among the evaluated designs
    project: Project
    cells: Cells  # Its row with all studies run
    holds: bool  # Whether it meets all limits with all studies run


@dataclass(frozen=True, eq=False)
class Optimum(ShownByDesigns):
    """Result of an optimisation.

    Attributes
    ----------
    heads, objectives, paths : tuple[str, ...]
        Column headings; headings of the objectives; variable fields.
    rows : tuple[dict, ...]
        All evaluated designs, in order of evaluation.
    feasible : int
        Number of designs that meet all limits in the studies run.
    front : tuple[Best, ...]
        The Pareto front, by the first objective.
    complete : bool
        Whether all possible designs were evaluated, so that no other can be better.
    """

    heads: tuple[str, ...]
    objectives: tuple[str, ...]
    paths: tuple[str, ...]
    rows: tuple[Cells, ...]
    feasible: int
    front: tuple[Best, ...]
    complete: bool

    def __repr__(self) -> str:
        return f"<Optimum: {len(self.front)} of {len(self.rows)} designs on the front>"


@dataclass(frozen=True)
class Terms:
    """Terms of a search: equal terms give equal results on any engine."""

    budget: int = USUAL_BUDGET  # Maximum number of distinct designs
    seed: int = 1
    engine: Engine = field(default_factory=Engine)

    def __post_init__(self) -> None:
        if not 1 <= self.budget <= MAX_BUDGET:
            raise FacilityError(
                "OPTIMISE_BUDGET",
                "--budget",
                f"a budget of {self.budget:,} designs is outside the permitted range.",
                f"Enter 1 to {MAX_BUDGET:,}.",
            )


def search(
    problem: OptimisationProblem,
    terms: Terms | None = None,
    record: Callable[[SweepRow], None] | None = None,
    known: Mapping[str, SweepRow] | None = None,
) -> Optimum:
    """Return the best designs found; all possible designs are evaluated if the budget allows.

    terms: Budget, seed and engine.
    record: Called with every new row, numbered in the order of requests.
    known: Rows of an earlier search by the hash of their project: they are not run again.

    Raises ``OPTIMISE_BUDGET``, ``OPTIMISE_BASIS``; ``NO_FEASIBLE`` (exit code 4) if no evaluated
    design meets the limits.
    """
    terms = terms or Terms()
    with started(terms.engine) as make:
        evaluated = _EvaluatedDesigns(problem, terms.budget, make, record, known or {})
        size = problem.size
        complete = size is not None and size <= terms.budget
        if complete:
            ranges = [[one.bounds[0] + n for n in range(one.count or 0)] for one in problem.free]
            evaluated.evaluate(itertools.product(*ranges))
        else:
            _evolve(problem, evaluated, terms.seed)
        front, feasible = _front(problem, evaluated.rows)
        best = tuple(_checked(problem, front, make))
    return Optimum(
        problem.heads,
        tuple(column.name for column in problem.objectives),
        problem.paths,
        tuple(row.cells for row in evaluated.rows),
        feasible,
        best,
        complete,
    )


@dataclass(eq=False)
class _EvaluatedDesigns:
    """Cache of evaluated designs."""

    problem: OptimisationProblem
    budget: int
    make: Make
    record: Callable[[SweepRow], None] | None
    known: Mapping[str, SweepRow]
    rows: list[SweepRow] = field(default_factory=list)
    worth: dict[str, Evaluation] = field(default_factory=dict)  # By the hash of the project

    @property
    def spent(self) -> bool:
        return len(self.rows) >= self.budget

    def evaluate(self, requested: Iterable[Numbers]) -> list[Evaluation]:
        """Return the evaluations of designs; outside the budget, that of a failed design."""
        hashes: list[str] = []
        fresh: dict[str, SweepRow] = {}
        for row in self.make(self.problem.plan.job, self._new(requested, hashes, fresh)):
            fresh[row.sha256] = row
            if self.record is not None:
                self.record(row)
        for row in sorted(fresh.values(), key=lambda row: row.number):
            self.rows.append(row)
            self.worth[row.sha256] = self.problem.evaluate(row.cells)
        self.problem.require_same_basis(
            row.cells for row in self.rows if max(self.worth[row.sha256].excess) <= ROUNDING
        )
        beyond = self.problem.evaluate({"status": ""})
        return [self.worth.get(sha256, beyond) for sha256 in hashes]

    def _new(
        self, requested: Iterable[Numbers], hashes: list[str], fresh: dict[str, SweepRow]
    ) -> Iterator[Task]:
        """Yield the designs to be run, numbered as requested, within the budget.

        `hashes` receives the project hash of each request, `fresh` the rows known before.
        """
        number, given = len(self.rows), set(self.worth)
        for numbers in requested:
            task = self.problem.plan.task_with(number + 1, self.problem.inputs(numbers))
            hashes.append(task.sha256)
            if task.sha256 in given or number >= self.budget:
                continue
            number += 1
            given.add(task.sha256)
            before = self.known.get(task.sha256)
            if before is None:
                yield task
            else:
                cells = {**before.cells, "row": number, **task.inputs}
                fresh[task.sha256] = SweepRow(number, task.sha256, cells)


def _evolve(problem: OptimisationProblem, evaluated: _EvaluatedDesigns, seed: int) -> None:
    """Search until the budget is used, or no new designs arise."""
    sizes = len(problem.objectives), 1 + len(problem.limits)
    population = min(POPULATION, max(4, evaluated.budget // 5))
    idle, before = 0, 0
    for _ in generations(problem.free, sizes, evaluated.evaluate, seed, population):
        idle = 0 if len(evaluated.rows) > before else idle + 1
        before = len(evaluated.rows)
        if evaluated.spent or idle >= _IDLE_GENERATIONS:
            return


def _front(problem: OptimisationProblem, rows: Sequence[SweepRow]) -> tuple[list[SweepRow], int]:
    """Return the non-dominated rows by the first objective, and the number of feasible rows."""
    worth = [problem.evaluate(row.cells) for row in rows]
    feasible = [n for n, one in enumerate(worth) if max(one.excess) <= ROUNDING]
    if not feasible:
        raise FacilityError(
            "NO_FEASIBLE",
            "optimise",
            f"none of {len(rows):,} designs meets the limits{_refusals(rows)}.",
            "Relax a limit, vary more fields, or increase the budget.",
        )
    values = np.array([worth[n].objectives for n in feasible])
    best = [feasible[n] for n in not_dominated(values)]
    return [rows[n] for n in sorted(best, key=lambda n: tuple(worth[n].objectives))], len(feasible)


def _refusals(rows: Sequence[SweepRow]) -> str:
    """Return the number of failed designs and the first reason; empty if none failed."""
    refused = [row.cells for row in rows if row.cells["status"] == REFUSED]
    if not refused:
        return ""
    first = " ".join(str(refused[0][name]) for name in ("where", "message"))
    return f"; {len(refused):,} failed, the first with {refused[0]['error']}: {first}".rstrip(".")


def _checked(problem: OptimisationProblem, front: Sequence[SweepRow], make: Make) -> Iterator[Best]:
    """Yield the designs on the front, with all studies run."""
    plan = problem.plan
    tasks = [
        plan.task_with(row.number, {path: str(row.cells[path]) for path in problem.paths})
        for row in front
    ]
    rows = {row.sha256: row for row in make(replace(plan.job, studies=tuple(STUDIES)), tasks)}
    for task in tasks:
        cells = rows[task.sha256].cells
        holds = max(problem.evaluate(cells).excess) <= ROUNDING
        yield Best(task.number, read_document(task.document, plan.folder), cells, holds)
