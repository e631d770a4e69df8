"""The verbs that read and write files: new, balance, export."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import guarded
from facility.cli.options import AsJson, Force, ProjectFile, Sets, Units, UnitSystem, designed


class Objective(StrEnum):
    """What the balancing minimises."""

    current = "current"
    va = "va"


def register(cli: typer.Typer) -> None:
    """Add the verbs of this module to the command line."""
    cli.command("new")(new)
    cli.command("balance")(balance)
    export = typer.Typer(help="Export a design.", no_args_is_help=True, rich_markup_mode=None)
    export.command("xlsx")(export_xlsx)
    export.command("svg")(export_svg)
    cli.add_typer(export, name="export")


@guarded("new")
def new(
    out: Annotated[Path, typer.Argument(help="Project file to write, e.g. hall.yaml.")],
    template: Annotated[
        str, typer.Option("--template", help="Example project to start from.")
    ] = "short",
    force: Force = False,
) -> None:
    """Write a project file to start from (the shortest one, or an example)."""
    from facility.files.atomic import write_bytes
    from facility.files.project_file import template_text

    write_bytes(out, template_text(template).encode(), force=force)
    sys.stderr.write(f"wrote {out}; next: facility design {out}\n")


@guarded("balance")
def balance(
    panel: Annotated[Path, typer.Argument(help="Panel CSV (see the manual for its columns).")],
    objective: Annotated[
        Objective, typer.Option("--objective", help="Largest phasor current, or VA per pole.")
    ] = Objective.current,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the balanced panel as CSV.")
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Balance the phases of one panel."""
    from facility.cli import output
    from facility.cli.findings import print_balance
    from facility.files.atomic import write_bytes
    from facility.files.panel_csv import load_panel_csv, write_panel_csv
    from facility.power.balance import balance as balance_panel

    read = load_panel_csv(panel)
    found = balance_panel(read, objective.value)
    if out is not None:
        write_bytes(out, write_panel_csv(found.panel).encode(), force=force)
    if json:
        body = output.envelope(
            "balance",
            results=found.results().as_json(),
            moves=found.moves_json(),
            placement=found.placement_json(),
        )
        output.print_json(body)
        return
    print_balance(read, found)


@guarded("export")
def export_xlsx(
    file: ProjectFile = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Workbook to write.")] = Path(
        "facility.xlsx"
    ),
    sets: Sets = None,
    panels: Annotated[
        str | None,
        typer.Option("--panels", help="Panels with a sheet, e.g. RPP-A01..RPP-A30,RPP-B01."),
    ] = None,
    force: Force = False,
) -> None:
    """Write the design as an Excel workbook with live formulas."""
    from facility.files.workbook import write_workbook

    written = write_workbook(designed(file, sets), out, panels=panels, force=force)
    sys.stderr.write(f"wrote {written}\n")


@guarded("export")
def export_svg(
    file: ProjectFile = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Drawing to write.")] = Path(
        "one-line.svg"
    ),
    sets: Sets = None,
    state: Annotated[
        str,
        typer.Option("--state", help='Id of the state, e.g. "loss of UPS-A1"; see failures.'),
    ] = "normal",
    on_battery: Annotated[
        bool, typer.Option("--on-battery", help="Before the generators have started.")
    ] = False,
    units: UnitSystem = Units.si,
    force: Force = False,
) -> None:
    """Write the one-line diagram of one state as SVG."""
    from facility.files.atomic import write_bytes
    from facility.files.svg import drawing_svg
    from facility.power.network.states import StateSolver
    from facility.report.one_line_state import find_case, state_drawing

    design = designed(file, sets)
    solver = StateSolver(design.distribution.plan.network)
    drawing = state_drawing(
        solver, find_case(solver.network, state), "on battery" if on_battery else "settled",
        design.facility.identity.name, units.value,
    )  # fmt: skip
    write_bytes(out, drawing_svg(drawing).encode(), force=force)
    sys.stderr.write(f"wrote {out}\n")
