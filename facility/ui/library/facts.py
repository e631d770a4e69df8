"""What the card of a project says, taken from what the pages have worked out already."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread

import streamlit as st

from facility.core.check import Check, counted
from facility.core.errors import FacilityError
from facility.core.table import Results
from facility.files.store.records import Facts
from facility.report.tables.verdict import buildable
from facility.study.design.design import Design
from facility.ui.session import identity, opened, state
from facility.ui.session.identity import Visitor

EXAMPLES = Path(__file__).with_name("examples.csv")
_KEPT = "facts-kept"
_FIGURES = ("load.it", "load.facility", "pue.design", "pue.annual")


def keep(checks: Sequence[Check] | None) -> None:
    """Say on the card of the open project what is known of the revision that is shown.

    checks: Those of every study; None while some have not been run.
    """
    now = opened.current()
    if not now.id or now.saver.status != "saved":
        return
    said = now.id, now.number, facts_of(state.current(), checks)
    if st.session_state.get(_KEPT) != said:
        st.session_state[_KEPT] = said
        # Beside the page, and without a word where it fails: figures are no one's entries.
        Thread(target=_keeper(identity.who(), *said), daemon=True).start()


def _keeper(visitor: Visitor | None, project: str, number: int, facts: Facts) -> Callable[[], None]:
    def kept() -> None:
        with suppress(FacilityError):
            opened.library(visitor).set_facts(project, number, facts)

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


def facts_of(design: Design, checks: Sequence[Check] | None) -> Facts:
    """Return what is known of a design, without working anything out."""
    results: Results = design.results
    if vars(design).get("hours") is not None and design.year is not None:
        results = results | design.year.results
    found: dict[str, str | float] = {
        key: float(results[key].si) for key in _FIGURES if key in results
    }
    if "load.gpus" in results:
        found["it.gpus"] = float(results["load.gpus"].si)
    if checks is not None:
        found["verdict"] = buildable(checks)
        found["verdict.count"] = float(counted(checks)["VIOLATION"])
    return found
