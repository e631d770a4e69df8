"""The verbs that read and write files: new, balance, export."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facility.cli.guard import guarded
from facility.cli.options import AsJson, Force, ProjectFile, Sets, Units, UnitSystem, designed
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.power.panel_exact_effort import Progress, ProgressCall
    from facility.power.panel_model import Panel


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
    exact: Annotated[
        bool, typer.Option("--exact", help="Go on to a proven optimum, within the limits below.")
    ] = False,
    gap: Annotated[
        float | None,
        typer.Option("--gap", help="End this close to the bound, as a fraction (0.0001)."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Most nodes of the search tree (20000).")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", help="End by the clock; such an answer is not reproducible."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="List the fewest moves against imbalance instead.")
    ] = False,
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

    limits = _limits(exact, gap=gap, nodes=nodes, seconds=seconds)
    read = load_panel_csv(panel)
    if moves:
        _list_moves(read, objective, exact=exact or out is not None, json=json)
        return
    report = _progress() if exact else None
    found = balance_panel(read, objective.value, exact=exact, progress=report, **limits)
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


def _list_moves(panel: Panel, objective: Objective, *, exact: bool, json: bool) -> None:
    """Write the list of moves; it has no use for what belongs to a balance of the whole panel."""
    from facility.cli.moves_view import show_moves
    from facility.core.errors import FacilityError

    if exact:
        raise FacilityError(
            "BALANCE_MOVES", "--moves", "the list of moves goes with neither --exact nor --out.",
            "Leave one of them out.", exit_code=2,
        )  # fmt: skip
    show_moves(panel, objective.value, json=json)


def _limits(exact: bool, **limits: float | None) -> dict[str, Any]:
    """Return the limits given; without ``--exact`` they would do nothing, and are refused."""
    given = {name: value for name, value in limits.items() if value is not None}
    if given and not exact:
        from facility.core.errors import FacilityError

        raise FacilityError(
            "BALANCE_LIMIT", f"--{next(iter(given))}", "only an exact balance has this limit.",
            "Add --exact, or leave the limit out.", exit_code=2,
        )  # fmt: skip
    return given


def _progress() -> ProgressCall | None:
    """Return what writes the nodes looked at to a terminal, None without one."""
    if not sys.stderr.isatty():
        return None

    def report(now: Progress) -> None:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        sys.stderr.write(f"\r{now.nodes:,} of {now.node_limit:,} nodes, {above:.4%} above bound \r")
        sys.stderr.flush()

    return report


@guarded("export")
def export_xlsx(
    file: ProjectFile = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Workbook to write, or the folder with --split."),
    ] = None,
    sets: Sets = None,
    panels: Annotated[
        str | None,
        typer.Option("--panels", help="Panels with a sheet, e.g. RPP-A01..RPP-A30,RPP-B01."),
    ] = None,
    split: Annotated[
        bool,
        typer.Option("--split", help="A workbook per room and side, and an index, in a folder."),
    ] = False,
    lists: Annotated[
        bool,
        typer.Option("--lists", help="Lists for the site: circuits, labels, cables, racks."),
    ] = False,
    force: Force = False,
) -> None:
    """Write the design as an Excel workbook with live formulas."""
    from facility.files.atomic import write_bytes
    from facility.files.workbook import write_workbook
    from facility.files.workbook_split import lists_bytes, write_split

    _check_choice(panels, split=split, lists=lists)
    design = designed(file, sets)
    if split:
        written = write_split(design, out or Path("facility-workbooks"), force=force)
    elif lists:
        target = out or Path("facility-lists.xlsx")
        written = (write_bytes(target, lists_bytes(design), force=force),)
    else:
        target = out or Path("facility.xlsx")
        written = (write_workbook(design, target, panels=panels, force=force),)
    for path in written:
        sys.stderr.write(f"wrote {path}\n")


def _check_choice(panels: str | None, *, split: bool, lists: bool) -> None:
    """Refuse options that exclude each other."""
    chosen = {"--panels": panels is not None, "--split": split, "--lists": lists}
    given = [name for name, used in chosen.items() if used]
    if len(given) > 1:
        raise FacilityError(
            "OPTIONS", " ".join(given), "these options exclude each other.", "Give one of them.",
            exit_code=2,
        )  # fmt: skip


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
