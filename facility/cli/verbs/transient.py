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
    from facility.study.design.design import Design
    from facility.study.transient.study import TransientStudy


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
    from facility.study.transient.study import transient as study_transient

    result = designed(file, sets)
    study = study_transient(result, tuple(case or ()))
    if out is not None:
        _write(study, out, every, force)
    if json:
        _print_json(study, result)
    else:
        _print_text(study, result.title, units)
    fail_if(study.checks, fail_on)


def _write(study: TransientStudy, out: Path, every_s: float, force: bool) -> None:
    import csv
    import io

    from facility.files.io.atomic import write_bytes
    from facility.report.tables.transient import CURVE_HEADS

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CURVE_HEADS)
    for id, name, time_s, value_c in study.rows(every_s):
        writer.writerow((id, name, f"{time_s:g}", f"{value_c:.3f}"))
    write_bytes(out, text.getvalue().encode("utf-8"), force=force)


def _print_json(study: TransientStudy, result: Design) -> None:
    from facility.cli import output
    from facility.report.tables import transient as tables

    body = output.envelope(
        "transient",
        project=result.project_identity,
        results=study.results.as_json(),
        checks=study.checks,
        assumptions=result.ledger,
        warnings=[*result.warnings, *_REMARKS],
        cases=[tables.case_object(found) for found in study.cases],
    )
    output.print_json(body)


def _print_text(study: TransientStudy, title: str, units: Units) -> None:
    from facility.cli import output
    from facility.cli.views import findings
    from facility.report.tables import transient as tables

    output.print_lines([title, ""])
    output.print_table(
        "Failures at the design hour", tables.CASE_HEADS, tables.case_rows(study, units.value)
    )
    output.print_table("Limits", tables.LIMIT_HEADS, tables.limit_rows(study, units.value))
    findings.print_checks(study.checks, units.value, every=False)
    output.print_lines(_REMARKS)


_REMARKS = (
    "Lumped masses at the design weather: every store is mixed, server fans keep their flow, and "
    "equipment sheds load only above its own limits. All cooling comes back with the last load "
    "step of the generators. Electrical rooms, pipe walls and condenser water hold nothing here.",
    "Cases named ..._on_ups ask what another choice of cooling.on_ups would do; they are not "
    "checked.",
)
