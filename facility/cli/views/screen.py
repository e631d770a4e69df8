"""One screen on a design: the verdict, ten numbers, what fails worst first, where to look."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from facility.cli.options import on_terminal
from facility.cli.output import print_lines, terminal_width, wrap_line
from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.tables.verdict import (
    DEFINITIONS,
    UNVERIFIED,
    Finding,
    counts_text,
    findings,
    headline,
    key_figures,
    not_evaluated,
    unverified_text,
    verdict_of,
)
from facility.study.design.design import Design
from facility.study.failures.study import Progress, failures

_MOST_FINDINGS = 8
_MOST_ROWS = 2
"""Lines of a list of rules or inputs."""
_MOST_REASONS = 3
"""Lines of what decides a property of the verdict."""
_VERDICT_COLUMN = 38
_WIDE = 90
"""Width from which the reasons of the verdict are a column."""
_MOST_NOTES = 4
_MORE = " ..."
_WHERE = (
    ("facility design --full", "every result;  --assumptions: default values in use"),
    ("facility check --full", "every check: margin, remedy, source"),
    ("facility explain ID", "derivation of a result, e.g. pue.design, power.ups.model"),
    ("facility failures, transient", "effect of every electrical outage and cooling failure"),
    ("facility export xlsx", "workbook with all results"),
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
    yield from _wrapped(f"Verdict: {headline(checks)}.", width)
    indent = _VERDICT_COLUMN if width >= _WIDE else 4
    for line in verdict_of(checks):
        goal = "goal, " if line.required else ""
        text = f"  {line.title:<{_VERDICT_COLUMN - 3}} {goal}{line.outcome}: {line.because}"
        yield from _wrapped(text, width, indent, _MOST_REASONS)
    yield from wrap_line(f"  {DEFINITIONS}", width)
    yield f"Checks: {counts_text(checks)}."
    for note in design.warnings[-_MOST_NOTES:]:
        yield from textwrap.wrap(f"Note: {note}.", width, subsequent_indent="  ")[:2]
    yield ""
    yield from _two_columns(key_figures(design.all_results, system))
    if design.hours is not None and design.hours.refusal:
        no_year = f"The year was not run: {design.hours.refusal}"
        yield from textwrap.wrap(no_year, width, subsequent_indent="  ")
    yield ""
    yield from _findings(checks, system, width)
    yield ""
    yield from (f"{verb:<30}{content}" for verb, content in _WHERE)
    yield f"Project {design.sha256[:12]}. Design aid: the engineer of record is responsible."


def _findings(checks: Sequence[Check], system: System, width: int) -> Iterator[str]:
    """Yield what fails, then advice, unverified data and what was not evaluated, by input."""
    found = [one for one in findings(checks) if one.rule not in UNVERIFIED]
    advice = [one for one in found if one.word == Severity.ADVICE]
    apart = (Severity.ADVICE, Outcome.NOT_EVALUATED)
    yield from _failed([one for one in found if one.word not in apart], system)
    if advice:
        yield from _listed("Advice", (_counted_rule(one) for one in advice), width)
    if unread := unverified_text(checks):
        yield f"{unread}; facility check --full lists them."
    groups = not_evaluated(checks)
    if groups:
        count = sum(len(those) for _, those in groups)
        named = (f"{name} ({len(those)})" for name, those in groups)
        yield from _listed(f"Not evaluated ({count}), by the input that decides", named, width)


def _listed(title: str, names: Iterable[str], width: int) -> list[str]:
    return _wrapped(f"{title}: {', '.join(names)}", width)


def _wrapped(text: str, width: int, indent: int = 4, rows: int = _MOST_ROWS) -> list[str]:
    return wrap_line(text, width, indent, max_lines=rows, placeholder=_MORE)


def _two_columns(figures: list[tuple[str, str]]) -> Iterator[str]:
    half = -(-len(figures) // 2)
    for left, right in zip_longest(figures[:half], figures[half:], fillvalue=("", "")):
        yield f"{left[0]:<28}{left[1]:<22}{right[0]:<22}{right[1]}".rstrip()


def _failed(found: list[Finding], system: System) -> Iterator[str]:
    if not found:
        yield "No violations or warnings."
        return
    yield "Violations and warnings, worst first"
    for one in found[:_MOST_FINDINGS]:
        yield f"  {one.word:<10} {_counted_rule(one)}  {one.text(system)}"
        if one.word == Severity.VIOLATION and one.checks[0].remedy:
            yield f"{'':<13}Remedy: {one.checks[0].remedy}"
    if len(found) > _MOST_FINDINGS:
        more = ", ".join(_counted_rule(one) for one in found[_MOST_FINDINGS:])
        yield f"  and {len(found) - _MOST_FINDINGS} more rules: {more}"


def _counted_rule(one: Finding) -> str:
    return one.rule if len(one.checks) == 1 else f"{one.rule} ({len(one.checks)})"
