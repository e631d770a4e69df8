"""The verbs that show what the tool knows: catalogue and verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import EXIT_CHECK_FAILED, verb
from facility.cli.options import AsJson


@verb("catalogue")
def catalogue(
    table: Annotated[
        str | None, typer.Argument(help="Table, e.g. equipment/servers. Without it: the list.")
    ] = None,
    key: Annotated[str | None, typer.Argument(help="Key of one row.")] = None,
    json: AsJson = False,
) -> None:
    """List the tables of the catalogue, one table, or one row with its source."""
    from facility.catalogue import table_names
    from facility.cli.views.study import show_study
    from facility.core.errors import unknown
    from facility.report.studies.known import CatalogueShown

    known = table_names()
    if table is not None and table not in known:
        raise unknown(
            "UNKNOWN_TABLE", "catalogue", f"there is no table {table[:60]!r}.", table, known
        )
    show_study(CatalogueShown(table, key), "si", json=json, checks=False)


@verb("verify")
def verify(
    file: Annotated[
        Path | None, typer.Argument(help="Workbook written by facility: recompute it and compare.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Compute the verification manual, or recompute a workbook and say same or different."""
    if file is None:
        _verify_cases(json)
    else:
        _verify_file(file, json)


def _verify_cases(json: bool) -> None:
    from facility.cli.views.findings import print_cases
    from facility.cli.views.study import show_study
    from facility.report.studies.known import ManualShown
    from facility.study.verification import run_cases

    shown = ManualShown(run_cases())
    if not json:
        print_cases(shown.outcomes)
    show_study(shown, "si", json=json, checks=False)
    if "cases.fail" in shown.results:
        sys.exit(EXIT_CHECK_FAILED)


def _verify_file(file: Path, json: bool) -> None:
    from facility.cli.views.study import show_study
    from facility.files.workbook.verify import verify_workbook

    report = verify_workbook(file)
    show_study(report, "si", json=json, checks=False)
    if not report.same:
        sys.exit(EXIT_CHECK_FAILED)
