"""An optimisation as the doors show it: how many designs, and the front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, OfProject
from facility.report.studies.sweep import number_text
from facility.study.optimise.study import Best, Optimum
from facility.study.sweep.row import COUNTS


@dataclass(frozen=True)
class BestDesigns(OfProject):
    """The front of an optimisation."""

    found: Optimum
    verb = "optimise"

    @property
    def subject(self) -> str:
        """What is made least."""
        return f"least {', '.join(self.found.objectives)}"

    @property
    def results(self) -> Mapping[str, object]:
        """Numbers of designs."""
        return {
            "optimise.designs": len(self.found.rows),
            "optimise.feasible": self.found.feasible,
            "optimise.front": len(self.found.front),
            "optimise.complete": self.found.complete,
        }

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the front."""
        return {"front": [self._object(one) for one in self.found.front]}

    def _object(self, one: Best) -> Object:
        return {**{head: one.cells.get(head) for head in self.found.heads}, "holds": one.holds}

    def opening(self) -> Iterator[str]:
        """Return how far it looked."""
        found = self.found
        how = "all there are" if found.complete else "chosen by NSGA-II"
        yield (
            f"{len(found.rows):,} designs made, {how}; {found.feasible:,} hold the limits; "
            f"{len(found.front):,} on the front."
        )

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the front, its designs looked at with all studies."""
        found = self.found
        heads = ("row", *found.paths, *found.objectives, *COUNTS, "holds")
        rows = [
            [*(_text(one.cells.get(head)) for head in heads[:-1]), "yes" if one.holds else "no"]
            for one in found.front
        ]
        below = () if all(one.holds for one in found.front) else (_LESS,)
        yield TextTable("Front; checks of all studies", heads, rows, below)


_LESS = "Some hold the limits in the studies that were searched with, and not in all of them."


def _text(cell: object) -> str:
    return number_text(cell) if isinstance(cell, float) else "" if cell is None else str(cell)
