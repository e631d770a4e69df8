"""Compare cooling: five ways to cool the same racks, and where the choice turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System, show
from facility.report.tables.compare import (
    COST_HEADS,
    DENSITY_HEADS,
    OPTION_HEADS,
    POWER_HEADS,
    cost_rows,
    density_rows,
    option_rows,
    power_rows,
    summary_lines,
)
from facility.study.compare.ways import CoolingComparison
from facility.ui import displays
from facility.ui.charts import palette
from facility.ui.charts.compare import power_by_way, power_over_density
from facility.ui.session import cooling_study, state

_FIXED = {"displaylogo": False, "displayModeBar": False}
_ROW_PX = 30
_WIDE_HEADS = ("Units", "Without a known cost")
_FIVE = (
    "Air handlers around the hall, in-row coolers, rear doors, liquid with air for the rest, and "
    "full liquid: each is designed for the racks of this project, held against its limits, and "
    "asked again at rack densities from the lowest to the highest. A way that breaks a limit is "
    "refused with it."
)


def _ask(changed: bool) -> None:
    """Show what the comparison does, and the button that starts it."""
    st.text(_FIVE)
    if changed:
        st.text("The project has changed since it was compared.")
    st.button(
        "Compare five ways to cool",
        on_click=cooling_study.ask_comparison,
        type="primary",
        icon=":material/compare_arrows:",
        key="compare-cooling",
    )


def _refused(error: FacilityError) -> None:
    with st.container(border=True):
        st.error(f"Not compared: {error.code}", icon=":material/error:")
        st.text(str(error))


def _numbers(comparison: CoolingComparison, system: System) -> None:
    turn, results = comparison.crossover, comparison.results
    feasible = [option for option in comparison.options if option.feasible]
    with st.container(horizontal=True):
        displays.metric(
            "Ways that are feasible",
            f"{len(feasible)} of {len(comparison.options)}",
            "at the density of the project",
        )
        displays.metric(
            "Densest compute rack",
            show(comparison.density_w, "active_power", system),
            "IT power, this project",
        )
        at = "none" if turn.density_w is None else show(turn.density_w, "active_power", system)
        displays.metric("Crossover, air to liquid", at, "IT power of a rack")
        if feasible:
            best = min(feasible, key=lambda option: results[f"option.{option.name}.power"].si)
            power = results[f"option.{best.name}.power"].shown(system)
            displays.metric("Least cooling power", power, best.label)


def _options(comparison: CoolingComparison, system: System) -> None:
    """Show the ways with what they need, and why the refused ones are refused."""
    rows = list(option_rows(comparison, system))
    reasons = [option.reason or "no limit is broken" for option in comparison.options]
    order = sorted(range(len(OPTION_HEADS)), key=lambda n: OPTION_HEADS[n] in _WIDE_HEADS)
    shown = [([row[n] for n in order], why) for row, why in zip(rows, reasons, strict=True)]
    _table(
        [*(OPTION_HEADS[n] for n in order), "Why"],
        [[*row, why] for row, why in shown],
        "compare-options",
    )
    refused: dict[str, list[str]] = {}
    for option in comparison.options:
        if not option.feasible:
            refused.setdefault(option.reason, []).append(option.label)
    for reason, labels in refused.items():
        with st.container(border=True):
            with st.container(horizontal=True, gap="small"):
                for label in labels:
                    st.badge(f"refused: {label}", color="red")
            st.text(reason)


def _charts(comparison: CoolingComparison) -> None:
    ink = palette.ink()
    st.markdown("##### Cooling power by part")
    st.plotly_chart(
        power_by_way(comparison, ink),
        key="compare-power",
        config=_FIXED,
        alt="Bars: cooling power of each feasible way by part",
    )
    st.markdown("##### Cooling power against rack density")
    st.plotly_chart(
        power_over_density(comparison, ink),
        key="compare-density",
        config=_FIXED,
        alt="Lines: cooling power of each way against the power of a rack",
    )
    st.text(
        "A large mark at the end of a line: from there on the way breaks a limit. The heat of "
        "the racks stays the same; denser racks are fewer."
    )


def _details(comparison: CoolingComparison, system: System) -> None:
    density, power, cost, basis = st.tabs(["Density limits", "Power", "Cost", "Basis"])
    with density:
        _table(DENSITY_HEADS, density_rows(comparison, system), "compare-limits")
    with power:
        _table(POWER_HEADS, power_rows(comparison, system), "compare-parts")
    with cost:
        _table(COST_HEADS, cost_rows(comparison), "compare-costs")
    with basis:
        st.text("\n".join(summary_lines(comparison)))
        st.dataframe(
            {
                "assumption": [a.id for a in comparison.assumptions],
                "value": [
                    a.text or show(a.value or 0.0, a.kind, system) for a in comparison.assumptions
                ],
                "basis": [a.basis for a in comparison.assumptions],
                "source": [str(a.source) for a in comparison.assumptions],
            },
            hide_index=True,
            width="stretch",
            row_height=_ROW_PX,
            key="compare-assumptions",
        )


def _table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    key: str,
) -> None:
    found = list(rows)
    st.dataframe(
        {head: [row[n] for row in found] for n, head in enumerate(heads)},
        hide_index=True,
        width="stretch",
        height="content",
        row_height=_ROW_PX,
        key=key,
    )


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Compare cooling", design)
    found = cooling_study.asked_comparison()
    if found is None:
        _ask(cooling_study.asked_before())
        return
    if isinstance(found, FacilityError):
        _refused(found)
        return
    _numbers(found, system)
    turn = found.crossover
    st.text(f"Crossover: {turn.because}.".replace("..", "."))
    _options(found, system)
    _charts(found)
    _details(found, system)


_page()
