"""Arguments and options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.model.inputs.document import Project
    from facility.study.design.design import Design

P = ParamSpec("P")


class UnitsOption(StrEnum):
    """Unit system of a view."""

    si = "si"
    ip = "ip"


class FailOn(StrEnum):
    """Severity from which failed checks end in exit code 5."""

    violation = "violation"
    warning = "warning"
    advice = "advice"


ProjectFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="Project file (YAML, JSON, .zip), or - for standard input. "
        "Without it: the embedded example h100-10k.",
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change one field, e.g. it.gpus=2048; repeatable."
    ),
]
UnitSystem = Annotated[UnitsOption, typer.Option("--units", help="Unit system of the text.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, always in SI units.")]
Full = Annotated[bool, typer.Option("--full", help="Print all tables and findings.")]
FailOnOption = Annotated[
    FailOn | None,
    typer.Option("--fail-on", help="Exit with 5 if a check of this severity or worse fails."),
]
Maps = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="HEADING=FIELD",
        help="Field of a column, e.g. 'Load=va kVA', 'Notes=ignore'; repeatable.",
    ),
]
DecimalSign = Annotated[
    str | None, typer.Option("--decimal", metavar="SIGN", help="Decimal separator: . or ,")
]
PanelData = Annotated[
    str | None,
    typer.Option("--panel", metavar="DATA", help="Panel data: 'RPP-1A; 208Y/120; 42; 225 A'."),
]
PowerFactor = Annotated[
    float | None,
    typer.Option(
        "--power-factor", metavar="PF", help="Power factor of circuits that do not state one."
    ),
]
ProfileFile = Annotated[
    Path | None,
    typer.Option("--profile", metavar="FILE", help="Import profile saved by --save-profile."),
]
Sheet = Annotated[
    str | None, typer.Option("--sheet", metavar="NAME", help="Read only this sheet of a workbook.")
]
SaveProfile = Annotated[
    Path | None,
    typer.Option("--save-profile", metavar="FILE", help="Save the mapping options of this run."),
]


@dataclass(frozen=True)
class TableOptions:
    """Options of the commands that read a table of circuits."""

    sheet: Sheet = None
    maps: Maps = None
    decimal: DecimalSign = None
    power_factor: PowerFactor = None
    profile: ProfileFile = None


NO_TABLE_OPTIONS = TableOptions()
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Omit messages and progress; errors remain.")
]


def read_project(path: Path | None, sets: list[str] | None) -> Project:
    """Return the project in the file at `path`, with the ``--set`` changes applied.

    path: ``-`` for standard input; None for the embedded example, which the output then names.
    """
    from facility.catalogue.loader import activate
    from facility.cli.output import console, is_stream
    from facility.files.project.file import (
        apply_sets,
        begun_example,
        default_project,
        load_project,
        parse_project,
    )
    from facility.study.equipped import project_catalogue

    if path is None:
        project = default_project()
        name = project.project.name
        console.notice = f"Embedded example {name}: no project file was entered."
        if sets:  # A changed example is another project: it does not carry the identity.
            project = parse_project(begun_example(name or ""))
    elif is_stream(path):
        project = parse_project(stdin_bytes(), "standard input", Path.cwd())
    else:
        project = load_project(unpacked_of(path))
    project = apply_sets(project, sets) if sets else project
    activate(project_catalogue(project))
    return project


def stdin_bytes() -> bytes:
    """Return the content of standard input, up to the size limit of files."""
    from facility.files.io.zipped import MAX_BYTES

    return sys.stdin.buffer.read(MAX_BYTES + 1)


def stdin_file(path: Path, suffix: str) -> Path:
    """Return `path`, or for ``-`` a temporary file with the content of standard input.

    suffix: Of the temporary file; a workbook has ``.xlsx`` whatever it is.
    """
    import atexit
    import shutil
    import tempfile

    from facility.cli.output import is_stream

    if not is_stream(path):
        return path
    content = stdin_bytes()
    folder = Path(tempfile.mkdtemp(prefix="facility-stdin-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / f"stdin{'.xlsx' if content[:2] == b'PK' else suffix}"
    file.write_bytes(content)
    return file


def unpacked_of(path: Path) -> Path:
    """Return the project file at `path`, unpacked if it is an archive."""
    from facility.files.project.packed import is_packed, unpacked

    return unpacked(path) if is_packed(path) else path


def designed(path: Path | None, sets: list[str] | None) -> Design:
    """Return the design of the project at `path`, or of the embedded example."""
    from facility.study.design.design import design

    return design(read_project(path, sets))


def on_terminal(text: Callable[P, str]) -> Callable[P, None] | None:
    """Return a function that rewrites the progress line on stderr; None without a terminal."""
    from facility.cli.output import console

    if console.quiet or not sys.stderr.isatty():
        return None

    def report(*args: P.args, **named: P.kwargs) -> None:
        sys.stderr.write(f"\r{text(*args, **named)}")
        sys.stderr.flush()

    return report


def check_choice(panels: str | None, **others: bool) -> None:
    """Reject options that exclude each other."""
    chosen = {"panels": panels is not None, **others}
    given = [f"--{name}" for name, used in chosen.items() if used]
    if len(given) > 1:
        raise FacilityError(
            "OPTIONS", " ".join(given), "these options exclude each other.", "Enter one of them."
        )
