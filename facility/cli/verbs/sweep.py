"""The verb sweep: many designs of one project."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import (
    AsJson,
    Force,
    ProjectFile,
    Sets,
    on_terminal,
    read_project,
    stdin_file,
)
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.model.inputs.document import Project
    from facility.study.sweep.plan import Plan
    from facility.study.sweep.study import Progress

Vary = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="PATH=VALUES",
        help="Vary a field: it.gpus=512,1024 or it.gpus=256..1024/256; repeatable.",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", help="Processes on this machine.")]
Scheduler = Annotated[
    str, typer.Option("--scheduler", metavar="ADDRESS", help="Address of a Dask cluster you trust.")
]
_BETWEEN_S = 0.2


@verb("sweep")
def sweep(
    file: ProjectFile = None,
    vary: Vary = None,
    samples: Annotated[
        Path | None,
        typer.Option(
            "--samples", metavar="FILE", help="CSV: field paths as headings, one design per row."
        ),
    ] = None,
    sites: Annotated[
        str | None,
        typer.Option("--sites", metavar="LIST", help="Stations or EPW files, comma-separated."),
    ] = None,
    studies: Annotated[
        str, typer.Option("--studies", metavar="LIST", help="Studies to run per design, or all.")
    ] = "sizing,year",
    results: Annotated[
        str | None, typer.Option("--results", metavar="LIST", help="Keys of the results to write.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the rows: .csv or .parquet."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume: add the missing rows to the file.")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    sets: Sets = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Design all combinations of varied fields, one row each."""
    from facility.cli.output import is_stream, output_file
    from facility.cli.views.study import show_study
    from facility.files.sweep.store import run_to_file
    from facility.report.studies.sweep import ManyDesigns
    from facility.study.sweep.engine import Engine
    from facility.study.sweep.study import run_plan

    engine = Engine(jobs, scheduler)
    project = read_project(file, sets)
    plan = _plan(project, vary, samples, sites, (studies, results))
    if out is not None:
        if resume and is_stream(out):
            raise FacilityError("OPTIONS", "--resume", "--resume requires a file.", "Omit it.")
        with output_file(out, ".csv") as target:
            found, before = run_to_file(
                plan, target, engine, show_progress(), resume=resume, force=force
            )
    else:
        found, before = run_plan(plan, engine, show_progress()), 0
    show_study(ManyDesigns(project, found, before), "si", json=json, checks=False)


def _plan(
    project: Project,
    vary: list[str] | None,
    samples: Path | None,
    sites: str | None,
    requested: tuple[str, str | None],
) -> Plan:
    """Return the plan of the options; `requested` are studies and results."""
    from facility.files.sweep.samples import read_samples
    from facility.study.sweep.axes import axis_of
    from facility.study.sweep.plan import planned, sites_axis

    axes = [axis_of(text) for text in vary or ()]
    if samples is not None:
        axes.append(read_samples(stdin_file(samples, ".csv")))
    if sites is not None:
        axes.append(sites_axis(words(sites)))
    studies, results = requested
    return planned(project, axes, words(studies), words(results or ""))


def words(text: str) -> list[str]:
    """Return the words of a list separated by commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def show_progress() -> Progress | None:
    """Return a function that writes the progress on a terminal; None without one."""
    shown = on_terminal(lambda done, of: f"{done:,} of {of:,} designs ")
    if shown is None:
        return None
    last = 0.0

    def report(done: int, of: int) -> None:
        nonlocal last
        if done == of or time.monotonic() - last >= _BETWEEN_S:
            last = time.monotonic()
            shown(done, of)

    return report
