"""The verbs that show what the tool knows: catalogue and verify."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from facility.cli.guard import EXIT_CHECK_FAILED, guarded
from facility.cli.options import AsJson


def register(cli: typer.Typer) -> None:
    """Add the verbs of this module to the command line."""
    cli.command("catalogue")(catalogue)
    cli.command("verify")(verify)


@guarded("catalogue")
def catalogue(
    table: Annotated[
        str | None, typer.Argument(help="Table, e.g. equipment/servers. Without it: the list.")
    ] = None,
    key: Annotated[str | None, typer.Argument(help="Key of one row.")] = None,
    json: AsJson = False,
) -> None:
    """List the tables of the catalogue, one table, or one row with its source."""
    from facility.catalogue import table_names
    from facility.cli import output
    from facility.core.errors import unknown
    from facility.report.tables.catalogue import narrowed, row_view, table_list, table_view

    known = table_names()
    if table is not None and table not in known:
        raise unknown(
            "UNKNOWN_TABLE", "catalogue", f"there is no table {table[:60]!r}.", table, known
        )
    if table is None:
        heads, rows, title = *table_list(), "Tables of the catalogue"
    elif key is None:
        heads, rows, title = *table_view(table), table
    else:
        heads, rows, title = *row_view(table, key), f"{table}: {key}"
    if json:
        listed = [dict(zip(heads, row, strict=True)) for row in rows]
        output.print_json(output.envelope("catalogue", options=listed))
        return
    more = 0
    if table is not None and key is None:
        heads, rows, more = narrowed(heads, rows)
    output.print_table(title, heads, rows)
    if more:
        output.print_lines([f"{more} more columns: facility catalogue {table} KEY"])


@guarded("verify")
def verify(
    file: Annotated[
        Path | None,
        typer.Argument(help="Workbook written by facility: recompute it and compare."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Compute the verification manual, or recompute a workbook and say same or different."""
    if file is None:
        _verify_cases(json)
    else:
        _verify_file(file, json)


def _verify_cases(json: bool) -> None:
    from facility.cli import output
    from facility.cli.views import findings
    from facility.study.verification import run_cases

    outcomes = run_cases()
    counts: dict[str, Any] = {}
    for outcome in outcomes:
        counts[f"cases.{outcome.status}"] = counts.get(f"cases.{outcome.status}", 0) + 1
    if json:
        rows = [outcome.as_json() for outcome in outcomes]
        output.print_json(output.envelope("verify", results=counts, cases=rows))
    else:
        findings.print_cases(outcomes)
        found = (f"{n} {key.split('.')[1].replace('_', ' ')}" for key, n in counts.items())
        output.print_lines([", ".join(found)])
    if counts.get("cases.fail"):
        sys.exit(EXIT_CHECK_FAILED)


def _verify_file(file: Path, json: bool) -> None:
    from facility.cli import output
    from facility.files.workbook.verify import verify_workbook

    report = verify_workbook(file)
    if json:
        body = output.envelope(
            "verify",
            project=report.project,
            results={"same": report.same},
            differences=report.differences,
        )
        output.print_json(body)
    else:
        output.print_lines(report.lines())
    if not report.same:
        sys.exit(EXIT_CHECK_FAILED)
