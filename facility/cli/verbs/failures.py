"""The verb that fails everything in turn: failures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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
    from facility.study.failures.study import FailureStudy

_SHOWN = 20


def register(cli: typer.Typer) -> None:
    """Add the verb of this module to the command line."""
    cli.command("failures")(failures)


@guarded("failures")
def failures(
    file: ProjectFile = None,
    sets: Sets = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", help="1: single outages; 2: also losses in maintenance, to the panels."
        ),
    ] = 1,
    every: Annotated[
        bool, typer.Option("--all", help="Solve every outage, also those like another one.")
    ] = False,
    states: Annotated[
        int, typer.Option("--states", min=0, help="How many states to print, worst first.")
    ] = _SHOWN,
    units: UnitSystem = Units.si,
    json: AsJson = False,
    fail_on: FailOnOption = None,
) -> None:
    """Fail and maintain everything in turn: load dropped, overloads, verdicts."""
    from facility.cli.views.screen import progress
    from facility.study.failures.study import failures as study_failures

    result = designed(file, sets)
    study = study_failures(result, depth, not every, progress())
    if json:
        _print_json(study, result)
    else:
        _print_text(study, result.title, states, units)
    fail_if(study.checks, fail_on)


def _print_json(study: FailureStudy, result: Design) -> None:
    from facility.cli import output
    from facility.report.tables import failure_objects as objects

    body = output.envelope(
        "failures",
        project=result.project_identity,
        results=study.results.as_json(),
        checks=study.checks,
        assumptions=result.ledger,
        warnings=[*result.warnings, *_remarks(study)],
        states=[objects.state_object(state) for state in study.states],
        groups=[objects.group_object(group) for group in study.groups],
        availability=[objects.availability_object(one) for one in study.availability],
    )
    output.print_json(body)


def _print_text(study: FailureStudy, title: str, shown: int, units: Units) -> None:
    from facility.cli import output
    from facility.cli.views import findings
    from facility.report.tables import failures as tables

    if sys.stderr.isatty():
        sys.stderr.write("\n")
    output.print_lines([title, "", *tables.verdict_lines(study), ""])
    worst = tables.worst_first(study.states)[:shown]
    heading = f"{len(worst)} worst of {len(study.states):,} states ({study.outages:,} outages)"
    output.print_table(heading, tables.STATE_HEADS, tables.state_rows(worst, units.value))
    if study.single_points:
        output.print_table(
            "Single points of failure", tables.POINT_HEADS, tables.point_rows(study, units.value)
        )
    output.print_table(
        "IT load by UPS systems", tables.GROUP_HEADS, tables.group_rows(study.groups, units.value)
    )
    if study.availability:
        output.print_table(
            "Availability", tables.AVAILABILITY_HEADS, tables.availability_rows(study)
        )
    findings.print_checks(study.checks, units.value, every=False)
    output.print_lines(_remarks(study))


def _remarks(study: FailureStudy) -> Iterator[str]:
    yield (
        "Steady state of every outage; overloads are reported and trip nothing in cascade, and a "
        "transfer between live sources leaves no gap. The verdicts are of the power network "
        "alone: IT load, not cooling."
    )
    if study.availability:
        yield (
            "Availability: minimal cut sets of one or two components, failing independently; "
            "planned maintenance, common causes, failures to start and batteries are left out."
        )
    if study.depth > 1:
        yield (
            "Losses during maintenance are those of the power train down to the panels: while a "
            "feed of a rack is out, the loss of its other cord stops what needs both."
        )
    if study.grouped and study.outages > len(study.states):
        yield (
            f"{len(study.states):,} states stand for {study.outages:,} outages that the network "
            "cannot tell apart; --all solves each."
        )
