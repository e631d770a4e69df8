"""The verbs of the reference data: catalogue and verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import EXIT_CHECK_FAILED, verb
from facility.cli.options import AsJson, Full, stdin_file


@verb("catalogue")
def catalogue(
    table: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE",
            help="Table (equipment/servers) or model to find (XE9680); default: list tables.",
        ),
    ] = None,
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="Key of one row.")] = None,
    equipment: Annotated[
        Path | None,
        typer.Option(
            "--equipment", metavar="FOLDER", help="Folder of CSV files with own equipment."
        ),
    ] = None,
    full: Full = False,
    json: AsJson = False,
) -> None:
    """List catalogue tables, find a model, or print a row."""
    from facility.catalogue import table_names
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.core.errors import unknown
    from facility.report.studies.known import CatalogueShown

    known = table_names()
    if equipment is not None:
        _use(equipment)
    if table is not None and table not in known and key is not None:
        raise unknown(
            "UNKNOWN_TABLE", "catalogue", f"there is no table {table[:60]!r}.", table, known
        )
    brief = None if full else summary.catalogue
    show_study(CatalogueShown(table, key), "si", json=json, checks=False, summary=brief)


def _use(folder: Path) -> None:
    """Use the own equipment of a folder, and state its rows."""
    from facility.catalogue.loader import activate
    from facility.catalogue.own import with_own_rows
    from facility.cli.output import message
    from facility.files.project.own_tables import folder_files_at, own_tables
    from facility.study.equipped import own_rows_text

    tables = own_tables(folder_files_at(folder))
    found = with_own_rows(tuple((one["table"], tuple(one["rows"])) for one in tables))
    activate(found)
    message(f"own equipment: {own_rows_text(found)}")


@verb("verify")
def verify(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="Workbook written by facility. Default: the cases of the verification manual.",
        ),
    ] = None,
    full: Full = False,
    json: AsJson = False,
) -> None:
    """Recompute a workbook, or the cases of the manual."""
    if file is None:
        _verify_cases(json, full)
    else:
        _verify_file(stdin_file(file, ".xlsx"), json)


def _verify_cases(json: bool, full: bool) -> None:
    from facility.cli.output import print_lines
    from facility.cli.views.findings import print_cases
    from facility.cli.views.study import show_study
    from facility.report.studies.known import ManualShown
    from facility.study.verification import run_cases

    shown = ManualShown(run_cases())
    if not json:
        print_cases(shown.outcomes, every=full)
    show_study(shown, "si", json=json, checks=False)
    if not (json or full):
        print_lines(["--full adds: every case with expected and computed value and source."])
    if "cases.fail" in shown.results:
        sys.exit(EXIT_CHECK_FAILED)


def _verify_file(file: Path, json: bool) -> None:
    from facility.cli.views.study import show_study
    from facility.files.workbook.verify import verify_workbook

    report = verify_workbook(file)
    show_study(report, "si", json=json, checks=False)
    if not report.same:
        sys.exit(EXIT_CHECK_FAILED)
