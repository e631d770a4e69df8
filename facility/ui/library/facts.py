"""The figures of listed projects, from results that the pages have already calculated."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import cast

import streamlit as st

from facility.core.check import Check, counted
from facility.core.errors import FacilityError
from facility.core.table import Results, Value
from facility.files.store.records import Facts
from facility.report.tables.verdict import headline
from facility.ui.session import identity, opened, scenario
from facility.ui.session.identity import Visitor
from facility.ui.work.known import KnownChecks

EXAMPLES = Path(__file__).with_name("examples.csv")
_STORED = "facts-kept"
_FIGURES = ("load.it", "load.facility", "pue.design", "pue.annual")


def keep(known: KnownChecks) -> None:
    """Store the known figures of the displayed revision for the list."""
    now, year = opened.current(), known.results.state == "done"
    if not now.id or now.saver.status != "saved" or scenario.name():
        return
    revision = now.id, now.number, known.whole, year
    if st.session_state.get(_STORED) == revision:
        return
    st.session_state[_STORED] = revision
    results = cast(Results, known.results.result()) if year else known.design.results
    found = facts_of(results, known.checks if known.whole else None)
    # In a thread and without an error message: these figures can be recalculated.
    keeper = _keeper(identity.who(), now.id, now.number, found)
    Thread(target=keeper, daemon=True).start()


def _keeper(visitor: Visitor | None, project: str, number: int, facts: Facts) -> Callable[[], None]:
    def store() -> None:
        with suppress(FacilityError):
            library = opened.library(visitor)
            head = library.entry(project).head
            # Facts already stored for this revision, from all studies, remain valid.
            before = head.facts if head.number == number else {}
            library.set_facts(project, number, {**before, **facts})

    return store


@cache
def of_examples() -> Mapping[str, Facts]:
    """Return the precalculated facts of the examples by name; a test compares them."""
    with EXAMPLES.open(encoding="utf-8", newline="") as file:
        rows = [{key: text for key, text in row.items() if text} for row in csv.DictReader(file)]
    return {
        row.pop("example"): {k: v if k == "verdict" else float(v) for k, v in row.items()}
        for row in rows
    }


def facts_of(results: Mapping[str, Value], checks: Sequence[Check] | None) -> Facts:
    """Return the figures for the list.

    results: Results of the design, with the study results if known.
    checks: Checks of every study; None until all are done.
    """
    found: dict[str, str | float] = {
        key: float(results[key].si) for key in _FIGURES if key in results
    }
    if "load.gpus" in results:
        found["it.gpus"] = float(results["load.gpus"].si)
    if checks is not None:
        found["verdict"] = headline(checks)
        found["verdict.count"] = float(counted(checks)["VIOLATION"])
    return found
