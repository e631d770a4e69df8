"""The verb transient: cooling failures and dynamic loads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOn,
    FailOnOption,
    Force,
    Full,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.study.design.design import Design
    from facility.study.transient.study import TransientStudy

_CURVE_HEADS = ("case", "quantity", "time_s", "temperature_c")
_TIME_STEP_S = 5.0


@verb("transient")
def transient(
    file: ProjectFile = None,
    sets: Sets = None,
    case: Annotated[
        list[str] | None,
        typer.Option(
            "--case", metavar="ID", help="Simulate this case only, e.g. utility; repeatable."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the curves to this CSV file."),
    ] = None,
    load: Annotated[
        bool, typer.Option("--load", help="Simulate a training job and voltage sags instead.")
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg", metavar="FILE", help="Draw load and spectrum to this SVG file (with --load)."
        ),
    ] = None,
    every: Annotated[
        float | None,
        typer.Option("--every", min=1.0, metavar="SECONDS", help="Time step of --out: 5 s."),
    ] = None,
    force: Force = False,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Simulate cooling failures, or a training job with --load."""
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.report.studies.transient import Transient
    from facility.study.transient.study import transient as study_transient

    if load:
        _refuse(case, "--case", "a case is a failure of the cooling")
        _refuse(every, "--every", "the rows of --load are the points where its load changes")
        found = designed(file, sets)
        _load(found, out, svg, force=force, units=units, json=json, full=full, fail_on=fail_on)
        return
    _refuse(svg, "--svg", "only --load is drawn")
    result = designed(file, sets)
    study = study_transient(result, tuple(case or ()))
    if out is not None:
        _write(study, out, _TIME_STEP_S if every is None else every, force)
    brief = None if full else summary.transient
    show_study(Transient(result, study), units.value, json=json, summary=brief)
    fail_if(study.checks, fail_on)


def _refuse(given: object, option: str, why: str) -> None:
    """Reject an option that does not apply to the others."""
    if given:
        raise FacilityError("OPTIONS", option, f"{option} does not apply: {why}.", "Omit it.")


def _load(
    result: Design,
    out: Path | None,
    svg: Path | None,
    *,
    force: bool,
    units: UnitsOption,
    json: bool,
    full: bool,
    fail_on: FailOn | None,
) -> None:
    """Simulate the training job of a design."""
    from facility.cli.output import write_file
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.core.table import csv_text
    from facility.files.svg.chart import chart_svg
    from facility.report.drawings.charts.load import load_charts
    from facility.report.studies.load_motion import LoadMotionShown
    from facility.report.tables.load_motion import CURVE_HEADS, curve_rows
    from facility.study.transient.load.study import load_motion

    study = load_motion(result)
    if out is not None:
        rows = (
            [_seconds(time_s), *(f"{value:.6g}" for value in row)]
            for time_s, *row in curve_rows(study)
        )
        write_file(out, csv_text([CURVE_HEADS, *rows]).encode(), force=force)
    if svg is not None:
        drawn = chart_svg([*load_charts(study).values()], result.title)
        write_file(svg, drawn.encode(), force=force)
    brief = None if full else summary.load_swing
    show_study(LoadMotionShown(result, study), units.value, json=json, summary=brief)
    fail_if(study.checks, fail_on)


def _seconds(time_s: float) -> str:
    """Return a time to the millisecond, however long it is."""
    return f"{time_s:.3f}".rstrip("0").rstrip(".")


def _write(study: TransientStudy, out: Path, every_s: float, force: bool) -> None:
    from facility.cli.output import write_file
    from facility.core.table import csv_text

    rows = (
        (id, name, _seconds(time_s), f"{value_c:.3f}")
        for id, name, time_s, value_c in study.rows(every_s)
    )
    write_file(out, csv_text([_CURVE_HEADS, *rows]).encode(), force=force)
