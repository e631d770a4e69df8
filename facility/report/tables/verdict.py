"""The verdict on a design as every face gives it: buildable or not, what fails worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from facility.core.check import Check, Severity, by_weight, counted
from facility.core.table import Results
from facility.core.views import System

_FIGURES = (
    ("IT load", "load.it"),
    ("Facility load, design hour", "load.facility"),
    ("PUE of the year", "pue.annual"),
    ("PUE, estimate, mean weather", "pue.estimate"),
    ("PUE, design hour", "pue.design"),
    ("UPS", "ups.modules", "ups.module_rating"),
    ("Generators", "generator.count", "generator.rating"),
    ("Transformers", "transformer.count", "transformer.rating_kva"),
    ("Utility demand", "utility.demand_kva"),
    ("Racks, all kinds", "load.racks"),
    ("Heat to the air side", "heat.room"),
)
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
    """What checks of one rule and one verdict found, the worst of them first.

    `word` is the severity of what failed, or NOT_EVALUATED or WAIVED; `checks` are never none.
    """

    word: str
    rule: str
    checks: tuple[Check, ...]

    def text(self, system: System = "si") -> str:
        """Return the worst of them: subject and reason."""
        return f"{self.checks[0].about(1)}: {self.checks[0].found(system)}"


def counts_text(checks: Iterable[Check]) -> str:
    """Return how many checks came out how, as text; zeros other than violations left out."""
    counts = counted(checks)
    return ", ".join(
        f"{count} {word_of(word, count)}"
        for word, count in counts.items()
        if count or word == Severity.VIOLATION
    )


def word_of(word: str, count: int) -> str:
    """Return a word of a check for one, or for several."""
    return _WORDS[word][count != 1]


def buildable(checks: Sequence[Check]) -> str:
    """Return whether the design can be built as it stands, and what stands against it."""
    counts = counted(checks)
    against, left = counts[Severity.VIOLATION], counts["NOT_EVALUATED"]
    given = sum(c.outcome == "WAIVED" and c.severity is Severity.VIOLATION for c in checks)
    apart = f"; {given} {'violation' if given == 1 else 'violations'} waived" if given else ""
    if against:
        return f"No: {against} {'thing' if against == 1 else 'things'}{apart}"
    found = f"Nothing found against it; {left} checks could not be evaluated" if left else "Yes"
    return found + apart


def findings(checks: Iterable[Check]) -> list[Finding]:
    """Return what failed by rule, the worst first, then what was not evaluated or is waived.

    Rules stand by severity, then by how far their worst check is beyond its limit.
    """
    found: dict[tuple[str, str], list[Check]] = {}
    for check in by_weight(checks):
        if check.outcome != "PASS":
            found.setdefault((check.word, check.rule), []).append(check)
    grouped = [
        Finding(word, rule, tuple(sorted(alike, key=_badness)))
        for (word, rule), alike in found.items()
    ]
    order = list(_WORDS)
    return sorted(grouped, key=lambda one: (order.index(one.word), _badness(one.checks[0])))


def _badness(check: Check) -> float:
    """Return the margin, the worst first; a verdict without one stands before small excesses."""
    return -1.0 if check.margin is None else round(check.margin, 9)


def key_figures(results: Results, system: System = "si") -> list[tuple[str, str]]:
    """Return the ten numbers people ask for first: label and value.

    The PUE of the year is estimated where no hours are known. Where there is no unit of a kind it
    says `none`, where a figure is absent `not known`.
    """
    estimated = "pue.estimate" in results and "pue.annual" not in results
    other = "pue.annual" if estimated else "pue.estimate"
    lines = [line for line in _FIGURES if line[1] != other]
    return [(label, _figure(results, keys, system)) for label, *keys in lines]


def _figure(results: Results, keys: Sequence[str], system: System) -> str:
    shown = [results[key].shown(system) for key in keys if key in results]
    if keys[0] in results and results[keys[0]].si == 0 and len(keys) > 1:
        return "none"
    if len(shown) != len(keys):
        return "not known"
    return shown[0] if len(shown) == 1 else " x ".join(shown).replace(".0 ", " ")
