"""The known checks of a design, and the studies that are still running."""

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
from facility.ui.memory.cache import CACHE
from facility.ui.session import opened, state
from facility.ui.work import runs
from facility.ui.work.runs import Run

Marks = frozenset[tuple[str, str, str]]
"""Rule, subject and result word of each check of a design; changes when a result changes."""


@dataclass(frozen=True)
class GatheredChecks:
    """The checks of a design by study, and the studies without checks so far."""

    found: Mapping[str, tuple[Check, ...]]
    going: Mapping[str, Run]  # Studies waiting or running
    stopped: Mapping[str, Run]  # Cancelled studies
    failed: Mapping[str, FacilityError]  # Failed studies with their errors
    checks: tuple[Check, ...]  # Checks of the sizing and of `found`, identical ones grouped

    @property
    def whole(self) -> bool:
        """Whether the checks of every study are known."""
        return not (self.going or self.stopped or self.failed)


def gather(design: Design, text: str, owner: str = "project") -> GatheredChecks:
    """Return the known checks of a design, and request the missing studies.

    text: The project, as written by `dump_project`.
    owner: Owner of the runs within the session, as for `runs.ask`.
    """
    found: dict[str, tuple[Check, ...]] = {}
    going: dict[str, Run] = {}
    stopped: dict[str, Run] = {}
    failed: dict[str, FacilityError] = {}
    for name in PARTS:
        if is_known(design, name):
            found[name] = STUDIES[name](design).checks
            continue
        run = runs.ask(f"checks of {name}", text, owner=owner)
        if run.state == "done":
            found[name] = run.checks
        elif run.error is not None:
            failed[name] = run.error
        else:
            (stopped if run.state == "cancelled" else going)[name] = run
    return GatheredChecks(found, going, stopped, failed, checks_with(design, found))


def mark(check: Check) -> tuple[str, str, str]:
    """Return rule, subject and result word of a check."""
    return check.rule, check.subject, check.word


_FIRST = "checks-first-known"


@dataclass(frozen=True)
class KnownChecks(GatheredChecks):
    """The known checks of the session's design."""

    design: Design
    results: Run  # Run that returns all results, including the studies
    looking: Run | None  # Search for fixes; None if none is needed or the studies are not done
    first: Marks  # Marks at the first complete verdict on this project in this session

    @property
    def stage(self) -> int:
        """Progress: studies or their results running (0), fixes running (1), all done (2)."""
        if self.going or not self.results.is_over:
            return 0
        return 2 if self.looking is None or self.looking.is_over else 1

    @property
    def answer(self) -> str:
        """The verdict in one line; preliminary until every study is done."""
        if self.whole:
            return headline(self.checks)
        left = len(self.going) + len(self.stopped) + len(self.failed)
        against = counted(self.checks)["VIOLATION"]
        if against:
            return f"{against} {word_of('VIOLATION', against)} so far"
        return f"Pending: {left} of {len(PARTS) + 1} studies not finished"

    @property
    def still(self) -> str:
        """Number of unfinished studies by reason; empty if all are done.

        Only counts: names would need a second line, and the page would move when they disappear.
        """
        parts = (
            ("still running", self.going),
            ("cancelled", self.stopped),
            ("failed", self.failed),
        )
        return " · ".join(f"{len(which)} {what}" for what, which in parts if which)

    def fix_of(self, check: Check) -> Fix | None:
        """Return the fix of a check; None if not found, or not yet searched."""
        if self.looking is None or self.looking.state != "done":
            return None
        found = cast(dict[Mark, Fix], self.looking.result())
        return found.get((check.rule, check.subject))


def known() -> KnownChecks:
    """Return the known checks of this session's design, and request the missing studies."""
    design, text = state.current(), state.text()
    now = gather(design, text)
    results, looking = runs.ask("results", text), None
    if now.whole:
        if _project() not in _first_known():
            _first_known()[_project()] = frozenset(map(mark, now.checks))
        if any(needs_fix(check) for check in now.checks):
            looking = runs.ask("fixes", text)
    first = _first_known().get(_project(), frozenset())
    return KnownChecks(
        now.found, now.going, now.stopped, now.failed, now.checks, design, results, looking, first
    )


def open_findings() -> int:
    """Return the number of violations and warnings known so far; 0 before the first design."""
    if not CACHE.has(state.text()):
        return 0
    counts = counted(gather(state.current(), state.text()).checks)
    return counts["VIOLATION"] + counts["WARNING"]


def needs_fix(check: Check) -> bool:
    """Return whether a fix is searched for a check without a request."""
    return check.failed and (check.severity is Severity.VIOLATION or check.rule in ALSO)


def _first_known() -> dict[str, Marks]:
    """Return the marks at the first complete verdict in this session, by project."""
    first: dict[str, Marks] = st.session_state.setdefault(_FIRST, {})
    return first


def _project() -> str:
    """Return the key of the open project: its id, or the generation of an unsaved one."""
    first, id = _first_known(), opened.current().id
    unsaved = str(state.session().generation)
    if not id:
        return unsaved
    if unsaved in first:  # saved since
        first.setdefault(id, first.pop(unsaved))
    return id
