"""Any study on the terminal: its JSON, or its tables, checks and lines."""

from __future__ import annotations

from facility.cli import output
from facility.cli.views.findings import print_checks
from facility.core.views import System
from facility.report.studies.protocol import Study


def show_study(study: Study, system: System, *, json: bool, checks: bool = True) -> None:
    """Write a study; `checks` is whether people are shown the checks that did not pass."""
    if json:
        output.print_json(study_json(study))
        return
    width = output.terminal_width()
    if study.title:
        opening = (part for line in study.opening() for part in output.wrap_line(line, width))
        output.print_lines([study.title, *opening, ""])
    for table in study.tables(system):
        output.print_table(table.title, table.heads, table.rows)
        for line in table.below:
            output.print_lines(output.wrap_line(line, width) if len(line) > width else [line])
    if checks:
        print_checks(study.checks, system, every=False)
    output.print_lines(study.closing(system))


def study_json(study: Study) -> dict[str, object]:
    """Return a study as the JSON contract has it."""
    return output.envelope(
        study.verb,
        project=study.project,
        results=study.results,
        checks=study.checks,
        assumptions=study.assumptions,
        warnings=study.warnings,
        **study.lists(),
    )
