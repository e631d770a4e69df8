"""One screen on a design: the verdict, ten numbers, what fails worst first, where to look."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from itertools import zip_longest

from facility.cli.options import on_terminal
from facility.cli.output import print_lines, terminal_width
from facility.core.check import Severity
from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.tables.verdict import Finding, buildable, counts_text, findings, key_figures
from facility.study.design.design import Design
from facility.study.failures.study import Progress, failures

_MOST_FINDINGS = 12
_MOST_NOTES = 4
_MORE = " ..."
_WHERE = (
    ("facility design --full", "every number;  --assumptions: what nobody stated"),
    ("facility check --full", "every check: margin, remedy, source"),
    ("facility explain ID", "how a number came about, e.g. pue.design"),
    ("facility failures, transient", "what each outage and each failure of the cooling does"),
    ("facility export xlsx", "all of it as a workbook"),
)


def run_long_studies(design: Design) -> None:
    """Solve the outages, saying on a terminal how far they are; the design keeps what is found."""
    report = progress()
    try:
        failures(design, progress=report)
    except FacilityError:
        return  # the checks of the design say why
    finally:
        if report is not None:
            sys.stderr.write("\r" + " " * 40 + "\r")


def progress() -> Progress | None:
    """Return what writes the number of outages solved to a terminal, None without one."""
    return on_terminal(lambda done: f"{done:,} outages solved")


def print_screen(design: Design, system: System = "si") -> None:
    """Write the screen; no line is longer than the terminal is wide."""
    width = terminal_width()
    print_lines(_cut(line, width) for line in _lines(design, system, width))


def _cut(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    return line[: width - len(_MORE)].rsplit(" ", 1)[0].rstrip(" ,;:") + _MORE


def _lines(design: Design, system: System, width: int) -> Iterator[str]:
    checks = design.checks
    yield design.title
    yield f"Buildable? {buildable(checks)}."
    yield f"Checks: {counts_text(checks)}."
    for note in design.warnings[-_MOST_NOTES:]:
        yield from textwrap.wrap(f"Note: {note}.", width, subsequent_indent="  ")[:2]
    yield ""
    yield from _two_columns(key_figures(design.all_results, system))
    if design.hours is not None and design.hours.refusal:
        no_year = f"The year was not run: {design.hours.refusal}"
        yield from textwrap.wrap(no_year, width, subsequent_indent="  ")
    yield ""
    found = findings(checks)
    failed = [one for one in found if one.word != "NOT_EVALUATED"]
    left = [one for one in found if one.word == "NOT_EVALUATED"]
    yield from _failed(failed, system)
    if left:
        named = ", ".join(_counted_rule(one) for one in left)
        yield f"Not evaluated: {named}"
    yield ""
    yield from (f"{verb:<30}{content}" for verb, content in _WHERE)
    yield f"Project {design.sha256[:12]}. Design aid: the engineer of record is responsible."


def _two_columns(figures: list[tuple[str, str]]) -> Iterator[str]:
    half = -(-len(figures) // 2)
    for left, right in zip_longest(figures[:half], figures[half:], fillvalue=("", "")):
        yield f"{left[0]:<28}{left[1]:<22}{right[0]:<22}{right[1]}".rstrip()


def _failed(found: list[Finding], system: System) -> Iterator[str]:
    if not found:
        yield "No check failed."
        return
    yield "What fails, worst first"
    for one in found[:_MOST_FINDINGS]:
        yield f"  {one.word:<10} {_counted_rule(one)}  {one.text(system)}"
        if one.word == Severity.VIOLATION and one.checks[0].remedy:
            yield f"{'':<13}Remedy: {one.checks[0].remedy}"
    if len(found) > _MOST_FINDINGS:
        more = ", ".join(_counted_rule(one) for one in found[_MOST_FINDINGS:])
        yield f"  and {len(found) - _MOST_FINDINGS} more rules: {more}"


def _counted_rule(one: Finding) -> str:
    return one.rule if len(one.checks) == 1 else f"{one.rule} ({len(one.checks)})"
