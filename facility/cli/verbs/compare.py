"""The verbs that compare designs: compare, diff."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import fail_if, verb
from facility.cli.options import (
    AsJson,
    FailOnOption,
    Force,
    Full,
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
        bool, typer.Option("--cooling", help="Compare cooling methods for the same racks.")
    ] = False,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="TEXT",
            help="Project with changed inputs, 'NAME: PATH=VALUE; PATH=VALUE'; up to 6.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="File to write: chart of power vs. rack density (.svg), or workbook of scenarios.",
        ),
    ] = None,
    force: Force = False,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
) -> None:
    """Compare cooling methods or scenarios of one project."""
    if cooling is bool(scenario):
        raise FacilityError(
            "OPTIONS",
            "compare",
            "either --cooling or --scenario is required.",
            "Enter one of them.",
        )
    if scenario:
        project = read_project(file, sets)
        _scenarios(project, scenario, out, units.value, force=force, json=json, full=full)
        return
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.report.studies.compare import Comparison
    from facility.study.compare.ways import compare_cooling

    project = read_project(file, sets)
    comparison = compare_cooling(project)
    shown = Comparison(comparison)
    if out is not None:
        title = f"{shown.project['name']}: cooling power against rack density"
        _write_chart(comparison, title, out, force=force)
    brief = None if full else summary.cooling_methods
    show_study(shown, units.value, json=json, checks=False, summary=brief)


@verb("diff")
def diff(
    before: Annotated[
        Path, typer.Argument(metavar="BEFORE", help="Project file, or - for standard input.")
    ],
    after: Annotated[
        Path, typer.Argument(metavar="AFTER", help="Project file to compare; --set changes it.")
    ],
    sets: Sets = None,
    full: Full = False,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Compare two projects: inputs, results, checks."""
    from facility.cli.views import summary
    from facility.cli.views.screen import run_long_studies
    from facility.cli.views.study import show_study
    from facility.files.project.compared import ProjectDifference

    first, second = designed(before, None), designed(after, sets)
    for one in (first, second):
        run_long_studies(one)
    names = _names(before, after)
    brief = None if full else summary.difference
    show_study(ProjectDifference(first, second, names), units.value, json=json, summary=brief)
    fail_if(second.checks, fail_on)


def _names(before: Path, after: Path) -> tuple[str, str]:
    """Return two file names that differ, each as short as possible."""
    if before.name != after.name:
        return before.name, after.name
    if before == after:
        return before.name, f"{after.name} (--set)"
    parts = zip(reversed(before.parts), reversed(after.parts), strict=False)
    count = next((n for n, (one, other) in enumerate(parts) if one != other), 0) + 1
    return str(Path(*before.parts[-count:])), str(Path(*after.parts[-count:]))


def _scenarios(
    project: Project,
    texts: list[str],
    out: Path | None,
    system: System,
    *,
    force: bool,
    json: bool,
    full: bool,
) -> None:
    from facility.cli.output import write_file
    from facility.cli.views import summary
    from facility.cli.views.study import show_study
    from facility.files.workbook.split import scenarios_bytes
    from facility.report.studies.compare import InScenarios
    from facility.study.scenarios import named, scenarios

    study = InScenarios(scenarios(project, named(texts)))
    if out is not None:
        write_file(out, scenarios_bytes(study.found), force=force)
    brief = None if full else summary.scenarios
    show_study(study, system, json=json, checks=False, summary=brief)


def _write_chart(comparison: CoolingComparison, title: str, out: Path, *, force: bool) -> None:
    from facility.cli.output import write_file
    from facility.files.svg.chart import chart_svg
    from facility.report.drawings.charts.compare import density_notes, power_over_density

    svg = chart_svg([power_over_density(comparison)], title, density_notes(comparison))
    write_file(out, svg.encode(), force=force)
