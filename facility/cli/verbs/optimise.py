"""The verb that looks for the best designs: optimise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import AsJson, Force, ProjectFile, Sets, read_project
from facility.cli.verbs.sweep import Jobs, Scheduler, show_progress, words

Frees = Annotated[
    list[str] | None,
    typer.Option("--free", help="path=lo..hi, path=lo..hi/step or path=a,b,c; may be repeated."),
]
Limits = Annotated[
    list[str] | None,
    typer.Option("--subject-to", help="verdict (the default), a flag, KEY<=VALUE, KEY>=VALUE."),
]


@verb("optimise")
def optimise(
    file: ProjectFile = None,
    free: Frees = None,
    minimise: Annotated[
        str,
        typer.Option(
            "--minimise", help="cost, capital, electricity, energy, water, pue, carbon or keys."
        ),
    ] = "energy",
    subject_to: Limits = None,
    studies: Annotated[
        str, typer.Option("--studies", help="Studies of each design, with commas; or all.")
    ] = "sizing,year",
    budget: Annotated[int, typer.Option("--budget", help="Most designs that are made.")] = 400,
    seed: Annotated[int, typer.Option("--seed", help="The same seed finds the same.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the front as project files.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the designs of the folder, make the others.")
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = "",
    sets: Sets = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Choose free fields for the least cost, energy, water or PUE; the front as project files."""
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
    quest = optimisation_problem(project, fields, words(minimise), limits, words(studies))
    progress = show_progress()
    tell = None if progress is None else lambda made: progress(made, budget)
    if out is not None:
        found = run_to_folder(quest, out, terms, tell, resume=resume, force=force)
    else:
        record = None if tell is None else lambda row: tell(row.number)
        found = search(quest, terms, record)
    show_study(BestDesigns(project, found), "si", json=json, checks=False)
