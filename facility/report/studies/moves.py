"""Presentation of circuit moves to reduce panel imbalance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from facility.core.table import Value
from facility.core.views import System
from facility.power.panels.balance.lines import Objective
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.model import Panel
from facility.power.panels.moves.pareto import MIN_GAIN, MovePlan, pareto_moves
from facility.report.sheet.grid import Amount, TextTable
from facility.report.studies.protocol import Object, Study

_BELOW = (
    "Imbalance: maximum deviation from the mean / mean. A plan is listed if it improves the normal "
    f"state by {MIN_GAIN * 100:g} % or more over plans with fewer moves.",
    "No plan raises the largest line value of any state. Poles of fixed circuits stay.",
    "",
)


@dataclass(frozen=True)
class Moves(Study):
    """The plans of `pareto_moves` for a panel."""

    panel: Panel
    objective: Objective
    verb = "balance"

    @cached_property
    def plans(self) -> tuple[MovePlan, ...]:
        """The plans, starting with the plan without moves."""
        return pareto_moves(self.panel, self.objective)

    @property
    def results(self) -> Mapping[str, object]:
        """Imbalance before, and number of plans."""
        first = self.plans[0].loads[0]
        return {
            "imbalance.before": _json(first.imbalance, "fraction"),
            "imbalance_va.before": _json(first.imbalance_va, "fraction"),
            "options": len(self.plans),
        }

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the plans."""
        return {"options": [_option(plan) for plan in self.plans]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the improvement of each plan."""
        states = [f"Imbalance, {load.state}" for load in self.plans[0].loads]
        heads = ("Moves", *states, "Largest line current, any state", "Search")
        rows = [
            (
                Amount(len(plan.moves), "count"),
                *(Amount(self._of(load), "fraction") for load in plan.loads),
                Amount(plan.current_max_a, "current"),
                "exhaustive" if plan.exact else "best found",
            )
            for plan in self.plans
        ]
        what = "line currents" if self.objective == "current" else "VA per phase"
        title = f"Circuit moves to reduce {what} imbalance, panel {self.panel.tag}"
        yield replace(TextTable.of(title, heads, rows, system), below=_BELOW)

    def closing(self, system: System) -> Iterator[str]:
        """Return the plans as instructions."""
        before = self.plans[0].imbalance
        for plan in self.plans[1:]:
            count = len(plan.moves)
            gain = f"{_percent(before)} to {_percent(plan.imbalance)}"
            yield f"{count} move{'s' * (count > 1)}: {gain}"
            yield from (f"    {n}. {step}" for n, step in enumerate(plan.steps, start=1))
            yield ""
        if len(self.plans) == 1:
            yield "No circuit move gives a worthwhile improvement."

    def _of(self, load: PanelLoad) -> float:
        return float(load.imbalance if self.objective == "current" else load.imbalance_va)


def _option(plan: MovePlan) -> Object:
    return {
        "moves": len(plan.moves),
        "imbalance": _json(plan.imbalance, "fraction"),
        "current.max": _json(plan.current_max_a, "current"),
        "exact": plan.exact,
        "states": [
            {
                "id": load.state,
                "imbalance": _json(load.imbalance, "fraction"),
                "imbalance_va": _json(load.imbalance_va, "fraction"),
                "current.max": _json(load.current_max_a, "current"),
            }
            for load in plan.loads
        ],
        "placement": [
            {"id": m.id, "position": m.after.position, "poles": m.poles, "phases": m.after.phases}
            for m in plan.moves
        ],
        "steps": list(plan.steps),
    }


def _json(value: float, kind: str) -> object:
    return Value(value, kind).as_json()


def _percent(value: float) -> str:
    return Value(value, "fraction").shown()
