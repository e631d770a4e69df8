"""Balanced panels and lists of moves, worked out once per panel; and proofs that can be stopped."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import streamlit as st

from facility.power.panels.balance.effort import NODES, Progress
from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import BalanceResult, balance
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.model import Panel
from facility.power.panels.moves.pareto import MovePlan, pareto_moves

_LOOK_S = 0.15


def panel_key(panel: Panel) -> str:
    """Return what tells `panel` from every panel of another content."""
    return hashlib.sha256(repr(panel).encode("utf-8", "backslashreplace")).hexdigest()


def balanced(panel: Panel, objective: Objective) -> BalanceResult:
    """Return `panel` balanced by the heuristic."""
    with st.spinner("Balancing …"):  # that of the cache stands over what is below it
        return _balanced(panel_key(panel), objective, panel)


def plans(panel: Panel, objective: Objective) -> tuple[MovePlan, ...]:
    """Return the plans of moves of `panel`, fewest moves first."""
    with st.spinner("Looking for moves …"):
        return _plans(panel_key(panel), objective, panel)


def loads(panel: Panel) -> tuple[PanelLoad, ...]:
    """Return the load of `panel` in each of its states."""
    return _loads(panel_key(panel), panel)


def proven(panel: Panel, objective: Objective) -> BalanceResult:
    """Return `panel` balanced to a proven optimum, or as far as the limit of nodes allows.

    Progress is shown on the page. Whatever else the visitor does meanwhile ends the search.
    """
    stopped, seen = Event(), list[Progress]()
    bar = st.progress(0.0, "Looking for a proof …")
    st.button("Cancel", key="cancel-proof", icon=":material/close:")
    with ThreadPoolExecutor(max_workers=1) as pool:
        future = pool.submit(
            balance, panel, objective, exact=True, progress=seen.append, cancel=stopped.is_set
        )
        try:
            while not future.done():
                wait([future], _LOOK_S)
                _show_progress(bar, seen)
        finally:
            stopped.set()
    return future.result()


def _show_progress(bar: st.delta_generator.DeltaGenerator, seen: list[Progress]) -> None:
    if seen:
        now = seen[-1]
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        bar.progress(
            min(1.0, now.nodes / NODES),
            f"{now.nodes:,} of {NODES:,} nodes looked at, {above:.3%} above the bound",
        )


@st.cache_resource(max_entries=128, show_spinner=False)
def _balanced(key: str, objective: Objective, _panel: Panel) -> BalanceResult:
    return balance(_panel, objective)


@st.cache_resource(max_entries=64, show_spinner=False)
def _plans(key: str, objective: Objective, _panel: Panel) -> tuple[MovePlan, ...]:
    return pareto_moves(_panel, objective)


@st.cache_resource(max_entries=256, show_spinner=False)
def _loads(key: str, _panel: Panel) -> tuple[PanelLoad, ...]:
    return panel_loads(_panel)
