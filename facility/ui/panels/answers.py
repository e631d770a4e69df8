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
from facility.ui.session import state
from facility.ui.work import runs
from facility.ui.work.ready import over

PanelJob = Literal["panel balance", "panel moves", "panel proof"]


def panel_key(panel: Panel) -> str:
    """Return a hash of the content of `panel`."""
    return hashlib.sha256(repr(panel).encode("utf-8", "backslashreplace")).hexdigest()


def loads(panel: Panel) -> tuple[PanelLoad, ...]:
    """Return the load of `panel` in each of its states."""
    return _loads(panel_key(panel), panel)


@dataclass(frozen=True)
class PanelRequest:
    """A requested job on a panel; it stays valid while the panel does not change."""

    job: PanelJob
    content: str  # `panel_key` of the panel
    tag: str
    objective: Objective
    text: str  # The project at the time of the request

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
        title, key = f"{self.job}, {self.tag}", self.job.replace(" ", "-")
        run = over(self.job, title, self.options, text=self.text, owner=self.job, key=key)
        return None if run is None else run.result()

    def cancel(self) -> None:
        """Cancel the job."""
        runs.ask(self.job, self.text, self.options, self.job).cancel()


def request_job(panel: Panel, objective: Objective, job: PanelJob) -> PanelRequest:
    """Request a job on a panel of the current project; rerun it if it failed."""
    request = PanelRequest(job, panel_key(panel), panel.tag, objective, state.text())
    runs.ask(job, request.text, request.options, job).again()
    return request


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
