"""The verb that follows a design through the failures of its cooling: transient."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import fail_if, guarded
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Force,
    ProjectFile,
    Sets,
    Units,
    UnitSystem,
    designed,
)

if TYPE_CHECKING:
    from facility.study.transient.study import TransientStudy

_CURVE_HEADS = ("case", "quantity", "time_s", "temperature_c")


def register(cli: typer.Typer) -> None:
    """Add the verb of this module to the command line."""
    cli.command("transient")(transient)


@guarded("transient")
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
    every: Annotated[
        float, typer.Option("--every", min=1.0, help="Seconds between the rows of --out.")
    ] = 5.0,
    force: Force = False,
    units: UnitSystem = Units.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Follow temperatures through failures: what overheats first, and when."""
    from facility.cli.views.study import show_study
    from facility.report.studies.transient import Transient
    from facility.study.transient.study import transient as study_transient

    result = designed(file, sets)
    study = study_transient(result, tuple(case or ()))
    if out is not None:
        _write(study, out, every, force)
    show_study(Transient(result, study), units.value, json=json)
    fail_if(study.checks, fail_on)


def _write(study: TransientStudy, out: Path, every_s: float, force: bool) -> None:
    import csv
    import io

    from facility.files.io.atomic import write_bytes

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CURVE_HEADS)
    for id, name, time_s, value_c in study.rows(every_s):
        writer.writerow((id, name, f"{time_s:g}", f"{value_c:.3f}"))
    write_bytes(out, text.getvalue().encode("utf-8"), force=force)
