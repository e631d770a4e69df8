"""Arguments and options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

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
    typer.Argument(help="Project file (YAML, JSON, .zip). Without it: the embedded h100-10k."),
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change one field: path=value, e.g. --set it.gpus=2048."),
]
UnitSystem = Annotated[UnitsOption, typer.Option("--units", help="Units shown: si or ip.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the JSON contract (always SI).")]
FailOnOption = Annotated[
    FailOn | None,
    typer.Option("--fail-on", help="Exit with 5 when a check of this severity or worse fails."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


def read_project(path: Path | None, sets: list[str] | None) -> Project:
    """Return the project of `path`, or the embedded one, with the ``--set`` changes applied."""
    from facility.files.project.file import apply_sets, default_project, load_project

    project = default_project() if path is None else load_project(unpacked_of(path))
    return apply_sets(project, sets) if sets else project


def unpacked_of(path: Path) -> Path:
    """Return the project file of `path`, which may be an archive with the files beside it."""
    from facility.files.project.packed import is_packed, unpacked

    return unpacked(path) if is_packed(path) else path


def designed(path: Path | None, sets: list[str] | None) -> Design:
    """Return the design of the project of `path` (or of the embedded one)."""
    from facility.study.design.design import design

    return design(read_project(path, sets))


def on_terminal(text: Callable[P, str]) -> Callable[P, None] | None:
    """Return what writes over the line of the terminal what `text` says; None without one."""
    if not sys.stderr.isatty():
        return None

    def report(*args: P.args, **named: P.kwargs) -> None:
        sys.stderr.write(f"\r{text(*args, **named)}")
        sys.stderr.flush()

    return report
