"""Balancing of a panel: balance, proof and plans of moves, and the currents before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding
from facility.files.io.file_names import safe_file_name
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import BalanceResult, largest_line
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.layout import PHASE_NAMES, PHASES
from facility.power.panels.board.model import Panel
from facility.power.panels.board.moves import moves_between, ordered_steps
from facility.power.panels.moves.pareto import MovePlan
from facility.report.sheet.grid import Amount
from facility.report.why.pages import of_panel, of_plan
from facility.ui.blocks import render
from facility.ui.blocks.blocks import DisplayTable, NumberCell, Numbers, look_of
from facility.ui.controls import download, edit, one_of, refused
from facility.ui.grid.tables import values_grid
from facility.ui.panels import answers
from facility.ui.panels.answers import PanelJob, PanelRequest, request_job
from facility.ui.session import state
from facility.ui.session.panel_rows import grid_rows, placed_project
from facility.ui.why import navigation

_OBJECTIVE_NAMES: dict[Objective, str] = {"current": "Line current", "va": "Schedule VA"}
_OBJECTIVES = (
    "Line current: maximum phasor current over all states. Schedule VA: maximum VA per phase, "
    "divided evenly among the poles."
)
_STATUS = {
    "optimal": "Proven optimum.",
    "gap": "Proven optimum within the requested gap.",
    "nodes": "Not proven: node limit reached.",
    "cancelled": "Not proven: cancelled.",
    "time": "Not proven: time limit reached.",
    "heuristic": 'Heuristic result, not proven. "Prove optimum" searches for a better arrangement.',
}
_VISIBLE = 1e-4
"""Least improvement of a proposal, as a fraction of the line current: 0.01 % of imbalance."""

_AT_BOUND = 1e-6
"""Largest gap between an arrangement and the lower bound at which it is a proven optimum."""


@dataclass(frozen=True)
class PanelOption:
    """A proposed arrangement of a panel, and the steps to it."""

    title: str
    panel: Panel
    moves: int
    steps: tuple[str, ...]
    remark: str


_Requests = dict[PanelJob, PanelRequest]


def state_words(name: str) -> str:
    """Return the name of a state of a panel; that of a lost feed says so, which A alone does not.

    name: Its name in the design, e.g. ``A lost``.
    """
    return name if name == "normal" else f"feed {name}"


def show_balance(panel: Panel, controls: DeltaGenerator, *, waiting: bool) -> PanelOption | None:
    """Show the balancing of a panel; return the proposed arrangement that is selected.

    controls: Place of the buttons, above the schedule.
    waiting: Whether there are rejected entries, which applying would overwrite.
    """
    with controls:
        objective, requests = _controls(panel)
    options: list[PanelOption] = []
    plans: tuple[MovePlan, ...] = ()
    try:
        found = answers.balanced(requests.get("panel proof")) or answers.balanced(
            requests.get("panel balance")
        )
        plans = answers.plans(requests.get("panel moves"))
        if found is not None and _lowers(panel, objective, found):
            options.append(_balanced(panel, objective, found))
        elif found is not None:
            st.text("Already balanced: no move lowers the imbalance.")
            st.text(_status(found))
        options += _moved(panel, objective, plans)
    except FacilityError as error:
        refused("Panel not balanced", error)
    if plans:
        _moves_table(panel, objective, plans)
    if not options:
        return None
    titles = ["Existing arrangement, to edit", *(option.title for option in options)]
    chosen = st.selectbox(
        "Arrangement shown in the schedule",
        range(len(titles)),
        1,
        key=f"option-{panel.tag}",
        format_func=lambda n: titles[n],
    )
    if not chosen:
        return None
    option = options[min(chosen, len(options)) - 1]
    _steps(panel, option, options, waiting=waiting)
    return option


def currents(panel: Panel, shown: int, limit_a: float, option: PanelOption | None) -> Numbers:
    """Return the currents and imbalance of a state, also for a proposed arrangement."""
    after = option.panel if option is not None else panel
    load = answers.loads(after)[shown]
    before = answers.loads(panel)[shown] if option is not None and panel.placed else None
    loads = [load] if before is None else [before, load]

    def number(label: str, values: list[float], digits: int, unit: str, key: str) -> NumberCell:
        texts = dict.fromkeys(f"{value:.{digits}f}" for value in values)
        return NumberCell(label, " → ".join(texts), unit, why=f"panel.{key}")

    cells = []
    for n, name in enumerate(PHASE_NAMES[panel.numbering]):
        margin, key = 1.0 - load.line_a[n] / limit_a, f"line_{PHASES[n]}"
        side = "below" if margin >= -1e-9 else "above"
        note = f"{load.phase_va[n]:,.0f} VA; {abs(margin):.1%} {side} {limit_a:.0f} A"
        line = number(f"Phase {name}", [one.line_a[n] for one in loads], 1, "A", key)
        cells.append(replace(line, note=note, look=look_of(margin)))
    neutral = number("Neutral current", [one.neutral_a for one in loads], 1, "A", "neutral")
    current = [100.0 * one.imbalance for one in loads]
    schedule = [100.0 * one.imbalance_va for one in loads]
    cells += [
        replace(neutral, note="Fundamental only"),
        number("Current imbalance", current, 2, "%", "imbalance"),
        number("VA imbalance", schedule, 2, "%", "imbalance_va"),
    ]
    return Numbers(cells, "panel-currents", of_panel(after, load, before))


def _controls(panel: Panel) -> tuple[Objective, _Requests]:
    tag = panel.tag
    with st.container(horizontal=True, vertical_alignment="bottom"):
        objective = one_of("Balance by", _OBJECTIVE_NAMES, f"objective-{tag}", help=_OBJECTIVES)
        requests: _Requests = st.session_state.setdefault(f"balance-requests-{tag}", {})
        jobs: list[PanelJob] = []
        if st.button("Balance panel", icon=":material/balance:", key=f"balance-{tag}"):
            jobs.append("panel balance")
            st.session_state.pop(f"option-{tag}", None)
        help = "Searches to a proven optimum, up to the node limit."
        if st.button("Prove optimum", f"prove-{tag}", help, icon=":material/verified:"):
            jobs += ["panel balance", "panel proof"]  # the balance is shown until the proof is done
        help = "Lists the minimum number of moves for each imbalance level."
        lists = st.button(
            "List moves",
            f"moves-{tag}",
            help,
            icon=":material/swap_vert:",
            disabled=not panel.placed,
        )
        if lists:
            jobs.append("panel moves")
    requests |= {job: request_job(panel, objective, job) for job in jobs}
    # A changed panel is shown as it is: an old proposal would undo the change.
    for job, request in list(requests.items()):
        if not request.is_of(panel, objective):
            request.run.cancel()
            del requests[job]
    return objective, requests


def _lowers(panel: Panel, objective: Objective, found: BalanceResult) -> bool:
    """Return whether a balance places circuits, or lowers what it minimises by a visible amount."""
    before, after = found.before, found.after
    if before is None or not panel.placed:
        return True
    worst = largest_line(panel, objective)
    return (
        worst - found.reached > _VISIBLE * worst
        or _imbalance(before, objective) - _imbalance(after, objective) > _VISIBLE
        or before.neutral_a - after.neutral_a > _VISIBLE * before.current_max_a
    )


def _balanced(panel: Panel, objective: Objective, found: BalanceResult) -> PanelOption:
    """Return the balance of the whole panel as an option."""
    steps: tuple[str, ...] = ()
    if panel.placed:
        steps = ordered_steps((panel,), moves_between((panel,), (found.panel,)))
    count = _counted(len(found.moves)) if panel.placed else "all circuits placed"
    title = f"Whole panel balanced: {count}, {_percent(found.after, objective)}"
    return PanelOption(title, found.panel, len(found.moves), steps, _status(found))


def _status(found: BalanceResult) -> str:
    if found.reached <= found.bound * (1.0 + _AT_BOUND):
        return _STATUS["optimal"]
    return f"{_STATUS[found.status]} Objective {found.gap:.3%} above the lower bound."


def _moved(
    panel: Panel, objective: Objective, plans: tuple[MovePlan, ...]
) -> Iterator[PanelOption]:
    """Yield each move plan as an option."""
    for plan in plans[1:]:
        before, after = answers.loads(panel)[0], plan.loads[0]
        sure = "Optimal for this number of moves." if plan.exact else "Best found, not proven."
        title = (
            f"{_counted(len(plan.moves))}: {_percent(before, objective)} to "
            f"{_percent(after, objective)}"
        )
        yield PanelOption(title, plan.panel, len(plan.moves), plan.steps, sure)


def _counted(moves: int) -> str:
    return f"{moves} move{'' if moves == 1 else 's'}"


def _percent(load: PanelLoad, objective: Objective) -> str:
    return f"{_imbalance(load, objective):.2%}"


def _imbalance(load: PanelLoad, objective: Objective) -> float:
    return load.imbalance if objective == "current" else load.imbalance_va


def _moves_table(panel: Panel, objective: Objective, plans: tuple[MovePlan, ...]) -> None:
    of_states: dict[str, list[object]] = {
        f"Imbalance, {state_words(state)}": [
            Amount(_imbalance(plan.loads[s], objective), "fraction") for plan in plans
        ]
        for s, state in enumerate(panel.states)
    }
    columns: dict[str, list[object]] = {
        "Moves": [len(plan.moves) for plan in plans],
        **of_states,
        "Worst line, any state": [Amount(plan.current_max_a, "current") for plan in plans],
        "Proof": ["Optimal" if plan.exact else "Best found" for plan in plans],
    }
    names = list(columns)
    imbalance = "imbalance" if objective == "current" else "imbalance_va"

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        plan, column = plans[row], names.index(head)
        worst = argmax_within_rounding([load.current_max_a for load in plan.loads])
        state = column - 1 if head in of_states else worst
        id = {names[0]: "moves", names[-2]: "largest_line"}.get(head, imbalance)
        return None if head == names[-1] else (f"panel.{id}", of_plan(plan, state, "panel"))

    st.markdown("#### Number of moves vs. imbalance")
    grid = values_grid("Plans", columns, state.unit_system(), why=True)
    render.show([DisplayTable(grid, f"plans-{panel.tag}", explain=of_cell)])
    if len(plans) == 1:
        st.text("No move reduces the imbalance significantly.")


def _steps(panel: Panel, option: PanelOption, options: list[PanelOption], *, waiting: bool) -> None:
    """Show the steps to an arrangement, the button that applies it, and all steps as a file."""
    st.markdown("#### Steps")
    st.text(option.remark)
    lines = [f"{n}. {step}" for n, step in enumerate(option.steps, start=1)]
    if panel.placed:
        with st.container(height=230 if len(lines) > 6 else "content", border=False):
            st.text("\n".join(lines))
    listed = [f"Panel {panel.tag}: circuit moves", ""]
    for one in options:  # for the work at the panel
        numbered = [f"  {n}. {step}" for n, step in enumerate(one.steps, start=1)]
        listed += [one.title, f"  {one.remark}", *numbered, ""]
    with st.container(horizontal=True):
        help = "Correct the rejected cells first." if waiting else "Undo reverts it."
        key, name = f"apply-{panel.tag}", safe_file_name(panel.tag, "panel")
        edit("Apply arrangement", "check", key, _apply, panel, option, ready=not waiting, help=help)
        file, key = f"{name}-moves.txt", f"steps-{panel.tag}"
        download("Download moves (.txt)", file, "\n".join(listed), key, disabled=not lines)


def _apply(panel: Panel, option: PanelOption) -> None:
    placed = option.panel
    rows = grid_rows(placed)
    state.edit_panel(panel.tag, rows, lambda project: placed_project(project, placed), "a balance")
