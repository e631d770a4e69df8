"""What the command line prints: the JSON contract, and tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from facility.core.check import Check, Outcome, by_weight
from facility.core.errors import FacilityError
from facility.core.ledger import Assumption
from facility.core.views import show, view_unit, view_value


def envelope(
    verb: str,
    *,
    project: Mapping[str, str] | None = None,
    results: Mapping[str, Any] | None = None,
    checks: Iterable[Check] = (),
    assumptions: Iterable[Assumption] = (),
    warnings: Iterable[str] = (),
    **lists: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the JSON object of the verb; `lists` stand at top level."""
    body: dict[str, Any] = {"schema": f"facility.{verb}/1", "ok": True}
    if project is not None:
        body["project"] = dict(project)
    body["results"] = dict(results or {})
    body.update({name: [dict(row) for row in rows] for name, rows in lists.items()})
    body["checks"] = [_check_json(check) for check in checks]
    body["assumptions"] = [_assumption_json(a) for a in assumptions]
    body["warnings"] = list(warnings)
    return body


def refusal(verb: str, errors: Iterable[FacilityError]) -> dict[str, Any]:
    """Return the JSON object of a refused call."""
    return {
        "schema": f"facility.{verb}/1",
        "ok": False,
        "errors": [error.as_dict() for error in errors],
    }


def print_json(body: Mapping[str, Any]) -> None:
    """Write `body` to stdout, keys in order, without NaN."""
    sys.stdout.write(json.dumps(body, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def _number(si: float | None, kind: str) -> dict[str, Any] | None:
    if si is None or not kind:
        return None
    return {"value": view_value(si, kind), "unit": view_unit(kind)}


def _check_json(check: Check) -> dict[str, Any]:
    return {
        "rule": check.rule,
        "subject": check.subject,
        "severity": check.severity.value,
        "outcome": check.outcome.value,
        "value": _number(check.value, check.kind),
        "sense": check.sense,
        "limit": _number(check.limit, check.kind),
        "margin": check.margin,
        "source": str(check.source),
        "why": check.why,
        "remedy": check.remedy,
    }


def _assumption_json(assumption: Assumption) -> dict[str, Any]:
    return {
        "id": assumption.id,
        "value": assumption.text or _number(assumption.value, assumption.kind),
        "basis": assumption.basis,
        "source": str(assumption.source),
        "status": assumption.status,
    }


def print_lines(lines: Iterable[str]) -> None:
    """Write plain lines to stdout."""
    sys.stdout.write("".join(line + "\n" for line in lines))


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to stdout: with rules on a terminal, plain text elsewhere.

    User text is written as it is: no markup is interpreted.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 140)
    table = Table(title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD)
    for head in heads:
        table.add_column(Text(head), overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def print_checks(checks: Sequence[Check], *, every: bool) -> None:
    """Write the checks: those that did not pass, or all of them with their margins."""
    shown = [c for c in by_weight(checks) if every or c.outcome is not Outcome.PASS]
    rows = []
    for check in shown:
        verdict = check.severity.value if check.failed else check.outcome.value
        margin = "" if check.margin is None else f"{check.margin:+.1%}"
        text = check.why + (f" Remedy: {check.remedy}" if check.failed and check.remedy else "")
        rows.append((verdict, check.rule, check.subject, text, margin, str(check.source)))
    print_table("Checks", ("Verdict", "Rule", "Subject", "Found", "Margin", "Source"), rows)


def print_assumptions(assumptions: Iterable[Assumption]) -> None:
    """Write the assumption ledger."""
    rows = [
        (a.id, a.text or show(a.value or 0.0, a.kind), a.status, a.basis, str(a.source))
        for a in assumptions
    ]
    print_table("Assumptions", ("Id", "Value", "Status", "Basis", "Source"), rows)
