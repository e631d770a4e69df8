"""The verbs that write files: new, export."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import Force, ProjectFile, Sets, UnitsOption, UnitSystem, designed
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.report.sheet.model import Book
    from facility.study.design.design import Design


class Detail(StrEnum):
    """What a one-line diagram names."""

    grouped = "grouped"
    full = "full"


@verb("new")
def new(
    out: Annotated[Path, typer.Argument(help="Project file to write, e.g. hall.yaml.")],
    template: Annotated[
        str, typer.Option("--template", help="Example project to start from.")
    ] = "short",
    force: Force = False,
) -> None:
    """Write a project file to start from (the shortest one, or an example)."""
    from facility.files.io.atomic import write_bytes
    from facility.files.project.file import template_text

    write_bytes(out, template_text(template).encode(), force=force)
    sys.stderr.write(f"wrote {out}; next: facility design {out}\n")


@verb("export xlsx")
def export_xlsx(
    file: ProjectFile = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Workbook to write, or the folder with --split."),
    ] = None,
    sets: Sets = None,
    panels: Annotated[
        str | None,
        typer.Option(
            "--panels", help="Panels with a sheet, e.g. RPP-A01..RPP-A30; or one of your own."
        ),
    ] = None,
    split: Annotated[
        bool,
        typer.Option("--split", help="A workbook per room and side, and an index, in a folder."),
    ] = False,
    lists: Annotated[
        bool, typer.Option("--lists", help="Lists for the site: circuits, labels, cables, racks.")
    ] = False,
    hours: Annotated[
        bool, typer.Option("--hours", help="Every hour of the year, months summed from them.")
    ] = False,
    ranges: Annotated[
        bool, typer.Option("--ranges", help="The year over 200 samples of the project's ranges.")
    ] = False,
    force: Force = False,
) -> None:
    """Write the design as an Excel workbook with live formulas."""
    from facility.files.io.file_names import refuse_suffix
    from facility.files.workbook import split as books
    from facility.files.workbook.book import write_workbook

    def beside(make: Callable[[Design], Book], name: str) -> tuple[Path, ...]:
        return (books.write_book(make, design, out or Path(name), force=force),)

    _check_choice(panels, split=split, lists=lists, hours=hours, ranges=ranges)
    if out is not None and not split:
        refuse_suffix(out, ".xlsx")
    design = designed(file, sets)
    if split:
        written = books.write_split(design, out or Path("facility-workbooks"), force=force)
    elif lists:
        written = beside(books.lists_workbook, "facility-lists.xlsx")
    elif hours:
        written = beside(books.hours_workbook, "facility-hours.xlsx")
    elif ranges:
        written = beside(books.ranges_workbook, "facility-ranges.xlsx")
    else:
        target = out or Path("facility.xlsx")
        written = (write_workbook(design, target, panels=panels, force=force),)
    for path in written:
        sys.stderr.write(f"wrote {path}\n")


def _check_choice(panels: str | None, **others: bool) -> None:
    """Refuse options that exclude each other."""
    chosen = {"panels": panels is not None, **others}
    given = [f"--{name}" for name, used in chosen.items() if used]
    if len(given) > 1:
        raise FacilityError(
            "OPTIONS", " ".join(given), "these options exclude each other.", "Give one of them."
        )


@verb("export csv")
def export_csv(
    file: ProjectFile = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write into.")] = Path(
        "facility-csv"
    ),
    sets: Sets = None,
    force: Force = False,
) -> None:
    """Write results, checks, assumptions and the lists for the site as CSV, a file each."""
    from facility.cli.views.screen import run_long_studies
    from facility.files.tables_csv import write_tables

    design = designed(file, sets)
    run_long_studies(design)
    for path in write_tables(design, out, force=force):
        sys.stderr.write(f"wrote {path}\n")


@verb("export svg")
def export_svg(
    file: ProjectFile = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Drawing to write.")] = Path(
        "one-line.svg"
    ),
    sets: Sets = None,
    state: Annotated[
        str, typer.Option("--state", help='Id of the state, e.g. "loss of UPS-A1"; see failures.')
    ] = "normal",
    on_battery: Annotated[
        bool, typer.Option("--on-battery", help="Before the generators have started.")
    ] = False,
    detail: Annotated[
        Detail,
        typer.Option("--detail", help="Equal PDUs and panels drawn once, or every one by name."),
    ] = Detail.grouped,
    sheet: Annotated[
        int | None, typer.Option("--sheet", help="One sheet alone, by its number.")
    ] = None,
    units: UnitSystem = UnitsOption.si,
    force: Force = False,
) -> None:
    """Write the one-line diagram of one state as SVG, on sheets A3 with a title block."""
    from facility.files.io.file_names import refuse_suffix
    from facility.files.svg.sheets import write_one_line

    refuse_suffix(out, ".svg")
    written = write_one_line(
        designed(file, sets),
        out,
        state,
        on_battery=on_battery,
        detail=detail.value,
        system=units.value,
        sheet=sheet,
        force=force,
    )
    if len(written) > 1:
        sys.stderr.write(f"the diagram has {len(written)} sheets\n")
    for path in written:
        sys.stderr.write(f"wrote {path}\n")
