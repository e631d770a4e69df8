"""Balance the phases of one panel: by a deterministic heuristic, or to a proven optimum.

The same panel gives the same answer, whatever the machine: effort is counted, never timed, unless a
time limit is asked for and reached.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facility.core.errors import FacilityError, near_matches
from facility.core.table import Results, Value
from facility.power.panel_currents import PanelLoad, panel_loads
from facility.power.panel_exact import Proof, prove
from facility.power.panel_exact_effort import (
    EQUAL,
    GAP,
    NODES,
    CancelCall,
    Effort,
    ProgressCall,
    Status,
    Watch,
)
from facility.power.panel_exact_ties import break_ties
from facility.power.panel_model import Circuit, Panel, check_layout
from facility.power.panel_pack import ANY
from facility.power.panel_place import place
from facility.power.panel_problem import (
    Objective,
    PanelProblem,
    given_starts,
    lower_bound,
    panel_problem,
)
from facility.power.panel_search import IntArray, Search, peak, unevenness

KICKS = 600
_OBJECTIVES: tuple[Objective, ...] = ("current", "va")
_DEFINITION = "maximum deviation from the mean / mean"


class BalanceResults(Results):
    """Results of a balance; the values before it are null where the panel was not placed."""

    def as_json(self) -> dict[str, Any]:
        """Return the flat ``results`` object, with null for what is not known."""
        known = super().as_json()
        order = ("imbalance.before", "imbalance.after", "imbalance_va.before")
        head = {key: known.get(key) for key in (*order, "imbalance_va.after")}
        return head | known


@dataclass(frozen=True)
class BalanceResult:
    """A balanced panel, and what was gained.

    Attributes
    ----------
    panel : Panel
        The panel with every circuit placed.
    objective : {"current", "va"}
        What was minimised: the largest phasor line current over the states of the panel, or the
        largest schedule VA of a phase.
    before : PanelLoad or None
        Normal state as given; None unless every circuit was placed.
    after : PanelLoad
        Normal state of `panel`.
    current_max_a : float
        Largest phasor line current over all states of `panel` [A].
    reached, bound : float
        Objective reached, and a bound no arrangement can beat [A or VA].
    moves : tuple[Circuit, ...]
        Circuits that stand elsewhere than given, at their new position.
    status : str
        ``heuristic``; or why an exact search ended: ``optimal``, ``gap`` (within the gap asked
        for), ``nodes``, ``time`` or ``cancelled``.
    """

    panel: Panel
    objective: Objective
    before: PanelLoad | None
    after: PanelLoad
    current_max_a: float
    reached: float
    bound: float
    moves: tuple[Circuit, ...]
    status: Status = "heuristic"

    @property
    def gap(self) -> float:
        """How far the objective is above the bound, as a fraction of the bound."""
        return self.reached / self.bound - 1.0 if self.bound > 0.0 else 0.0

    def results(self) -> BalanceResults:
        """Return the results by their keys."""
        a, b, c = self.after.line_a
        basis = f"{_DEFINITION}, phasor line currents, normal state"
        basis_va = f"{_DEFINITION}, VA split evenly over poles, normal state"
        bounded = "current" if self.objective == "current" else "apparent_power"
        values = {
            "imbalance.after": Value(self.after.imbalance, "fraction", basis),
            "imbalance_va.after": Value(self.after.imbalance_va, "fraction", basis_va),
            "current.max": Value(self.current_max_a, "current", "over all states"),
            "current.a": Value(a, "current"),
            "current.b": Value(b, "current"),
            "current.c": Value(c, "current"),
            "current.n": Value(self.after.neutral_a, "current", "fundamental"),
            "bound": Value(self.bound, bounded, f"on objective {self.objective}"),
            "gap": Value(self.gap, "fraction", "objective over bound, less one"),
            "moves": Value(len(self.moves), "count"),
            "status": Value(self.status),
        }
        if self.before is not None:
            first = {
                "imbalance.before": Value(self.before.imbalance, "fraction", basis),
                "imbalance_va.before": Value(self.before.imbalance_va, "fraction", basis_va),
            }
            values = first | values
        return BalanceResults(values)

    def moves_json(self) -> list[dict[str, Any]]:
        """Return the list ``moves``: id, position, poles, phases."""
        return [self._entry(circuit) for circuit in self.moves]

    def placement_json(self) -> list[dict[str, Any]]:
        """Return the list ``placement`` of all circuits: id, position, poles, phases."""
        return [self._entry(circuit) for circuit in self.panel.circuits]

    def _entry(self, circuit: Circuit) -> dict[str, Any]:
        return {
            "id": circuit.id,
            "position": circuit.position,
            "poles": circuit.poles,
            "phases": self.panel.phases(circuit),
        }


def balance(
    panel: Panel,
    objective: str = "current",
    kicks: int = KICKS,
    *,
    exact: bool = False,
    gap: float = GAP,
    nodes: int = NODES,
    seconds: float | None = None,
    progress: ProgressCall | None = None,
    cancel: CancelCall | None = None,
) -> BalanceResult:
    """Return `panel` balanced.

    Phases first, by descent and seeded kicks; positions after. With ``current`` the largest
    phasor line current over all states is minimised, ties to 0.1 % broken by imbalance. An exact
    balance goes on from there to a proven optimum: ties within the gap asked for, and within
    0.1 %, are broken by neutral current, then imbalance, then the number of moves; it is never
    above the heuristic.

    Parameters
    ----------
    panel : Panel
        Circuits placed or not; fixed ones stay.
    objective : {"current", "va"}
        What to minimise.
    kicks : int
        Effort of the heuristic: number of restarts of the descent.
    exact : bool
        Whether to go on to a proven optimum.
    gap : float
        An exact balance ends when the objective is within this fraction of the bound.
    nodes : int
        Most nodes of its search tree.
    seconds : float, optional
        Time by the clock. A run that ends by it says so, and is not reproducible.
    progress, cancel : callable, optional
        Called with a `Progress` during an exact search; asked whether to end it with what it has.

    Raises
    ------
    FacilityError
        ``UNKNOWN_OBJECTIVE``, ``BALANCE_LIMIT``, ``PANEL_FULL``, or what `check_layout` finds.
    """
    aim = _known(objective)
    effort = Effort(gap, nodes, seconds)
    watch = Watch(seconds if exact else None, cancel)
    check_layout(panel, tuple(circuit.id for circuit in panel.circuits))
    posed = panel_problem(panel, aim)
    floor = lower_bound(posed.problem, aim)
    enough = floor * (1.0 + EQUAL) if exact else -1.0
    decided = _decide(panel, posed, aim, kicks, lambda least: least <= enough or watch.stopped())
    proof = Proof(decided, None, floor, "heuristic")
    if exact:
        proof = prove(panel, posed, decided, floor, effort, watch, progress)
        best = break_ties(panel, posed, aim, (proof.starts, decided), proof.bound, gap)
        proof = replace(proof, starts=best)
    starts = dict.fromkeys(posed.loose, ANY)
    starts |= {index: int(start) for index, start in zip(posed.turning, proof.starts, strict=True)}
    return _result(panel, place(panel, dict(sorted(starts.items())), proof.slots), aim, proof)


def _result(panel: Panel, placed: Panel, aim: Objective, proof: Proof) -> BalanceResult:
    loads = panel_loads(placed)
    current_max_a = max(load.current_max_a for load in loads)
    reached = current_max_a
    if aim == "va":
        reached = max(max(load.phase_va) for load in loads)
    return BalanceResult(
        panel=placed,
        objective=aim,
        before=panel_loads(panel)[0] if panel.placed else None,
        after=loads[0],
        current_max_a=current_max_a,
        reached=reached,
        bound=proof.bound,
        moves=tuple(
            new for old, new in zip(panel.circuits, placed.circuits, strict=True)
            if old.position is not None and new.position != old.position
        ),
        status=proof.status,
    )  # fmt: skip


def _known(objective: str) -> Objective:
    for known in _OBJECTIVES:
        if objective == known:
            return known
    raise FacilityError(
        "UNKNOWN_OBJECTIVE", "objective", f"{objective!r} is not an objective.",
        near_matches(objective, _OBJECTIVES),
    )  # fmt: skip


def _decide(
    panel: Panel, posed: PanelProblem, aim: Objective, kicks: int, stop: Callable[[float], bool]
) -> IntArray:
    problem = posed.problem
    if problem.size == 0:
        return np.zeros(0, dtype=np.int64)
    search = Search(problem, ties=aim == "current")
    given = given_starts(panel, posed)
    greedy = search.longest_first()
    candidates = [search.improve(search.anyhow() if greedy is None else greedy, kicks, stop)]
    if given is not None:
        candidates.append(search.improve(given, kicks, stop))
    values = [float(peak(problem.totals(starts))) for starts in candidates]
    best = min(values)
    near = [s for s, v in zip(candidates, values, strict=True) if v <= best * (1.0 + search.tie)]
    chosen = min(near, key=lambda starts: float(unevenness(problem.totals(starts))))
    return chosen if given is None else search.settle(chosen, given)
