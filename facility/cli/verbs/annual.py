"""The verb that follows a design through the hours of a year: annual."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Force,
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
        Path | None, typer.Option("--out", help="Write every hour to this CSV file.")
    ] = None,
    force: Force = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Run the designed facility through a typical year: energy, PUE, water, carbon."""
    from facility.cli.views.study import show_study
    from facility.report.studies.annual import Annual
    from facility.study.annual.study import annual as study_annual

    result = designed(file, sets)
    study = study_annual(result)
    if out is not None:
        from facility.files.io.atomic import write_bytes
        from facility.report.tables.hours import hours_csv

        write_bytes(out, hours_csv(study.year).encode(), force=force)
    show_study(Annual(result, study), units.value, json=json)
    fail_if(study.checks, fail_on)
