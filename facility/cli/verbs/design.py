"""The verbs that design and ask about a design: design, check, explain."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

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
)


@verb("design")
def design(
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every quantity and every failed check.")
    ] = False,
    assumptions: Annotated[
        bool, typer.Option("--assumptions", help="Print the assumption ledger too.")
    ] = False,
    as_built: Annotated[
        Path | None,
        typer.Option(
            "--as-built",
            help="Project file to write, with models, ratings and counts of the design as inputs.",
        ),
    ] = None,
    force: Force = False,
    fail_on: FailOnOption = None,
) -> None:
    """Design the facility: verdict, ten numbers, what fails first; --full prints all."""
    from facility.cli import output
    from facility.cli.views import findings
    from facility.cli.views.screen import print_screen, run_long_studies
    from facility.cli.views.study import show_study
    from facility.files.io.atomic import write_bytes
    from facility.files.project.file import dump_project
    from facility.report.studies.design import DesignShown

    result = designed(file, sets)
    if as_built is not None:
        text = dump_project(result.as_built()).encode()
        sys.stderr.write(f"wrote {write_bytes(as_built, text, force=force)}\n")
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
        bool, typer.Option("--full", help="Print every check, passed ones with their margins.")
    ] = False,
    fixes: Annotated[
        bool,
        typer.Option(
            "--fixes", help="Look for changes of the project that clear what fails, each designed."
        ),
    ] = False,
    fail_on: FailOnOption = None,
) -> None:
    """Print the verdict of every study: what fails, worst first; --full prints every check."""
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
        typer.Argument(help="Result id, e.g. ups.loading_normal; a rule, or the code of an error."),
    ],
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = UnitsOption.si,
    json: AsJson = False,
) -> None:
    """Print how a result came about, what a rule found, or what the code of an error means."""
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
        told = Statement("explain", {"id": result_id}, {"steps": steps}, project=identity)
        show_study(told, units.value, json=True)
    else:
        findings.print_derivation(lines)
