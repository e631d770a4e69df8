"""The verbs that hold choices against each other: compare, diff."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Force,
    ProjectFile,
    Sets,
    UnitsOption,
    UnitSystem,
    designed,
    read_project,
)
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.core.views import System
    from facility.model.inputs.document import Project
    from facility.study.compare.ways import CoolingComparison


@verb("compare")
def compare(
    file: ProjectFile = None,
    sets: Sets = None,
    cooling: Annotated[
        bool, typer.Option("--cooling", help="Compare ways to cool the same racks.")
    ] = False,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            help="The project with inputs changed: 'name: path=value; path=value'; up to 6.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="File to write: SVG of power over rack density, or workbook of the scenarios.",
        ),
    ] = None,
    force: Force = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
) -> None:
    """Compare ways to cool the same racks, or scenarios: the project with inputs changed."""
    if cooling is bool(scenario):
        raise FacilityError(
            "OPTIONS",
            "compare",
            "what to compare is not said, or both are.",
            "Give --cooling or --scenario.",
        )
    if scenario:
        _scenarios(read_project(file, sets), scenario, out, units.value, force=force, json=json)
        return
    from facility.cli.views.study import show_study
    from facility.report.studies.compare import Comparison
    from facility.study.compare.ways import compare_cooling

    project = read_project(file, sets)
    comparison = compare_cooling(project)
    shown = Comparison(comparison)
    if out is not None:
        title = f"{shown.project['name']}: cooling power against rack density"
        _write_chart(comparison, title, out, force=force)
    show_study(shown, units.value, json=json, checks=False)


@verb("diff")
def diff(
    before: Annotated[Path, typer.Argument(help="Project file (YAML or JSON).")],
    after: Annotated[Path, typer.Argument(help="The other one, changed by --set.")],
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Hold two projects against each other: inputs, results and checks that differ."""
    from facility.cli.views.screen import run_long_studies
    from facility.cli.views.study import show_study
    from facility.files.project.compared import ProjectDifference

    designs = [
        designed(path, None if place == 0 else sets) for place, path in enumerate((before, after))
    ]
    for one in designs:
        run_long_studies(one)
    names = (before.name, after.name) if before.name != after.name else (str(before), str(after))
    show_study(ProjectDifference(designs[0], designs[1], names), units.value, json=json)
    fail_if(designs[1].checks, fail_on)


def _scenarios(
    project: Project, texts: list[str], out: Path | None, system: System, *, force: bool, json: bool
) -> None:
    from facility.cli.views.study import show_study
    from facility.files.io.atomic import write_bytes
    from facility.files.workbook.split import scenarios_bytes
    from facility.report.studies.compare import InScenarios
    from facility.study.scenarios import named, scenarios

    study = InScenarios(scenarios(project, named(texts)))
    if out is not None:
        write_bytes(out, scenarios_bytes(study.found, study.verdicts), force=force)
    show_study(study, system, json=json, checks=False)


def _write_chart(comparison: CoolingComparison, title: str, out: Path, *, force: bool) -> None:
    from facility.files.io.atomic import write_bytes
    from facility.files.svg.line_chart import line_chart_svg
    from facility.report.drawings.charts.line_chart import density_chart

    svg = line_chart_svg(density_chart(comparison, title))
    write_bytes(out, svg.encode(), force=force)
