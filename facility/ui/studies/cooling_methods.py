"""Compare cooling page: five cooling methods for the same racks, and the crossover density."""

from __future__ import annotations

from typing import cast

import streamlit as st

from facility.core.views import System, show
from facility.report.book.record import ASSUMPTIONS
from facility.report.studies.compare import Comparison
from facility.report.why.known import known
from facility.report.why.pages import of_comparison
from facility.study.compare.ways import CoolingComparison
from facility.ui import displays
from facility.ui.charts import palette
from facility.ui.charts.compare import power_by_method, power_over_density
from facility.ui.controls import act
from facility.ui.session import cooling_study, state
from facility.ui.work.ready import over

_FIVE = (
    "Perimeter air handlers, in-row coolers, rear-door coolers, liquid with residual air cooling, "
    "and full liquid cooling. Each method is designed for the racks of this project, checked "
    "against its limits, and evaluated over a range of rack densities. A method that exceeds a "
    "limit is marked not feasible, with that limit."
)


def _ask(changed: bool) -> None:
    """Show the scope of the comparison, and the button that starts it."""
    st.text(_FIVE)
    if changed:
        st.text("The project has changed since the last comparison. Compare again to update it.")
    title, ask = "Compare cooling methods", cooling_study.request_comparison
    act(title, "compare_arrows", "compare-cooling", ask)


def _numbers(comparison: CoolingComparison, system: System) -> None:
    turn, results = comparison.crossover, comparison.results
    feasible = [option for option in comparison.options if option.feasible]
    page = of_comparison(comparison)
    with st.container(horizontal=True):
        displays.metric(
            "Feasible cooling methods",
            f"{len(feasible)} of {len(comparison.options)}",
            "At the project rack density",
            why="option.feasible",
            page=page,
        )
        displays.metric(
            "Highest rack density",
            show(comparison.density_w, "active_power", system),
            "IT power per rack, this project",
            why="density.project",
            page=page,
        )
        at = "None" if turn.density_w is None else show(turn.density_w, "active_power", system)
        key = "crossover.because" if turn.density_w is None else "crossover.density"
        displays.metric("Crossover, air to liquid", at, "IT power per rack", why=key, page=page)
        if feasible:
            best = min(feasible, key=lambda option: results[f"option.{option.name}.power"].si)
            key = f"option.{best.name}.power"
            power = results[key].shown(system)
            displays.metric("Lowest cooling power", power, best.label, why=key, page=page)


def _refusals(comparison: CoolingComparison) -> None:
    """Show the infeasible methods with their reasons."""
    refused: dict[str, list[str]] = {}
    for option in comparison.options:
        if not option.feasible:
            refused.setdefault(option.reason, []).append(option.label)
    for reason, labels in refused.items():
        with st.container(border=True):
            with st.container(horizontal=True, gap="small"):
                for label in labels:
                    st.badge(f"Not feasible: {label}", color="red")
            st.text(reason)


def _charts(comparison: CoolingComparison) -> None:
    ink = palette.ink()
    st.markdown("##### Cooling power by equipment")
    designs = {str(one.name): one.design for one in comparison.options if one.design is not None}
    displays.explained_chart(
        power_by_method(comparison, ink),
        "compare-power",
        "Bar chart: cooling power of each feasible method by equipment",
        lambda way: known(designs[way]) if way else of_comparison(comparison),
    )
    st.markdown("##### Cooling power vs. rack density")
    displays.explained_chart(
        power_over_density(comparison, ink),
        "compare-density",
        "Line chart: cooling power of each method vs. power per rack",
        of_comparison(comparison),
    )
    st.text(
        "A large marker at the end of a line: above this density the method exceeds a limit. Total "
        "rack heat is constant, so a higher density means fewer racks."
    )


def show_cooling_methods() -> None:
    """Show the comparison of cooling methods."""
    design, system = state.current(), state.unit_system()
    displays.heading("Compare cooling", design)
    if not cooling_study.is_compared():
        _ask(cooling_study.was_compared())
        return
    run = over("cooling methods", "comparison of cooling methods")
    if run is None:
        return
    if run.error is not None:
        displays.refused("Cooling methods not compared", run.error)
        return
    found = cast(CoolingComparison, run.result())
    _numbers(found, system)
    turn = found.crossover
    st.text(f"Crossover: {turn.because}.".replace("..", "."))
    study = Comparison(found)
    ways, *details = study.tables(system)
    displays.table(ways, "compare-options", of_comparison(found))
    _refusals(found)
    _charts(found)
    assumed = ASSUMPTIONS.text(study.assumptions, system, *study.warnings)
    displays.tabs([*details, assumed], "compare", of_comparison(found))
