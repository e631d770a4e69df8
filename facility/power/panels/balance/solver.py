"""Mixed-integer linear program solved by HiGHS: one thread, fixed seed, node limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from highspy.highs import HighsCallbackEvent

FEASIBILITY = 1e-9
_OPTIONS: tuple[tuple[str, bool | int | float | str], ...] = (
    ("output_flag", False),
    ("threads", 1),
    ("parallel", "off"),
    ("random_seed", 0),
    ("presolve", "off"),  # HiGHS 1.15.1 lost the optimum of a panel with positions
    ("mip_abs_gap", FEASIBILITY),
    ("mip_feasibility_tolerance", FEASIBILITY),
    ("primal_feasibility_tolerance", FEASIBILITY),
    ("dual_feasibility_tolerance", FEASIBILITY),
)

_COSTLY = (
    "mip_heuristic_run_root_reduced_cost",
    "mip_heuristic_run_rens",
    "mip_heuristic_run_rins",
)
"""Sub-searches of the solver that took three quarters of the time without improvement."""

Look = Callable[[int, float], bool]
"""Called with the nodes of this solution and the bound so far; True ends it."""


@dataclass(frozen=True)
class SolverAnswer:
    """Result of one run of the solver."""

    # Value of every column in the best solution found; None if none was found.
    values: NDArray[np.float64] | None
    bound: float  # Bound on the objective of every solution; -inf if none was proven
    nodes: int  # Nodes of the search tree
    infeasible: bool  # Whether it is proven that no solution exists


class _ErrorGuard:
    """Stores an error, which must not pass through the solver's frames, until its end."""

    error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.error = self.error or error
        return True


class Program:
    """Columns and rows of a program that minimises its first column, or the column of `aim`."""

    def __init__(self) -> None:
        import highspy  # here, because starting the command line must not load the solver

        self._library = highspy
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in _OPTIONS:
            self._highs.setOptionValue(name, value)

    def column(self, lower: float, upper: float, *, whole: bool = True) -> int:
        """Add a column and return its index; column 0 is minimised."""
        index = int(self._highs.getNumCol())
        nothing = np.zeros(0)
        self._highs.addCol(float(index == 0), lower, upper, 0, nothing.astype(np.int32), nothing)
        if whole:
            self._highs.changeColIntegrality(index, self._library.HighsVarType.kInteger)
        return index

    def row(
        self, lower: float, upper: float, columns: Sequence[int], values: Sequence[float]
    ) -> None:
        """Add the row ``lower <= sum of values * columns <= upper``."""
        self._highs.addRow(
            lower, upper, len(columns), np.array(columns, dtype=np.int32), np.array(values)
        )

    def limit(self, column: int, lower: float, upper: float) -> None:
        """Change the limits of a column."""
        self._highs.changeColBounds(column, lower, upper)

    def aim(self, column: int, near: float) -> None:
        """Minimise `column` from now on, to within `near` of the minimum.

        The solver then omits its costly sub-searches: the start is already good.
        """
        for other in range(int(self._highs.getNumCol())):
            self._highs.changeColCost(other, float(other == column))
        self._highs.setOptionValue("mip_abs_gap", near)
        for heuristic in _COSTLY:
            self._highs.setOptionValue(heuristic, False)

    def minimise(
        self, start: Sequence[tuple[int, float]], gap: float, nodes: int, look: Look
    ) -> SolverAnswer:
        """Return the minimum of the objective, with start values `start` for some columns.

        An error raised by `look` ends the run and is raised here.
        """
        highs = self._highs
        highs.clearSolver()
        highs.setOptionValue("mip_rel_gap", gap)
        highs.setOptionValue("mip_max_nodes", nodes)
        columns = np.array([column for column, _ in start], dtype=np.int32)
        highs.setSolution(len(start), columns, np.array([value for _, value in start]))
        guard = _ErrorGuard()

        def interrupt(event: HighsCallbackEvent) -> None:
            stop = True
            with guard:
                stop = guard.error is not None or look(
                    int(event.data_out.mip_node_count), float(event.data_out.mip_dual_bound)
                )
            if stop:
                event.interrupt()

        highs.cbMipInterrupt.subscribe(interrupt)
        try:
            highs.run()
        finally:
            highs.cbMipInterrupt.unsubscribe(interrupt)
        if guard.error is not None:
            raise guard.error
        return self._solved()

    def _solved(self) -> SolverAnswer:
        info, found = self._highs.getInfo(), self._highs.getSolution()
        values = np.array(found.col_value)
        feasible = info.primal_solution_status == 2 and len(values) > 0
        bound = info.mip_dual_bound if math.isfinite(info.mip_dual_bound) else -math.inf
        status = self._highs.getModelStatus()
        infeasible = status == self._library.HighsModelStatus.kInfeasible
        nodes = max(1, int(info.mip_node_count))
        return SolverAnswer(values if feasible else None, bound, nodes, infeasible)
