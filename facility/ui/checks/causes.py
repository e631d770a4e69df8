"""Checks grouped by cause: the input that a fix or the remedy changes, else the discipline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from facility.core.check import Check, Outcome, counted
from facility.core.views import System, show
from facility.model.inputs.entries import field_at
from facility.report.tables.names import input_name, rule_title
from facility.report.tables.verdict import deciding_input, word_of
from facility.study.fixes.propose import Fix, Mark
from facility.ui.blocks.blocks import Look, look_of
from facility.ui.blocks.component import ListGroup, ListRow
from facility.ui.checks.pages import PageOf
from facility.ui.checks.words import list_hash
from facility.ui.session import edits, state
from facility.ui.work.known import KnownChecks

_IDENTICAL = re.compile(r" and ([\d,]+) identical$")
_FIELD = re.compile(r"\b[a-z]+(?:\.[a-z][a-z_0-9]*)+\b")
ICONS = {
    "VIOLATION": "violation",
    "WARNING": "warning",
    "ADVICE": "advice",
    "NOT_EVALUATED": "open",
    "WAIVED": "waived",
    "PASS": "passed",
}
_LOOKS: Mapping[str, Look] = {"VIOLATION": "over", "WARNING": "tight"}
_TEMPERATURES = ("temperature", "rating_temperature")


@dataclass(frozen=True)
class Cause:
    """Checks with one cause, worst first."""

    title: str
    checks: tuple[Check, ...]


def causes(checks: Sequence[Check], now: KnownChecks, where: PageOf) -> list[Cause]:
    """Return sorted checks grouped by cause, in the order of the first of each."""
    fixed = _fixed_by(now)
    found: dict[str, list[Check]] = {}
    for check in checks:
        path = fixed.get((check.rule, check.subject)) or _deciding(check)
        title = _named(path) if path else where(check).discipline
        found.setdefault(title, []).append(check)
    return [Cause(title, tuple(grouped)) for title, grouped in found.items()]


def by_object(checks: Sequence[Check], where: PageOf) -> list[Cause]:
    """Return sorted checks grouped by discipline, and by subject within it."""
    found: dict[str, list[Check]] = {}
    for check in sorted(checks, key=lambda c: (where(c).discipline, c.subject)):
        found.setdefault(where(check).discipline, []).append(check)
    return [Cause(title, tuple(grouped)) for title, grouped in found.items()]


def _fixed_by(now: KnownChecks) -> dict[Mark, str]:
    """Return the first input that a found fix changes, by the checks that then pass."""
    if now.looking is None or now.looking.state != "done":
        return {}
    found = cast(dict[Mark, Fix], now.looking.result())
    return {mark: next(iter(fix.changes)) for fix in found.values() for mark in fix.solved}


def _deciding(check: Check) -> str:
    """Return the input that the remedy names first, or that decides an unevaluated check."""
    if check.outcome is Outcome.NOT_EVALUATED:
        found = deciding_input(check)
        return found if field_at(found) is not None else ""
    if not check.failed:
        return ""
    named = [match[0] for match in _FIELD.finditer(check.remedy)]
    first = next((path for path in named if field_at(path) is not None), "")
    stated = (path for path in edits.BELONGS_TO.get(first, ()) if path in named and _stated(path))
    return next(stated, first)


def _named(path: str) -> str:
    """Return an input in words, with its value if the project states it."""
    name = input_name(path)
    stated = _stated(path).replace("_", " ")
    return f"{name}: {stated} is stated" if stated else name


def _stated(path: str) -> str:
    return edits.shown_value(state.session(), path) or ""


def groups(found: Iterable[Cause], system: System) -> list[ListGroup]:
    """Return the list of the inbox."""
    listed = []
    for one in found:
        counts = counted(one.checks).items()
        words = ", ".join(f"{count} {word_of(word, count)}" for word, count in counts if count)
        rows = [row(check, system) for check in one.checks]
        listed.append(ListGroup(one.title, rows, words, _LOOKS.get(one.checks[0].word, "")))
    return listed


def row(check: Check, system: System) -> ListRow:
    """Return the row of a check: title, worst subject, value of limit, and margin."""
    sides, subjects = check.sides(system), (check.subject, *check.alike)
    counts = [int(n.replace(",", "")) for one in subjects for n in _IDENTICAL.findall(one)]
    more = len(check.alike) + sum(counts)
    about = _IDENTICAL.sub("", check.about(1).partition(";")[0])
    about += f" and {more:,} identical" if more else ""
    value, limit = (sides[0], f"of {sides[1]}") if sides else ("", "")
    return ListRow(
        key(check),
        rule_title(check.rule),
        about,
        value,
        limit,
        margin_words(check, system),
        look(check),
        ICONS[check.word],
    )


def key(check: Check) -> str:
    """Return the id of a check in lists."""
    return list_hash([check])


def look(check: Check) -> Look:
    """Return how the margin of a check is shown."""
    if check.failed:
        return _LOOKS.get(check.word, "")
    return look_of(check.margin)


def margin_words(check: Check, system: System) -> str:
    """Return the margin to the limit, or the exceedance, as text; empty without a limit."""
    if check.value is None or check.limit is None:
        return ""
    distance = check.limit - check.value if check.sense == "<=" else check.value - check.limit
    if check.kind in _TEMPERATURES:
        text = show(abs(distance), "temperature_difference", system)
    elif check.margin is None:
        return ""
    else:
        text = show(abs(check.margin), "fraction", system)
    side = "over" if check.sense == "<=" else "short"
    return f"{text} {side}" if distance < 0.0 else f"{text} left"
