"""The studies that a sweep can be asked for: checks and results of each, run when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check, Severity, counted, merged
from facility.core.errors import FacilityError, near_matches
from facility.core.table import Value
from facility.study.annual.result import AnnualStudy
from facility.study.design.design import Design
from facility.study.failures.study import FailureStudy
from facility.study.studies import Ran
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.study import TransientStudy

NOT_RUN = "not run"
USUAL = ("sizing", "year")
"""What is run where nothing is said."""


@dataclass(frozen=True)
class Found:
    """What came of one study of one design."""

    checks: tuple[Check, ...]
    results: Mapping[str, Value]
    refusal: str = ""  # Why there are no results; empty where there are

    @property
    def verdict(self) -> str:
        """What its checks say, in words."""
        return verdict_of(counted(self.checks))


def verdict_of(counts: Mapping[str, int]) -> str:
    """Return the numbers of checks that did not pass, advice apart, as text."""
    words = (
        (counts[Severity.VIOLATION], "violation"),
        (counts[Severity.WARNING], "warning"),
    )
    parts = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in words if count]
    if counts["NOT_EVALUATED"]:
        parts.append(f"{counts['NOT_EVALUATED']} not evaluated")
    return ", ".join(parts) or "pass"


def _year(design: Design) -> Found:
    if design.hours is None:
        return Found((), {}, design.year_refusal)
    return _ran(design, design.hours)


def _ran(
    design: Design,
    found: Ran[AnnualStudy] | Ran[FailureStudy] | Ran[TransientStudy] | Ran[LoadStudy],
) -> Found:
    checks = design.judged(found.checks)
    if found.study is None:
        return Found(checks, {}, found.refusal)
    return Found(checks, found.study.results)


STUDIES: Mapping[str, Callable[[Design], Found]] = {
    "sizing": lambda d: Found(merged(d.judged(d.sizing_checks)), d.results),
    "year": _year,
    "distribution": lambda d: Found(d.judged(d.distribution.checks), d.distribution.results),
    "outages": lambda d: _ran(d, d.outages),
    "air": lambda d: Found(d.judged(d.room_air.checks), d.room_air.results),
    "hydraulics": lambda d: Found(d.judged(d.hydraulics.checks), d.hydraulics.results),
    "liquid": lambda d: Found(d.judged(d.liquid_path.checks), d.liquid_path.results),
    "plant": lambda d: Found(d.judged(d.plant_options.checks), d.plant_options.results),
    "ride-through": lambda d: _ran(d, d.ride_through),
    "load": lambda d: _ran(d, d.moving_load),
}
"""Every study by its name. What a study needs of another is run with it."""


def studies_named(names: Sequence[str]) -> tuple[str, ...]:
    """Return the studies named, each once, the sizing first; ``all`` names every one.

    Raises
    ------
    FacilityError
        ``SWEEP_STUDY`` with near matches.
    """
    for name in names:
        if name not in STUDIES and name != "all":
            raise FacilityError(
                "SWEEP_STUDY",
                "--studies",
                f"there is no study {name[:40]!r}.",
                near_matches(name, [*STUDIES, "all"]),
                exit_code=2,
            )
    return tuple(s for s in STUDIES if s == "sizing" or s in names or "all" in names)
