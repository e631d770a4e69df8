"""What a hall balance gives back: figures before and after, moves, placement, cords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.table import Results, Value
from facility.model.power.panels_as_built import StatedCords, StatedPanel
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.hall.measure import HallFigures

DEFINITION = "maximum deviation from the mean / mean"


@dataclass(frozen=True)
class Stand:
    """Where a circuit stands: panel, position, phases, and the outlet bank on each, from 1."""

    id: str
    panel: str
    position: int
    label: str
    phases: str
    banks: tuple[int, ...]


@dataclass(frozen=True)
class HallMove:
    """One circuit that stands elsewhere than given, or has its outlet banks on other phases."""

    rack: str
    feed: str
    circuit: int
    before: Stand
    after: Stand

    @property
    def changes_panel(self) -> bool:
        """Whether it goes to another panel."""
        return self.before.panel != self.after.panel


@dataclass(frozen=True, eq=False)
class HallBalance:
    """A balanced hall, and what was gained.

    Attributes
    ----------
    halls : tuple[str, ...]
        Halls balanced.
    given, found : PanelSet
        All panels as given, and as a project with `boards` and `cords` designs to.
    wired_alike, before, after : HallFigures
        Figures of the halls with all racks wired alike from the top, as given, and balanced.
    bound_a : float
        Largest line current that no arrangement can beat [A].
    boards : tuple[StatedPanel, ...]
        Panels of the halls as balanced; empty where nothing changes.
    cords : tuple[StatedCords, ...]
        Cords that are stated already or plugged otherwise than the design does it.
    moves : tuple[HallMove, ...]
        Circuits that stand elsewhere, or are turned.
    status : str
        ``settled``: no step that is looked at gains more; or what ended the search before:
        ``effort``, ``time`` or ``cancelled``.
    """

    halls: tuple[str, ...]
    given: PanelSet
    found: PanelSet
    wired_alike: HallFigures
    before: HallFigures
    after: HallFigures
    bound_a: float
    boards: tuple[StatedPanel, ...]
    cords: tuple[StatedCords, ...]
    moves: tuple[HallMove, ...]
    status: str

    @property
    def panels(self) -> tuple[Panel, ...]:
        """Panels of the halls, balanced."""
        return tuple(panel for panel in self.found.panels if panel.hall in self.halls)

    @property
    def gap(self) -> float:
        """How far the largest line current is above the bound, as a fraction of the bound."""
        return self.after.current_a / self.bound_a - 1.0 if self.bound_a > 0.0 else 0.0

    @property
    def replugged(self) -> tuple[StatedCords, ...]:
        """Cords that are plugged otherwise than given."""
        given = set(self.given.basis.cords)
        return tuple(cords for cords in self.cords if cords not in given)

    def results(self) -> Results:
        """Return the results by their keys."""
        basis = f"{DEFINITION}, phasor line currents, normal state, largest of all panels"
        where = f"panel {self.after.panel}, {self.after.state}; bus limit {self.found.limit_a:g} A"
        values = {
            "imbalance.wired_alike": Value(self.wired_alike.imbalance, "fraction", basis),
            "imbalance.before": Value(self.before.imbalance, "fraction", basis),
            "imbalance.after": Value(self.after.imbalance, "fraction", basis),
            "current.wired_alike": Value(self.wired_alike.current_a, "current", "any state"),
            "current.before": Value(self.before.current_a, "current", "any state"),
            "current.max": Value(self.after.current_a, "current", where),
            "neutral.wired_alike": Value(self.wired_alike.neutral_a, "current", "fundamental"),
            "neutral.before": Value(self.before.neutral_a, "current", "fundamental"),
            "neutral.max": Value(self.after.neutral_a, "current", "fundamental"),
        }
        total = f"{DEFINITION}, sum of the panels of the feed, normal state"
        for (hall, feed), after in self.after.feeds.items():
            key = f"feed.{feed}" if len(self.halls) == 1 else f"feed.{hall}.{feed}"
            before = self.before.feeds.get((hall, feed), 0.0)
            values[f"{key}.imbalance.before"] = Value(before, "fraction", total)
            values[f"{key}.imbalance.after"] = Value(after, "fraction", total)
        return Results(
            values
            | {
                "bound": Value(self.bound_a, "current", "on current.max"),
                "gap": Value(self.gap, "fraction", "current.max over bound, less one"),
                "moves": Value(len(self.moves), "count"),
                "moves.panel": Value(sum(m.changes_panel for m in self.moves), "count"),
                "cords.replugged": Value(len(self.replugged), "count", "circuits of kinds of rack"),
                "panels": Value(len(self.panels), "count"),
                "circuits": Value(sum(len(p.circuits) for p in self.panels), "count"),
                "status": Value(self.status),
            }
        )


def stand(panel: Panel, circuit: Circuit) -> Stand:
    """Return where a placed circuit stands."""
    position = circuit.position or 0
    banks = tuple(bank + 1 for bank in circuit.banks) if circuit.poles == 3 else ()
    return Stand(
        circuit.id, panel.tag, position, panel.layout.label(position), panel.phases(circuit), banks
    )


def moves_between(before: Sequence[Panel], after: Sequence[Panel]) -> tuple[HallMove, ...]:
    """Return the rack circuits that stand elsewhere in `after`, or are turned, in its order."""
    stood = {
        (c.rack, panel.side, c.ordinal): stand(panel, c)
        for panel in before
        for c in panel.circuits
        if c.rack
    }
    moves = []
    for panel in after:
        for circuit in panel.circuits:
            old = stood.get((circuit.rack, panel.side, circuit.ordinal))
            new = stand(panel, circuit)
            if old is not None and old != new:
                number = circuit.ordinal + 1
                moves.append(HallMove(circuit.rack, panel.side, number, old, new))
    return tuple(moves)
