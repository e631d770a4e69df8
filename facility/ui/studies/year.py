"""Year page: hourly simulation of the design over a typical year."""

from __future__ import annotations

import streamlit as st
from plotly.graph_objects import Figure

from facility.core.views import System
from facility.report.drawings.charts.year import hour_map, series_of
from facility.report.studies.annual import Annual
from facility.report.tables.bill import months_of
from facility.report.why.known import Known
from facility.report.why.pages import of_hour
from facility.study.annual.result import AnnualStudy
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.charts import palette
from facility.ui.charts.palette import Ink
from facility.ui.charts.year import (
    bill_figure,
    duration_figure,
    hour_figure,
    it_days_figure,
    it_duration_figure,
    month_figure,
    week_figure,
)
from facility.ui.controls import one_of
from facility.ui.session import cooling_study, state, year_hour
from facility.ui.session.state import of_design

_KPIS = (
    ("", "pue.annual", "pue.design", "Design hour {}"),
    ("", "energy.annual", "energy.annual.it", "IT {}"),
    ("", "annual.peak", "annual.peak.hour", "Hour {} of the year"),
    ("", "wue.site", "water.annual", "Make-up water {}"),
    ("", "cue", "carbon.annual", "CO2 {}"),
    ("", "cost.annual", "cost.price", "{}, all charges"),
    ("", "cost.gpu_hour", "cost.unpriced", "{} of the cost items without a price"),
)
_WHAT_TO_GIVE = (
    "Choose a weather station in the sidebar (site.station), whose hourly weather is included, or "
    "load your own EPW or TMY3 weather file on the page Inputs (site.weather_file)."
)


def _year(design: Design) -> AnnualStudy:
    study = design.year
    assert study is not None, "a page without a year shows why"
    return study


@of_design()
def _map(design: Design, chosen: str, ink: Ink, system: System) -> Figure:
    return hour_figure(hour_map(_year(design), chosen), ink, system)


@of_design()
def _week(design: Design, index: int, ink: Ink, system: System) -> Figure:
    return week_figure(_year(design).year, index, ink, system)


@of_design()
def _months(design: Design, ink: Ink, system: System) -> tuple[Figure, Figure]:
    """Return the charts of monthly energy and load duration."""
    study = _year(design)
    return (
        month_figure(study.months, ink, system),
        duration_figure(study.year, design.point.facility_w, ink, system),
    )


def _refused(design: Design) -> None:
    """Show why there is no annual simulation, and the inputs it requires."""
    with st.container(border=True):
        st.error("No annual simulation", icon=":material/error:")
        st.text(design.year_refusal)
        if design.weather_year is None:
            st.text(_WHAT_TO_GIVE)


def _hours(study: AnnualStudy, system: System) -> None:
    """Show the selected hourly series."""
    titles = series_of(study)
    st.markdown("##### Hourly values")
    chosen = one_of("Quantity", titles, "year-series", "pue")
    displays.selectable_chart(
        _map(chosen, palette.ink(), system),
        "year-hours",
        f"Heat map: {titles[chosen]} by day of the year and hour of the day",
        lambda index: year_hour.choose(study.year.hours.hour(index)),
    )
    st.text("Click an hour to select it.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        index = year_hour.chosen(study.year)
        if st.button("Open hour in Cooling", icon=":material/mode_fan:", key="year-to-cooling"):
            st.session_state["cooling-hour"] = "year"
            state.go_to("design", "cooling")
    st.text(year_hour.description(study.year, index, system))
    displays.explained_chart(
        _week(index, palette.ink(), system),
        "year-week",
        "Stacked bar chart: hourly power by end use, week around the selected hour",
        _of_hour,
    )


def _of_hour(index: str) -> Known | None:
    """Return the explanations of the figures of an hour; None for the whole year."""
    year = _year(state.current()).year
    return of_hour(cooling_study.hour_of(year, int(index))) if index else None


def _charts(system: System) -> None:
    by_month, lasting = _months(palette.ink(), system)
    months, load = st.columns(2, gap="medium")
    with months:
        st.markdown("##### Energy by month")
        displays.explained_chart(
            by_month, "year-months", "Bar chart: monthly energy by end use, and monthly PUE"
        )
        st.text("Click a bar to see how the annual energy of that end use is calculated.")
    with load:
        st.markdown("##### Load duration")
        displays.explained_chart(
            lasting, "year-duration", "Load duration curve: hours per year at or above each power"
        )
        st.text("Markers: peak, P99, P90 and median demand. Click a marker for its calculation.")


def _it_load(design: Design, study: AnnualStudy, system: System) -> None:
    """Show the IT load where the project states a load profile (``it.load_profile``)."""
    if design.project.it.load_profile is None:
        return
    ink = palette.ink()
    days, lasting = st.columns(2, gap="medium")
    with days:
        st.markdown("##### IT load by day")
        displays.explained_chart(
            it_days_figure(study.year, ink, system),
            "year-it-days",
            "Line chart: daily mean IT power, with the band from minimum to maximum hour",
            _of_hour,
        )
    with lasting:
        st.markdown("##### IT load duration")
        displays.explained_chart(
            it_duration_figure(study.year, float(design.results["load.it"].si), ink, system),
            "year-it-duration",
            "Load duration curve: hours per year at or above each IT power",
        )


def _bill(study: AnnualStudy) -> None:
    """Show the monthly bill, unless the tariff is a single energy price."""
    bill = study.bill
    if bill is None or bill.tariff.one_price_per_j is not None:
        return
    st.markdown("##### Bill by month")
    displays.explained_chart(
        bill_figure(months_of(bill), bill.tariff.currency, palette.ink()),
        "year-bill",
        "Bar chart: monthly bill by energy, demand, power factor and fixed charges",
    )


def show_year() -> None:
    """Show the annual simulation: energy, water, carbon and cost."""
    design, system = state.current(), state.unit_system()
    displays.heading("Year", design)
    study = design.year
    if study is None:
        _refused(design)
        return
    shown = Annual(design, study)
    st.text("\n".join(shown.opening()))
    results = design.results | study.results
    kpis = [kpi for kpi in _KPIS if kpi[1] in results]
    displays.numbers(results, kpis, "more-numbers", system)
    if st.button("Edit tariff, cost, load and weather", icon=":material/edit:", key="year-inputs"):
        state.go_to("design", "inputs")
    _hours(study, system)
    _charts(system)
    _it_load(design, study, system)
    _bill(study)
    displays.study_tabs(shown, "year", system)
    st.text("\n".join(shown.left_out))
