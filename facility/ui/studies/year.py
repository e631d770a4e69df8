"""Year: hourly simulation of the design over a typical year."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from facility.core.table import Results
from facility.core.views import System
from facility.report.book.record import check_table
from facility.report.drawings.charts.kit.chart import Chart
from facility.report.drawings.charts.year import (
    bill_chart,
    duration_chart,
    hour_chart,
    hour_map,
    it_days_chart,
    it_duration_chart,
    month_chart,
    series_of,
    week_chart,
)
from facility.report.studies.annual import Annual
from facility.report.tables.bill import months_of
from facility.report.why.known import Known
from facility.report.why.pages import of_hour
from facility.study.annual.result import AnnualStudy
from facility.study.design.design import Design
from facility.ui.blocks.blocks import (
    Beside,
    Block,
    ChartBlock,
    ChartChoice,
    Controls,
    Kpi,
    Numbers,
    Tabs,
    TextBlock,
    cells_of,
    loading,
)
from facility.ui.session import cooling_study, state, year_hour
from facility.ui.session.state import of_design
from facility.ui.shell.views import ViewLine
from facility.ui.studies import lines
from facility.ui.studies.frame import StudyView
from facility.ui.work.ready import ready

_KPIS: tuple[Kpi, ...] = (
    ("", "pue.annual", "pue.design", "Design hour {}"),
    ("", "energy.annual", "energy.annual.it", "IT {}"),
    ("", "annual.peak", "annual.peak.hour", "Hour {} of the year"),
    ("", "wue.site", "water.annual", "Make-up water {}"),
    ("", "cue", "carbon.annual", "CO2 {}"),
    ("", "cost.annual", "cost.price", "{}, all charges"),
)
_LOADING = ("Annual PUE", "Annual energy", "Annual peak", "WUE, site", "CUE", "Annual cost")
_OWNED: tuple[Kpi, ...] = (
    ("", "cost.gpu_hour", "cost.unpriced", "{} of the cost items without a price"),
)
_WHAT_TO_GIVE = (
    "Choose a weather station in the settings, whose hourly weather is included, or load your own "
    "EPW or TMY3 weather file in Design, All inputs."
)
_SETTINGS = (
    ("Weather", "site.station"),
    ("IT load over the year", "it.load_factor"),
    ("Energy price", "site.tariff"),
    ("Grid carbon intensity", "site.grid_carbon"),
    ("Supply air", "cooling.supply_air"),
)


def _year(design: Design) -> AnnualStudy:
    study = design.year
    assert study is not None, "a page without a year shows why"
    return study


@of_design()
def _map(design: Design, chosen: str, system: System) -> Chart:
    return hour_chart(hour_map(_year(design), chosen), system)


@of_design()
def _week(design: Design, index: int, system: System) -> Chart:
    return week_chart(_year(design).year, index, system)


@of_design()
def _months(design: Design, system: System) -> tuple[Chart, Chart]:
    """Return the charts of monthly energy and load duration."""
    study = _year(design)
    return (
        month_chart(study.months, system),
        duration_chart(study.year, design.point.facility_w, system),
    )


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield energy, water, carbon and cost of a year, its hours, months and limits."""
    if not ready("year"):
        yield loading(_LOADING, "year-loading")
        return
    study = design.year
    if study is None:
        yield TextBlock(_missing(design), "No annual simulation", "over")
        return
    shown, results = Annual(design, study), design.results | study.results
    yield TextBlock("\n".join(shown.opening()))
    kpis = [kpi for kpi in _KPIS if kpi[1] in results]
    kpis += [kpi for kpi in _OWNED if kpi[1] in results]
    yield Numbers(cells_of(results, kpis, system), "year-numbers")
    yield from _hours(study, system)
    by_month, lasting = _months(system)
    yield Beside(
        (
            ChartBlock(
                "Energy by month",
                by_month,
                "year-months",
                "Bar chart: monthly energy by end use, and monthly PUE",
            ),
            ChartBlock(
                "Load duration",
                lasting,
                "year-duration",
                "Load duration curve: hours per year at or above each power",
            ),
        )
    )
    yield from _it_load(design, study, system)
    yield from _bill(study)
    yield Tabs([*shown.tables(system), check_table(shown.checks, system)], "year")
    yield TextBlock("\n".join(shown.left_out))


def _missing(design: Design) -> str:
    """Return why there is no annual study, and the next step."""
    if design.weather_year is not None:
        return design.year_refusal
    site = design.facility.site
    near = "" if design.project.site.latitude is None else f" {site.nearest}"
    return f"No hourly weather applies to {site.place}.{near}\n{_WHAT_TO_GIVE}"


def _hours(study: AnnualStudy, system: System) -> Iterator[Block]:
    """Yield a series by hour, the selected hour, and its week."""
    choice = ChartChoice("Quantity", series_of(study), "year-series")
    yield ChartBlock(
        "Every hour of the year",
        _map(choice.value, system),
        "year-hours",
        f"Heat map: {choice.names[choice.value]} by day of the year and hour of the day",
        choice=choice,
        picked=lambda index: year_hour.choose(study.year.hours.hour(index)),
        chosen=year_hour.index_of(study.year),
    )
    yield Controls(lambda: _hour(study, system))
    yield ChartBlock(
        "Week of the selected hour",
        _week(year_hour.index_of(study.year), system),
        "year-week",
        "Stacked bar chart: hourly power by end use, week around the selected hour",
        page=_of_hour,
    )


def _hour(study: AnnualStudy, system: System) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        index = year_hour.chosen(study.year)
        if st.button("Show hour in Design", icon=":material/mode_fan:", key="year-to-cooling"):
            st.session_state["cooling-hour"] = "year"
            state.go_to("design", "cooling")
    st.text(year_hour.description(study.year, index, system))


def _of_hour(index: str) -> Known | None:
    """Return the explanations of the figures of an hour; None for the whole year."""
    year = _year(state.current()).year
    return of_hour(cooling_study.hour_of(year, int(index))) if index else None


def _it_load(design: Design, study: AnnualStudy, system: System) -> Iterator[Block]:
    """Yield the IT load where the project states a load profile."""
    if design.project.it.load_profile is None:
        return
    yield Beside(
        (
            ChartBlock(
                "IT load by day",
                it_days_chart(study.year, system),
                "year-it-days",
                "Line chart: daily mean IT power, with the band from minimum to maximum hour",
                page=_of_hour,
            ),
            ChartBlock(
                "IT load duration",
                it_duration_chart(study.year, float(design.results["load.it"].si), system),
                "year-it-duration",
                "Load duration curve: hours per year at or above each IT power",
            ),
        )
    )


def _bill(study: AnnualStudy) -> Iterator[Block]:
    """Yield the monthly bill, unless the tariff is a single energy price."""
    bill = study.bill
    if bill is not None and bill.tariff.one_price_per_j is None:
        yield ChartBlock(
            "Bill by month",
            bill_chart(months_of(bill), bill.tariff.currency),
            "year-bill",
            "Bar chart: monthly bill by energy, demand, power factor and fixed charges",
        )


def _line() -> ViewLine:
    if state.current().weather_year is None:
        return ViewLine("No hourly weather", "No weather", "over")
    return lines.of_part("year", lambda design: _words(_year(design).results), _words)


def _words(results: Results) -> str:
    if "pue.annual" not in results:
        return ""
    return f"PUE {results['pue.annual'].shown()}, {results['energy.annual'].short()}"


YEAR = StudyView("year", "Year", _blocks, _line, _SETTINGS)
