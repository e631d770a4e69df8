"""The list of moves against imbalance, for people and as JSON."""

from __future__ import annotations

from typing import Any

from facility.cli import output
from facility.core.table import Value
from facility.power.panels.balance.moves import MovePlan
from facility.power.panels.balance.pareto import LEAST_GAIN, pareto_moves
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.model import Panel
from facility.power.panels.search.lines import Objective

_DEFINITION = "maximum deviation from the mean / mean"


def show_moves(panel: Panel, objective: Objective, *, json: bool) -> None:
    """Write the plans of `pareto_moves` for `panel`."""
    plans = pareto_moves(panel, objective)
    if json:
        first = plans[0].loads[0]
        results = {
            "imbalance.before": _json(first.imbalance, "fraction"),
            "imbalance_va.before": _json(first.imbalance_va, "fraction"),
            "options": len(plans),
        }
        options = [_option(plan) for plan in plans]
        output.print_json(output.envelope("balance", results=results, options=options))
        return
    _print_plans(panel, plans, objective)


def _option(plan: MovePlan) -> dict[str, Any]:
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
            {"id": m.id, "position": m.target[0], "poles": m.poles, "phases": m.target_phases}
            for m in plan.moves
        ],
        "steps": list(plan.steps),
    }


def _json(value: float, kind: str) -> Any:
    return Value(value, kind).as_json()


def _print_plans(panel: Panel, plans: tuple[MovePlan, ...], objective: Objective) -> None:
    states = [f"Imbalance, {load.state}" for load in plans[0].loads]
    rows = [
        (
            str(len(plan.moves)),
            *(_percent(_of(load, objective)) for load in plan.loads),
            Value(plan.current_max_a, "current").shown(),
            "all plans looked at" if plan.exact else "best found",
        )
        for plan in plans
    ]
    heads = ("Moves", *states, "Largest line current, any state", "How sure")
    what = "line currents" if objective == "current" else "VA per phase"
    output.print_table(f"Moves against imbalance of {what}, panel {panel.tag}", heads, rows)
    output.print_lines(
        [
            f"Imbalance: {_DEFINITION}. A plan is listed when it gains {LEAST_GAIN:.1%} or more in "
            "the normal state over plans of fewer moves.",
            "No plan raises the largest line value of any state. Poles of fixed circuits stay.",
            "",
        ]
    )
    before = plans[0].imbalance
    for plan in plans[1:]:
        count = len(plan.moves)
        gain = f"{_percent(before)} to {_percent(plan.imbalance)}"
        lines = [f"    {n}. {step}" for n, step in enumerate(plan.steps, start=1)]
        output.print_lines([f"{count} move{'s' * (count > 1)}: {gain}", *lines, ""])
    if len(plans) == 1:
        output.print_lines(["No move gains anything worth the work."])


def _of(load: PanelLoad, objective: Objective) -> float:
    return float(load.imbalance if objective == "current" else load.imbalance_va)


def _percent(value: float) -> str:
    return Value(value, "fraction").shown()
