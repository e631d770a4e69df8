"""The verb failures: outages of the power network."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Full,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)


@verb("failures")
def failures(
    file: ProjectFile = None,
    sets: Sets = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth",
            metavar="N",
            help="1: single outages; 2: also outages during maintenance, down to the panels.",
        ),
    ] = 1,
    every: Annotated[
        bool, typer.Option("--all", help="Solve every outage, not one per identical group.")
    ] = False,
    states: Annotated[
        int | None,
        typer.Option(
            "--states",
            min=0,
            metavar="N",
            help="Number of states to print, worst first: 8, or 20 with --full.",
        ),
    ] = None,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Simulate power outages and maintenance: verdicts, overloads."""
    from facility.cli.views import summary
    from facility.cli.views.screen import progress
    from facility.cli.views.study import show_study
    from facility.report.studies.failures import Failures
    from facility.study.failures.study import failures as study_failures

    result = designed(file, sets)
    report = progress()
    study = study_failures(result, depth, not every, report)
    if report is not None:
        sys.stderr.write("\n")
    shown = (20 if full else 8) if states is None else states
    brief = None if full else summary.failures
    show_study(Failures(result, study, shown), units.value, json=json, summary=brief)
    fail_if(study.checks, fail_on)
