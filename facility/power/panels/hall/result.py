"""What a hall balance gives back: figures before and after, moves, placement, cords."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facility.core.kinds import ComplexArray
from facility.core.rounding import first_largest
from facility.core.table import Results, Value
from facility.model.power.hall_distribution import AsBuiltCords, AsBuiltPanel
from facility.physics.circuits import phasor
from facility.power.panels.balance.one_panel import BY_CURRENT, DEFINITION, Balance
from facility.power.panels.board.currents import currents, panel_power
from facility.power.panels.board.model import Panel
from facility.power.panels.design.halls import PanelSet


@dataclass(frozen=True)
class HallFigures:
    """What a hall is judged by, each the largest there is."""

    current_a: float  # Phasor line current of a panel, any state [A]
    # Where that is.
    panel: str
    state: str
    neutral_a: float  # Neutral current of a panel, any state, fundamental only [A]
    # Imbalance of a panel in the normal state: maximum deviation from the mean over the mean of the
    # phasor line currents.
    imbalance: float
    # The same of the sum of all panels of a feed, which PDU and UPS see, by (hall, feed).
    feeds: dict[tuple[str, str], float]


def hall_figures(panels: Sequence[Panel]) -> HallFigures:
    """Return the figures of `panels`, from their circuits as they stand."""
    if not panels:
        return HallFigures(0.0, "", "", 0.0, 0.0, {})
    phasors = np.array([currents(panel_power(p), p.v_ll) for p in panels])
    size = np.abs(phasors)
    at, state, _ = np.unravel_index(first_largest(size[:, :, :3]), size[:, :, :3].shape)
    totals: dict[tuple[str, str], ComplexArray] = defaultdict(
        lambda: np.zeros(3, dtype=np.complex128)
    )
    for panel, lines in zip(panels, phasors, strict=True):
        totals[panel.hall, panel.side] += lines[0, :3]
    return HallFigures(
        current_a=float(size[:, :, :3].max()),
        panel=panels[int(at)].tag,
        state=panels[int(at)].states[int(state)],
        neutral_a=_without_noise(size[:, :, 3].max()),
        imbalance=_without_noise(np.max(phasor.imbalance.si(*size[:, 0, :3].T))),
        feeds={
            where: _without_noise(float(phasor.imbalance.si(*np.abs(total))))
            for where, total in totals.items()
        },
    )


def _without_noise(value: float) -> float:
    """Return an imbalance, or A, without what rounding leaves of equal lines."""
    return round(float(value), 12)


@dataclass(frozen=True, eq=False, kw_only=True)
class HallBalance(Balance):
    """A balanced hall, and what was gained."""

    halls: tuple[str, ...]  # Halls balanced
    given: PanelSet  # All panels as given
    found: PanelSet  # All panels as a project with `boards` and `cords` designs to
    wired_alike: HallFigures  # Figures of the halls with all racks wired alike from the top
    before: HallFigures  # Figures of the halls as given
    after: HallFigures  # Figures of the halls as balanced
    boards: tuple[AsBuiltPanel, ...]  # Panels of the halls as balanced; empty where nothing changes
    # Cords that are stated already or plugged otherwise than the design does it.
    cords: tuple[AsBuiltCords, ...]

    @property
    def panels(self) -> tuple[Panel, ...]:
        """Panels of the halls, balanced."""
        return tuple(panel for panel in self.found.panels if panel.hall in self.halls)

    @property
    def replugged(self) -> tuple[AsBuiltCords, ...]:
        """Cords that are plugged otherwise than given."""
        given = set(self.given.basis.cords)
        return tuple(cords for cords in self.cords if cords not in given)

    @property
    def results(self) -> Results:
        """Return the results by their keys."""
        basis = f"{BY_CURRENT}, largest of all panels"
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
                "bound": Value(self.bound, "current", "on current.max"),
                "gap": Value(self.gap, "fraction", "current.max over bound, less one"),
                "moves": Value(len(self.moves), "count"),
                "moves.panel": Value(sum(m.changes_panel for m in self.moves), "count"),
                "cords.replugged": Value(len(self.replugged), "count", "circuits of kinds of rack"),
                "panels": Value(len(self.panels), "count"),
                "circuits": Value(sum(len(p.circuits) for p in self.panels), "count"),
                "status": Value(self.status),
            }
        )
