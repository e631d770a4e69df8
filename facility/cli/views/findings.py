"""Lists of texts too long for a table: checks, assumptions, cases, derivations.

Each entry is a heading with indented text below it, wrapped to the width of the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from facility.cli.layout import wrapped
from facility.cli.output import print_lines, terminal_width
from facility.core.check import Check, Outcome, by_weight
from facility.core.ledger import Assumption
from facility.core.views import System, printed_text, show
from facility.report.tables.verdict import counts_text, findings

if TYPE_CHECKING:
    from facility.study.fixes.propose import Fix
    from facility.study.verification.outcome import CaseOutcome

_DERIVATION_LINES = 28
_INDENT = "    "
_MAX_SUBJECTS = 2
_MAX_UNDECIDED = 4
"""Rules without a verdict that are listed one by one, with their subjects."""


def print_checks(checks: Sequence[Check], system: System = "si", *, every: bool) -> None:
    """Write the checks that did not pass, or every check with its margin."""
    shown = [c for c in by_weight(checks) if every or c.outcome is not Outcome.PASS]
    lines = ["Checks" if every else "Findings", ""]
    for check in shown:
        verdict = check.word.replace("_", " ")
        margin = _margin(check, system)
        head = f"{verdict}  {check.rule}  {check.about()}" + (f"  {margin}" if margin else "")
        texts = [check.found(system)]
        if check.failed and check.remedy:
            texts.append(f"Remedy: {check.remedy}")
        lines += _block(head, [*texts, f"Source: {check.source}"])
    print_lines(lines if shown else [*lines, "none", ""])


def print_heads(checks: Sequence[Check]) -> None:
    """Write one line for each rule that did not pass, and the number of checks by outcome."""
    lines = [f"Checks: {counts_text(checks)}."]
    found = findings(checks)
    undecided = [one for one in found if one.checks[0].outcome is Outcome.NOT_EVALUATED]
    together = undecided if len(undecided) > _MAX_UNDECIDED else []
    for one in found:
        if one in together:
            continue
        about = "; ".join(dict.fromkeys(check.about(1) for check in one.checks[:_MAX_SUBJECTS]))
        more = len(one.checks) - _MAX_SUBJECTS
        also = f"; and {more} more" if more > 0 else ""
        lines.append(f"  {one.word.replace('_', ' ')}  {one.rule}  {about}{also}")
    if together:
        rules = ", ".join(one.rule for one in together)
        lines += wrapped(f"NOT EVALUATED  {rules}", terminal_width(), "  ", "    ")
    print_lines([*lines, ""])


def print_fixes(fixes: Iterable[Fix]) -> None:
    """Write the changes that clear failed checks, in the form of `--set`."""
    lines = ["Changes that clear failed checks, each designed and studied", ""]
    once = {tuple(fix.changes.items()): fix for fix in reversed(list(fixes))}
    for fix in reversed(once.values()):
        sets = " ".join(f"--set {quote(f'{path}={text}')}" for path, text in fix.changes.items())
        cleared = "; ".join(f"{rule} ({subject})" for rule, subject in fix.cleared)
        texts = [f"Clears {cleared}", *([f"Changes {fix.moves}"] if fix.effects else []), sets]
        lines += _block(fix.reason, texts)
    print_lines(lines if once else [*lines, "none known", ""])


def _margin(check: Check, system: System) -> str:
    """Return the margin: a difference for temperatures, else a percentage of the limit."""
    if check.margin is not None:
        return f"(margin {100.0 * check.margin:+.1f} %)"
    if check.value is None or check.limit is None or check.kind != "temperature":
        return ""
    sign = 1.0 if check.sense == ">=" else -1.0
    distance = show(abs(check.value - check.limit), "temperature_difference", system)
    return f"(margin {'-' if sign * (check.value - check.limit) < 0.0 else '+'}{distance})"


def print_assumptions(assumptions: Iterable[Assumption], system: System = "si") -> None:
    """Write the assumption ledger."""
    lines = ["Assumptions", ""]
    for entry in assumptions:
        value = entry.text or show(entry.value or 0.0, entry.kind, system)
        head = f"{entry.id} = {value}  ({entry.status})"
        lines += _block(head, [printed_text(entry.basis), f"Source: {entry.source}"])
    print_lines(lines)


def print_cases(outcomes: Iterable[CaseOutcome], *, every: bool) -> None:
    """Write the cases of the verification manual: failed ones, or every case."""
    lines = ["Verification manual", ""]
    for outcome in outcomes:
        if not every and outcome.status != "fail":
            continue
        row = outcome.as_row()
        case, source, expected, computed, unit, deviation, tolerance, status, reason = row
        numbers = f"expected {expected} {unit}".rstrip()
        if computed:
            numbers += f", computed {computed} {unit}".rstrip()
            if deviation:
                numbers += f"; deviation {deviation}, tolerance {tolerance}"
        texts = [numbers, f"Source: {source}", *([f"Reason: {reason}"] if reason else [])]
        lines += _block(f"{status.replace('_', ' ')}  {case}", texts)
    print_lines(lines)


def print_derivation(lines: Sequence[str], *, every: bool) -> None:
    """Write the lines of a derivation, wrapped at their indents.

    every: Whether all lines are written; else the result and as many levels below it as fit one
        screen.
    """
    indents = [len(line) - len(line.lstrip()) for line in lines]
    levels = sorted(set(indents), reverse=True)
    deepest = next((n for n in levels if sum(i <= n for i in indents) <= _DERIVATION_LINES), 0)
    shown = [line for line, n in zip(lines, indents, strict=True) if every or n <= deepest]
    if not every and deepest == 0:
        shown = list(lines[:_DERIVATION_LINES])
    print_lines(shown)
    if (more := len(lines) - len(shown)) > 0:
        print_lines([f"--full adds: {more:,} lines with the derivation of the inputs."])


def _block(head: str, texts: Iterable[str]) -> Iterator[str]:
    width = terminal_width()
    yield from wrapped(head, width, "", _INDENT)
    for text in texts:
        yield from wrapped(text, width, _INDENT, _INDENT)
    yield ""
