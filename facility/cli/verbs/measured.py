"""The verbs import measured and import tariff: meter logs and rates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import AsJson, FailOnOption, Force, UnitsOption, UnitSystem, designed


def _option(name: str, metavar: str, text: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(name, metavar=metavar, help=text)
    return found


@verb("import measured")
def import_measured(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Meter log or branch readings (.csv, .csv.gz).")
    ],
    project: Annotated[
        Path | None, _option("--project", "FILE", "Project to compare with; default: the example.")
    ] = None,
    it: Annotated[
        list[str] | None, _option("--it", "HEADING", "IT power column; repeat to sum several.")
    ] = None,
    facility: Annotated[
        list[str] | None,
        _option("--facility", "HEADING", "Facility power column; repeat to sum several."),
    ] = None,
    dry_bulb: Annotated[str, _option("--dry-bulb", "HEADING", "Outdoor dry-bulb column.")] = "",
    time: Annotated[
        list[str] | None, _option("--time", "HEADING", "Time column; repeat for date and time.")
    ] = None,
    unit: Annotated[str, _option("--unit", "UNIT", "Unit for columns without one.")] = "",
    quantity: Annotated[
        str, _option("--quantity", "WORD", "Type of readings: power, energy or register.")
    ] = "",
    time_zone: Annotated[
        str, _option("--time-zone", "ZONE", "Time zone: UTC, hours from UTC, America/New_York.")
    ] = "",
    stamps: Annotated[
        str, _option("--stamps", "WORD", "Timestamps mark the start or end of intervals.")
    ] = "",
    gaps: Annotated[
        str, _option("--gaps", "WORD", "Gaps over 6 h: leave_out, previous_week, mean or stop.")
    ] = "leave_out",
    year: Annotated[
        int | None, _option("--year", "YEAR", "Calendar year to read from a longer file.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write hourly values as CSV.")
    ] = None,
    force: Force = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Compare meter readings with the design: PUE, panels.

    From a log with time, IT power, facility power and optionally outdoor dry bulb: hourly PUE, and
    its difference from the model, divided into load, weather and equipment. From a table with
    panel, circuit and phase currents: phases, imbalance, headroom and moves.
    """
    from facility.catalogue.series import Reading, checked_reading
    from facility.cli.views.study import show_study
    from facility.report.studies.measured import MeterLogReport, readings_csv
    from facility.study.measured.log import LogColumns
    from facility.study.measured.readings import is_branch_file
    from facility.study.measured.study import measured

    if is_branch_file(file):
        from facility.report.studies.branches import BranchReport
        from facility.study.measured.branches import measured_branches

        found = designed(project, None)
        branches = measured_branches(found, file)
        show_study(BranchReport(found, branches), units.value, json=json)
        fail_if(branches.checks, fail_on)
        return
    named = " + ".join(time or ())
    options = Reading("", unit, quantity, time_zone, stamps, gaps, year, time=named)
    reading = checked_reading(options)
    design = designed(project, None)
    columns = LogColumns(tuple(it or ()), tuple(facility or ()), dry_bulb)
    study = measured(design, file, columns=columns, reading=reading)
    if out is not None:
        from facility.cli.output import write_file

        write_file(out, readings_csv(study).encode(), force=force)
    show_study(MeterLogReport(design, study), units.value, json=json)
    fail_if(study.checks, fail_on)


@verb("import tariff")
def import_tariff(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Rate from the Utility Rate Database (.json).")
    ],
    project: Annotated[Path | None, _option("--project", "FILE", "Project to update.")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="FIELD", help="Omit this charge; repeatable."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Project file to write; default: print the tariff."
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Import a rate from the Utility Rate Database.

    A charge that is not supported is rejected with its field name.
    """
    from facility.cli import output
    from facility.cli.options import read_project
    from facility.files.project.file import default_project, dump_project
    from facility.files.project.safe_yaml import yaml_text
    from facility.files.urdb import urdb_tariff, with_tariff

    section = urdb_tariff(file, without or ())
    base = default_project() if project is None else read_project(project, None)
    changed = with_tariff(base, section)
    if out is None:
        output.print_lines(yaml_text({"site": {"tariff": section}}).splitlines())
        return
    output.write_file(out, dump_project(changed).encode(), force=force)
    output.message(f"wrote {out}")
