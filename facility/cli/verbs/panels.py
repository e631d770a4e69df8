"""Verbs for panels: balance their phases, import them from files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facility.cli.guard import refuse_input_as_output, verb
from facility.cli.options import (
    NO_TABLE_OPTIONS,
    AsJson,
    Force,
    PanelData,
    SaveProfile,
    TableOptions,
    designed,
    on_terminal,
    stdin_file,
)
from facility.core.errors import FacilityError, unknown

if TYPE_CHECKING:
    from facility.files.import_panel.read import PanelImport
    from facility.power.panels.balance.effort import Progress, ProgressCall
    from facility.power.panels.board.model import Panel
    from facility.study.design.design import Design


_INVALID = 3


class Objective(StrEnum):
    """Objective of the balancing."""

    current = "current"
    va = "va"


@verb("balance")
def balance(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Circuit table (.csv, .tsv, .xlsx) or project; - for standard input.",
        ),
    ],
    panel: Annotated[
        str | None,
        typer.Option(
            "--panel",
            metavar="TAG",
            help="Panel of the project; with a table, its data: 'RPP-1A; 208Y/120; 42; 225 A'.",
        ),
    ] = None,
    table: TableOptions = NO_TABLE_OPTIONS,
    objective: Annotated[
        Objective, typer.Option("--objective", help="Minimize line current, or VA per pole.")
    ] = Objective.current,
    exact: Annotated[
        bool, typer.Option("--exact", help="Search for a proven optimum within these limits:")
    ] = False,
    gap: Annotated[
        float | None,
        typer.Option("--gap", metavar="FRACTION", help="Stop at this gap to the bound: 0.0001."),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", metavar="N", help="Maximum nodes of the search tree: 20000."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="SECONDS", help="Time limit; the result may then vary."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="List the fewest moves that reduce imbalance instead.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the balanced panel as CSV."),
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the positions to the project.")
    ] = False,
    project: Annotated[
        Path | None,
        typer.Option(
            "--project", metavar="FILE", help="Project to which --apply writes a panel CSV."
        ),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Balance the phases of a panel or a cabinet of panels."""
    from facility.cli.output import write_file
    from facility.cli.views.cabinet import cabinet_in, refuse_for_cabinet, show_cabinet
    from facility.cli.views.panel_file import answers_of, is_table_file, read_one
    from facility.cli.views.study import show_study
    from facility.files.panel_csv.document import with_partner_states, write_panel_csv
    from facility.power.panels.balance.one_panel import balance as balance_panel
    from facility.report.studies.balance import PanelBalanced

    limits = _limits(exact, gap=gap, nodes=nodes, seconds=seconds)
    file = _named(file, panel, apply=apply)
    target = _target(file, panel, project, apply=apply, moves=moves)
    notes: tuple[str, ...] = ()
    known_factor, found_in = True, None
    if is_table_file(file):
        answers = answers_of(table, panel)
        if (cabinet := cabinet_in(file, answers)) is not None:
            refuse_for_cabinet(moves=moves, apply=apply)
            show_cabinet(
                cabinet,
                objective.value,
                limits,
                exact=exact,
                out=out,
                force=force,
                json=json,
                progress=_progress() if exact else None,
            )
            return
        table_read = read_one(file, table.sheet, answers, json=json)
        read, notes = with_partner_states(table_read.panel), table_read.notes
        known_factor = table_read.power_factor
    else:
        read, found_in = _of_project(file, panel or "")
    if moves:
        _list_moves(read, objective, exact=exact or out is not None, json=json)
        return
    report = _progress() if exact else None
    found = balance_panel(read, objective.value, exact=exact, progress=report, **limits)
    if out is not None:
        text = write_panel_csv(found.panel, power_factor=known_factor)
        write_file(out, text.encode(), force=force)
    if target is not None:
        _apply(found.panel, target, found_in)
    show_study(PanelBalanced(read, found, found_in, notes), "si", json=json)


def _named(file: Path, tag: str | None, *, apply: bool) -> Path:
    """Return the file, or one with the content of standard input: a project if a panel is named."""
    from facility.cli.output import is_stream

    if is_stream(file) and apply and tag is not None:
        raise FacilityError(
            "BALANCE_OPTION",
            "--apply",
            "standard input cannot be updated.",
            "Enter a project file.",
        )
    return stdin_file(file, ".csv" if tag is None else ".yaml")


def _target(
    file: Path, tag: str | None, project: Path | None, *, apply: bool, moves: bool
) -> Path | None:
    """Return the project file to write to; None without ``--apply``."""
    from facility.cli.views.panel_file import is_table_file
    from facility.files.project.packed import is_packed

    of_table = is_table_file(file)
    for refused, option, message, hint in (
        (not of_table and tag is None, "--panel",
         "the file is a project: the tag of a panel is required.",
         "Add e.g. --panel RPP-A01, or specify a circuit table (.csv, .xlsx)."),
        (project is not None and not (of_table and apply), "--project",
         "this option applies only to a circuit table with --apply.",
         "Specify a circuit table and --apply, or omit the option."),
        (apply and moves, "--apply", "a list of moves cannot be applied.",
         "Omit --moves or --apply."),
        (apply and is_packed(file), "--apply", "an archive cannot be changed.",
         "Unpack it, or write the panel with --out."),
        (apply and of_table and project is None, "--apply",
         "a circuit table does not name a project.", "Add --project FILE."),
    ):  # fmt: skip
        if refused:
            raise FacilityError("BALANCE_OPTION", option, message, hint)
    if not apply:
        return None
    return project if of_table else file


