"""The verb import: schedules and inventories, previewed and then written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import refuse_input_as_output, verb
from facility.cli.options import AsJson, Force, designed, stdin_file

if TYPE_CHECKING:
    from facility.files.import_panel.read import PanelImport
    from facility.report.studies.protocol import Object
    from facility.study.design.design import Design

_INVALID = 3


@verb("import panel")
def import_panel(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Workbook (.xlsx) or table (.csv); - for standard input."
        ),
    ],
    sheet: Annotated[
        str | None,
        typer.Option("--sheet", metavar="NAME", help="Read this sheet only, not every schedule."),
    ] = None,
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
    power_factor: Annotated[
        float | None,
        typer.Option(
            "--power-factor", metavar="PF", help="Power factor of circuits added to a schedule."
        ),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Read an edited panel schedule, list and accept changes."""
    from facility.cli.output import is_stream, message
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
    found = read_panels(file, sheet=sheet, against=against, power_factor=power_factor)
    failed = any(panel.problems for panel in found)
    written = None
    if accept and not failed and (out is not None or not apply):
        written = _accepted(found, out, file, force=force)
    if apply and not failed and project is not None and against is not None:
        written = _applied(found, project, against)
    if json:
        _print_json(found, written)
    else:
        _print(found)
    for problem in (p for panel in found for p in panel.problems):
        sys.stderr.write(f"error: {problem}\n")
    if failed:
        sys.exit(_INVALID)
    if not is_stream(written):
        message(f"wrote {written}" if written else "no file written; use --accept")


