"""Job load: load swings of a training job, storage to limit them, and grid sags."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.table import Results
from facility.core.views import System
from facility.report.book.record import check_table
from facility.report.drawings.charts.kit.chart import Chart
from facility.report.drawings.charts.load import load_charts
from facility.report.studies.load_motion import LoadMotionShown
from facility.study.design.design import Design
from facility.ui.blocks.blocks import (
    Block,
    ChartBlock,
    ChartChoice,
    Kpi,
    Numbers,
    Tabs,
    TextBlock,
    cells_of,
    loading,
)
from facility.ui.session.state import of_design
from facility.ui.studies import lines
from facility.ui.studies.frame import StudyView
from facility.ui.work.ready import ready

_KPIS: tuple[Kpi, ...] = (
    ("", "swing.utility", "swing.highest", "Maximum power {}"),
    ("", "swing.utility.ramp", "swing.after.ramp", "With storage {}"),
    ("", "swing.band", "swing.band.rms", "{} RMS"),
    ("", "swing.storage.power", "swing.storage.ramp", "Ramp limit {}"),
    ("", "swing.storage.nominal", "swing.storage.loss", "Loss {} per year"),
    ("Dummy-load energy per year", "swing.burn", "swing.burn.cost", "Energy cost {} per year"),
)
_LOADING = ("Range at the utility", "Ramp at the utility", "Storage power", "Storage energy")
_SETTINGS = (
    ("Ramp limit", "site.grid.ramp_limit"),
    ("Range limit", "site.grid.range_limit"),
    ("Step time", "it.job.step_time"),
    ("Communication power", "it.job.communication_power"),
)
_VIEWS = {"profile": "Full profile", "steps": "Detail of a few steps"}


@of_design()
def _figures(design: Design) -> dict[str, Chart]:
    study = design.moving_load.study
    assert study is not None, "a page without a study shows why"
    return load_charts(study)


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield the effect of the load of a training job on the supply."""
    if not ready("load"):
        yield loading(_LOADING, "load-loading")
        return
    study = design.moving_load.study
    if study is None:
        yield TextBlock(design.moving_load.refusal, "Job load not simulated", "over")
        return
    shown = LoadMotionShown(design, study)
    yield TextBlock("\n".join(shown.opening()))
    yield Numbers(cells_of(study.results, _KPIS, system), "load-numbers")
    charts = _figures()
    choice = ChartChoice("Time span", _VIEWS, "load-time")
    yield ChartBlock(
        "Power at the utility meter",
        charts.get(choice.value, charts["profile"]),
        "load-time-chart",
        "Line chart: power at the utility meter over time, without and with storage",
        choice=choice,
    )
    yield ChartBlock(
        "Load spectrum",
        charts["spectrum"],
        "load-spectrum",
        "Line chart: amplitude at the utility meter vs. frequency, without and with storage",
    )
    yield Tabs([*shown.tables(system), check_table(shown.checks, system)], "load")
    yield TextBlock("\n".join(shown.left_out))


def _line(design: Design) -> str:
    study = design.moving_load.study
    return "Not simulated" if study is None else _words(study.results)


def _words(results: Results) -> str:
    if "swing.utility" not in results:
        return ""
    return f"Range {results['swing.utility'].short()}"


JOB_LOAD = StudyView(
    "job-load", "Job load", _blocks, lambda: lines.of_part("load", _line, _words), _SETTINGS
)
