"""The verbs that write the whole design: workbook, CSV tables, one-line diagram."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import (
    Force,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    check_choice,
    designed,
)
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.report.sheet.model import Book
    from facility.study.design.design import Design


class Detail(StrEnum):
    """Detail of a one-line diagram."""

    grouped = "grouped"
    full = "full"


@verb("export xlsx")
def export_xlsx(
    file: ProjectFile = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Workbook to write; folder with --split."),
    ] = None,
    sets: Sets = None,
    panels: Annotated[
        str | None,
        typer.Option(
            "--panels",
            metavar="TAGS",
            help="Panels to export as sheets: a range RPP-A01..RPP-A30, or tags.",
        ),
    ] = None,
    split: Annotated[
        bool, typer.Option("--split", help="Write a workbook per room and side, with an index.")
    ] = False,
    lists: Annotated[
        bool, typer.Option("--lists", help="Write site lists: circuits, labels, cables, racks.")
    ] = False,
    hours: Annotated[
        bool, typer.Option("--hours", help="Write hourly and monthly results of the year.")
    ] = False,
    ranges: Annotated[
        bool,
        typer.Option("--ranges", help="Include annual results of 200 samples of the input ranges."),
    ] = False,
    units: UnitSystem = UnitsOption.si,
    force: Force = False,
) -> None:
    """Write the design as an Excel workbook with live formulas."""
    from facility.cli.output import is_stream, output_file
    from facility.files.io.file_names import refuse_suffix
    from facility.files.workbook import split as books
    from facility.files.workbook.book import write_workbook
    from facility.report.sheet.tables import in_units

    def part(make: Callable[[Design], Book], name: str) -> Path:
        with output_file(out or Path(name), ".xlsx") as target:
            books.write_book(make, design, target, force=force)
        return out or target

    check_choice(panels, split=split, lists=lists, hours=hours, ranges=ranges)
    if split:
        _refuse_stream(out)
    elif out is not None and not is_stream(out):
        refuse_suffix(out, ".xlsx")
    design = designed(file, sets)
    whole = not (lists or hours or ranges)
    with in_units(units.value if whole else "si"):
        if split:
            folder = out or Path("facility-workbooks")
            _report(*books.write_split(design, folder, force=force))
        elif lists:
            _report(part(books.lists_workbook, "facility-lists.xlsx"))
        elif hours:
            _report(part(books.hours_workbook, "facility-hours.xlsx"))
        elif ranges:
            _report(part(books.ranges_workbook, "facility-ranges.xlsx"))
        else:
            with output_file(out or Path("facility.xlsx"), ".xlsx") as target:
                write_workbook(design, target, panels=panels, force=force)
            _report(out or target)


def _report(*written: Path) -> None:
    """Report the files written, but for standard output."""
    from facility.cli.output import is_stream, message

    for path in written:
        if not is_stream(path):
            message(f"wrote {path}")


def _refuse_stream(out: Path | None) -> None:
    """Reject ``-`` as a folder."""
    from facility.cli.output import is_stream

    if is_stream(out):
        raise FacilityError(
            "OPTIONS", "--out", "several files do not fit on standard output.", "Enter a folder."
        )


@verb("export csv")
def export_csv(
    file: ProjectFile = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Folder to write to.")
    ] = Path("facility-csv"),
    sets: Sets = None,
    force: Force = False,
) -> None:
    """Write results, checks, assumptions and lists as CSV files."""
    from facility.cli.views.screen import run_long_studies
    from facility.files.tables_csv import write_tables

    _refuse_stream(out)
    design = designed(file, sets)
    run_long_studies(design)
    _report(*write_tables(design, out, force=force))


@verb("export svg")
def export_svg(
    file: ProjectFile = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Drawing to write.")
    ] = Path("one-line.svg"),
    sets: Sets = None,
    state: Annotated[
        str,
        typer.Option(
            "--state", metavar="ID", help='State, e.g. "loss of UPS-A1"; see facility failures.'
        ),
    ] = "normal",
    on_battery: Annotated[
        bool,
        typer.Option("--on-battery", help="Show the state on battery, before generators start."),
    ] = False,
    detail: Annotated[
        Detail, typer.Option("--detail", help="Draw equal PDUs and panels once, or individually.")
    ] = Detail.grouped,
    sheet: Annotated[
        int | None, typer.Option("--sheet", metavar="N", help="Write one sheet only.")
    ] = None,
    units: UnitSystem = UnitsOption.si,
    force: Force = False,
) -> None:
    """Write the one-line diagram of a state as A3 sheets (SVG)."""
    from facility.cli.output import is_stream, message, output_file
    from facility.files.io.file_names import refuse_suffix
    from facility.files.svg.sheets import write_one_line

    if not is_stream(out):
        refuse_suffix(out, ".svg")
    design = designed(file, sets)
    with output_file(out, ".svg") as target:
        written = write_one_line(
            design,
            target,
            state,
            on_battery=on_battery,
            detail=detail.value,
            system=units.value,
            sheet=sheet,
            force=force,
        )
    if is_stream(out):
        return
    if len(written) > 1:
        message(f"the diagram has {len(written)} sheets")
    _report(*written)