def _inventory(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Tables (.csv, .tsv, .xlsx) or RacksDB files (.yml); - for standard input.",
        ),
    ],
    project: Annotated[
        Path | None,
        typer.Option(
            "--project", metavar="FILE", help="Project that receives the racks; default: a new one."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Project file to write; default: none."),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write to the file of --project.")] = False,
    maps: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="HEADING=FIELD", help="Field of a heading, or ignore; repeatable."
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--value",
            metavar="TEXT=MEANING",
            help="Model, purpose, feed or room of a cell, or ignore; repeatable.",
        ),
    ] = None,
    fill_down: Annotated[
        list[str] | None,
        typer.Option(
            "--fill-down",
            metavar="FIELD",
            help="A blank cell repeats the cell above: room, site, rack, model, manufacturer.",
        ),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            "--skip",
            metavar="FIELD",
            help="Leave out rows without room, rack or model; rows: those not understood.",
        ),
    ] = None,
    room: Annotated[
        str | None, typer.Option("--room", metavar="NAME", help="Hall of rows without a room.")
    ] = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="Sheet of a workbook.")
    ] = None,
    decimal: Annotated[
        str | None, typer.Option("--decimal", metavar="SIGN", help="Decimal sign: . or ,")
    ] = None,
    other_halls: Annotated[
        str | None,
        typer.Option(
            "--other-halls", metavar="WORD", help="Halls that are not listed: keep or remove."
        ),
    ] = None,
    ports: Annotated[
        str | None,
        typer.Option(
            "--ports",
            metavar="WORD",
            help="A device draws the sum of its power ports, or each port carries it all: "
            "sum or each.",
        ),
    ] = None,
    rack_power: Annotated[
        str | None,
        typer.Option(
            "--rack-power", metavar="POWER", help="Racks for a bill of materials: power of each."
        ),
    ] = None,
    rack_units: Annotated[
        str | None,
        typer.Option(
            "--rack-units", metavar="COUNT", help="Racks for a bill of materials: height of each."
        ),
    ] = None,
    profile: Annotated[
        Path | None, typer.Option("--profile", metavar="FILE", help="Answers saved before.")
    ] = None,
    save_profile: Annotated[
        Path | None,
        typer.Option("--save-profile", metavar="FILE", help="Save the answers of this call."),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Read an inventory of racks and devices into a project.

    Without --out or --apply nothing is written: the mapping, the differences and a summary are
    printed. What is ambiguous is an error that names the option that answers it.
    """
    from facility.cli.views import inventory
    from facility.files.incoming.inventory.answers import answers_in, answers_of

    if apply and (out is not None or project is None):
        raise _usage("--apply", "--apply writes to the file of --project.", "Add --project FILE.")
    choices = {
        "room": room,
        "sheet": sheet,
        "decimal": decimal,
        "other_halls": other_halls,
        "ports": ports,
        "rack_power": rack_power,
        "rack_units": rack_units,
    }
    answers = answers_of(maps or (), values or (), fill_down or (), skip or (), choices)
    if profile is not None:
        answers = answers.over(answers_in(inventory.options_in(profile)))
    inventory.import_files(
        files, answers, project, inventory.Target(out, apply, save_profile, force, json)
    )


import_inventory = verb("import inventory")(_inventory)
import_racks = verb("import racks")(_inventory)


@verb("import template")
def import_template(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="inventory, racks or bill.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="CSV to write; - for stdout.")
    ] = Path("-"),
    force: Force = False,
) -> None:
    """Write a table to fill in: headings and example rows."""
    from facility.cli import output
    from facility.files.incoming.templates import template_text

    output.write_file(out, template_text(kind).encode(), force=force)
    if not output.is_stream(out):
        output.message(f"wrote {out}")


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
    for line in apply_panels(project, against, accepted.panels, accepted.texts):
        message(line)
    return project


def _usage(where: str, message: str, hint: str) -> Exception:
    from facility.core.errors import FacilityError

    return FacilityError("IMPORT_OPTION", where, message, hint)


def _print_json(found: Sequence[PanelImport], written: Path | None) -> None:
    from facility.cli import output
    from facility.cli.views.study import show_study
    from facility.report.studies.protocol import Statement

    problems = [problem for panel in found for problem in panel.problems]
    lists: dict[str, list[Object]] = {
        "differences": [
            {"panel": d.panel, "circuit": d.circuit, "field": d.field, "was": d.was, "is": d.now,
             "where": d.where, "kept": d.applicable}
            for panel in found for d in panel.differences
        ],
        "overrides": [
            {"panel": panel.panel.tag, "circuit": o.circuit, "where": o.where, "typed": o.typed,
             "va": o.value}
            for panel in found for o in panel.overrides
        ],
    }  # fmt: skip
    if problems:
        output.print_json(output.refusal("import", problems) | lists)
        return
    results = {
        "panels": len(found),
        "circuits": sum(len(panel.panel.circuits) for panel in found),
        "differences": len(lists["differences"]),
        "overrides": len(lists["overrides"]),
        "accepted": written is not None,
    }
    warnings = [f"{panel.sheet}: {note}" for panel in found for note in _notes(panel)]
    show_study(Statement("import", results, lists, warnings=warnings), "si", json=True)


def _notes(panel: PanelImport) -> list[str]:
    notes = list(panel.notes)
    if not panel.compared:
        notes.append("no project to compare with: every circuit is new; use --project")
    left = sum(not difference.applicable for difference in panel.differences)
    if left:
        notes.append(f"{left} header fields are listed only: a panel CSV has no column for them")
    return notes


def _print(found: Sequence[PanelImport]) -> None:
    from facility.cli import output
    from facility.files.import_panel.merge import shown_value

    for panel in found:
        if len(found) > 1 and not (panel.differences or panel.overrides or panel.problems):
            continue
        title = f"{panel.panel.tag} from {panel.sheet}: {len(panel.panel.circuits)} circuits"
        rows = [
            (d.circuit or "(panel)", d.field, shown_value(d.was), shown_value(d.now), d.where)
            for d in panel.differences
        ]
        if rows:
            heads = ("Circuit", "Field", "Was", "Is", "Where")
            output.print_table(f"{title}, {len(rows)} differences", heads, rows)
        else:
            output.print_lines([f"{title}{', no differences' * panel.compared}"])
        if panel.overrides:
            typed = [(o.where, o.circuit, o.typed) for o in panel.overrides]
            output.print_table("Overwritten formulas", ("Where", "Circuit", "Typed"), typed)
        output.print_lines(f"Note: {note}." for note in _notes(panel))
    output.print_lines([f"Panels read: {len(found)}."])
