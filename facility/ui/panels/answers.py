"""Panel loads, calculated once per panel; balances, proofs and moves, calculated by workers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, cast

import streamlit as st

from facility.power.panels.balance.lines import Objective
from facility.power.panels.balance.one_panel import BalanceResult
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.model import Panel
from facility.power.panels.moves.pareto import MovePlan
from facility.ui.work import runs
from facility.ui.work.ready import over
from facility.ui.work.runs import Run

PanelJob = Literal["panel balance", "panel moves", "panel proof"]


def panel_key(panel: Panel) -> str:
    """Return a hash of the content of `panel`."""
    return hashlib.sha256(repr(panel).encode("utf-8", "backslashreplace")).hexdigest()


def loads(panel: Panel) -> tuple[PanelLoad, ...]:
    """Return the load of `panel` in each of its states."""
    return _loads(panel_key(panel), panel)


@dataclass(eq=False)
class PanelRequest:
    """A requested job on a panel; it stays valid while the panel does not change.

    It runs on the current project: after an edit its run ends, so that no study waits for it, and
    it runs again where the panel is unchanged.
    """

    job: PanelJob
    content: str  # `panel_key` of the panel
    tag: str
    objective: Objective
    run: Run  # On the project for which it was last shown
    result: object = None

    def is_of(self, panel: Panel, objective: Objective) -> bool:
        """Return whether the request is for this content of the panel and this objective."""
        return (self.content, self.objective) == (panel_key(panel), objective)

    @property
    def options(self) -> tuple[str, str]:
        """Arguments of the job."""
        return self.tag, self.objective

    def found(self) -> object:
        """Return the result of the job; None while it runs, with its progress on the page.

        Raises the error of a failed job.
        """
        if self.result is None:
            self.run = runs.ask(self.job, None, self.options)
            title, key = f"{self.job}, {self.tag}", self.job.replace(" ", "-")
            run = over(self.job, title, self.options, key=key)
            self.result = None if run is None else run.result()
        return self.result


def request_job(panel: Panel, objective: Objective, job: PanelJob) -> PanelRequest:
    """Request a job on a panel of the current project; rerun it if it failed."""
    run = runs.ask(job, None, (panel.tag, objective))
    run.again()
    return PanelRequest(job, panel_key(panel), panel.tag, objective, run)


def balanced(request: PanelRequest | None) -> BalanceResult | None:
    """Return the requested balance or proof; None until it is done."""
    return None if request is None else cast(BalanceResult | None, request.found())


def plans(request: PanelRequest | None) -> tuple[MovePlan, ...]:
    """Return the requested move plans, fewest moves first; empty until they are done."""
    found = None if request is None else request.found()
    return cast(tuple[MovePlan, ...], found or ())


@st.cache_resource(max_entries=256, show_spinner=False)
def _loads(key: str, _panel: Panel) -> tuple[PanelLoad, ...]:
    return panel_loads(_panel)
