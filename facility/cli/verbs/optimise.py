"""The verb optimise: a search for the best designs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import AsJson, Force, ProjectFile, Sets, read_project
from facility.cli.verbs.sweep import Jobs, Scheduler, show_progress, words
from facility.core.errors import FacilityError

Frees = Annotated[
    list[str] | None,
    typer.Option(
        "--free",
        metavar="PATH=VALUES",
        help="Design variable: PATH=LO..HI, PATH=LO..HI/STEP or PATH=A,B,C; repeatable.",
    ),
]
Limits = Annotated[
    list[str] | None,
    typer.Option(
        "--subject-to",
        metavar="LIMIT",
        help="Constraint: verdict (default), a flag, KEY<=VALUE or KEY>=VALUE; repeatable.",
    ),
]


@verb("optimise")
def optimise(
    file: ProjectFile = None,
    free: Frees = None,
    minimise: Annotated[
        str,
        typer.Option(
            "--minimise",
            metavar="LIST",
            help="cost, capital, electricity, energy, water, pue, carbon or result keys.",
        ),
    ] = "energy",
    subject_to: Limits = None,
    studies: Annotated[
        str, typer.Option("--studies", metavar="LIST", help="Studies to run per design, or all.")
    ] = "sizing,year",
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="Maximum number of designs.")
    ] = 400,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", help="Random seed; equal seeds give equal results."),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="Write the Pareto front as project files."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the search recorded in the folder.")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    sets: Sets = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Search for designs of lowest cost, energy, water or PUE."""
    from facility.cli.output import is_stream
    from facility.cli.views.study import show_study
    from facility.files.sweep.front import run_to_folder
    from facility.report.studies.sweep import BestDesigns
    from facility.study.optimise.limits import VERDICT, stated_limit
    from facility.study.optimise.problem import optimisation_problem
    from facility.study.optimise.study import Terms, search
    from facility.study.optimise.variables import design_variable
    from facility.study.sweep.engine import Engine

    terms = Terms(budget, seed, Engine(jobs, scheduler))
    project = read_project(file, sets)
    fields = [design_variable(text) for text in free or ()]
    limits = [stated_limit(text) for text in subject_to or (VERDICT,)]
    problem = optimisation_problem(project, fields, words(minimise), limits, words(studies))
    progress = show_progress()
    report = None if progress is None else lambda count: progress(count, budget)
    if out is not None:
        if is_stream(out):
            raise FacilityError(
                "OPTIONS", "--out", "a folder cannot be standard output.", "Enter a folder."
            )
        found = run_to_folder(problem, out, terms, report, resume=resume, force=force)
    else:
        record = None if report is None else lambda row: report(row.number)
        found = search(problem, terms, record)
    show_study(BestDesigns(project, found), "si", json=json, checks=False)
