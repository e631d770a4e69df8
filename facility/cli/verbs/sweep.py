"""The verb that designs many: sweep."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import AsJson, Force, ProjectFile, Sets, on_terminal, read_project

if TYPE_CHECKING:
    from facility.model.inputs.document import Project
    from facility.study.sweep.plan import Plan
    from facility.study.sweep.study import Progress

Vary = Annotated[
    list[str] | None,
    typer.Option("--vary", help="path=v1,v2,... or path=start..stop/step; may be repeated."),
]
Jobs = Annotated[int, typer.Option("--jobs", help="Processes on this machine.")]
Scheduler = Annotated[
    str, typer.Option("--scheduler", help="Address of a Dask cluster that you trust.")
]
_BETWEEN_S = 0.2


@verb("sweep")
def sweep(
    file: ProjectFile = None,
    vary: Vary = None,
    samples: Annotated[
        Path | None, typer.Option("--samples", help="CSV: paths as heads, a design in each row.")
    ] = None,
    sites: Annotated[
        str | None, typer.Option("--sites", help="Weather stations or EPW files, with commas.")
    ] = None,
    studies: Annotated[
        str, typer.Option("--studies", help="Studies of each design, with commas; or all.")
    ] = "sizing,year",
    results: Annotated[
        str | None, typer.Option("--results", help="Keys of the results, with commas.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="File of the rows: .csv or .parquet.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the rows of the file, make the others.")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    sets: Sets = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Design every combination of varied fields; one row each, with results and verdicts."""
    from facility.cli.views.study import show_study
    from facility.files.sweep.store import run_to_file
    from facility.report.studies.sweep import ManyDesigns
    from facility.study.sweep.engine import Engine
    from facility.study.sweep.study import run_plan

    engine = Engine(jobs, scheduler)
    project = read_project(file, sets)
    plan = _plan(project, vary, samples, sites, (studies, results))
    if out is not None:
        found, before = run_to_file(plan, out, engine, show_progress(), resume=resume, force=force)
    else:
        found, before = run_plan(plan, engine, show_progress()), 0
    show_study(ManyDesigns(project, found, before), "si", json=json, checks=False)


def _plan(
    project: Project,
    vary: list[str] | None,
    samples: Path | None,
    sites: str | None,
    asked: tuple[str, str | None],
) -> Plan:
    """Return the plan of the options; `asked` are studies and results."""
    from facility.files.sweep.samples import read_samples
    from facility.study.sweep.axes import axis_of
    from facility.study.sweep.plan import planned, sites_axis

    axes = [axis_of(text) for text in vary or ()]
    if samples is not None:
        axes.append(read_samples(samples))
    if sites is not None:
        axes.append(sites_axis(words(sites)))
    studies, results = asked
    return planned(project, axes, words(studies), words(results or ""))


def words(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def show_progress() -> Progress | None:
    """Return what writes on the terminal how far the sweep is; None without one."""
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
