"""The verbs that export the commissioning plan and the operating limits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from facility.report.sheet.grid import Row, SheetTable
    from facility.report.sheet.model import Book
    from facility.study.design.design import Design

_Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="List to write: .csv, .xlsx, or - for CSV."),
]


@verb("export commissioning")
def export_commissioning(
    file: ProjectFile = None,
    out: _Out = None,
    sets: Sets = None,
    level: Annotated[
        list[int] | None,
        typer.Option("--level", min=1, max=5, help="Level 1 to 5; repeatable; default: all."),
    ] = None,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    force: Force = False,
) -> None:
    """Write commissioning tests, levels 1-5, with expected values.

    1 factory witness, 2 installation, 3 start-up, 4 functional, 5 integrated. Every expected value
    has its tolerance and its source in the design; measured value, pass, initials and date are
    blank. An unknown expected value is NOT_EVALUATED and names the input that decides it.
    """
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.files.workbook.split import commissioning_workbook
    from facility.report.book.lists.commissioning import STEPS, reading_rows
    from facility.report.studies.lists.commissioning import Commissioning
    from facility.study.commissioning.model import LEVELS
    from facility.study.commissioning.study import commissioning

    _refuse_other(out)
    design, levels = designed(file, sets), tuple(dict.fromkeys(level or LEVELS))
    plan = commissioning(design, levels)
    _write(
        out,
        design,
        STEPS,
        reading_rows(plan),
        lambda of: commissioning_workbook(of, levels),
        force=force,
    )
    brief = None if full else summary.commissioning
    show_study(Commissioning(design, plan), units.value, json=json, checks=False, summary=brief)


@verb("export limits")
def export_limits(
    file: ProjectFile = None,
    out: _Out = None,
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    force: Force = False,
) -> None:
    """Write operating limits: set points, limits and actions.

    Each limit comes from a check, a rating or an input of the design.
    """
    from facility.cli.views.study import show_study
    from facility.files.workbook.split import limits_workbook
    from facility.report.book.lists.commissioning import LIMITS
    from facility.report.studies.lists.commissioning import OperatingLimits
    from facility.study.commissioning.limits import operating_limits

    _refuse_other(out)
    design = designed(file, sets)
    limits = operating_limits(design)
    _write(out, design, LIMITS, limits, limits_workbook, force=force)
    show_study(OperatingLimits(design, limits), units.value, json=json, checks=False)


def _refuse_other(out: Path | None) -> None:
    """Reject a file name of another type before the design is calculated."""
    from facility.cli.output import is_stream
    from facility.files.io.file_names import refuse_suffix

    if out is not None and not is_stream(out):
        refuse_suffix(out, ".xlsx" if out.suffix.lower() == ".xlsx" else ".csv")


def _write(
    out: Path | None,
    design: Design,
    table: SheetTable[Row],
    rows: Iterable[Row],
    make: Callable[[Design], Book],
    *,
    force: bool,
) -> None:
    """Write a list as CSV or workbook; nothing without a file."""
    from facility.cli.output import is_stream, message, write_file
    from facility.files.tables_csv import table_csv
    from facility.files.workbook.split import write_book

    if out is None:
        return
    if out.suffix.lower() == ".xlsx":
        write_book(make, design, out, force=force)
    else:
        write_file(out, table_csv(table, rows).encode(), force=force)
    if not is_stream(out):
        message(f"wrote {out}")
