"""What the studies of a design say of it so far; those not done are asked for beside the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.study.parts import checks_with, is_known
from facility.study.studies import PARTS
from facility.study.sweep.studies import STUDIES
from facility.ui.work import runs
from facility.ui.work.runs import Run

Marks = frozenset[tuple[str, str, str]]
"""Rule, subject and word of each check of a design: what tells whether one came out otherwise."""


@dataclass(frozen=True)
class GatheredChecks:
    """The checks of a design by study, and the studies that have not said theirs."""

    found: Mapping[str, tuple[Check, ...]]
    going: Mapping[str, Run]
    stopped: Mapping[str, Run]
    failed: Mapping[str, FacilityError]
    checks: tuple[Check, ...]  # Of the sizing and of what is found, equal ones as one

    @property
    def whole(self) -> bool:
        """Whether every study has said its checks."""
        return len(self.found) == len(PARTS)


def gather(design: Design, text: str, place: str = "project") -> GatheredChecks:
    """Return what is known of the checks of a design, and ask for the rest.

    text: Its project, as `dump_project` writes it.
    place: What of the session it is for, as `runs.ask` takes it.
    """
    found: dict[str, tuple[Check, ...]] = {}
    going: dict[str, Run] = {}
    stopped: dict[str, Run] = {}
    failed: dict[str, FacilityError] = {}
    for name in PARTS:
        if is_known(design, name):
            found[name] = STUDIES[name](design).checks
            continue
        run = runs.ask(f"checks of {name}", text, place=place)
        if run.state == "done":
            found[name] = run.checks
        elif run.error is not None:
            failed[name] = run.error
        else:
            (stopped if run.state == "cancelled" else going)[name] = run
    return GatheredChecks(found, going, stopped, failed, checks_with(design, found))


def mark(check: Check) -> tuple[str, str, str]:
    """Return what tells a check from one that came out otherwise."""
    return check.rule, check.subject, check.word
