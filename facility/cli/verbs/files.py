"""The verbs that write files: new, export."""

from __future__ import annotations

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
    """Detail of a one-line diagram."""

    grouped = "grouped"
    full = "full"


_EXAMPLE = (
    "Start from an example, without its title data: dgx-su-32, h100-10k, mixed-hall, nvl72-hall."
)


@verb("new")
def new(
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="Project file to write; - for standard output.")
    ],
    gpus: Annotated[int | None, typer.Option("--gpus", metavar="N", help="Number of GPUs.")] = None,
    servers: Annotated[
        int | None, typer.Option("--servers", metavar="N", help="Number of servers.")
    ] = None,
    racks: Annotated[
        int | None, typer.Option("--racks", metavar="N", help="Number of full racks.")
    ] = None,
    power: Annotated[
        str, typer.Option("--power", metavar="POWER", help='IT load, e.g. "5 MW".')
    ] = "",
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="GPU or server; default: H100 SXM5.")
    ] = "",
    location: Annotated[
        str, typer.Option("--place", metavar="CITY", help='City, or "latitude, longitude".')
    ] = "",
    weather: Annotated[
        str,
        typer.Option(
            "--weather",
            metavar="RECORD",
            help='Station, EPW file, or design dry and wet bulb "36 degC, 24 degC".',
        ),
    ] = "",
    voltage: Annotated[
        str,
        typer.Option(
            "--voltage", metavar="V", help='Rack or utility voltage, or both: "415, 13.8 kV".'
        ),
    ] = "",
    survive: Annotated[
        str,
        typer.Option(
            "--survive", metavar="GOAL", help="Redundancy (N+1, 2N), maintenance or any failure."
        ),
    ] = "",
    grid: Annotated[
        str,
        typer.Option("--grid", metavar="POWER", help='Find the largest cluster for e.g. "20 MW".'),
    ] = "",
    water: Annotated[
        str, typer.Option("--water", metavar="VOLUME", help='Annual water limit, e.g. "50000 m3".')
    ] = "",
    area: Annotated[
        str, typer.Option("--area", metavar="AREA", help='Hall floor area limit, e.g. "2000 m2".')
    ] = "",
    budget: Annotated[
        str, typer.Option("--budget", metavar="COST", help='Capital cost limit, e.g. "50000 kUSD".')
    ] = "",
    template: Annotated[
        str, typer.Option("--from", "--template", metavar="NAME", help=_EXAMPLE)
    ] = "",
    sets: Sets = None,
    force: Force = False,
) -> None:
    """Create a project from key data or a grid connection.

    Without options, the command prompts on a terminal. Omitted entries take defaults,
    which the output lists.
    """
    from facility.cli.output import console, is_stream, message, write_file
    from facility.cli.views import brief as view
    from facility.study.brief.brief import Brief, stated_amount

    size, further = stated_amount(gpus, servers, racks, power), tuple(sets or ())
    answers = Brief(size, model, location, weather, voltage, survive, further)
    limits = {"grid": grid, "water": water, "area": area, "budget": budget}
    stated = answers != Brief(sets=answers.sets) or any(limits.values())
    text, lines = "", list[str]()
    if template:
        _check_choice(None, **{"from": True, "the answers": stated})
        text = view.from_example(template, sets)
    else:
        if not stated and not console.quiet and view.on_terminal():
            answers = view.interview(answers)
        try:
            text, lines = view.begun_text(answers, limits, out)
        except FacilityError as error:
            raise view.as_options(error) from None
    write_file(out, text.encode(), force=force)
    for line in lines:
        message(line)
    if not is_stream(out):
        message(f"wrote {out}; next: facility design {out}")


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
            help="Panels with a sheet: a range RPP-A01..RPP-A30, or a list of tags.",
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
        bool, typer.Option("--ranges", help="Write annual results of 200 samples of the ranges.")
    ] = False,
    force: Force = False,
) -> None:
    """Write the design as an Excel workbook with live formulas."""
    from facility.cli.output import is_stream, output_file
    from facility.files.io.file_names import refuse_suffix
    from facility.files.workbook import split as books
    from facility.files.workbook.book import write_workbook

    def part(make: Callable[[Design], Book], name: str) -> Path:
        with output_file(out or Path(name), ".xlsx") as target:
            books.write_book(make, design, target, force=force)
        return out or target

    _check_choice(panels, split=split, lists=lists, hours=hours, ranges=ranges)
    if split:
        _refuse_stream(out)
    elif out is not None and not is_stream(out):
        refuse_suffix(out, ".xlsx")
    design = designed(file, sets)
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


def _check_choice(panels: str | None, **others: bool) -> None:
    """Reject options that exclude each other."""
    chosen = {"panels": panels is not None, **others}
    given = [f"--{name}" for name, used in chosen.items() if used]
    if len(given) > 1:
        raise FacilityError(
            "OPTIONS", " ".join(given), "these options exclude each other.", "Enter one of them."
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
