"""The verb that follows a design through the failures of its cooling: transient."""

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
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.study.transient.study import TransientStudy

_CURVE_HEADS = ("case", "quantity", "time_s", "temperature_c")
_EVERY_S = 5.0


@verb("transient")
def transient(
    file: ProjectFile = None,
    sets: Sets = None,
    case: Annotated[
        list[str] | None,
        typer.Option("--case", help="Follow this case alone, e.g. utility; may be repeated."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write the temperatures against time to this CSV file."),
    ] = None,
    load: Annotated[
        bool, typer.Option("--load", help="Follow a training job and sags of the grid instead.")
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", help="Draw the load against time and its spectrum (with --load)."),
    ] = None,
    every: Annotated[
        float | None,
        typer.Option("--every", min=1.0, help="Seconds between the rows of --out; open: 5."),
    ] = None,
    force: Force = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Follow temperatures through failures, or with --load the power of a training job."""
    from facility.cli.views.study import show_study
    from facility.report.studies.transient import Transient
    from facility.study.transient.study import transient as study_transient

    if load:
        _refuse(case, "--case", "a case is a failure of the cooling")
        _refuse(every, "--every", "the rows of --load stand where its load turns")
        _load(file, sets, out, svg, force=force, units=units, json=json, fail_on=fail_on)
        return
    _refuse(svg, "--svg", "the drawing is of --load")
    result = designed(file, sets)
    study = study_transient(result, tuple(case or ()))
    if out is not None:
        _write(study, out, _EVERY_S if every is None else every, force)
    show_study(Transient(result, study), units.value, json=json)
    fail_if(study.checks, fail_on)


def _refuse(given: object, option: str, why: str) -> None:
    """Refuse an option that does not go with the others."""
    if given:
        raise FacilityError("OPTIONS", option, f"{option} does not apply: {why}.", "Leave it out.")


def _load(
    file: Path | None,
    sets: list[str] | None,
    out: Path | None,
    svg: Path | None,
    *,
    force: bool,
    units: UnitsOption,
    json: bool,
    fail_on: FailOn | None,
) -> None:
    """Follow the training job of a design."""
    from facility.cli.views.study import show_study
    from facility.core.table import csv_text
    from facility.files.io.atomic import write_bytes
    from facility.files.svg.line_chart import load_svg
    from facility.report.studies.load_motion import LoadMotionShown
    from facility.report.tables.load_motion import CURVE_HEADS, curve_rows
    from facility.study.transient.load.study import load_motion

    result = designed(file, sets)
    study = load_motion(result)
    if out is not None:
        rows = (
            [_seconds(time_s), *(f"{value:.6g}" for value in row)]
            for time_s, *row in curve_rows(study)
        )
        write_bytes(out, csv_text([CURVE_HEADS, *rows]).encode(), force=force)
    if svg is not None:
        write_bytes(svg, load_svg(study, result.title).encode("utf-8"), force=force)
    show_study(LoadMotionShown(result, study), units.value, json=json)
    fail_if(study.checks, fail_on)


def _seconds(time_s: float) -> str:
    """Return a time to the millisecond, however long it is."""
    return f"{time_s:.3f}".rstrip("0").rstrip(".")


def _write(study: TransientStudy, out: Path, every_s: float, force: bool) -> None:
    from facility.core.table import csv_text
    from facility.files.io.atomic import write_bytes

    rows = (
        (id, name, _seconds(time_s), f"{value_c:.3f}")
        for id, name, time_s, value_c in study.rows(every_s)
    )
    write_bytes(out, csv_text([_CURVE_HEADS, *rows]).encode(), force=force)
