"""The verb that holds choices against each other: compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import guarded
from facility.cli.options import (
    AsJson,
    Force,
    ProjectFile,
    Sets,
    Units,
    UnitSystem,
    read_project,
)
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.study.compare.ways import CoolingComparison


def register(cli: typer.Typer) -> None:
    """Add the verb of this module to the command line."""
    cli.command("compare")(compare)


@guarded("compare")
def compare(
    file: ProjectFile = None,
    sets: Sets = None,
    cooling: Annotated[
        bool, typer.Option("--cooling", help="Compare ways to cool the same racks.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="SVG to write: power over rack density.")
    ] = None,
    force: Force = False,
    units: UnitSystem = Units.si,
    json: AsJson = False,
) -> None:
    """Compare air, in-row, rear-door, hybrid and liquid cooling for the same racks."""
    if not cooling:
        raise FacilityError(
            "OPTIONS", "compare", "what to compare is not said.", "Known: --cooling.", exit_code=2
        )
    from facility.cli.views.study import show_study
    from facility.report.studies.compare import UNNAMED, Comparison
    from facility.study.compare.ways import compare_cooling

    project = read_project(file, sets)
    comparison = compare_cooling(project)
    name = project.project.name or UNNAMED
    title = f"{name}: cooling power against rack density"
    if out is not None:
        _write_chart(comparison, title, out, force=force)
    show_study(Comparison(comparison), units.value, json=json, checks=False)


def _write_chart(comparison: CoolingComparison, title: str, out: Path, *, force: bool) -> None:
    from facility.files.io.atomic import write_bytes
    from facility.files.svg.line_chart import line_chart_svg
    from facility.report.drawings.charts.compare import density_chart

    svg = line_chart_svg(density_chart(comparison, title))
    write_bytes(out, svg.encode(), force=force)
