"""What is looked for: fields left free, results made least, limits; and what a design is worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.model.inputs.document import Project
from facility.study.optimise.free import Free
from facility.study.optimise.limits import REFUSED, VERDICT, RowLimit, StatedLimit, limits_of
from facility.study.optimise.search import Judged, Numbers, require_pymoo
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
"""Short words for what is made least."""

_MOST_OBJECTIVES = 4
_OF_PRICES = ("cost.ownership", "cost.capital")


@dataclass(frozen=True, eq=False)
class Quest:
    """What is looked for."""

    plan: Plan  # The project, and what is worked out of each design
    free: tuple[Free, ...]
    objectives: tuple[ResultColumn, ...]  # Made least, each
    limits: tuple[RowLimit, ...]

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

    def refuse_unlike(self, rows: Iterable[Cells]) -> None:
        """Refuse designs of whose objectives some are costs that leave out different things.

        Raises ``OPTIMISE_BASIS``.
        """
        key = next((column.key for column in self.objectives if column.key in OF_A_BASIS), None)
        lacking = list(dict.fromkeys(str(cells[BASIS]) for cells in rows if cells.get(BASIS)))
        if key is not None and len(lacking) > 1:
            raise FacilityError(
                "OPTIMISE_BASIS",
                "--minimise",
                f"{key} is no measure of these designs: they lack the prices of different things: "
                f"{'; '.join(lacking)}.",
                "State them under cost.equipment or cost.capital, or free what lacks the same.",
            )


def quest_of(
    project: Project,
    free: Sequence[Free],
    minimise: Sequence[str],
    subject_to: Sequence[StatedLimit] = (StatedLimit(VERDICT, ""),),
    studies: Sequence[str] = USUAL,
) -> Quest:
    """Return what is looked for, checked before any design is made.

    project: What is not free.
    minimise: Keys of results, or ``cost`` (of ownership: annuities, electricity, operation),
        ``capital``, ``electricity``, ``energy``, ``water``, ``pue``, ``carbon``.
    studies: Studies that are run of each design; all are run of those on the front.

    Raises ``OPTIMISE_OBJECTIVE``, ``OPTIMISE_LIMIT``, or as `planned`.
    """
    require_pymoo()
    aims = list(dict.fromkeys(WORDS.get(word, word) for word in minimise))
    if not 1 <= len(aims) <= _MOST_OBJECTIVES:
        raise _no_objective(f"{len(aims)} results are to be made least.")
    priced = [key for key in aims if key in _OF_PRICES]
    if priced and project.cost is None:
        raise FacilityError(
            "OPTIMISE_OBJECTIVE",
            "--minimise",
            f"{priced[0]} is not known: the project has no section cost.",
            "Give it prices (cost.prices: guides, or those of your own), or minimise electricity.",
        )
    limited = [one.key for one in subject_to if one.key != VERDICT]
    plan = planned(project, [one.ends() for one in free], studies, [*aims, *limited])
    columns = {column.key: column for column in plan.job.columns}
    for key in aims:
        if columns[key].type != "number":
            raise _no_objective(f"{key} is no number.")
    limits = limits_of(subject_to, columns)
    return Quest(plan, tuple(free), tuple(columns[key] for key in aims), tuple(limits))


def _no_objective(message: str) -> FacilityError:
    return FacilityError(
        "OPTIMISE_OBJECTIVE",
        "--minimise",
        message,
        f"Name 1 to {_MOST_OBJECTIVES} of {', '.join(WORDS)}, or keys of results that are numbers.",
    )
