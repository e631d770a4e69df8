"""Search by NSGA-II of pymoo over choices, integers and real numbers (ask and tell)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from facility.core.kinds import FloatArray
from facility.study.optimise.variables import DesignVariable
from facility.study.sweep.engine import no_sweep_extra

Numbers = tuple[float, ...]
"""One number per design variable."""

POPULATION = 40


class Evaluation(NamedTuple):
    """Evaluation of a design: objectives, and excess over each limit."""

    objectives: Sequence[float]
    excess: Sequence[float]


def require_pymoo() -> None:
    """Require that pymoo is installed.

    Raises ``NO_SWEEP_EXTRA``.
    """
    try:
        import pymoo  # noqa: F401
    except ImportError:
        raise no_sweep_extra("optimise") from None


def generations(
    free: Sequence[DesignVariable],
    sizes: tuple[int, int],
    judge: Callable[[Sequence[Numbers]], Sequence[Evaluation]],
    seed: int,
    population: int = POPULATION,
) -> Iterator[int]:
    """Search without end; yield the number of evaluated designs after each generation.

    sizes: Number of objectives and of limits.
    judge: Evaluates designs.
    seed: Random seed: equal seeds give equal searches.
    population: Designs per generation.
    """
    from pymoo.core.problem import Problem
    from pymoo.core.termination import NoTermination

    problem = Problem(vars=_variables(free), n_obj=sizes[0], n_ieq_constr=sizes[1])
    algorithm = _nsga2(population)
    algorithm.setup(problem, termination=NoTermination(), seed=seed)
    names = [str(n) for n in range(len(free))]
    while True:
        requested = algorithm.ask()
        if requested is None or len(requested) == 0:
            return
        found = judge([tuple(float(one.X[name]) for name in names) for one in requested])
        for one, worth in zip(requested, found, strict=True):
            one.F, one.G = np.array(worth.objectives), np.array(worth.excess)
            one.evaluated.update(("F", "G"))
        algorithm.tell(infills=requested)
        yield len(found)


def not_dominated(objectives: FloatArray) -> list[int]:
    """Return the indices of the non-dominated rows."""
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    front = NonDominatedSorting().do(objectives, only_non_dominated_front=True)
    return sorted(int(row) for row in front)


def _variables(free: Sequence[DesignVariable]) -> dict[str, object]:
    from pymoo.core.variable import Choice, Integer, Real

    found: dict[str, object] = {}
    for n, field in enumerate(free):
        if field.kind == "choice":
            found[str(n)] = Choice(options=list(range(len(field.values))))
        else:
            minimum, maximum = field.bounds
            whole = field.kind != "real"
            bounds = (int(minimum), int(maximum)) if whole else (minimum, maximum)
            found[str(n)] = (Integer if whole else Real)(bounds=bounds)
    return found


class _Individual(Protocol):
    X: Mapping[str, float]
    F: FloatArray
    G: FloatArray
    evaluated: set[str]


class _Algorithm(Protocol):
    def setup(self, problem: object, **named: object) -> object: ...
    def ask(self) -> Sequence[_Individual] | None: ...
    def tell(self, infills: object) -> object: ...


def _nsga2(population: int) -> _Algorithm:
    from pymoo.algorithms.moo.nsga2 import NSGA2, binary_tournament
    from pymoo.core.mixed import (
        MixedVariableDuplicateElimination,
        MixedVariableMating,
        MixedVariableSampling,
    )
    from pymoo.operators.selection.tournament import TournamentSelection

    new = MixedVariableDuplicateElimination()
    chosen = TournamentSelection(func_comp=binary_tournament)
    found: _Algorithm = NSGA2(
        pop_size=population,
        sampling=MixedVariableSampling(),
        mating=MixedVariableMating(selection=chosen, eliminate_duplicates=new),
        eliminate_duplicates=new,
    )
    return found
