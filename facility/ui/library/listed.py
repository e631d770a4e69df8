"""Projects as rows of a list: size, verdict, last change; the title opens a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import streamlit as st

from facility.core.views import System, show_short
from facility.files.store.records import Facts, ProjectEntry
from facility.report.sheet.grid import Amount
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Asked, CellMark, Event, GridContents, RowValues, Selected
from facility.ui.grid.tables import values_grid
from facility.ui.library import shelf, times
from facility.ui.session import opened, state

_NO_NAME = "Unnamed project"
_HEIGHT_PX, _WIDTHS = 560, {"Verdict": 320}
_HELP = {"PUE": "PUE of the year; grey: of the design hour, before the year is evaluated"}


class ListedProject(NamedTuple):
    """A row: a project of the library, or an example, which is not saved."""

    id: str
    title: str
    facts: Facts
    saved_at: datetime | None = None
    by: str = ""


def show_entries(entries: Sequence[ProjectEntry], key: str, *, selects: bool = False) -> str:
    """Show projects of the library; return the id of the selected one, empty without `selects`."""
    listed = [
        ListedProject(
            one.id, title_of(one), one.head.facts, one.head.saved_at, times.by(one.head, here=True)
        )
        for one in entries
    ]
    chosen = f"{key}-selected"
    before = st.session_state.get(chosen, opened.current().id)
    ids = [one.id for one in listed]
    selected = before if before in ids else ids[0]
    show_list(listed, key, open_entry, chosen if selects else "", selected if selects else "")
    return selected if selects else ""


def show_list(
    listed: Sequence[ListedProject],
    key: str,
    open_it: Callable[[str], None],
    chosen: str = "",
    selected: str = "",
) -> None:
    """Show projects as a list; `open_it` receives the id of one whose title is pressed.

    chosen: Key under which a selected row is kept; empty: rows are not selected.
    """
    taken = f"{key}-taken"

    def handle(event: Event) -> None:
        if isinstance(event, Asked):
            st.session_state[taken] = event.id
        elif isinstance(event, Selected):
            st.session_state[chosen] = event.id

    grid = _grid(listed, state.unit_system())
    grid = replace(grid, label=key.capitalize(), name=key)
    show_grid(replace(grid, selects=bool(chosen), selected=selected), key, handle)
    id = st.session_state.pop(taken, "")
    if id in {one.id for one in listed}:
        open_it(id)


def title_of(entry: ProjectEntry) -> str:
    """Return the title of a project, else its name."""
    return entry.title or entry.name or _NO_NAME


def open_entry(project: str) -> None:
    """Open a project of the library, if it is not open, and show its summary."""
    if opened.current().id != project:
        shelf.open_project(project)
    show_result()


def show_result() -> None:
    """Go to the summary of the opened project; after an error rerun, which shows it."""
    if not shelf.has_failed():
        state.go_to("design", "summary")
    st.rerun()


def figures(facts: Facts, system: System) -> str:
    """Return GPU count, power and PUE of a project in a line; empty if unknown."""
    gpus, power, pue = _number(facts, "it.gpus"), _number(facts, "load.facility"), _pue(facts)
    found = [f"{int(gpus):,} GPUs"] if gpus else []
    found += [] if power is None else [show_short(power, "active_power", system)]
    if pue is not None:
        found.append(f"PUE {pue:.3f}{'' if 'pue.annual' in facts else ' (design hour)'}")
    return " · ".join(found)


def _grid(listed: Sequence[ListedProject], system: System) -> GridContents:
    """Return the list; unknown figures are empty."""
    powers = [_number(one.facts, "load.facility") for one in listed]
    pues = [_pue(one.facts) for one in listed]
    columns: dict[str, list[object]] = {
        "Project": [one.title for one in listed],
        "GPUs": [_number(one.facts, "it.gpus") or None for one in listed],
        "Facility power": [None if w is None else Amount(w, "active_power") for w in powers],
        "PUE": [None if pue is None else Amount(pue, "ratio") for pue in pues],
        "Violations": [_number(one.facts, "verdict.count") for one in listed],
        "Verdict": [_verdict(one.facts) for one in listed],
    }
    texts = {}
    if any(one.saved_at for one in listed):
        now = datetime.now(UTC)
        saved = [one.saved_at or now for one in listed]
        columns["Saved"] = [(now - at).total_seconds() for at in saved]
        columns["By"] = [one.by for one in listed]
        texts["Saved"] = [times.ago(at, now) for at in saved]
    grid = values_grid("Projects", columns, system)
    return replace(
        grid,
        columns=[
            replace(
                one,
                link=one.key == "Project",
                width=_WIDTHS.get(one.key, 0),
                help=_HELP.get(one.key, ""),
            )
            for one in grid.columns
        ],
        rows=[
            RowValues(one.id, row.values, _marks(one.facts))
            for one, row in zip(listed, grid.rows, strict=True)
        ],
        texts={**grid.texts, **texts},
        one_line=True,
        height=_HEIGHT_PX,
    )


def _marks(facts: Facts) -> dict[str, CellMark]:
    marks = {}
    if "verdict.count" in facts:
        marks["Violations"] = CellMark(status="over" if facts["verdict.count"] else "ok")
    if _pue(facts) is not None and "pue.annual" not in facts:
        marks["PUE"] = CellMark(dim=True)
    return marks


def _verdict(facts: Facts) -> str:
    """Return the verdict of a project, or why it is not known."""
    verdict = facts.get("verdict")
    if not isinstance(verdict, str):
        return "Not all studies were run" if "load.facility" in facts else "Not calculated"
    words = verdict.removeprefix("no goal stated: ")
    return words[:1].upper() + words[1:]


def _number(facts: Facts, key: str) -> float | None:
    found = facts.get(key)
    return found if isinstance(found, float | int) else None


def _pue(facts: Facts) -> float | None:
    """Return the PUE of the year, else that of the design hour."""
    annual = _number(facts, "pue.annual")
    return _number(facts, "pue.design") if annual is None else annual
