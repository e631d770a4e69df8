"""Studies available in a sweep, with checks and results, run on request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from facility.core.check import Check, Severity, counted, merged
from facility.core.errors import FacilityError, near_matches
from facility.core.table import Value
from facility.study.design.design import Design
from facility.study.studies import PARTS, YEAR_FIRST, StudyOutcome, WithChecks


class _WithResults(WithChecks, Protocol):
    @property
    def results(self) -> Mapping[str, Value]: ...


NOT_RUN = "not run"
USUAL = ("sizing", "year")
"""Studies run by default."""


@dataclass(frozen=True)
class StudyFound:
    """Outcome of one study of one design."""

    checks: tuple[Check, ...]
    results: Mapping[str, Value]
    refusal: str = ""  # Why there are no results; empty if there are

    @property
    def verdict(self) -> str:
        """Verdict of its checks as text; identical findings of many subjects count once."""
        return verdict_of(counted(merged(self.checks)))


def verdict_of(counts: Mapping[str, int]) -> str:
    """Return the numbers of checks that did not pass, except advice, as text."""
    words = ((counts[Severity.VIOLATION], "violation"), (counts[Severity.WARNING], "warning"))
    parts = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in words if count]
    if counts["NOT_EVALUATED"]:
        parts.append(f"{counts['NOT_EVALUATED']} not evaluated")
    return ", ".join(parts) or "pass"


def _of(name: str) -> Callable[[Design], StudyFound]:
    def found(design: Design) -> StudyFound:
        one: StudyOutcome[_WithResults] | _WithResults | None = getattr(design, PARTS[name])
        if one is None:  # No annual study without a weather record
            return StudyFound((), {}, design.year_refusal)
        checks = design.with_waivers(one.checks)
        if not isinstance(one, StudyOutcome):
            return StudyFound(checks, one.results)
        return StudyFound(checks, {} if one.study is None else one.study.results, one.refusal)

    return found


STUDIES: Mapping[str, Callable[[Design], StudyFound]] = {
    "sizing": lambda design: StudyFound(design.with_waivers(design.sizing_checks), design.results),
    **{name: _of(name) for name in YEAR_FIRST},
}
"""All studies by name; required other studies are run with them."""


def studies_named(names: Sequence[str]) -> tuple[str, ...]:
    """Return the studies named, each once, the sizing first; ``all`` names every one.

    Raises ``SWEEP_STUDY`` with near matches.
    """
    for name in names:
        if name not in STUDIES and name != "all":
            raise FacilityError(
                "SWEEP_STUDY",
                "--studies",
                f"unknown study {name[:40]!r}.",
                near_matches(name, [*STUDIES, "all"]),
            )
    return tuple(s for s in STUDIES if s == "sizing" or s in names or "all" in names)
