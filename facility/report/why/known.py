"""Known results, steps and checks of a design without running a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.choice import Selection
from facility.core.ledger import Assumption
from facility.core.table import Value
from facility.core.trace import Trace
from facility.study.design.design import Design
from facility.study.parts import is_known
from facility.study.studies import StudyOutcome

STUDIES = ("year", "distribution", "air", "hydraulics", "liquid", "plant", "load")
"""Studies that continue the trace of a design."""


@dataclass(frozen=True)
class Known:
    """Numbers and findings of a design with their origin."""

    sizing: Mapping[str, Value]  # Results of the sizing
    results: Mapping[str, Value]  # These, and results of the studies run so far
    trace: Trace  # Their steps
    checks: Sequence[Check]  # Of all studies once run, else of the sizing
    ledger: Mapping[str, Assumption]  # Default values in use, by id
    complete: bool  # Whether all studies with steps have been run
    choices: Sequence[Selection[object]] = ()  # Equipment selected by result

    def __contains__(self, id: str) -> bool:
        """Whether `id` is a result, a step, an assumption or a rule that is known."""
        named = id in self.trace or id in self.results or id in self.ledger
        return named or any(check.rule == id for check in self.checks)


def known(design: Design, checks: Sequence[Check] | None = None) -> Known:
    """Return the known results of a design so far; nothing is calculated.

    checks: Checks found elsewhere; default: the checks of the design.
    """
    done = vars(design)
    studies = tuple(design.studied)
    results = dict(design.results.values_by_key)
    for study in studies:
        results |= study.results
    for run in (done.get("outages"), done.get("ride_through")):
        if isinstance(run, StudyOutcome) and run.study is not None:
            results |= run.study.results
    return Known(
        design.results.values_by_key,
        results,
        design.trace.joined(study.trace for study in studies),
        _checks(design) if checks is None else checks,
        {entry.id: entry for entry in design.ledger},
        all(is_known(design, name) for name in STUDIES),
        design.choices,
    )


def _checks(design: Design) -> Sequence[Check]:
    """Return the checks of a design; only the sizing checks until all studies have run."""
    done: Sequence[Check] | None = vars(design).get("checks")
    return design.with_waivers(design.sizing_checks) if done is None else done
