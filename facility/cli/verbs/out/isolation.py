"""The verb export isolation: switching steps that isolate equipment for maintenance."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import (
    AsJson,
    Force,
    Full,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
)


@verb("export isolation")
def export_isolation(
    file: ProjectFile = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="TAG",
            help="Equipment, unit, circuit, rack or cooling unit; without it, one row for each.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="CSV or XLSX to write; - for CSV."),
    ] = None,
    sets: Sets = None,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    force: Force = False,
) -> None:
    """Write the isolation of equipment: steps, lockout points, exposed load."""
    from facility.cli.output import is_stream, message, write_file
    from facility.cli.views.study import show_study
    from facility.files.io.file_names import refuse_suffix
    from facility.files.tables_csv import rows_csv
    from facility.files.workbook.split import isolation_workbook, write_book
    from facility.report.studies.lists.isolation import IsolationReport, IsolationSummary
    from facility.study.isolation.study import isolation, isolations

    workbook = out is not None and out.suffix.lower() == ".xlsx"
    if out is not None and not workbook and not is_stream(out):
        refuse_suffix(out, ".csv")
    design = designed(file, sets)
    found = isolations(design) if tag is None else (isolation(design, tag),)
    report = (
        IsolationSummary(design, found, full)
        if tag is None
        else IsolationReport(design, found[0], full)
    )
    if out is None or json:
        show_study(report, units.value, json=json, checks=False)
    if out is None:
        return
    if workbook:
        write_book(partial(isolation_workbook, found), design, out, force=force)
    else:
        write_file(out, rows_csv(report.csv_rows()), force=force)
    if not is_stream(out):
        message(f"wrote {out}")
