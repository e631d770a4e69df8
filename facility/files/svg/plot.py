"""The charts of the app for programs: a design or a study as SVG that a notebook displays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from facility.core.errors import FacilityError, near_matches, refuse_other
from facility.core.views import System
from facility.files.svg.chart import chart_svg
from facility.files.svg.drawn import SvgDrawing
from facility.report.drawings.charts.bars import heat_split, pue_stack
from facility.report.drawings.charts.compare import power_by_method, power_over_density
from facility.report.drawings.charts.kit.chart import Chart
from facility.report.drawings.charts.load import load_charts
from facility.report.drawings.charts.measured import difference_chart, pue_chart
from facility.report.drawings.charts.power_flow import power_flow
from facility.report.drawings.charts.ranges import tornado_chart, tornadoes
from facility.report.drawings.charts.ride_through import ride_chart
from facility.report.drawings.charts.year import (
    duration_chart,
    hour_chart,
    hour_map,
    it_days_chart,
    month_chart,
    series_of,
)
from facility.report.tables.ride_events import focus_s, ride_events
from facility.study.annual.result import AnnualStudy
from facility.study.compare.ways import CoolingComparison
from facility.study.design.design import Design
from facility.study.measured.study import MeasuredStudy
from facility.study.ranges.result import RangesStudy
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

Plotted = (
    Design
    | AnnualStudy
    | MeasuredStudy
    | RangesStudy
    | CoolingComparison
    | TransientStudy
    | LoadStudy
)
_Charts = Mapping[str, Callable[[], Chart]]
_NAMES = (
    "Design or AnnualStudy or MeasuredStudy or RangesStudy or CoolingComparison or TransientStudy "
    "or LoadStudy"
)


def plot(of: Plotted, what: str = "", *, system: System = "si") -> SvgDrawing:
    """Return a chart of a design or of a study, as the app displays it on a light page.

    Parameters
    ----------
    of : Design, AnnualStudy, MeasuredStudy, RangesStudy, Comparison, TransientStudy or LoadStudy
        What to plot.
    what : str
        Name of the chart; the first of those available if omitted. Design: ``power flow``, ``PUE``,
        ``heat``, ``load duration``. Year: ``months``, ``IT load by day``, or a quantity by the
        hour (``pue``, ...). Meter log: ``PUE by hour``, ``difference``. Ranges: a result, e.g.
        ``pue.annual``. Comparison: ``power``, ``density``. Transient: the id of a case. Load:
        ``profile``, ``steps``, ``spectrum``.
    system : {"si", "ip"}
        Units displayed.

    Raises
    ------
    FacilityError
        ``INPUT_TYPE`` for another object; ``OPTIONS`` for a chart that it does not have.
    """
    refuse_other(of, _NAMES, "of", "Supply a design or a study result.")
    charts = _charts(of, system)
    name = what or next(iter(charts), "")
    if name not in charts:
        message = f"{str(what)[:40]!r} is not available for this object."
        hint = near_matches(str(what), charts) or f"Charts: {', '.join(charts) or 'none'}."
        raise FacilityError("OPTIONS", "what", message, hint)
    chart = charts[name]()
    return SvgDrawing(chart.title, chart_svg([chart]))


def _charts(of: Plotted, system: System) -> _Charts:
    """Return the charts of an object by name."""
    if isinstance(of, Design):
        results = of.results
        return {
            "power flow": partial(power_flow, results),
            "PUE": partial(pue_stack, results),
            "heat": partial(heat_split, results, system),
            "load duration": partial(_duration, of, system),
        }
    if isinstance(of, AnnualStudy):
        return {
            "months": partial(month_chart, of.months, system),
            "IT load by day": partial(it_days_chart, of.year, system),
            **{name: partial(_hour_chart, of, name, system) for name in series_of(of)},
        }
    if isinstance(of, MeasuredStudy):
        return {"PUE by hour": partial(pue_chart, of), "difference": partial(difference_chart, of)}
    if isinstance(of, RangesStudy):
        return {one.key: partial(tornado_chart, one, system) for one in tornadoes(of)}
    if isinstance(of, CoolingComparison):
        return {"power": partial(power_by_method, of), "density": partial(power_over_density, of)}
    if isinstance(of, TransientStudy):
        return {one.case.id: partial(_ride, of, one, system) for one in of.cases}
    charts = load_charts(of)
    return {name: partial(charts.__getitem__, name) for name in charts}


def _duration(design: Design, system: System) -> Chart:
    if design.year is None:
        raise FacilityError("OPTIONS", "what", design.year_refusal, "Enter a weather record.")
    return duration_chart(design.year.year, design.point.facility_w, system)


def _hour_chart(study: AnnualStudy, name: str, system: System) -> Chart:
    return hour_chart(hour_map(study, name), system)


def _ride(study: TransientStudy, found: RideResult, system: System) -> Chart:
    events = ride_events(study, found)
    return ride_chart(study, found, events, focus_s(found, events), system)
