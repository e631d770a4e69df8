"""The verb issue: a set of sheets that can be filed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import verb
from facility.cli.options import Force, ProjectFile, Sets, UnitsOption, designed, on_terminal
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.files.issue.write import Format


@verb("issue")
def issue(
    file: ProjectFile = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Folder to write to.")
    ] = Path("issue"),
    sets: Sets = None,
    units: Annotated[
        UnitsOption | None,
        typer.Option("--units", help="Unit system; default: ip under the NEC, else si."),
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", metavar="LIST", help="Formats: pdf, dxf, svg.")
    ] = "pdf,dxf",
    appendix: Annotated[
        bool, typer.Option("--appendix", help="Append all checks, calculation trace and log.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="PATH",
            help="Earlier issue (its folder or set.json) or project: list and cloud changes.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Issue a set of sheets: PDF, DXF drawings, SVG, values.

    The sheets have a title block with number, revision and hash: cover with sheet list,
    calculation package, schedules and drawings. Formats have the same values; set.json lists
    them by sheet and key. Identification is from the section project of the project file.
    """
    from facility.cli.output import is_stream, message
    from facility.cli.views.screen import run_long_studies
    from facility.files.issue.write import write_set

    if is_stream(out):
        raise FacilityError(
            "OPTIONS", "--out", "several files do not fit on standard output.", "Enter a folder."
        )
    chosen = chosen_formats(formats)
    design = designed(file, sets)
    run_long_studies(design)
    line = on_terminal(lambda title: f"{title[:70]:<70}")
    written = write_set(
        design,
        out,
        system=None if units is None else units.value,
        formats=chosen,
        appendix=appendix,
        against=against,
        force=force,
        report=line or (lambda _: None),
        warn=message,
    )
    if line is not None:
        line("")
    message(f"wrote {written[0]}")
    if len(written) > 1:
        message(f"wrote {len(written) - 1} more files in {out}")


def chosen_formats(text: str) -> list[Format]:
    """Return the formats in a list with commas.

    Raises ``OPTIONS`` for another word.
    """
    from facility.files.issue.write import FORMATS

    words = [word.strip().lower() for word in text.split(",")]
    if other := [word for word in words if word not in FORMATS]:
        raise FacilityError(
            "OPTIONS", "--format", f"{other[0][:40]!r} is not a format.", "Choose pdf, dxf or svg."
        )
    return [one for one in FORMATS if one in words]
