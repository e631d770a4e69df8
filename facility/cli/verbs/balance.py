"""The verb balance: phases and positions of circuits."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facility.cli.guard import verb
from facility.cli.options import AsJson, Force, designed, on_terminal, stdin_file
from facility.core.errors import FacilityError, unknown

if TYPE_CHECKING:
    from facility.power.panels.balance.effort import Progress, ProgressCall
    from facility.power.panels.board.model import Panel
    from facility.study.design.design import Design


class Objective(StrEnum):
    """Objective of the balancing."""

    current = "current"
    va = "va"


@verb("balance")
def balance(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Panel CSV (.csv) or project; - reads either from standard input."
        ),
    ],
    panel: Annotated[
        str | None, typer.Option("--panel", metavar="TAG", help="Tag of a panel of the project.")
    ] = None,
    objective: Annotated[
        Objective, typer.Option("--objective", help="Minimize line current, or VA per pole.")
    ] = Objective.current,
    exact: Annotated[
        bool, typer.Option("--exact", help="Search to a proven optimum, within these limits:")
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
        bool, typer.Option("--apply", help="Write the positions into the project.")
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
    from facility.cli.views.study import show_study
    from facility.files.panel_csv.document import write_panel_csv
    from facility.power.panels.balance.one_panel import balance as balance_panel
    from facility.report.studies.balance import PanelBalanced

    limits = _limits(exact, gap=gap, nodes=nodes, seconds=seconds)
    file = _named(file, panel, apply=apply)
    target = _target(file, panel, project, apply=apply, moves=moves)
    if _is_csv(file) and (cabinet := cabinet_in(file)) is not None:
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
    read, found_in = _read(file, panel)
    if moves:
        _list_moves(read, objective, exact=exact or out is not None, json=json)
        return
    report = _progress() if exact else None
    found = balance_panel(read, objective.value, exact=exact, progress=report, **limits)
    if out is not None:
        write_file(out, write_panel_csv(found.panel).encode(), force=force)
    if target is not None:
        _apply(found.panel, target, found_in)
    show_study(PanelBalanced(read, found, found_in), "si", json=json)


def _named(file: Path, tag: str | None, *, apply: bool) -> Path:
    """Return the file, or one with the content of standard input: a project if a panel is named."""
    from facility.cli.output import is_stream

    if is_stream(file) and apply and tag is not None:
        raise FacilityError(
            "BALANCE_OPTION",
            "--apply",
            "standard input cannot be written to.",
            "Enter a project file.",
        )
    return stdin_file(file, ".csv" if tag is None else ".yaml")


def _target(
    file: Path, tag: str | None, project: Path | None, *, apply: bool, moves: bool
) -> Path | None:
    """Return the project file to write to; None without ``--apply``."""
    from facility.files.project.packed import is_packed

    of_csv = _is_csv(file)
    for refused, option, message, hint in (
        (of_csv and tag is not None, "--panel", "a panel CSV contains only one panel.",
         "Omit --panel."),
        (not of_csv and tag is None, "--panel",
         "the file is a project: the tag of a panel is required.",
         "Add e.g. --panel RPP-A01, or enter a panel CSV (.csv)."),
        (project is not None and not (of_csv and apply), "--project",
         "the option names the project to which a panel CSV is applied.",
         "Use it with a panel CSV and --apply, or leave it out."),
        (apply and moves, "--apply", "a list of moves cannot be applied.",
         "Omit --moves or --apply."),
        (apply and is_packed(file), "--apply", "an archive cannot be changed.",
         "Unpack it, or write the panel with --out."),
        (apply and of_csv and project is None, "--apply",
         "a panel CSV does not state its project.", "Add --project FILE."),
    ):  # fmt: skip
        if refused:
            raise FacilityError("BALANCE_OPTION", option, message, hint)
    if not apply:
        return None
    return project if of_csv else file


def _is_csv(file: Path) -> bool:
    return file.suffix.lower() == ".csv"


def _read(file: Path, tag: str | None) -> tuple[Panel, Design | None]:
    """Return the panel in a CSV file, or a panel of a project with its design."""
    from facility.files.panel_csv.document import load_panel_csv

    if tag is None:
        return load_panel_csv(file), None
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
            "Add --exact, or leave out the limit.",
            exit_code=2,
        )
    return given


def _progress() -> ProgressCall | None:
    """Return a function that writes the number of nodes to a terminal; None without one."""

    def nodes(now: Progress) -> str:
        above = now.reached / now.bound - 1.0 if now.bound > 0.0 else 0.0
        return f"{now.nodes:,} of {now.node_limit:,} nodes, {above:.4%} above bound "

    return on_terminal(nodes)
