"""The verb that fails everything in turn: failures."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)

_SHOWN = 20


@verb("failures")
def failures(
    file: ProjectFile = None,
    sets: Sets = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", help="1: single outages; 2: also losses in maintenance, to the panels."
        ),
    ] = 1,
    every: Annotated[
        bool, typer.Option("--all", help="Solve every outage, also those like another one.")
    ] = False,
    states: Annotated[
        int, typer.Option("--states", min=0, help="How many states to print, worst first.")
    ] = _SHOWN,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Fail and maintain everything in turn: load dropped, overloads, verdicts."""
    from facility.cli.views.screen import progress
    from facility.cli.views.study import show_study
    from facility.report.studies.failures import Failures
    from facility.study.failures.study import failures as study_failures

    result = designed(file, sets)
    study = study_failures(result, depth, not every, progress())
    if sys.stderr.isatty() and not json:
        sys.stderr.write("\n")
    show_study(Failures(result, study, states), units.value, json=json)
    fail_if(study.checks, fail_on)
