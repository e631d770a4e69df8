"""The best designs of a project: free fields chosen for the least of results, within limits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from facility.core.errors import FacilityError
from facility.model.inputs.document import Project, read_document
from facility.study.optimise.free import Free
from facility.study.optimise.limits import REFUSED, VERDICT, Limit, Stated, limits_of
from facility.study.optimise.search import (
    POPULATION,
    Judged,
    Numbers,
    generations,
    not_dominated,
    require_pymoo,
)
from facility.study.sweep.plan import Plan, planned
from facility.study.sweep.row import OK, Cells, Column, Row, heads, run_task
from facility.study.sweep.studies import STUDIES, USUAL

WORDS = {
    "cost": "cost.annual",
    "energy": "energy.annual",
    "water": "water.annual",
    "pue": "pue.annual",
    "carbon": "carbon.annual",
}
"""Short words for what is made least."""

USUAL_BUDGET = 400
MOST_BUDGET = 1_000_000
_HOLDS = 1e-9
_IDLE_GENERATIONS = 20
_MOST_OBJECTIVES = 4


@dataclass(frozen=True, eq=False)
class Quest:
    """What is looked for."""

    plan: Plan  # The project, and what is worked out of each design
    free: tuple[Free, ...]
    objectives: tuple[Column, ...]  # Made least, each
    limits: tuple[Limit, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields that are free."""
        return tuple(one.path for one in self.free)

    @property
    def heads(self) -> tuple[str, ...]:
        """Heads of the rows."""
        return heads(self.paths, self.plan.job.columns)

    @property
    def size(self) -> int | None:
        """How many designs there are to choose from; None for endlessly many."""
        counts = [one.count for one in self.free]
        return None if None in counts else math.prod(count for count in counts if count)

    def inputs(self, numbers: Numbers) -> dict[str, str]:
        """Return the values by path that numbers stand for."""
        return {one.path: one.text(n) for one, n in zip(self.free, numbers, strict=True)}

    def judged(self, cells: Cells) -> Judged:
        """Return what a row is worth."""
        found = [cells.get(column.name) for column in self.objectives]
        excess = [limit.excess(cells) for limit in self.limits]
        if cells["status"] != OK or None in found:
            return Judged([REFUSED] * len(found), [REFUSED, *excess])
        return Judged([float(cell) for cell in found if cell is not None], [0.0, *excess])


@dataclass(frozen=True)
class Best:
    """A design on the front: none that was made is as good in all objectives and better in one."""

    number: int  # Row among the designs that were made
    project: Project
    cells: Cells  # Its row with all studies run
    holds: bool  # Whether it holds all limits with all studies run


