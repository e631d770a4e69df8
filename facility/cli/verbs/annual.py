"""The verb annual: a typical year."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Force,
    Full,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)


@verb("annual")
def annual(
    file: ProjectFile = None,
    sets: Sets = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write hourly results to this CSV file."),
    ] = None,
    force: Force = False,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Simulate a typical year: energy, PUE, water, cost."""
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.report.studies.annual import Annual
    from facility.study.annual.study import annual as study_annual

    result = designed(file, sets)
    study = study_annual(result)
    if out is not None:
        from facility.cli.output import write_file
        from facility.report.tables.hours import hours_csv

        write_file(out, hours_csv(study.year).encode(), force=force)
    brief = None if full else summary.annual
    show_study(Annual(result, study), units.value, json=json, summary=brief)
    fail_if(study.checks, fail_on)
