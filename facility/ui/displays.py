"""What the pages share: heading, refusals, key numbers, checks.

Text that a person wrote goes only where nothing is read as markup: `st.text`, `st.code`, the
cells of a dataframe, the options of a select box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import streamlit as st
from plotly.graph_objects import Figure
from streamlit.delta_generator import DeltaGenerator

from facility.core.check import counted
from facility.core.errors import FacilityError
from facility.core.table import Results, Value
from facility.core.views import System, view_unit
from facility.report.sheet.grid import TextTable
from facility.report.tables.verdict import buildable, findings
from facility.study.design.design import Design
from facility.study.failures.study import failures
from facility.ui.session import state, timeline

_Colour = Literal["red", "orange", "blue", "green", "grey"]

_LARGE_W = 1e7
_LARGE_KG = 1e5
_MOST_AGAINST = 8
_NO_TOOLS = {"displaylogo": False, "displayModeBar": False}
_ROW_PX, _MOST_ROWS, _TALL_PX = 30, 60, 620
_OPEN = "not evaluated"
_BADGES: dict[str, tuple[str, str, _Colour]] = {
    "VIOLATION": ("violation", "s", "red"),
    "WARNING": ("warning", "s", "orange"),
    "ADVICE": ("advice", "", "blue"),
    "NOT_EVALUATED": ("not evaluated", "", "grey"),
    "PASS": ("passed", "", "green"),
}
_Kpi = tuple[str, str, str, str]
_YEAR_KPIS: tuple[_Kpi, ...] = (
    ("PUE of the year", "pue.annual", "pue.design", "design hour {}"),
    ("Cost per month", "cost.month_estimate", "energy.annual", "{} per year"),
)
_ESTIMATE_KPIS: tuple[_Kpi, ...] = (
    ("PUE, design hour", "pue.design", "pue.estimate", "estimate, mean weather {}"),
    ("Cost per month, est.", "cost.month_estimate", "energy.annual_estimate", "{} per year, est."),
)
_KPIS: tuple[_Kpi, ...] = (
    ("IT load", "load.it", "load.racks", "{} racks"),
    ("Facility", "load.facility", "load.cooling", "cooling {}"),
    ("UPS after failure", "ups.loading_failure", "ups.loading_normal", "normal {}"),
    ("Heat to the air side", "heat.room", "heat.liquid", "to liquid {}"),
)


def heading(title: str, design: Design) -> None:
    """Show the title of a page, and what it is a design of."""
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        st.subheader(title, anchor=False, width="content")
        _steps()
    st.text(design.title)
    for note in design.notes:
        st.info(note, icon=":material/location_on:")


def _steps() -> None:
    """Show undo, redo, and whether there is anything to save."""
    known, saved = timeline.past(), timeline.is_saved()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        text = f"rev {known.revision} · project {'saved' if saved else 'not saved'}"
        st.badge(text if saved else f"● {text}", color="grey" if saved else "orange")
        for name, steps, action, icon in (
            ("Undo", known.past, timeline.undo, ":material/undo:"),
            ("Redo", known.future, timeline.redo, ":material/redo:"),
        ):
            what = f"{name}: {steps[-1].label}" if steps else f"Nothing to {name.lower()}"
            st.button(
                name, on_click=action, disabled=not steps, help=what, icon=icon, key=name.lower()
            )


def refusals() -> None:
    """Show every entry and file that is not part of the design, and why."""
    session = state.session()
    errors = [entry.error for entry in session.refused.values()]
    if session.refused_file is not None:
        errors.append(session.refused_file)
    for error in errors:
        with st.container(border=True):
            st.error(f"Not applied: {error.code}", icon=":material/error:")
            st.text(str(error))
    if errors:
        st.text(
            "The last valid design is shown. What was entered stays, and is tried again "
            "with the next change."
        )
    if session.released:
        fields = ", ".join(f"`{path}`" for path in session.released)
        st.warning(
            f"Left to be designed again, because stated for what was there before: {fields}",
            icon=":material/edit_off:",
        )
        st.button(
            "Take the change back", on_click=timeline.undo, key="take-back", icon=":material/undo:"
        )


def metric(title: str, value: str, note: str, colour: _Colour = "grey") -> None:
    """Show a number with a remark below it; nothing here may be text that a person wrote."""
    st.metric(title, value, note, delta_color=colour, delta_arrow="off", border=True)


def key_numbers(design: Design, system: System) -> None:
    """Show the numbers people ask for first: those of the year, where there is one."""
    results = design.results
    if design.year is not None:
        results = Results({**results.values_by_key, **design.year.results})
    pue, cost = _YEAR_KPIS if design.year is not None else _ESTIMATE_KPIS
    load, facility, *rest = _KPIS
    with st.container(horizontal=True):
        for title, key, below, note in (load, facility, pue, *rest, cost):
            remark = note.format(short(results, below, system)) if below in results else ""
            shown = short(results, key, system) if key in results else _OPEN
            metric(title, shown, remark)


def running(place: DeltaGenerator) -> None:
    """Say which studies are running, until `verdicts` takes the place."""
    place.text("Verdict: running the outages of the power network and the ride-through …")


def _solve_outages(design: Design, place: DeltaGenerator) -> None:
    """Solve the outages, which the design keeps, saying in the place how far they are."""
    try:
        failures(design, progress=lambda done: _solved(place, done))
    except FacilityError:
        return  # the checks of the design say why


def _solved(place: DeltaGenerator, done: int) -> None:
    place.text(f"Verdict: {done:,} outages of the power network solved, the ride-through follows …")


def verdicts(design: Design, place: DeltaGenerator, system: System) -> None:
    """Show whether it can be built, what stands against it, and how many checks came out how.

    Until then the place says how many outages have been solved.
    """
    _solve_outages(design, place)
    counts = counted(design.checks)
    against = [one for one in findings(design.checks) if one.word == "VIOLATION"]
    with place.container():
        st.markdown(f"##### Buildable? {buildable(design.checks)}")
        if against:
            st.text(
                "\n".join(
                    f"{one.rule} ({len(one.checks)}): {one.text(system)}"
                    for one in against[:_MOST_AGAINST]
                )
            )
        _badges(counts)


def _badges(counts: dict[str, int]) -> None:
    with st.container(horizontal=True, gap="small"):
        for verdict, (word, plural, colour) in _BADGES.items():
            count = counts[verdict]
            text = f"{count} {word}{'' if count == 1 else plural}"
            st.badge(text, color=colour if count else "grey")


def table(found: TextTable, key: str) -> None:
    """Show a table, scrolling where it is long, and the lines that stand below it."""
    rows = list(found.rows)
    st.dataframe(
        {head: [row[n] for row in rows] for n, head in enumerate(found.heads)},
        hide_index=True,
        width="stretch",
        height="content" if len(rows) <= _MOST_ROWS else _TALL_PX,
        row_height=_ROW_PX,
        key=key,
    )
    for line in found.below:
        st.text(line)


def chart(figure: Figure, key: str, alt: str) -> None:
    """Show a figure without the tools of its maker; `alt` is for those who do not see it."""
    st.plotly_chart(figure, key=key, config=_NO_TOOLS, alt=alt)


def chart_to_choose(figure: Figure, key: str, alt: str, choose: Callable[[int], None]) -> None:
    """Show a figure whose points can be clicked; `choose` is told the number of the point."""

    def chosen() -> None:
        points = st.session_state[key].selection.point_indices
        if points:
            choose(int(points[0]))

    st.plotly_chart(
        figure,
        key=key,
        config=_NO_TOOLS,
        alt=alt,
        on_select=chosen,
        selection_mode="points",
    )


def tabs(found: Iterable[TextTable], key: str) -> None:
    """Show tables, each in a tab of its own."""
    listed = list(found)
    for number, tab in enumerate(st.tabs([one.title for one in listed])):
        with tab:
            table(listed[number], f"{key}-{number}")


def short(results: Results, key: str, system: System) -> str:
    """Return a result in few characters: MW from 10 MW on, thousands of dollars, tonnes."""
    value: Value = results[key]
    if not value.kind:
        return str(value.si)
    number = float(value.si)
    is_power = value.kind == "active_power" or (value.kind == "heat_flow" and system == "si")
    if is_power and number >= _LARGE_W:
        return f"{number / 1e6:,.2f} MW"
    if value.kind == "heat_flow" and system == "ip":
        return f"{value.shown('ip').partition('.')[0]} MBH"
    if value.kind.startswith("money"):
        return f"{number / 1e3:,.0f} k{view_unit(value.kind)}"
    if value.kind == "energy":
        return f"{number / 3.6e12:,.1f} GWh"
    if value.kind == "mass" and system == "si" and number >= _LARGE_KG:
        return f"{number / 1e3:,.0f} t"
    return value.shown(system)
