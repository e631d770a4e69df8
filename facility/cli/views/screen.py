"""One screen on a design: verdict, key results, findings worst first, further commands."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from facility.cli.layout import wrapped
from facility.cli.options import on_terminal
from facility.cli.output import print_text, terminal_width
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

_MAX_FINDINGS = 8
_MAX_NARROW_FINDINGS = 5
_MAX_NAMES = 10
"""Rules or inputs in a list; the others are counted."""
_VERDICT_COLUMN = 38
_NARROW = 100
"""Width below which the reasons of the verdict are no column."""
_MAX_NOTES = 4
_GUTTER = "   "
_COMMANDS = (
    ("facility design --full", "every result; --assumptions: default values in use"),
    ("facility check --full", "every check: margin, remedy, source"),
    ("facility explain ID", "derivation of a result, e.g. pue.design"),
    ("facility failures, transient", "effect of each outage and cooling failure"),
    ("facility export xlsx", "workbook with all results"),
)


def run_long_studies(design: Design) -> None:
    """Solve the outages, which the design caches, with their number on a terminal."""
    report = progress()
    try:
        failures(design, progress=report)
    except FacilityError:
        return  # The checks of the design state the reason.
    finally:
        if report is not None:
            sys.stderr.write("\r" + " " * 40 + "\r")


def progress() -> Progress | None:
    """Return a function that writes the number of outages to a terminal; None without one."""
    return on_terminal(lambda done: f"{done:,} outages solved")


def print_screen(design: Design, system: System = "si") -> None:
    """Write the screen; no line is longer than the terminal is wide."""
    print_text("".join(f"{line}\n" for line in _lines(design, system, terminal_width())))


def _lines(design: Design, system: System, width: int) -> Iterator[str]:
    checks = design.checks
    yield from wrapped(design.title, width, "", "  ")
    yield from wrapped(f"Verdict: {headline(checks)}.", width, "", "    ")
    rest = " " * (_VERDICT_COLUMN if width >= _NARROW else 4)
    for line in verdict_of(checks):
        goal = "goal, " if line.required else ""
        start = f"  {line.title:<{_VERDICT_COLUMN - 3}} " if width >= _NARROW else "  "
        name = "" if width >= _NARROW else f"{line.title}: "
        yield from wrapped(f"{name}{goal}{line.outcome}: {line.because}", width, start, rest)
    yield from wrapped(DEFINITIONS, width, "  ", "    ")
    yield from wrapped(f"Checks: {counts_text(checks)}.", width, "", "    ")
    for note in design.warnings[-_MAX_NOTES:]:
        yield from wrapped(f"Note: {note}.", width, "", "  ")
    yield ""
    yield from _key_lines(key_figures(design.all_results, system), width)
    if design.hours is not None and design.hours.refusal:
        yield from wrapped(f"The year was not run: {design.hours.refusal}", width, "", "  ")
    yield ""
    yield from _findings(checks, system, width)
    yield ""
    column = max(len(command) for command, _ in _COMMANDS) + 2
    for command, content in _COMMANDS:
        yield from wrapped(content, width, f"{command:<{column}}", " " * column)
    responsible = "Design aid: the engineer of record is responsible."
    yield from wrapped(f"Project {design.sha256[:12]}. {responsible}", width)


def _findings(checks: Sequence[Check], system: System, width: int) -> Iterator[str]:
    """Yield failed checks, then advice, unverified data and checks not evaluated, by input."""
    found = [one for one in findings(checks) if one.rule not in UNVERIFIED]
    advice = [one for one in found if one.word == Severity.ADVICE]
    apart = (Severity.ADVICE, Outcome.NOT_EVALUATED)
    yield from _failed([one for one in found if one.word not in apart], system, width)
    if advice:
        yield from _listed("Advice", [_counted_rule(one) for one in advice], width)
    if unread := unverified_text(checks):
        yield from wrapped(f"{unread}; facility check --full lists them.", width, "", "    ")
    groups = not_evaluated(checks)
    if groups:
        count = sum(len(group) for _, group in groups)
        names = [f"{name} ({len(group)})" for name, group in groups]
        yield from _listed(f"Not evaluated ({count}), by the input that decides", names, width)


def _listed(title: str, names: Sequence[str], width: int) -> list[str]:
    """Return a list of names in about two lines; the others are counted."""
    shown = list(names)
    while len(shown) > 1:
        text = f"{title}: {_with_rest(shown, len(names) - len(shown))}"
        lines = wrapped(text, width, "", "    ")
        if len(lines) <= 2 and len(shown) <= _MAX_NAMES:
            return lines
        shown.pop()
    return wrapped(f"{title}: {_with_rest(shown, len(names) - len(shown))}", width, "", "    ")


def _with_rest(names: Iterable[str], more: int) -> str:
    return ", ".join([*names, *([f"and {more} more"] if more else [])])


def _key_lines(figures: list[tuple[str, str]], width: int) -> Iterator[str]:
    """Yield the key results: in two columns where these fit, else one to a line."""
    half = -(-len(figures) // 2)
    left, right = figures[:half], figures[half:]
    sizes = [
        max((len(pair[n]) for pair in part), default=0) for part in (left, right) for n in (0, 1)
    ]
    if width < sum(sizes) + len(_GUTTER) + 4:
        label = max(len(name) for name, _ in figures)
        yield from (f"{name:<{label}}  {value}" for name, value in figures)
        return
    for one, other in zip_longest(left, right, fillvalue=("", "")):
        yield (
            f"{one[0]:<{sizes[0]}}  {one[1]:<{sizes[1]}}{_GUTTER}{other[0]:<{sizes[2]}}  {other[1]}"
        ).rstrip()


def _failed(found: list[Finding], system: System, width: int) -> Iterator[str]:
    if not found:
        yield "No violations or warnings."
        return
    yield "Violations and warnings, worst first"
    limit = _MAX_NARROW_FINDINGS if width < _NARROW else _MAX_FINDINGS
    rest = " " * 13 if width >= _NARROW else "      "
    for one in found[:limit]:
        text = f"{_counted_rule(one)}  {one.text(system)}"
        yield from wrapped(text, width, f"  {one.word:<10} ", rest)
        if one.word == Severity.VIOLATION and one.checks[0].remedy:
            yield from wrapped(f"Remedy: {one.checks[0].remedy}", width, rest, rest)
    if len(found) > limit:
        more = _with_rest([_counted_rule(one) for one in found[limit:]], 0)
        yield from wrapped(f"and {len(found) - limit} more rules: {more}", width, "  ", "    ")


def _counted_rule(one: Finding) -> str:
    return one.rule if len(one.checks) == 1 else f"{one.rule} ({len(one.checks)})"
