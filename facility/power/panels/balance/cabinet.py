"""A PDU cabinet with several panelboards: which circuit stands in which of them, and where."""

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
    """Panelboards behind one transformer or one main."""

    tag: str
    # Panelboards of one voltage system, with the same states. A circuit may move to any of them on
    # the same side.
    panels: tuple[Panel, ...]
    # Rating of the transformer or main [VA]; None where it is not known.
    rating_va: float | None = None

    @property
    def placed(self) -> bool:
        """Whether every circuit has a position."""
        return all(panel.placed for panel in self.panels)

    @property
    def whole(self) -> Panel:
        """All circuits on one set of lines, for the loads of the cabinet; it has no positions."""
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
    """A balanced cabinet, and what was gained."""

    cabinet: Cabinet  # The cabinet with every circuit placed
    given: Cabinet  # The cabinet as it was
    by_bus: bool  # Whether the lines of each panelboard count as a fraction of its bus
    steps: tuple[str, ...]  # The moves as instructions, in an order that can be followed
    broken: tuple[Broken, ...]  # Groups that did not hold as given

    @property
    def results(self) -> Results:
        """Return the results by their keys: of the whole cabinet, then of each panelboard."""
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
    """Return `cabinet` with every movable circuit in the panelboard and place that balance it.

    The largest line current of any panelboard over all states is minimised, as a fraction of its
    bus where the buses differ; arrangements within 0.1 % of the least are told apart by the
    largest line current of the whole cabinet, then as by `balance`. Groups of circuits that stand
    together stay in one panelboard, those apart and partners of one side never share one.

    cabinet: Circuits placed or not; fixed ones stay.
    objective, kicks, exact, gap, nodes, seconds, progress, cancel: As for `balance`; with ``va``
        the largest schedule VA of a phase of any panelboard counts.

    Raises ``CABINET_PANELS`` where the panelboards do not go together, ``CABINET_BUS`` where only
    some buses are known, and what `balance` raises.
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
    """Refuse panelboards that do not go together.

    Raises ``CABINET_PANELS``, ``CABINET_BUS``, or what `check_layout` finds.
    """
    panels = cabinet.panels
    if not panels:
        raise FacilityError("CABINET_PANELS", cabinet.tag, "it holds no panelboard.", "Add one.")
    tags = [panel.tag for panel in panels]
    ids = [circuit.id for panel in panels for circuit in panel.circuits]
    wrong = ""
    if len(set(tags)) < len(tags):
        wrong = "two panelboards have the same tag."
    elif any(panel.is_busway for panel in panels):
        wrong = "a busway is balanced by itself, not in a cabinet."
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
            "A cabinet has panelboards of one system, each with its own tag and circuits.",
        )
    buses = {panel.bus_a for panel in panels}
    if None in buses and len(buses) > 1:
        raise FacilityError(
            "CABINET_BUS",
            cabinet.tag,
            "the bus rating of some panelboards is known only.",
            "Give the bus of every panelboard, or of none.",
        )
    for panel in panels:
        check_placed(panel, tuple(circuit.id for circuit in panel.circuits))


def check_placed(panel: Panel, wheres: Sequence[str]) -> None:
    """Refuse a panelboard of a cabinet whose placed circuits cannot stand as they are said to.

    Those without a position may go to another panelboard, and count for nothing.

    Raises what `check_layout` finds.
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
