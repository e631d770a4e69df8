"""PDU cabinets with several panelboards: assignment and positions of circuits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.core.errors import FacilityError
from facility.core.table import Results, Value
from facility.power.panels.balance.arrange import arrange
from facility.power.panels.balance.effort import GAP, NODES, CancelCall, Effort, ProgressCall, Watch
from facility.power.panels.balance.one_panel import (
    BY_CURRENT,
    Balance,
    imbalances,
    known_objective,
    largest_line,
    line_values,
)
from facility.power.panels.board.constraints import Broken, broken_across
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.model import Panel, check_layout
from facility.power.panels.board.moves import moves_between, ordered_steps

KICKS = 60


@dataclass(frozen=True)
class Cabinet:
    """Panelboards downstream of one transformer or one main."""

    tag: str
    # Panelboards of one voltage system, with the same states. A circuit may move to any of them on
    # the same side.
    panels: tuple[Panel, ...]
    # Rating of the transformer or main [VA]; None if unknown.
    rating_va: float | None = None

    @property
    def placed(self) -> bool:
        """Whether every circuit has a position."""
        return all(panel.placed for panel in self.panels)

    @property
    def whole(self) -> Panel:
        """All circuits on one set of lines, for the cabinet load; without positions."""
        first = self.panels[0]
        circuits = [(panel, circuit) for panel in self.panels for circuit in panel.circuits]
        return replace(
            first,
            tag=self.tag,
            poles=len(circuits),
            numbering="BUSWAY",
            bus_a=None,
            main_a=None,
            circuits=tuple(
                replace(circuit, position=number, tap_phase=panel.start(circuit))
                for number, (panel, circuit) in enumerate(circuits, start=1)
            ),
        )


@dataclass(frozen=True, kw_only=True)
class CabinetBalance(Balance):
    """Balanced cabinet, and the improvement."""

    cabinet: Cabinet  # Cabinet with every circuit placed
    given: Cabinet  # Cabinet before balancing
    by_bus: bool  # Whether lines are evaluated as a fraction of their bus rating
    steps: tuple[str, ...]  # Move instructions, in a feasible order
    broken: tuple[Broken, ...]  # Groups violated before balancing

    @property
    def results(self) -> Results:
        """Return the results by key: the whole cabinet, then each panelboard."""
        after = panel_loads(self.cabinet.whole)
        before = panel_loads(self.given.whole)[0] if self.given.placed else None
        kind = "apparent_power" if self.objective == "va" else "current"
        largest_a = max(largest_line(panel, "current") for panel in self.cabinet.panels)
        on_bus = "on the largest line of any panelboard" + " over its bus" * self.by_bus
        values = {} if before is None else imbalances("before", before)
        values |= {
            **imbalances("after", after[0]),
            "current.max": Value(largest_a, "current", "of any panelboard, over all states"),
            "cabinet.current.max": Value(max(x.current_max_a for x in after), "current",
                                         "of all panelboards together, over all states"),
            **line_values(self.cabinet.whole, after[0]),
            **self._proven("fraction" if self.by_bus else kind, on_bus),
        }  # fmt: skip
        if self.cabinet.rating_va is not None:
            largest_va = max(load.apparent_va for load in after)
            values["cabinet.loading"] = Value(
                largest_va / self.cabinet.rating_va, "fraction", "over its rating, over all states"
            )
        for panel, old in zip(self.cabinet.panels, self.given.panels, strict=True):
            values |= _panel_values(panel, old)
        return Results(values)


def balance_cabinet(  # noqa: PLR0913 - options of the search
    cabinet: Cabinet,
    objective: str = "current",
    kicks: int = KICKS,
    *,
    exact: bool = False,
    gap: float = GAP,
    nodes: int = NODES,
    seconds: float | None = None,
    progress: ProgressCall | None = None,
    cancel: CancelCall | None = None,
) -> CabinetBalance:
    """Return `cabinet` with every movable circuit in its optimal panelboard and position.

    The largest line current of any panelboard over all states is minimised, as a fraction of its
    bus if the buses differ; arrangements within 0.1 % of the minimum are ranked by the largest line
    current of the whole cabinet, then as in `balance`. Circuits of a `together` group stay in one
    panelboard; `apart` circuits and partners of one side are never in the same one.

    cabinet: Circuits placed or not; fixed circuits are not moved.
    objective, kicks, exact, gap, nodes, seconds, progress, cancel: As in `balance`; with ``va`` the
        largest schedule VA of a phase of any panelboard is minimised.

    Raises ``CABINET_PANELS`` for incompatible panelboards, ``CABINET_BUS`` if only some buses are
    known, and the errors of `balance`.
    """
    aim = known_objective(objective)
    effort = Effort(gap, nodes, seconds)
    check_cabinet(cabinet)
    buses = [panel.bus_a for panel in cabinet.panels]
    by_bus = len(set(buses)) > 1
    weights = [1.0 / (bus or 1.0) if by_bus else 1.0 for bus in buses]
    watch = Watch(seconds if exact else None, cancel)
    found = arrange(cabinet.panels, aim, kicks, weights, effort if exact else None, watch, progress)
    after = Cabinet(cabinet.tag, found.panels, cabinet.rating_va)
    values = [largest_line(panel, aim) for panel in found.panels]
    moves = moves_between(cabinet.panels, found.panels)
    return CabinetBalance(
        cabinet=after,
        given=cabinet,
        objective=aim,
        by_bus=by_bus,
        reached=float(np.max(np.multiply(values, weights))),
        bound=found.bound,
        moves=moves,
        steps=ordered_steps(cabinet.panels, moves),
        broken=broken_across(cabinet.panels),
        status=found.status,
    )


def check_cabinet(cabinet: Cabinet) -> None:
    """Reject incompatible panelboards.

    Raises ``CABINET_PANELS``, ``CABINET_BUS``, or the errors of `check_layout`.
    """
    panels = cabinet.panels
    if not panels:
        raise FacilityError("CABINET_PANELS", cabinet.tag, "no panelboards.", "Add a panelboard.")
    tags = [panel.tag for panel in panels]
    ids = [circuit.id for panel in panels for circuit in panel.circuits]
    wrong = ""
    if len(set(tags)) < len(tags):
        wrong = "two panelboards have the same tag."
    elif any(panel.is_busway for panel in panels):
        wrong = "a busway cannot be part of a cabinet; it is balanced separately."
    elif len({(panel.system, panel.v_ll) for panel in panels}) > 1:
        wrong = "its panelboards have different voltage systems."
    elif len({panel.states for panel in panels}) > 1:
        wrong = "its panelboards have different states."
    elif len(set(ids)) < len(ids):
        twice = next(id for id in ids if ids.count(id) > 1)
        wrong = f"circuit {twice!r} occurs twice; circuits move between the panelboards."
    if wrong:
        raise FacilityError(
            "CABINET_PANELS",
            cabinet.tag,
            wrong,
            "Use panelboards of one voltage system with unique tags and circuits.",
        )
    buses = {panel.bus_a for panel in panels}
    if None in buses and len(buses) > 1:
        raise FacilityError(
            "CABINET_BUS",
            cabinet.tag,
            "the bus rating of some panelboards is missing.",
            "Enter the bus rating of every panelboard, or of none.",
        )
    for panel in panels:
        check_placed(panel, tuple(circuit.id for circuit in panel.circuits))


def check_placed(panel: Panel, wheres: Sequence[str]) -> None:
    """Reject a panelboard of a cabinet whose placed circuits conflict.

    Circuits without a position may go to another panelboard and are ignored.

    Raises the errors of `check_layout`.
    """
    standing = [
        (circuit, where)
        for circuit, where in zip(panel.circuits, wheres, strict=True)
        if circuit.position is not None or circuit.fixed
    ]
    there = replace(panel, circuits=tuple(circuit for circuit, _ in standing))
    check_layout(there, tuple(where for _, where in standing))


def _panel_values(panel: Panel, given: Panel) -> dict[str, Value]:
    loads = panel_loads(panel)
    largest_a = max(load.current_max_a for load in loads)
    before: PanelLoad | None = panel_loads(given)[0] if given.placed else None
    head = f"panel.{panel.tag}."
    values = {
        f"{head}current.max": Value(largest_a, "current", "over all states"),
        f"{head}imbalance.after": Value(loads[0].imbalance, "fraction", BY_CURRENT),
    }
    if before is not None:
        values[f"{head}imbalance.before"] = Value(before.imbalance, "fraction", BY_CURRENT)
    if panel.bus_a is not None:
        values[f"{head}loading"] = Value(largest_a / panel.bus_a, "fraction", "current.max / bus")
    return values
