"""A study on the terminal: JSON, a summary of one screen, or all tables and findings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from facility.cli import output
from facility.cli.views.findings import print_checks, print_heads
from facility.cli.views.summary import Summary
from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Study

StudyT = TypeVar("StudyT", bound=Study)


def show_study(
    study: StudyT,
    system: System,
    *,
    json: bool,
    checks: bool = True,
    summary: Callable[[StudyT, System], Summary] | None = None,
) -> None:
    """Write a study.

    checks: Whether the text lists the checks that did not pass.
    summary: Function that selects one screen of it; None writes all.
    """
    if json:
        output.print_json(study_json(study))
        return
    if study.title:
        notes = (f"Note: {notice}." for notice in study.notices)
        output.print_lines([study.title, *study.opening(), *notes, ""])
    if summary is not None:
        shown = summary(study, system)
        for table in shown.tables:
            _print_table(table)
        if checks and study.checks:
            print_heads(study.checks)
        adds = [f"--full adds: {shown.more}."] if shown.more else []
        output.print_lines([*shown.lines, *adds])
        return
    for table in study.tables(system):
        _print_table(table)
    if checks:
        print_checks(study.checks, system, every=False)
    output.print_lines(study.closing(system))


def _print_table(table: TextTable) -> None:
    output.print_table(table.title, table.heads, table.rows)
    output.print_lines(table.below)


def study_json(study: Study) -> dict[str, object]:
    """Return a study as the JSON contract defines it."""
    return output.envelope(
        study.verb,
        project=study.project,
        results=study.results,
        checks=study.checks,
        assumptions=study.assumptions,
        warnings=study.warnings,
        **study.lists(),
    )
