"""Inventory import on the terminal: mapping, questions, changes, and the file written."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from facility.cli import output
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.files.incoming.inventory.answers import Answers
    from facility.files.incoming.inventory.read import Inventory
    from facility.files.incoming.profile import Options
    from facility.model.inputs.document import Project
    from facility.report.studies.protocol import Object

KIND = "inventory"
_NEW = {"schema_version": "1"}
_MAX_DIFFERENCES = 40
_MAX_ERRORS = 20


@dataclass(frozen=True)
class Target:
    """Where the result of an import goes."""

    out: Path | None
    apply: bool
    save_profile: Path | None
    force: bool
    json: bool


def options_in(path: Path) -> Options:
    """Return the options of the profile in a file."""
    from facility.files.incoming.profile import read_profile

    return read_profile(path, KIND).options


def import_files(
    files: Sequence[Path], answers: Answers, project: Path | None, target: Target
) -> None:
    """Read files, print the changes, and write the project if requested."""
    from facility.cli.guard import refuse_input_as_output
    from facility.cli.options import read_project, stdin_file
    from facility.cli.views.study import show_study
    from facility.files.incoming.inventory.answers import options_of
    from facility.files.incoming.inventory.read import read_inventory
    from facility.files.incoming.inventory.tables import InventoryFile
    from facility.files.incoming.profile import ImportProfile, headings_of
    from facility.files.incoming.text_table import MAX_BYTES
    from facility.files.io.read_text import read_bytes
    from facility.files.project.file import dump_project
    from facility.files.rack_list import racks_of
    from facility.model.inputs.document import read_document
    from facility.report.studies.protocol import Statement

    before = read_document(_NEW) if project is None else read_project(project, None)
    paths = [stdin_file(path, ".csv") for path in files]
    sources = [InventoryFile(path.name, read_bytes(path, MAX_BYTES)) for path in paths]
    found = read_inventory(sources, answers, before)
    errors = inventory_errors(found, files)
    after = found.after
    if errors or after is None:
        refuse(found, errors, json=target.json)
        return
    if target.save_profile is not None:
        profile = ImportProfile(KIND, headings_of(found.tables), options_of(answers))
        output.write_file(target.save_profile, profile.text().encode(), force=target.force)
        output.message(f"wrote {target.save_profile}")
    if target.json:
        rows: list[Object] = [{**row} for row in racks_of(after)]
        results = {
            "summary": found.summary,
            "racks.rows": len(rows),
            "racks.count": sum(one.count or 1 for one in found.racks),
            "differences": len(found.update.differences),
            "accepted": target.apply or target.out is not None,
        }
        warnings = [
            *filter(None, (found.warning,)),
            *found.notes,
            *(f"column {name!r} is not read" for name in found.unread),
        ]
        lists = {"racks": rows, **inventory_lists(found)}
        statement = Statement("import", results, lists, warnings=warnings)
        show_study(statement, "si", json=True)
    elif not output.is_stream(target.out):
        print_inventory(found)
    if target.out is not None:
        for path in paths if target.force else ():
            refuse_input_as_output(target.out, path)
        output.write_file(target.out, dump_project(after).encode(), force=target.force)
    elif target.apply and project is not None and found.update.changes:
        _replace_project(project, before, after)
    written = target.out or (project if target.apply else None)
    if not output.is_stream(written):
        output.message(
            f"wrote {written}" if written else "no file written; use --out FILE or --apply"
        )


def _replace_project(path: Path, before: Project, after: Project) -> None:
    """Write the IT equipment of `after` into a project file if it is still `before`.

    Raises ``FILE_CHANGED`` if it is not.
    """
    from facility.files.io.atomic import file_changed, replace_bytes
    from facility.files.io.read_text import read_bytes, text_of
    from facility.files.project.file import parse_project
    from facility.files.project.text import with_it_text
    from facility.model.inputs.document import as_typed

    content = read_bytes(path)
    if as_typed(parse_project(content, str(path), path.parent)) != as_typed(before):
        raise file_changed(path)
    text = with_it_text(text_of(content, str(path)), after)
    replace_bytes(path, content, text.encode())


def inventory_errors(found: Inventory, files: Sequence[Path]) -> list[FacilityError]:
    """Return the questions of an inventory and its rows that are not understood."""
    from facility.files.incoming.profile import headings_of, profile_for

    errors = [question.as_error() for question in found.questions]
    if found.questions and files:
        saved = profile_for(files[0].parent, KIND, headings_of(found.tables))
        if saved is not None:
            hint = f"A profile was saved for these headings: add --profile {saved}."
            first = errors[0]
            errors[0] = FacilityError(
                first.code, first.where, first.message, f"{first.hint} {hint}"
            )
    return errors + found.problems


def print_mapping(found: Inventory) -> None:
    """Print heading, field, unit and first cell of every column."""
    open_cells = {question.where for question in found.questions}
    for table in found.tables:
        rows = []
        for one in table.columns:
            field = (one.field or "") if one.carried else "(not read)"
            field = "(question)" if one.where in open_cells else field
            rows.append((one.heading, field, one.unit, one.example))
        heads = ("Heading", "Field", "Unit", "First cell")
        output.print_table(f"{table.grid.name}, headings in row {table.top}", heads, rows)


def print_inventory(found: Inventory) -> None:
    """Print the mapping, the summary and the differences from the project."""
    from facility.files.incoming.inventory.update import difference_rows

    print_mapping(found)
    rows = list(difference_rows(found.update.differences))
    if rows:
        shown = rows[:_MAX_DIFFERENCES]
        more = f", first {len(shown)} of {len(rows)}" if len(shown) < len(rows) else ""
        heads = ("Change", "Hall", "Name", "Was", "Is")
        output.print_table(f"Differences from the project{more}", heads, shown)
    lines = [f"Note: {note}." for note in found.notes]
    if found.unread:
        lines.append(f"Not read: {', '.join(found.unread)}.")
    if found.after is not None and not found.update.changes:
        lines.append("The project already contains this inventory.")
    lines += [f"Warning: {found.warning}"] if found.warning else []
    output.print_lines([*lines, *filter(None, (found.summary, found.sums))])


def inventory_lists(found: Inventory) -> Mapping[str, list[Object]]:
    """Return mapping and differences for JSON."""
    columns: list[Object] = [
        {
            "table": table.grid.name,
            "heading": one.heading,
            "field": one.field or "",
            "unit": one.unit,
            "where": one.where,
            "first_cell": one.example,
        }
        for table in found.tables
        for one in table.columns
    ]
    differences: list[Object] = [vars(one) for one in found.update.differences]
    return {"columns": columns, "differences": differences}


def refuse(found: Inventory, errors: Sequence[FacilityError], *, json: bool) -> None:
    """Print the mapping and the errors, and exit with 3."""
    if json:
        output.print_json({**output.refusal("import", errors), **inventory_lists(found)})
    else:
        print_inventory(found)
    for error in errors[:_MAX_ERRORS]:
        sys.stderr.write(f"error: {error}\n")
    if len(errors) > _MAX_ERRORS:
        sys.stderr.write(f"error: {len(errors) - _MAX_ERRORS:,} more\n")
    sys.exit(3)
