"""Balancing of one panel: balance, proof, moves, and currents before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding
from facility.core.views import show
from facility.files.io.file_names import safe_file_name
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import BalanceResult
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Panel
from facility.power.panels.board.moves import moves_between, ordered_steps
from facility.power.panels.moves.pareto import MovePlan
from facility.report.drawings.charts.bars import before_after
from facility.report.why.known import Known
from facility.report.why.pages import of_panel, of_plan
from facility.ui import displays
from facility.ui.controls import download, edit, one_of, refused
from facility.ui.panels import answers as panel_answers
from facility.ui.panels.answers import PanelRequest, request_job
from facility.ui.why import navigation

_IMBALANCE: dict[Objective, str] = {"current": "imbalance", "va": "imbalance_va"}


_FigureText = Callable[[PanelLoad], str]
_FIGURES: tuple[tuple[str, str, str, str, _FigureText], ...] = (
    (
        "Current imbalance",
        "imbalance",
        "Maximum deviation / mean",
        "",
        lambda x: f"{x.imbalance:.2%}",
    ),
    (
        "VA imbalance",
        "imbalance_va",
        "Maximum deviation / mean",
        "",
        lambda x: f"{x.imbalance_va:.2%}",
    ),
    ("Neutral current", "neutral", "Fundamental only", "A", lambda x: f"{x.neutral_a:.1f}"),
)
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


@dataclass(frozen=True)
class Bench:
    """A panel in the balancing tools."""

    name: str  # Prefix of the widget keys
    panel: Panel  # Current panel
    limit_a: float | None  # Continuous line current limit [A]; None without a rating
    state: int  # Index of the displayed state
    # Applies a panel to the project, with the label of the change.
    apply: Callable[[Panel, str], None]
    # Whether there are rejected entries, which applying would overwrite.
    waiting: bool = False


@dataclass(frozen=True)
class PanelOption:
    """A proposed arrangement of a panel, and the steps to it."""

    title: str
    panel: Panel
    moves: int
    steps: tuple[str, ...]
    remark: str


def show_workbench(bench: Bench) -> None:
    """Show the balancing controls of a panel, and their results."""
    objective, wants = _controls(bench)
    plans: tuple[MovePlan, ...] = ()
    options: list[PanelOption] = []
    try:
        found = panel_answers.balanced(wants.proof) or panel_answers.balanced(wants.balance)
        plans = panel_answers.plans(wants.moves)
        if found is not None:
            options.append(_balanced(bench, objective, found))
        options += _moved(bench, objective, plans)
    except FacilityError as error:
        refused("Panel not balanced", error)
    if plans:
        _moves_table(bench, objective, plans)
    if not options:
        _current_only(bench)
        return
    titles = [option.title for option in options]
    chosen = st.selectbox(
        "Proposed arrangement",
        range(len(options)),
        key=f"option-{bench.name}",
        format_func=lambda n: titles[n],
    )
    _comparison(bench, options[min(chosen, len(options) - 1)], _listed(bench.panel, options))


@dataclass
class _Wants:
    """The requested jobs of a panel."""

    balance: PanelRequest | None = None
    moves: PanelRequest | None = None
    proof: PanelRequest | None = None


def _controls(bench: Bench) -> tuple[Objective, _Wants]:
    panel = bench.panel
    with st.container(horizontal=True, vertical_alignment="bottom"):
        objective = one_of(
            "Balance by", _OBJECTIVE_NAMES, f"objective-{bench.name}", help=_OBJECTIVES
        )
        wants: _Wants = st.session_state.setdefault(f"wants-{bench.name}", _Wants())
        if st.button("Balance panel", icon=":material/balance:", key=f"balance-{bench.name}"):
            wants.balance = request_job(panel, objective, "panel balance")
        prove = st.button("Prove optimum", icon=":material/verified:", key=f"prove-{bench.name}",
                          help="Searches to a proven optimum, up to the node limit.")  # fmt: skip
        if st.button("List moves", icon=":material/swap_vert:", disabled=not panel.placed,
                     key=f"moves-{bench.name}",
                     help="Lists the fewest moves for each imbalance."):  # fmt: skip
            wants.moves = request_job(panel, objective, "panel moves")
    if prove:
        wants.balance = request_job(
            panel, objective, "panel balance"
        )  # shown until the proof is done
        wants.proof = request_job(panel, objective, "panel proof")
    if wants.proof is not None and not wants.proof.is_of(panel, objective):
        wants.proof.cancel()  # it would block the balance
        wants.proof = None
    if wants.balance is not None and not wants.balance.is_of(panel, objective):
        wants.balance = request_job(panel, objective, "panel balance")
    if wants.moves is not None and not wants.moves.is_of(panel, objective):
        wants.moves = request_job(panel, objective, "panel moves") if panel.placed else None
    return objective, wants


def _balanced(bench: Bench, objective: Objective, found: BalanceResult) -> PanelOption:
    """Return the balance of the whole panel as an option."""
    panel = bench.panel
    steps: tuple[str, ...] = ()
    if panel.placed:
        steps = ordered_steps((panel,), moves_between((panel,), (found.panel,)))
    count = _counted(len(found.moves)) if panel.placed else "all circuits placed"
    title = f"Whole panel balanced: {count}, {_percent(found.after, objective)}"
    bound = f" Objective {found.gap:.3%} above the lower bound." if found.gap > 1e-6 else ""
    return PanelOption(title, found.panel, len(found.moves), steps, _STATUS[found.status] + bound)


def _moved(
    bench: Bench, objective: Objective, plans: tuple[MovePlan, ...]
) -> Iterator[PanelOption]:
    """Yield each move plan as an option."""
    for plan in plans[1:]:
        count = _counted(len(plan.moves))
        before = _percent(panel_answers.loads(bench.panel)[0], objective)
        sure = "Optimal for this number of moves." if plan.exact else "Best found, not proven."
        yield PanelOption(
            f"{count}: {before} to {_percent(plan.loads[0], objective)}",
            plan.panel,
            len(plan.moves),
            plan.steps,
            sure,
        )


def _counted(moves: int) -> str:
    return f"{moves} move{'' if moves == 1 else 's'}"


def _percent(load: PanelLoad, objective: Objective) -> str:
    return f"{load.imbalance if objective == 'current' else load.imbalance_va:.2%}"


def _current_only(bench: Bench) -> None:
    if not bench.panel.placed:
        loose = sum(circuit.position is None for circuit in bench.panel.circuits)
        st.info(f"{loose} circuits have no position. Balance the panel to place them.")
        return
    _figures(bench, panel_answers.loads(bench.panel)[bench.state], None, None)
    _bars(bench, panel_answers.loads(bench.panel)[bench.state], None)


def _moves_table(bench: Bench, objective: Objective, plans: tuple[MovePlan, ...]) -> None:
    of_states = {
        f"Imbalance, {state}": [_percent(plan.loads[s], objective) for plan in plans]
        for s, state in enumerate(bench.panel.states)
    }
    columns = {
        "Moves": [str(len(plan.moves)) for plan in plans],
        **of_states,
        "Worst line, any state": [show(plan.current_max_a, "current") for plan in plans],
        "Proof": ["Optimal" if plan.exact else "Best found" for plan in plans],
    }
    names = list(columns)

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        plan, column = plans[row], names.index(head)
        worst = argmax_within_rounding([load.current_max_a for load in plan.loads])
        state = column - 1 if head in of_states else worst
        id = {names[0]: "moves", names[-2]: "largest_line"}.get(head, _IMBALANCE[objective])
        return None if head == names[-1] else (f"panel.{id}", of_plan(plan, state, "panel"))

    st.markdown("#### Number of moves vs. imbalance")
    displays.explained_frame("Plans", columns, f"plans-{bench.name}", of_cell)
    if len(plans) == 1:
        st.text("No move reduces the imbalance significantly.")


def _listed(panel: Panel, options: list[PanelOption]) -> str:
    """Return all options with their steps as a text file for the work at the panel."""
    lines = [f"Panel {panel.tag}: circuit moves", ""]
    for option in options:
        numbered = [f"  {n}. {step}" for n, step in enumerate(option.steps, start=1)]
        lines += [option.title, f"  {option.remark}", *numbered, ""]
    return "\n".join(lines)


def _comparison(bench: Bench, option: PanelOption, listed: str) -> None:
    before = panel_answers.loads(bench.panel)[bench.state] if bench.panel.placed else None
    after = panel_answers.loads(option.panel)[bench.state]
    _figures(bench, before, after, option)
    bars, steps = st.columns([3, 2], gap="medium")
    with bars:
        _bars(bench, before, after, option.panel)
    with steps:
        _steps(bench, option, listed)


def _bars(
    bench: Bench, before: PanelLoad | None, after: PanelLoad | None, moved: Panel | None = None
) -> None:
    def text_of(name: str) -> Known | None:
        panel, load = (moved, after) if name == "After" else (bench.panel, before)
        return of_panel(panel, load) if panel is not None and load is not None else None

    title = "Line and neutral currents"
    st.markdown(f"#### {title}, before and after" if after else f"#### {title}")
    st.text(f"Phasor currents, panel {bench.panel.tag}, state {bench.panel.states[bench.state]}")
    names = (("Before" if after else "Existing", before), ("After", after))
    groups = {name: (*load.line_a, load.neutral_a) for name, load in names if load}
    lines = (*PHASE_NAMES[bench.panel.numbering], "N")
    displays.explained_chart(
        before_after(groups, lines, bench.limit_a),
        f"bars-{bench.name}",
        "Bar chart: line and neutral currents of the panel, before and after",
        text_of,
    )


def _figures(
    bench: Bench, before: PanelLoad | None, after: PanelLoad | None, option: PanelOption | None
) -> None:
    last = after or before
    assert last is not None
    colour: displays.Colour = "orange"
    page = of_panel(option.panel if option else bench.panel, last, before if after else None)
    with st.container(horizontal=True):
        for title, key, remark, unit, text_of in _FIGURES:
            found = _pair(before, after, text_of, unit)
            displays.metric(title, found, remark, why=f"panel.{key}", page=page)
        worst = _pair(before, after, lambda load: f"{load.current_max_a:.1f}", "A")
        if bench.limit_a is None:
            remark = "No rating specified"
        else:
            margin = 1.0 - last.current_max_a / bench.limit_a
            within = margin >= -1e-9
            remark = f"{abs(margin):.1%} {'below' if within else 'above'} limit"
            colour = "green" if within else "red"
        displays.metric("Worst line", worst, remark, colour, why="panel.largest_line", page=page)
        if option is not None and before is not None:
            displays.metric("Breakers to move", str(option.moves), "See the steps below")


def _pair(
    before: PanelLoad | None,
    after: PanelLoad | None,
    shown: Callable[[PanelLoad], str],
    unit: str = "",
) -> str:
    texts = [shown(load) for load in (before, after) if load is not None]
    return f"{' → '.join(dict.fromkeys(texts))} {unit}".strip()


def _steps(bench: Bench, option: PanelOption, listed: str) -> None:
    st.markdown("#### Steps")
    st.text(option.remark)
    lines = [f"{n}. {step}" for n, step in enumerate(option.steps, start=1)]
    if bench.panel.placed:
        with st.container(height=230 if len(lines) > 6 else "content", border=False):
            st.text("\n".join(lines) or "No moves required.")
    name = safe_file_name(bench.panel.tag, "panel")
    with st.container(horizontal=True):
        ready = not bench.waiting and option.panel != bench.panel
        help = "Correct the rejected cells first." if bench.waiting else "Undo reverts it."
        key, done = f"apply-{bench.name}", (option.panel, "a balance")
        edit("Apply arrangement", "check", key, bench.apply, *done, ready=ready, help=help)
        key = f"steps-{bench.name}"
        download("Download moves (.txt)", f"{name}-moves.txt", listed, key, disabled=not lines)
