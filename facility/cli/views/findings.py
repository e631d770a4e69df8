"""Lists for people that are too wordy for a table: checks, assumptions, cases, derivations.

Every entry is a head line and indented text below it, wrapped to the width of the terminal.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from facility.cli.output import print_lines, terminal_width
from facility.core.check import Check, Outcome, by_weight
from facility.core.ledger import Assumption
from facility.core.views import System, show

if TYPE_CHECKING:
    from facility.study.fixes.propose import Fix
    from facility.study.verification.outcome import CaseOutcome

_INDENT = "    "


def print_checks(checks: Sequence[Check], system: System = "si", *, every: bool) -> None:
    """Write the checks: those that did not pass, or all of them with their margins."""
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


def print_fixes(fixes: Iterable[Fix]) -> None:
    """Write the changes that clear what fails, as `--set` takes them."""
    lines = ["Changes that clear what fails, each designed and studied as a whole", ""]
    once = {tuple(fix.changes.items()): fix for fix in reversed(list(fixes))}
    for fix in reversed(once.values()):
        sets = " ".join(f"--set {quote(f'{path}={text}')}" for path, text in fix.changes.items())
        cleared = "; ".join(f"{rule} of {subject}" for rule, subject in fix.cleared)
        texts = [f"Clears {cleared}", *([f"Moves {fix.moves}"] if fix.effects else []), sets]
        lines += _block(fix.reason, texts)
    print_lines(lines if once else [*lines, "none known", ""])


def _margin(check: Check, system: System) -> str:
    """Return the distance to the limit: a difference for temperatures, else in per cent of it."""
    if check.margin is not None:
        return f"(margin {check.margin:+.1%})"
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
        lines += _block(head, [entry.basis, f"Source: {entry.source}"])
    print_lines(lines)


def print_cases(outcomes: Iterable[CaseOutcome]) -> None:
    """Write the cases of the verification manual."""
    lines = ["Verification manual", ""]
    for outcome in outcomes:
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


def print_derivation(lines: Iterable[str]) -> None:
    """Write the lines of a derivation; on a terminal a long line is wrapped at its own indent."""
    width = terminal_width() if sys.stdout.isatty() else None
    for line in lines:
        start = line[: len(line) - len(line.lstrip())]
        if width is None or len(line) <= width or len(start) > width // 2:
            print_lines([line])
        else:
            print_lines(_wrapped(line.strip(), start, start + "    ", width))


def _block(head: str, texts: Iterable[str]) -> Iterator[str]:
    width = terminal_width()
    yield from _wrapped(head, "", _INDENT, width)
    for text in texts:
        yield from _wrapped(text, _INDENT, _INDENT, width)
    yield ""


def _wrapped(text: str, first: str, rest: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
