"""Balance the phases of one panel: by a deterministic heuristic, or to a proven optimum.

The same panel gives the same answer, whatever the machine: effort is counted, never timed, unless a
time limit is asked for and reached.
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
"""Of an imbalance."""

BY_CURRENT = f"{DEFINITION}, phasor line currents, normal state"
_BY_VA = f"{DEFINITION}, VA split evenly over poles, normal state"
_SPREAD = "(maximum - minimum) / mean, phasor line currents, normal state"


@dataclass(frozen=True, kw_only=True)
class Balance(ShownByResults):
    """What balancing gives back, of a panel or a cabinet.

    Attributes
    ----------
    objective : {"current", "va"}
        What was minimised: the largest phasor line current over all states, or the largest
        schedule VA of a phase.
    reached, bound : float
        Objective reached, and a bound no arrangement can beat [A or VA]; a fraction where the lines
        of each panelboard count over its bus.
    moves : tuple[Move, ...]
        Circuits that stand elsewhere than given, or are turned.
    status : str
        ``heuristic``; or why an exact search ended: ``optimal``, ``gap`` (within the gap asked
        for), ``nodes``, ``time`` or ``cancelled``.
    """

    objective: Objective
    reached: float
    bound: float
    moves: tuple[Move, ...]
    status: Status = "heuristic"

    @property
    def gap(self) -> float:
        """How far the objective is above the bound, as a fraction of the bound."""
        return self.reached / self.bound - 1.0 if self.bound > 0.0 else 0.0

    def _proven(self, kind: str, basis: str) -> dict[str, Value]:
        """Return bound, gap, moves and status by their keys; kind and basis are of the bound."""
        return {
            "bound": Value(self.bound, kind, basis),
            "gap": Value(self.gap, "fraction", "objective over bound, less one"),
            "moves": Value(len(self.moves), "count"),
            "status": Value(self.status),
        }


def imbalances(when: str, load: PanelLoad) -> dict[str, Value]:
    """Return the imbalance of a load by current and by VA, before or after, by their keys."""
    return {
        f"imbalance.{when}": Value(load.imbalance, "fraction", BY_CURRENT),
        f"imbalance_va.{when}": Value(load.imbalance_va, "fraction", _BY_VA),
    }


def line_values(panel: Panel, load: PanelLoad) -> dict[str, Value]:
    """Return the currents of lines and neutral by their keys, with what is known of harmonics."""
    lines = zip("abc", load.line_a, strict=True)
    return {
        **{f"current.{line}": Value(amperes, "current") for line, amperes in lines},
        "current.n": Value(load.neutral_a, "current", "fundamental"),
        **harmonic_values(panel),
    }


@dataclass(frozen=True, kw_only=True, repr=False)
class BalanceResult(Balance):
    """A balanced panel, and what was gained.

    Attributes
    ----------
    panel : Panel
        The panel with every circuit placed.
    before : PanelLoad or None
        Normal state as given; None unless every circuit was placed.
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
        worth = f"{self.reached:.4g} against at least {self.bound:.4g}"
        return f"<BalanceResult {self.panel.tag}: {self.objective} {worth}, {self.status}>"

    @property
    def results(self) -> Results:
        """Return the results by their keys."""
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
    phasor line current over all states is minimised. Arrangements within 0.1 % of the least are
    told apart by the neutral current of the normal state in steps of 0.1 % of the mean line
    current, those of one step by imbalance, and those equal in all that by the number of moves.
    The neutral comes first because an imbalance of near-least line currents is small anyway, while
    loads between lines can hide a neutral current in them. With ``va`` only equal largest phases
    are told apart, by imbalance, then moves.

    An exact balance goes on from the least found to a proven optimum, and breaks ties in the same
    order within the gap asked for, at most 0.1 %; it is never above the heuristic. It, and ``va``
    always, first decides some twenty circuits at once, which alone proves panels of few circuits.

    Groups of circuits that stand together or apart hold in the answer; the bound takes them into
    account, except where one that stands together has so many breakers that not all their orders
    were looked at.

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
        ``UNKNOWN_OBJECTIVE``, ``BALANCE_LIMIT``, ``PANEL_FULL``, ``PANEL_GROUP``,
        ``BUSWAY_RATING``, or what `check_layout` finds.
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
            f"its feed end carries at least {found.bound:.1f} A, whatever the phases; "
            f"the bus is rated {bus_a:g} A.",
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
    """Return the objective of this name.

    Raises ``UNKNOWN_OBJECTIVE``.
    """
    for known in _OBJECTIVES:
        if objective == known:
            return known
    raise unknown(
        "UNKNOWN_OBJECTIVE",
        "objective",
        f"{objective!r} is not an objective.",
        objective,
        _OBJECTIVES,
    )
