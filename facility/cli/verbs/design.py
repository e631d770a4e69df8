"""The verbs that size a facility and report on the design: design, check, explain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
)


@verb("design")
def design(
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every result and every failed check.")
    ] = False,
    assumptions: Annotated[
        bool, typer.Option("--assumptions", help="Print the assumptions with value, basis, source.")
    ] = False,
    as_built: Annotated[
        Path | None,
        typer.Option(
            "--as-built",
            metavar="FILE",
            help="Write a project with models, ratings and counts of the design as inputs.",
        ),
    ] = None,
    force: Force = False,
    fail_on: FailOnOption = None,
) -> None:
    """Size the facility and print the verdict and key results."""
    from facility.cli import output
    from facility.cli.views import findings
    from facility.cli.views.screen import print_screen, run_long_studies
    from facility.cli.views.study import show_study
    from facility.files.project.file import dump_project
    from facility.report.studies.design import DesignShown

    result = designed(file, sets)
    if as_built is not None:
        text = dump_project(result.as_built()).encode()
        output.write_file(as_built, text, force=force)
        output.message(f"wrote {as_built}")
    run_long_studies(result)
    if json or full:
        show_study(DesignShown(result), units.value, json=json)
    else:
        print_screen(result, units.value)
    if assumptions and not json:
        output.print_lines([""])
        findings.print_assumptions(result.ledger, units.value)
    fail_if(result.checks, fail_on)


@verb("check")
def check(
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every check, including passed ones with margin.")
    ] = False,
    fixes: Annotated[
        bool, typer.Option("--fixes", help="Search for project changes that clear failed checks.")
    ] = False,
    fail_on: FailOnOption = None,
) -> None:
    """Check the design in every study: failures, worst first."""
    from facility.cli import output
    from facility.cli.views import findings
    from facility.cli.views.screen import print_screen, run_long_studies
    from facility.cli.views.study import study_json
    from facility.report.studies.design import ChecksShown
    from facility.study.fixes.propose import fixes as proposals

    result = designed(file, sets)
    run_long_studies(result)
    proposed = list(proposals(result).values()) if fixes else None
    shown = ChecksShown(result, proposed)
    if json:
        output.print_json(study_json(shown))
    elif full:
        findings.print_checks(result.checks, units.value, every=True)
        output.print_lines(shown.closing(units.value))
    else:
        print_screen(result, units.value)
    if proposed is not None and not json:
        findings.print_fixes(proposed)
    fail_if(result.checks, fail_on)


@verb("explain")
def explain(
    result_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="Result, e.g. ups.loading_normal; rule; or error code."),
    ],
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    full: Full = False,
    json: AsJson = False,
) -> None:
    """Explain a result, a rule or an error code."""
    from facility.cli.views import findings
    from facility.cli.views.study import show_study
    from facility.core.errors import error_codes
    from facility.report.sheet.formula_text import formula_text
    from facility.report.studies.protocol import Object, Statement
    from facility.study.explained import explain_result

    identity = None
    if code := error_codes().get(result_id):
        lines = [f"{result_id}: {code.meaning}", f"  {code.remedy}"]
    else:
        result = designed(file, sets)
        identity = result.project_identity
        lines = explain_result(result, result_id, units.value, formula_text)
    if json:
        steps: list[Object] = [{"line": line} for line in lines]
        statement = Statement("explain", {"id": result_id}, {"steps": steps}, project=identity)
        show_study(statement, units.value, json=True)
    else:
        findings.print_derivation(lines, every=full)
