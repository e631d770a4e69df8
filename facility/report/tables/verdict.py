"""The verdict on a design for all interfaces: goals, achieved properties, failed checks.

Concurrently maintainable and fault tolerant are defined as in the Tier Standard: Topology (Uptime
Institute), EN 50600-2-2 and -2-3 (availability classes 3 and 4) and TIA-942 (rated-3, rated-4).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from facility.core.check import Check, Outcome, Severity, by_weight, counted
from facility.core.table import Results
from facility.core.views import System

NOT_KNOWN = "not known"
"""Text of an absent key figure."""
_FIGURES = (
    ("IT load", "load.it"),
    ("Facility load, design hour", "load.facility"),
    ("Annual PUE", "pue.annual"),
    ("PUE, estimate at mean weather", "pue.estimate"),
    ("PUE, design hour", "pue.design"),
    ("UPS", "ups.modules", "ups.module_rating"),
    ("Generators", "generator.count", "generator.rating"),
    ("Transformers", "transformer.count", "transformer.rating_kva"),
    ("Utility demand", "utility.demand_kva"),
    ("Racks, all types", "load.racks"),
    ("Air-side heat load", "heat.room"),
)
KEY_RESULTS = tuple(key for _, *keys in _FIGURES for key in keys)
"""Result keys of the key figures."""
VerdictOutcome = Literal["met", "not met", "not decided", "waived", "as designed"]
PROPERTIES = {
    "Redundancy": "REDUNDANCY",
    "Concurrently maintainable, power": "CONCURRENTLY-MAINTAINABLE",
    "Concurrently maintainable, cooling": "COOLING-MAINTAINABLE",
    "Fault tolerant, power": "FAULT-TOLERANT",
    "Fault tolerant, cooling": "COOLING-FAULT-TOLERANT",
}
"""Properties of a verdict, and the rule that decides each."""
DEFINITIONS = (
    "Definitions: Uptime Institute Tier Standard: Topology; EN 50600-2-2, -2-3; TIA-942. "
    "No certificate."
)
UNVERIFIED = frozenset(
    {
        "AIR-DERATING-DATA",
        "BATTERY-MEMORY",
        "DATA-MEMORY",
        "HYDRAULICS-DATA",
        "IEC-UNVERIFIED",
        "MEMORY-DATA",
        "MEMORY-DEFAULT",
        "RECEPTACLE-UNVERIFIED",
    }
)
"""Rules that only report a figure without a read source."""
_OUTCOMES: Mapping[Outcome, VerdictOutcome] = {
    Outcome.PASS: "met",
    Outcome.FAIL: "not met",
    Outcome.NOT_EVALUATED: "not decided",
    Outcome.WAIVED: "waived",
}
_BATTERIES = ("BATTERY-RIDE-THROUGH", "RIDE-THROUGH-BATTERY")
_DUTY_UNITS = (
    "UPS-LOADING-FAILURE",
    "GENERATOR-CAPACITY",
    "GENERATOR-KVA",
    "TRANSFORMER-LOADING-FAILURE",
)
"""Rules by which the units that remain carry the load: without them units are not redundant."""
_FIELD = re.compile(
    r"\b(?:site|it|power|cooling|criteria|panels|house)(?:\.[a-z_][a-z_0-9]*(?:\[\])?)+"
)
_NO_INPUT = "see the reason"
_WORDS = {
    "VIOLATION": ("violation", "violations"),
    "WARNING": ("warning", "warnings"),
    "ADVICE": ("advice", "advice"),
    "NOT_EVALUATED": ("not evaluated", "not evaluated"),
    "WAIVED": ("waived", "waived"),
    "PASS": ("passed", "passed"),
}


@dataclass(frozen=True)
class Finding:
    """Finding of the checks of one rule and one verdict, worst first.

    `word` is the severity of the failure, NOT_EVALUATED or WAIVED; `checks` is never empty.
    """

    word: str
    rule: str
    checks: tuple[Check, ...]

    def text(self, system: System = "si") -> str:
        """Return the worst check: subject and reason."""
        return f"{self.checks[0].about(1)}: {self.checks[0].found(system)}"


def counts_text(checks: Iterable[Check]) -> str:
    """Return the counts of check outcomes as text; zeros other than violations are omitted."""
    counts = counted(checks)
    return ", ".join(
        f"{count} {word_of(word, count)}"
        for word, count in counts.items()
        if count or word == Severity.VIOLATION
    )


def word_of(word: str, count: int) -> str:
    """Return an outcome word in singular or plural."""
    return _WORDS[word][count != 1]


@dataclass(frozen=True)
class VerdictLine:
    """One property of a design, required by the project or not."""

    title: str
    outcome: VerdictOutcome
    because: str
    required: bool  # Whether the project states it as a goal

    @property
    def text(self) -> str:
        """Title, outcome and deciding reason."""
        return f"{self.title}: {self.outcome}; {self.because}"


def verdict_of(checks: Iterable[Check]) -> tuple[VerdictLine, ...]:
    """Return redundancy, concurrent maintainability and fault tolerance, of power and cooling.

    They are read from the checks of all studies: a check of severity VIOLATION belongs to a goal
    stated by the project. Properties not studied are not decided.
    """
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.rule, []).append(check)
    return tuple(_verdict_line(title, rule, found) for title, rule in PROPERTIES.items())


def _verdict_line(title: str, rule: str, found: Mapping[str, list[Check]]) -> VerdictLine:
    if rule not in found:
        return VerdictLine(title, "not decided", "not studied", False)
    check = found[rule][0]
    required = check.severity is Severity.VIOLATION
    outcome = _OUTCOMES[check.outcome]
    if rule == "REDUNDANCY":
        short_of = [c for id in _DUTY_UNITS for c in found.get(id, ()) if c.failed]
        if required and not check.subject.startswith("N"):
            # Several systems (2N, 3N/2) do not back up a device that needs all of them.
            cords = (c for c in found.get("PSU-REDUNDANCY", ()) if c.failed)
            short_of += [c for c in cords if c.severity is Severity.VIOLATION]
        for other in short_of:
            counts = other.kind == "count"
            short = other.why if counts else other.comparison() or other.why
            because = f"{other.subject}: {short.partition(';')[0]}; {check.why}"
            return VerdictLine(title, "not met", because, required)
        outcome = outcome if required else "as designed"
    if rule == "FAULT-TOLERANT" and outcome == "met":
        # The power flow assumes that batteries carry the load until generators start; these checks
        # verify it.
        for other in (c for id in _BATTERIES for c in found.get(id, ())):
            if other.outcome is not Outcome.PASS:
                because = f"{other.subject}: {other.why}"
                return VerdictLine(title, _OUTCOMES[other.outcome], because, required)
    return VerdictLine(title, outcome, check.why, required)


def headline(checks: Sequence[Check]) -> str:
    """Return the one-line verdict: goals, or achieved properties; violations."""
    lines = verdict_of(checks)
    required = [line for line in lines if line.required]
    return f"{_goal(required) if required else _achieved(lines)}; {_violations(checks)}"


def _goal(required: Sequence[VerdictLine]) -> str:
    """Return whether the goals are met: the first of these outcomes among the goals."""
    for outcome in ("not met", "not decided", "waived"):
        scopes: dict[str, list[str]] = {}
        for line in required:
            if line.outcome == outcome:
                name, _, scope = line.title.lower().partition(", ")
                scopes.setdefault(name, []).append(scope)
        if scopes:
            named = (
                f"{name} ({' and '.join(of)})" if of[0] else name for name, of in scopes.items()
            )
            return f"goal {outcome}: {', '.join(named)}"
    return "goal met"


def _achieved(lines: Sequence[VerdictLine]) -> str:
    redundancy, *properties = lines
    power, cooling = properties[::2], properties[1::2]
    is_short = redundancy.outcome == "not met"
    has = "redundancy not met" if is_short else redundancy.because.partition(";")[0]
    return f"no goal stated: {has}, power {_level(power)}, cooling {_level(cooling)}"


def _level(properties: Sequence[VerdictLine]) -> str:
    """Return the highest property met, or that the lowest is not met."""
    maintainable, tolerant = properties
    if tolerant.outcome == "met" and maintainable.outcome == "met":
        return "fault tolerant"
    if maintainable.outcome == "met":
        return "concurrently maintainable"
    return "not concurrently maintainable" if maintainable.outcome == "not met" else "not decided"


def _violations(checks: Iterable[Check]) -> str:
    listed = list(checks)
    count = counted(listed)[Severity.VIOLATION]
    given = sum(c.outcome is Outcome.WAIVED and c.severity is Severity.VIOLATION for c in listed)
    waived = f"; {given} {word_of('VIOLATION', given)} waived" if given else ""
    return f"{count or 'no'} {word_of('VIOLATION', count)}{waived}"


def not_evaluated(checks: Iterable[Check]) -> list[tuple[str, tuple[Check, ...]]]:
    """Return unevaluated checks by deciding input, most checks first."""
    found: dict[str, list[Check]] = {}
    for check in checks:
        if check.outcome is Outcome.NOT_EVALUATED:
            found.setdefault(deciding_input(check), []).append(check)
    grouped = [(name, tuple(those)) for name, those in found.items()]
    return sorted(grouped, key=lambda one: (-len(one[1]), one[0]))


def deciding_input(check: Check) -> str:
    """Return the input that decides a check: the field its reason names, else that of its rule."""
    named = _FIELD.search(check.why)
    return named[0] if named else _inputs_by_rule().get(check.rule, _NO_INPUT)


@cache
def _inputs_by_rule() -> Mapping[str, str]:
    table = Path(__file__).with_name("deciding_inputs.csv")
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    return {row["rule"]: row["input"] for row in rows}


def unverified(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return the findings that only report a figure without a read source."""
    return tuple(check for check in checks if check.rule in UNVERIFIED and check.failed)


