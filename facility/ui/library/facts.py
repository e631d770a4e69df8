"""What the card of a project says, taken from what the pages have worked out already."""

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
from facility.ui.checks.known import KnownChecks
from facility.ui.session import identity, opened
from facility.ui.session.identity import Visitor

EXAMPLES = Path(__file__).with_name("examples.csv")
_KEPT = "facts-kept"
_FIGURES = ("load.it", "load.facility", "pue.design", "pue.annual")


def keep(known: KnownChecks) -> None:
    """Say on the card of the open project what is known of the revision that is shown."""
    now, year = opened.current(), known.results.state == "done"
    if not now.id or now.saver.status != "saved":
        return
    said = now.id, now.number, known.whole, year
    if st.session_state.get(_KEPT) == said:
        return
    st.session_state[_KEPT] = said
    results = cast(Results, known.results.result()) if year else known.design.results
    found = facts_of(results, known.checks if known.whole else None)
    # Beside the page, and without a word where it fails: figures are no one's entries.
    keeper = _keeper(identity.who(), now.id, now.number, found)
    Thread(target=keeper, daemon=True).start()


def _keeper(visitor: Visitor | None, project: str, number: int, facts: Facts) -> Callable[[], None]:
    def kept() -> None:
        with suppress(FacilityError):
            library = opened.library(visitor)
            head = library.entry(project).head
            # What was known of this revision before, by all of its studies, is known still.
            before = head.facts if head.number == number else {}
            library.set_facts(project, number, {**before, **facts})

    return kept


@cache
def of_examples() -> Mapping[str, Facts]:
    """Return what is known of the examples, by name: worked out ahead, and held by a test."""
    with EXAMPLES.open(encoding="utf-8", newline="") as file:
        rows = [{key: text for key, text in row.items() if text} for row in csv.DictReader(file)]
    return {
        row.pop("example"): {k: v if k == "verdict" else float(v) for k, v in row.items()}
        for row in rows
    }


def facts_of(results: Mapping[str, Value], checks: Sequence[Check] | None) -> Facts:
    """Return what a card says.

    results: Those of the design, with those of its studies where these are known.
    checks: Those of every study; None while some have not been run.
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
