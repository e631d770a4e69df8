"""Findings that the project waives: one place decides which, for every door.

What failed and is waived is WAIVED: no longer counted as failed, never as passed. What was not
evaluated cannot be waived, and a waiver that matches nothing that failed is itself a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from facility.core.check import Check, Outcome
from facility.model.inputs.criteria import WaiverSection
from facility.model.inputs.document import Project
from facility.study.rules import RULES

_CAN_BE = (Outcome.FAIL, Outcome.WAIVED)


def waived(project: Project, checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks, those that failed and are waived by the project as WAIVED."""
    waivers = _waivers(project)
    if not waivers:
        return tuple(checks)
    return tuple(part for check in checks for part in _parts(check, waivers))


def unused(project: Project, checks: Iterable[Check]) -> Iterator[Check]:
    """Yield a finding for each waiver that matches none of all the checks of a design."""
    listed = [check for check in checks if check.outcome in _CAN_BE]
    for waiver in _waivers(project):
        if not any(_matching(check, waiver) for check in listed):
            of = f" of {waiver.subject}" if waiver.subject else ""
            why = f"nothing that failed is {waiver.rule}{of}; {waiver.by} waived it: "
            yield RULES["WAIVER-UNUSED"].verdict(waiver.rule, False, why + waiver.reason)


def _waivers(project: Project) -> tuple[WaiverSection, ...]:
    return (project.checks.waived or ()) if project.checks is not None else ()


def _matching(check: Check, waiver: WaiverSection) -> tuple[str, ...]:
    """Return the subjects of a check that a waiver is of."""
    subjects = (check.subject, *check.alike)
    if check.rule != waiver.rule:
        return ()
    return tuple(one for one in subjects if waiver.subject in (None, one))


def _parts(check: Check, waivers: Iterable[WaiverSection]) -> Iterator[Check]:
    """Yield a check, what of it is waived apart from the rest."""
    left = [check.subject, *check.alike]
    if check.failed:
        for waiver in waivers:
            gone = [one for one in _matching(check, waiver) if one in left]
            left = [one for one in left if one not in gone]
            if gone:
                why = f"Waived by {waiver.by}: {waiver.reason}. Found: {check.found()}"
                yield _of(replace(check, outcome=Outcome.WAIVED, why=why), gone)
    if left:
        yield _of(check, left)


def _of(check: Check, subjects: list[str]) -> Check:
    return replace(check, subject=subjects[0], alike=tuple(subjects[1:]))
