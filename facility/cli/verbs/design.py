"""The verbs that design and ask about a design: design, check, explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import fail_if, guarded
from facility.cli.options import (
    AsJson,
    FailOnOption,
    ProjectFile,
    Sets,
    Units,
    UnitSystem,
    designed,
)

if TYPE_CHECKING:
    from facility.study.design.design import Design


def register(cli: typer.Typer) -> None:
    """Add the verbs of this module to the command line."""
    cli.command("design")(design)
    cli.command("check")(check)
    cli.command("explain")(explain)


@guarded("design")
def design(
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = Units.si,
    json: AsJson = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every quantity and every failed check.")
    ] = False,
    assumptions: Annotated[
        bool, typer.Option("--assumptions", help="Print the assumption ledger too.")
    ] = False,
    fail_on: FailOnOption = None,
) -> None:
    """Design the facility: verdict, ten numbers, what fails first; --full prints all."""
    from facility.cli import output
    from facility.cli.views import findings
    from facility.cli.views.screen import print_screen, run_long_studies

    result = designed(file, sets)
    run_long_studies(result)
    if json:
        output.print_json(_design_json("design", result))
    elif full:
        _print_full(result, units)
    else:
        print_screen(result, units.value)
    if assumptions and not json:
        output.print_lines([""])
        findings.print_assumptions(result.ledger, units.value)
    fail_if(result.checks, fail_on)


@guarded("check")
def check(
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = Units.si,
    json: AsJson = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every check, passed ones with their margins.")
    ] = False,
    fail_on: FailOnOption = None,
) -> None:
    """Print the verdict of every study: what fails, worst first; --full prints every check."""
    from facility.cli import output
    from facility.cli.views import findings
    from facility.cli.views.screen import print_screen, run_long_studies
    from facility.core.check import counted

    result = designed(file, sets)
    run_long_studies(result)
    if json:
        body = output.envelope(
            "check",
            project=result.project_identity,
            results={f"checks.{k.lower()}": n for k, n in counted(result.checks).items()},
            checks=result.checks,
            warnings=result.warnings,
        )
        output.print_json(body)
    elif full:
        findings.print_checks(result.checks, units.value, every=True)
        output.print_lines(_closing(result))
    else:
        print_screen(result, units.value)
    fail_if(result.checks, fail_on)


@guarded("explain")
def explain(
    result_id: Annotated[
        str,
        typer.Argument(help="Result id, e.g. ups.loading_normal; a rule, or the code of an error."),
    ],
    file: ProjectFile = None,
    sets: Sets = None,
    units: UnitSystem = Units.si,
    json: AsJson = False,
) -> None:
    """Print how a result came about, what a rule found, or what the code of an error means."""
    from facility.cli import output
    from facility.cli.views import findings
    from facility.core.errors import error_codes
    from facility.report.sheet.formula_text import formula_text
    from facility.study.design.explained import explain_result

    identity = None
    if code := error_codes().get(result_id):
        lines = [f"{result_id}: {code.meaning}", f"  {code.remedy}"]
    else:
        result = designed(file, sets)
        identity = result.project_identity
        lines = explain_result(result, result_id, units.value, formula_text)
    if json:
        body = output.envelope(
            "explain",
            project=identity,
            results={"id": result_id},
            steps=[{"line": line} for line in lines],
        )
        output.print_json(body)
    else:
        findings.print_derivation(lines)


def _design_json(verb: str, result: Design) -> dict[str, object]:
    from facility.cli.output import envelope

    return envelope(
        verb,
        project=result.project_identity,
        results=result.all_results.as_json(),
        checks=result.checks,
        assumptions=result.ledger,
        warnings=result.warnings,
    )


def _print_full(result: Design, units: Units) -> None:
    from facility.cli import output
    from facility.cli.views import findings
    from facility.report.tables.summary import summary_sections

    output.print_lines([result.title, *(f"Note: {note}." for note in result.notes), ""])
    for section in summary_sections(result.all_results, units.value):
        output.print_table(section.title, ("Quantity", "Value", "Note"), section.rows)
    findings.print_checks(result.checks, units.value, every=False)
    output.print_lines(_closing(result))


def _closing(result: Design) -> list[str]:
    from facility.report.tables.verdict import counts_text

    open_count = sum(a.status == "open" for a in result.ledger)
    return [
        f"Checks: {counts_text(result.checks)}.",
        f"Assumptions not confirmed: {open_count} (facility design --assumptions lists them).",
        f"Project {result.sha256[:12]}. Design aid: the engineer of record is responsible.",
    ]
