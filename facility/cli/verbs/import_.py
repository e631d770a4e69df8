"""The verb import: inventories, previewed and then written; templates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    DecimalSign,
    FailOnOption,
    Force,
    Full,
    Maps,
    ProfileFile,
    SaveProfile,
    Sheet,
    UnitsOption,
    UnitSystem,
    designed,
    stdin_file,
)


@verb("import inventory", "import racks")
def import_inventory(
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
            "--project", metavar="FILE", help="Project to update; default: a new project."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Project file to write; default: none."),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write to the file of --project.")] = False,
    maps: Maps = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--value",
            metavar="TEXT=MEANING",
            help="Meaning of a cell: model, purpose, feed, room or ignore; repeatable.",
        ),
    ] = None,
    fill_down: Annotated[
        list[str] | None,
        typer.Option(
            "--fill-down",
            metavar="FIELD",
            help="Fill blank cells from above: room, site, rack, model, manufacturer.",
        ),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            "--skip",
            metavar="FIELD",
            help="Omit rows without this field: room, rack, model; rows: invalid rows.",
        ),
    ] = None,
    room: Annotated[
        str | None, typer.Option("--room", metavar="NAME", help="Hall for rows without a room.")
    ] = None,
    sheet: Sheet = None,
    decimal: DecimalSign = None,
    other_halls: Annotated[
        str | None,
        typer.Option(
            "--other-halls", metavar="WORD", help="Project halls not in the file: keep or remove."
        ),
    ] = None,
    designed: Annotated[
        str | None,
        typer.Option(
            "--designed",
            metavar="WORD",
            help="Network, storage and management sized by the project: keep or remove.",
        ),
    ] = None,
    ports: Annotated[
        str | None,
        typer.Option(
            "--ports",
            metavar="WORD",
            help="Device power: sum of its power ports, or full draw at each port: sum or each.",
        ),
    ] = None,
    rack_power: Annotated[
        str | None,
        typer.Option("--rack-power", metavar="POWER", help="Rack power for a bill of materials."),
    ] = None,
    rack_units: Annotated[
        str | None,
        typer.Option("--rack-units", metavar="COUNT", help="Rack height for a bill of materials."),
    ] = None,
    profile: ProfileFile = None,
    save_profile: SaveProfile = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Read an inventory of racks and devices into a project.

    Without --out or --apply nothing is written: the mapping, the differences and a summary are
    printed. An ambiguous table is an error that names the option to add.
    """
    from facility.cli.views import inventory
    from facility.core.errors import FacilityError
    from facility.files.incoming.inventory.answers import answers_in, answers_of

    if apply and (out is not None or project is None):
        raise FacilityError(
            "IMPORT_OPTION",
            "--apply",
            "--apply writes to the file of --project.",
            "Add --project FILE, without --out.",
        )
    choices = {
        "room": room,
        "sheet": sheet,
        "decimal": decimal,
        "other_halls": other_halls,
        "designed": designed,
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


@verb("import workbook")
def import_workbook(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Workbook of export xlsx, its inputs changed.")
    ],
    project: Annotated[
        Path | None,
        typer.Option(
            "--project", metavar="FILE", help="Project to update; default: the embedded one."
        ),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write to the file of --project.")] = False,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Apply changed inputs of a workbook and run the engine.

    Every cell of the sheet Inputs is read by its project field. Prints what differs from the
    project; --apply writes the changed inputs into it.
    """
    from facility.cli import output
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.core.errors import FacilityError
    from facility.files.workbook_inputs import apply_changes, workbook_changes

    if apply and project is None:
        raise FacilityError(
            "IMPORT_OPTION",
            "--apply",
            "--apply writes to the file of --project.",
            "Add --project FILE.",
        )
    against = None if project is None else designed(project, None)
    found = workbook_changes(stdin_file(file, ".xlsx"), against)
    brief = None if full or not found.changes else summary.difference
    show_study(found, units.value, json=json, summary=brief)
    if apply and project is not None and found.changes:
        apply_changes(project, found)
        output.message(f"wrote {found.written} to {project}")
    elif found.changes:
        output.message("no file written; use --project FILE --apply")
    fail_if(found.after.checks, fail_on)


@verb("import template")
def import_template(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="inventory, racks, bill or panel.")],
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
