"""Year: the designed facility through the hours of a typical year."""

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
    ("Annual PUE", "pue.annual", "pue.design", "design hour {}"),
    ("Facility energy, metered", "energy.annual", "energy.annual.it", "IT {}"),
    ("Peak demand, hourly", "annual.peak", "annual.peak.hour", "hour {} of the year"),
    ("WUE, site", "wue.site", "water.annual", "make-up {}"),
    ("CUE", "cue", "carbon.annual", "{} of CO2"),
    ("Electricity of the year", "cost.annual", "cost.price", "{}, all charges"),
    ("GPU-hour, all that is known", "cost.gpu_hour", "cost.unpriced", "{} of the lines unpriced"),
)
_WHAT_TO_GIVE = (
    "Choose a weather station beside this page (site.station): its hours come with the tool; or "
    "bring a weather file of your own, EPW or TMY3, on the page Inputs (site.weather_file)."
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
    """Return the energy by month and the duration of the load."""
    study = _year(design)
    return (
        month_figure(study.months, ink, system),
        duration_figure(study.year, design.point.facility_w, ink, system),
    )


def _refused(design: Design) -> None:
    """Show why there is no year, and what to give."""
    with st.container(border=True):
        st.error("No year of hours", icon=":material/error:")
        st.text(design.year_refusal)
        if design.weather_year is None:
            st.text(_WHAT_TO_GIVE)


def _hours(study: AnnualStudy, system: System) -> None:
    """Show a series of the hours, as chosen."""
    titles = series_of(study)
    st.markdown("##### Every hour")
    chosen = one_of("Colour", titles, "year-series", "pue")
    displays.chart_to_choose(
        _map(chosen, palette.ink(), system),
        "year-hours",
        f"Map of {titles[chosen]} by day of the year and hour of the day",
        lambda index: year_hour.choose(study.year.hours.hour(index)),
    )
    st.text("Click an hour to look at it.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        index = year_hour.chosen(study.year)
        if st.button("Open in Cooling", icon=":material/mode_fan:", key="year-to-cooling"):
            st.session_state["cooling-hour"] = "year"
            state.go_to("views/cooling/heat_rejection.py")
    st.text(year_hour.told(study.year, index, system))
    displays.chart_to_ask(
        _week(index, palette.ink(), system),
        "year-week",
        "Power of every hour of the week around the chosen one, stacked by use",
        _of_hour,
    )


def _of_hour(index: str) -> Known | None:
    """Return how the numbers of an hour come about; None for those of the whole year."""
    year = _year(state.current()).year
    return of_hour(cooling_study.hour_of(year, int(index))) if index else None


def _charts(system: System) -> None:
    by_month, lasting = _months(palette.ink(), system)
    months, load = st.columns(2, gap="medium")
    with months:
        st.markdown("##### Energy by month")
        displays.chart_to_ask(
            by_month, "year-months", "Bars: energy of each month by use, and its PUE"
        )
        st.text("Click a bar to see how the energy of that use over the year comes about.")
    with load:
        st.markdown("##### Load duration")
        displays.chart_to_ask(
            lasting, "year-duration", "Curve: for how many hours the meter reads a power or more"
        )
        st.text("Marks: highest hour, 99, 90 and 50 % of the hours. A click on one explains it.")


def _it_load(design: Design, study: AnnualStudy, system: System) -> None:
    """Show the load of the IT where the project says how it runs (``it.load_profile``)."""
    if design.project.it.load_profile is None:
        return
    ink = palette.ink()
    days, lasting = st.columns(2, gap="medium")
    with days:
        st.markdown("##### IT load by day")
        displays.chart_to_ask(
            it_days_figure(study.year, ink, system),
            "year-it-days",
            "Line: mean power of the IT of each day, in a band from its lowest to its highest hour",
            _of_hour,
        )
    with lasting:
        st.markdown("##### IT load duration")
        displays.chart_to_ask(
            it_duration_figure(study.year, float(design.results["load.it"].si), ink, system),
            "year-it-duration",
            "Curve: for how many hours the IT takes a power or more",
        )


def _bill(study: AnnualStudy) -> None:
    """Show the bill of each month where more than energy at one price is charged."""
    bill = study.bill
    if bill is None or bill.tariff.one_price_per_j is not None:
        return
    st.markdown("##### Bill by month")
    displays.chart_to_ask(
        bill_figure(months_of(bill), bill.tariff.currency, palette.ink()),
        "year-bill",
        "Bars: bill of each month, by energy, demand, power factor and fixed charges",
    )


def _page() -> None:
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
    st.page_link(
        "views/start/inputs.py",
        label="Tariff, cost, load and weather are inputs",
        icon=":material/edit:",
    )
    _hours(study, system)
    _charts(system)
    _it_load(design, study, system)
    _bill(study)
    displays.study_tabs(shown, "year", system)
    st.text("\n".join(shown.left_out))


_page()
