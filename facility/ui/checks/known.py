"""What is known of the checks of a design, and what is still being found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import streamlit as st

from facility.core.check import Check, Severity, counted
from facility.core.errors import FacilityError
from facility.report.tables.verdict import headline, word_of
from facility.study.design.design import Design
from facility.study.fixes.propose import ALSO, Fix, Mark
from facility.study.parts import checks_with, is_known
from facility.study.studies import PARTS
from facility.study.sweep.studies import STUDIES
from facility.ui.session import opened, state
from facility.ui.work import runs
from facility.ui.work.runs import Run

Marks = frozenset[tuple[str, str, str]]
"""Rule, subject and word of each check of a design: what tells whether one came out otherwise."""


@dataclass(frozen=True)
class GatheredChecks:
    """The checks of a design by study, and the studies that have not said theirs."""

    found: Mapping[str, tuple[Check, ...]]
    going: Mapping[str, Run]  # Studies that wait or run
    stopped: Mapping[str, Run]  # Studies that were cancelled
    failed: Mapping[str, FacilityError]  # Studies that could not be run, and why
    checks: tuple[Check, ...]  # Of the sizing and of what is found, equal ones as one

    @property
    def whole(self) -> bool:
        """Whether every study has said its checks."""
        return not (self.going or self.stopped or self.failed)


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


_FIRST = "checks-first-known"


@dataclass(frozen=True)
class KnownChecks(GatheredChecks):
    """What is known of the checks of a design so far."""

    design: Design
    results: Run  # Of all results, those of the studies included
    looking: Run | None  # For fixes; None where nothing needs one, or the studies are not done
    first: Marks  # Of all checks when this session first knew all of this project; else empty

    @property
    def stage(self) -> int:
        """How far it is: studies go on (0), what follows them goes on (1), nothing does (2)."""
        if self.going:
            return 0
        after = [run for run in (self.results, self.looking) if run is not None]
        return 1 if any(run.state in ("waiting", "running") for run in after) else 2

    @property
    def answer(self) -> str:
        """The verdict in one line; what is known of it before every study has run."""
        if self.whole:
            return headline(self.checks)
        left = len(self.going) + len(self.stopped) + len(self.failed)
        against = counted(self.checks)["VIOLATION"]
        if against:
            return f"{against} {word_of('VIOLATION', against)} so far"
        return f"Not decided yet: {left} of {len(PARTS) + 1} studies not done"

    @property
    def still(self) -> str:
        """How many studies are not done, and why; empty where all are.

        Counts alone: names would take a second line, and the page would move up as they go.
        """
        parts = (
            ("still running", self.going),
            ("cancelled", self.stopped),
            ("could not be run", self.failed),
        )
        return " · ".join(f"{len(which)} {what}" for what, which in parts if which)

    def fix_of(self, check: Check) -> Fix | None:
        """Return what clears a check; None where nothing is known, or not yet."""
        if self.looking is None or self.looking.state != "done":
            return None
        found = cast(dict[Mark, Fix], self.looking.result())
        return found.get((check.rule, check.subject))


def known() -> KnownChecks:
    """Return what is known of the checks of this session's design; ask for what is not."""
    design, text = state.current(), state.text()
    now = gather(design, text)
    results, looking = runs.ask("results", text), None
    if now.whole:
        _first_known().setdefault(_project(), frozenset(map(mark, now.checks)))
        if any(needs_fix(check) for check in now.checks):
            looking = runs.ask("fixes", text)
    first = _first_known().get(_project(), frozenset())
    return KnownChecks(
        now.found, now.going, now.stopped, now.failed, now.checks, design, results, looking, first
    )


def needs_fix(check: Check) -> bool:
    """Return whether a fix is sought for a check."""
    return check.failed and (check.severity is Severity.VIOLATION or check.rule in ALSO)


def _first_known() -> dict[str, Marks]:
    """Return what came of all checks when this session first knew them, by project."""
    kept: dict[str, Marks] = st.session_state.setdefault(_FIRST, {})
    return kept


def _project() -> str:
    """Return the name of the project shown: its id, or the count of those begun before."""
    kept, id = _first_known(), opened.current().id
    unsaved = str(state.session().generation)
    if not id:
        return unsaved
    if unsaved in kept:  # saved since
        kept.setdefault(id, kept.pop(unsaved))
    return id