def unverified_text(checks: Iterable[Check]) -> str:
    """Return one line on the unverified data of a design; empty if all data are verified."""
    count = sum(check.count for check in unverified(checks))
    if not count:
        return ""
    return f"Unverified data: {count} {'item' if count == 1 else 'items'} (no source read)"


def findings(checks: Iterable[Check]) -> list[Finding]:
    """Return failures by rule, worst first, then unevaluated or waived checks.

    Rules are ordered by severity, then by the excess of their worst check over its limit.
    """
    found: dict[tuple[str, str], list[Check]] = {}
    for check in by_weight(checks):
        if check.outcome != "PASS":
            found.setdefault((check.word, check.rule), []).append(check)
    grouped = [
        Finding(word, rule, tuple(sorted(grouped, key=_badness)))
        for (word, rule), grouped in found.items()
    ]
    order = list(_WORDS)
    return sorted(grouped, key=lambda one: (order.index(one.word), _badness(one.checks[0])))


def _badness(check: Check) -> float:
    """Return the sort margin, worst first; verdicts without margin precede small excesses."""
    return -1.0 if check.margin is None else round(check.margin, 9)


def key_figures(results: Results, system: System = "si") -> list[tuple[str, str]]:
    """Return the ten key figures: label and value.

    The annual PUE is an estimate without hourly weather. `none` means no unit of that type, `not
    known` an absent figure.
    """
    estimated = "pue.estimate" in results and "pue.annual" not in results
    other = "pue.annual" if estimated else "pue.estimate"
    lines = [line for line in _FIGURES if line[1] != other]
    return [(label, _figure(results, keys, system)) for label, *keys in lines]


def _figure(results: Results, keys: Sequence[str], system: System) -> str:
    found = [results[key] for key in keys if key in results]
    shown = [one.shown(system) if len(keys) > 1 else one.short(system) for one in found]
    if keys[0] in results and results[keys[0]].si == 0 and len(keys) > 1:
        return "none"
    if len(shown) != len(keys):
        return NOT_KNOWN
    if keys[0] == "pue.design" and "economizer" in results[keys[0]].basis:
        return f"{shown[0]}, economizer off"
    return shown[0] if len(shown) == 1 else " x ".join(shown).replace(".0 ", " ")
