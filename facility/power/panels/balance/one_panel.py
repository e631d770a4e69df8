"""Balance the phases of one panel: by a deterministic heuristic, or to a proven optimum.

The same panel gives the same result on every machine: effort is counted, not timed, unless a time
limit is requested and reached.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.errors import FacilityError, unknown
from facility.core.rounding import within
from facility.core.table import Results, ShownByResults, Value
from facility.power.panels.balance.arrange import arrange
from facility.power.panels.balance.effort import (
    GAP,
    NODES,
    CancelCall,
    Effort,
    ProgressCall,
    Status,
    Watch,
)
from facility.power.panels.balance.lines import Objective
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.harmonics import harmonic_values
from facility.power.panels.board.model import Panel, check_layout
from facility.power.panels.board.moves import Move, moves_between

KICKS = 600
_OBJECTIVES: tuple[Objective, ...] = ("current", "va")
DEFINITION = "maximum deviation from the mean / mean"
"""Definition of an imbalance."""

BY_CURRENT = f"{DEFINITION}, phasor line currents, normal state"
_BY_VA = f"{DEFINITION}, VA split evenly over poles, normal state"
_SPREAD = "(maximum - minimum) / mean, phasor line currents, normal state"


@dataclass(frozen=True, kw_only=True)
class Balance(ShownByResults):
    """Result of balancing a panel or a cabinet.

    Attributes
    ----------
    objective : {"current", "va"}
        The minimised quantity: the largest phasor line current over all states, or the largest
        schedule VA of a phase.
    reached, bound : float
        Objective reached, and its proven lower bound [A or VA]; a fraction if the lines of each
        panelboard are relative to its bus.
    moves : tuple[Move, ...]
        Circuits moved or rotated relative to the input.
    status : str
        ``heuristic``; or why an exact search ended: ``optimal``, ``gap`` (within the requested
        gap), ``nodes``, ``time`` or ``cancelled``.
    """

    objective: Objective
    reached: float
    bound: float
    moves: tuple[Move, ...]
    status: Status = "heuristic"

    @property
    def gap(self) -> float:
        """Gap of the objective above the bound, as a fraction of the bound."""
        return self.reached / self.bound - 1.0 if self.bound > 0.0 else 0.0

    def _proven(self, kind: str, basis: str) -> dict[str, Value]:
        """Return bound, gap, moves and status by key; kind and basis are of the bound."""
        return {
            "bound": Value(self.bound, kind, basis),
            "gap": Value(self.gap, "fraction", "objective / bound - 1"),
            "moves": Value(len(self.moves), "count"),
            "status": Value(self.status),
        }


def imbalances(when: str, load: PanelLoad) -> dict[str, Value]:
    """Return the imbalance of a load by current and by VA, before or after, by key."""
    return {
        f"imbalance.{when}": Value(load.imbalance, "fraction", BY_CURRENT),
        f"imbalance_va.{when}": Value(load.imbalance_va, "fraction", _BY_VA),
    }


def line_values(panel: Panel, load: PanelLoad) -> dict[str, Value]:
    """Return line and neutral currents by key, with known harmonics."""
    lines = zip("abc", load.line_a, strict=True)
    return {
        **{f"current.{line}": Value(amperes, "current") for line, amperes in lines},
        "current.n": Value(load.neutral_a, "current", "fundamental"),
        **harmonic_values(panel),
    }


@dataclass(frozen=True, kw_only=True, repr=False)
class BalanceResult(Balance):
    """Balanced panel, and the improvement.

    Attributes
    ----------
    panel : Panel
        Panel with every circuit placed.
    before : PanelLoad or None
        Normal state before balancing; None unless every circuit was placed.
    after : PanelLoad
        Normal state of `panel`.
    current_max_a : float
        Largest phasor line current over all states of `panel` [A].
    """

    panel: Panel
    before: PanelLoad | None
    after: PanelLoad
    current_max_a: float

    def __repr__(self) -> str:
        worth = f"{self.reached:.4g}, lower bound {self.bound:.4g}"
        return f"<BalanceResult {self.panel.tag}: {self.objective} {worth}, {self.status}>"

    @property
    def results(self) -> Results:
        """Return the results by key."""
        bounded = "current" if self.objective == "current" else "apparent_power"
        values = {
            **imbalances("after", self.after),
            "spread.after": Value(self.after.spread, "fraction", _SPREAD),
            "current.max": Value(self.current_max_a, "current", "over all states"),
            **line_values(self.panel, self.after),
            **self._proven(bounded, f"on objective {self.objective}"),
        }
        if self.panel.is_busway and self.panel.bus_a is not None:
            loading = self.current_max_a / self.panel.bus_a
            values["bus.loading"] = Value(loading, "fraction", "at the feed end, over all states")
        if self.before is not None:
            spread = {"spread.before": Value(self.before.spread, "fraction", _SPREAD)}
            values = imbalances("before", self.before) | spread | values
        return Results(values)


def balance(  # noqa: PLR0913 - options of the search
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
    phasor line current over all states is minimised. Arrangements within 0.1 % of the minimum are
    ranked by the neutral current of the normal state in steps of 0.1 % of the mean line current,
    within a step by imbalance, and if equal by the number of moves. The neutral comes first because
    the imbalance of near-minimum line currents is small anyway, while line-to-line loads can hide a
    neutral current. With ``va`` only equal largest phases are ranked, by imbalance, then
    moves.

    An exact balance continues from the heuristic to a proven optimum, and breaks ties in the same
    order within the requested gap, at most 0.1 %; it is never worse than the heuristic. It, and
    ``va`` always, first decides about twenty circuits at once, which alone proves panels with few
    circuits.

    Groups of circuits `together` or `apart` are satisfied; the bound includes them, except where a
    `together` group has so many breakers that not all their orders are
    evaluated.

    Parameters
    ----------
    panel : Panel
        Circuits placed or not; fixed circuits are not moved.
    objective : {"current", "va"}
        Quantity to minimise.
    kicks : int
        Effort of the heuristic: number of restarts of the descent.
    exact : bool
        Whether to continue to a proven optimum.
    gap : float
        An exact balance ends when the objective is within this fraction of the bound.
    nodes : int
        Maximum nodes of its search tree.
    seconds : float, optional
        Time limit. A run ended by it reports so, and is not reproducible.
    progress, cancel : callable, optional
        Called with a `Progress` during an exact search; called to ask whether to end it early.

    Raises
    ------
    FacilityError
        ``UNKNOWN_OBJECTIVE``, ``BALANCE_LIMIT``, ``PANEL_FULL``, ``PANEL_GROUP``,
        ``BUSWAY_RATING``, or the errors of `check_layout`.
    """
    aim = known_objective(objective)
    effort = Effort(gap, nodes, seconds)
    watch = Watch(seconds if exact else None, cancel)
    check_layout(panel, tuple(circuit.id for circuit in panel.circuits))
    found = arrange(
        (panel,), aim, kicks, effort=effort if exact else None, watch=watch, progress=progress
    )
    bus_a = panel.bus_a if panel.is_busway and aim == "current" else None
    if bus_a is not None and not within(found.bound, bus_a):
        raise FacilityError(
            "BUSWAY_RATING",
            panel.tag,
            f"the feed end carries at least {found.bound:,.1f} A with any phase assignment; "
            f"the bus is rated {bus_a:,g} A.",
            "Move tap-offs to another busway, or use a larger one.",
        )
    placed = found.panels[0]
    return BalanceResult(
        panel=placed,
        objective=aim,
        before=panel_loads(panel)[0] if panel.placed else None,
        after=panel_loads(placed)[0],
        current_max_a=largest_line(placed, "current"),
        reached=largest_line(placed, aim),
        bound=found.bound,
        moves=moves_between((panel,), (placed,)),
        status=found.status,
    )


def largest_line(panel: Panel, objective: Objective) -> float:
    """Return the largest line current, or schedule VA of a phase, over all states [A or VA]."""
    loads = panel_loads(panel)
    if objective == "va":
        return max(max(load.phase_va) for load in loads)
    return max(load.current_max_a for load in loads)


def known_objective(objective: str) -> Objective:
    """Return the objective with this name.

    Raises ``UNKNOWN_OBJECTIVE``.
    """
    for known in _OBJECTIVES:
        if objective == known:
            return known
    raise unknown(
        "UNKNOWN_OBJECTIVE",
        "objective",
        f"{objective!r} is not a valid objective.",
        objective,
        _OBJECTIVES,
    )
