"""Optimisation problem: design variables, objectives, limits; evaluation of a design."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.model.inputs.document import Project
from facility.study.optimise.limits import REFUSED, VERDICT, RowLimit, StatedLimit, limits_of
from facility.study.optimise.search import Evaluation, Numbers, require_pymoo
from facility.study.optimise.variables import DesignVariable
from facility.study.sweep.plan import BASIS, OF_A_BASIS, Plan, planned
from facility.study.sweep.row import OK, Cells, ResultColumn, heads
from facility.study.sweep.studies import USUAL

WORDS = {
    "cost": "cost.ownership",
    "capital": "cost.capital",
    "electricity": "cost.annual",
    "energy": "energy.annual",
    "water": "water.annual",
    "pue": "pue.annual",
    "carbon": "carbon.annual",
}
"""Keywords of the objectives."""

_MAX_OBJECTIVES = 4
_OF_PRICES = ("cost.ownership", "cost.capital")


@dataclass(frozen=True, eq=False)
class OptimisationProblem:
    """Optimisation problem."""

    plan: Plan  # Project, and studies of each design
    free: tuple[DesignVariable, ...]
    objectives: tuple[ResultColumn, ...]  # To be minimised
    limits: tuple[RowLimit, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The variable fields."""
        return tuple(one.path for one in self.free)

    @property
    def heads(self) -> tuple[str, ...]:
        """Column headings of the rows."""
        return heads(self.paths, self.plan.job.columns)

    @property
    def size(self) -> int | None:
        """Number of possible designs; None if infinite."""
        counts = [one.count for one in self.free]
        return None if None in counts else math.prod(count for count in counts if count)

    def inputs(self, numbers: Numbers) -> dict[str, str]:
        """Return the values by path encoded by numbers."""
        return {one.path: one.text(n) for one, n in zip(self.free, numbers, strict=True)}

    def evaluate(self, cells: Cells) -> Evaluation:
        """Return the evaluation of a row."""
        found = [cells.get(column.name) for column in self.objectives]
        excess = [limit.excess(cells) for limit in self.limits]
        if cells["status"] != OK or None in found:
            return Evaluation([REFUSED] * len(found), [REFUSED, *excess])
        return Evaluation([float(cell) for cell in found if cell is not None], [0.0, *excess])

    def require_same_basis(self, rows: Iterable[Cells]) -> None:
        """Reject designs whose cost objectives omit different items.

        Raises ``OPTIMISE_BASIS``.
        """
        key = next((column.key for column in self.objectives if column.key in OF_A_BASIS), None)
        missing = list(dict.fromkeys(str(cells[BASIS]) for cells in rows if cells.get(BASIS)))
        if key is not None and len(missing) > 1:
            raise FacilityError(
                "OPTIMISE_BASIS",
                "--minimise",
                f"{key} does not compare these designs: different prices are missing: "
                f"{'; '.join(missing)}.",
                "Specify them in cost.equipment or cost.capital, or vary other fields.",
            )


def optimisation_problem(
    project: Project,
    free: Sequence[DesignVariable],
    minimise: Sequence[str],
    subject_to: Sequence[StatedLimit] = (StatedLimit(VERDICT, ""),),
    studies: Sequence[str] = USUAL,
) -> OptimisationProblem:
    """Return the optimisation problem, validated before any design is run.

    project: The base project.
    minimise: Keys of results, or ``cost`` (of ownership: annuities, electricity, operation),
        ``capital``, ``electricity``, ``energy``, ``water``, ``pue``, ``carbon``.
    studies: Studies run for each design; all studies are run for the designs on the front.

    Raises ``OPTIMISE_OBJECTIVE``, ``OPTIMISE_LIMIT``, or the errors of `planned`.
    """
    require_pymoo()
    aims = list(dict.fromkeys(WORDS.get(word, word) for word in minimise))
    if not 1 <= len(aims) <= _MAX_OBJECTIVES:
        raise _no_objective(f"{len(aims)} objectives are specified.")
    priced = [key for key in aims if key in _OF_PRICES]
    if priced and project.cost is None:
        raise FacilityError(
            "OPTIMISE_OBJECTIVE",
            "--minimise",
            f"{priced[0]} is not known: the project has no cost section.",
            "Specify prices (cost.prices: guides, or your own), or minimise electricity.",
        )
    limited = [one.key for one in subject_to if one.key != VERDICT]
    plan = planned(project, [one.ends() for one in free], studies, [*aims, *limited])
    columns = {column.key: column for column in plan.job.columns}
    for key in aims:
        if columns[key].type != "number":
            raise _no_objective(f"{key} is not a number.")
    limits = limits_of(subject_to, columns)
    return OptimisationProblem(
        plan, tuple(free), tuple(columns[key] for key in aims), tuple(limits)
    )


def _no_objective(message: str) -> FacilityError:
    return FacilityError(
        "OPTIMISE_OBJECTIVE",
        "--minimise",
        message,
        f"Name 1 to {_MAX_OBJECTIVES} of {', '.join(WORDS)}, or keys of results that are numbers.",
    )