def _of_project(file: Path, tag: str) -> tuple[Panel, Design]:
    """Return a panel of a project, with its design."""
    found = designed(file, None)
    panels = {one.tag: one for one in found.panels.panels}
    if tag not in panels:
        message = f"the design has no panel {tag[:60]!r}."
        raise unknown("UNKNOWN_PANEL", "--panel", message, tag, panels)
    return panels[tag], found


def _apply(panel: Panel, target: Path, found_in: Design | None) -> None:
    """Write the positions of `panel` into the project at `target`; report the changes."""
    from facility.cli.output import message
    from facility.files.panel_apply import apply_panels, of_project

    notes: tuple[str, ...] = ()
    if found_in is None:
        found_in = designed(target, None)
        panel, notes = of_project(panel, found_in)
    changes = apply_panels(target, found_in, [panel])
    for line in (*(f"note: {note}" for note in notes), *changes, f"wrote {target}"):
        message(line)


def _list_moves(panel: Panel, objective: Objective, *, exact: bool, json: bool) -> None:
    """Write the list of moves."""
    from facility.cli.views.study import show_study
    from facility.report.studies.moves import Moves

    if exact:
        raise FacilityError(
            "BALANCE_MOVES",
            "--moves",
            "--moves cannot be combined with --exact or --out.",
            "Omit one of them.",
        )
    show_study(Moves(panel, objective.value), "si", json=json, checks=False)


def _limits(exact: bool, **limits: float | None) -> dict[str, Any]:
    """Return the limits entered; reject them without ``--exact``."""
    given = {name: value for name, value in limits.items() if value is not None}
    if given and not exact:
        raise FacilityError(
            "BALANCE_LIMIT",
            f"--{next(iter(given))}",
            "this limit applies to an exact balance only.",
            "Add --exact, or omit the limit.",
            exit_code=2,
        )
    return given


def _progress() -> ProgressCall | None:
    """Return a function that writes the number of nodes to a terminal; None without one."""

    def nodes(now: Progress) -> str:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        return f"{now.nodes:,} of {now.node_limit:,} nodes, {above:.4%} above bound "

    return on_terminal(nodes)


@verb("import panel")
def import_panel(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Workbook (.xlsx) or table (.csv, .tsv); - for standard input."
        ),
    ],
    table: TableOptions = NO_TABLE_OPTIONS,
    project: Annotated[
        Path | None,
        typer.Option(
            "--project",
            metavar="FILE",
            help="Compare with this project, not with the one in the workbook.",
        ),
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Write the panel as CSV; default: print only.")
    ] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="With --accept: write to the file of --project instead.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="CSV to write; default: named after the panel."
        ),
    ] = None,
    panel: PanelData = None,
    save_profile: SaveProfile = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Read a panel schedule or circuit table; list changes."""
    from facility.cli.output import is_stream, message
    from facility.cli.views import panel_file
    from facility.files.import_panel.read import import_panel as read_panels

    if out is not None and not accept:
        raise _usage("--out", "without --accept no file is written.", "Add --accept.")
    if apply and not (accept and project is not None):
        raise _usage(
            "--apply",
            "--apply requires --accept and the project to write to.",
            "Add --accept --project FILE.",
        )
    file = stdin_file(file, ".csv")
    against = None if project is None else designed(project, None)
    answers = panel_file.answers_of(table, panel)
    found = read_panels(file, sheet=table.sheet, against=against, answers=answers)
    failed = any(one.problems for one in found)
    written = None
    if accept and not failed and (out is not None or not apply):
        written = _accepted(found, out, file, force=force)
    if apply and not failed and project is not None and against is not None:
        written = _applied(found, project, against)
    if json:
        panel_file.print_json(found, written, against=against is not None)
    else:
        panel_file.print_panels(found, against=against is not None)
    if failed:
        panel_file.offer_profile(file, found)
    elif save_profile is not None:
        panel_file.save_profile(save_profile, found, answers, force=force)
    panel_file.print_problems(found)
    if failed:
        sys.exit(_INVALID)
    if not is_stream(written):
        message(f"wrote {written}" if written else "no file written; use --accept")


def _accepted(found: Sequence[PanelImport], out: Path | None, read: Path, *, force: bool) -> Path:
    """Write the only panel that was read or changed as CSV."""
    from facility.cli.output import write_file
    from facility.files.io.file_names import safe_file_name

    chosen = found if len(found) == 1 else [panel for panel in found if panel.differences]
    if len(chosen) != 1:
        raise _usage(
            "--accept",
            f"{len(chosen)} of {len(found)} panels are changed; only one can be written.",
            "Select it with --sheet.",
        )
    target = out or Path(f"{safe_file_name(chosen[0].panel.tag, 'panel')}.csv")
    if force:
        refuse_input_as_output(target, read)
    write_file(target, chosen[0].csv().encode(), force=force)
    return target


def _applied(found: Sequence[PanelImport], project: Path, against: Design) -> Path:
    """Write the panels into the project file, and report changes it cannot store."""
    from facility.cli.output import message
    from facility.files.import_panel.merge import shown_value
    from facility.files.panel_apply import applicable_panels, apply_panels

    accepted = applicable_panels(found, against)
    for note in accepted.notes:
        message(f"note: {note}")
    for one in accepted.left:
        message(
            f"not stored: {one.panel} {one.circuit or '(panel)'} {one.field}: "
            f"{shown_value(one.was)} -> {shown_value(one.now)}; "
            "other sections of the project determine it"
        )
    for line in apply_panels(project, against, accepted.panels):
        message(line)
    return project


def _usage(where: str, message: str, hint: str) -> FacilityError:
    return FacilityError("IMPORT_OPTION", where, message, hint)
