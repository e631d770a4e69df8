"""The charts of the app for programs: a design or a study as a Plotly figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import plotly.graph_objects as go

from facility.core.errors import FacilityError, near_matches, refuse_other
from facility.core.views import System
from facility.report.drawings.charts.line_chart import load_charts
from facility.report.drawings.charts.tornado import tornadoes
from facility.report.drawings.charts.year import hour_map, series_of
from facility.report.tables.ride_events import focus_s, ride_events
from facility.study.annual.result import AnnualStudy
from facility.study.compare.ways import CoolingComparison
from facility.study.design.design import Design
from facility.study.measured.study import MeasuredStudy
from facility.study.ranges.result import RangesStudy
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy
from facility.ui.charts.bars import heat_split, pue_stack
from facility.ui.charts.compare import power_by_method, power_over_density
from facility.ui.charts.load_motion import load_figure
from facility.ui.charts.measured import difference_figure, pue_figure
from facility.ui.charts.palette import LIGHT
from facility.ui.charts.power_flow import power_flow
from facility.ui.charts.ranges import tornado_figure
from facility.ui.charts.ride_through import ride_figure
from facility.ui.charts.year import duration_figure, hour_figure, it_days_figure, month_figure

Plotted = (
    Design
    | AnnualStudy
    | MeasuredStudy
    | RangesStudy
    | CoolingComparison
    | TransientStudy
    | LoadStudy
)
_Charts = Mapping[str, Callable[[], go.Figure]]
_OF_TIME = ("swing.utility", "swing.storage.power")
_OF_SPECTRUM = ("swing.band", "swing.band.after")
_NAMES = (
    "Design or AnnualStudy or MeasuredStudy or RangesStudy or CoolingComparison or TransientStudy "
    "or LoadStudy"
)


def plot(of: Plotted, what: str = "", *, system: System = "si") -> go.Figure:
    """Return a chart of a design or of a study, as the app displays it on a light page.

    Requires the extra ``plots`` (Plotly).

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
    return charts[name]()


def _charts(of: Plotted, system: System) -> _Charts:
    """Return the charts of an object by name."""
    if isinstance(of, Design):
        results = of.results
        return {
            "power flow": partial(power_flow, results, LIGHT),
            "PUE": partial(pue_stack, results, LIGHT),
            "heat": partial(heat_split, results, LIGHT, system),
            "load duration": partial(_duration, of, system),
        }
    if isinstance(of, AnnualStudy):
        return {
            "months": partial(month_figure, of.months, LIGHT, system),
            "IT load by day": partial(it_days_figure, of.year, LIGHT, system),
            **{name: partial(_hour_figure, of, name, system) for name in series_of(of)},
        }
    if isinstance(of, MeasuredStudy):
        return {
            "PUE by hour": partial(pue_figure, of, LIGHT),
            "difference": partial(difference_figure, of, LIGHT),
        }
    if isinstance(of, RangesStudy):
        return {one.key: partial(tornado_figure, one, LIGHT, system) for one in tornadoes(of)}
    if isinstance(of, CoolingComparison):
        return {
            "power": partial(power_by_method, of, LIGHT),
            "density": partial(power_over_density, of, LIGHT),
        }
    if isinstance(of, TransientStudy):
        return {one.case.id: partial(_ride, of, one, system) for one in of.cases}
    *scenes, spectrum = load_charts(of, "Load")
    against_time = zip(("profile", "steps"), scenes, strict=False)
    return {
        **{name: partial(load_figure, chart, _OF_TIME, LIGHT) for name, chart in against_time},
        "spectrum": partial(load_figure, spectrum, _OF_SPECTRUM, LIGHT),
    }


def _duration(design: Design, system: System) -> go.Figure:
    if design.year is None:
        raise FacilityError("OPTIONS", "what", design.year_refusal, "Enter a weather record.")
    return duration_figure(design.year.year, design.point.facility_w, LIGHT, system)


def _hour_figure(study: AnnualStudy, name: str, system: System) -> go.Figure:
    return hour_figure(hour_map(study, name), LIGHT, system)


def _ride(study: TransientStudy, found: RideResult, system: System) -> go.Figure:
    events = ride_events(study, found)
    return ride_figure(study, found, events, focus_s(found, events), LIGHT, system)