@dataclass(frozen=True, eq=False)
class Optimum:
    """What was found.

    Attributes
    ----------
    heads, objectives, paths : tuple[str, ...]
        Heads of the cells; those that are made least; the fields that were free.
    rows : tuple[dict, ...]
        Every design that was made, in the order they were.
    feasible : int
        How many of them hold all limits in the studies that were run.
    front : tuple[Best, ...]
        The best, by the first objective.
    complete : bool
        Whether every design there is was made, so that no other can be better.
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


def quest_of(
    project: Project,
    free: Sequence[Free],
    minimise: Sequence[str],
    subject_to: Sequence[Stated] = (Stated(VERDICT, ""),),
    studies: Sequence[str] = USUAL,
) -> Quest:
    """Return what is looked for, checked before any design is made.

    Parameters
    ----------
    project : Project
        What is not free.
    free : sequence of Free
        The fields left free.
    minimise : sequence of str
        Keys of results, or ``cost``, ``energy``, ``water``, ``pue``, ``carbon``.
    subject_to : sequence of Stated
        The limits.
    studies : sequence of str
        Studies that are run of each design; all are run of those on the front.

    Raises
    ------
    FacilityError
        ``OPTIMISE_OBJECTIVE``, ``OPTIMISE_LIMIT``, or as `planned`.
    """
    require_pymoo()
    aims = list(dict.fromkeys(WORDS.get(word, word) for word in minimise))
    if not 1 <= len(aims) <= _MOST_OBJECTIVES:
        raise _no_objective(f"{len(aims)} results are to be made least.")
    limited = [one.key for one in subject_to if one.key != VERDICT]
    plan = planned(project, [one.ends() for one in free], studies, [*aims, *limited])
    columns = {column.key: column for column in plan.job.columns}
    for key in aims:
        if columns[key].type != "number":
            raise _no_objective(f"{key} is no number.")
    limits = limits_of(subject_to, columns)
    return Quest(plan, tuple(free), tuple(columns[key] for key in aims), tuple(limits))


def search(
    quest: Quest,
    budget: int = USUAL_BUDGET,
    seed: int = 1,
    record: Callable[[Row], None] | None = None,
) -> Optimum:
    """Return the best designs found; every one that is there where the budget allows it.

    Parameters
    ----------
    quest : Quest
        What is looked for.
    budget : int
        Most different designs that are made, those on the front not counted again.
    seed : int
        The same seed finds the same.
    record : callable, optional
        Told every row when it is there.

    Raises
    ------
    FacilityError
        ``OPTIMISE_BUDGET``; ``NO_FEASIBLE`` (exit code 4) where no design made holds the limits.
    """
    if not 1 <= budget <= MOST_BUDGET:
        raise FacilityError(
            "OPTIMISE_BUDGET",
            "--budget",
            f"{budget:,} designs cannot be made.",
            f"Give 1 to {MOST_BUDGET:,}.",
            exit_code=2,
        )
    made = _Made(quest, budget, record)
    size = quest.size
    complete = size is not None and size <= budget
    if complete:
        made.judge(_every(quest))
    else:
        _evolve(quest, made, seed)
    front, feasible = _front(quest, made.rows)
    return Optimum(
        quest.heads,
        tuple(column.name for column in quest.objectives),
        quest.paths,
        tuple(row.cells for row in made.rows),
        feasible,
        tuple(_checked(quest, row) for row in front),
        complete,
    )


@dataclass(eq=False)
class _Made:
    """The designs that were made, each once."""

    quest: Quest
    budget: int
    record: Callable[[Row], None] | None
    rows: list[Row] = field(default_factory=list)
    worth: dict[str, Judged] = field(default_factory=dict)  # By the hash of the project

    @property
    def spent(self) -> bool:
        return len(self.rows) >= self.budget

    def judge(self, asked: Iterable[Numbers]) -> list[Judged]:
        """Return what designs are worth; beyond the budget, that of a refused one."""
        return [self._judge(numbers) for numbers in asked]

    def _judge(self, numbers: Numbers) -> Judged:
        plan = self.quest.plan
        task = plan.task_with(len(self.rows) + 1, self.quest.inputs(numbers))
        known = self.worth.get(task.sha256)
        if known is not None:
            return known
        if self.spent:
            return self.quest.judged({"status": ""})
        row = run_task(plan.job, task)
        self.rows.append(row)
        self.worth[task.sha256] = self.quest.judged(row.cells)
        if self.record is not None:
            self.record(row)
        return self.worth[task.sha256]


def _evolve(quest: Quest, made: _Made, seed: int) -> None:
    """Search until the budget is spent, or nothing new comes any more."""
    sizes = len(quest.objectives), 1 + len(quest.limits)
    population = min(POPULATION, max(4, made.budget // 5))
    idle, before = 0, 0
    for _ in generations(quest.free, sizes, made.judge, seed, population):
        idle = 0 if len(made.rows) > before else idle + 1
        before = len(made.rows)
        if made.spent or idle >= _IDLE_GENERATIONS:
            return


def _every(quest: Quest) -> Iterable[Numbers]:
    """Yield every design there is; only where there are so many and no more."""
    ranges = [[one.bounds[0] + n for n in range(one.count or 0)] for one in quest.free]
    return itertools.product(*ranges)


def _front(quest: Quest, rows: Sequence[Row]) -> tuple[list[Row], int]:
    """Return the rows that no other is better than, by the first objective, and how many hold."""
    worth = [quest.judged(row.cells) for row in rows]
    held = [n for n, one in enumerate(worth) if max(one.excess) <= _HOLDS]
    if not held:
        raise FacilityError(
            "NO_FEASIBLE",
            "optimise",
            f"none of {len(rows):,} designs holds the limits.",
            "Loosen a limit, free more fields, or give a larger budget.",
            exit_code=4,
        )
    values = np.array([worth[n].objectives for n in held])
    best = [held[n] for n in not_dominated(values)]
    return [rows[n] for n in sorted(best, key=lambda n: tuple(worth[n].objectives))], len(held)


def _checked(quest: Quest, row: Row) -> Best:
    """Return a design of the front with all studies run."""
    plan = quest.plan
    task = plan.task_with(row.number, {path: str(row.cells[path]) for path in quest.paths})
    cells = run_task(replace(plan.job, studies=tuple(STUDIES)), task).cells
    holds = max(quest.judged(cells).excess) <= _HOLDS
    return Best(row.number, read_document(task.document, plan.folder), cells, holds)


def _no_objective(message: str) -> FacilityError:
    return FacilityError(
        "OPTIMISE_OBJECTIVE",
        "--minimise",
        message,
        f"Name 1 to {_MOST_OBJECTIVES} of {', '.join(WORDS)}, or keys of results that are numbers.",
        exit_code=2,
    )
