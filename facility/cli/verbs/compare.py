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


_UNNAMED = "Unnamed project"


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
    from facility.study.compare.ways import compare_cooling

    project = read_project(file, sets)
    comparison = compare_cooling(project)
    name = project.project.name or _UNNAMED
    title = f"{name}: cooling power against rack density"
    if out is not None:
        _write_chart(comparison, title, out, force=force)
    if json:
        _print_json(comparison)
    else:
        _print_text(comparison, units)


def _write_chart(comparison: CoolingComparison, title: str, out: Path, *, force: bool) -> None:
    from facility.files.io.atomic import write_bytes
    from facility.files.svg.line_chart import line_chart_svg
    from facility.report.drawings.charts.compare import density_chart

    svg = line_chart_svg(density_chart(comparison, title))
    write_bytes(out, svg.encode(), force=force)


def _print_json(comparison: CoolingComparison) -> None:
    from facility.cli import output
    from facility.model.inputs.document import project_sha256
    from facility.report.tables import compare_objects as objects
    from facility.report.tables.compare import summary_lines

    project = comparison.project
    results = comparison.results.as_json() | objects.null_keys(comparison)
    body = output.envelope(
        "compare",
        project={"name": project.project.name or _UNNAMED, "sha256": project_sha256(project)},
        results=results,
        checks=comparison.checks,
        assumptions=comparison.assumptions,
        warnings=summary_lines(comparison),
        options=[objects.option_object(comparison, option) for option in comparison.options],
    )
    output.print_json(body)


def _print_text(comparison: CoolingComparison, units: Units) -> None:
    from facility.cli import output
    from facility.report.tables import compare as tables

    density = f"{comparison.density_w / 1e3:,.1f} kW in the densest compute rack"
    output.print_table(
        f"Ways to cool the same racks ({density})",
        tables.OPTION_HEADS,
        tables.option_rows(comparison, units.value),
    )
    output.print_table(
        "Cooling power by part", tables.POWER_HEADS, tables.power_rows(comparison, units.value)
    )
    output.print_table(
        "Rack density", tables.DENSITY_HEADS, tables.density_rows(comparison, units.value)
    )
    output.print_table("Capital cost by part", tables.COST_HEADS, tables.cost_rows(comparison))
    output.print_lines(tables.assumption_lines(comparison, units.value))
    output.print_lines(tables.summary_lines(comparison))
